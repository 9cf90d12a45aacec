//! The storage of a dynamic message: one arena, with indices instead of pointers.
//!
//! A message is a range of words: a header (its unknown fields), a presence bit per field, and one word per field.
//! The word of a number is its bits; of a string, an offset and a length; of a message, list or map, its start.
//! Replaced values stay as garbage until the message is compacted.

use crate::error::{Error, LimitError, Result};
use crate::limits::Limits;
use crate::object::arena::text::HeldText;
use crate::table::{Kind, Table};
use bytes::Bytes;
use std::hash::RandomState;

/// The outermost message. The words before it are unused: zero means absent.
pub(crate) const ROOT: u32 = 3;

/// The most words that an arena can have: their indices are 32 bits.
pub(crate) const MAX_WORDS: usize = u32::MAX as usize - (1 << 24);

/// Strings that are not in the input have this bit in their offset.
const TEXT: u32 = 1 << 31;

/// The data of one dynamic message.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arena {
    /// The input of the message: strings are ranges of it.
    pub(crate) input: Bytes,
    /// Messages, lists and map entries.
    pub(crate) words: Vec<u64>,
    /// How many bytes of all this are not needed any more; roughly, but zero for none.
    pub(crate) garbage: usize,
    /// While it was decoded, a member of a oneof replaced another, or a map got a key that is not UTF-8.
    pub(crate) replaces: bool,
    /// Members that small messages do not need.
    more: Option<Box<More>>,
}

/// The members of an arena that not every message needs: boxed separately, so that an arena is quickly
/// moved.
#[derive(Clone, Debug, Default)]
pub(crate) struct More {
    /// Strings that are not slices of the input.
    pub(crate) text: Vec<u8>,
    pub(crate) maps: Vec<MapHeader>,
    /// Unknown fields, by the header of their message less one.
    unknown: Vec<Unknown>,
    /// Seeds the hashes of map keys, when the first large map needs them.
    pub(crate) hasher: Option<RandomState>,
}

static NO_MORE: More = More { text: Vec::new(), maps: Vec::new(), unknown: Vec::new(), hasher: None };

/// A map: a chain of entries, and an index of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct MapHeader {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) len: u32,
    /// The keys are strings.
    pub(crate) text: bool,
    /// Hashes and entries by linear probing; a power of two long, or empty.
    pub(crate) index: Vec<(u32, u32)>,
}

/// The unknown fields of one message.
#[derive(Clone, Debug)]
enum Unknown {
    /// A range of the input or the text.
    Range(u64),
    Owned(Vec<u8>),
}

/// The start of a message, and of its slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offsets {
    pub(crate) at: u32,
    slots: u32,
}

impl Offsets {
    #[inline]
    pub(crate) fn new(at: u32, table: &Table) -> Self {
        Offsets { at, slots: at + 1 + table.presence_words() as u32 }
    }

    /// The word of a field.
    #[inline]
    pub(crate) fn slot(self, index: usize) -> usize {
        self.slots as usize + index
    }

    /// The word and the bit that say whether a field is set.
    #[inline]
    pub(crate) fn bit(self, index: usize) -> (usize, u64) {
        (self.at as usize + 1 + index / 64, 1 << (index % 64))
    }
}

/// Where the list in a word starts and how many elements it has.
#[inline]
pub(crate) fn list_range(word: u64) -> (usize, usize) {
    (word as u32 as usize, (word >> 32) as usize)
}

/// How many words an arena takes for the outermost message, with those before it.
#[inline]
pub(crate) fn root_words(table: &Table) -> usize {
    ROOT as usize + table.words()
}

/// How many words the arena of a message decoded from `input` bytes may take.
pub(crate) fn max_words(limits: Limits, input: usize) -> usize {
    let memory = limits.max_memory(input as u64);
    usize::try_from(memory / 8).unwrap_or(MAX_WORDS).min(MAX_WORDS - ROOT as usize)
}

