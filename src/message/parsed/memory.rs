//! Gives the accessors of parsed messages the memory that they read.

use crate::object::arena::words::Arena;

/// The arena of a parsed message.
#[derive(Clone, Copy)]
pub(super) struct Memory<'a> {
    pub(super) arena: &'a Arena,
}

/// The arena of empty messages.
static NOTHING: Arena = Arena::EMPTY;

impl<'a> Memory<'a> {
    pub(super) const EMPTY: Memory<'static> = Memory { arena: &NOTHING };

    #[inline]
    pub(super) fn of(arena: &'a Arena) -> Self {
        Memory { arena }
    }

    /// Returns the bytes of all cells.
    #[inline]
    pub(super) fn cells(self) -> &'a [u8] {
        self.arena.cells.shared()
    }

    /// Returns the bytes of a string. `word` has their position and their number.
    #[inline]
    pub(super) fn bytes(self, word: u64) -> &'a [u8] {
        self.arena.shared_bytes(word)
    }
}
