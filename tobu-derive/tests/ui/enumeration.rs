use tobu::{Deserialize, Enumeration, Serialize};

#[derive(Enumeration, Serialize, Deserialize)]
#[tobu(values(A = 0), message = "x")]
enum Numbers {
    Unnumbered,
    Large = 2147483648,
    Computed = 1 + 1,
    #[tobu(name = "LARGE")]
    SameName = 3,
    #[tobu(name = "no name")]
    NoName = 4,
    #[tobu(5)]
    GivenTwice = 5,
}

#[derive(Enumeration, Serialize, Deserialize)]
enum Open {
    #[tobu(2)]
    Two,
    #[tobu(number = 2)]
    Too,
    Unnumbered,
    #[tobu(unknown)]
    NoPayload,
    #[tobu(unknown)]
    Unknown(i32),
    #[tobu(unknown)]
    Other(i32),
}

#[derive(Enumeration)]
enum ClosedOne {
    #[tobu(unknown)]
    Unknown(i32),
}

#[derive(Enumeration, Serialize)]
struct SaysNothing(i32);

#[derive(Enumeration)]
#[tobu(enumeration)]
struct NoValues(i32);

#[derive(Enumeration)]
#[tobu(values(A = 1))]
struct NoZero(i32);

#[derive(Enumeration)]
#[tobu(values(A = 0, B = 0, A = 1, C = 4294967295))]
struct Twice(i32);

#[derive(Enumeration)]
#[tobu(values)]
struct NoList(i32);

#[derive(Enumeration)]
#[tobu(enumeration = "a.B")]
struct NoDescriptor(i32);

fn main() {}
