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
    /// How many levels of messages may be nested, the outermost one included; 100 by default. The entry of a map
    /// whose values are messages counts as a level, because it is a message on the wire.
    #[must_use]
    pub fn depth(mut self, levels: u32) -> Self {
        self.depth = levels;
        self
    }

    /// How many bytes of memory the result of one input may take, without the bytes that strings and byte strings
    /// copy from the input. The default is 64 MiB or 32 times the size of the input, whichever is larger.
    ///
    /// For a struct with tobu's derive, each message counts with the size of its struct. In JSON, list elements and
    /// map entries also count. In the wire format, elements of lists of numbers and strings do not count, because
    /// they take at most 12 times their bytes. For a dynamic message, all words count. For any other serde type, the
    /// message that it is read from counts, unless it is read directly from bytes, and so does every element, entry
    /// and struct of the type, including the spare capacity of lists, which grow by doubling.
    ///
    /// A single message of up to four numbers may count together with the struct that contains it. While a list is
    /// moved to a larger allocation, the old one does not count.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.memory = Some(bytes);
        self
    }

    /// How many bytes an input may have; one less than 2 GiB by default, which is also the limit of the format.
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
    /// The limits of [`Default`].
    #[doc(hidden)]
    pub const DEFAULT: Limits = Limits { depth: 100, memory: None, input: i32::MAX as u64 };

    /// Fails if an input is larger than the limit.
    ///
    /// # Errors
    /// The input is larger.
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
