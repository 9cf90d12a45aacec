//! Records the keys of a map, to detect duplicates.

use std::borrow::Cow;
use std::collections::HashSet;

/// The key of an entry: the bits of a number or bool, or a text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum EntryKey<'k> {
    Number(u64),
    Text(Cow<'k, [u8]>),
}

#[derive(Clone, Default)]
pub(crate) struct Keys<'k> {
    /// Keys in ascending order. As long as `others` is empty, a key that is greater than the last of these keys is new.
    ascending: Vec<EntryKey<'k>>,
    /// All keys since the first key that was not in ascending order, including this key.
    others: Vec<EntryKey<'k>>,
    /// All keys, once there are too many for a linear search.
    all: Option<HashSet<EntryKey<'k>>>,
}

/// The largest number of keys for a linear search.
const FEW: usize = 16;

impl<'k> Keys<'k> {
    /// Records a key. Returns false if the key was recorded before.
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
