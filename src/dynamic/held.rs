//! The values of an arena as serde's data model reads them, with text that may be borrowed from the
//! input.

use super::arena::{Arena, Offsets, ROOT, list_range};
use super::scan;
use super::text::HeldText;
use crate::error::Result;
use crate::layout::KeyRef;
use crate::object::KeyText;
use crate::table::{Kind, Row, Shape, Table};

/// Where values are read from.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a, 'de> {
    pub(super) arena: &'a Arena,
    /// Present if the input outlives the message that is read.
    pub(super) input: Option<&'de [u8]>,
    /// Messages and lists are read from the input itself when a visitor needs them, and not from the arena.
    pub(super) in_place: bool,
}

/// A message.
#[derive(Clone, Copy)]
pub(crate) struct MessageHeld<'a, 'de> {
    reading: &'a Reading<'a, 'de>,
    table: &'a Table,
    place: Place,
    /// Its position in the arena; or where it starts in the input, and its length.
    word: u64,
}

/// Where a message is.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Place {
    /// An empty message is nowhere.
    Nowhere,
    Arena,
    /// In the input.
    Input,
}

/// One value, or all of a list or map.
#[derive(Clone, Copy)]
pub(crate) struct Held<'a, 'de> {
    reading: &'a Reading<'a, 'de>,
    row: &'a Row,
    word: u64,
    role: Role,
}

/// As wide as the words beside it: they are copied together.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Role {
    Value,
    /// The key of a map entry.
    Key,
    /// A packed list that is read from the input itself.
    Packed,
    /// A field that was not received.
    Absent,
}

impl<'a, 'de> Reading<'a, 'de> {
    /// The outermost message.
    pub(crate) fn root(&'a self, table: &'a Table) -> MessageHeld<'a, 'de> {
        let (place, word) = match self.in_place {
            true => (Place::Input, (self.input.map_or(0, <[u8]>::len) as u64) << 32),
            false => (Place::Arena, u64::from(ROOT)),
        };
        MessageHeld { reading: self, table, place, word }
    }

    /// Of the input itself, which is less than 2 GiB.
    #[inline]
    pub(crate) fn in_place(input: &'de [u8]) -> Self {
        Reading { arena: &EMPTY, input: Some(input), in_place: true }
    }
}

static EMPTY: Arena = Arena::EMPTY;
static NOTHING: Reading<'static, 'static> = Reading { arena: &EMPTY, input: None, in_place: false };

impl<'a, 'de> MessageHeld<'a, 'de> {
    /// A message with nothing in it.
    pub(crate) fn empty(table: &'a Table) -> Self {
        MessageHeld { reading: &NOTHING, table, place: Place::Nowhere, word: 0 }
    }

    /// The table of the message.
    #[inline]
    pub(crate) fn table(&self) -> &'a Table {
        self.table
    }

    /// The input that it is in.
    #[inline]
    pub(super) fn input(&self) -> Option<&'de [u8]> {
        self.reading.input
    }

    /// Its bytes, if they are yet to be read.
    #[inline]
    pub(crate) fn bytes(&self) -> Option<&'de [u8]> {
        let (start, end) = self.range()?;
        self.reading.input?.get(start..end)
    }

    /// True if its bytes are yet to be read.
    #[inline]
    pub(crate) fn is_in_place(&self) -> bool {
        self.place == Place::Input
    }

    /// Where its bytes are in the input.
    #[inline]
    pub(super) fn range(&self) -> Option<(usize, usize)> {
        let (start, len) = (self.word as u32 as usize, (self.word >> 32) as usize);
        self.is_in_place().then_some((start, start + len))
    }

    /// Where it is in the arena.
    #[inline]
    fn offsets(&self) -> Option<Offsets> {
        (self.place == Place::Arena).then(|| Offsets::new(self.word as u32, self.table))
    }

    /// A value of the message, which is among those that were found in its bytes.
    #[inline]
    pub(super) fn value(&self, row: &'a Row, word: u64, packed: bool) -> Held<'a, 'de> {
        let role = if packed { Role::Packed } else { Role::Value };
        Held { reading: self.reading, row, word, role }
    }

    /// A field that was not received.
    #[inline]
    pub(crate) fn absent(&self, row: &'a Row) -> Held<'a, 'de> {
        Held { reading: self.reading, row, word: 0, role: Role::Absent }
    }

    /// The value of a field that was received, even the default.
    #[inline]
    pub(crate) fn get(&self, row: &'a Row) -> Option<Held<'a, 'de>> {
        let offsets = self.offsets()?;
        let arena = self.reading.arena;
        if !arena.has_bit(offsets, usize::from(row.slot)) {
            return None;
        }
        let word = arena.words[offsets.slot(usize::from(row.slot))];
        let empty = match row.shape {
            Shape::List => word >> 32 == 0,
            Shape::Map => arena.map_len(word) == 0,
            Shape::Singular => false,
        };
        (!empty).then_some(Held { reading: self.reading, row, word, role: Role::Value })
    }

    /// The index of the first field from an index on that was received.
    #[inline]
    pub(crate) fn next_set(self, from: usize) -> Option<(usize, Held<'a, 'de>)> {
        let rows = self.table.rows.get(from..)?;
        rows.iter().find_map(|row| self.get(row).map(|held| (usize::from(row.index), held)))
    }

    /// The unknown fields.
    pub(crate) fn unknown(self) -> HeldText<'a, 'de> {
        match self.offsets() {
            Some(offsets) => self.reading.arena.unknown_text(self.reading.input, offsets.at),
            None => HeldText::Owned(&[]),
        }
    }
}

