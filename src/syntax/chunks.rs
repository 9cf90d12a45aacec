//! A stream that is read chunk by chunk.

use crate::error::Result;
use std::io::{ErrorKind, Read};

/// The largest number of bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// Reads a stream into one buffer that is used again.
#[derive(Debug)]
pub(crate) struct Chunks<R> {
    inner: R,
    buf: Box<[u8]>,
}

impl<R: Read> Chunks<R> {
    pub(crate) fn new(inner: R) -> Self {
        Chunks { inner, buf: vec![0; CHUNK].into() }
    }

    /// Returns the next chunk. The chunk is empty at the end of the stream.
    ///
    /// # Errors
    /// Reading fails.
    pub(crate) fn next(&mut self) -> Result<&[u8]> {
        loop {
            match self.inner.read(&mut self.buf) {
                Ok(len) => return Ok(&self.buf[..len]),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}
