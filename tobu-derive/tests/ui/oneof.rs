use tobu::{Deserialize, Oneof, Serialize};

#[derive(Oneof, Serialize, Deserialize)]
#[tobu(name = "kind")]
enum Variants {
    Unnumbered(i32),
    #[tobu(2)]
    Two(i32, i32),
    #[tobu(3)]
    Named { a: i32 },
    #[tobu(4)]
    List(Vec<i32>),
    #[tobu(5)]
    Optional(Option<i32>),
    #[tobu(6, required)]
    Required(i32),
    #[tobu(6, sint32)]
    Kind(i64),
    #[tobu(7, name = "kind")]
    SameName(i64),
}

#[derive(Oneof)]
enum Twice {
    #[tobu(6)]
    A(i32),
    #[tobu(6)]
    B(i32),
    #[tobu(7, name = "a")]
    C(i32),
}

#[derive(Oneof)]
enum Skipped {
    #[serde(skip)]
    A(i32),
}

fn main() {}
