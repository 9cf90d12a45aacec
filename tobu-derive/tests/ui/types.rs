use tobu::{Deserialize, Enumeration, Message, Oneof, Serialize};

#[derive(Message)]
struct Tuple(i32);

#[derive(Message, Serialize, Deserialize)]
struct Unit;

#[derive(Message)]
union Union {
    a: i32,
}

#[derive(Message, Serialize, Deserialize)]
struct Generic<'a, T> {
    #[tobu(1)]
    a: &'a T,
}

#[derive(Message)]
struct Array<const N: usize> {}

#[derive(Message)]
enum NotAStruct {
    A(i32),
}

#[derive(Oneof)]
struct NotAnEnum {}

#[derive(Enumeration)]
struct NotANewtype {}

#[derive(Oneof, Serialize, Deserialize)]
enum Mixed {
    #[tobu(1)]
    A(i32),
    B,
}

#[derive(Enumeration, Serialize, Deserialize)]
enum Empty {}

fn main() {}
