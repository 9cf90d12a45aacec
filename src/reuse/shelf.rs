//! The items that a pool keeps. No code of a user runs while the lock is held.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::layout::{MessageShape, Storage};

/// The items of a pool, in boxes, so that they are not moved when they are lent and returned.
pub(super) struct Shelf<T> {
    bounds: Bounds,
    /// Prepares an item to be kept, and returns the bytes of heap that the item holds. Returns `None` if the item
    /// cannot be kept.
    release: fn(&mut T) -> Option<usize>,
    kept: Mutex<Kept<T>>,
}

/// An item, and the facts about its memory.
pub(super) struct Slot<T> {
    pub(super) item: T,
    /// The bytes of heap that the item holds, or an upper bound.
    pub(super) heap: usize,
    /// True if the item must be prepared and measured before it is kept.
    pub(super) changed: bool,
}

struct Kept<T> {
    items: Vec<Box<Slot<T>>>,
    bytes: usize,
}

impl<T> Slot<T> {
    pub(super) fn new(item: T) -> Box<Self> {
        Box::new(Slot { item, heap: 0, changed: false })
    }

    fn bytes(&self) -> usize {
        size_of::<T>().saturating_add(self.heap)
    }
}

impl<T> Shelf<T> {
    pub(super) fn new(bounds: Bounds, release: fn(&mut T) -> Option<usize>) -> Self {
        Shelf { bounds, release, kept: Mutex::new(Kept { items: Vec::new(), bytes: 0 }) }
    }

    /// Takes the item that returned last, because its memory is most likely in the processor's caches.
    pub(super) fn take(&self) -> Option<Box<Slot<T>>> {
        let mut kept = self.lock();
        let slot = kept.items.pop()?;
        kept.bytes -= slot.bytes();
        Some(slot)
    }

    /// Keeps an item, or drops it if it would exceed a bound.
    pub(super) fn give_back(&self, mut slot: Box<Slot<T>>) {
        if !slot.changed {
            match self.keep(slot) {
                None => return,
                // The upper bound of the item's memory is too large, but its exact memory may be smaller.
                Some(refused) => slot = refused,
            }
        }
        let Some(heap) = (self.release)(&mut slot.item) else { return };
        (slot.heap, slot.changed) = (heap, false);
        // A refused item is dropped here, after the lock is released.
        drop(self.keep(slot));
    }

    /// Keeps an item, or returns it if it would exceed a bound.
    fn keep(&self, slot: Box<Slot<T>>) -> Option<Box<Slot<T>>> {
        let bytes = slot.bytes();
        let mut kept = self.lock();
        let Bounds { count, each, total } = self.bounds;
        if bytes > each || kept.items.len() >= count || bytes > total.saturating_sub(kept.bytes) {
            return Some(slot);
        }
        kept.bytes += bytes;
        kept.items.push(slot);
        None
    }

    pub(super) fn take_all(&self) -> Vec<Box<Slot<T>>> {
        let mut kept = self.lock();
        kept.bytes = 0;
        std::mem::take(&mut kept.items)
    }

    /// Returns the number of items, and the bytes that they hold.
    pub(super) fn kept(&self) -> (usize, usize) {
        let kept = self.lock();
        (kept.items.len(), kept.bytes)
    }

    /// Formats the bounds, the number of items and their bytes under the name of the pool.
    pub(super) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kept, bytes) = self.kept();
        f.debug_struct(name)
            .field("bounds", &self.bounds)
            .field("kept", &kept)
            .field("bytes", &bytes)
            .finish()
    }

    fn lock(&self) -> MutexGuard<'_, Kept<T>> {
        // The items in a poisoned lock are valid, because a panic cannot occur between two changes that belong together.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The largest number of returned items, and the largest memory, that a pool keeps. The pool drops all other items.
///
/// ```
/// use tobu::reuse::{Bounds, MessagePool};
/// use tobu::types::StringValue;
///
/// let pool = MessagePool::<StringValue>::bounded(Bounds::new().each(1024));
/// pool.lend().value = "short".into();
/// pool.lend().value = "long".repeat(1000);
/// assert_eq!(pool.kept(), 0, "the message has grown beyond 1 KiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    pub(super) count: usize,
    pub(super) each: usize,
    pub(super) total: usize,
}

impl Bounds {
    /// Returns the default bounds: 64 items, 1 MiB for each, and 16 MiB for all.
    pub const fn new() -> Self {
        Bounds { count: 64, each: 1 << 20, total: 16 << 20 }
    }

    /// Sets the largest number of kept items. With 0 the pool keeps none.
    #[must_use]
    pub const fn count(mut self, items: usize) -> Self {
        self.count = items;
        self
    }

    /// Sets the largest memory of a kept item in bytes: its own size, and the heap that it owns.
    #[must_use]
    pub const fn each(mut self, bytes: usize) -> Self {
        self.each = bytes;
        self
    }

    /// Sets the largest memory of all kept items together in bytes.
    #[must_use]
    pub const fn total(mut self, bytes: usize) -> Self {
        self.total = bytes;
        self
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::new()
    }
}

/// How the memory of a message type can grow. By this, the pool decides whether it must measure a message after each decoding.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// True if the type has members that change without decoding, or about which nothing is known: skipped members,
    /// members with types of users, and lazy messages.
    pub(super) unknown: bool,
    /// True if the type has members that share an input.
    pub(super) shares: bool,
}

impl Growth {
    /// Inspects a type and all types that are reachable from it.
    pub(super) fn of(shape: &'static MessageShape) -> Self {
        let mut growth = Growth::default();
        let (mut seen, mut open) = (vec![shape], vec![shape]);
        while let Some(shape) = open.pop() {
            growth.unknown |= shape.reset_skipped().is_some();
            for member in shape.members {
                for storage in member.storages() {
                    growth.add(storage);
                    if let Some(inner) = storage.message()
                        && !seen.iter().any(|seen| std::ptr::eq(*seen, inner))
                    {
                        seen.push(inner);
                        open.push(inner);
                    }
                }
            }
        }
        growth
    }

    fn add(&mut self, storage: Storage) {
        if storage.lazy().is_some() {
            (self.unknown, self.shares) = (true, true);
        }
        match storage {
            Storage::Text(functions) => {
                self.shares |= functions.shares;
                self.unknown |= functions.conversion.is_some();
            }
            Storage::Number(_) | Storage::Made(_) => self.unknown = true,
            Storage::Option(option) => self.add(option.value()),
            Storage::Box(boxed) => self.add(boxed.content),
            Storage::List(functions) => self.add(functions.element),
            Storage::Map(functions) => {
                self.add(functions.key);
                self.add(functions.value);
            }
            _ => {}
        }
    }

    /// Returns an upper bound of the memory that a message gains when it decodes an input. `input` is the size of the
    /// input in bytes, and `structs` is the size of all structs that were decoded.
    ///
    /// The capacity of a list is at most twice its length. An element that takes two bytes of input takes up to 32
    /// bytes of memory, as an empty string does. A map entry takes more bytes of input because of its key, but no more
    /// memory for each byte of input.
    pub(super) fn after(input: usize, structs: u64) -> usize {
        let structs = usize::try_from(structs).unwrap_or(usize::MAX);
        structs.saturating_mul(2).saturating_add(input.saturating_mul(32))
    }
}
