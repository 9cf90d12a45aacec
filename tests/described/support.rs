//! Streams and their results.

use std::sync::LazyLock;
use tobu::stream::described::{Options, Reader, Writer};
use tobu::types::StringValue;
use tobu::{Deserialize, Message, MessageDescriptor, Pool, Serialize};
use tobu_schemas::corpus::corpus::{v2, v3};
use tobu_schemas::{known, library};

#[derive(Clone, Debug, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "d")]
pub(crate) struct A {
    #[tobu(1)]
    pub(crate) n: u32,
}

#[derive(Clone, Debug, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "d")]
pub(crate) struct B<'a> {
    #[tobu(1)]
    pub(crate) text: &'a str,
}

pub(crate) const MARKER: [u8; 16] = *b"0123456789abcdef";

/// Options whose streams are always the same.
pub(crate) fn fixed() -> Options {
    Options::new().sync_marker(MARKER)
}

/// A stream of strings.
pub(crate) fn stream(options: Options, texts: &[&str]) -> Vec<u8> {
    let mut writer = Writer::with_options(Vec::new(), options);
    for text in texts {
        writer.write(&StringValue::from(*text)).unwrap();
    }
    writer.finish().unwrap();
    writer.into_inner()
}

/// The strings of a stream up to its end or the first error, and that.
pub(crate) fn read(options: Options, stream: &[u8]) -> (Vec<String>, Result<(), String>) {
    let mut reader = Reader::with_options(stream, options);
    let mut texts = Vec::new();
    loop {
        match reader.next() {
            Ok(Some(entry)) => texts.push(entry.read::<StringValue>().unwrap().value),
            Ok(None) => return (texts, Ok(())),
            Err(error) => return (texts, Err(error.to_string())),
        }
    }
}

/// All files of the test schemas, as a descriptor set.
pub(crate) fn all_files() -> Vec<u8> {
    v2::Groups::descriptor();
    v3::Maps::descriptor();
    known::json::v1::Known::descriptor();
    known::json::v2::Scope::descriptor();
    library::v1::Shelf::descriptor();
    Pool::global().to_descriptor_set()
}

/// CRC-32C, as the page of the format describes it.
pub(crate) fn crc(bytes: &[u8]) -> [u8; 4] {
    static TABLE: LazyLock<[u32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|byte| {
            (0..8).fold(byte as u32, |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0x82f6_3b78 } else { sum >> 1 })
        })
    });
    let step = |sum: u32, byte: &u8| sum >> 8 ^ TABLE[usize::from(sum as u8 ^ byte)];
    (!bytes.iter().fold(!0, step)).to_le_bytes()
}

/// The prefix of a stream.
pub(crate) fn prefix() -> Vec<u8> {
    let mut prefix = b"\x89TOBU\r\n\x1a\x01\0\0\0".to_vec();
    prefix.extend(MARKER);
    prefix.extend(crc(&prefix));
    prefix
}

/// A block with any header, valid or not.
#[derive(Clone, Default)]
pub(crate) struct Block {
    pub(crate) kind: u8,
    pub(crate) compression: u8,
    pub(crate) flags: u16,
    pub(crate) stored: Option<u32>,
    pub(crate) length: Option<u32>,
    pub(crate) first: u64,
    pub(crate) count: u32,
    pub(crate) content: Vec<u8>,
}

impl Block {
    /// The bytes of the block, with checksums that are right.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let size = self.content.len() as u32;
        let mut block = MARKER.to_vec();
        block.extend([self.kind, self.compression]);
        block.extend(self.flags.to_le_bytes());
        block.extend(self.stored.unwrap_or(size).to_le_bytes());
        block.extend(self.length.unwrap_or(size).to_le_bytes());
        block.extend(self.first.to_le_bytes());
        block.extend(self.count.to_le_bytes());
        block.extend(crc(&self.content));
        block.extend(crc(&block));
        block.extend(&self.content);
        block
    }
}

/// A message of a source.
pub(crate) fn message(source: &str, name: &str) -> MessageDescriptor {
    struct One(String);
    impl protox::file::FileResolver for One {
        fn open_file(&self, name: &str) -> Result<protox::file::File, protox::Error> {
            protox::file::File::from_source(name, &self.0)
        }
    }
    let mut compiler = protox::Compiler::with_file_resolver(One(source.to_owned()));
    compiler.open_file("one.proto").unwrap();
    let pool = Pool::from_descriptor_set(&compiler.encode_file_descriptor_set()).unwrap();
    pool.message(name).unwrap()
}
