//! From the members that serde's derive lists to rows.

use super::{Table, Target};
use once_cell::sync::OnceCell;
use std::sync::atomic::{AtomicBool, Ordering};

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
    /// The type does not take its members one after the other, without names.
    by_name: AtomicBool,
    next: OnceCell<Box<Members>>,
}

impl Members {
    fn new(table: &Table, names: &'static [&'static str]) -> Members {
        let (mut targets, mut rows) = (Vec::with_capacity(names.len()), 0u64);
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
            rows |= bits(&target);
            targets.push(target);
        }
        let each = targets.len() == names.len() && !names.is_empty() && table.rows.len() <= 63;
        Members {
            names: address(names),
            targets: targets.into(),
            rows,
            by_name: AtomicBool::new(!each),
            next: OnceCell::new(),
        }
    }

    /// Notes that the type wants names.
    #[cold]
    pub(crate) fn want_names(&self) {
        self.by_name.store(true, Ordering::Relaxed);
    }
}

fn address(names: &'static [&'static str]) -> (usize, usize) {
    (names.as_ptr() as usize, names.len())
}

impl Table {
    /// The members that a type lists, where it takes them one after the other.
    #[inline]
    pub(crate) fn members(&self, names: &'static [&'static str]) -> Option<&Members> {
        let found = match self.members.get() {
            Some(members) if members.names == address(names) => members,
            _ => self.other_members(names)?,
        };
        (!found.by_name.load(Ordering::Relaxed)).then_some(found)
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
