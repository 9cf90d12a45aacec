//! Safe code that would read or write memory as another type, or after it is freed.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::BuildHasher;
use tobu::descriptor::GeneratedFile;
use tobu::reflect::Extensions;
use tobu::{Deserialize, Extension, Message, Oneof, Serialize};

// The member of unknown fields is of another type, and `Default` makes the empty value.
#[derive(Default, Message, Serialize, Deserialize)]
#[tobu(direct)]
struct Unknown {
    #[tobu(1)]
    a: u32,
    #[tobu(unknown)]
    unknown: u64,
}

// A hasher that is one for `'static` only.
struct Hasher<'a>(&'a str);

impl BuildHasher for Hasher<'static> {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        DefaultHasher::new()
    }
}

impl Default for Hasher<'static> {
    fn default() -> Self {
        Hasher("")
    }
}

#[derive(Message, Serialize, Deserialize)]
#[tobu(direct)]
struct Hashed<'a> {
    #[tobu(1)]
    map: HashMap<i32, i32, Hasher<'a>>,
}

impl Default for Hashed<'_> {
    fn default() -> Self {
        Hashed { map: HashMap::with_hasher(Hasher("")) }
    }
}

// The value of an extension would refer to the message, or to less.
static FILE: GeneratedFile = GeneratedFile::new(b"", &[]);
static NOTE: Extension<&'static str> = Extension::new(&FILE, "note");

// The shape of another oneof.
#[derive(Oneof)]
enum Other {
    #[tobu(2)]
    A(u64),
}

#[derive(Default, Message)]
struct Small {
    #[tobu(1)]
    a: u32,
}

impl Oneof for Small {
    fn shape() -> &'static tobu::__private::OneofShape {
        <Other as Oneof>::shape()
    }
}

#[derive(Message)]
struct Host {
    #[tobu(oneof)]
    small: Option<Small>,
}

fn note(message: &Host) -> Option<&'static str> {
    message.extension(&NOTE).unwrap()
}

fn main() {}
