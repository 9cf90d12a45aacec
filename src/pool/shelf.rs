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

struct Kept<T> {
    /// Items, and how many bytes each of them holds.
    items: Vec<(Box<T>, usize)>,
    bytes: usize,
}

impl<T> Shelf<T> {
    pub(super) fn new(bounds: Bounds, release: fn(&mut T) -> Option<usize>) -> Self {
        Shelf { bounds, release, kept: Mutex::new(Kept { items: Vec::new(), bytes: 0 }) }
    }

    /// The item given back last, whose memory is most likely in the processor's caches.
    pub(super) fn take(&self) -> Option<Box<T>> {
        let mut kept = self.lock();
        let (item, bytes) = kept.items.pop()?;
        kept.bytes -= bytes;
        Some(item)
    }

    /// Keeps an item, or drops it where that goes past a bound.
    pub(super) fn give_back(&self, mut item: Box<T>) {
        let Some(heap) = (self.release)(&mut item) else { return };
        let bytes = size_of::<T>() + heap;
        if bytes > self.bounds.each {
            return;
        }
        let mut kept = self.lock();
        if kept.items.len() < self.bounds.count && kept.bytes + bytes <= self.bounds.total {
            kept.bytes += bytes;
            kept.items.push((item, bytes));
            return;
        }
        // The item is dropped after the lock.
        drop(kept);
    }

    /// Takes out all items.
    pub(super) fn take_all(&self) -> Vec<(Box<T>, usize)> {
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
