//! Items that a pool lends.

use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use bytes::Bytes;

use crate::error::Result;
use crate::layout::Member;
use crate::message::{Merge, Message};
use crate::object::{RootMut, unmakable};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::reuse::Bounds;
use crate::reuse::shelf::{Growth, Shelf, Slot};
use crate::serde::encode::Encode;

/// An item that a pool lends. It returns to the pool when it is dropped.
///
/// An item that is dropped during a panic does not return, because the cause of the panic may have left it half
/// changed.
///
/// ```
/// use tobu::reuse::MessagePool;
/// use tobu::types::StringValue;
///
/// let pool = MessagePool::<StringValue>::new();
/// let message = pool.decode(b"\x0a\x02hi")?;
/// assert_eq!(message.value, "hi");
/// assert_eq!(pool.kept(), 0);
///
/// drop(message);
/// assert_eq!(pool.kept(), 1);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// A lent item keeps its pool alive, so it may outlive all other handles of the pool.
pub struct Pooled<T> {
    /// `None` only while the item is being dropped or taken out.
    slot: Option<Box<Slot<T>>>,
    home: Arc<Shelf<T>>,
}

impl<T> Pooled<T> {
    pub(super) fn new(slot: Box<Slot<T>>, home: &Arc<Shelf<T>>) -> Self {
        Pooled { slot: Some(slot), home: Arc::clone(home) }
    }

    /// Fills the item. `fill` returns an upper bound of the bytes of heap that the item has gained. After an error or a
    /// panic, the item counts as changed.
    pub(super) fn fill(mut self, fill: impl FnOnce(&mut T) -> Result<usize>) -> Result<Self> {
        let slot = self.slot.as_mut().expect(ABSENT);
        let changed = std::mem::replace(&mut slot.changed, true);
        slot.heap = slot.heap.saturating_add(fill(&mut slot.item)?);
        slot.changed = changed;
        Ok(self)
    }

    /// Takes the item out, so that it does not return to the pool.
    ///
    /// ```
    /// use tobu::reuse::{MessagePool, Pooled};
    /// use tobu::types::StringValue;
    ///
    /// let pool = MessagePool::<StringValue>::new();
    /// let message: StringValue = Pooled::into_inner(pool.decode(b"\x0a\x02hi")?);
    /// assert_eq!((message.value.as_str(), pool.kept()), ("hi", 0));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// This is a function instead of a method, so that it does not hide a method of the item.
    pub fn into_inner(this: Self) -> T {
        let mut this = this;
        this.slot.take().expect(ABSENT).item
    }
}

const ABSENT: &str = "the item is there until this is dropped";

impl<T> Drop for Pooled<T> {
    fn drop(&mut self) {
        if let Some(slot) = self.slot.take()
            && !std::thread::panicking()
        {
            self.home.give_back(slot);
        }
    }
}

impl<T> Deref for Pooled<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.slot.as_ref().expect(ABSENT).item
    }
}

impl<T> DerefMut for Pooled<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        let slot = self.slot.as_mut().expect(ABSENT);
        slot.changed = true;
        &mut slot.item
    }
}

/// A lent buffer can own the memory of a [`bytes::Bytes`]. The buffer returns to the pool when the last clone of the
/// `Bytes` is dropped.
///
/// ```
/// use bytes::Bytes;
/// use tobu::reuse::BufferPool;
/// use tobu::types::StringValue;
///
/// let pool = BufferPool::new();
/// let body = Bytes::from_owner(pool.encode(&StringValue::from("hi"))?);
/// assert_eq!(body, b"\x0a\x02hi"[..]);
/// drop(body);
/// assert_eq!(pool.kept(), 1);
/// # Ok::<(), tobu::Error>(())
/// ```
impl AsRef<[u8]> for Pooled<Vec<u8>> {
    fn as_ref(&self) -> &[u8] {
        self
    }
}

