//! The operations of the sealed traits for field types.

#![allow(private_interfaces, reason = "nobody but the encoder names them")]

use crate::table::{Kind, Row};
use crate::wire::CursorMut;

/// How a single value is written: its tag, the length of the tag, and the kind that decides the form of the value.
#[derive(Clone, Copy)]
pub struct Head {
    pub(super) tag: [u8; 8],
    pub(super) len: u8,
    pub(super) kind: Kind,
}

impl Head {
    pub(super) fn of(row: &Row) -> Self {
        Head { tag: row.tag_bytes, len: row.tag_len, kind: row.kind }
    }

    /// Creates the head of an element of a packed list, which has no tag.
    pub(super) fn untagged(kind: Kind) -> Self {
        Head { tag: [0; 8], len: 0, kind }
    }
}

pub trait FieldType {
    /// True if the field has this Rust type.
    fn fits(row: &Row) -> bool;
    fn name() -> String;
}

/// The types of single values: of singular fields, list elements, map keys and map values.
pub trait Element {
    const NAME: &'static str;
    /// True if single values of the field have this type.
    fn fits_single(row: &Row) -> bool;
}

pub trait ValueType: Element {
    type Value<'v>: Copy;

    fn is_default(value: &Self::Value<'_>) -> bool;

    /// Returns the number, if it may be the number of an enum value.
    #[inline]
    fn enum_number(_: &Self::Value<'_>) -> Option<i32> {
        None
    }

    fn write(cursor: &mut CursorMut<'_>, head: Head, value: Self::Value<'_>);
}

pub trait KeyType: ValueType {
    /// Returns the key in the form in which errors show it.
    fn text(key: &Self::Value<'_>) -> String;
}

pub trait MessageType {
    /// Returns the row that describes the messages; for a map, this is the row of its values.
    fn held(row: &Row) -> &Row;
}
