//! Lengths that are put in when all is written.

use super::varint::{put_varint, varint_len};

/// The changes to apply when all is written.
#[derive(Debug, Default)]
pub(super) struct Late {
    /// In the order of their positions.
    pub(super) patches: Vec<Patch>,
    /// By how many bytes the patches so far will make the output longer.
    pub(super) growth: usize,
    /// How many bytes were not written because there are too many: `finish` fails.
    pub(super) lost: u64,
}

/// A length to be put in by `finish`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patch {
    pub(super) at: usize,
    /// How many bytes were reserved there; the length takes more.
    pub(super) reserved: usize,
    pub(super) len: u64,
}

impl Patch {
    pub(super) fn growth(&self) -> usize {
        varint_len(self.len) - self.reserved
    }
}

impl Late {
    /// Forgets all, but keeps the memory.
    pub(super) fn clear(&mut self) {
        self.patches.clear();
        (self.growth, self.lost) = (0, 0);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.patches.is_empty() && self.lost == 0
    }

    /// Puts the lengths in, in one pass from the end, and is empty then.
    pub(super) fn apply(&mut self, mut buf: Vec<u8>) -> Vec<u8> {
        let mut from = buf.len();
        buf.resize(from + self.growth, 0);
        let mut to = buf.len();
        for &Patch { at, reserved, len } in self.patches.iter().rev() {
            let body = at + reserved..from;
            to -= body.len();
            buf.copy_within(body, to);
            let mut bytes = [0; 10];
            let n = put_varint(&mut bytes, len);
            to -= n;
            buf[to..to + n].copy_from_slice(&bytes[..n]);
            from = at;
        }
        self.clear();
        buf
    }
}
