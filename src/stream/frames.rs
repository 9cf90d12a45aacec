//! Finds the messages of a stream, in which each message comes after its length.

use crate::error::{Error, LimitError, Result, WireError};
use std::io::{BufRead, BufReader, ErrorKind, Read};

/// Finds the messages of a stream, and lends their bytes.
#[derive(Debug)]
pub(super) struct Frames<R> {
    inner: BufReader<R>,
    /// The bytes of the last message that was not completely in the buffer of `inner`.
    bytes: Vec<u8>,
    /// How many bytes of the buffer of `inner` are borrowed.
    lent: usize,
    /// The offset of the next byte in the stream.
    offset: usize,
}

impl<R: Read> Frames<R> {
    pub(super) fn new(inner: R) -> Self {
        Frames { inner: BufReader::new(inner), bytes: Vec::new(), lent: 0, offset: 0 }
    }

    /// Returns the bytes of the next message, and their position in the stream. Returns `None` if the stream ends
    /// before the message.
    ///
    /// # Errors
    /// Reading fails, the length of the message is malformed or above the limit, or the stream ends inside the message.
    pub(super) fn next(&mut self, limit: u64) -> Result<Option<(&[u8], u64)>> {
        self.take_back();
        let start = self.offset;
        let Some(size) = self.length()? else { return Ok(None) };
        if size > limit {
            return Err(Error::limit(LimitError::Input { size, limit }).at_byte(start));
        }
        let start = self.offset as u64;
        if size <= self.inner.buffer().len() as u64 {
            self.lent = size as usize;
            self.offset += self.lent;
            return Ok(self.inner.buffer().get(..self.lent).map(|bytes| (bytes, start)));
        }
        self.bytes.clear();
        let left = (&mut self.inner).take(size).read_to_end(&mut self.bytes)? as u64;
        if left < size {
            return Err(Error::wire(WireError::Truncated { wanted: size, left }, self.offset));
        }
        self.offset += self.bytes.len();
        Ok(Some((&self.bytes, start)))
    }

    fn length(&mut self) -> Result<Option<u64>> {
        let (mut length, start) = (0u64, self.offset);
        for i in 0..10 {
            let mut byte = [0];
            match self.inner.read_exact(&mut byte) {
                Ok(()) => {}
                Err(error) if error.kind() == ErrorKind::UnexpectedEof && i == 0 => return Ok(None),
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => {
                    return Err(Error::wire(WireError::TruncatedVarint, start));
                }
                Err(error) => return Err(error.into()),
            }
            self.offset += 1;
            if i == 9 && byte[0] > 1 {
                break;
            }
            length |= u64::from(byte[0] & 0x7f) << (7 * i);
            if byte[0] < 0x80 {
                return Ok(Some(length));
            }
        }
        Err(Error::wire(WireError::VarintOverflow, start))
    }

    #[cfg(feature = "streams")]
    pub(super) fn into_rest(mut self) -> BufReader<R> {
        self.take_back();
        self.inner
    }

    fn take_back(&mut self) {
        self.inner.consume(std::mem::take(&mut self.lent));
    }
}

impl<R> Frames<R> {
    pub(super) fn inner(&self) -> &BufReader<R> {
        &self.inner
    }

    pub(super) fn inner_mut(&mut self) -> &mut BufReader<R> {
        &mut self.inner
    }

    /// Returns the stream, without the bytes that were buffered from it.
    pub(super) fn into_inner(self) -> R {
        self.inner.into_inner()
    }

    /// Returns the bytes that were read from the stream, but do not belong to a returned message.
    pub(super) fn buffer(&self) -> &[u8] {
        self.inner.buffer().get(self.lent..).unwrap_or_default()
    }
}
