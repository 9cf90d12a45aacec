//! The keys of a map, in either format.

use crate::codec::json::{EntryKey, Keys};

/// The keys seen.
pub(super) struct MapKeys<'k> {
    seen: Keys<'k>,
    /// The last key, if keys must be in ascending order.
    last: Option<EntryKey<'k>>,
    ascending: bool,
}

impl<'k> MapKeys<'k> {
    /// No keys; `ascending` where entries must be written in the order of their keys.
    pub(super) fn new(ascending: bool) -> Self {
        MapKeys { seen: Keys::default(), last: None, ascending }
    }

    /// Records a key; false if it was seen before or is out of order.
    #[inline]
    pub(super) fn note(&mut self, key: EntryKey<'k>) -> bool {
        if self.ascending {
            return self.note_ascending(key);
        }
        self.seen.note(key)
    }

    #[cold]
    fn note_ascending(&mut self, key: EntryKey<'k>) -> bool {
        let after = self.last.as_ref().is_none_or(|last| *last < key);
        self.last = Some(key);
        after
    }
}

/// A signed number as one that is ordered alike.
#[inline]
pub(super) fn ordered(value: i64) -> u64 {
    value as u64 ^ 1 << 63
}
