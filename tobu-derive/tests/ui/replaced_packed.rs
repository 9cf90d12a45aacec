//! Structs that another macro replaced after the derives had seen them: safe code, so that it must not compile.

use tobu::{Enumeration, Message};

// Members that are not aligned.
#[derive(Message)]
#[tobu_replace::by(#[repr(packed)] struct Packed { flag: bool, count: i64 })]
struct Packed {
    #[tobu(1)]
    flag: bool,
    #[tobu(2)]
    count: i64,
}

#[derive(Enumeration)]
#[tobu(values(ZERO = 0))]
#[tobu_replace::by(#[derive(Clone, Copy)] #[repr(packed)] struct Unaligned(i32);)]
struct Unaligned(i32);

#[derive(Message)]
struct Holds {
    #[tobu(1)]
    unaligned: Unaligned,
}

fn main() {}
