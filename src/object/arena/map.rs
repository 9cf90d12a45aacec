//! Stores maps in the arena: a chain of entries in the order of their insertion, and, for maps with more than a few
//! entries, an index by key.
//!
//! A map takes four cells: the position of its first entry, the position of its last entry, the number of entries, and the
//! number of its index. An entry takes six cells, which never move: the key and the value as words, and the positions of
//! the entries before and after it. Hashes are seeded at random, so that no input can choose keys whose hashes collide.

use crate::layout::KeyRef;
use crate::object::arena::cells::{get_or_zero, get_wide_or_zero};
use crate::object::arena::words::Arena;
use crate::table::{ENTRY_CELLS, MAP_CELLS};
use std::hash::{BuildHasher, RandomState};
use std::iter;

/// The largest number of entries that are searched one after another, without an index.
const MAX_LINEAR: u32 = 8;

/// The cells of a map after its first cell. The lowest bit of the cell `INDEX` says whether the keys are strings.
const LAST: u32 = 1;
const LEN: u32 = 2;
const INDEX: u32 = 3;

/// The cells of an entry after its key.
pub(crate) const VALUE: u32 = 2;
const BEFORE: u32 = 4;
const AFTER: u32 = 5;

/// Returns the words of the key and of the value of an entry. `cells` are the bytes of all cells.
#[inline(always)]
pub(crate) fn entry_in(cells: &[u8], entry: u32) -> (u64, u64) {
    (get_wide_or_zero(cells, entry), get_wide_or_zero(cells, entry + VALUE))
}

/// Returns the position of the next entry, or 0 after the last entry. `cells` are the bytes of all cells.
#[inline(always)]
pub(crate) fn entry_after(cells: &[u8], entry: u32) -> u32 {
    get_or_zero(cells, entry + AFTER)
}

