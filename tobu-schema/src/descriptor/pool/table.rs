//! A hash table whose items know their own names, so that it need not hold them.

use super::super::tables::Item;

/// An element, and the index of its file in the pool.
#[derive(Clone, Copy)]
pub(in super::super) struct Symbol {
    pub(in super::super) file: u32,
    pub(in super::super) item: Item,
}

/// Items by the hashes of their names: open addressing, a fifth of the slots free.
///
/// The number of slots is exactly as requested, not a power of two: the upper bits of the hash choose the slot.
#[derive(Clone, Default)]
pub(in super::super) struct Table {
    slots: Box<[Option<Slot>]>,
    len: usize,
}

#[derive(Clone, Copy)]
struct Slot {
    hash: u32,
    item: Symbol,
}

impl Table {
    pub(in super::super) fn len(&self) -> usize {
        self.len
    }

    /// The item of a hash that `is_it` picks.
    pub(in super::super) fn find(&self, hash: u32, is_it: &dyn Fn(Symbol) -> bool) -> Option<Symbol> {
        if self.len == 0 {
            return None;
        }
        let mut at = self.start(hash);
        // Ends, for there is always a free slot.
        while let Some(slot) = self.slots[at] {
            if slot.hash == hash && is_it(slot.item) {
                return Some(slot.item);
            }
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        None
    }

    /// Adds an item that is not in the table.
    pub(in super::super) fn insert(&mut self, hash: u32, item: Symbol) {
        self.reserve(1);
        self.len += 1;
        self.put(Slot { hash, item });
    }

    /// Adds the items of another table, none of which is here.
    pub(in super::super) fn append(&mut self, other: Table) {
        self.reserve(other.len);
        self.len += other.len;
        self.put_all(&other.slots);
    }

    /// Reserves slots for more items: no more than needed, but with amortized growth.
    pub(in super::super) fn reserve(&mut self, more: usize) {
        let needed = (self.len + more) * 5 / 4 + 1;
        if more == 0 || needed <= self.slots.len() {
            return;
        }
        let count = needed.max(self.slots.len() * 2);
        let old = std::mem::replace(&mut self.slots, vec![None; count].into_boxed_slice());
        self.put_all(&old);
    }

    fn put_all(&mut self, slots: &[Option<Slot>]) {
        for slot in slots {
            if let Some(slot) = *slot {
                self.put(slot);
            }
        }
    }

    fn start(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    fn put(&mut self, slot: Slot) {
        let mut at = self.start(slot.hash);
        while self.slots[at].is_some() {
            at = if at + 1 == self.slots.len() { 0 } else { at + 1 };
        }
        self.slots[at] = Some(slot);
    }
}
