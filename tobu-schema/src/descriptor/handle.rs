//! The common part of all handles: a linked file, and the index of an element in one of its tables.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::descriptor::tables::{FileTables, TypeRef};

/// An element of a linked file. Two handles are equal if they refer to the same element of the same linked file.
#[derive(Clone)]
pub(super) struct Handle {
    pub(super) file: Arc<FileTables>,
    pub(super) index: u32,
}

impl Handle {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        Handle { file: Arc::clone(file), index }
    }

    /// Returns another element of the same file.
    pub(super) fn sibling(&self, index: u32) -> Self {
        Handle::new(&self.file, index)
    }

    /// Returns the element to which a reference in this file points.
    pub(super) fn target(&self, target: TypeRef) -> Self {
        match target.file.checked_sub(1) {
            None => self.sibling(target.index),
            Some(i) => Handle::new(&self.file.reach[i as usize], target.index),
        }
    }
}

/// A range of elements of a file. `nth` takes constant time, because callers use it in loops.
pub(super) struct Elements<'f, H> {
    file: &'f Arc<FileTables>,
    range: Range<u32>,
    handle: fn(&Arc<FileTables>, u32) -> H,
}

impl<'f, H> Elements<'f, H> {
    pub(super) fn new(
        file: &'f Arc<FileTables>,
        range: Range<u32>,
        handle: fn(&Arc<FileTables>, u32) -> H,
    ) -> Self {
        Elements { file, range, handle }
    }
}

impl<H> Iterator for Elements<'_, H> {
    type Item = H;

    fn next(&mut self) -> Option<H> {
        self.nth(0)
    }

    fn nth(&mut self, n: usize) -> Option<H> {
        Some((self.handle)(self.file, self.range.nth(n)?))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }
}

impl<H> ExactSizeIterator for Elements<'_, H> {}

impl PartialEq for Handle {
    fn eq(&self, other: &Self) -> bool {
        self.index == other.index && Arc::ptr_eq(&self.file, &other.file)
    }
}

impl Eq for Handle {}

impl Hash for Handle {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.file) as usize, self.index).hash(state);
    }
}

/// Maps names to indices or counts.
pub(super) type Names = HashMap<String, usize>;

/// Maps indices or addresses to indices.
pub(super) type Numbers = HashMap<usize, usize>;

/// Returns the results of `of` for each item. The function exists because an iterator chain with `collect` would
/// compile to five times as much code at each call.
pub(super) fn each<'a, T, U>(items: &'a [T], mut of: impl FnMut(&'a T) -> U) -> Vec<U> {
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        all.push(of(item));
    }
    all
}

/// Returns the items of a table with their indices.
pub(super) fn numbered<T>(items: &[T]) -> Numbered<'_, T> {
    numbered_from(items, 0)
}

/// Returns the items of a part of a table with their indices in the table. `start` is the index of the first item.
pub(super) fn numbered_from<T>(items: &[T], start: u32) -> Numbered<'_, T> {
    Numbered { items, next: start }
}

pub(super) struct Numbered<'a, T> {
    items: &'a [T],
    next: u32,
}

impl<'a, T> Iterator for Numbered<'a, T> {
    type Item = (&'a T, u32);

    fn next(&mut self) -> Option<(&'a T, u32)> {
        let (first, rest) = self.items.split_first()?;
        self.items = rest;
        self.next += 1;
        Some((first, self.next - 1))
    }
}
