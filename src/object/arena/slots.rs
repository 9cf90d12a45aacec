//! Gives access to the fields of a message in an arena by their slots. The slot of a field is its index among the fields of
//! the message, in the order of their numbers. Generated code knows the slots.

use crate::object::arena::view::MessageAt;
use crate::object::arena::words::Arena;
use crate::table::Row;

impl<'a> MessageAt<'a> {
    /// Returns the arena and the word of a field; `None` if the field is not marked as set.
    pub(crate) fn set_word(self, slot: u16) -> Option<(&'a Arena, u64)> {
        let (row, (arena, offsets)) = (self.row_in(slot), self.offsets?);
        arena.has_bit(offsets, row).then(|| (arena, arena.word(offsets, row)))
    }

    pub(crate) fn row_in(self, slot: u16) -> &'a Row {
        &self.table.rows[usize::from(slot)]
    }
}
