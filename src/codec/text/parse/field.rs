//! Fields.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#fields>.

use super::Parser;
use crate::codec::element::{check_owned, element_size};
use crate::codec::seen::Seen;
use crate::error::{Error, Result};
use crate::known::text::quoted;
use crate::layout::Text;
use crate::object::{Fill, ObjectMut};
use crate::table::{Kind, Row, Shape, Table};
use std::borrow::Cow;
use std::collections::HashMap;

/// What came of a message.
#[derive(Default)]
pub(super) struct Fields {
    pub(super) seen: Seen,
    /// The row of the last field.
    last: u16,
    /// How many elements of it came, if it is a list.
    count: usize,
    /// How many elements came of lists that came before others.
    counts: HashMap<u16, usize>,
    /// The number of the extension with elements that came last, and how many.
    pub(super) others: HashMap<u32, usize>,
}

impl Fields {
    /// Goes on to a field, which may be the same as before.
    #[inline]
    fn turn_to(&mut self, index: u16) {
        if index != self.last {
            if self.count > 0 {
                self.counts.insert(self.last, self.count);
            }
            self.count = if self.counts.is_empty() { 0 } else { self.counts.remove(&index).unwrap_or(0) };
            self.last = index;
        }
    }
}

/// The row of a field by its name, or by that of its message for a group.
pub(super) fn row_named(table: &Table, name: &str) -> Option<u16> {
    let row = |index: &u16| &table.rows[usize::from(*index)];
    if let Some(index) = table.row_called(name).filter(|index| *row(index).name == *name) {
        return Some(index);
    }
    // The name of its field is that of the message in small letters.
    let lower = name.bytes().any(|byte| byte.is_ascii_uppercase()).then(|| name.to_ascii_lowercase())?;
    table.row_called(&lower).filter(|index| {
        let row = row(index);
        row.is_group && *row.name == *lower && row.message_descriptor().name() == name
    })
}