impl Arena {
    /// An arena with nothing in it, not even a message.
    pub(crate) const EMPTY: Arena =
        Arena { input: Bytes::new(), words: Vec::new(), garbage: 0, replaces: false, more: None };

    #[inline]
    pub(crate) fn more(&self) -> &More {
        self.more.as_deref().unwrap_or(&NO_MORE)
    }

    #[inline]
    pub(crate) fn more_mut(&mut self) -> &mut More {
        self.more.get_or_insert_default()
    }

    /// An arena with an empty outermost message, and capacity for that many more words.
    pub(crate) fn new(table: &Table, input: Bytes, words: usize) -> Self {
        let used = root_words(table);
        // All zeros are an empty message.
        let mut all = zeros(used + words);
        all.truncate(used);
        Arena { input, words: all, ..Arena::default() }
    }

    /// The same, with the spare capacity filled with zero words.
    #[inline]
    pub(crate) fn zeroed(table: &Table, words: usize) -> Self {
        Arena { words: zeros(root_words(table) + words), ..Arena::default() }
    }

    /// Adds an empty message.
    #[inline]
    pub(crate) fn message(&mut self, table: &Table) -> u32 {
        let at = self.words.len();
        self.words.resize(at + table.words(), 0);
        at as u32
    }

    #[inline]
    pub(crate) fn has_bit(&self, offsets: Offsets, index: usize) -> bool {
        let (word, bit) = offsets.bit(index);
        self.words[word] & bit != 0
    }

    /// The bytes of a string.
    #[inline]
    pub(crate) fn bytes(&self, word: u64) -> &[u8] {
        self.bytes_of(None, word)
    }

    /// The bytes of a string; the input is given where the arena does not have it yet.
    #[inline]
    pub(crate) fn bytes_of<'a>(&'a self, input: Option<&'a [u8]>, word: u64) -> &'a [u8] {
        let (offset, len) = (word as u32, (word >> 32) as usize);
        if offset & TEXT != 0 {
            return self.copied(word);
        }
        let start = offset as usize;
        match input.unwrap_or(&self.input).get(start..start + len) {
            Some(bytes) => bytes,
            None => nothing(),
        }
    }

    /// The bytes of a string that is not in the input.
    #[inline(never)]
    fn copied(&self, word: u64) -> &[u8] {
        let (start, len) = ((word as u32 & !TEXT) as usize, (word >> 32) as usize);
        self.more().text.get(start..start + len).unwrap_or_default()
    }

    /// The word of a string that is a slice of the input.
    #[inline]
    pub(crate) fn within_input(&self, bytes: &[u8]) -> Option<u64> {
        within(&self.input, bytes)
    }

    /// The bytes of a string, and whether they are a slice of the input.
    pub(crate) fn text_of<'a, 'de>(&'a self, input: Option<&'de [u8]>, word: u64) -> HeldText<'a, 'de> {
        match input {
            Some(input) if word as u32 & TEXT == 0 => {
                let (start, len) = (word as u32 as usize, (word >> 32) as usize);
                HeldText::Borrowed(input.get(start..start + len).unwrap_or_default())
            }
            _ => HeldText::Owned(self.bytes(word)),
        }
    }

    /// The word of a string: its range in the input, or of a copy.
    ///
    /// # Errors
    /// There is no room for more text.
    pub(crate) fn string(&mut self, bytes: &[u8]) -> Result<u64> {
        match self.within_input(bytes) {
            Some(word) => Ok(word),
            None => self.copy(bytes),
        }
    }

    /// The word of a copy of a string.
    ///
    /// # Errors
    /// There is no room for more text.
    pub(crate) fn copy(&mut self, bytes: &[u8]) -> Result<u64> {
        let text = &mut self.more_mut().text;
        let start = text.len();
        if start + bytes.len() >= TEXT as usize {
            return Err(full());
        }
        text.extend_from_slice(bytes);
        Ok(u64::from(start as u32 | TEXT) | (bytes.len() as u64) << 32)
    }

