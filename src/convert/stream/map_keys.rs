//! The keys of a map, in either format.

use crate::codec::json::Keys;
use std::hash::Hash;

/// The keys seen.
pub(super) struct MapKeys<K> {
    seen: Keys<K>,
    /// The last key, if keys must be in ascending order.
    last: Option<K>,
    ascending: bool,
}

impl<K: Clone + Ord + Hash> MapKeys<K> {
    /// No keys; `ascending` where entries must be written in the order of their keys.
    pub(super) fn new(ascending: bool) -> Self {
        MapKeys { seen: Keys::default(), last: None, ascending }
    }

    /// Records a key; false if it was seen before or is out of order.
    #[inline]
    pub(super) fn note(&mut self, key: &K) -> bool {
        if self.ascending {
            return self.note_ascending(key);
        }
        self.seen.note(key)
    }

    #[cold]
    fn note_ascending(&mut self, key: &K) -> bool {
        let after = self.last.as_ref().is_none_or(|last| last < key);
        self.last = Some(key.clone());
        after
    }
}

/// A signed number as one that is ordered alike.
#[inline]
pub(super) fn ordered(value: i64) -> u64 {
    value as u64 ^ 1 << 63
}
