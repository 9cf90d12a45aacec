//! How much an input may cost.

use crate::error::{Error, LimitError, Result};

/// Bounds on the cost of decoding or encoding one message; on by default, the same for every format.
///
/// ```
/// use tobu::Limits;
///
/// let strict = Limits::default().depth(16).input(64 * 1024);
/// assert_eq!(strict.max_depth(), 16);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    depth: u32,
    memory: Option<u64>,
    input: u64,
}

impl Limits {
    /// Levels of messages, the outermost one included, that may be nested; 100 by default. An entry of a map whose values are
    /// messages is a level between two, as it is one on the wire.
    #[must_use]
    pub fn depth(mut self, levels: u32) -> Self {
        self.depth = levels;
        self
    }

    /// Bytes of memory that the result of one input may take, besides the bytes that strings and byte strings copy from
    /// it. By default 64 MiB or 32 times the size of the input, whichever is more.
    ///
    /// Of a struct with tobu's derive its messages count, each by the size of its struct. From JSON, list elements and
    /// map entries count, too. From the wire format, elements of lists of numbers and strings do not: they take at most
    /// 12 times their bytes. Of a dynamic message all words count. For any other serde type the message that it is read
    /// from counts, unless it is read from its bytes, and every element, entry and struct of the type. That includes the spare capacity of lists, which grow
    /// by doubling.
    ///
    /// A single message of up to four numbers may count with the struct that it is a member of. While a list is moved
    /// to where it has more room, the old one is not counted.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Bytes that an input may have; 2 GiB less one by default, which is also the most that the format allows.
    #[must_use]
    pub fn input(mut self, bytes: u64) -> Self {
        self.input = bytes.min(i32::MAX as u64);
        self
    }

    /// The levels of messages that may be nested.
    #[inline]
    pub fn max_depth(&self) -> u32 {
        self.depth
    }

    /// The bytes that an input may have.
    #[inline]
    pub fn max_input(&self) -> u64 {
        self.input
    }

    /// The memory that a message decoded from `input` bytes may take.
    #[inline]
    pub fn max_memory(&self, input: u64) -> u64 {
        self.memory.unwrap_or((64 << 20).max(input.saturating_mul(32)))
    }
}

impl Limits {
    /// Those of [`Default`].
    #[doc(hidden)]
    pub const DEFAULT: Limits = Limits { depth: 100, memory: None, input: i32::MAX as u64 };

    /// Fails when an input is larger than the limit.
    ///
    /// # Errors
    /// It is.
    #[inline]
    #[doc(hidden)]
    pub fn check_input(&self, size: usize) -> Result<()> {
        let (size, limit) = (size as u64, self.input);
        if size > limit {
            return Err(Error::limit(LimitError::Input { size, limit }));
        }
        Ok(())
    }
}

impl Default for Limits {
    #[inline]
    fn default() -> Self {
        Limits::DEFAULT
    }
}
