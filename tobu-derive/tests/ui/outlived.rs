//! A message that borrows does not outlive its input, by whatever verb it was filled.

use std::borrow::Cow;
use tobu::{Deserialize, Message, Serialize};

#[derive(Message, Serialize, Deserialize)]
struct Borrowed<'a> {
    #[tobu(1)]
    text: &'a str,
    #[tobu(2)]
    cow: Cow<'a, str>,
}

fn returned() -> Borrowed<'static> {
    let input = vec![10, 1, 65];
    tobu::from_slice(&input).unwrap()
}

fn refilled(message: &mut Borrowed<'static>, input: &[u8]) {
    tobu::from_slice_in_place(message, input).unwrap();
}

fn merged<'a>(message: &mut Borrowed<'a>, input: &[u8]) {
    tobu::merge(message, input).unwrap();
}

fn parsed() -> Borrowed<'static> {
    let input = String::from("{}");
    tobu::json::from_str(&input).unwrap()
}

fn merged_text<'a>(message: &mut Borrowed<'a>, input: &str) {
    tobu::text::merge(message, input).unwrap();
}

fn shared<'a>(input: bytes::Bytes) -> Borrowed<'a> {
    tobu::from_bytes(&input).unwrap()
}

fn read<'a>(input: &[u8]) -> Borrowed<'a> {
    tobu::from_reader(input).unwrap()
}

fn absorbed<'a>(message: tobu::DynamicMessage) -> Borrowed<'a> {
    message.absorb().unwrap()
}

fn main() {}
