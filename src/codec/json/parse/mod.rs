//! Parses messages from JSON.
//!
//! The parser reads the text once, from start to end. The table of a message has one row for each field. For each member, the
//! parser looks up the row by the name. Only two kinds of values are read twice: the members of an `Any` before its type, and
//! some enum values (see `looks_at`).
//!
//! Specification: <https://protobuf.dev/programming-guides/json/>.

mod any;
mod content;
mod enumeration;
mod list;
mod map;
mod object;
mod scalar;
#[cfg(all(test, feature = "derive"))]
mod tests;
mod unknown;
mod value;
mod well_known;

use crate::codec::any_object::AnyObjectMut;
use crate::codec::budget::ParseBudget;
use crate::codec::source::Source;
use crate::descriptor::Pool;
use crate::error::{Error, Result};
use crate::json::Options;
use crate::object::ObjectMut;
use crate::syntax::json::lex::Cursor;
use crate::table::{Kind, Row, Table, WellKnown};
use std::borrow::Cow;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) options: &'a Options,
    /// True if the message may borrow strings without escapes from the text, because the text outlives the message.
    pub(crate) borrowed: bool,
    /// True if required fields may be missing.
    pub(crate) partial: bool,
}

fn cursor(source: Source<'_>) -> Cursor<'_> {
    match source {
        Source::Text(text) => Cursor::new(text),
        Source::Bytes(bytes) => Cursor::of_bytes(bytes),
    }
}

/// Parses a text, and merges it into `message`.
///
/// # Errors
/// The text is not valid JSON of the message, exceeds a limit, or lacks a required field. Then `message` is still a valid
/// message, but its content is unspecified.
pub(crate) fn parse(message: AnyObjectMut<'_, '_>, source: Source<'_>, settings: Settings<'_>) -> Result<()> {
    let table = message.table();
    parse_root(message, source, settings).map_err(|error| of_root(error, table, settings))
}

#[cold]
fn of_root(error: Error, table: &Table, settings: Settings<'_>) -> Error {
    error.of_max_depth(settings.options.limits.max_depth()).in_message(&table.full_name)
}

fn parse_root(message: AnyObjectMut<'_, '_>, source: Source<'_>, settings: Settings<'_>) -> Result<()> {
    let room = ParseBudget::new(settings.options.limits, source.bytes().len() as u64)?;
    let mut cursor = cursor(source);
    cursor.start()?;
    let mut parser = Parser { cursor, start: cursor.position(), room, settings, types: Vec::new() };
    match parser.message(message) {
        Ok(()) => parser.cursor.end(),
        Err(error) => Err(parser.locate(error)),
    }
}

struct Parser<'i> {
    cursor: Cursor<'i>,
    /// The start of the value at the cursor, which is the position of errors.
    start: usize,
    room: ParseBudget,
    settings: Settings<'i>,
    /// The positions of objects after the cursor, each with the position of the object's `@type`, in ascending order
    /// (`any.rs`).
    types: Vec<(usize, usize)>,
}

impl Parser<'_> {
    /// Parses the message at the cursor, and then calls `end` on it.
    #[inline(never)]
    fn message<'t, M: ObjectMut<'t>>(&mut self, mut message: M) -> Result<()> {
        let table = message.table();
        self.enter(table)?;
        match table.known {
            WellKnown::No => self.object(&mut message, table)?,
            _ => self.well_known(&mut message, table)?,
        }
        message.end();
        self.leave();
        Ok(())
    }

    /// Enters a message: takes one level of nesting and the memory of the message from the budget.
    #[inline]
    fn enter(&mut self, table: &Table) -> Result<()> {
        let entered = self.room.enter(table);
        if let Err(error) = entered { Err(self.locate(error)) } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.room.leave();
    }

    #[inline]
    fn take(&mut self, bytes: u64) -> Result<()> {
        let taken = self.room.take(bytes);
        if let Err(error) = taken { Err(self.locate(error)) } else { Ok(()) }
    }

    /// Moves to the next value, and stores the value's position for errors. Returns the first byte of the value.
    #[inline]
    fn at_value(&mut self) -> Option<u8> {
        let byte = self.cursor.token();
        self.start = self.cursor.position();
        byte
    }

    fn skip(&mut self) -> Result<()> {
        self.cursor.skip(self.room.depth())
    }

    /// Returns the error for a value at the cursor that the field cannot hold. `wanted` describes what the field can hold.
    #[cold]
    fn mismatch(&self, wanted: &str) -> Error {
        match self.cursor.describe() {
            Some(found) => self.error(format!("expected {wanted}, but found {found}")),
            None => self.cursor.unexpected(wanted),
        }
    }

    /// Returns an error with the position of the value at the cursor.
    #[cold]
    fn error(&self, message: impl Into<Cow<'static, str>>) -> Error {
        self.cursor.error(self.start, message)
    }

    /// Adds the position of the value at the cursor to an error without a position.
    #[cold]
    fn locate(&self, error: Error) -> Error {
        self.cursor.locate(self.start, error)
    }

    #[cold]
    fn in_field(&self, error: Error, row: &Row) -> Error {
        self.locate(error.in_field(&row.name))
    }

    /// Returns the pool in which types of `Any` and extensions are looked up.
    fn pool(&self) -> Pool {
        self.settings.options.pool.clone().unwrap_or_else(Pool::global)
    }

    /// True if `null` is a value of the field `row`. For other fields, `null` means that the field is not set.
    fn takes_null(row: &Row) -> Result<bool> {
        Ok(match row.kind {
            Kind::Enum => row.enumeration().null,
            Kind::Message | Kind::Group => row.message()?.known == WellKnown::Value,
            _ => false,
        })
    }

    /// True if `row` is an enum field whose values must be checked before they are stored.
    #[inline]
    fn looks_at(&self, row: &Row) -> bool {
        row.kind == Kind::Enum && (row.closed || self.settings.options.ignore_unknown)
    }
}
