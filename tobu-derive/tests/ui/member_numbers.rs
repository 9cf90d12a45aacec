use std::collections::HashMap;
use tobu::{Message, Oneof};

#[derive(Message)]
struct Numbers {
    #[tobu(1)]
    small: u8,
    #[tobu(2)]
    port: Option<u16>,
    #[tobu(3)]
    sizes: Vec<usize>,
    #[tobu(4)]
    letters: HashMap<String, char>,
    #[tobu(5)]
    bytes: Vec<u8>,
    #[tobu(oneof)]
    choice: Option<Choice>,
}

#[derive(Oneof)]
enum Choice {
    #[tobu(6)]
    Wide(i128),
}

fn main() {}
