use std::collections::HashMap;
use tobu::Row;
use tobu::sink::rows;

#[derive(Row)]
struct Small {
    #[tobu(path = "pages")]
    pages: u16,
}

#[derive(Row)]
struct Map {
    #[tobu(path = "copies[]")]
    copies: HashMap<String, u32>,
}

struct Plain;

#[derive(Row)]
struct NoMessage {
    #[tobu(path = "name")]
    name: String,
}

#[derive(Row)]
#[tobu(message = Plain)]
struct NotAMessage {
    #[tobu(path = "name")]
    name: String,
}

fn main() {
    for _ in rows::<NoMessage>(b"") {}
}
