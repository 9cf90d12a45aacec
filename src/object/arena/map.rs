//! Maps in the arena: a chain of entries in the order of their insertion, and beyond a few entries an index by key.
//!
//! An entry is six cells, which never move: the key and the value as words, and the entries before and after it. Hashes are
//! seeded at random, so that no input can choose keys that meet.

use crate::layout::KeyRef;
use crate::object::arena::cells::{get_or_zero, get_wide_or_zero};
use crate::object::arena::words::{Arena, MapHeader};
use crate::table::ENTRY_CELLS;
use std::hash::{BuildHasher, RandomState};
use std::iter;

/// Up to this many entries are searched one after the other.
const MAX_LINEAR: u32 = 8;

/// The parts of an entry after its key.
pub(crate) const VALUE: u32 = 2;
const BEFORE: u32 = 4;
const AFTER: u32 = 5;

/// The words of the key and of the value of an entry, among the bytes of all cells.
#[inline(always)]
pub(crate) fn entry_in(cells: &[u8], entry: u32) -> (u64, u64) {
    (get_wide_or_zero(cells, entry), get_wide_or_zero(cells, entry + VALUE))
}

/// The entry after another, among the bytes of all cells; 0 for none.
#[inline(always)]
pub(crate) fn entry_after(cells: &[u8], entry: u32) -> u32 {
    get_or_zero(cells, entry + AFTER)
}

/// A key to be looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Probe<'a> {
    /// The word of a number or bool.
    Word(u64),
    Text(&'a [u8]),
}

impl<'a> From<KeyRef<'a>> for Probe<'a> {
    #[inline]
    fn from(key: KeyRef<'a>) -> Self {
        match key {
            KeyRef::Bool(key) => Probe::Word(u64::from(key)),
            KeyRef::I32(key) => Probe::Word(u64::from(key as u32)),
            KeyRef::I64(key) => Probe::Word(key as u64),
            KeyRef::U32(key) => Probe::Word(u64::from(key)),
            KeyRef::U64(key) => Probe::Word(key),
            KeyRef::Str(key) => Probe::Text(key.as_bytes()),
        }
    }
}

impl Arena {
    /// Adds an empty map and returns its word.
    pub(crate) fn new_map(&mut self, text: bool) -> u64 {
        let maps = &mut self.more_mut().maps;
        maps.push(MapHeader { text, ..MapHeader::default() });
        maps.len() as u64
    }

    /// The map of a word.
    pub(crate) fn map(&self, word: u64) -> Option<&MapHeader> {
        self.more().maps.get((word as usize).checked_sub(1)?)
    }

    /// How many entries the map in a slot has.
    pub(crate) fn map_len(&self, word: u64) -> usize {
        self.map(word).map_or(0, |map| map.len as usize)
    }

    /// The first entry of a map; 0 for none.
    pub(crate) fn first_entry(&self, word: u64) -> u32 {
        self.map(word).map_or(0, |map| map.first)
    }

