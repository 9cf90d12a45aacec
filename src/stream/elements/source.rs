//! Bytes that come in chunks, of which only what is needed is kept.

use crate::error::Error;

/// A part of a stream: what came, and is not passed over yet.
#[derive(Debug, Default)]
pub(super) struct Source {
    buf: Vec<u8>,
    /// The next byte to be read, in the buffer.
    at: usize,
    /// Where an element begins that is being gathered, in the buffer.
    kept: Option<usize>,
    /// Where the buffer begins in the stream.
    base: u64,
    /// How many bytes are passed over as they come.
    skip: u64,
    ended: bool,
}

impl Source {
    /// Adds what came.
    pub(super) fn push(&mut self, chunk: &[u8]) {
        let used = self.kept.unwrap_or(self.at);
        self.buf.drain(..used);
        self.base += used as u64;
        self.at -= used;
        self.kept = self.kept.map(|_| 0);
        let skipped = match (self.buf.is_empty(), self.kept) {
            // Nothing of it needs a copy.
            (true, None) => self.skip.min(chunk.len() as u64) as usize,
            _ => 0,
        };
        self.skip -= skipped as u64;
        self.base += skipped as u64;
        self.buf.extend_from_slice(&chunk[skipped..]);
    }

    /// Notes that nothing more comes.
    pub(super) fn finish(&mut self) {
        self.ended = true;
    }

    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// Where in the stream the next byte is.
    pub(super) fn position(&self) -> u64 {
        self.base + self.at as u64
    }

    /// What came and was not read, up to a place in the stream; and whether more of that may come.
    pub(super) fn available(&self, end: u64) -> (&[u8], bool) {
        let (rest, most) = (&self.buf[self.at..], end - self.position());
        match rest.get(..usize::try_from(most).unwrap_or(usize::MAX)) {
            Some(rest) => (rest, false),
            None => (rest, !self.ended),
        }
    }

    /// Takes bytes that came.
    pub(super) fn take(&mut self, len: usize) {
        self.at += len;
    }

    /// Bytes that were read, by how many came before them in the stream.
    pub(super) fn bytes(&self, start: u64, end: u64) -> &[u8] {
        &self.buf[(start - self.base) as usize..(end - self.base) as usize]
    }

    /// Keeps all from here on, until it is let go.
    pub(super) fn keep(&mut self) {
        self.kept = Some(self.at);
    }

    /// Where what is kept begins in the stream.
    pub(super) fn kept(&self) -> Option<u64> {
        self.kept.map(|at| self.base + at as u64)
    }

    pub(super) fn let_go(&mut self) {
        self.kept = None;
    }

    /// Passes over bytes, be they there yet or not.
    pub(super) fn skip(&mut self, len: u64) {
        self.skip += len;
    }

    /// Passes over what came of what is to be; false where more of it has to come.
    pub(super) fn skip_available(&mut self) -> bool {
        let len = self.skip.min((self.buf.len() - self.at) as u64);
        self.at += len as usize;
        self.skip -= len;
        self.skip == 0
    }

    /// How many bytes are still to be passed over.
    pub(super) fn to_skip(&self) -> u64 {
        self.skip
    }

    /// An error at an offset in what is available, as one in the stream.
    pub(super) fn place(&self, error: Error) -> Error {
        error.shift_bytes(self.position())
    }
}
