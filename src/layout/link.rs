//! Linking of types for reflection, which alone finds and removes entries of maps by their keys.
//!
//! The functions for that are compiled for each type of map. No shape refers to them, so a program without reflection contains
//! none of them. A type is *linked* before a message of it is reflected: its cells then say which functions its maps have,
//! and so do those of all types that it leads to.

use super::{EntryFunctions, MessageCells};
use std::fmt;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

/// A type that is linked.
pub struct Linked<T> {
    entries: Option<&'static EntryFunctions>,
    ty: PhantomData<fn(T) -> T>,
}

impl<T> Linked<T> {
    /// One that is no map.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Linked { entries: None, ty: PhantomData }
    }

    /// A map.
    pub(super) const fn map(entries: &'static EntryFunctions) -> Self {
        Linked { entries: Some(entries), ty: PhantomData }
    }
}

impl<T> Default for Linked<T> {
    fn default() -> Self {
        Linked::new()
    }
}

impl<T> fmt::Debug for Linked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Linked").field(&self.entries).finish()
    }
}

/// Links a type and all that it leads to, by its function for that.
pub(crate) fn link(ty: fn()) {
    // What another thread has begun is complete once the lock is free.
    static LINKING: Mutex<()> = Mutex::new(());
    let _linking = LINKING.lock().unwrap_or_else(PoisonError::into_inner);
    ty();
}

/// Links a struct.
#[derive(Debug)]
pub struct Links {
    cells: &'static MessageCells,
    maps: Vec<(u32, &'static EntryFunctions)>,
}

impl Links {
    /// Begins; nothing where that was done before.
    #[must_use]
    pub fn of(cells: &'static MessageCells) -> Option<Self> {
        let is_linked = cells.linked.swap(true, Ordering::Relaxed);
        (!is_linked).then_some(Links { cells, maps: Vec::new() })
    }

    /// Room for a struct, which is never written: an address in it says which member is meant. It is on the heap: types lead
    /// to each other in long chains.
    #[must_use]
    pub fn room<T>() -> Box<MaybeUninit<T>> {
        Box::new_uninit()
    }

    /// Adds a member.
    ///
    /// # Safety
    /// The member is one of the struct.
    pub unsafe fn member<T, M>(&mut self, base: *mut T, member: *mut M, linked: Linked<M>) {
        if let Some(entries) = linked.entries {
            // SAFETY: as above; the shape has the same offset, for which it is small enough.
            let offset = unsafe { member.byte_offset_from(base) } as u32;
            self.maps.push((offset, entries));
        }
    }

    /// Ends.
    pub fn end(self) {
        self.cells.entries.get_or_init(|| self.maps.into());
    }
}

impl MessageCells {
    /// What reflection does with the entries of the map at an offset.
    ///
    /// # Panics
    /// The type is not linked.
    pub(crate) fn entries(&self, map: u32) -> &'static EntryFunctions {
        let maps = self.entries.get().map_or(&[][..], |maps| maps);
        let found = maps.iter().find(|(offset, _)| *offset == map);
        found.expect("the type of a message that is reflected is linked").1
    }
}
