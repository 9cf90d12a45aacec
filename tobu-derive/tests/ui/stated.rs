use tobu::descriptor::{FileSlot, GeneratedFile};
use tobu::{Enumeration, Message, Oneof};

static FILE: GeneratedFile = GeneratedFile::new(b"", &[]).slot(&SLOT);
static SLOT: FileSlot = FileSlot::new();

#[derive(Message)]
#[tobu(package = "p", stated = SLOT)]
struct Declared {
    #[tobu(1)]
    a: i32,
}

#[derive(Message)]
#[tobu(descriptor = FILE, message = "p.A", stated)]
struct Slotless {
    #[tobu(1)]
    a: i32,
}

#[derive(Message)]
#[tobu(descriptor = FILE, message = "p.A", stated = SLOT)]
struct Numberless {
    a: i32,
}

#[derive(Oneof)]
#[tobu(stated = SLOT)]
enum Which {
    #[tobu(1)]
    A(i32),
}

#[derive(Message)]
#[tobu(descriptor = FILE, message = "p.A", extendable)]
struct Extended {
    #[tobu(1)]
    a: i32,
}

#[derive(Clone, Copy, Enumeration)]
#[tobu(descriptor = FILE, enumeration = "p.E", closed(0, 1))]
struct Level(i32);

#[derive(Clone, Copy, Enumeration)]
#[tobu(descriptor = FILE, enumeration = "p.E", stated = SLOT, closed("a"))]
struct Named(i32);

#[derive(Message)]
#[tobu(package = "p")]
struct Loose {
    #[tobu(1, loose)]
    a: String,
}

fn main() {}
