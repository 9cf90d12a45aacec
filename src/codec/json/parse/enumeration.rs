//! Parses enum values, and decides what happens to values that a message cannot store. These are unknown names, if the options
//! ignore them, and unknown numbers of closed enums, which become unknown fields.

use super::Parser;
use crate::codec::scalar::ParseScalar;
use crate::error::{Error, Result};
use crate::object::ObjectMut;
use crate::syntax::json::lex::Whole;
use crate::syntax::well_known::quoted;
use crate::table::{EnumTable, Kind, Row, Table};
use crate::wire::{Tag, WireType, Writer};

/// The decision about an enum value: store it, drop it, or keep its number.
pub(super) enum Look {
    Deliver,
    Drop,
    /// Keep the number as an unknown field.
    Keep(i32),
}

impl Parser<'_> {
    /// Parses the enum value at the cursor, and returns its number.
    #[inline]
    pub(super) fn enum_number(&mut self, table: &EnumTable) -> Result<i32> {
        if self.cursor.peek() == Some(b'"') {
            let mut names = table.json_names(self.cursor.rest());
            let known = names.find_map(|(name, number)| self.cursor.eat(name).then_some(number));
            if let Some(number) = known {
                return Ok(number);
            }
        }
        self.other_enum_number(table)
    }

    #[inline(never)]
    fn other_enum_number(&mut self, table: &EnumTable) -> Result<i32> {
        match self.cursor.peek() {
            Some(b'"') => {
                let name = self.cursor.string()?;
                table.json_number(&name).ok_or_else(|| self.no_value(table, &name))
            }
            Some(b'-' | b'0'..=b'9') => Ok(self.numeric(Kind::Enum)? as i32),
            _ if table.null && self.cursor.literal("null") => Ok(0),
            _ => Err(self.mismatch("an enum")),
        }
    }

    #[cold]
    fn no_value(&self, table: &EnumTable, name: &str) -> Error {
        self.error(format!("{} has no value {}", table.full_name, quoted(name)))
    }

    /// Decides what happens to the enum value at the cursor, and skips the value if the field `row` must not store it.
    /// `message` is the table of the message that has the field.
    #[cold]
    pub(super) fn look(&mut self, message: &Table, row: &Row) -> Result<Look> {
        let table = row.enumeration();
        let mut ahead = self.cursor;
        match ahead.peek() {
            Some(b'"') if self.settings.options.ignore_unknown => {
                if table.json_number(&ahead.string()?).is_some() {
                    return Ok(Look::Deliver);
                }
                self.cursor = ahead;
                Ok(Look::Drop)
            }
            Some(b'-' | b'0'..=b'9') if row.closed => {
                let number = ahead.number()?;
                let magnitude = match number.whole() {
                    Whole::Is(magnitude) => i64::try_from(magnitude).unwrap_or(i64::MAX),
                    Whole::Fraction | Whole::Large => return Ok(Look::Deliver),
                };
                let value = if number.is_negative() { -magnitude } else { magnitude };
                match i32::try_from(value) {
                    Ok(value) if !table.contains(value) => {
                        // A struct without a member for unknown fields cannot keep the number.
                        let is_lost = message.shape.is_some() && message.unknown.is_none();
                        if is_lost && !self.settings.options.ignore_unknown {
                            return Err(self.error(format!("{} has no value {value}", table.full_name)));
                        }
                        self.cursor = ahead;
                        Ok(Look::Keep(value))
                    }
                    // The parser of numbers rejects a number that does not fit 32 bits.
                    _ => Ok(Look::Deliver),
                }
            }
            _ => Ok(Look::Deliver),
        }
    }

    /// Returns true if the field `row` can store the enum value at the cursor. Otherwise skips the value, or keeps its number
    /// as an unknown field, and returns false.
    #[cold]
    pub(super) fn delivers<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &Row) -> Result<bool> {
        match self.look(message.table(), row).map_err(|error| error.in_field(&row.name))? {
            Look::Deliver => return Ok(true),
            Look::Drop => {}
            Look::Keep(number) => message.add_unknown(&Self::kept_number(row, number)?),
        }
        Ok(false)
    }

    /// Encodes a number of a closed enum as an unknown field.
    #[cold]
    pub(super) fn kept_number(row: &Row, number: i32) -> Result<Vec<u8>> {
        let mut writer = Writer::new();
        Self::put_number(&mut writer, row, number);
        writer.finish()
    }

    pub(super) fn put_number(writer: &mut Writer, row: &Row, number: i32) {
        writer.tag(Tag::new(row.number, WireType::Varint));
        writer.varint(i64::from(number) as u64);
    }
}
