//! The common part of all handles: a linked file and an index into one of its tables.

use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use super::tables::{FileTables, TypeRef};

/// An element of a linked file. Two are equal when they are the same element of the same linked file.
#[derive(Clone)]
pub(super) struct Handle {
    pub(super) file: Arc<FileTables>,
    pub(super) index: u32,
}

impl Handle {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        Handle { file: Arc::clone(file), index }
    }

    /// Another element of the same file.
    pub(super) fn sibling(&self, index: u32) -> Self {
        Handle::new(&self.file, index)
    }

    /// The element that a reference from this file points to.
    pub(super) fn target(&self, target: TypeRef) -> Self {
        match target.file.checked_sub(1) {
            None => self.sibling(target.index),
            Some(i) => Handle::new(&self.file.reach[i as usize], target.index),
        }
    }
}

/// Adjacent elements of a file. Any of them is found at once, because users take the n-th one in loops.
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
