//! Messages that cannot be read.

use bytes::Bytes;
use tobu::Error;

/// A message that was skipped, because it cannot be read.
#[derive(Debug)]
pub struct Bad {
    number: u64,
    position: Option<u64>,
    error: Error,
    message: Bytes,
}

impl Bad {
    pub(crate) fn new(number: u64, position: Option<u64>, error: Error) -> Self {
        Bad { number, position, error, message: Bytes::new() }
    }

    /// Returns how many messages came before it, bad ones included.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns where the message starts in its input, if the position was [passed](crate::Batcher::push_at).
    pub fn position(&self) -> Option<u64> {
        self.position
    }

    /// Returns why the message cannot be read.
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// Returns its bytes.
    pub fn message(&self) -> &Bytes {
        &self.message
    }
}

/// Bad messages: all are counted, and the first ones are kept.
#[derive(Debug)]
pub(crate) struct BadList {
    pub(crate) count: u64,
    kept: Vec<Bad>,
    keep: usize,
    bytes: usize,
    most_bytes: usize,
}

impl BadList {
    pub(crate) fn new(keep: usize, most_bytes: usize) -> Self {
        BadList { count: 0, kept: Vec::new(), keep, bytes: 0, most_bytes }
    }

    #[cold]
    pub(crate) fn add(&mut self, bad: Bad, message: &[u8]) {
        self.count += 1;
        let bytes = self.bytes.saturating_add(message.len());
        if self.kept.len() < self.keep && bytes <= self.most_bytes {
            self.bytes = bytes;
            self.kept.push(Bad { message: Bytes::copy_from_slice(message), ..bad });
        }
    }

    pub(crate) fn take(&mut self) -> Vec<Bad> {
        self.bytes = 0;
        std::mem::take(&mut self.kept)
    }
}
