//! From the members that serde's derive lists to rows.

use super::{Table, Target};
use once_cell::sync::OnceCell;
use std::sync::atomic::{AtomicU8, Ordering};

/// More types than that are not remembered per message.
const MOST: usize = 16;

/// The members of a type as rows, where each is a field or oneof of its own, and no message has more than 63 fields.
#[derive(Debug)]
pub(crate) struct Members {
    /// Where the list of names is, which never changes.
    names: (usize, usize),
    pub(crate) targets: Box<[Target]>,
    /// The bits of the rows.
    pub(crate) rows: u64,
    way: AtomicU8,
    next: OnceCell<Box<Members>>,
}

/// How a message is given to the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Way {
    /// One member after the other, which is the order of the fields, too.
    InOrder,
    /// One member after the other.
    Found,
    /// By names.
    Named,
}

impl Members {
    fn new(table: &Table, names: &'static [&'static str]) -> Members {
        let (mut targets, mut rows) = (Vec::with_capacity(names.len()), 0u64);
        let mut in_order = true;
        let bits = |target: &Target| match *target {
            Target::Field(index) => table.rows[usize::from(index)].bit,
            Target::Oneof(index) => {
                let of_oneof = table.oneofs[usize::from(index)].rows.iter();
                of_oneof.fold(0, |all, &row| all | table.rows[usize::from(row)].bit)
            }
        };
        for target in names.iter().map_while(|name| table.target(name)) {
            // Another name for the same: the type has fewer members than names.
            if rows & bits(&target) != 0 {
                break;
            }
            // Above all before, and without one of another between them.
            in_order &= bits(&target) > rows
                && bits(&target).count_zeros() == {
                    let bits = bits(&target);
                    bits.leading_zeros() + bits.trailing_zeros()
                };
            rows |= bits(&target);
            targets.push(target);
        }
        let each = targets.len() == names.len() && !names.is_empty() && table.rows.len() <= 63;
        Members {
            names: address(names),
            targets: targets.into(),
            rows,
            way: AtomicU8::new(match (each, in_order) {
                (true, true) => Way::InOrder,
                (true, false) => Way::Found,
                (false, _) => Way::Named,
            } as u8),
            next: OnceCell::new(),
        }
    }

    /// How messages are given to the type.
    #[inline]
    pub(crate) fn way(&self) -> Way {
        match self.way.load(Ordering::Relaxed) {
            0 => Way::InOrder,
            1 => Way::Found,
            _ => Way::Named,
        }
    }

    /// Notes that messages must be given in another way: that those before it did not do.
    #[cold]
    #[inline(never)]
    pub(crate) fn want(&self, way: Way) {
        self.way.fetch_max(way as u8, Ordering::Relaxed);
    }
}

fn address(names: &'static [&'static str]) -> (usize, usize) {
    (names.as_ptr() as usize, names.len())
}

impl Table {
    /// True if a message may be read from its bytes.
    #[inline]
    pub(crate) fn reads_in_place(&self) -> bool {
        let left = self.wasted.load(Ordering::Relaxed);
        if left > 0 {
            self.wasted.store(left - 1, Ordering::Relaxed);
        }
        left == 0
    }

    /// Notes that a message had to be read twice. Those after it are mostly alike.
    #[cold]
    pub(crate) fn waste(&self) {
        self.wasted.store(16, Ordering::Relaxed);
    }

    /// The members that a type lists.
    #[inline]
    pub(crate) fn members(&self, names: &'static [&'static str]) -> Option<&Members> {
        match self.members.get() {
            Some(members) if members.names == address(names) => Some(members),
            _ => self.other_members(names),
        }
    }

    #[inline(never)]
    fn other_members(&self, names: &'static [&'static str]) -> Option<&Members> {
        let mut slot = &self.members;
        for _ in 0..MOST {
            let found = slot.get_or_init(|| Box::new(Members::new(self, names)));
            if found.names == address(names) {
                return Some(found);
            }
            slot = &found.next;
        }
        None
    }
}
