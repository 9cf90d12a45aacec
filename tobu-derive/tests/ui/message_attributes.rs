use tobu::{Deserialize, Enumeration, Message, Oneof, Serialize};

#[derive(Message, Serialize, Deserialize)]
#[tobu(pakage = "a")]
struct UnknownAttribute {}

#[derive(Message)]
#[tobu(values(A = 0), enumeration, 7)]
struct OfAnEnumeration {}

#[derive(Message)]
#[tobu(package = "a", package = "b")]
struct Twice {}

#[derive(Message)]
#[tobu(package = 5, name)]
struct NoString {}

#[derive(Message)]
#[tobu(package = "a..b", name = "A B")]
struct NoIdentifiers {}

#[derive(Message)]
#[tobu(message = "a.B")]
struct NoDescriptor {}

#[derive(Message)]
#[tobu(descriptor = SOMETHING, package = "a", name = "B")]
struct BoundAndDeclared {}

#[derive(Message)]
#[tobu("a.B")]
struct NoKey {}

fn main() {}

#[derive(Message)]
#[repr(C, packed)]
struct Packed {
    #[tobu(skip)]
    pad: u8,
    #[tobu(oneof)]
    pick: Option<Pick>,
}

#[derive(Message)]
#[repr(packed(2))]
struct PackedTo {
    #[tobu(1)]
    a: u32,
}

#[derive(Clone, Copy, Enumeration)]
#[repr(C, packed)]
#[tobu(values(ZERO = 0))]
struct PackedEnum(i32);

#[derive(Oneof)]
enum Pick {
    #[tobu(2)]
    A(u64),
}
