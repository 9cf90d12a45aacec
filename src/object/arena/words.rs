//! The storage of a dynamic message: one arena, with positions instead of pointers.
//!
//! A message is a range of cells: a bit that says whether it has unknown fields, a presence bit for each field, and then a
//! value for each field, in one or two cells. The value of a number is its bits. The value of a string is an offset and a
//! length. The value of a message or a map is its position. The value of a list is its position and its length; the
//! elements lie at this position, in one, four or eight bytes each. Functions pass each of these values as a word of 64
//! bits. Replaced values stay as garbage until the message is compacted.

use crate::error::{Error, LimitError, Result};
use crate::limits::Limits;
use crate::object::arena::cells::{Cells, Elements};
use crate::object::arena::text::HeldText;
use crate::table::{Kind, Row, Table, Width};
use bytes::Bytes;
use std::collections::BTreeMap;
use std::hash::RandomState;
use std::ops::Range;
use std::sync::Arc;

/// The position of the outermost message. The cell before it is unused, because the position zero means that there is no
/// message.
pub(crate) const ROOT: u32 = 1;

/// The largest number of cells of an arena, because the position of a list has 31 bits.
pub(crate) const MAX_CELLS: usize = (1 << 31) - (1 << 24);

/// A bit in the position of a list that was moved when it grew. The cell before the first element of such a list has the
/// capacity. Other lists have no spare capacity.
const ROOM: u32 = 1 << 31;

/// A bit in the offset of a string that is not in the input.
const TEXT: u32 = 1 << 31;

/// The data of one dynamic message.
#[derive(Clone, Debug)]
pub(crate) struct Arena {
    pub(crate) input: Input,
    /// Messages, lists and map entries.
    pub(crate) cells: Cells,
    /// The approximate number of bytes that are no longer needed. It is zero only if there are none.
    pub(crate) garbage: usize,
    /// True if decoding replaced a field of a oneof by another, or found a map key that is not UTF-8. Such a message cannot
    /// be merged into another message field by field.
    pub(crate) replaces: bool,
    /// The members that small messages do not need.
    more: Option<Box<More>>,
    /// The members `more` after [`share`](Self::share), which the clones of the arena use, too.
    shared_more: Option<Arc<More>>,
}

/// The input of a message. The strings of the message are ranges of the input.
#[derive(Clone, Debug)]
pub(crate) enum Input {
    Shared(Bytes),
    /// The range of a copy of the input among the bytes of the cells. So the cells and the input take one allocation.
    Copied(Range<usize>),
}

impl From<Bytes> for Input {
    fn from(bytes: Bytes) -> Self {
        Input::Shared(bytes)
    }
}

/// The members of an arena that not every message needs. They have their own box, so that moving an arena is cheap.
#[derive(Clone, Debug, Default)]
pub(crate) struct More {
    /// The strings that are not ranges of the input.
    pub(crate) text: Vec<u8>,
    /// The indexes of maps with more than a few entries. An index is a hash table with linear probing, of hashes and
    /// positions of entries. Its length is a power of two or zero.
    pub(crate) indexes: Vec<Vec<(u32, u32)>>,
    /// The unknown fields, by the position of the message.
    unknown: BTreeMap<u32, Unknown>,
    /// The seed of the hashes of map keys. It is made when the first large map needs it.
    pub(crate) hasher: Option<RandomState>,
}

static NO_MORE: More = More { text: Vec::new(), indexes: Vec::new(), unknown: BTreeMap::new(), hasher: None };

/// The unknown fields of one message.
#[derive(Clone, Debug)]
enum Unknown {
    /// The word of a range of the input, or of the text in `More`.
    Range(u64),
    Owned(Vec<u8>),
}

/// The position of a message. It determines the positions of the fields.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offsets {
    pub(crate) at: u32,
}

impl Offsets {
    #[inline(always)]
    pub(crate) fn new(at: u32) -> Self {
        Offsets { at }
    }

