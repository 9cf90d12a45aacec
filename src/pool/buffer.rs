//! Pools of buffers.

use super::shelf::{Shelf, Slot};
use super::{Bounds, Pooled};
use crate::encode::Encode;
use crate::error::Result;
use crate::options::EncodeOptions;
use std::fmt;
use std::sync::Arc;

/// Buffers for encoded messages that are used again.
///
/// ```
/// use tobu::pool::BufferPool;
/// use tobu::types::StringValue;
///
/// let pool = BufferPool::new();
/// let bytes = pool.encode(&StringValue::from("hi"))?;
/// assert_eq!(*bytes, b"\x0a\x02hi");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// A clone is another handle of the same pool. Buffers are measured by their capacity. What was written to one stays in
/// memory until it is overwritten, but a buffer is lent empty.
#[derive(Clone)]
pub struct BufferPool {
    shelf: Arc<Shelf<Vec<u8>>>,
}

impl BufferPool {
    /// A pool with the default [`Bounds`].
    pub fn new() -> Self {
        Self::bounded(Bounds::new())
    }

    /// A pool with these bounds.
    pub fn bounded(bounds: Bounds) -> Self {
        let release = |buffer: &mut Vec<u8>| {
            buffer.clear();
            Some(buffer.capacity())
        };
        BufferPool { shelf: Arc::new(Shelf::new(bounds, release)) }
    }

    /// Lends an empty buffer.
    ///
    /// ```
    /// let pool = tobu::pool::BufferPool::new();
    /// pool.lend().extend(b"used");
    /// let buffer = pool.lend();
    /// assert!(buffer.is_empty() && buffer.capacity() >= 4);
    /// ```
    pub fn lend(&self) -> Pooled<Vec<u8>> {
        Pooled::new(self.shelf.take().unwrap_or_else(|| Slot::new(Vec::new())), &self.shelf)
    }

    /// Encodes a message to a buffer of the pool.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    pub fn encode<M: Encode + ?Sized>(&self, message: &M) -> Result<Pooled<Vec<u8>>> {
        self.encode_with(message, EncodeOptions::new())
    }

    /// [`encode`](Self::encode) with options.
    ///
    /// # Errors
    /// As [`to_vec`](crate::to_vec).
    pub fn encode_with<M: Encode + ?Sized>(
        &self,
        message: &M,
        options: EncodeOptions,
    ) -> Result<Pooled<Vec<u8>>> {
        let mut buffer = self.lend();
        options.append(message, &mut buffer)?;
        Ok(buffer)
    }

    /// How many buffers are kept.
    pub fn kept(&self) -> usize {
        self.shelf.kept().0
    }

    /// How many bytes of memory they hold.
    pub fn kept_bytes(&self) -> usize {
        self.shelf.kept().1
    }

    /// Drops all buffers that are kept.
    pub fn clear(&self) {
        drop(self.shelf.take_all());
    }
}

impl Default for BufferPool {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for BufferPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shelf.fmt_as("BufferPool", f)
    }
}
