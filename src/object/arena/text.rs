//! Text of a dynamic message, which may be borrowed from the input.

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