/// A key to look up.
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
    /// Adds an empty map, and returns its word.
    pub(crate) fn new_map(&mut self, text: bool) -> u64 {
        let map = self.cells.push_zeros(MAP_CELLS as usize);
        self.start_map(map, text)
    }

    /// Turns zero cells into an empty map, and returns its word.
    #[inline]
    pub(crate) fn start_map(&mut self, map: u32, text: bool) -> u64 {
        self.cells.set(map + INDEX, u32::from(text));
        u64::from(map)
    }

    #[inline]
    pub(crate) fn map_len(&self, word: u64) -> usize {
        if word == 0 { 0 } else { self.cells.get(word as u32 + LEN) as usize }
    }

    /// Returns the position of the first entry of a map, or 0 if the map is empty.
    #[inline]
    pub(crate) fn first_entry(&self, word: u64) -> u32 {
        if word == 0 { 0 } else { self.cells.get(word as u32) }
    }

    fn has_text_keys(&self, map: u32) -> bool {
        self.cells.get(map + INDEX) & 1 != 0
    }

    /// Returns the index of a map. The index is empty if the map never had more than a few entries.
    #[inline]
    fn index(&self, map: u32) -> &[(u32, u32)] {
        match self.cells.get(map + INDEX) >> 1 {
            0 => &[],
            number => &self.more().indexes[number as usize - 1],
        }
    }

    /// Returns a mutable reference to the index of a map. Adds an empty index if there is none.
    fn index_mut(&mut self, map: u32) -> &mut Vec<(u32, u32)> {
        let at = self.cells.get(map + INDEX);
        if at >> 1 == 0 {
            let indexes = &mut self.more_mut().indexes;
            indexes.push(Vec::new());
            let number = indexes.len() as u32;
            self.cells.set(map + INDEX, number << 1 | at);
        }
        let number = self.cells.get(map + INDEX) >> 1;
        &mut self.more_mut().indexes[number as usize - 1]
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn entry_after(&self, entry: u32) -> u32 {
        entry_after(self.cells.all(), entry)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn entry(&self, entry: u32) -> (u64, u64) {
        entry_in(self.cells.all(), entry)
    }

    /// Returns an iterator over the words of the keys and values of a map.
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

    /// Returns the position of the entry of a key, or 0 if the map has no such entry.
    pub(crate) fn find_entry(&self, word: u64, probe: Probe<'_>) -> u32 {
        self.find_entry_of(None, word, probe)
    }

    fn find_entry_of(&self, input: Option<&[u8]>, word: u64, probe: Probe<'_>) -> u32 {
        if word == 0 {
            return 0;
        }
        let (cells, index) = (self.cells.all(), self.index(word as u32));
        if index.is_empty() {
            let mut entry = get_or_zero(cells, word as u32);
            while entry != 0 && !self.is_key(input, get_wide_or_zero(cells, entry), probe) {
                entry = entry_after(cells, entry);
            }
            return entry;
        }
        let hash = self.hash(probe);
        let mask = index.len() - 1;
        let mut i = hash as usize & mask;
        loop {
            let (other, entry) = index[i];
            if entry == 0 || other == hash && self.is_key(input, get_wide_or_zero(cells, entry), probe) {
                return entry;
            }
            i = (i + 1) & mask;
        }
    }

    pub(crate) fn set_key(&mut self, entry: u32, key: u64) {
        self.cells.set_wide(entry, key);
    }

    pub(crate) fn set_value(&mut self, entry: u32, value: u64) {
        self.cells.set_wide(entry + VALUE, value);
    }

    /// Adds cells for an entry that is not in any map yet. Returns the position of the entry.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new_entry(&mut self) -> u32 {
        self.cells.push_zeros(ENTRY_CELLS as usize)
    }

    /// Puts an entry into a map. If the map has the key of the entry, replaces only the value, and drops the entry.
    pub(crate) fn put_entry(&mut self, word: u64, entry: u32) {
        if !self.put_entry_of(None, word, entry) {
            self.drop_entry(entry);
        }
    }

    /// Gives back the cells of an entry that is in no map, or counts them as garbage if other cells follow.
    pub(crate) fn drop_entry(&mut self, entry: u32) {
        match (entry + ENTRY_CELLS) as usize == self.cells.len() {
            true => self.cells.truncate(entry as usize),
            false => self.garbage += 24,
        }
    }

    /// Puts an entry into a map during decoding. The keys are ranges of `input`, which the arena does not have yet. Returns
    /// false if the map had the key, so the entry is not needed.
    pub(crate) fn put_entry_of(&mut self, input: Option<&[u8]>, word: u64, entry: u32) -> bool {
        let text = word != 0 && self.has_text_keys(word as u32);
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

    /// Adds an entry to a map that does not have its key.
    pub(crate) fn link_entry(&mut self, word: u64, entry: u32) {
        self.link_entry_of(None, word, entry);
    }

    fn link_entry_of(&mut self, input: Option<&[u8]>, word: u64, entry: u32) {
        if word == 0 {
            return;
        }
        let map = word as u32;
        let (last, len) = (self.cells.get(map + LAST), self.cells.get(map + LEN) + 1);
        self.cells.set(map + LAST, entry);
        self.cells.set(map + LEN, len);
        match last {
            0 => self.cells.set(map, entry),
            _ => self.cells.set(last + AFTER, entry),
        }
        self.cells.set(entry + BEFORE, last);
        if len > MAX_LINEAR || !self.index(map).is_empty() {
            self.index_entry(input, map, entry, len as usize);
        }
    }

    fn index_entry(&mut self, input: Option<&[u8]>, map: u32, entry: u32, len: usize) {
        self.more_mut().hasher.get_or_insert_with(RandomState::new);
        let text = self.has_text_keys(map);
        if self.index(map).len() * 3 / 4 < len {
            let mut fresh = vec![(0, 0); (2 * len).next_power_of_two()];
            let old = std::mem::take(self.index_mut(map));
            if old.is_empty() {
                let mut other = self.cells.get(map);
                while other != entry && other != 0 {
                    place(&mut fresh, self.hash(self.probe(input, self.cells.get_wide(other), text)), other);
                    other = self.entry_after(other);
                }
            }
            for (hash, other) in old.into_iter().filter(|(_, other)| *other != 0) {
                place(&mut fresh, hash, other);
            }
            *self.index_mut(map) = fresh;
        }
        let hash = self.hash(self.probe(input, self.cells.get_wide(entry), text));
        place(self.index_mut(map), hash, entry);
    }

    pub(crate) fn unlink_entry(&mut self, word: u64, entry: u32) {
        if word == 0 {
            return;
        }
        let map = word as u32;
        let (before, after) = (self.cells.get(entry + BEFORE), self.cells.get(entry + AFTER));
        match before {
            0 => self.cells.set(map, after),
            _ => self.cells.set(before + AFTER, after),
        }
        match after {
            0 => self.cells.set(map + LAST, before),
            _ => self.cells.set(after + BEFORE, before),
        }
        self.cells.set(map + LEN, self.cells.get(map + LEN) - 1);
        self.garbage += 24;
        if !self.index(map).is_empty() {
            let hash = self.hash(self.probe(None, self.cells.get_wide(entry), self.has_text_keys(map)));
            remove(self.index_mut(map), hash, entry);
        }
    }

    pub(crate) fn clear_map(&mut self, word: u64) {
        if word == 0 {
            return;
        }
        let map = word as u32;
        self.garbage += 24 * self.map_len(word);
        for part in [0, LAST, LEN] {
            self.cells.set(map + part, 0);
        }
        if !self.index(map).is_empty() {
            *self.index_mut(map) = Vec::new();
        }
    }
}

/// Puts an entry into an index, at the first free place from that of its hash on.
fn place(index: &mut [(u32, u32)], hash: u32, entry: u32) {
    let mask = index.len() - 1;
    let mut i = hash as usize & mask;
    while index[i].1 != 0 {
        i = (i + 1) & mask;
    }
    index[i] = (hash, entry);
}

/// Removes an entry from an index, and moves entries after it into the hole if a search would not find them otherwise.
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
            // The entry may move into the hole, unless its home slot is after the hole.
            let home = hash as usize & mask;
            if (i.wrapping_sub(home) & mask) >= (i.wrapping_sub(hole) & mask) {
                index[hole] = (hash, entry);
                break;
            }
        }
        hole = i;
    }
}
