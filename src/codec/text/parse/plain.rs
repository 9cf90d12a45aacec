//! Values as writers write them: directly after the names of their fields, in their most common form. What is
//! anything else is left to the general way.

use super::Parser;
use super::field::Fields;
use crate::codec::element::{element_size, spare_size};
use crate::codec::seen::Seen;
use crate::error::{Error, Result};
use crate::object::{Fill, ObjectMut};
use crate::table::{Kind, Row, TextMark, TextValue};

/// A single value that is not a message.
pub(super) enum Leaf<'i> {
    Text(&'i str),
    Bits(u64),
}

impl<'i> Parser<'i> {
    /// Parses the value of a field that directly follows its mark, as writers write it: a number, a bool, a string
    /// without escapes, one of the first names of an enum, a message in braces. False for anything else; then nothing
    /// was consumed or noted.
    #[inline]
    pub(super) fn plain_field<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        mark: &TextMark,
        fields: &mut Fields,
    ) -> Result<bool> {
        // Most are leaves.
        if mark.value == TextValue::Leaf {
            return self.plain_single(message, row, fields);
        }
        match mark.value {
            TextValue::Strings => self.plain_string(message, row, fields),
            TextValue::Message | TextValue::Messages if self.cursor.peek() == Some(b'{') => {
                self.plain_message(message, row, mark.value == TextValue::Message, fields)
            }
            _ => Ok(false),
        }
    }

    #[inline]
    fn plain_single<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        fields: &mut Fields,
    ) -> Result<bool> {
        let before = self.cursor.rest();
        let leaf = self.plain_leaf(row);
        let is_new = |seen: &mut Seen| seen.is_first(row) && seen.takes_oneof(message.table(), row);
        let Some(leaf) = leaf.filter(|_| is_new(&mut fields.seen)) else {
            self.cursor.seek(before);
            return Ok(false);
        };
        if let Err(error) = self.store(message, row, leaf) {
            self.start = self.cursor.position_of(before);
            return Err(self.in_field(error, row));
        }
        fields.seen.note_first(row);
        fields.guess = row.index + 1;
        Ok(true)
    }

    /// Consumes a single value as writers write it. `None` for anything else, wherever the cursor is then.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn plain_leaf(&mut self, row: &Row) -> Option<Leaf<'i>> {
        match row.kind {
            Kind::String => self.cursor.plain_text().map(Leaf::Text),
            _ => self.cursor.plain_scalar(row).map(Leaf::Bits),
        }
    }

    #[inline]
    pub(super) fn store<'t, F: Fill<'t>>(&self, target: &mut F, row: &'t Row, leaf: Leaf<'_>) -> Result<()> {
        match leaf {
            Leaf::Text(text) => target.set_str(row, text, self.settings.borrowed),
            Leaf::Bits(bits) => target.set_scalar(row, bits),
        }
    }

    /// Parses an element of a list of strings.
    #[inline]
    fn plain_string<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        fields: &mut Fields,
    ) -> Result<bool> {
        let before = self.cursor.rest();
        let text = self.cursor.plain_text();
        let Some(text) = text.filter(|_| self.room.take(element_size(row)).is_ok()) else {
            self.cursor.seek(before);
            return Ok(false);
        };
        fields.turn_to(row.index);
        fields.guess = row.index;
        fields.seen.note_field(row.index);
        if let Err(error) = message.push_str(row, text, self.settings.borrowed) {
            self.start = self.cursor.position_of(before);
            return Err(self.in_field(error.in_index(fields.count), row));
        }
        fields.count += 1;
        Ok(true)
    }

    /// Parses the message whose brace is at the cursor: a single one that was not seen before, or an element of a list.
    #[inline]
    fn plain_message<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        single: bool,
        fields: &mut Fields,
    ) -> Result<bool> {
        if !single {
            fields.turn_to(row.index);
        } else if !fields.seen.is_first(row) || !fields.seen.takes_oneof(message.table(), row) {
            return Ok(false);
        }
        fields.seen.note_first(row);
        fields.guess = row.index + u16::from(single);
        self.start = self.cursor.position();
        self.cursor.bump();
        let missing = self.missing.is_some();
        let child = match single {
            true => message.message(row),
            false if fields.count > 0 => message.push_message(row),
            false => self.room.take(spare_size(row)).and_then(|()| message.push_message(row)),
        };
        let done = child.and_then(|mut child| self.message(&mut child, Some(b'}')));
        let index = fields.count;
        let in_element = |error: Error| if single { error } else { error.in_index(index) };
        if let Err(error) = done {
            return Err(self.in_field(in_element(error), row));
        }
        self.locate_missing(missing, |error| in_element(error).in_field(&row.name));
        fields.count += usize::from(!single);
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
