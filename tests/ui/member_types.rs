use tobu::{Deserialize, Message, Serialize};

struct Plain;

#[derive(Message)]
struct NoMember {
    #[tobu(1)]
    small: u8,
    #[tobu(2)]
    plain: Option<Plain>,
    #[tobu(oneof)]
    oneof: Option<Plain>,
}

#[derive(Serialize)]
struct NotEmitted {
    #[tobu(1)]
    plain: Plain,
}

#[derive(Deserialize)]
struct NotMerged {
    #[tobu(1)]
    plain: Plain,
}

fn main() {}
