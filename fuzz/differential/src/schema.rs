//! Random schemas: any number of them at run time, and those whose types are compiled.

use crate::entropy::Entropy;
use crate::random::{self, Style, Syntax};
use crate::rng::Rng;
use std::collections::HashMap;
use tobu::wire::{Reader, Tag, WireType, Writer};
use tobu::{Message, MessageDescriptor, Pool, types};

/// How many schemas have compiled types.
pub const COMPILED: u64 = 12;

/// A schema and the messages that are tried.
pub struct Schema {
    /// What it is made of: the same number gives the same schema.
    pub number: u64,
    pub pool: Pool,
    pub messages: Vec<MessageDescriptor>,
    /// The same messages with extensions as fields of their own: what comes of one is compared, and not how it lies among
    /// unknown fields.
    pub flat: Vec<MessageDescriptor>,
}

impl Schema {
    /// A schema of package `random`.
    pub fn random(number: u64) -> Self {
        Self::new("random", number, 400)
    }

    /// One of the schemas whose types are compiled, of package `c0` and so on.
    pub fn compiled(number: u64) -> Self {
        Self::new(&format!("c{number}"), number, 200)
    }

    /// A schema of a package; the more bytes decide, the larger it is.
    fn new(package: &str, number: u64, most: usize) -> Self {
        let mut rng = Rng::new(number);
        let entropy: Vec<u8> = (0..most).map(|_| rng.next() as u8).collect();
        let style = Style { package, syntax: syntax(number), rich: true };
        let file = random::file(style, &mut Entropy::new(&entropy));
        let (pool, messages) = linked(&file);
        let (_, flat) = linked(&flattened(&file));
        Schema { number, pool, messages, flat }
    }

    /// The syntax that it is written in.
    pub fn syntax(&self) -> Syntax {
        syntax(self.number)
    }

    /// The schema in the language of `.proto` files.
    pub fn text(&self) -> String {
        let file = self.messages[0].file();
        file.to_proto_text().unwrap_or_else(|error| error.to_string())
    }
}

fn syntax(number: u64) -> Syntax {
    [Syntax::Proto2, Syntax::Proto3, Syntax::Edition2023][(number % 3) as usize]
}

/// A file in a pool, and its messages.
fn linked(file: &[u8]) -> (Pool, Vec<MessageDescriptor>) {
    let mut pool = well_known();
    let file = pool.add_file(file).expect("a random schema is valid");
    (pool, file.all_messages().filter(|message| !message.is_map_entry()).collect())
}

/// The file with extensions as fields of the messages that they extend.
fn flattened(file: &[u8]) -> Vec<u8> {
    let extensions = parts(file).into_iter().filter(|(number, _)| *number == 7);
    let mut fields: HashMap<Vec<u8>, Vec<Vec<u8>>> = HashMap::new();
    for (_, extension) in extensions {
        let (extendee, rest) =
            parts(&extension).into_iter().partition::<Vec<_>, _>(|(number, _)| *number == 2);
        let name = extendee[0].1.rsplit(|byte| *byte == b'.').next().unwrap_or_default().to_vec();
        fields.entry(name).or_default().push(joined(rest));
    }
    let rest = parts(file).into_iter().filter(|(number, _)| *number != 7);
    let rest = rest.map(|(number, bytes)| {
        if number != 4 {
            return (number, bytes);
        }
        // Without the ranges for extensions, which the fields lie in.
        let mut message: Vec<_> = parts(&bytes).into_iter().filter(|(number, _)| *number != 5).collect();
        let name = message[0].1.clone();
        message.extend(fields.remove(&name).unwrap_or_default().into_iter().map(|field| (2, field)));
        (number, joined(message))
    });
    joined(rest.collect())
}

/// The fields of a message: what is in those with a length, and the whole of others, with 0 for their number.
fn parts(bytes: &[u8]) -> Vec<(u32, Vec<u8>)> {
    let mut reader = Reader::new(bytes);
    let mut parts = Vec::new();
    while !reader.is_empty() {
        let start = reader.position();
        let tag = reader.tag().expect("a descriptor");
        if tag.wire_type() == WireType::Len {
            parts.push((tag.number(), reader.len_prefixed().expect("a descriptor").to_vec()));
        } else {
            reader.skip(tag, 1).expect("a descriptor");
            parts.push((0, bytes[start..reader.position()].to_vec()));
        }
    }
    parts
}

fn joined(parts: Vec<(u32, Vec<u8>)>) -> Vec<u8> {
    let mut writer = Writer::new();
    for (number, bytes) in parts {
        if number == 0 {
            writer.raw(&bytes);
        } else {
            writer.tag(Tag::new(number, WireType::Len));
            writer.len_prefixed(&bytes);
        }
    }
    writer.finish().expect("a descriptor")
}

/// A pool with what random schemas import.
fn well_known() -> Pool {
    let mut pool = Pool::new();
    let files = [
        types::Any::descriptor(),
        types::Duration::descriptor(),
        types::Empty::descriptor(),
        types::FieldMask::descriptor(),
        types::Struct::descriptor(),
        types::Timestamp::descriptor(),
        types::BoolValue::descriptor(),
    ];
    for message in files {
        pool.add_file(message.file().encoded()).expect("a file of the library");
    }
    pool
}
