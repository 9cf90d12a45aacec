//! Lends the values of an arena to serde's data model. A text may be borrowed from the input. A value comes as a word: 64
//! bits with a number, or with the position of data in the arena.

use crate::object::arena::cells::Elements;
use crate::object::arena::text::HeldText;
use crate::object::arena::words::{Arena, Offsets, ROOT};
use crate::object::{KeyText, key_of};
use crate::table::{Kind, Row, Shape, Table};

/// An arena whose values are read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a, 'de> {
    pub(crate) arena: &'a Arena,
    /// The input, if it outlives the message that is read.
    pub(crate) input: Option<&'de [u8]>,
}

#[derive(Clone, Copy)]
pub(crate) struct HeldMessage<'a, 'de> {
    reading: &'a Reading<'a, 'de>,
    table: &'a Table,
    /// The position of the message in the arena; 0 for an empty message that is in no arena.
    at: u32,
}

/// One value, or all values of a list or a map.
#[derive(Clone, Copy)]
pub(crate) struct HeldValue<'a, 'de> {
    reading: &'a Reading<'a, 'de>,
    row: &'a Row,
    word: u64,
    role: Role,
}

/// How a value is used. The role is as wide as the words beside it, because all of them are copied together.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Role {
    Value,
    /// The key of a map entry.
    Key,
    /// The value of a field that the input did not have.
    Absent,
}

impl<'a, 'de> Reading<'a, 'de> {
    pub(crate) fn root(&'a self, table: &'a Table) -> HeldMessage<'a, 'de> {
        HeldMessage { reading: self, table, at: ROOT }
    }
}

static EMPTY: Arena = Arena::EMPTY;
static NOTHING: Reading<'static, 'static> = Reading { arena: &EMPTY, input: None };

impl<'a, 'de> HeldMessage<'a, 'de> {
    /// Creates an empty message, which is in no arena.
    pub(crate) fn empty(table: &'a Table) -> Self {
        HeldMessage { reading: &NOTHING, table, at: 0 }
    }

    #[inline]
    pub(crate) fn table(&self) -> &'a Table {
        self.table
    }

    /// Returns the position of the message in the arena; `None` if it is in no arena.
    #[inline]
    fn offsets(&self) -> Option<Offsets> {
        (self.at != 0).then(|| Offsets::new(self.at))
    }

    /// Returns the value of a field that the input did not have.
    #[inline]
    pub(crate) fn absent(&self, row: &'a Row) -> HeldValue<'a, 'de> {
        HeldValue { reading: self.reading, row, word: 0, role: Role::Absent }
    }

    /// Returns the value of a field that the input had, even if it is the default value. Returns `None` for an empty list
    /// or map.
    #[inline]
    pub(crate) fn get(&self, row: &'a Row) -> Option<HeldValue<'a, 'de>> {
        let offsets = self.offsets()?;
        let arena = self.reading.arena;
        if !arena.has_bit(offsets, row) {
            return None;
        }
        let word = arena.word(offsets, row);
        let empty = match row.shape {
            Shape::List => word >> 32 == 0,
            Shape::Map => arena.map_len(word) == 0,
            Shape::Singular => false,
        };
        (!empty).then_some(HeldValue { reading: self.reading, row, word, role: Role::Value })
    }

    /// Returns the first field that the input had, from the row with the index `from` on: the index of its row, and its
    /// value.
    #[inline]
    pub(crate) fn next_set(self, from: usize) -> Option<(usize, HeldValue<'a, 'de>)> {
        let rows = self.table.rows.get(from..)?;
        rows.iter().find_map(|row| self.get(row).map(|held| (usize::from(row.index), held)))
    }

    pub(crate) fn unknown(self) -> HeldText<'a, 'de> {
        match self.offsets() {
            Some(offsets) => self.reading.arena.unknown_text(self.reading.input, offsets.at),
            None => HeldText::Owned(&[]),
        }
    }
}

impl<'a, 'de> HeldValue<'a, 'de> {
    #[inline]
    pub(crate) fn row(self) -> &'a Row {
        self.row
    }

    pub(crate) fn is_key(self) -> bool {
        self.role == Role::Key
    }

    /// True for the value of a field that the input did not have.
    #[inline]
    pub(crate) fn is_absent(self) -> bool {
        self.role == Role::Absent
    }

    /// Returns the bits of the value: a number, bool or enum.
    #[inline]
    pub(crate) fn bits(self) -> u64 {
        self.word
    }

    #[inline]
    pub(crate) fn text(self) -> HeldText<'a, 'de> {
        self.reading.arena.text_of(self.reading.input, self.word)
    }

    #[inline]
    pub(crate) fn message(self) -> HeldMessage<'a, 'de> {
        HeldMessage { reading: self.reading, table: self.row.sub_table(), at: self.word as u32 }
    }

    #[inline]
    pub(crate) fn elements(&self) -> Elements<'a> {
        self.reading.arena.elements(self.row, self.word)
    }

    /// Returns the element of a list that is stored in `word`.
    #[inline]
    pub(crate) fn element(&self, word: u64) -> HeldValue<'a, 'de> {
        HeldValue { reading: self.reading, row: self.row, word, role: Role::Value }
    }

    pub(crate) fn entries(self) -> usize {
        self.reading.arena.map_len(self.word)
    }

    /// Returns the position of the first entry of a map, or 0 if the map is empty.
    pub(crate) fn first_entry(self) -> u32 {
        self.reading.arena.first_entry(self.word)
    }

    /// Returns the position of the next entry of a map, or 0 after the last entry.
    pub(crate) fn entry_after(self, entry: u32) -> u32 {
        self.reading.arena.entry_after(entry)
    }

    pub(crate) fn entry(self, entry: u32) -> (HeldValue<'a, 'de>, HeldValue<'a, 'de>) {
        let (key, value) = self.reading.arena.entry(entry);
        let rows = self.row.map();
        (
            HeldValue { reading: self.reading, row: &rows.key, word: key, role: Role::Key },
            HeldValue { reading: self.reading, row: &rows.value, word: value, role: Role::Value },
        )
    }

    /// Returns a map key as text, for errors.
    pub(crate) fn key_text(self) -> String {
        match self.row.kind {
            Kind::String => String::from_utf8_lossy(self.text().bytes()).into_owned(),
            kind => KeyText(key_of(kind, self.word)).to_string(),
        }
    }
}
