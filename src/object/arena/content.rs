//! Decodes messages into separate arenas: a whole input, or the bytes of a message inside another message.

use crate::error::{Category, Error, Result};
use crate::limits::Limits;
use crate::object::arena::decode::{Decoder, decode};
use crate::object::arena::required;
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::{Arena, ROOT, root_cells};
use crate::table::Table;
use bytes::Bytes;

/// The input of a decoder, which the arena keeps after decoding.
pub(crate) enum Received<'a> {
    /// Bytes that are copied to the end of the cells.
    Small(&'a [u8]),
    Shared(Bytes),
}

impl<'a> From<&'a [u8]> for Received<'a> {
    /// Copies a short input to the cells, because for few bytes a second allocation would cost more than the copy.
    #[inline]
    fn from(bytes: &'a [u8]) -> Self {
        const FEW: usize = 4096;
        if bytes.len() <= FEW {
            Received::Small(bytes)
        } else {
            Received::Shared(Bytes::copy_from_slice(bytes))
        }
    }
}

/// Decodes a message whose strings are ranges of the bytes. Messages may nest `depth` levels deep. The arena does not keep
/// the bytes; the caller stores them as its input.
///
/// # Errors
/// The bytes are malformed, exceed a limit, or, unless `partial` is true, lack a required field.
pub(crate) fn decode_arena(
    table: &Table,
    bytes: &[u8],
    limits: Limits,
    depth: u32,
    partial: bool,
) -> Result<Arena> {
    // Limits the input to 2 GiB, because an arena cannot store larger offsets.
    Limits::DEFAULT.check_input(bytes.len())?;
    let (mut arena, max_memory) = (Arena::EMPTY, limits.max_memory(bytes.len() as u64));
    Decoder::new(&mut arena, table, bytes, 0, max_memory, partial).whole(table, depth)?;
    Ok(arena)
}

impl Decoder<'_> {
    /// Decodes the outermost message. If a message occurs several times, a required field may be in any of its occurrences.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn whole(&mut self, table: &Table, depth: u32) -> Result<()> {
        match self.root(table, depth) {
            Ok(()) => {
                table.learn_cells(self.input.len(), self.used - root_cells(table));
                Ok(())
            }
            Err(error) => self.required(table, depth, error),
        }
    }

    /// Decodes the message again if a required field was missing, because the field may be in another occurrence of the message
    /// that lacks it.
    #[cold]
    #[inline(never)]
    fn required(&mut self, table: &Table, depth: u32, error: Error) -> Result<()> {
        if error.category() != Category::Required {
            return Err(error);
        }
        // The old arena is dropped first, because both arenas together would take twice the memory.
        *self.arena = Arena::EMPTY;
        *self.arena = decode(table, self.input, depth, self.max_memory, true)?;
        required::check(self.arena, self.input, table, error)
    }
}

/// A message that was decoded from bytes inside another message.
pub(crate) struct ArenaContent(Arena);

impl ArenaContent {
    /// Decodes a message. Messages may nest `depth` levels deep.
    ///
    /// # Errors
    /// The bytes are malformed, exceed a limit, or, unless `partial` is true, lack a required field.
    pub(crate) fn decode(
        table: &Table,
        bytes: Bytes,
        limits: Limits,
        depth: u32,
        partial: bool,
    ) -> Result<Self> {
        let mut arena = decode_arena(table, &bytes, limits, depth, partial)?;
        arena.input = bytes.into();
        Ok(ArenaContent(arena))
    }

    pub(crate) fn message<'b>(&'b self, table: &'b Table) -> MessageAt<'b> {
        MessageAt::new(&self.0, table, ROOT)
    }
}
