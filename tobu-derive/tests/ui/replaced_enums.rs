//! Structs that another macro replaced after the derives had seen them: safe code, so that it must not compile.

use tobu::{Enumeration, Oneof};

#[derive(Enumeration)]
#[tobu_replace::by(#[derive(Clone, Copy)] union Level { number: i32, flag: bool })]
enum Level {
    Low = 0,
}

#[derive(Enumeration)]
#[tobu(values(ZERO = 0))]
#[tobu_replace::by(#[derive(Clone, Copy)] struct Newtype(bool);)]
struct Newtype(i32);

#[derive(Enumeration)]
#[tobu_replace::by(#[derive(Clone, Copy)] enum Fewer { A = 0 })]
enum Fewer {
    A = 0,
    B = 1,
}

#[derive(Oneof)]
#[tobu_replace::by(union Choice { a: bool, b: u8 })]
enum Choice {
    #[tobu(1)]
    A(bool),
}

#[derive(Oneof)]
#[tobu_replace::by(enum Typed { A(u128) })]
enum Typed {
    #[tobu(1)]
    A(bool),
}

#[derive(Oneof)]
#[tobu_replace::by(enum Longer { A(bool), B(bool) })]
enum Longer {
    #[tobu(1)]
    A(bool),
}

fn main() {}
