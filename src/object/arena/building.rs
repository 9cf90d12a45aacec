//! One message that is built in an arena of its own.

use bytes::Bytes;

use super::content::decode_arena;
use super::object::MessageFill;
use super::view::MessageAt;
use super::words::{Arena, Offsets, ROOT};
use super::{decode, encode};
use crate::error::Result;
use crate::options::{DecodeOptions, EncodeOptions};
use crate::table::Table;
use crate::wire::{CursorMut, Writer};

/// The arena of one message, made when it is needed.
#[derive(Default)]
pub(crate) struct Building(pub(crate) Option<Arena>);

impl Building {
    /// Starts an empty message, which replaces the old content.
    pub(crate) fn start<'a, 't>(&'a mut self, table: &'t Table) -> MessageFill<'a, 't> {
        let arena = self.0.insert(Arena::new(table, Bytes::new()));
        MessageFill { arena, table, offsets: Offsets::new(ROOT) }
    }

    /// A message in wire bytes that were written here, of any size and depth.
    ///
    /// # Errors
    /// The bytes are malformed.
    pub(crate) fn of_bytes(table: &Table, bytes: Bytes) -> Result<Self> {
        let mut arena = decode::decode(table, &bytes, u32::MAX, u64::MAX, true)?;
        arena.input = bytes;
        Ok(Building(Some(arena)))
    }

    /// The arena, which is empty where no message was begun.
    pub(crate) fn into_arena(self) -> Arena {
        self.0.unwrap_or_default()
    }

    /// How many bytes the message takes, beside the input.
    pub(crate) fn size(&self) -> usize {
        self.0.as_ref().map_or(0, Arena::held)
    }

    /// The message, if one was begun.
    pub(crate) fn message<'b>(&'b self, table: &'b Table) -> Option<MessageAt<'b>> {
        self.0.as_ref().map(|arena| MessageAt::new(arena, table, ROOT))
    }

    /// Appends the encoded message to a vector.
    ///
    /// # Errors
    /// As when a dynamic message is encoded; the vector is unchanged then.
    pub(crate) fn encode(&self, table: &Table, options: EncodeOptions, bytes: &mut Vec<u8>) -> Result<()> {
        match &self.0 {
            Some(arena) => encode_arena(arena, table, options, bytes),
            None => Ok(()),
        }
    }

    /// Decodes a message from the wire format.
    ///
    /// # Errors
    /// As when a dynamic message is decoded.
    pub(crate) fn decode(table: &Table, bytes: &[u8], options: DecodeOptions) -> Result<Self> {
        options.check_input(bytes.len())?;
        let (limits, partial) = options.parts();
        Ok(Building(Some(decode_arena(table, bytes, limits, limits.max_depth(), partial)?)))
    }

    /// Decodes a message that is then read, so that its texts lie in the bytes.
    ///
    /// # Errors
    /// The bytes are malformed, or exceed a limit.
    #[cfg(feature = "sink")]
    pub(crate) fn decode_bytes(table: &Table, bytes: Bytes, options: DecodeOptions) -> Result<Self> {
        let mut built = Self::decode(table, &bytes, options)?;
        if let Some(arena) = &mut built.0 {
            arena.input = bytes;
        }
        Ok(built)
    }
}

/// Appends an encoded message to a vector, which is as it was where that fails.
///
/// # Errors
/// As when a dynamic message is encoded.
pub(crate) fn encode_arena(
    arena: &Arena,
    table: &Table,
    options: EncodeOptions,
    bytes: &mut Vec<u8>,
) -> Result<()> {
    append(bytes, |cursor| encode::encode(arena, table, cursor, options))
}

/// Appends to a vector, which is as it was where that fails.
///
/// # Errors
/// As `write`, and when a length exceeds 2 GiB.
fn append(bytes: &mut Vec<u8>, write: impl FnOnce(&mut CursorMut<'_>) -> Result<()>) -> Result<()> {
    let start = bytes.len();
    let mut writer = Writer::append_to(std::mem::take(bytes));
    let written = writer.with_cursor(write);
    let whole;
    (*bytes, whole) = writer.take_or_truncate(start, written.is_ok());
    written.and(whole)
}
