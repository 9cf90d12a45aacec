//! Parses the value of a field, a list element, or a map entry.

use super::Parser;
use crate::codec::element::check_owned;
use crate::codec::scalar::ParseScalar;
use crate::error::Result;
use crate::layout::Text;
use crate::object::{Fill, ObjectMut};
use crate::table::{Kind, Row, Shape};
use std::borrow::Cow;

impl<'i> Parser<'i> {
    /// Parses the value at the cursor, and stores it in a field.
    #[inline]
    pub(super) fn field<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        match row.shape {
            _ if row.made().is_some() => self.made(message, row),
            Shape::Singular => self.single(message, row),
            Shape::List => self.list(message, row),
            Shape::Map => self.map(message, row),
        }
    }

    /// Parses the value at the cursor into a proto value. A conversion then makes the member of the struct from the proto
    /// value.
    #[inline(never)]
    fn made<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        let start = self.start;
        let mut opened = message.open(row)?;
        let (mut inner, row_in) = message.opened(row, &mut opened)?;
        self.field(&mut inner, row_in)?;
        drop(inner);
        self.start = start;
        message.close(row, opened)
    }

    /// Parses one value into a field, or into the key or value of a map entry.
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

    /// Parses a string with escapes. Returns an error if the value is not a string.
    #[inline(never)]
    fn other_text<'t, F: Fill<'t>>(&mut self, target: &mut F, row: &'t Row) -> Result<()> {
        let text = self.string(row)?;
        target.set_str(row, &text, self.is_borrowed(&text))
    }

    #[inline(never)]
    fn sub_message<'t, F: Fill<'t>>(&mut self, target: &mut F, row: &'t Row) -> Result<()> {
        let child = target.message(row)?;
        self.message(child)
    }

    /// True if the message may borrow `text`, because `text` is a part of the input, and the input outlives the message.
    #[inline]
    #[expect(clippy::ptr_arg, reason = "the question is whether it is borrowed")]
    pub(super) fn is_borrowed(&self, text: &Cow<'_, str>) -> bool {
        self.settings.borrowed && matches!(text, Cow::Borrowed(_))
    }

    /// Parses the string at the cursor. Fails if the string has escapes and the Rust type can only borrow.
    #[inline]
    pub(super) fn string(&mut self, row: &Row) -> Result<Cow<'i, str>> {
        let text = self.text()?;
        if let Cow::Owned(text) = &text {
            check_owned(row, text.as_bytes())?;
        }
        Ok(text)
    }

    /// Parses the byte string at the cursor. Fails if the Rust type can only borrow.
    pub(super) fn binary(&mut self, row: &Row) -> Result<Vec<u8>> {
        let bytes = match row.json_bytes() {
            Some(form) => self.bytes_as(form)?,
            None => self.base64()?,
        };
        check_owned(row, b"")?;
        Ok(bytes)
    }
}