    /// Replaces a string, in place if the new one fits.
    ///
    /// # Errors
    /// There is no room for more text.
    pub(crate) fn replace(&mut self, old: u64, bytes: &[u8]) -> Result<u64> {
        let (offset, room) = (old as u32, (old >> 32) as usize);
        if offset & TEXT != 0 && bytes.len() <= room {
            let start = (offset & !TEXT) as usize;
            self.more_mut().text[start..start + bytes.len()].copy_from_slice(bytes);
            self.garbage += room - bytes.len();
            return Ok(u64::from(offset) | (bytes.len() as u64) << 32);
        }
        let word = self.copy(bytes)?;
        self.drop_string(old);
        Ok(word)
    }

    /// A string is not needed any more.
    pub(crate) fn drop_string(&mut self, word: u64) {
        if word as u32 & TEXT != 0 {
            self.garbage += (word >> 32) as usize;
        }
    }

    /// The unknown fields of a message, if the input may be borrowed.
    pub(crate) fn unknown_text<'a, 'de>(&'a self, input: Option<&'de [u8]>, at: u32) -> HeldText<'a, 'de> {
        let index = ((self.words[at as usize] >> 32) as usize).checked_sub(1);
        match index.and_then(|index| self.more().unknown.get(index)) {
            Some(Unknown::Range(word)) => self.text_of(input, *word),
            Some(Unknown::Owned(fields)) => HeldText::Owned(fields),
            None => HeldText::Owned(&[]),
        }
    }

    /// The unknown fields of a message.
    pub(crate) fn unknown(&self, at: u32) -> &[u8] {
        self.unknown_text(None, at).bytes()
    }

    /// Adds to the unknown fields of a message.
    #[cold]
    pub(crate) fn add_unknown(&mut self, at: u32, fields: &[u8]) {
        let input = self.input.clone();
        self.add_unknown_of(&input, at, fields);
    }

    /// The same, where the arena may not have its input yet.
    #[cold]
    pub(crate) fn add_unknown_of(&mut self, input: &[u8], at: u32, fields: &[u8]) {
        if fields.is_empty() {
            return;
        }
        let fresh = match within(input, fields) {
            Some(word) => Unknown::Range(word),
            None => Unknown::Owned(fields.to_vec()),
        };
        let Some(index) = ((self.words[at as usize] >> 32) as usize).checked_sub(1) else {
            let all = &mut self.more_mut().unknown;
            all.push(fresh);
            let handle = all.len() as u64;
            self.words[at as usize] |= handle << 32;
            return;
        };
        match &mut self.more_mut().unknown[index] {
            // They directly follow the previous ones.
            Unknown::Range(word) => {
                let (end, len) = ((*word as u32 as u64) + (*word >> 32), fields.len() as u64);
                if let Unknown::Range(next) = fresh
                    && u64::from(next as u32) == end
                {
                    *word += len << 32;
                } else {
                    let both = [self.bytes_of(Some(input), self.range_of(index)), fields].concat();
                    self.more_mut().unknown[index] = Unknown::Owned(both);
                }
            }
            Unknown::Owned(kept) => kept.extend_from_slice(fields),
        }
    }

    fn range_of(&self, index: usize) -> u64 {
        match self.more().unknown[index] {
            Unknown::Range(word) => word,
            Unknown::Owned(_) => 0,
        }
    }

    /// Replaces the unknown fields of a message.
    pub(crate) fn set_unknown(&mut self, at: u32, fields: &[u8]) {
        match ((self.words[at as usize] >> 32) as usize).checked_sub(1) {
            Some(index) => self.more_mut().unknown[index] = Unknown::Owned(fields.to_vec()),
            None => self.add_unknown(at, fields),
        }
    }

