//! Lengths that are inserted into the output after everything else is written.
//!
//! If too few bytes were reserved for the length of a long region, the bytes of the region must move. They do not move when the
//! region is closed, but later, in one pass from the end of the output. So no byte moves more than once, however deep regions
//! are nested.

use super::varint::{put_varint, varint_len};

/// The lengths to insert, in the order of their positions.
#[derive(Debug, Default)]
pub struct Patches {
    list: Vec<Patch>,
    /// How many bytes the lengths in `list` add to the output.
    growth: usize,
}

#[derive(Clone, Copy, Debug)]
struct Patch {
    at: usize,
    /// How many bytes were reserved for the length. They are fewer than the length takes.
    reserved: usize,
    len: usize,
}

impl Patch {
    fn growth(&self) -> usize {
        varint_len(self.len as u64) - self.reserved
    }
}

impl Patches {
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Returns how many bytes the lengths add to the output.
    #[inline]
    #[doc(hidden)]
    pub fn growth(&self) -> usize {
        self.growth
    }

    /// Returns how many bytes the lengths from position `at` on add to the output.
    #[doc(hidden)]
    pub fn growth_after(&self, at: usize) -> usize {
        self.list[self.before(at)..].iter().map(Patch::growth).sum()
    }

    /// Returns the first length that exceeds `most`.
    pub(super) fn above(&self, most: usize) -> Option<usize> {
        self.list.iter().map(|patch| patch.len).find(|len| *len > most)
    }

    /// Counts the lengths before a position.
    fn before(&self, at: usize) -> usize {
        self.list.partition_point(|patch| patch.at < at)
    }

    /// Adds a length for which too few bytes were reserved.
    #[doc(hidden)]
    pub fn add(&mut self, at: usize, reserved: usize, len: usize) {
        let patch = Patch { at, reserved, len };
        self.growth += patch.growth();
        // Nested regions are closed first, so their lengths, which come after `at`, are already in the list.
        self.list.insert(self.before(at), patch);
    }

    /// Removes the lengths from position `at` on.
    pub(super) fn truncate(&mut self, at: usize) {
        self.list.truncate(self.before(at));
        self.growth = self.growth_after(0);
    }

    /// Removes all lengths, and keeps the allocation of the list.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.growth = 0;
    }

    /// Inserts all lengths into `bytes`, and removes them from this list.
    #[doc(hidden)]
    pub fn apply(&mut self, bytes: &mut Vec<u8>) {
        self.apply_from(0, bytes);
    }

    /// Inserts the lengths from `position` on into `bytes`, and removes them from this list.
    pub(super) fn apply_from(&mut self, position: usize, bytes: &mut Vec<u8>) {
        let first = self.before(position);
        let mut from = bytes.len();
        bytes.resize(from + self.growth_after(position), 0);
        let mut to = bytes.len();
        for &Patch { at, reserved, len } in self.list[first..].iter().rev() {
            let body = at + reserved..from;
            to -= body.len();
            bytes.copy_within(body, to);
            let mut varint = [0; 10];
            let width = put_varint(&mut varint, len as u64);
            to -= width;
            bytes[to..to + width].copy_from_slice(&varint[..width]);
            from = at;
        }
        self.list.truncate(first);
        self.growth = self.growth_after(0);
    }
}
