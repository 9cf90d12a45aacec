//! A message that is built in its own arena.

use bytes::Bytes;

use super::content::decode_arena;
use super::object::MessageFill;
use super::view::MessageAt;
use super::words::{Arena, Input, Offsets, ROOT};
use super::{decode, encode};
use crate::error::Result;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::table::Table;
use crate::wire::{CursorMut, Writer};

/// The arena of one message; `None` until a message is started.
#[derive(Default)]
pub(crate) struct Building(pub(crate) Option<Arena>);

impl Building {
    /// Starts an empty message, which replaces the old message.
    pub(crate) fn start<'a, 't>(&'a mut self, table: &'t Table) -> MessageFill<'a, 't> {
        let arena = self.0.insert(Arena::new(table, Input::NONE));
        MessageFill { arena, table, offsets: Offsets::new(ROOT) }
    }

    /// Decodes wire bytes that tobu itself has written. Therefore no limit on memory or depth applies.
    ///
    /// # Errors
    /// The bytes are malformed, or longer than 2 GiB.
    pub(crate) fn of_bytes(table: &Table, bytes: Bytes) -> Result<Self> {
        let mut arena = decode::decode(table, &bytes, u32::MAX, u64::MAX, true)?;
        arena.input = bytes.into();
        Ok(Building(Some(arena)))
    }

    /// Returns the arena, which is empty if no message was started.
    pub(crate) fn into_arena(self) -> Arena {
        self.0.unwrap_or_default()
    }

    /// Returns the number of bytes that the message takes in memory, not counting the input.
    pub(crate) fn size(&self) -> usize {
        self.0.as_ref().map_or(0, Arena::held)
    }

    /// Returns the message; `None` if no message was started.
    pub(crate) fn message<'b>(&'b self, table: &'b Table) -> Option<MessageAt<'b>> {
        self.0.as_ref().map(|arena| MessageAt::new(arena, table, ROOT))
    }

    /// Appends the encoded message to a vector.
    ///
    /// # Errors
    /// Fails if encoding a dynamic message would fail. The vector is unchanged after an error.
    pub(crate) fn encode(&self, table: &Table, options: EncodeOptions, bytes: &mut Vec<u8>) -> Result<()> {
        match &self.0 {
            Some(arena) => encode_arena(arena, table, options, bytes),
            None => Ok(()),
        }
    }

    /// Decodes a message from the wire format.
    ///
    /// # Errors
    /// Fails if decoding a dynamic message would fail.
    pub(crate) fn decode(table: &Table, bytes: &[u8], options: DecodeOptions) -> Result<Self> {
        options.check_input(bytes.len())?;
        let (limits, partial) = options.parts();
        Ok(Building(Some(decode_arena(table, bytes, limits, limits.max_depth(), partial)?)))
    }

    /// Decodes a message. The arena keeps the bytes, because the texts of the message are ranges of the bytes.
    ///
    /// # Errors
    /// The bytes are malformed, or exceed a limit.
    #[cfg(feature = "sink")]
    pub(crate) fn decode_bytes(table: &Table, bytes: Bytes, options: DecodeOptions) -> Result<Self> {
        let mut built = Self::decode(table, &bytes, options)?;
        if let Some(arena) = &mut built.0 {
            arena.input = bytes.into();
        }
        Ok(built)
    }
}

/// Appends an encoded message to a vector. On an error, the vector is unchanged.
///
/// # Errors
/// Fails if encoding a dynamic message would fail.
pub(crate) fn encode_arena(
    arena: &Arena,
    table: &Table,
    options: EncodeOptions,
    bytes: &mut Vec<u8>,
) -> Result<()> {
    append(bytes, |cursor| encode::encode(arena, table, cursor, options))
}

/// Calls `write`, and appends the bytes that it writes to a vector. On an error, the vector is unchanged.
///
/// # Errors
/// Fails if `write` fails, or if a length exceeds 2 GiB.
fn append(bytes: &mut Vec<u8>, write: impl FnOnce(&mut CursorMut<'_>) -> Result<()>) -> Result<()> {
    let start = bytes.len();
    let mut writer = Writer::append_to(std::mem::take(bytes));
    let written = writer.with_cursor(write);
    let whole;
    (*bytes, whole) = writer.take_or_truncate(start, written.is_ok());
    written.and(whole)
}
