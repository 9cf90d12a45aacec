//! The input of a parser.

/// The text that is parsed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'i> {
    Text(&'i str),
    /// Bytes that need not be UTF-8.
    Bytes(&'i [u8]),
}

impl<'i> Source<'i> {
    pub(crate) fn bytes(self) -> &'i [u8] {
        match self {
            Source::Text(text) => text.as_bytes(),
            Source::Bytes(bytes) => bytes,
        }
    }
}