    /// Returns the position of the value of a field.
    #[inline(always)]
    pub(crate) fn slot(self, row: &Row) -> u32 {
        self.at + row.offset / 4
    }
}

/// A message has unknown fields if this bit of its first cell is set.
const HAS_UNKNOWN: u32 = 1;

/// Returns the position of a list, and the number of its elements, from its word.
#[inline(always)]
pub(crate) fn list_range(word: u64) -> (u32, usize) {
    (word as u32 & !ROOM, (word >> 32) as usize)
}

/// Returns the word of a list.
#[inline(always)]
pub(crate) fn list_word(start: u32, len: usize) -> u64 {
    u64::from(start) | (len as u64) << 32
}

/// Returns the word of a list whose capacity is in the cell before it.
#[inline(always)]
pub(crate) fn roomy_list_word(start: u32, len: usize) -> u64 {
    list_word(start | ROOM, len)
}

/// True if the capacity of the list is in the cell before it.
#[inline(always)]
pub(crate) fn is_roomy(word: u64) -> bool {
    word as u32 & ROOM != 0
}

/// Returns the number of cells for an outermost message, including the cells before it.
#[inline(always)]
pub(crate) fn root_cells(table: &Table) -> usize {
    (ROOT + table.cells()) as usize
}

/// Returns the number of cells that the arena of a message may take, if the message is decoded from an input of `input` bytes.
pub(crate) fn max_cells(limits: Limits, input: usize) -> usize {
    let memory = limits.max_memory(input as u64);
    usize::try_from(memory / 4).unwrap_or(MAX_CELLS).min(MAX_CELLS - ROOT as usize)
}

impl Default for Arena {
    fn default() -> Self {
        Arena::EMPTY
    }
}

impl Arena {
    /// An arena without any message.
    pub(crate) const EMPTY: Arena = Arena {
        input: Input::NONE,
        cells: Cells::EMPTY,
        garbage: 0,
        replaces: false,
        more: None,
        shared_more: None,
    };

    #[inline]
    pub(crate) fn more(&self) -> &More {
        match &self.more {
            Some(more) => more,
            None => self.shared_more.as_deref().unwrap_or(&NO_MORE),
        }
    }

    #[inline]
    pub(crate) fn more_mut(&mut self) -> &mut More {
        if self.more.is_none() {
            self.take_back_more();
        }
        self.more.get_or_insert_default()
    }

    #[cold]
    #[inline(never)]
    fn take_back_more(&mut self) {
        self.more = self.shared_more.take().map(|more| Box::new(Arc::unwrap_or_clone(more)));
    }

    /// Makes clones share all of the arena.
    #[inline]
    pub(crate) fn share(&mut self) {
        self.cells.share();
        if let Some(more) = self.more.take() {
            self.shared_more = Some(Arc::new(*more));
        }
    }

    #[inline]
    pub(crate) fn input(&self) -> &[u8] {
        match &self.input {
            Input::Shared(bytes) => bytes,
            Input::Copied(range) => self.cells.all().get(range.clone()).unwrap_or_default(),
        }
    }

    /// Returns shared bytes that contain the input.
    pub(crate) fn shared_input(&self) -> &Bytes {
        match &self.input {
            Input::Shared(bytes) => bytes,
            Input::Copied(_) => self.cells.shared(),
        }
    }

    /// Appends a copy of the input to the bytes of the cells.
    pub(crate) fn copy_input(&mut self, input: &[u8]) {
        let at = self.cells.push_bytes(input);
        self.input = Input::Copied(at..at + input.len());
    }

    /// Creates an arena with an empty outermost message.
    pub(crate) fn new(table: &Table, input: Input) -> Self {
        // A message whose cells are all zero is empty.
        let mut arena = Arena { input, ..Arena::EMPTY };
        arena.cells.start(root_cells(table), 0);
        arena
    }

