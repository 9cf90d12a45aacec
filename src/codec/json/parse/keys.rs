//! The keys of a map seen so far, to detect duplicates.

use std::collections::HashSet;
use std::hash::Hash;

/// The keys seen so far.
#[derive(Clone)]
pub(crate) struct Keys<K> {
    /// In ascending order, as long as there are no `others`: a key that is above the last one is new.
    ascending: Vec<K>,
    /// From the first one on that was not.
    others: Vec<K>,
    /// All, once there are too many to look through.
    all: Option<HashSet<K>>,
}

/// How many keys are looked through.
const FEW: usize = 16;

impl<K> Default for Keys<K> {
    fn default() -> Self {
        Keys { ascending: Vec::new(), others: Vec::new(), all: None }
    }
}

impl<K: Clone + Ord + Hash> Keys<K> {
    /// Records a key; false if it was recorded before.
    #[inline]
    pub(crate) fn note(&mut self, key: &K) -> bool {
        if self.others.is_empty() && self.all.is_none() && self.ascending.last().is_none_or(|last| last < key)
        {
            if self.ascending.capacity() == 0 {
                self.ascending.reserve(FEW / 2);
            }
            self.ascending.push(key.clone());
            return true;
        }
        self.note_slow(key)
    }

    #[inline(never)]
    fn note_slow(&mut self, key: &K) -> bool {
        if self.all.is_none() && self.ascending.len() + self.others.len() < FEW {
            let new = !self.ascending.iter().chain(&self.others).any(|other| other == key);
            self.others.push(key.clone());
            return new;
        }
        let all = self.all.get_or_insert_default();
        all.extend(self.ascending.drain(..).chain(self.others.drain(..)));
        all.insert(key.clone())
    }
}