impl<T: fmt::Debug> fmt::Debug for Pooled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Pooled<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: PartialEq> PartialEq<T> for Pooled<T> {
    fn eq(&self, other: &T) -> bool {
        **self == *other
    }
}

/// A pool of buffers for encoded messages.
///
/// ```
/// use tobu::reuse::BufferPool;
/// use tobu::types::StringValue;
///
/// let pool = BufferPool::new();
/// let bytes = pool.encode(&StringValue::from("hi"))?;
/// assert_eq!(*bytes, b"\x0a\x02hi");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// A clone is another handle of the same pool. Buffers are measured by their capacity. Old content stays in memory
/// until it is overwritten, but a buffer is lent empty.
#[derive(Clone)]
pub struct BufferPool {
    shelf: Arc<Shelf<Vec<u8>>>,
}

impl BufferPool {
    /// Creates a pool with the default [`Bounds`].
    pub fn new() -> Self {
        Self::bounded(Bounds::new())
    }

    /// Creates a pool with these bounds.
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
    /// let pool = tobu::reuse::BufferPool::new();
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
    /// Fails if [`to_vec`](crate::to_vec) would fail.
    pub fn encode<M: Encode + ?Sized>(&self, message: &M) -> Result<Pooled<Vec<u8>>> {
        self.encode_with(message, EncodeOptions::new())
    }

    /// Encodes a message to a buffer of the pool, with options.
    ///
    /// # Errors
    /// Fails if [`to_vec`](crate::to_vec) would fail.
    pub fn encode_with<M: Encode + ?Sized>(
        &self,
        message: &M,
        options: EncodeOptions,
    ) -> Result<Pooled<Vec<u8>>> {
        let mut buffer = self.lend();
        options.append(message, &mut buffer)?;
        Ok(buffer)
    }

    /// Returns the number of kept buffers.
    pub fn kept(&self) -> usize {
        self.shelf.kept().0
    }

    /// Returns the number of bytes of memory that the kept buffers hold.
    pub fn kept_bytes(&self) -> usize {
        self.shelf.kept().1
    }

    /// Drops all kept buffers.
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

/// A pool of messages of one type. Their strings, lists and sub-messages keep their memory.
///
/// ```
/// # use tobu_schemas::library::v1::Book;
/// use tobu::reuse::MessagePool;
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
/// When a message returns, the pool measures its memory: the size of its type, and the capacity of all strings, byte strings,
/// lists and maps in it. The pool drops the message if it holds more than [`Bounds::each`], or if the pool would keep too much.
/// The measure is exact with these exceptions: it does not count the control bytes of a hash map, the nodes of a `BTreeMap`,
/// and members whose types come from users and are not text types. Text of other types than `String` and `Vec<u8>` counts by
/// its length.
///
/// Measuring visits every string, so the pool does not measure a message if the result cannot matter. If a message was decoded
/// but not borrowed mutably, the pool usually takes an upper bound for its memory: the last measured size, and, for each
/// decoding since then, 32 times the size of the input and twice the size of the structs that were decoded. The pool measures
/// the message only if this bound is too large. A message is always measured if its type has skipped members, lazy members or
/// members with types of users, or if the message shares an input.
///
/// Each `Bytes` and each [`Lazy`](crate::lazy::Lazy) message that may share an input is dropped when its message
/// returns, because a small part may keep a large input alive. All other content stays in memory until another
/// message replaces it, but a borrower of the message does not see it.
pub struct MessagePool<T> {
    pub(super) shelf: Arc<Shelf<T>>,
    pub(super) growth: Growth,
}

/// Types that a pool can keep: messages, and [parsed messages](crate::Parsed).
pub trait Reusable: Sized {
    #[doc(hidden)]
    fn pool(bounds: Bounds) -> MessagePool<Self>;
}

impl<T: Message + for<'de> Merge<'de>> Reusable for T {
    fn pool(bounds: Bounds) -> MessagePool<Self> {
        // A type without a table cannot be emptied.
        let release = |message: &mut T| RootMut::of(message).bare().ok().map(|mut message| message.release());
        MessagePool { shelf: Arc::new(Shelf::new(bounds, release)), growth: Growth::of(T::shape()) }
    }
}

impl<T: Reusable> MessagePool<T> {
    /// Creates a pool with the default [`Bounds`].
    pub fn new() -> Self {
        T::pool(Bounds::new())
    }

