//! Slots of an arena that one value is written to, as serde's data model fills them.

use super::arena::{Arena, Offsets};
use super::object::{MessageFill, child, text_word};
use crate::error::Result;
use crate::layout::Text;
use crate::table::{Kind, Row, Table};

/// The destination of one value of a field. Nothing is set before the value is written.
pub(crate) struct Cell<'a, 't> {
    arena: &'a mut Arena,
    row: &'t Row,
    target: Target<'t>,
}

#[derive(Clone, Copy)]
enum Target<'t> {
    Member(Offsets, &'t Table),
    Word(usize),
}

/// A list that elements are added to.
pub(crate) struct ListFill<'a, 't> {
    arena: &'a mut Arena,
    row: &'t Row,
    slot: usize,
}

/// A map that entries are added to.
pub(crate) struct MapFill<'a, 't> {
    arena: &'a mut Arena,
    row: &'t Row,
    map: u64,
}

impl<'a, 't> MessageFill<'a, 't> {
    /// The cell for the value of a field.
    pub(crate) fn cell(&mut self, row: &'t Row) -> Cell<'_, 't> {
        Cell { arena: self.arena, row, target: Target::Member(self.offsets, self.table) }
    }

    /// The cell for the value of a field, for as long as the message is borrowed.
    pub(crate) fn into_cell(self, row: &'t Row) -> Cell<'a, 't> {
        Cell { arena: self.arena, row, target: Target::Member(self.offsets, self.table) }
    }

    /// The same message, for a shorter time.
    pub(crate) fn reborrow(&mut self) -> MessageFill<'_, 't> {
        MessageFill { arena: self.arena, table: self.table, offsets: self.offsets }
    }

    /// True when a field was set, even to its default.
    pub(crate) fn is_present(&self, row: &Row) -> bool {
        self.arena.has_bit(self.offsets, usize::from(row.slot))
    }
}

impl<'a, 't> Cell<'a, 't> {
    /// The field.
    pub(crate) fn row(&self) -> &'t Row {
        self.row
    }

    fn word(&mut self) -> usize {
        match self.target {
            Target::Member(offsets, table) => self.arena.set_presence(offsets, table, self.row),
            Target::Word(word) => word,
        }
    }

    /// Sets a number, bool or enum.
    pub(crate) fn set_scalar(mut self, bits: u64) {
        let word = self.word();
        self.arena.words[word] = bits;
    }

    /// Sets a string or byte string.
    ///
    /// # Errors
    /// It is not UTF-8, or there is no room for it.
    pub(crate) fn set_text(mut self, bytes: &[u8]) -> Result<()> {
        let text = text_word(self.arena, self.row, Text::owned(bytes))?;
        let word = self.word();
        self.arena.words[word] = text;
        Ok(())
    }

    /// The message in it.
    ///
    /// # Errors
    /// There is no room for one.
    pub(crate) fn into_message(mut self) -> Result<MessageFill<'a, 't>> {
        let word = self.word();
        child(self.arena, self.row, word)
    }

    /// The list in it; nothing is set before the first element.
    pub(crate) fn into_list(mut self) -> ListFill<'a, 't> {
        let slot = self.word();
        ListFill { arena: self.arena, row: self.row, slot }
    }

    /// The map in it.
    pub(crate) fn into_map(mut self) -> MapFill<'a, 't> {
        let slot = self.word();
        let map = self.arena.map_in(self.row, slot);
        MapFill { arena: self.arena, row: self.row, map }
    }
}

impl<'t> ListFill<'_, 't> {
    /// The cell for one more element.
    ///
    /// # Errors
    /// There is no room for it.
    pub(crate) fn element(&mut self) -> Result<Cell<'_, 't>> {
        self.arena.check_room()?;
        let at = self.arena.grow_list(self.slot, 1);
        self.arena.words[at] = 0;
        Ok(Cell { arena: self.arena, row: self.row, target: Target::Word(at) })
    }
}

impl<'t> MapFill<'_, 't> {
    /// Begins an entry.
    ///
    /// # Errors
    /// There is no room for it.
    pub(crate) fn begin(&mut self) -> Result<u32> {
        self.arena.check_room()?;
        Ok(self.arena.new_entry())
    }

    /// The cell for the key of an entry.
    pub(crate) fn key(&mut self, entry: u32) -> Cell<'_, 't> {
        Cell { arena: self.arena, row: &self.row.map().key, target: Target::Word(entry as usize) }
    }

    /// The cell for the value of an entry.
    pub(crate) fn value(&mut self, entry: u32) -> Cell<'_, 't> {
        Cell { arena: self.arena, row: &self.row.map().value, target: Target::Word(entry as usize + 1) }
    }

    /// Puts an entry into the map, replacing one with the same key.
    ///
    /// # Errors
    /// There is no room for the message that a value is.
    pub(crate) fn end(&mut self, entry: u32) -> Result<()> {
        let value = &self.row.map().value;
        if value.is_message() && self.arena.words[entry as usize + 1] == 0 {
            child(self.arena, value, entry as usize + 1)?;
        }
        self.arena.put_entry(self.map, entry);
        Ok(())
    }

    /// The key of an entry, for errors.
    pub(crate) fn key_text(&self, entry: u32) -> String {
        let kind: Kind = self.row.map().key.kind;
        self.arena.key_in_words(None, kind, self.arena.entry(entry).0)
    }
}
