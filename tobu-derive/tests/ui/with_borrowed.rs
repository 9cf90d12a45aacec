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

fn main() {}
