//! Input that is received in chunks. Only the bytes that are still needed are kept.

use super::{Reader, Tag, WireType};
use crate::error::{Error, LimitError, Result, WireError};

/// A buffer of a stream: bytes that were received and not consumed yet.
#[derive(Debug, Default)]
pub struct Source {
    buf: Vec<u8>,
    /// The index of the next byte in the buffer.
    at: usize,
    /// The index in the buffer of the element that is being gathered.
    kept: Option<usize>,
    /// The position of the buffer in the stream.
    base: u64,
    /// How many bytes will be skipped when they are received.
    skip: u64,
    ended: bool,
}

impl Source {
    /// Adds a chunk.
    #[doc(hidden)]
    pub fn push(&mut self, chunk: &[u8]) {
        let used = self.kept.unwrap_or(self.at);
        self.buf.drain(..used);
        self.base += used as u64;
        self.at -= used;
        self.kept = self.kept.map(|_| 0);
        let skipped = match (self.buf.is_empty(), self.kept) {
            // None of the chunk must be copied.
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

    /// The position of the next byte in the stream.
    #[doc(hidden)]
    pub fn position(&self) -> u64 {
        self.base + self.at as u64
    }

    /// The unread bytes up to a position in the stream, and whether more of them may follow.
    #[doc(hidden)]
    pub fn available(&self, end: u64) -> (&[u8], bool) {
        let (rest, most) = (&self.buf[self.at..], end - self.position());
        match rest.get(..usize::try_from(most).unwrap_or(usize::MAX)) {
            Some(rest) => (rest, false),
            None => (rest, !self.ended),
        }
    }

    /// Consumes available bytes.
    #[doc(hidden)]
    pub fn take(&mut self, len: usize) {
        self.at += len;
    }

    /// Consumed bytes, by their positions in the stream.
    #[doc(hidden)]
    pub fn bytes(&self, start: u64, end: u64) -> &[u8] {
        &self.buf[(start - self.base) as usize..(end - self.base) as usize]
    }

    /// Keeps all bytes from here on, until they are released.
    #[doc(hidden)]
    pub fn keep(&mut self) {
        self.kept = Some(self.at);
    }

    /// The position of the kept bytes in the stream.
    #[doc(hidden)]
    pub fn kept(&self) -> Option<u64> {
        self.kept.map(|at| self.base + at as u64)
    }

    #[doc(hidden)]
    pub fn let_go(&mut self) {
        self.kept = None;
    }

    /// Skips bytes, received or not.
    #[doc(hidden)]
    pub fn skip(&mut self, len: u64) {
        self.skip += len;
    }

    /// Skips received bytes; false if further bytes must be received and skipped.
    #[doc(hidden)]
    pub fn skip_available(&mut self) -> bool {
        let len = self.skip.min((self.buf.len() - self.at) as u64);
        self.at += len as usize;
        self.skip -= len;
        self.skip == 0
    }

    /// How many bytes are still to be skipped.
    #[doc(hidden)]
    pub fn to_skip(&self) -> u64 {
        self.skip
    }

    /// Converts the offset of an error from the available bytes to the stream.
    #[doc(hidden)]
    pub fn locate(&self, error: Error) -> Error {
        error.shift_bytes(self.position())
    }
}

/// Reads a tag, and a scalar value or a length. Returns the length of the content after it.
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

/// Skips a number.
pub fn skip_number(reader: &mut Reader<'_>, wire_type: WireType) -> Result<()> {
    match wire_type {
        WireType::Fixed32 => reader.fixed32().map(drop),
        WireType::Fixed64 => reader.fixed64().map(drop),
        _ => reader.varint().map(drop),
    }
}
