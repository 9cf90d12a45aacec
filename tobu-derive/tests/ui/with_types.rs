use tobu::member::{Convert, Hex};
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

struct Undefaulted;

impl Convert<Undefaulted> for Id {
    type Proto = u8;
    const EXPECTED: &'static str = "nothing";

    fn as_proto(_: &Undefaulted) -> u8 {
        0
    }

    fn from_proto(_: u8) -> Option<Undefaulted> {
        None
    }
}

#[derive(Message)]
struct OtherType {
    #[tobu(1, with = Hex)]
    text: String,
}

#[derive(Message)]
struct NoConversion {
    #[tobu(1, with = String)]
    id: Option<Id>,
}

#[derive(Message)]
struct NoCarrier {
    #[tobu(1, with = Id)]
    boxed: Box<Id>,
    #[tobu(2, with = Id)]
    twice: Option<Vec<Id>>,
}

mod shadowed {
    use super::{Id, Message};

    struct Option<T>(T);

    #[derive(Message)]
    struct Shadowed {
        #[tobu(1, with = Id)]
        id: Option<Id>,
    }
}

#[derive(Oneof)]
enum Choice {
    #[tobu(1, with = Hex)]
    Id(Id),
}

fn main() {}
