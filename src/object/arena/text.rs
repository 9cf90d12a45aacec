//! The text of a dynamic message, which may be borrowed from the input.

/// A string or byte string.
#[derive(Clone, Copy, Debug)]
pub(crate) enum HeldText<'a, 'de> {
    /// A part of the input.
    Borrowed(&'de [u8]),
    /// A text in the arena.
    Owned(&'a [u8]),
}

impl<'a, 'de: 'a> HeldText<'a, 'de> {
    /// Returns the bytes of the text.
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            HeldText::Borrowed(bytes) | HeldText::Owned(bytes) => bytes,
        }
    }
}
