//! Limits on the cost of an input.

use crate::error::{Error, LimitError, Result};

/// Limits on the cost of decoding or encoding one message. They are on by default, and apply to every format.
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
    /// Sets how many levels of messages may be nested; 100 by default. The outermost message is a level. In a map
    /// whose values are messages, each entry is a level, too, because a map entry is a message on the wire.
    #[must_use]
    pub fn depth(mut self, levels: u32) -> Self {
        self.depth = levels;
        self
    }

    /// Sets how many bytes of memory the result of one input may take. The bytes that strings and byte strings copy
    /// from the input do not count. The default is 64 MiB or 32 times the size of the input, whichever is larger.
    ///
    /// What counts depends on the type that is decoded:
    /// * For a struct with tobu's derive, each message counts with the size of its struct. In JSON, list elements and
    ///   map entries also count. In the wire format, elements of lists of numbers and strings do not count, because
    ///   they take at most 12 times as much memory as their wire bytes.
    /// * For a dynamic message, every word of 64 bits counts.
    /// * For any other serde type, every element, entry and struct counts, and so does the spare capacity of lists,
    ///   which grow by doubling. The intermediate message counts, too, unless the type is read directly from bytes.
    ///
    /// A single message of up to four numbers may count together with the struct that contains it. While a list moves
    /// to a larger allocation, its old allocation does not count.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// Sets how many bytes an input may have. The default is one less than 2 GiB. Larger values have no effect,
    /// because the wire format has the same limit.
    #[must_use]
    pub fn input(mut self, bytes: u64) -> Self {
        self.input = bytes.min(i32::MAX as u64);
        self
    }

    /// Returns how many levels of messages may be nested.
    #[inline]
    pub fn max_depth(&self) -> u32 {
        self.depth
    }

    /// Returns how many bytes an input may have.
    #[inline]
    pub fn max_input(&self) -> u64 {
        self.input
    }

    /// Returns how many bytes of memory a message may take that is decoded from `input` bytes.
    #[inline]
    pub fn max_memory(&self, input: u64) -> u64 {
        self.memory.unwrap_or((64 << 20).max(input.saturating_mul(32)))
    }
}

impl Limits {
    /// The limits of [`Default`].
    #[doc(hidden)]
    pub const DEFAULT: Limits = Limits { depth: 100, memory: None, input: i32::MAX as u64 };

    /// Checks the size of an input against the limit.
    ///
    /// # Errors
    /// The input is larger than the limit.
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
