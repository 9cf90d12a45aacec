//! Lengths of long regions that take more bytes than were reserved.
//!
//! The bodies are not moved when their regions are closed, but in one backward pass at the end. So no byte moves more
//! than once, at any depth.

use super::output::Region;
use crate::wire::{put_varint, varint_len};

/// The lengths to insert, in the order of their positions; and whether there is too much output.
#[derive(Default)]
pub(super) struct Patches {
    list: Vec<Patch>,
    growth: usize,
    /// There is more output than a message may have: it is refused, whatever the lengths are.
    pub(super) too_long: bool,
}

struct Patch {
    region: Region,
    len: u64,
}

impl Patch {
    fn growth(&self) -> usize {
        varint_len(self.len) - self.region.width
    }
}

impl Patches {
    /// By how many bytes they make the output longer.
    #[inline]
    pub(super) fn growth(&self) -> usize {
        self.growth
    }

    /// The same of those behind a position.
    pub(super) fn growth_after(&self, at: usize) -> usize {
        let inside = self.list.partition_point(|patch| patch.region.at < at);
        self.list[inside..].iter().map(Patch::growth).sum()
    }

    /// Adds the length of a region, which takes more bytes than were reserved.
    pub(super) fn add(&mut self, region: Region, len: usize) {
        let patch = Patch { region, len: len as u64 };
        self.growth += patch.growth();
        // Nested messages were closed before this one, and are behind it.
        let inside = self.list.partition_point(|patch| patch.region.at < region.at);
        self.list.insert(inside, patch);
    }

    /// Puts the lengths in.
    pub(super) fn apply(self, bytes: &mut Vec<u8>) {
        let mut from = bytes.len();
        bytes.resize(from + self.growth, 0);
        let mut to = bytes.len();
        for Patch { region, len } in self.list.into_iter().rev() {
            let body = region.at + region.width..from;
            to -= body.len();
            bytes.copy_within(body, to);
            let mut varint = [0; 10];
            let width = put_varint(&mut varint, len);
            to -= width;
            bytes[to..to + width].copy_from_slice(&varint[..width]);
            from = region.at;
        }
    }
}
