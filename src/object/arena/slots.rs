//! Fields of a message in an arena by their slots: the index of a field among those of its message, in the order of their
//! numbers, which generated code knows.

use crate::layout::KeyRef;
use crate::object::arena::view::{MapAt, MessageAt};
use crate::object::arena::words::Arena;
use crate::table::Row;

impl<'a> MessageAt<'a> {
    /// The word of a field. If the field is in no oneof and is not set, it is zero.
    #[inline]
    pub(crate) fn word(self, slot: u16) -> u64 {
        self.offsets.map_or(0, |(arena, offsets)| arena.word(offsets, self.row_in(slot)))
    }

    /// The word of a number or string, which takes so many bytes: the caller knows the width from the Rust type.
    #[inline]
    pub(crate) fn word_of(self, slot: u16, width: usize) -> u64 {
        let Some((arena, offsets)) = self.offsets else { return 0 };
        let at = offsets.slot(self.row_in(slot));
        if width == 8 { arena.cells.get_wide(at) } else { u64::from(arena.cells.get(at)) }
    }

    /// The arena, unless the message is an empty one.
    #[inline]
    pub(crate) fn arena(self) -> Option<&'a Arena> {
        self.offsets.map(|(arena, _)| arena)
    }

    /// True where a field is marked as set: one with presence is set then.
    #[inline]
    pub(crate) fn has_slot(self, slot: u16) -> bool {
        self.offsets.is_some_and(|(arena, offsets)| arena.has_bit(offsets, self.row_in(slot)))
    }

    /// The row of a field.
    #[inline]
    pub(crate) fn row_in(self, slot: u16) -> &'a Row {
        &self.table.rows[usize::from(slot)]
    }

    /// The message in a field; an empty one where it is not set.
    #[inline]
    pub(crate) fn message_in(self, slot: u16) -> MessageAt<'a> {
        let table = self.row_in(slot).sub_table();
        match self.offsets {
            Some((arena, _)) if self.has_slot(slot) => match self.word(slot) as u32 {
                0 => MessageAt::empty(table),
                at => MessageAt::new(arena, table, at),
            },
            _ => MessageAt::empty(table),
        }
    }

    /// The map in a field.
    #[inline]
    pub(crate) fn map_in(self, slot: u16) -> MapAt<'a> {
        match self.offsets {
            Some((arena, _)) => MapAt::new(arena, self.row_in(slot).map(), self.word(slot)),
            None => MapAt::EMPTY,
        }
    }
}

impl<'a> MapAt<'a> {
    /// The word of the value of a key, which is of the kind that the map has.
    pub(crate) fn value_at(self, key: KeyRef<'_>) -> Option<u64> {
        let map = self.0?;
        let entry = map.arena.find_entry(map.word, key.into());
        (entry != 0).then(|| map.arena.entry(entry).1)
    }

    /// The first entry; 0 for none.
    pub(crate) fn first_at(self) -> u32 {
        self.0.map_or(0, |map| map.arena.first_entry(map.word))
    }
}
