//! The value of a field, of a list element, of a map entry.

use super::Parser;
use crate::error::{Error, Result};
use crate::layout::{Storage, Text};
use crate::object::{Fill, ObjectMut};
use crate::table::{Kind, Location, Row, Shape};
use std::borrow::Cow;

impl<'i> Parser<'i> {
    /// Parses the value at the cursor into a field.
    #[inline]
    pub(super) fn field<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        match row.shape {
            Shape::Singular => self.single(message, row),
            Shape::List => self.list(message, row),
            Shape::Map => self.map(message, row),
        }
    }

    /// Parses one value into a field or into half of a map entry.
    #[inline]
    pub(super) fn single<'t, F: Fill<'t>>(&mut self, target: &mut F, row: &'t Row) -> Result<()> {
        match row.kind {
            Kind::Message | Kind::Group => self.sub_message(target, row),
            Kind::String => match self.cursor.plain_text() {
                Some(text) => target.set_str(row, text, self.settings.borrowed),
                None => self.other_text(target, row),
            },
            Kind::Bytes => {
                let bytes = self.binary(row)?;
                target.set_text(row, Text::owned(&bytes))
            }
            _ => {
                let bits = self.scalar(row)?;
                target.set_scalar(row, bits)
            }
        }
    }

    /// A string with escapes, or no string.
    #[inline(never)]
    fn other_text<'t, F: Fill<'t>>(&mut self, target: &mut F, row: &'t Row) -> Result<()> {
        let text = self.string(row)?;
        target.set_str(row, &text, self.is_borrowed(&text))
    }

    #[inline(never)]
    fn sub_message<'t, F: Fill<'t>>(&mut self, target: &mut F, row: &'t Row) -> Result<()> {
        let mut child = target.message(row)?;
        self.message(&mut child)
    }

    /// True for a string that the message may refer to.
    #[inline]
    #[expect(clippy::ptr_arg, reason = "the question is whether it is borrowed")]
    pub(super) fn is_borrowed(&self, text: &Cow<'_, str>) -> bool {
        self.settings.borrowed && matches!(text, Cow::Borrowed(_))
    }

    /// The string at the cursor; not one with escapes for a type that can only borrow.
    #[inline]
    pub(super) fn string(&mut self, row: &Row) -> Result<Cow<'i, str>> {
        let text = self.text()?;
        if let Cow::Owned(text) = &text {
            check_owned(row, text)?;
        }
        Ok(text)
    }

    /// The bytes at the cursor, which are not for a type that can only borrow.
    pub(super) fn binary(&mut self, row: &Row) -> Result<Vec<u8>> {
        let bytes = self.base64()?;
        check_owned(row, "")?;
        Ok(bytes)
    }
}

/// Makes sure that the Rust type can take a text that is no part of the input.
pub(super) fn check_owned(row: &Row, text: &str) -> Result<()> {
    let storage = match row.location {
        Location::Member { storage, .. } | Location::Variant { storage, .. } => leaf(storage),
        Location::Arena => return Ok(()),
    };
    let wanted = match storage {
        Storage::Str => "a borrowed string",
        Storage::Slice => "a borrowed byte array",
        _ => return Ok(()),
    };
    Err(match (storage, row.kind) {
        (Storage::Str, Kind::String) => {
            Error::ty(format!("invalid type: string {text:?}, expected {wanted}"))
        }
        _ => Error::ty(format!("invalid type: byte array, expected {wanted}")),
    })
}

/// The storage of one value.
fn leaf(storage: Storage) -> Storage {
    match storage {
        Storage::Box(value) => leaf(*value),
        Storage::Option(functions) => leaf(functions.value),
        Storage::List(functions) => leaf(functions.element),
        other => other,
    }
}

/// Bytes that an element of a list or an entry of a map takes, beside those of messages, which count for themselves.
pub(crate) fn element_size(row: &Row) -> u64 {
    let storage = match row.location {
        Location::Member { storage, .. } | Location::Variant { storage, .. } => Some(storage),
        Location::Arena => None,
    };
    match (row.shape, storage) {
        (Shape::Map, Some(Storage::Map(functions))) if !row.map().value.is_message() => {
            functions.entry_size as u64
        }
        (Shape::Map, _) => 24,
        _ if row.is_message() => 0,
        (_, Some(Storage::List(functions))) => functions.stride as u64,
        _ if row.is_scalar() => 8,
        _ => 16,
    }
}