impl<'a, 'de> Held<'a, 'de> {
    /// The field that it is of.
    #[inline]
    pub(crate) fn row(self) -> &'a Row {
        self.row
    }

    /// True for the key of a map entry.
    pub(crate) fn is_key(self) -> bool {
        self.role == Role::Key
    }

    /// True for a field that was not received.
    #[inline]
    pub(crate) fn is_absent(self) -> bool {
        self.role == Role::Absent
    }

    /// True for a value whose bytes are yet to be read, and may be malformed.
    #[inline]
    pub(crate) fn is_in_place(self) -> bool {
        self.reading.in_place
    }

    /// The input that it is in.
    #[inline]
    fn input(&self) -> &'de [u8] {
        self.reading.input.unwrap_or_default()
    }

    /// The bits of a number, bool or enum.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.word
    }

    /// A string or byte string.
    #[inline]
    pub(crate) fn text(self) -> HeldText<'a, 'de> {
        self.reading.arena.text_of(self.reading.input, self.word)
    }

    /// A message.
    #[inline]
    pub(crate) fn message(self) -> MessageHeld<'a, 'de> {
        let place = match (self.reading.in_place, self.word as u32) {
            (true, _) => Place::Input,
            (false, 0) => Place::Nowhere,
            (false, _) => Place::Arena,
        };
        MessageHeld { reading: self.reading, table: self.row.sub_table(), place, word: self.word }
    }

    /// The bytes of the input that its word stands for.
    #[inline]
    pub(crate) fn bytes(self) -> &'de [u8] {
        let (start, len) = (self.word as u32 as usize, (self.word >> 32) as usize);
        self.reading.input.and_then(|input| input.get(start..start + len)).unwrap_or_default()
    }

    /// True for a packed list whose bytes are yet to be read.
    #[inline]
    pub(crate) fn is_packed(self) -> bool {
        self.role == Role::Packed
    }

    /// Reads a packed list into words.
    ///
    /// # Errors
    /// It is malformed.
    #[inline]
    pub(crate) fn read_run(self, words: &mut Vec<u64>) -> Result<()> {
        scan::read_run(self.row, self.bytes(), words)
    }

    /// The elements of a list.
    #[inline]
    pub(crate) fn elements(&self) -> Elements<'a, 'de> {
        if self.reading.in_place {
            let (start, len) = list_range(self.word);
            let rest = self.reading.input.and_then(|input| input.get(start..)).unwrap_or_default();
            return Elements { words: &[], rest, left: len };
        }
        Elements::of(self.reading.arena.elements(self.word))
    }

    /// An element of a list.
    #[inline]
    pub(crate) fn element(&self, word: u64) -> Held<'a, 'de> {
        Held { reading: self.reading, row: self.row, word, role: Role::Value }
    }

    /// How many entries a map has.
    pub(crate) fn entries(self) -> usize {
        self.reading.arena.map(self.word).map_or(0, |map| map.len as usize)
    }

    /// The first entry of a map, or 0.
    pub(crate) fn first_entry(self) -> u32 {
        self.reading.arena.first_entry(self.word)
    }

    /// The entry after another, or 0.
    pub(crate) fn entry_after(self, entry: u32) -> u32 {
        self.reading.arena.entry_after(entry)
    }

    /// Key and value of an entry.
    pub(crate) fn entry(self, entry: u32) -> (Held<'a, 'de>, Held<'a, 'de>) {
        let (key, value) = self.reading.arena.entry(entry);
        let rows = self.row.map();
        (
            Held { reading: self.reading, row: &rows.key, word: key, role: Role::Key },
            Held { reading: self.reading, row: &rows.value, word: value, role: Role::Value },
        )
    }

    /// A key, for errors.
    pub(crate) fn key_text(self) -> String {
        let bits = self.word;
        let key = match self.row.kind {
            Kind::String => return String::from_utf8_lossy(self.text().bytes()).into_owned(),
            Kind::Bool => KeyRef::Bool(bits != 0),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => KeyRef::I32(bits as i32),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => KeyRef::I64(bits as i64),
            _ => KeyRef::U64(bits),
        };
        KeyText(key).to_string()
    }
}

/// The elements of a list that are left.
pub(crate) struct Elements<'a, 'de> {
    /// In an arena.
    words: &'a [u64],
    /// In the input, each but the first after its tag.
    rest: &'de [u8],
    left: usize,
}

impl<'a, 'de> Elements<'a, 'de> {
    /// Elements that were read.
    #[inline]
    pub(crate) fn of(words: &'a [u64]) -> Self {
        Elements { words, rest: &[], left: words.len() }
    }

    /// How many there are.
    #[inline]
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// The word of the next one, of those that are left.
    ///
    /// # Errors
    /// It is malformed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn next(&mut self, list: &Held<'_, 'de>) -> Result<u64> {
        self.left -= 1;
        match self.words {
            [word, words @ ..] => {
                self.words = words;
                Ok(*word)
            }
            [] => {
                let Some((word, rest)) = scan::element(list.input(), list.row, self.rest, self.left > 0)
                else {
                    return Err(scan::malformed());
                };
                self.rest = rest;
                Ok(word)
            }
        }
    }
}
