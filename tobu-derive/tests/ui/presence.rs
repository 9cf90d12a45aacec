//! Presence bits: what they can be of, and where they are.

#[derive(tobu::Message, Default)]
struct NoWords {
    #[tobu(1, bit = 0)]
    number: i32,
}

#[derive(tobu::Message, Default)]
struct TwoWords {
    #[tobu(presence)]
    presence: tobu::Presence<1>,
    #[tobu(presence)]
    more: tobu::Presence<1>,
}

#[derive(tobu::Message, Default)]
struct Taken {
    #[tobu(1, bit = 3)]
    number: i32,
    #[tobu(2, bit = 3)]
    other: i32,
    #[tobu(presence)]
    presence: tobu::Presence<1>,
}

#[derive(tobu::Message, Default)]
struct Several {
    #[tobu(1, bit = 0)]
    list: Vec<i32>,
    #[tobu(2, bit = 1)]
    option: Option<i32>,
    #[tobu(3, bit = "2")]
    text: String,
    #[tobu(presence, bit = 3)]
    presence: tobu::Presence<1>,
}

#[derive(tobu::Message, Default)]
struct OtherWords {
    #[tobu(1, bit = 0)]
    number: i32,
    #[tobu(presence)]
    presence: u32,
}

fn main() {}
