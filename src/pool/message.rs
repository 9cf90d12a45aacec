//! Pools of messages.

use super::growth::Growth;
use super::shelf::{Shelf, Slot};
use super::{Bounds, Pooled};
use crate::error::Result;
use crate::layout::Member;
use crate::message::{Merge, Message};
use crate::object::{RootMut, unmakable};
use crate::options::DecodeOptions;
use bytes::Bytes;
use std::fmt;
use std::sync::Arc;

/// Messages of one type that are used again: their strings, lists and sub-messages keep their memory.
///
/// ```
/// # use tobu_schemas::library::v1::Book;
/// use tobu::pool::MessagePool;
///
/// let pool = MessagePool::<Book>::new();
/// for title in ["Dune", "Emma"] {
///     let bytes = tobu::to_vec(&Book { title: title.into(), ..Book::default() })?;
///     let book = pool.decode(&bytes)?; // the second time without an allocation
///     assert_eq!(book.title, title);
/// }
/// assert_eq!(pool.kept(), 1);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// A clone is another handle of the same pool. The pool is `Send` and `Sync` if the messages are `Send`.
///
/// # What is kept
///
/// A message that comes back is measured: the size of its type, and the capacity of all strings, byte strings, lists and
/// maps in it. If it holds more than [`Bounds::each`], or the pool would keep more than it may, the message is dropped.
/// The measure is exact but for three kinds of members. It does not count the control bytes of a hash map and the nodes of
/// a `BTreeMap`. Text of other types than `String` and `Vec<u8>` counts by its length.
///
/// Measuring looks at every string, so it is spared where it cannot change the outcome. A message that was decoded and not
/// borrowed mutably counts with an upper bound: what it held when it was measured last, and for each decoding since 32 times
/// the bytes of the input and twice the structs in it. It is measured when that would go past a bound.
///
/// Each `Bytes` and each [`Lazy`](crate::lazy::Lazy) message that may share an input is dropped when its message comes back:
/// a small part may keep a large input alive. All other content stays in memory until another message replaces it. Whoever
/// borrows a message does not see it.
pub struct MessagePool<T> {
    shelf: Arc<Shelf<T>>,
    growth: Growth,
}

impl<T: Message + for<'de> Merge<'de>> MessagePool<T> {
    /// A pool with the default [`Bounds`].
    pub fn new() -> Self {
        Self::bounded(Bounds::new())
    }

    /// A pool with these bounds.
    pub fn bounded(bounds: Bounds) -> Self {
        // A type without a table cannot be emptied.
        let release = |message: &mut T| RootMut::of(message).bare().ok().map(|mut message| message.release());
        MessagePool { shelf: Arc::new(Shelf::new(bounds, release)), growth: Growth::of(T::shape()) }
    }

    /// Lends an empty message, which may be a used one.
    ///
    /// ```
    /// use tobu::pool::MessagePool;
    /// use tobu::types::StringValue;
    ///
    /// let pool = MessagePool::<StringValue>::new();
    /// pool.lend().value = "used".into();
    /// let message = pool.lend();
    /// assert_eq!(*message, StringValue::default());
    /// assert!(message.value.capacity() >= 4);
    /// ```
    ///
    /// # Panics
    /// No empty message can be made, since a skipped member has no default.
    pub fn lend(&self) -> Pooled<T> {
        let used = self.shelf.take().and_then(|mut slot| {
            RootMut::of(&mut slot.item).bare().ok()?.clear_all();
            Some(slot)
        });
        match used.map_or_else(make, Ok) {
            Ok(slot) => self.lent(slot),
            Err(error) => panic!("{}: {error}", T::shape().rust_name()),
        }
    }

    /// Decodes into a message of the pool; members of type [`Bytes`] are copies.
    ///
    /// ```
    /// use tobu::pool::MessagePool;
    /// use tobu::types::StringValue;
    ///
    /// let pool = MessagePool::<StringValue>::new();
    /// assert_eq!(pool.decode(b"\x0a\x02hi")?.value, "hi");
    ///
    /// let error = pool.decode(b"\x0a\x03hi").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "google.protobuf.StringValue.value: length of 3 bytes, but only 2 bytes are left (at byte 2)"
    /// );
    /// assert_eq!(pool.kept(), 1);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`from_slice`](crate::from_slice). The message goes back to the pool, empty.
    pub fn decode(&self, bytes: &[u8]) -> Result<Pooled<T>> {
        self.decode_with(bytes, DecodeOptions::new())
    }

    /// [`decode`](Self::decode) with options.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_with(&self, bytes: &[u8], options: DecodeOptions) -> Result<Pooled<T>> {
        self.used_or_empty()?.fill(|message| {
            let structs = options.refill(message, bytes, None)?;
            Ok(Growth::after(bytes.len(), structs))
        })
    }

    /// Decodes shared bytes into a message of the pool: members of type [`Bytes`] share them, until the message goes
    /// back.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_bytes(&self, bytes: &Bytes) -> Result<Pooled<T>> {
        self.decode_bytes_with(bytes, DecodeOptions::new())
    }

    /// [`decode_bytes`](Self::decode_bytes) with options.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn decode_bytes_with(&self, bytes: &Bytes, options: DecodeOptions) -> Result<Pooled<T>> {
        if !self.growth.shares {
            return self.decode_with(bytes, options);
        }
        let mut message = self.used_or_empty()?;
        options.from_bytes_in_place(&mut *message, bytes)?;
        Ok(message)
    }

    /// A message with any content.
    fn used_or_empty(&self) -> Result<Pooled<T>> {
        self.shelf.take().map_or_else(make, Ok).map(|slot| self.lent(slot))
    }

    fn lent(&self, mut slot: Box<Slot<T>>) -> Pooled<T> {
        slot.changed = self.growth.unknown;
        Pooled::new(slot, &self.shelf)
    }
}

impl<T> MessagePool<T> {
    /// How many messages are kept.
    pub fn kept(&self) -> usize {
        self.shelf.kept().0
    }

    /// How many bytes of memory they hold at most: see [`MessagePool`].
    pub fn kept_bytes(&self) -> usize {
        self.shelf.kept().1
    }

    /// Drops all messages that are kept.
    pub fn clear(&self) {
        drop(self.shelf.take_all());
    }
}

/// An empty message.
fn make<T: Member>() -> Result<Box<Slot<T>>> {
    T::empty().map(Slot::new).ok_or_else(unmakable)
}

impl<T> Clone for MessagePool<T> {
    fn clone(&self) -> Self {
        MessagePool { shelf: Arc::clone(&self.shelf), growth: self.growth }
    }
}

impl<T: Message + for<'de> Merge<'de>> Default for MessagePool<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for MessagePool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shelf.fmt_as("MessagePool", f)
    }
}
