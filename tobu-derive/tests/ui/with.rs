use tobu::member::Convert;
use tobu::{Message, Oneof};

#[derive(Default)]
struct Id;

impl Convert<Id> for Id {
    type Proto = str;
    const EXPECTED: &'static str = "an id";

    fn as_proto(_: &Id) -> &str {
        ""
    }

    fn from_proto(_: &str) -> Option<Id> {
        None
    }
}

#[derive(Message)]
struct Attributes {
    #[tobu(1, with)]
    nothing: Id,
    #[tobu(2, with = 7)]
    number: Id,
    #[tobu(3, with = Id, with = Id)]
    twice: Id,
    #[tobu(6, with = Id, required)]
    required: Vec<Id>,
    #[tobu(oneof, with = Id)]
    oneof: Option<Choice>,
    #[tobu(skip, with = Id)]
    skipped: Id,
}

#[derive(Oneof)]
enum Choice {
    #[tobu(7, with = Id)]
    Several(Vec<Id>),
}

fn main() {}
