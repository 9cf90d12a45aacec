//! What a pool lends.

use super::shelf::{Shelf, Slot};
use crate::error::Result;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// An item that a pool lends, and gets back when this is dropped.
///
/// It is dropped for good if that happens during a panic, whose cause may have left it half changed.
///
/// ```
/// use tobu::pool::MessagePool;
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
/// It holds its pool, and may outlive all other handles of it.
pub struct Pooled<T> {
    /// None only while it is dropped or taken apart.
    slot: Option<Box<Slot<T>>>,
    home: Arc<Shelf<T>>,
}

impl<T> Pooled<T> {
    pub(super) fn new(slot: Box<Slot<T>>, home: &Arc<Shelf<T>>) -> Self {
        Pooled { slot: Some(slot), home: Arc::clone(home) }
    }

    /// Fills the item with what makes it grow by so many bytes at most. On an error or a panic it counts as changed.
    pub(super) fn fill(mut self, fill: impl FnOnce(&mut T) -> Result<usize>) -> Result<Self> {
        let slot = self.slot.as_mut().expect(ABSENT);
        let changed = std::mem::replace(&mut slot.changed, true);
        slot.heap = slot.heap.saturating_add(fill(&mut slot.item)?);
        slot.changed = changed;
        Ok(self)
    }

    /// The item alone, which the pool does not get back.
    ///
    /// ```
    /// use tobu::pool::{MessagePool, Pooled};
    /// use tobu::types::StringValue;
    ///
    /// let pool = MessagePool::<StringValue>::new();
    /// let message: StringValue = Pooled::into_inner(pool.decode(b"\x0a\x02hi")?);
    /// assert_eq!((message.value.as_str(), pool.kept()), ("hi", 0));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// It is a function and not a method, so that it does not hide one of the item.
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

/// A lent buffer can be the owner of a [`bytes::Bytes`], which gives it back when the last of its clones is dropped.
///
/// ```
/// use bytes::Bytes;
/// use tobu::pool::BufferPool;
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