    /// Adds an empty message, and returns its position.
    #[inline]
    pub(crate) fn message(&mut self, table: &Table) -> u32 {
        self.cells.push_zeros(table.cells() as usize)
    }

    #[inline(always)]
    pub(crate) fn has_bit(&self, offsets: Offsets, row: &Row) -> bool {
        self.cells.get(offsets.at + row.presence_word / 4) & row.presence_mask != 0
    }

    #[inline(always)]
    pub(crate) fn set_bit(&mut self, offsets: Offsets, row: &Row) {
        let at = offsets.at + row.presence_word / 4;
        self.cells.set(at, self.cells.get(at) | row.presence_mask);
    }

    #[inline(always)]
    pub(crate) fn clear_bit(&mut self, offsets: Offsets, row: &Row) {
        let at = offsets.at + row.presence_word / 4;
        self.cells.set(at, self.cells.get(at) & !row.presence_mask);
    }

    #[inline(always)]
    pub(crate) fn word(&self, offsets: Offsets, row: &Row) -> u64 {
        self.cells.get_masked(offsets.slot(row), row.word_mask)
    }

    #[inline(always)]
    pub(crate) fn set_word(&mut self, offsets: Offsets, row: &Row, word: u64) {
        let slot = offsets.slot(row);
        if row.word_mask == u64::MAX {
            self.cells.set_wide(slot, word);
        } else {
            self.cells.set(slot, word as u32);
        }
    }

    /// Returns the bytes of a string.
    #[inline]
    pub(crate) fn bytes(&self, word: u64) -> &[u8] {
        self.bytes_of(None, word)
    }

    /// Returns the bytes of a string. During decoding the arena does not have the input yet, so the caller passes it.
    #[inline]
    pub(crate) fn bytes_of<'a>(&'a self, input: Option<&'a [u8]>, word: u64) -> &'a [u8] {
        match input {
            Some(input) => self.bytes_at(input, 0, word),
            None => self.own_bytes(word),
        }
    }

    #[inline(never)]
    fn own_bytes(&self, word: u64) -> &[u8] {
        match &self.input {
            Input::Shared(input) => self.bytes_at(input, 0, word),
            Input::Copied(range) => self.bytes_at(self.cells.all(), range.start, word),
        }
    }

    /// Returns the bytes of a string. If the input is among the cells, the cells must be shared.
    #[inline]
    pub(crate) fn shared_bytes(&self, word: u64) -> &[u8] {
        match &self.input {
            Input::Shared(input) => self.bytes_at(input, 0, word),
            Input::Copied(range) => self.bytes_at(self.cells.shared(), range.start, word),
        }
    }

    /// Returns the bytes of a string. The input begins at the index `start` of `all`.
    #[inline(always)]
    fn bytes_at<'a>(&'a self, all: &'a [u8], start: usize, word: u64) -> &'a [u8] {
        let (offset, len) = (word as u32, (word >> 32) as usize);
        if offset & TEXT != 0 {
            return self.copied(word);
        }
        let start = start + offset as usize;
        match all.get(start..start + len) {
            Some(bytes) => bytes,
            None => nothing(),
        }
    }

    /// Returns the bytes of a string that is not in the input.
    #[inline(never)]
    fn copied(&self, word: u64) -> &[u8] {
        let (start, len) = ((word as u32 & !TEXT) as usize, (word >> 32) as usize);
        self.more().text.get(start..start + len).unwrap_or_default()
    }

    /// Returns the word of a string that is a part of the input; `None` for any other string.
    #[inline]
    pub(crate) fn within_input(&self, bytes: &[u8]) -> Option<u64> {
        within(self.input(), bytes)
    }