impl<'i> Parser<'i> {
    pub(super) fn fields<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        end: Option<u8>,
    ) -> Result<()> {
        let mut fields = Fields::default();
        let wanted = match end {
            None => "a field",
            Some(b'>') => "a field or `>`",
            Some(_) => "a field or `}`",
        };
        loop {
            match self.at_token() {
                byte if byte == end => break,
                Some(b'[') => self.bracketed(message, table, &mut fields)?,
                Some(b'0'..=b'9') if self.settings.options.unknown_fields => {
                    self.numbered(message, table, &mut fields)?;
                }
                _ => self.named(message, table, &mut fields, wanted)?,
            }
            self.separator();
        }
        self.cursor.bump();
        if !table.required.is_empty()
            && !self.settings.partial
            && self.missing.is_none()
            && let Err(error) = fields.seen.check_required(table)
        {
            // Another piece of the message may have it: that is known at the end.
            self.missing = Some((error, self.start));
        }
        Ok(())
    }

    #[inline]
    fn named<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        fields: &mut Fields,
        wanted: &str,
    ) -> Result<()> {
        // Mostly it is another element of the same list, or the next field.
        for index in fields.last..fields.last.saturating_add(4) {
            if let Some(row) = table.rows.get(usize::from(index))
                && !row.is_group
                && self.cursor.eat_word(&row.name)
            {
                return self.field(message, table, row, fields);
            }
        }
        let name = self.cursor.identifier(wanted)?;
        match row_named(table, name) {
            Some(index) => self.field(message, table, &table.rows[usize::from(index)], fields),
            None => self.unnamed(message, table, fields, name),
        }
    }

    /// Parses the field of a row, whose name was just read.
    pub(super) fn field<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &Table,
        row: &'t Row,
        fields: &mut Fields,
    ) -> Result<()> {
        fields.turn_to(row.index);
        let first = fields.seen.note_field(row.index);
        if row.shape == Shape::Singular {
            if !first && !row.is_message() {
                return Err(self.error("the field comes twice").in_field(&row.name));
            }
            if first
                && row.is_in_oneof()
                && let Err(error) = fields.seen.check_oneof(table, row)
            {
                return Err(self.locate(error));
            }
        }
        let missing = self.missing.is_some();
        match self.values(message, row, first, &mut fields.count) {
            Ok(stored) => {
                if !stored {
                    fields.seen.note_unset(row);
                }
                self.locate_missing(missing, |error| error.in_field(&row.name));
                Ok(())
            }
            Err(error) => Err(self.in_field(error, row)),
        }
    }

    /// Parses what follows the name of a field, which comes for the first time or again; false for an enum value that was
    /// passed over.
    #[inline]
    pub(super) fn values<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        first: bool,
        count: &mut usize,
    ) -> Result<bool> {
        self.colon(row)?;
        match row.shape {
            Shape::Singular => match self.passes_over(row)? {
                true => Ok(false),
                false => self.single(message, row, first).map(|()| true),
            },
            _ => self.each_value(|parser| parser.element(message, row, count)).map(|()| true),
        }
    }

    /// Goes past the colon, which only messages can do without, to the value.
    #[inline]
    pub(super) fn colon(&mut self, row: &Row) -> Result<()> {
        let is_message = row.is_message() || row.shape == Shape::Map;
        if !self.cursor.eat(b':') && !is_message {
            return Err(self.cursor.unexpected("`:`"));
        }
        self.at_token();
        Ok(())
    }

    /// Parses a value, or those in brackets.
    #[inline]
    pub(super) fn each_value(&mut self, mut value: impl FnMut(&mut Self) -> Result<()>) -> Result<()> {
        if self.at_token() != Some(b'[') {
            return value(self);
        }
        self.cursor.bump();
        if self.cursor.eat(b']') {
            return Ok(());
        }
        loop {
            self.at_token();
            value(self)?;
            match self.cursor.token() {
                Some(b',') => self.cursor.bump(),
                Some(b']') => {
                    self.cursor.bump();
                    return Ok(());
                }
                _ => return Err(self.cursor.unexpected("`,` or `]`")),
            }
        }
    }

    #[inline]
    fn element<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        row: &'t Row,
        count: &mut usize,
    ) -> Result<()> {
        if row.shape == Shape::Map {
            return self.entry(message, row);
        }
        let missing = self.missing.is_some();
        match self.push(message, row) {
            Ok(pushed) => {
                self.locate_missing(missing, |error| error.in_index(*count));
                *count += usize::from(pushed);
            }
            Err(error) => return Err(self.locate(error.in_index(*count))),
        }
        Ok(())
    }

    /// Adds an element to a list; false where it was passed over.
    #[inline]
    fn push<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<bool> {
        if self.passes_over(row)? {
            return Ok(false);
        }
        self.room.take(element_size(row))?;
        match row.kind {
            Kind::Message | Kind::Group => {
                let end = self.open_message(row)?;
                let mut child = message.push_message(row)?;
                self.message(&mut child, Some(end))?;
            }
            Kind::String | Kind::Bytes => {
                let text = self.text(row)?;
                message.push_text(row, self.as_text(&text))?;
            }
            _ => {
                let bits = self.scalar(row)?;
                message.push_scalar(row, bits)?;
            }
        }
        Ok(true)
    }

    /// Parses one value into a field or into half of a map entry.
    #[inline]
    pub(super) fn single<'t, F: Fill<'t>>(
        &mut self,
        target: &mut F,
        row: &'t Row,
        first: bool,
    ) -> Result<()> {
        match row.kind {
            Kind::Message | Kind::Group => {
                let end = self.open_message(row)?;
                let mut child = target.message(row)?;
                match first {
                    true => self.message(&mut child, Some(end)),
                    false => self.piece(&mut child, Some(end)),
                }
            }
            Kind::String | Kind::Bytes => {
                let text = self.text(row)?;
                target.set_text(row, self.as_text(&text))
            }
            _ => {
                let bits = self.scalar(row)?;
                target.set_scalar(row, bits)
            }
        }
    }

    #[inline]
    fn open_message(&mut self, row: &Row) -> Result<u8> {
        match self.at_token() {
            Some(b'{' | b'<') => self.open(""),
            _ => Err(self.cursor.unexpected(&format!("a message of type {}", row.message()?.full_name))),
        }
    }

    /// The string at the cursor; not one with escapes for a type that can only borrow.
    pub(super) fn text(&mut self, row: &Row) -> Result<Cow<'i, [u8]>> {
        if !matches!(self.at_token(), Some(b'"' | b'\'')) {
            return Err(self.cursor.unexpected(row.kind.with_article()));
        }
        let text = self.cursor.strings()?;
        if let Cow::Owned(text) = &text {
            check_owned(row, text)?;
        }
        Ok(text)
    }

    /// A text for a message, which may refer to it where it is a part of the input.
    #[expect(clippy::ptr_arg, reason = "the question is whether it is borrowed")]
    pub(super) fn as_text<'a>(&self, text: &'a Cow<'_, [u8]>) -> Text<'a> {
        let borrowed = self.settings.borrowed && matches!(text, Cow::Borrowed(_));
        Text { bytes: text, borrowed, input: None }
    }

    #[cold]
    pub(super) fn no_field(&self, name: &str) -> Error {
        self.error(format!("unknown field {}", quoted(name)))
    }
}
