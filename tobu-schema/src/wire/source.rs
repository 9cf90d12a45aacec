//! A buffer for input that is received in chunks. It keeps only the bytes that are still needed.

use super::{Reader, Tag, WireType};
use crate::error::{Error, LimitError, Result, WireError};

/// A buffer of a stream: the bytes that were received and are still needed.
#[derive(Debug, Default)]
pub struct Source {
    buf: Vec<u8>,
    /// The index of the next byte in the buffer.
    at: usize,
    /// The index in the buffer of the first consumed byte that is kept, or `None` if no consumed bytes are kept.
    kept: Option<usize>,
    /// The position of the buffer's first byte in the stream.
    base: u64,
    /// How many bytes are still to be skipped.
    skip: u64,
    ended: bool,
}

impl Source {
    /// Adds a chunk, and removes bytes that are no longer needed.
    #[doc(hidden)]
    pub fn push(&mut self, chunk: &[u8]) {
        let used = self.kept.unwrap_or(self.at);
        self.buf.drain(..used);
        self.base += used as u64;
        self.at -= used;
        self.kept = self.kept.map(|_| 0);
        let skipped = match (self.buf.is_empty(), self.kept) {
            // The buffer is empty, so the start of the chunk can be skipped without copying it.
            (true, None) => self.skip.min(chunk.len() as u64) as usize,
            _ => 0,
        };
        self.skip -= skipped as u64;
        self.base += skipped as u64;
        self.buf.extend_from_slice(&chunk[skipped..]);
    }

    /// Records the end of the input.
    #[doc(hidden)]
    pub fn finish(&mut self) {
        self.ended = true;
    }

    #[doc(hidden)]
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Returns the position of the next byte in the stream.
    #[doc(hidden)]
    pub fn position(&self) -> u64 {
        self.base + self.at as u64
    }

    /// Returns the unread bytes up to the position `end` in the stream, and whether more bytes before `end` may follow.
    #[doc(hidden)]
    pub fn available(&self, end: u64) -> (&[u8], bool) {
        let (rest, most) = (&self.buf[self.at..], end - self.position());
        match rest.get(..usize::try_from(most).unwrap_or(usize::MAX)) {
            Some(rest) => (rest, false),
            None => (rest, !self.ended),
        }
    }

    /// Consumes `len` of the available bytes.
    #[doc(hidden)]
    pub fn take(&mut self, len: usize) {
        self.at += len;
    }

    /// Returns consumed bytes that were kept, by their positions in the stream.
    #[doc(hidden)]
    pub fn bytes(&self, start: u64, end: u64) -> &[u8] {
        &self.buf[(start - self.base) as usize..(end - self.base) as usize]
    }

    /// Keeps all bytes from the current position on, until `let_go` releases them.
    #[doc(hidden)]
    pub fn keep(&mut self) {
        self.kept = Some(self.at);
    }

    /// Returns the position of the first kept byte in the stream, or `None` if no bytes are kept.
    #[doc(hidden)]
    pub fn kept(&self) -> Option<u64> {
        self.kept.map(|at| self.base + at as u64)
    }

    #[doc(hidden)]
    pub fn let_go(&mut self) {
        self.kept = None;
    }

    /// Skips the next `len` bytes, even if they are not yet received.
    #[doc(hidden)]
    pub fn skip(&mut self, len: u64) {
        self.skip += len;
    }

    /// Skips received bytes. Returns false if further bytes must be received and skipped.
    #[doc(hidden)]
    pub fn skip_available(&mut self) -> bool {
        let len = self.skip.min((self.buf.len() - self.at) as u64);
        self.at += len as usize;
        self.skip -= len;
        self.skip == 0
    }

    /// Returns how many bytes are still to be skipped.
    #[doc(hidden)]
    pub fn to_skip(&self) -> u64 {
        self.skip
    }

    /// Converts the offset of an error from an offset in the available bytes to an offset in the stream.
    #[doc(hidden)]
    pub fn locate(&self, error: Error) -> Error {
        error.shift_bytes(self.position())
    }
}

/// Reads a tag, and the length prefix or the number after the tag. Returns the tag and the length of the payload that follows.
/// The length is 0 after a number, and for the start or end tag of a group.
pub fn header(reader: &mut Reader<'_>, left: u64) -> Result<(Tag, u64), (Option<Tag>, Error)> {
    let tag = reader.tag().map_err(|error| (None, error))?;
    let size = match tag.wire_type() {
        WireType::Len => reader.varint().and_then(|size| {
            let left = left - reader.position() as u64;
            if size > i32::MAX as u64 {
                return Err(Error::limit(LimitError::Length(size)).at_byte(reader.position()));
            }
            if size > left {
                return Err(Error::wire(WireError::Truncated { wanted: size, left }, reader.position()));
            }
            Ok(size)
        }),
        WireType::StartGroup | WireType::EndGroup => Ok(0),
        wire_type => skip_number(reader, wire_type).map(|()| 0),
    };
    size.map(|size| (tag, size)).map_err(|error| (Some(tag), error))
}

/// Skips a number with this wire type.
pub fn skip_number(reader: &mut Reader<'_>, wire_type: WireType) -> Result<()> {
    match wire_type {
        WireType::Fixed32 => reader.fixed32().map(drop),
        WireType::Fixed64 => reader.fixed64().map(drop),
        _ => reader.varint().map(drop),
    }
}
