//! Messages, lists and maps of an arena, for changes in place.

use crate::object::arena::view::MessageAt;
use crate::object::arena::words::{Arena, Offsets, list_word};
use crate::table::{Kind, Row, Shape, Table};

pub(crate) struct MessageAtMut<'a> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) table: &'a Table,
    pub(crate) offsets: Offsets,
}

pub(crate) struct ListAtMut<'a> {
    pub(crate) arena: &'a mut Arena,
    /// The table of the message that has the list.
    pub(crate) table: &'a Table,
    pub(crate) field: &'a Row,
    pub(crate) slot: u32,
}

pub(crate) struct MapAtMut<'a> {
    pub(crate) arena: &'a mut Arena,
    /// The table of the message that has the map.
    pub(crate) table: &'a Table,
    pub(crate) field: &'a Row,
    pub(crate) word: u64,
}

impl<'a> MessageAtMut<'a> {
    pub(crate) fn new(arena: &'a mut Arena, table: &'a Table, at: u32) -> Self {
        MessageAtMut { offsets: Offsets::new(at), arena, table }
    }

    pub(crate) fn read(&self) -> MessageAt<'_> {
        MessageAt::new(self.arena, self.table, self.offsets.at)
    }

    pub(crate) fn reborrow(&mut self) -> MessageAtMut<'_> {
        MessageAtMut { arena: self.arena, table: self.table, offsets: self.offsets }
    }
}

impl Arena {
    /// Marks a field as set, and clears the other fields of its oneof. Returns the position of the field's value.
    pub(crate) fn set_presence(&mut self, offsets: Offsets, table: &Table, field: &Row) -> u32 {
        if field.oneof.is_some() {
            self.clear_siblings(offsets, table, field);
        }
        self.set_bit(offsets, field);
        offsets.slot(field)
    }

    pub(crate) fn clear(&mut self, offsets: Offsets, field: &Row) {
        if !self.has_bit(offsets, field) {
            return;
        }
        self.clear_bit(offsets, field);
        let old = self.word(offsets, field);
        self.set_word(offsets, field, 0);
        match (field.shape, field.kind) {
            (Shape::Singular, Kind::String | Kind::Bytes) => self.drop_string(old),
            (Shape::Singular, Kind::Message | Kind::Group) | (Shape::List | Shape::Map, _) => {
                self.garbage += 8
            }
            _ => {}
        }
    }

    /// Returns the word of the map in the cell `slot`. Creates an empty map if there is none.
    pub(crate) fn map_in(&mut self, field: &Row, slot: u32) -> u64 {
        if self.cells.get(slot) == 0 {
            let text = field.map().key.kind == Kind::String;
            let map = self.new_map(text);
            self.cells.set(slot, map as u32);
        }
        u64::from(self.cells.get(slot))
    }

    /// Stores a list of elements, and returns its word.
    pub(crate) fn list_of(&mut self, row: &Row, elements: &[u64]) -> u64 {
        if elements.is_empty() {
            return 0;
        }
        let width = row.width();
        let start = self.cells.push_zeros(width.cells(elements.len()));
        for (index, word) in elements.iter().enumerate() {
            self.cells.set_element(width, start, index, *word);
        }
        list_word(start, elements.len())
    }
}
