//! What a pool keeps. No code of a user runs while the lock is held.

use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::layout::{MessageShape, Storage};

/// The items of a pool, in boxes: they are lent and given back without being moved.
pub(super) struct Shelf<T> {
    bounds: Bounds,
    /// Prepares an item to be kept, and returns the bytes of heap that it holds; `None` for one that cannot be kept.
    release: fn(&mut T) -> Option<usize>,
    kept: Mutex<Kept<T>>,
}

/// An item, and what is known of its memory.
pub(super) struct Slot<T> {
    pub(super) item: T,
    /// The bytes of heap that it holds, or an upper bound of them.
    pub(super) heap: usize,
    /// It must be prepared and measured before it is kept.
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

    /// The item given back last, whose memory is most likely in the processor's caches.
    pub(super) fn take(&self) -> Option<Box<Slot<T>>> {
        let mut kept = self.lock();
        let slot = kept.items.pop()?;
        kept.bytes -= slot.bytes();
        Some(slot)
    }

    /// Keeps an item, or drops it where that goes past a bound.
    pub(super) fn give_back(&self, mut slot: Box<Slot<T>>) {
        if !slot.changed {
            match self.keep(slot) {
                None => return,
                // By its upper bound it is too large; it may be smaller.
                Some(refused) => slot = refused,
            }
        }
        let Some(heap) = (self.release)(&mut slot.item) else { return };
        (slot.heap, slot.changed) = (heap, false);
        // What is refused is dropped here, after the lock.
        drop(self.keep(slot));
    }

    /// Keeps an item, or returns it where that goes past a bound.
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

    /// Takes out all items.
    pub(super) fn take_all(&self) -> Vec<Box<Slot<T>>> {
        let mut kept = self.lock();
        kept.bytes = 0;
        std::mem::take(&mut kept.items)
    }

    /// How many items there are, and the bytes that they hold.
    pub(super) fn kept(&self) -> (usize, usize) {
        let kept = self.lock();
        (kept.items.len(), kept.bytes)
    }

    /// Shows it under the name of the pool.
    pub(super) fn fmt_as(&self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kept, bytes) = self.kept();
        f.debug_struct(name)
            .field("bounds", &self.bounds)
            .field("kept", &kept)
            .field("bytes", &bytes)
            .finish()
    }

    fn lock(&self) -> MutexGuard<'_, Kept<T>> {
        // Nothing panics between two changes that belong together.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// How much a pool keeps at most of what is given back; the rest is dropped.
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
    /// The defaults: 64 items, of 1 MiB each, and of 16 MiB together.
    pub const fn new() -> Self {
        Bounds { count: 64, each: 1 << 20, total: 16 << 20 }
    }

    /// How many items are kept. With 0 the pool keeps none.
    #[must_use]
    pub const fn count(mut self, items: usize) -> Self {
        self.count = items;
        self
    }

    /// How many bytes of memory an item may hold that is kept: its own size, and the heap that it owns.
    #[must_use]
    pub const fn each(mut self, bytes: usize) -> Self {
        self.each = bytes;
        self
    }

    /// How many bytes of memory all that are kept may hold together.
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

/// How a type grows and what it holds on to, as far as measuring it after each decoding can be spared.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Growth {
    /// It has members that change without being decoded into, or of which nothing is known: skipped ones, those of users'
    /// types, and messages that are decoded when they are read.
    pub(super) unknown: bool,
    /// It has members that share an input.
    pub(super) shares: bool,
}

impl Growth {
    /// Looks at all types that are reachable from one.
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

    /// An upper bound of what a message grows by when it is decoded from so many bytes, and its structs take so many.
    ///
    /// A list has at most twice the room that it needs. An element of two bytes takes up to 32, as an empty string does.
    /// An entry of a map is longer, because of its key, and takes no more for each of its bytes.
    pub(super) fn after(input: usize, structs: u64) -> usize {
        let structs = usize::try_from(structs).unwrap_or(usize::MAX);
        structs.saturating_mul(2).saturating_add(input.saturating_mul(32))
    }
}
