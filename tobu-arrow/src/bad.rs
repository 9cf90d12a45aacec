//! Messages that were skipped, because they cannot be read.

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

    /// Returns the number of messages before this one, including bad messages.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Returns the position of the message in its input, if the caller gave it to [`push_at`](crate::Batcher::push_at).
    pub fn position(&self) -> Option<u64> {
        self.position
    }

    /// Returns the error that says why the message cannot be read.
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// Returns the bytes of the message, as they were in the input.
    pub fn message(&self) -> &Bytes {
        &self.message
    }
}

/// The list of bad messages. It counts all bad messages, and keeps the first ones, up to a number of messages and of bytes.
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
