//! Structs that another macro replaced after the derives had seen them: safe code, so that it must not compile.

use tobu::{Deserialize, Enumeration, Message, Serialize};

// A union reads its member as whatever the other one is.
#[derive(Message)]
#[tobu_replace::by(union Text { text: &'static str, address: usize })]
struct Text {
    #[tobu(1)]
    text: &'static str,
}

#[derive(Message)]
#[tobu_replace::by(union Bool { flag: bool })]
struct Bool {
    #[tobu(1)]
    flag: bool,
}

#[derive(Message, Serialize, Deserialize)]
#[tobu_replace::by(#[derive(Clone, Copy)] union Kinds { kind: Kind, number: u8 })]
struct Kinds {
    #[tobu(1)]
    kind: Kind,
}

#[derive(Clone, Copy, Enumeration, Serialize, Deserialize)]
#[repr(u8)]
enum Kind {
    A = 0,
    B = 1,
}

#[derive(Clone, Copy, Enumeration, Serialize, Deserialize)]
#[tobu(values(ZERO = 0))]
struct Open(i32);

#[derive(Message)]
#[tobu_replace::by(union Opens { open: Open })]
struct Opens {
    #[tobu(1)]
    open: Open,
}

// `Default` makes the empty value.
#[derive(Message, Serialize, Deserialize)]
#[tobu(direct)]
#[tobu_replace::by(
    #[derive(Clone, Copy)]
    union Direct { text: &'static str, flag: bool }
    impl Default for Direct { fn default() -> Self { Direct { flag: true } } }
)]
struct Direct {
    #[tobu(1)]
    text: &'static str,
    #[tobu(2)]
    flag: bool,
}

#[derive(Message, Serialize, Deserialize)]
#[tobu(direct)]
#[tobu_replace::by(
    union DirectOne { flag: bool }
    impl Default for DirectOne { fn default() -> Self { DirectOne { flag: true } } }
)]
struct DirectOne {
    #[tobu(1)]
    flag: bool,
}

#[derive(Message)]
#[tobu_replace::by(#[derive(Clone, Copy)] union Generic<'a> { text: &'a str, address: usize })]
struct Generic<'a> {
    #[tobu(1)]
    text: &'a str,
}

#[derive(Message)]
#[tobu_replace::by(union Skips { count: i32, other: u32 })]
struct Skips {
    #[tobu(skip)]
    count: i32,
}

fn main() {}
