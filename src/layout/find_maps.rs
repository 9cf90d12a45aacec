//! The maps of the types that a message leads to, found before it is reflected.
//!
//! Only reflection finds, changes and removes entries of maps by their keys. The functions for that are compiled for each type
//! of map. No shape refers to them, so a program without reflection contains none of them. When a message of a type is
//! reflected first, the cells of the type, and of all types that it leads to, get the functions of the maps in them.

use super::{EntryFunctions, MessageCells};
use std::fmt;
use std::marker::PhantomData;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

/// What is found of a type: the functions, if it is a map.
pub struct FoundMap<T> {
    entries: Option<&'static EntryFunctions>,
    ty: PhantomData<fn(T) -> T>,
}

impl<T> FoundMap<T> {
    /// It is no map.
    #[inline]
    #[must_use]
    pub const fn none() -> Self {
        FoundMap { entries: None, ty: PhantomData }
    }

    /// The functions of a map.
    pub(super) const fn some(entries: &'static EntryFunctions) -> Self {
        FoundMap { entries: Some(entries), ty: PhantomData }
    }
}

impl<T> fmt::Debug for FoundMap<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FoundMap").field(&self.entries).finish()
    }
}

/// The maps of a struct: the offset of each, and its functions.
#[derive(Debug, Default)]
pub struct StructMaps(Vec<(u32, &'static EntryFunctions)>);

impl StructMaps {
    /// Adds a member, if it is a map.
    ///
    /// # Safety
    /// The member is one of the struct at `base`, and that is of the type whose cells [`MapFinder::message`] was given.
    pub unsafe fn member<T, M>(&mut self, base: *mut T, member: *mut M, found: FoundMap<M>) {
        if let Some(entries) = found.entries {
            // SAFETY: as above; the shape has the same offset, for which it is small enough.
            let offset = unsafe { member.byte_offset_from(base) } as u32;
            self.0.push((offset, entries));
        }
    }
}

/// Gives the maps among the members of a struct, and the types that these lead to.
type FindIn = fn(&mut StructMaps, &mut MapFinder);

/// Goes through the types that a message leads to. They wait in a list: chains of types may be long.
#[derive(Debug)]
pub struct MapFinder(Vec<(&'static MessageCells, FindIn)>);

impl MapFinder {
    /// A message type that is led to.
    #[inline]
    pub fn message(&mut self, cells: &'static MessageCells, find: FindIn) {
        if !cells.searched.swap(true, Ordering::Relaxed) {
            self.0.push((cells, find));
        }
    }
}

/// Finds the maps of a type and of all types that it leads to, by its function for that.
pub(crate) fn find_maps(ty: fn(&mut MapFinder)) {
    // What another thread has begun is complete once the lock is free.
    static FINDING: Mutex<()> = Mutex::new(());
    let _finding = FINDING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut finder = MapFinder(Vec::new());
    ty(&mut finder);
    while let Some((cells, find)) = finder.0.pop() {
        let mut maps = StructMaps::default();
        find(&mut maps, &mut finder);
        cells.maps.get_or_init(|| maps.0.into());
    }
}

impl MessageCells {
    /// What reflection does with the entries of the map at an offset.
    ///
    /// # Panics
    /// The maps of the type were not found.
    pub(crate) fn entries(&self, map: u32) -> &'static EntryFunctions {
        let maps = self.maps.get().map_or(&[][..], |maps| maps);
        let found = maps.iter().find(|(offset, _)| *offset == map);
        found.expect("the maps of a message that is reflected were found before").1
    }
}
