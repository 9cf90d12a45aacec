//! Prints the keys and values of fields.

use super::Json;
use crate::codec::scalar::PrintScalar;
use crate::error::{Error, Result};
use crate::layout::Storage;
use crate::object::{Field, Object};
use crate::table::{EnumTable, Kind, Presence, Row, Shape};

impl Json<'_> {
    #[inline(always)]
    pub(crate) fn key(&mut self, row: &Row) {
        match row.short_key() {
            Some(key) if !self.other_keys => self.out.short_copy(key),
            _ => self.other_key(row),
        }
    }

    /// Prints a key that the fast path cannot print: a long key, a key on a line of its own, a proto name, or a key that is
    /// used for the first time.
    #[inline(never)]
    fn other_key(&mut self, row: &Row) {
        let key = if self.options.proto_field_names { row.proto_key() } else { row.json_key() };
        self.out.member(key.text());
    }

    /// Prints the value of a field, an element of a list, or the value of a map entry.
    #[inline(always)]
    pub(super) fn value<'a, M: Object<'a>>(&mut self, row: &'a Row, value: Field<'a, M>) -> Result<()> {
        match value {
            Field::Scalar(bits) => PrintScalar::scalar(self, row, row.kind, bits),
            Field::Text(text) => return self.text_value(row, text),
            Field::Message(message) => return self.message(message),
            Field::List(list) => return self.list(row, list),
            Field::Map(map) => return self.map(row, map),
        }
        Ok(())
    }

    #[inline(always)]
    pub(crate) fn enum_value(&mut self, table: &EnumTable, number: i32) {
        match table.json_name(number) {
            Some(name) if !self.enum_numbers => self.out.raw(name),
            _ if table.null => self.out.raw(b"null"),
            _ => self.out.signed(number.into()),
        }
    }

    #[inline(always)]
    pub(super) fn text_value(&mut self, row: &Row, text: &[u8]) -> Result<()> {
        if row.kind != Kind::Bytes && self.out.plain(text) {
            return Ok(());
        }
        self.other_text(row, text)
    }

    /// Prints a string that is not all ASCII or needs an escape, or a byte string.
    #[inline(never)]
    fn other_text(&mut self, row: &Row, text: &[u8]) -> Result<()> {
        if row.kind == Kind::Bytes {
            match row.json_bytes() {
                Some(form) => self.out.string(&form.print(text)),
                None => self.out.base64(text),
            }
        } else if row.storage().is_some_and(Storage::is_string) {
            // A Rust string is always UTF-8.
            self.out.characters(text);
        } else if !self.out.other_utf8(text) {
            return Err(not_utf8(row));
        }
        Ok(())
    }

    /// Prints the default of an unset field without presence, and `null` for an unset message if the options require it. Prints
    /// nothing for all other fields.
    #[cold]
    pub(super) fn default(&mut self, row: &Row) {
        // An extension is not a field of the message's own schema, so its default is not printed.
        if row.name.starts_with('[') {
            return;
        }
        match row.shape {
            Shape::List => {
                self.key(row);
                self.out.raw(b"[]");
            }
            Shape::Map => {
                self.key(row);
                self.out.raw(b"{}");
            }
            Shape::Singular if row.oneof.is_some() => {}
            Shape::Singular if row.is_message() => {
                if self.options.emit_nulls {
                    self.key(row);
                    self.out.raw(b"null");
                }
            }
            Shape::Singular if row.presence == Presence::Implicit => {
                self.key(row);
                self.zero(row);
            }
            Shape::Singular => {}
        }
    }

    /// Prints the zero or the empty value of a field that is not a message.
    #[cold]
    pub(crate) fn zero(&mut self, row: &Row) {
        match row.kind {
            Kind::String | Kind::Bytes => self.out.raw(b"\"\""),
            Kind::Enum => {
                let table = row.enumeration();
                self.enum_value(table, table.default);
            }
            Kind::Message | Kind::Group => {}
            kind => PrintScalar::scalar(self, row, kind, 0),
        }
    }
}

impl PrintScalar for Json<'_> {
    #[inline]
    fn int32(&mut self, value: i32) {
        self.out.signed(value.into());
    }

    #[inline]
    fn uint32(&mut self, value: u32) {
        self.out.unsigned(value.into());
    }

    #[inline]
    fn int64(&mut self, value: i64) {
        match self.quote64 {
            true => self.out.quoted_signed(value),
            false => self.out.signed(value),
        }
    }

    #[inline]
    fn uint64(&mut self, value: u64) {
        match self.quote64 {
            true => self.out.quoted_unsigned(value),
            false => self.out.unsigned(value),
        }
    }

    #[inline]
    fn float(&mut self, value: f32) {
        match value.is_finite() {
            true => self.out.float(value),
            false => self.out.raw(not_finite(value.into())),
        }
    }

    #[inline]
    fn double(&mut self, value: f64) {
        match value.is_finite() {
            true => self.out.float(value),
            false => self.out.raw(not_finite(value)),
        }
    }

    #[inline]
    fn boolean(&mut self, value: bool) {
        self.out.bool(value);
    }

    #[inline]
    fn enumeration(&mut self, row: &Row, number: i32) {
        self.enum_value(row.enumeration(), number);
    }
}

/// Returns the JSON string for an infinite number or NaN, because JSON numbers cannot express it.
#[cold]
pub(super) fn not_finite(value: f64) -> &'static [u8] {
    match value {
        f64::INFINITY => b"\"Infinity\"",
        f64::NEG_INFINITY => b"\"-Infinity\"",
        _ => b"\"NaN\"",
    }
}

#[cold]
pub(super) fn not_utf8(row: &Row) -> Error {
    Error::ty(match row.utf8 {
        true => "the bytes of a string are not valid UTF-8",
        false => "the string is not valid UTF-8, which JSON requires",
    })
}
