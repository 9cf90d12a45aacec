//! What a message borrows must live as long as its input does, whatever its lifetimes hide behind.

use std::borrow::Cow;
use std::collections::HashMap;
use tobu::{Deserialize, Message, Oneof, Serialize};

type Forever = &'static str;
type Names = Vec<Option<Cow<'static, str>>>;
type Static = Borrowed<'static>;

#[derive(Message, Serialize, Deserialize)]
struct Borrowed<'a> {
    #[tobu(1)]
    text: &'a str,
}

#[derive(Message, Serialize, Deserialize)]
struct Hidden {
    #[tobu(1)]
    forever: Forever,
    #[tobu(2)]
    names: Names,
    #[tobu(3)]
    inner: Option<Static>,
    #[tobu(4)]
    map: HashMap<i32, Forever>,
}

#[derive(Oneof, Serialize, Deserialize)]
enum Kind {
    #[tobu(1)]
    Forever(Forever),
}

// What is written is seen.
#[derive(Message, Serialize, Deserialize)]
struct Seen {
    #[tobu(1)]
    text: &'static str,
}

fn main() {
    let input = String::from("\n\u{1}a");
    let _: Seen = tobu::from_slice(input.as_bytes()).unwrap();
}
