//! The keys of a map seen so far, to detect duplicates.

use std::borrow::Cow;
use std::collections::HashSet;

/// The key of an entry: a number or a bool by its bits, or a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum EntryKey<'k> {
    Number(u64),
    Text(Cow<'k, [u8]>),
}

/// The keys seen so far.
#[derive(Clone, Default)]
pub(crate) struct Keys<'k> {
    /// In ascending order, as long as there are no `others`: a key that is above the last one is new.
    ascending: Vec<EntryKey<'k>>,
    /// From the first one on that was not.
    others: Vec<EntryKey<'k>>,
    /// All, once there are too many to look through.
    all: Option<HashSet<EntryKey<'k>>>,
}

/// How many keys are looked through.
const FEW: usize = 16;

impl<'k> Keys<'k> {
    /// Records a key; false if it was recorded before.
    #[inline]
    pub(crate) fn note(&mut self, key: EntryKey<'k>) -> bool {
        if self.others.is_empty()
            && self.all.is_none()
            && self.ascending.last().is_none_or(|last| *last < key)
        {
            if self.ascending.capacity() == 0 {
                self.ascending.reserve(FEW / 2);
            }
            self.ascending.push(key);
            return true;
        }
        self.note_slow(key)
    }

    #[inline(never)]
    fn note_slow(&mut self, key: EntryKey<'k>) -> bool {
        if self.all.is_none() && self.ascending.len() + self.others.len() < FEW {
            let new = !self.ascending.contains(&key) && !self.others.contains(&key);
            self.others.push(key);
            return new;
        }
        let all = self.all.get_or_insert_default();
        for seen in [&mut self.ascending, &mut self.others] {
            all.extend(seen.drain(..));
        }
        all.insert(key)
    }
}
