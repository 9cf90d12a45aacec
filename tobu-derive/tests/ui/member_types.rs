use tobu::Message;

struct Plain;

#[derive(Message)]
struct NoMember {
    #[tobu(2)]
    plain: Option<Plain>,
    #[tobu(oneof)]
    oneof: Option<Plain>,
}

fn main() {}
