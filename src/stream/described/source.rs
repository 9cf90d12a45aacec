//! The bytes that were read from a stream and are not yet consumed.

use super::frame::{Fault, HEADER, Header, MARKER, Marker};
use crate::error::Result;
use std::io::Read;

/// Reads bytes from a stream, and keeps them until they are consumed. It never reads more bytes than requested.
pub(super) struct Source<R> {
    inner: R,
    bytes: Vec<u8>,
    /// The index in `bytes` of the first byte that is not consumed.
    at: usize,
    /// The position of this byte in the stream.
    offset: u64,
}

/// The size of reads while scanning for a block.
const CHUNK: usize = 4096;

impl<R: Read> Source<R> {
    pub(super) fn new(inner: R) -> Self {
        Source { inner, bytes: Vec::new(), at: 0, offset: 0 }
    }

    pub(super) fn into_inner(self) -> R {
        self.inner
    }

    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the available bytes.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Reads until `size` bytes are available. Returns false if the stream ends before. Memory is allocated as bytes
    /// arrive.
    pub(super) fn fill(&mut self, size: usize) -> Result<bool> {
        let there = self.bytes().len();
        if there < size {
            // The bytes are moved only if about as many bytes were consumed before.
            if self.at >= self.bytes.len() / 2 {
                self.bytes.drain(..self.at);
                self.at = 0;
            }
            (&mut self.inner).take((size - there) as u64).read_to_end(&mut self.bytes)?;
        }
        Ok(self.bytes().len() >= size)
    }

    pub(super) fn consume(&mut self, size: usize) {
        self.at += size;
        self.offset += size as u64;
    }

    /// Consumes all bytes before the next undamaged header. Returns the number of consumed bytes, and true if there is
    /// such a header. Otherwise consumes all bytes and returns false.
    pub(super) fn seek(&mut self, marker: Marker) -> Result<(u64, bool)> {
        let start = self.offset;
        loop {
            match self.bytes().windows(MARKER).position(|bytes| bytes == marker) {
                Some(at) => {
                    self.consume(at);
                    if !self.fill(HEADER)? {
                        self.consume(self.bytes().len());
                        return Ok((self.offset - start, false));
                    }
                    if !matches!(self.header(), Err(Fault::Damaged(_))) {
                        return Ok((self.offset - start, true));
                    }
                    self.consume(1);
                }
                None => {
                    // The last bytes may begin a marker.
                    self.consume(self.bytes().len().saturating_sub(MARKER - 1));
                    let there = self.bytes().len();
                    self.fill(CHUNK)?;
                    if self.bytes().len() == there {
                        self.consume(there);
                        return Ok((self.offset - start, false));
                    }
                }
            }
        }
    }

    /// Reads the header of the block that begins at the first available byte. All bytes of the header are available.
    pub(super) fn header(&self) -> Result<Header, Fault> {
        let mut header = [0; HEADER];
        header.copy_from_slice(&self.bytes()[..HEADER]);
        Header::read(header)
    }
}
