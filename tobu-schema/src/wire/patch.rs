//! Lengths that are put in when all is written.
//!
//! The bodies are not moved when their regions are closed, but in one pass from the end. So no byte moves more than once, at
//! any depth.

use super::varint::{put_varint, varint_len};

/// The lengths to put in, in the order of their positions.
#[derive(Debug, Default)]
pub struct Patches {
    list: Vec<Patch>,
    /// By how many bytes they make the output longer.
    growth: usize,
}

/// A length to be put in.
#[derive(Clone, Copy, Debug)]
struct Patch {
    at: usize,
    /// How many bytes were reserved there; the length takes more.
    reserved: usize,
    len: usize,
}

impl Patch {
    fn growth(&self) -> usize {
        varint_len(self.len as u64) - self.reserved
    }
}

impl Patches {
    /// True when there are none.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// By how many bytes they make the output longer.
    #[inline]
    #[doc(hidden)]
    pub fn growth(&self) -> usize {
        self.growth
    }

    /// The same of those behind a position.
    #[doc(hidden)]
    pub fn growth_after(&self, at: usize) -> usize {
        self.list[self.before(at)..].iter().map(Patch::growth).sum()
    }

    /// The first length above the most that one may be.
    pub(super) fn above(&self, most: usize) -> Option<usize> {
        self.list.iter().map(|patch| patch.len).find(|len| *len > most)
    }

    /// How many lie before a position.
    fn before(&self, at: usize) -> usize {
        self.list.partition_point(|patch| patch.at < at)
    }

    /// Adds a length for which fewer bytes were reserved than it takes.
    #[doc(hidden)]
    pub fn add(&mut self, at: usize, reserved: usize, len: usize) {
        let patch = Patch { at, reserved, len };
        self.growth += patch.growth();
        // Nested messages were closed before this one, and are behind it.
        self.list.insert(self.before(at), patch);
    }

    /// Forgets those from a position on.
    pub(super) fn truncate(&mut self, at: usize) {
        self.list.truncate(self.before(at));
        self.growth = self.growth_after(0);
    }

    /// Forgets all, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.growth = 0;
    }

    /// Puts the lengths in; there are none then.
    #[doc(hidden)]
    pub fn apply(&mut self, bytes: &mut Vec<u8>) {
        self.apply_from(0, bytes);
    }

    /// Puts those from a position on in.
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