    /// The entry after another; 0 for none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn entry_after(&self, entry: u32) -> u32 {
        entry_after(self.cells.all(), entry)
    }

    /// The words of the key and of the value of an entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn entry(&self, entry: u32) -> (u64, u64) {
        entry_in(self.cells.all(), entry)
    }

    /// The words of the keys and values of a map.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn entries(&self, word: u64) -> impl Iterator<Item = (u64, u64)> {
        let (cells, mut entry) = (self.cells.all(), self.first_entry(word));
        iter::from_fn(move || {
            let found = (entry != 0).then(|| entry_in(cells, entry))?;
            entry = entry_after(cells, entry);
            Some(found)
        })
    }

    fn hash(&self, probe: Probe<'_>) -> u32 {
        let Some(hasher) = &self.more().hasher else { return 0 };
        (match probe {
            Probe::Word(word) => hasher.hash_one(word),
            Probe::Text(text) => hasher.hash_one(text),
        }) as u32
    }

    pub(crate) fn probe<'a>(&'a self, input: Option<&'a [u8]>, key: u64, text: bool) -> Probe<'a> {
        if text { Probe::Text(self.bytes_of(input, key)) } else { Probe::Word(key) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_key(&self, input: Option<&[u8]>, key: u64, probe: Probe<'_>) -> bool {
        match probe {
            Probe::Word(word) => key == word,
            Probe::Text(text) => (key >> 32) as usize == text.len() && self.bytes_of(input, key) == text,
        }
    }

    /// The entry of a key; 0 for none.
    pub(crate) fn find_entry(&self, word: u64, probe: Probe<'_>) -> u32 {
        self.find_entry_of(None, word, probe)
    }

    fn find_entry_of(&self, input: Option<&[u8]>, word: u64, probe: Probe<'_>) -> u32 {
        let Some(map) = self.map(word) else { return 0 };
        let cells = self.cells.all();
        if map.index.is_empty() {
            let mut entry = map.first;
            while entry != 0 && !self.is_key(input, get_wide_or_zero(cells, entry), probe) {
                entry = entry_after(cells, entry);
            }
            return entry;
        }
        let hash = self.hash(probe);
        let mask = map.index.len() - 1;
        let mut i = hash as usize & mask;
        loop {
            let (other, entry) = map.index[i];
            if entry == 0 || other == hash && self.is_key(input, get_wide_or_zero(cells, entry), probe) {
                return entry;
            }
            i = (i + 1) & mask;
        }
    }

    /// Sets the key of an entry.
    pub(crate) fn set_key(&mut self, entry: u32, key: u64) {
        self.cells.set_wide(entry, key);
    }

    /// Sets the value of an entry.
    pub(crate) fn set_value(&mut self, entry: u32, value: u64) {
        self.cells.set_wide(entry + VALUE, value);
    }

    /// Adds cells for an entry that is not in any map yet.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new_entry(&mut self) -> u32 {
        self.cells.push_zeros(ENTRY_CELLS as usize)
    }

    /// Puts an entry into a map; if its key exists, only its value.
    pub(crate) fn put_entry(&mut self, word: u64, entry: u32) {
        if !self.put_entry_of(None, word, entry) {
            self.drop_entry(entry);
        }
    }

    /// Gives back an entry that is in no map.
    pub(crate) fn drop_entry(&mut self, entry: u32) {
        match (entry + ENTRY_CELLS) as usize == self.cells.len() {
            true => self.cells.truncate(entry as usize),
            false => self.garbage += 24,
        }
    }

    /// The same with keys of the input, where the arena does not have it yet; false when the entry is not needed.
    pub(crate) fn put_entry_of(&mut self, input: Option<&[u8]>, word: u64, entry: u32) -> bool {
        let text = self.map(word).is_some_and(|map| map.text);
        let (key, value) = self.entry(entry);
        let found = self.find_entry_of(input, word, self.probe(input, key, text));
        if found != 0 {
            self.set_value(found, value);
            if text {
                self.drop_string(key);
            }
            return false;
        }
        self.link_entry_of(input, word, entry);
        true
    }

    /// Puts an entry into a map that does not have its key.
    pub(crate) fn link_entry(&mut self, word: u64, entry: u32) {
        self.link_entry_of(None, word, entry);
    }

    fn link_entry_of(&mut self, input: Option<&[u8]>, word: u64, entry: u32) {
        let Some(at) = (word as usize).checked_sub(1) else { return };
        let map = &mut self.more_mut().maps[at];
        let text = map.text;
        let last = std::mem::replace(&mut map.last, entry);
        map.len += 1;
        match last {
            0 => map.first = entry,
            _ => self.cells.set(last + AFTER, entry),
        }
        self.cells.set(entry + BEFORE, last);
        let map = &self.more().maps[at];
        if map.len > MAX_LINEAR || !map.index.is_empty() {
            self.index_entry(input, at, entry, text);
        }
    }

    fn index_entry(&mut self, input: Option<&[u8]>, at: usize, entry: u32, text: bool) {
        self.more_mut().hasher.get_or_insert_with(RandomState::new);
        let len = self.more().maps[at].len as usize;
        if self.more().maps[at].index.len() * 3 / 4 < len {
            let mut fresh = vec![(0, 0); (2 * len).next_power_of_two()];
            let old = std::mem::take(&mut self.more_mut().maps[at].index);
            if old.is_empty() {
                let mut other = self.more().maps[at].first;
                while other != entry && other != 0 {
                    offsets(
                        &mut fresh,
                        self.hash(self.probe(input, self.cells.get_wide(other), text)),
                        other,
                    );
                    other = self.entry_after(other);
                }
            }
            for (hash, other) in old.into_iter().filter(|(_, other)| *other != 0) {
                offsets(&mut fresh, hash, other);
            }
            self.more_mut().maps[at].index = fresh;
        }
        let hash = self.hash(self.probe(input, self.cells.get_wide(entry), text));
        offsets(&mut self.more_mut().maps[at].index, hash, entry);
    }

    /// Takes an entry out of a map.
    pub(crate) fn unlink_entry(&mut self, word: u64, entry: u32) {
        let Some(at) = (word as usize).checked_sub(1) else { return };
        let text = self.more().maps[at].text;
        let (before, after) = (self.cells.get(entry + BEFORE), self.cells.get(entry + AFTER));
        match before {
            0 => self.more_mut().maps[at].first = after,
            _ => self.cells.set(before + AFTER, after),
        }
        match after {
            0 => self.more_mut().maps[at].last = before,
            _ => self.cells.set(after + BEFORE, before),
        }
        let hash = self.hash(self.probe(None, self.cells.get_wide(entry), text));
        self.more_mut().maps[at].len -= 1;
        self.garbage += 24;
        remove(&mut self.more_mut().maps[at].index, hash, entry);
    }

    /// Takes all entries out of a map.
    pub(crate) fn clear_map(&mut self, word: u64) {
        let Some(at) = (word as usize).checked_sub(1) else { return };
        self.garbage += 24 * self.more().maps[at].len as usize;
        let map = &mut self.more_mut().maps[at];
        *map = MapHeader { text: map.text, ..MapHeader::default() };
    }
}

fn offsets(index: &mut [(u32, u32)], hash: u32, entry: u32) {
    let mask = index.len() - 1;
    let mut i = hash as usize & mask;
    while index[i].1 != 0 {
        i = (i + 1) & mask;
    }
    index[i] = (hash, entry);
}

/// Takes an entry out, and moves up those behind it that would not be found any more.
fn remove(index: &mut [(u32, u32)], hash: u32, entry: u32) {
    let Some(mask) = index.len().checked_sub(1) else { return };
    let mut hole = hash as usize & mask;
    while index[hole].1 != entry {
        if index[hole].1 == 0 {
            return;
        }
        hole = (hole + 1) & mask;
    }
    let mut i = hole;
    loop {
        index[hole] = (0, 0);
        loop {
            i = (i + 1) & mask;
            let (hash, entry) = index[i];
            if entry == 0 {
                return;
            }
            // It may go into the hole unless its home slot is behind the hole.
            let home = hash as usize & mask;
            if (i.wrapping_sub(home) & mask) >= (i.wrapping_sub(hole) & mask) {
                index[hole] = (hash, entry);
                break;
            }
        }
        hole = i;
    }
}
