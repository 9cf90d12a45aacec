//! The part of a file that programs embed.

use super::FileDescriptor;
use super::names::json_name;
use crate::error::Result;
use crate::wire::{Reader, Tag, WireType, Writer};

/// Messages are nested to no greater depth in a file that can be linked; and options may hold groups inside groups.
const MAX_NESTING: u32 = 100;

/// What a part of a file is.
#[derive(Clone, Copy)]
enum Part {
    File,
    Message,
    Field,
}

impl FileDescriptor {
    /// The serialized `google.protobuf.FileDescriptorProto` without what a program has no use for: comments with their
    /// positions, and the JSON names that fields have anyway.
    ///
    /// ```
    /// let mut pool = tobu::Pool::new();
    /// // message M { int32 a_b = 1 [json_name = "aB"]; }
    /// let file = pool.add_file(b"\x0a\x01f\x22\x12\x0a\x01M\x12\x0d\x0a\x03a_b\x18\x01\x28\x05\x52\x02aB")?;
    /// assert_eq!(file.embedded(), b"\x0a\x01f\x22\x0e\x0a\x01M\x12\x09\x0a\x03a_b\x18\x01\x28\x05");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn embedded(&self) -> Vec<u8> {
        embedded(self.encoded()).unwrap_or_else(|_| self.encoded().to_vec())
    }
}

/// True for two serialized files with the same schema: they may differ in comments, and in JSON names that fields have
/// anyway.
pub(super) fn is_same_schema(a: &[u8], b: &[u8]) -> bool {
    a == b || matches!((embedded(a), embedded(b)), (Ok(a), Ok(b)) if a == b)
}

/// # Errors
/// The bytes are malformed.
fn embedded(encoded: &[u8]) -> Result<Vec<u8>> {
    let mut out = Writer::new();
    copy(Part::File, encoded, MAX_NESTING, &mut out)?;
    out.finish()
}

fn copy(part: Part, encoded: &[u8], depth: u32, out: &mut Writer) -> Result<()> {
    let mut reader = Reader::new(encoded);
    let usual = match part {
        Part::Field => json_name(name(reader)?),
        Part::File | Part::Message => String::new(),
    };
    while !reader.is_empty() {
        let start = reader.position();
        let tag = reader.tag()?;
        let inner = match (part, tag.number()) {
            _ if tag.wire_type() != WireType::Len => None,
            (Part::File, 9) => {
                reader.len_prefixed()?;
                continue;
            }
            (Part::Field, 10) if { reader }.len_prefixed()? == usual.as_bytes() => {
                reader.len_prefixed()?;
                continue;
            }
            (Part::File, 4) | (Part::Message, 3) => Some(Part::Message),
            (Part::File, 7) | (Part::Message, 2 | 6) => Some(Part::Field),
            _ => None,
        };
        match inner {
            Some(inner) if depth > 0 => {
                out.tag(tag);
                let open = out.open_len();
                copy(inner, reader.len_prefixed()?, depth - 1, out)?;
                out.close(open);
            }
            _ => {
                reader.skip(tag, MAX_NESTING)?;
                out.raw(&encoded[start..reader.position()]);
            }
        }
    }
    Ok(())
}

/// The name in a serialized `google.protobuf.FieldDescriptorProto`.
fn name(mut reader: Reader<'_>) -> Result<&str> {
    let mut name = "";
    while !reader.is_empty() {
        let tag = reader.tag()?;
        match tag == Tag::new(1, WireType::Len) {
            true => name = reader.string()?,
            false => reader.skip(tag, MAX_NESTING)?,
        }
    }
    Ok(name)
}
