//! Values as writers write them: directly after the names of their fields, in their most common form. What is
//! anything else is left to the general way.

use super::Parser;
use super::field::Fields;
use crate::codec::element::element_size;
use crate::error::Result;
use crate::object::ObjectMut;
use crate::table::{Kind, Row, Shape, TextMark};

/// A value as writers write it.
enum Plain<'i> {
    Text(&'i str),
    Bits(u64),
}

impl Parser<'_> {
    /// Parses the value of a field that directly follows its mark, as writers write it: a number, a bool, a string
    /// without escapes, one of the first names of an enum. False for anything else; then nothing was consumed.
    #[inline]
    pub(super) fn plain_field<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        mark: &TextMark,
        fields: &mut Fields,
    ) -> Result<bool> {
        if row.shape == Shape::List && row.kind == Kind::String {
            return self.plain_string(message, row, fields);
        }
        if !mark.plain || !fields.seen.is_first(row.index) {
            return Ok(false);
        }
        let (before, start) = (self.cursor.rest(), self.cursor.position());
        let value = match row.kind {
            Kind::String => self.cursor.plain_text().map(Plain::Text),
            _ => self.cursor.plain_scalar(row).map(Plain::Bits),
        };
        let Some(value) = value else {
            self.cursor.seek(before);
            return Ok(false);
        };
        if row.is_in_oneof()
            && let Err(error) = fields.seen.check_oneof(message.table(), row)
        {
            return Err(self.locate(error));
        }
        self.start = start;
        let stored = match value {
            Plain::Text(text) => message.set_str(row, text, self.settings.borrowed),
            Plain::Bits(bits) => message.set_scalar(row, bits),
        };
        if let Err(error) = stored {
            return Err(self.in_field(error, row));
        }
        fields.seen.note_field(row.index);
        fields.guess = row.index + 1;
        Ok(true)
    }

    /// The same of an element of a list of strings.
    #[inline]
    fn plain_string<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        fields: &mut Fields,
    ) -> Result<bool> {
        let (before, start) = (self.cursor.rest(), self.cursor.position());
        let Some(text) = self.cursor.plain_text() else { return Ok(false) };
        if self.room.take(element_size(row)).is_err() {
            self.cursor.seek(before);
            return Ok(false);
        }
        self.start = start;
        fields.turn_to(row.index);
        fields.guess = row.index;
        fields.seen.note_field(row.index);
        if let Err(error) = message.push_str(row, text, self.settings.borrowed) {
            return Err(self.in_field(error.in_index(fields.count), row));
        }
        fields.count += 1;
        Ok(true)
    }

    /// Parses an element directly at the cursor, as writers write it; on anything else the cursor does not move.
    #[inline]
    pub(super) fn plain_element(&mut self, row: &Row, size: u64) -> Option<u64> {
        let before = self.cursor.rest();
        let bits = self.cursor.plain_scalar(row).filter(|_| self.room.take(size).is_ok());
        if bits.is_none() {
            self.cursor.seek(before);
        }
        bits
    }
}
