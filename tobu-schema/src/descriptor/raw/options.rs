//! Options as serialized bytes: known ones are read in place, custom and unknown ones are kept
//! unchanged.

use crate::error::Result;
use crate::wire::{Reader, Tag, WireType, put_varint};

/// Messages nested deeper than this are an error; compilers give up at 32.
pub const MAX_NESTING: u32 = 100;

/// A serialized options message of any kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options(Vec<u8>);

impl Options {
    #[doc(hidden)]
    pub fn encoded(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn into_encoded(self) -> Vec<u8> {
        self.0
    }

    /// Adds bytes, well-formed fields of the same message: this merges them, as on the wire.
    #[doc(hidden)]
    pub fn extend(&mut self, encoded: &[u8]) {
        self.0.extend_from_slice(encoded);
    }

    /// Adds a varint field: a bool, an integer or an enum value.
    pub(crate) fn push_varint(&mut self, number: u32, value: u64) {
        self.varint(u64::from(Tag::new(number, WireType::Varint).value()));
        self.varint(value);
    }

    /// Adds a length-delimited field: a string, bytes or a message.
    #[doc(hidden)]
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

/// One field of a serialized message.
#[derive(Clone, Copy)]
pub struct RawField<'a> {
    pub(crate) tag: Tag,
    /// Tag and value.
    pub(crate) bytes: &'a [u8],
    value: Reader<'a>,
}

impl<'a> RawField<'a> {
    /// A reader at the value.
    pub(crate) fn value(self) -> Reader<'a> {
        self.value
    }

    /// The value, if it is a varint.
    pub(crate) fn varint(mut self) -> Option<u64> {
        if self.tag.wire_type() == WireType::Varint { self.value.varint().ok() } else { None }
    }

    /// The value, if it is length-delimited.
    pub(crate) fn len_prefixed(mut self) -> Option<&'a [u8]> {
        if self.tag.wire_type() == WireType::Len { self.value.len_prefixed().ok() } else { None }
    }
}

/// The fields of a serialized message, in the order of the wire; ends where the bytes are malformed.
pub fn fields(encoded: &[u8]) -> impl Iterator<Item = RawField<'_>> + Clone {
    let mut reader = Reader::new(encoded);
    std::iter::from_fn(move || next(&mut reader).ok().flatten())
}

/// Checks that `encoded` is a well-formed message.
pub fn check(mut reader: Reader<'_>) -> Result<()> {
    while next(&mut reader)?.is_some() {}
    Ok(())
}

/// The last varint of a field number.
#[inline]
pub fn varint(encoded: &[u8], number: u32) -> Option<u64> {
    // Most elements have no options.
    if encoded.is_empty() { None } else { last_varint(encoded, number) }
}

#[inline(never)]
fn last_varint(encoded: &[u8], number: u32) -> Option<u64> {
    fields(encoded).filter(|field| field.tag.number() == number).filter_map(RawField::varint).last()
}

/// The last bool of a field number; false if there is none.
#[inline]
pub fn is_set(encoded: &[u8], number: u32) -> bool {
    varint(encoded, number).is_some_and(|value| value != 0)
}

/// Every varint of a field number, packed or not.
pub(crate) fn numbers(encoded: &[u8], number: u32) -> impl Iterator<Item = u64> {
    let of_field = fields(encoded).filter(move |field| field.tag.number() == number);
    of_field.flat_map(|field| {
        let mut rest = match field.len_prefixed() {
            Some(packed) => Reader::new(packed),
            None => field.value(),
        };
        let mut left = field.varint().is_some() || field.len_prefixed().is_some();
        std::iter::from_fn(move || {
            let next = if left && !rest.is_empty() { rest.varint().ok() } else { None };
            left = field.len_prefixed().is_some();
            next
        })
    })
}

/// Every length-delimited value of a field number.
pub fn messages(encoded: &[u8], number: u32) -> impl Iterator<Item = &[u8]> {
    fields(encoded).filter(move |field| field.tag.number() == number).filter_map(RawField::len_prefixed)
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
