//! Parses messages from the text format.
//!
//! The parser reads the text from start to end. The table of a message has one row for each field. For each field in the text,
//! the parser looks up the row by the name. A singular message field may occur several times, as on the wire; any other
//! singular field may occur only once.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#parsing>.

mod any;
mod field;
mod map;
mod scalar;
mod skip;
mod unknown;

use crate::codec::any_object::AnyObjectMut;
use crate::codec::budget::ParseBudget;
use crate::codec::source::Source;
use crate::descriptor::Pool;
use crate::error::{Error, Result};
use crate::object::ObjectMut;
use crate::syntax::text::lex::Cursor;
use crate::table::Row;
use crate::text::Options;
use std::borrow::Cow;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings<'a> {
    pub(crate) options: &'a Options,
    /// True if the message may borrow strings without escapes from the text, because the text outlives the message.
    pub(crate) borrowed: bool,
    /// True if required fields may be missing.
    pub(crate) partial: bool,
}

/// Parses a text, and merges it into `message`. If a message lacks a required field, and the text has several occurrences of
/// some singular message, returns the error for this field in `Ok`. The caller must then check whether the merged message lacks
/// the field, too.
///
/// # Errors
/// The text is not valid for the message, exceeds a limit, or lacks a required field. Then `message` is still a valid message,
/// but its content is unspecified.
pub(crate) fn parse(
    message: AnyObjectMut<'_, '_>,
    source: Source<'_>,
    settings: Settings<'_>,
) -> Result<Option<Error>> {
    let table = message.table();
    parse_root(message, source, settings)
        .map_err(|error| error.of_max_depth(settings.options.limits.max_depth()).in_message(&table.full_name))
}

fn parse_root(
    message: AnyObjectMut<'_, '_>,
    source: Source<'_>,
    settings: Settings<'_>,
) -> Result<Option<Error>> {
    let room = ParseBudget::new(settings.options.limits, source.bytes().len() as u64)?;
    let cursor = match source {
        Source::Text(text) => Cursor::new(text),
        Source::Bytes(bytes) => Cursor::of_bytes(bytes),
    };
    let mut parser =
        Parser { cursor, start: 0, room, settings, repeated: false, missing: None, unescaped: Vec::new() };
    if let Err(error) = parser.message(message, None) {
        return Err(parser.locate(error));
    }
    match parser.missing.take() {
        Some((error, at)) if !parser.repeated => Err(parser.cursor.locate(at, error)),
        missing => Ok(missing.map(|(error, _)| error)),
    }
}

struct Parser<'i> {
    cursor: Cursor<'i>,
    /// The start of the name or the value at the cursor, which is the position of errors.
    start: usize,
    room: ParseBudget,
    settings: Settings<'i>,
    /// True if a singular message occurred several times.
    repeated: bool,
    /// The error for the first required field that was missing in a message, and the end of this message.
    missing: Option<(Error, usize)>,
    /// The content of the last string with escapes. The parser uses the buffer again for the next such string.
    unescaped: Vec<u8>,
}

impl Parser<'_> {
    /// Parses the fields of a message up to the closing bracket or to the end of the text. Then calls `end` on the message.
    #[inline(never)]
    fn message<'t, M: ObjectMut<'t>>(&mut self, mut message: M, end: Option<u8>) -> Result<()> {
        let table = message.table();
        self.room.enter(table).map_err(|error| self.locate(error))?;
        self.fields(&mut message, table, end)?;
        message.end();
        self.room.leave();
        Ok(())
    }

    /// Parses one more occurrence of a message whose memory is already counted.
    #[cold]
    fn occurrence<'t, M: ObjectMut<'t>>(&mut self, mut message: M, end: Option<u8>) -> Result<()> {
        self.repeated = true;
        self.room.enter_again().map_err(|error| self.locate(error))?;
        let table = message.table();
        self.fields(&mut message, table, end)?;
        message.end();
        self.room.leave();
        Ok(())
    }

    /// Moves to the next token, and stores the token's position for errors. Returns the first byte of the token.
    #[inline]
    fn at_token(&mut self) -> Option<u8> {
        let byte = self.cursor.token();
        self.start = self.cursor.position();
        byte
    }

    /// Consumes the bracket that opens a message, and returns the bracket that closes the message.
    ///
    /// # Errors
    /// The token is not an opening bracket.
    fn open(&mut self, wanted: &str) -> Result<u8> {
        let end = match self.at_token() {
            Some(b'{') => b'}',
            Some(b'<') => b'>',
            _ => return Err(self.cursor.unexpected(wanted)),
        };
        self.cursor.bump();
        Ok(end)
    }

    /// Moves to the next token, and stores the token's position for errors. If `separator` is true, skips a comma or semicolon
    /// before the token. Returns the first byte of the token.
    #[inline]
    fn next_token(&mut self, separator: bool) -> Option<u8> {
        match self.cursor.token_after_line() {
            Some(b',' | b';') if separator => {
                self.cursor.bump();
                self.at_token()
            }
            byte => {
                self.start = self.cursor.position();
                byte
            }
        }
    }

    /// Calls `locate` on the error for a missing required field, if such an error was found. Does nothing if `before` is true,
    /// because the error is then an older one.
    #[inline]
    fn locate_missing(&mut self, before: bool, locate: impl FnOnce(Error) -> Error) {
        if !before && let Some((error, at)) = self.missing.take() {
            self.missing = Some((locate(error), at));
        }
    }

    /// Returns an error with the position of the name or value at the cursor.
    #[cold]
    fn error(&self, message: impl Into<Cow<'static, str>>) -> Error {
        self.cursor.error(self.start, message)
    }

    /// Adds the position of the name or value at the cursor to an error without a position.
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
}
