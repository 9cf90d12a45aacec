use tobu::{Message, Oneof, UnknownFields};

#[derive(Oneof)]
enum Kind {
    #[tobu(1)]
    A(i32),
}

#[derive(Message)]
struct Roles {
    #[tobu(unknown)]
    unknown: UnknownFields,
    #[tobu(unknown)]
    unknown_too: UnknownFields,
    #[tobu(unknown, 3)]
    unknown_number: UnknownFields,
    #[tobu(oneof)]
    plain: Kind,
    #[tobu(oneof, 5, sint32)]
    numbered: Option<Kind>,
    #[tobu(oneof, unknown)]
    both: Option<Kind>,
    #[tobu(skip, name = "x")]
    skipped: i32,
    #[tobu(oneof, name = "a-b")]
    named: Option<Kind>,
}

fn main() {}
