use tobu::{Deserialize, Enumeration, Message, Oneof, Serialize};

#[derive(Message, Serialize, Deserialize)]
#[serde(rename_all = "Title Case")]
struct Members {
    #[tobu(1)]
    #[serde(flatten)]
    flatten: i32,
    #[tobu(2)]
    #[serde(rename(serialize = "a", deserialize = "b"))]
    two_names: i32,
    #[tobu(3)]
    #[serde(skip_serializing)]
    half: i32,
    #[tobu(4)]
    #[serde(with = "module")]
    with: i32,
    #[tobu(5)]
    #[serde(default = "five")]
    default: i32,
    #[tobu(6)]
    #[serde(rename = "with")]
    taken: i32,
}

#[derive(Message)]
#[serde(transparent)]
struct Transparent {}

#[derive(Oneof, Serialize)]
#[serde(tag = "kind", content = "value")]
enum Tagged {
    #[tobu(1)]
    A(i32),
}

fn main() {}

#[derive(Message, Serialize, Deserialize)]
struct Named {
    #[tobu(1)]
    #[serde(rename = "a\0b")]
    a: i32,
}

#[derive(Oneof, Serialize, Deserialize)]
enum Variant {
    #[tobu(1)]
    #[serde(rename = "a\0b")]
    A(i32),
}

#[derive(Clone, Copy, Enumeration, Serialize, Deserialize)]
enum Value {
    #[serde(rename = "a\0b")]
    A = 0,
}

#[derive(Message)]
#[tobu(descriptor = FILE, message = "a\0b")]
struct Bound {}