    /// Returns the bytes of a string: borrowed if they are a part of `input`.
    pub(crate) fn text_of<'a, 'de>(&'a self, input: Option<&'de [u8]>, word: u64) -> HeldText<'a, 'de> {
        match input {
            Some(input) if word as u32 & TEXT == 0 => {
                let (start, len) = (word as u32 as usize, (word >> 32) as usize);
                HeldText::Borrowed(input.get(start..start + len).unwrap_or_default())
            }
            _ => HeldText::Owned(self.bytes(word)),
        }
    }

    /// Returns the word of a string: its range in the input, or the range of a new copy.
    pub(crate) fn string(&mut self, bytes: &[u8]) -> Result<u64> {
        match self.within_input(bytes) {
            Some(word) => Ok(word),
            None => self.copy(bytes),
        }
    }

    /// Copies a string, and returns the word of the copy.
    pub(crate) fn copy(&mut self, bytes: &[u8]) -> Result<u64> {
        let text = &mut self.more_mut().text;
        let start = text.len();
        if start + bytes.len() >= TEXT as usize {
            return Err(full());
        }
        text.extend_from_slice(bytes);
        Ok(u64::from(start as u32 | TEXT) | (bytes.len() as u64) << 32)
    }

    /// Replaces a string, in place if the old string is a copy and the new string is not longer. Returns the word of the new
    /// string.
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

    /// Counts a string that is no longer needed as garbage.
    pub(crate) fn drop_string(&mut self, word: u64) {
        if word as u32 & TEXT != 0 {
            self.garbage += (word >> 32) as usize;
        }
    }

    /// Returns the unknown fields of a message: borrowed if they are a part of `input`.
    #[inline]
    pub(crate) fn unknown_text<'a, 'de>(&'a self, input: Option<&'de [u8]>, at: u32) -> HeldText<'a, 'de> {
        if self.cells.get(at) & HAS_UNKNOWN == 0 {
            return HeldText::Owned(&[]);
        }
        match self.more().unknown.get(&at) {
            Some(Unknown::Range(word)) => self.text_of(input, *word),
            Some(Unknown::Owned(fields)) => HeldText::Owned(fields),
            None => HeldText::Owned(&[]),
        }
    }

    pub(crate) fn unknown(&self, at: u32) -> &[u8] {
        self.unknown_text(None, at).bytes()
    }

    /// Appends to the unknown fields of a message.
    #[cold]
    pub(crate) fn add_unknown(&mut self, at: u32, fields: &[u8]) {
        self.add_unknown_of(None, at, fields);
    }

    /// Appends to the unknown fields of a message during decoding, when the arena does not have `input` yet.
    #[cold]
    pub(crate) fn add_unknown_of(&mut self, input: Option<&[u8]>, at: u32, fields: &[u8]) {
        if fields.is_empty() {
            return;
        }
        let fresh = within(input.unwrap_or_else(|| self.input()), fields);
        self.cells.set(at, self.cells.get(at) | HAS_UNKNOWN);
        let kept = match (self.more().unknown.get(&at), fresh) {
            (None, Some(word)) => Unknown::Range(word),
            (None, None) => Unknown::Owned(fields.to_vec()),
            // The new fields directly follow the previous ones in the input.
            (Some(Unknown::Range(word)), Some(next)) if end_of(*word) == u64::from(next as u32) => {
                Unknown::Range(*word + ((fields.len() as u64) << 32))
            }
            (Some(Unknown::Range(word)), _) => Unknown::Owned([self.bytes_of(input, *word), fields].concat()),
            (Some(Unknown::Owned(_)), _) => {
                if let Some(Unknown::Owned(before)) = self.more_mut().unknown.get_mut(&at) {
                    before.extend_from_slice(fields);
                }
                return;
            }
        };
        self.more_mut().unknown.insert(at, kept);
    }

    pub(crate) fn set_unknown(&mut self, at: u32, fields: &[u8]) {
        if self.cells.get(at) & HAS_UNKNOWN != 0 {
            self.cells.set(at, self.cells.get(at) & !HAS_UNKNOWN);
            self.more_mut().unknown.remove(&at);
        }
        self.add_unknown(at, fields);
    }

