//! Pools of parsed messages.

use super::pooled::{MessagePool, Pooled, Reusable};
use super::shelf::{Bounds, Growth, Shelf, Slot};
use crate::error::Result;
use crate::message::Message;
use crate::message::parsed::Parsed;
use crate::object::arena::content::Received;
use crate::options::DecodeOptions;
use bytes::Bytes;
use std::sync::Arc;

/// A pool of parsed messages keeps the memory of their arenas.
///
/// ```
/// # use tobu_schemas::library::v1::Book;
/// use tobu::Parsed;
/// use tobu::reuse::MessagePool;
///
/// let pool = MessagePool::<Parsed<Book>>::new();
/// for title in ["Dune", "Emma"] {
///     let bytes = tobu::to_vec(&Book { title: title.into(), ..Book::default() })?;
///     let book = pool.decode_bytes(bytes.into())?; // the second time in the memory of the first
///     assert_eq!(book.get().title(), title);
/// }
/// assert_eq!(pool.kept(), 1);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// A message returns to the pool without its input. If a clone shares the memory of a message, the message does not
/// return.
impl<T: Message> MessagePool<Parsed<T>> {
    /// Decodes a message, which keeps a copy of the bytes.
    ///
    /// # Errors
    /// Fails if [`Parsed::decode`] would fail.
    pub fn decode(&self, bytes: &[u8]) -> Result<Pooled<Parsed<T>>> {
        self.decode_with(bytes, DecodeOptions::new())
    }

    /// Decodes a message with options. The message keeps a copy of the bytes.
    ///
    /// # Errors
    /// Fails if [`Parsed::decode`] would fail.
    pub fn decode_with(&self, bytes: &[u8], options: DecodeOptions) -> Result<Pooled<Parsed<T>>> {
        Parsed::<T>::check_input(bytes.len(), options)?;
        self.received(bytes.into(), options)
    }

    /// Decodes a message from shared bytes.
    ///
    /// # Errors
    /// Fails if [`Parsed::decode`] would fail.
    pub fn decode_bytes(&self, bytes: Bytes) -> Result<Pooled<Parsed<T>>> {
        self.decode_bytes_with(bytes, DecodeOptions::new())
    }

    /// Decodes a message from shared bytes with options.
    ///
    /// # Errors
    /// Fails if [`Parsed::decode`] would fail.
    pub fn decode_bytes_with(&self, bytes: Bytes, options: DecodeOptions) -> Result<Pooled<Parsed<T>>> {
        Parsed::<T>::check_input(bytes.len(), options)?;
        self.received(Received::Shared(bytes), options)
    }

    /// Decodes bytes whose length was already checked.
    fn received(&self, received: Received<'_>, options: DecodeOptions) -> Result<Pooled<Parsed<T>>> {
        let Some(used) = self.shelf.take() else {
            return Ok(self.lent(Slot::new(Parsed::decode_checked(received, options)?)));
        };
        self.lent(used).fill(|message| message.fill(received, options).map(|()| 0))
    }
}

impl<T: Message> Reusable for Parsed<T> {
    fn pool(bounds: Bounds) -> MessagePool<Self> {
        // The measure of a message is its capacity, which is known without a walk.
        let growth = Growth { unknown: true, shares: false };
        MessagePool { shelf: Arc::new(Shelf::new(bounds, Parsed::release)), growth }
    }
}
