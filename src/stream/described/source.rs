//! What was read of a stream and is not used up.

use super::frame::{Fault, HEADER, Header, MARKER, Marker};
use crate::error::Result;
use std::io::Read;

/// Bytes of a reader, from a position on: never more of them than were asked for.
pub(super) struct Source<R> {
    inner: R,
    bytes: Vec<u8>,
    /// Where in `bytes` those begin that are not used up.
    at: usize,
    /// The position of that in the stream.
    offset: u64,
}

/// What is read at a time while a block is looked for.
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

    /// What is there.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    /// Makes so many bytes be there, or all up to the end: false then. Memory is taken as bytes come.
    pub(super) fn fill(&mut self, size: usize) -> Result<bool> {
        let there = self.bytes().len();
        if there < size {
            // No byte is moved unless another was used up for it.
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

    /// Uses up what stands before a header that is not damaged, and gives the number of those bytes; all that there is,
    /// and false, where there is no such header.
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
                    // The last of them may begin a marker.
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

    /// The header of the block that begins here, whose bytes are there.
    pub(super) fn header(&self) -> Result<Header, Fault> {
        let mut header = [0; HEADER];
        header.copy_from_slice(&self.bytes()[..HEADER]);
        Header::read(header)
    }
}