    /// Where a list starts and how many elements it has.
    #[inline]
    pub(crate) fn list(&self, slot: usize) -> (usize, usize) {
        list_range(self.words[slot])
    }

    /// The elements of the list in a word.
    #[inline]
    pub(crate) fn elements(&self, word: u64) -> &[u64] {
        let (start, len) = list_range(word);
        &self.words[start..start + len]
    }

    /// The capacity of a list, from the word before its first element.
    #[inline]
    pub(crate) fn room(&self, start: usize) -> usize {
        if start == 0 { 0 } else { self.words[start - 1] as usize }
    }

    /// Reserves `more` elements at the end of the list in a slot, and returns the position of the first of
    /// them.
    pub(crate) fn grow_list(&mut self, slot: usize, more: usize) -> usize {
        let (start, len) = self.list(slot);
        let (room, wanted) = (self.room(start), len + more);
        let mut to = start;
        if wanted > room {
            if start != 0 && start + room == self.words.len() {
                // The last run of words: it grows in place.
                self.words.resize(start + wanted, 0);
                self.words[start - 1] = wanted as u64;
            } else {
                let room = if start == 0 { wanted } else { wanted.max(2 * room) };
                self.words.push(room as u64);
                to = self.words.len();
                self.words.resize(to + room, 0);
                self.words.copy_within(start..start + len, to);
                self.garbage += 8 * len;
            }
        }
        self.words[slot] = to as u64 | (wanted as u64) << 32;
        to + len
    }

    /// Shortens a list.
    pub(crate) fn set_list_len(&mut self, slot: usize, len: usize) {
        let (start, old) = self.list(slot);
        self.garbage += 8 * (old - len);
        self.words[slot] = start as u64 | (len as u64) << 32;
    }

    /// Fails if the arena has no room for further words.
    pub(crate) fn check_room(&self) -> Result<()> {
        if self.words.len() > MAX_WORDS {
            return Err(full());
        }
        Ok(())
    }

    /// How many bytes the arena has, garbage included.
    pub(crate) fn size(&self) -> usize {
        self.more().text.len() + 8 * self.words.len()
    }

    /// How many bytes the arena holds, spare capacity included.
    pub(crate) fn held(&self) -> usize {
        self.more().text.capacity() + 8 * self.words.capacity()
    }

    /// The key in a word, for errors.
    #[cold]
    pub(crate) fn key_in_words(&self, input: Option<&[u8]>, kind: Kind, word: u64) -> String {
        match kind {
            Kind::String => String::from_utf8_lossy(self.bytes_of(input, word)).into_owned(),
            Kind::Bool => (word != 0).to_string(),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => (word as i32).to_string(),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => (word as i64).to_string(),
            _ => word.to_string(),
        }
    }
}

/// No bytes; by a branch, so that what is read of other bytes need not wait for the comparison.
#[cold]
fn nothing() -> &'static [u8] {
    &[]
}

/// A vector of zeros. For few words, allocating and then writing zeros is faster than allocating zeroed
/// memory.
#[inline]
#[allow(clippy::slow_vector_initialization, reason = "it is the faster one for a few words")]
fn zeros(words: usize) -> Vec<u64> {
    const MANY: usize = 4096;
    if words > MANY {
        return vec![0; words];
    }
    let mut all = Vec::with_capacity(words);
    all.resize(words, 0);
    all
}

/// The word of a string that is a slice of the input.
#[inline]
fn within(input: &[u8], bytes: &[u8]) -> Option<u64> {
    let offset = (bytes.as_ptr() as usize).wrapping_sub(input.as_ptr() as usize);
    let inside = offset <= input.len() && bytes.len() <= input.len() - offset;
    inside.then_some(offset as u64 | (bytes.len() as u64) << 32)
}

#[cold]
fn full() -> Error {
    Error::limit(LimitError::Memory(8 * MAX_WORDS as u64))
}
