//! Tags. A tag is a field number and a wire type in one varint.

use std::fmt;

/// The largest field number in a schema: 2^29 - 1.
pub const MAX_FIELD_NUMBER: u32 = (1 << 29) - 1;

/// The wire type: the layout of the bytes after a tag.
///
/// Specification: <https://protobuf.dev/programming-guides/encoding/#structure>.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum WireType {
    /// A varint of up to ten bytes.
    Varint = 0,
    /// Eight bytes, little-endian.
    Fixed64 = 1,
    /// A length prefix (a varint) and the bytes that it counts.
    Len = 2,
    /// The start of a group: fields up to the matching end.
    StartGroup = 3,
    /// The end of a group.
    EndGroup = 4,
    /// Four bytes, little-endian.
    Fixed32 = 5,
}

impl WireType {
    /// Returns the wire type in the low three bits of a tag, or `None` for 6 and 7, which are not wire types.
    #[inline]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        match bits & 7 {
            0 => Some(WireType::Varint),
            1 => Some(WireType::Fixed64),
            2 => Some(WireType::Len),
            3 => Some(WireType::StartGroup),
            4 => Some(WireType::EndGroup),
            5 => Some(WireType::Fixed32),
            _ => None,
        }
    }
}

/// A field number and a wire type. A tag precedes every field on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag(u32);

impl Tag {
    /// Creates the tag of a field.
    ///
    /// # Panics
    /// If `number` is 0 or above [`MAX_FIELD_NUMBER`].
    #[inline]
    pub const fn new(number: u32, wire_type: WireType) -> Self {
        assert!(number != 0 && number <= MAX_FIELD_NUMBER);
        Tag(number << 3 | wire_type as u32)
    }

    /// Creates a tag from a varint that was read from the wire. Returns `None` if the field number or the wire type is not
    /// valid.
    #[inline]
    pub const fn from_value(value: u32) -> Option<Self> {
        if value >> 3 != 0 && WireType::from_bits(value).is_some() { Some(Tag(value)) } else { None }
    }

    /// Returns the field number, at least 1.
    #[inline]
    pub const fn number(self) -> u32 {
        self.0 >> 3
    }

    /// Returns the wire type.
    #[inline]
    pub const fn wire_type(self) -> WireType {
        match WireType::from_bits(self.0) {
            Some(wire_type) => wire_type,
            None => unreachable!(),
        }
    }

    /// Returns the value of the tag's varint.
    #[inline]
    pub const fn value(self) -> u32 {
        self.0
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tag({}, {:?})", self.number(), self.wire_type())
    }
}
