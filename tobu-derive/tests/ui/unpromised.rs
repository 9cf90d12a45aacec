//! Merging takes tobu's own `Deserialize`: it says how long the input must live.

use tobu::Message;

#[derive(Clone, Message)]
struct Unfilled<'a> {
    #[tobu(1)]
    text: &'a str,
}

// Nor can one be merged into from an input that lives less long than what it borrows.
#[derive(Clone, Message)]
struct Promised {
    #[tobu(1)]
    text: &'static str,
    #[tobu(2)]
    count: u32,
}

unsafe impl<'de> tobu::Merge<'de> for Promised {}

fn main() {
    let mut message = Unfilled { text: "" };
    tobu::merge(&mut message, b"").unwrap();
    tobu::from_slice_in_place(&mut message, b"").unwrap();
    tobu::json::merge(&mut message, "").unwrap();
}
