//! Messages decoded into separate arenas: as a whole, or from bytes inside another message.

use super::arena::{Arena, ROOT, message_words};
use super::view::MessageAt;
use super::{decode, required};
use crate::error::{Category, Error, Result};
use crate::limits::Limits;
use crate::table::Table;
use bytes::Bytes;

/// Decodes a message whose strings are ranges of the bytes; `depth` levels of messages may be opened. The arena does not
/// have the bytes.
///
/// # Errors
/// The bytes are malformed, exceed a limit, or lack a required field, unless `partial`.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn decode_arena(
    table: &Table,
    bytes: &[u8],
    limits: Limits,
    depth: u32,
    partial: bool,
) -> Result<Arena> {
    let memory = limits.max_memory(bytes.len() as u64);
    match decode::decode(table, bytes, depth, memory, partial) {
        Ok(arena) => {
            table.learn_words(bytes.len(), arena.words.len() - (ROOT as usize + message_words(table)));
            Ok(arena)
        }
        Err(error) => decode_required(table, bytes, depth, memory, error),
    }
}

/// Decodes a message again of which a required field was missing: it may be in another occurrence of its message.
#[cold]
#[inline(never)]
fn decode_required(table: &Table, bytes: &[u8], depth: u32, memory: u64, error: Error) -> Result<Arena> {
    if error.category() != Category::Required {
        return Err(error);
    }
    let arena = decode::decode(table, bytes, depth, memory, true)?;
    required::check(&arena, bytes, table, error)?;
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