    /// Creates a pool with these bounds.
    pub fn bounded(bounds: Bounds) -> Self {
        T::pool(bounds)
    }
}

impl<T: Message + for<'de> Merge<'de>> MessagePool<T> {
    /// Lends an empty message, which may have been used before.
    ///
    /// ```
    /// use tobu::reuse::MessagePool;
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
    /// If no empty message can be made, because a skipped member has no default.
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

    /// Decodes into a message of the pool. Members of type [`Bytes`] get copies of the input.
    ///
    /// ```
    /// use tobu::reuse::MessagePool;
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
    /// Fails if [`from_slice`](crate::from_slice) would fail. The message then returns to the pool, empty.
    pub fn decode(&self, bytes: &[u8]) -> Result<Pooled<T>> {
        self.decode_with(bytes, DecodeOptions::new())
    }

    /// Decodes into a message of the pool, with options. Members of type [`Bytes`] get copies of the input.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_with(&self, bytes: &[u8], options: DecodeOptions) -> Result<Pooled<T>> {
        self.used_or_empty()?.fill(|message| {
            let structs = options.refill(message, bytes, None)?;
            Ok(Growth::after(bytes.len(), structs))
        })
    }

    /// Decodes shared bytes into a message of the pool. Members of type [`Bytes`] share these bytes, until the message
    /// returns.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_bytes(&self, bytes: &Bytes) -> Result<Pooled<T>> {
        self.decode_bytes_with(bytes, DecodeOptions::new())
    }

    /// Decodes shared bytes into a message of the pool, with options.
    ///
    /// # Errors
    /// Fails if [`decode`](Self::decode) would fail.
    pub fn decode_bytes_with(&self, bytes: &Bytes, options: DecodeOptions) -> Result<Pooled<T>> {
        if !self.growth.shares {
            return self.decode_with(bytes, options);
        }
        let mut message = self.used_or_empty()?;
        options.from_bytes_in_place(&mut *message, bytes)?;
        Ok(message)
    }

    /// Returns a message of the pool with its old content, or a new empty message.
    fn used_or_empty(&self) -> Result<Pooled<T>> {
        self.shelf.take().map_or_else(make, Ok).map(|slot| self.lent(slot))
    }
}

impl<T> MessagePool<T> {
    pub(super) fn lent(&self, mut slot: Box<Slot<T>>) -> Pooled<T> {
        slot.changed = self.growth.unknown;
        Pooled::new(slot, &self.shelf)
    }

    /// Returns the number of kept messages.
    pub fn kept(&self) -> usize {
        self.shelf.kept().0
    }

    /// Returns an upper bound of the memory in bytes that the kept messages hold. [`MessagePool`] describes this bound.
    pub fn kept_bytes(&self) -> usize {
        self.shelf.kept().1
    }

    /// Drops all kept messages.
    pub fn clear(&self) {
        drop(self.shelf.take_all());
    }
}

fn make<T: Member>() -> Result<Box<Slot<T>>> {
    T::empty().map(Slot::new).ok_or_else(unmakable)
}

impl<T> Clone for MessagePool<T> {
    fn clone(&self) -> Self {
        MessagePool { shelf: Arc::clone(&self.shelf), growth: self.growth }
    }
}

impl<T: Reusable> Default for MessagePool<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> fmt::Debug for MessagePool<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shelf.fmt_as("MessagePool", f)
    }
}
