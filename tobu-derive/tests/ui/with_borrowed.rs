use std::collections::HashMap;
use tobu::Message;
use tobu::member::Convert;

#[derive(Default)]
struct Name<'a>(&'a str);

struct AsName;

impl Convert<Name<'static>> for AsName {
    type Proto = str;
    const EXPECTED: &'static str = "a name";

    fn as_proto<'n>(name: &'n Name<'static>) -> &'n str {
        name.0
    }

    fn from_proto(_: &str) -> Option<Name<'static>> {
        None
    }
}

#[derive(Message)]
struct Borrows<'a> {
    #[tobu(1, with = AsName)]
    name: Name<'a>,
}

// A key that borrows for `'static`, which nobody sees here.
type Key = &'static str;

#[derive(Default)]
struct Id(String);

struct AsId;

impl Convert<Id> for AsId {
    type Proto = str;
    const EXPECTED: &'static str = "an id";

    fn as_proto(id: &Id) -> &str {
        &id.0
    }

    fn from_proto(text: &str) -> Option<Id> {
        Some(Id(text.to_owned()))
    }
}

#[derive(Message)]
struct Keys {
    #[tobu(1, with = AsId)]
    ids: HashMap<Key, Id>,
}

fn main() {}
