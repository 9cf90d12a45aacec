use std::collections::{BTreeMap, HashMap};
use tobu::descriptor::{FileSlot, GeneratedFile};
use tobu::{Deserialize, Message, Oneof, Serialize};

/// A type of the program that tobu does not know.
struct Odd;

/// An enum without `derive(Enumeration)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Level {
    #[default]
    Low = 0,
}

#[derive(Message, Serialize, Deserialize)]
struct Single {
    #[tobu(1)]
    member: Odd,
}

#[derive(Message)]
struct Containers {
    #[tobu(1)]
    list: Vec<Odd>,
    #[tobu(2)]
    option: Option<Odd>,
    #[tobu(3)]
    boxed: Box<Odd>,
    #[tobu(4)]
    boxed_option: Option<Box<Odd>>,
    #[tobu(5)]
    values: HashMap<String, Odd>,
    #[tobu(6)]
    keys: BTreeMap<Odd, String>,
    #[tobu(7)]
    floats: HashMap<f32, String>,
}

#[derive(Message)]
struct OfOtherCrates {
    #[tobu(1)]
    time: std::time::SystemTime,
    #[tobu(2)]
    waits: Vec<std::time::Duration>,
    #[tobu(3)]
    path: Option<std::path::PathBuf>,
}

#[derive(Message)]
struct BuiltIn<'a> {
    #[tobu(1)]
    array: [u8; 16],
    #[tobu(2)]
    pair: Option<(i32, i32)>,
    #[tobu(3)]
    slice: Vec<&'a [i32]>,
    #[tobu(4)]
    boxed: Box<[i32]>,
    #[tobu(5)]
    function: fn() -> i32,
}

#[derive(Message)]
struct Kinds {
    #[tobu(1, delimited)]
    message: Option<Odd>,
    #[tobu(2)]
    enumeration: Level,
    #[tobu(3, packed)]
    enumerations: Vec<Level>,
    #[tobu(4, fixed32)]
    number: Odd,
    #[tobu(5, default = "a")]
    text: Option<Odd>,
    #[tobu(6, required)]
    required: Odd,
}

#[derive(Message)]
struct Bits {
    #[tobu(presence)]
    presence: tobu::Presence<1>,
    #[tobu(1, bit = 0)]
    number: Odd,
}

#[derive(Message)]
struct Borrowed<'a> {
    #[tobu(1)]
    text: &'a str,
    #[tobu(2)]
    other: &'a Odd,
    #[tobu(3)]
    list: Vec<&'a Odd>,
}

struct Lent<'a>(&'a str);

#[derive(Message)]
struct Lends<'a> {
    #[tobu(1)]
    lent: Option<Lent<'a>>,
}

#[derive(Oneof, Serialize, Deserialize)]
enum Choice {
    #[tobu(1)]
    Word(String),
    #[tobu(2)]
    Other(Odd),
    #[tobu(3)]
    Boxed(Box<Level>),
}

#[derive(Message)]
struct Chooses {
    #[tobu(oneof)]
    choice: Option<Odd>,
}

static FILE: GeneratedFile = GeneratedFile::new(b"", &[]).slot(&SLOT);
static SLOT: FileSlot = FileSlot::new();

/// As the generator writes it, for a setting that names a type of the program.
#[derive(Message, Serialize, Deserialize)]
#[tobu(descriptor = FILE, message = "p.Generated", stated = SLOT)]
struct Generated {
    #[tobu(1)]
    message: Option<Odd>,
    #[tobu(2)]
    messages: Vec<Odd>,
    #[tobu(3)]
    enumeration: Level,
    #[tobu(4)]
    values: HashMap<String, Level>,
    #[tobu(oneof)]
    choice: Option<Level>,
}

fn main() {}
