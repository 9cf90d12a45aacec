//! The values of an arena as serde's data model reads them, with text that may be borrowed from the
//! input.

use super::arena::{Arena, Offsets, ROOT};
use super::text::HeldText;
use crate::layout::KeyRef;
use crate::object::KeyText;
use crate::table::{Kind, Row, Shape, Table};

/// An arena and the input that its texts are ranges of.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a, 'de> {
    pub(super) arena: &'a Arena,
    /// Present if the input outlives the message that is read.
    pub(super) input: Option<&'de [u8]>,
}

/// A message.
#[derive(Clone, Copy)]
pub(crate) struct MessageHeld<'a, 'de> {
    reading: Reading<'a, 'de>,
    table: &'a Table,
    /// An empty message is nowhere.
    offsets: Option<Offsets>,
}

/// One value, or all of a list or map.
#[derive(Clone, Copy)]
pub(crate) struct Held<'a, 'de> {
    reading: Reading<'a, 'de>,
    row: &'a Row,
    word: u64,
    /// It is the key of a map entry.
    key: bool,
}

impl<'a, 'de> Reading<'a, 'de> {
    /// The outermost message.
    pub(crate) fn root(self, table: &'a Table) -> MessageHeld<'a, 'de> {
        MessageHeld { reading: self, table, offsets: Some(Offsets::new(ROOT, table)) }
    }
}

impl<'a, 'de> MessageHeld<'a, 'de> {
    /// A message with nothing in it.
    pub(crate) fn empty(table: &'a Table) -> Self {
        static NOTHING: Arena = Arena::EMPTY;
        MessageHeld { reading: Reading { arena: &NOTHING, input: None }, table, offsets: None }
    }

    /// The table of the message.
    pub(crate) fn table(self) -> &'a Table {
        self.table
    }

    /// The value of a field that was received, even the default.
    #[inline]
    pub(crate) fn get(self, row: &'a Row) -> Option<Held<'a, 'de>> {
        let offsets = self.offsets?;
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
        (!empty).then_some(Held { reading: self.reading, row, word, key: false })
    }

    /// The index of the first field from an index on that was received.
    #[inline]
    pub(crate) fn next_set(self, from: usize) -> Option<(usize, Held<'a, 'de>)> {
        let rows = self.table.rows.get(from..)?;
        rows.iter().find_map(|row| self.get(row).map(|held| (usize::from(row.index), held)))
    }

    /// The unknown fields.
    pub(crate) fn unknown(self) -> HeldText<'a, 'de> {
        match self.offsets {
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
        self.key
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
    pub(crate) fn message(self) -> MessageHeld<'a, 'de> {
        let table = self.row.sub_table();
        let offsets = match self.word as u32 {
            0 => None,
            at => Some(Offsets::new(at, table)),
        };
        MessageHeld { reading: self.reading, table, offsets }
    }

    /// How many elements a list has.
    #[inline]
    pub(crate) fn len(self) -> usize {
        (self.word >> 32) as usize
    }

    /// An element of a list.
    #[inline]
    pub(crate) fn element(self, index: usize) -> Held<'a, 'de> {
        let start = self.word as u32 as usize;
        Held { word: self.reading.arena.words[start + index], ..self }
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
            Held { reading: self.reading, row: &rows.key, word: key, key: true },
            Held { reading: self.reading, row: &rows.value, word: value, key: false },
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
