//! Text of a dynamic message, which may be borrowed from the input.

use super::arena::Arena;
use crate::wire::utf8;

impl Arena {
    /// The text in a word of a string field; `None` for bytes that are not UTF-8.
    #[inline]
    pub(super) fn text(&self, word: u64) -> Option<&str> {
        utf8(self.bytes(word)).ok()
    }
}

/// A string or byte string.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HeldText<'a, 'de> {
    /// A slice of the input.
    Borrowed(&'de [u8]),
    /// Text of the arena.
    Owned(&'a [u8]),
}

impl<'a, 'de: 'a> HeldText<'a, 'de> {
    /// The bytes.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            HeldText::Borrowed(bytes) | HeldText::Owned(bytes) => bytes,
        }
    }
}
