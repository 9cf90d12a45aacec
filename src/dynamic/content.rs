//! Messages decoded into arenas of their own: as a whole, or from bytes inside another message.

use super::arena::{Arena, ROOT, message_words};
use super::view::MessageAt;
use super::{decode, required};
use crate::error::{Category, Result};
use crate::limits::Limits;
use crate::table::Table;
use bytes::Bytes;

/// Decodes a message whose strings are ranges of the bytes; `depth` levels of messages may be opened. The arena does not
/// have the bytes.
///
/// # Errors
/// The bytes are malformed, exceed a limit, or lack a required field, unless `partial`.
pub(super) fn decode_arena(
    table: &Table,
    bytes: &[u8],
    limits: Limits,
    depth: u32,
    partial: bool,
) -> Result<Arena> {
    let memory = limits.max_memory(bytes.len() as u64);
    let decode = |partial| decode::decode(table, bytes, depth, memory, partial);
    let arena = match decode(partial) {
        // It may be in another occurrence of its message.
        Err(error) if error.category() == Category::Required => {
            let arena = decode(true)?;
            required::check(&arena, bytes, table, error)?;
            arena
        }
        decoded => decoded?,
    };
    table.learn_words(bytes.len(), arena.words.len() - (ROOT as usize + message_words(table)));
    Ok(arena)
}

/// A message that was decoded from bytes inside another one.
pub(crate) struct ArenaContent(Arena);

impl ArenaContent {
    /// Decodes it; `depth` levels of messages may be opened.
    ///
    /// # Errors
    /// The bytes are malformed, exceed a limit, or lack a required field, unless `partial`.
    pub(crate) fn decode(
        table: &Table,
        bytes: Bytes,
        limits: Limits,
        depth: u32,
        partial: bool,
    ) -> Result<Self> {
        let mut arena = decode_arena(table, &bytes, limits, depth, partial)?;
        arena.input = bytes;
        Ok(ArenaContent(arena))
    }

    /// The message, by its table.
    pub(crate) fn message<'b>(&'b self, table: &'b Table) -> MessageAt<'b> {
        MessageAt::new(&self.0, table, ROOT)
    }
}
