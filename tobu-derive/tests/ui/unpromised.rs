//! Merging takes tobu's own `Deserialize`: it says how long the input must live.

use tobu::Message;

#[derive(Clone, Message)]
struct Unfilled<'a> {
    #[tobu(1)]
    text: &'a str,
}

fn main() {
    let mut message = Unfilled { text: "" };
    tobu::merge(&mut message, b"").unwrap();
    tobu::from_slice_in_place(&mut message, b"").unwrap();
    tobu::json::merge(&mut message, "").unwrap();
}
