//! What a pool keeps. No code of a user runs while the lock is held.

use super::Bounds;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

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
