//! Keeps options as serialized bytes. Known options are read from these bytes, and custom and unknown options stay
//! unchanged.

use crate::error::Result;
use crate::wire::{Reader, Tag, WireType, put_varint};

/// The maximum depth of nested messages. Deeper nesting is an error. Compilers allow 32.
pub const MAX_NESTING: u32 = 100;

/// A serialized options message of any kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(Vec<u8>);

impl Options {
    pub fn encoded(&self) -> &[u8] {
        &self.0
    }

    pub fn into_encoded(self) -> Vec<u8> {
        self.0
    }

    /// Appends well-formed fields of the same options message. Like on the wire, they are merged with the existing
    /// fields.
    pub fn extend(&mut self, encoded: &[u8]) {
        self.0.extend_from_slice(encoded);
    }

    /// Appends a field with the wire type varint: a bool, an integer or an enum value.
    pub fn push_varint(&mut self, number: u32, value: u64) {
        self.varint(u64::from(Tag::new(number, WireType::Varint).value()));
        self.varint(value);
    }

    /// Appends a field with a length prefix: a string, bytes or a message.
    pub fn push_bytes(&mut self, number: u32, value: &[u8]) {
        self.varint(u64::from(Tag::new(number, WireType::Len).value()));
        self.varint(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    fn varint(&mut self, value: u64) {
        let mut bytes = [0; 10];
        let n = put_varint(&mut bytes, value);
        self.0.extend_from_slice(&bytes[..n]);
    }
}

/// A field in a serialized message.
#[derive(Clone, Copy)]
pub struct RawField<'a> {
    pub tag: Tag,
    /// The tag and the value.
    pub bytes: &'a [u8],
    value: Reader<'a>,
}

impl<'a> RawField<'a> {
    /// Returns a reader at the start of the value.
    pub fn value(self) -> Reader<'a> {
        self.value
    }

    /// Returns the value if it is a varint.
    pub fn varint(mut self) -> Option<u64> {
        if self.tag.wire_type() == WireType::Varint { self.value.varint().ok() } else { None }
    }

    /// Returns the payload if the value has a length prefix.
    pub fn len_prefixed(mut self) -> Option<&'a [u8]> {
        if self.tag.wire_type() == WireType::Len { self.value.len_prefixed().ok() } else { None }
    }
}

/// Iterates over the fields of a serialized message, in the order of the bytes. The iteration ends if the bytes are
/// malformed.
#[derive(Clone)]
pub struct Fields<'a>(Reader<'a>);

pub fn fields(encoded: &[u8]) -> Fields<'_> {
    Fields(Reader::new(encoded))
}

impl<'a> Iterator for Fields<'a> {
    type Item = RawField<'a>;

    fn next(&mut self) -> Option<RawField<'a>> {
        next(&mut self.0).ok().flatten()
    }
}

/// Iterates over the payloads of the fields with one number whose values have a length prefix.
#[derive(Clone)]
pub struct Messages<'a> {
    fields: Fields<'a>,
    number: u32,
}

pub fn messages(encoded: &[u8], number: u32) -> Messages<'_> {
    Messages { fields: fields(encoded), number }
}

impl<'a> Iterator for Messages<'a> {
    type Item = &'a [u8];

    #[inline(never)]
    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            let field = self.fields.next()?;
            if field.tag.number() == self.number
                && let Some(value) = field.len_prefixed()
            {
                return Some(value);
            }
        }
    }
}

/// Returns the last payload of the fields with this number whose values have a length prefix.
pub fn last_message(encoded: &[u8], number: u32) -> Option<&[u8]> {
    let mut last = None;
    for message in messages(encoded, number) {
        last = Some(message);
    }
    last
}

/// Checks that the rest of the input is a well-formed message.
pub fn check(mut reader: Reader<'_>) -> Result<()> {
    while next(&mut reader)?.is_some() {}
    Ok(())
}

/// Returns the last varint of the fields with this number.
#[inline]
pub fn varint(encoded: &[u8], number: u32) -> Option<u64> {
    // Most elements have no options, so this check saves time.
    if encoded.is_empty() { None } else { last_varint(encoded, number) }
}

#[inline(never)]
fn last_varint(encoded: &[u8], number: u32) -> Option<u64> {
    let mut last = None;
    for field in fields(encoded) {
        if field.tag.number() == number {
            last = field.varint().or(last);
        }
    }
    last
}

/// Returns the last bool of the fields with this number; false if there is none.
#[inline]
pub fn is_set(encoded: &[u8], number: u32) -> bool {
    varint(encoded, number).is_some_and(|value| value != 0)
}

/// Returns all varints of the fields with this number, packed or unpacked.
pub fn numbers(encoded: &[u8], number: u32) -> Vec<u64> {
    let mut numbers = Vec::new();
    for field in fields(encoded) {
        if field.tag.number() != number {
            continue;
        }
        numbers.extend(field.varint());
        if let Some(packed) = field.len_prefixed() {
            let mut packed = Reader::new(packed);
            while let Ok(value) = packed.varint() {
                numbers.push(value);
            }
        }
    }
    numbers
}

#[inline(never)]
fn next<'a>(reader: &mut Reader<'a>) -> Result<Option<RawField<'a>>> {
    if reader.is_empty() {
        return Ok(None);
    }
    let whole = reader.rest();
    let tag = reader.tag()?;
    let value = *reader;
    reader.skip(tag, MAX_NESTING)?;
    let bytes = &whole[..whole.len() - reader.rest().len()];
    Ok(Some(RawField { tag, bytes, value }))
}
