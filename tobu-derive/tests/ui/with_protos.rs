use tobu::Message;
use tobu::member::{Convert, Protos};

struct Number(i64);

enum AsText {}

impl Convert<Number> for AsText {
    type Proto = String;
    const EXPECTED: &'static str = "a number";

    fn as_proto(number: &Number) -> String {
        number.0.to_string()
    }

    fn from_proto(text: String) -> Option<Number> {
        text.parse().ok().map(Number)
    }
}

#[derive(Message)]
struct Kept {
    #[tobu(1, with = AsText)]
    number: Option<Number>,
    #[tobu(protos)]
    protos: Protos,
}

#[derive(Message)]
struct NotKept {
    #[tobu(1, with = AsText)]
    number: Option<Number>,
}

#[derive(Message)]
struct Twice {
    #[tobu(protos)]
    one: Protos,
    #[tobu(protos)]
    two: Protos,
}

#[derive(Message)]
struct Other {
    #[tobu(protos, name = "kept")]
    protos: Vec<Protos>,
}

fn main() {
    // The check is made where the shape is.
    <NotKept as Message>::descriptor();
}
