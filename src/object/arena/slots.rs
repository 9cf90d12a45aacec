//! Fields of a message in an arena by their slots: the index of a field among those of its message, in the order of their
//! numbers, which generated code knows.

use crate::object::arena::view::MessageAt;
use crate::object::arena::words::Arena;
use crate::table::Row;

impl<'a> MessageAt<'a> {
    /// The arena and the word of a field, if the field is set.
    pub(crate) fn set_word(self, slot: u16) -> Option<(&'a Arena, u64)> {
        let (row, (arena, offsets)) = (self.row_in(slot), self.offsets?);
        arena.has_bit(offsets, row).then(|| (arena, arena.word(offsets, row)))
    }

    /// The row of a field.
    pub(crate) fn row_in(self, slot: u16) -> &'a Row {
        &self.table.rows[usize::from(slot)]
    }
}