    /// Returns the elements of the list in a word.
    #[inline(always)]
    pub(crate) fn elements(&self, row: &Row, word: u64) -> Elements<'_> {
        let (start, len) = list_range(word);
        self.cells.elements(row.width(), start, len)
    }

    /// Adds `more` elements to the end of the list in a slot; the caller must then set them. Returns the position of the
    /// list, and the index of the first new element.
    pub(crate) fn grow_list(&mut self, width: Width, slot: u32, more: usize) -> (u32, usize) {
        let word = self.cells.get_wide(slot);
        let ((start, len), end) = (list_range(word), self.cells.len());
        let (room, wanted) = (self.room(word), len + more);
        let mut grown = word + ((more as u64) << 32);
        if wanted <= room {
            // The list has enough room.
        } else if start as usize + width.cells(room) == end {
            // The list is at the end of the cells, so it grows in place.
            self.cells.resize(start as usize + width.cells(wanted));
            if is_roomy(word) {
                self.cells.set(start - 1, wanted as u32);
            }
        } else if len == 0 {
            grown = list_word(self.cells.push_zeros(width.cells(wanted)), wanted);
        } else {
            let room = wanted.max(2 * len);
            let to = self.cells.push_zeros(1 + width.cells(room)) + 1;
            self.cells.set(to - 1, room as u32);
            self.cells.copy_elements(width, start, len, to);
            self.garbage += len * width.bytes();
            grown = roomy_list_word(to, wanted);
        }
        self.cells.set_wide(slot, grown);
        (list_range(grown).0, len)
    }

    #[inline]
    pub(crate) fn room(&self, word: u64) -> usize {
        match list_range(word) {
            (start, _) if is_roomy(word) => self.cells.get(start - 1) as usize,
            (_, len) => len,
        }
    }

    /// Shortens the list in a slot to `len` elements.
    pub(crate) fn set_list_len(&mut self, width: Width, slot: u32, len: usize) {
        let word = self.cells.get_wide(slot);
        self.garbage += width.bytes() * ((word >> 32) as usize - len);
        self.cells.set_wide(slot, u64::from(word as u32) | (len as u64) << 32);
    }

    /// Checks that the arena can take further cells.
    pub(crate) fn check_room(&self) -> Result<()> {
        if self.cells.len() > MAX_CELLS {
            return Err(full());
        }
        Ok(())
    }

    /// Returns the size of the arena in bytes, including garbage.
    pub(crate) fn size(&self) -> usize {
        self.more().text.len() + 4 * self.cells.len()
    }

    /// Returns the size of the arena in bytes, including spare capacity.
    pub(crate) fn held(&self) -> usize {
        self.more().text.capacity() + self.cells.held()
    }

    /// Returns the map key with the word `word` as text, for errors.
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

/// Returns no bytes. Because this is a separate function, the compiler uses a branch. The processor predicts the branch, so it
/// need not wait for the comparison before it reads the bytes of a string.
#[cold]
fn nothing() -> &'static [u8] {
    &[]
}

impl Input {
    pub(crate) const NONE: Input = Input::Copied(0..0);
}

/// Returns the position after the bytes of a range of the input.
fn end_of(word: u64) -> u64 {
    u64::from(word as u32) + (word >> 32)
}

/// Returns the word of a string that is a part of the input; `None` for any other string.
#[inline]
fn within(input: &[u8], bytes: &[u8]) -> Option<u64> {
    let offset = (bytes.as_ptr() as usize).wrapping_sub(input.as_ptr() as usize);
    let inside = offset <= input.len() && bytes.len() <= input.len() - offset;
    inside.then_some(offset as u64 | (bytes.len() as u64) << 32)
}

#[cold]
fn full() -> Error {
    Error::limit(LimitError::Memory(4 * MAX_CELLS as u64))
}
