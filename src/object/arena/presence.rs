//! Finds the set fields of a message in an arena, and sorts the entries of maps.

use crate::object::arena::words::{Arena, Offsets};
use crate::sort::sort_by_key;
use crate::table::{Kind, MapRows, Presence, Row, Shape, Table};

impl Arena {
    /// True if a field is set: it is marked as set, and is neither an empty list or map nor a default value without
    /// presence.
    #[inline]
    pub(crate) fn is_set(&self, offsets: Offsets, row: &Row) -> bool {
        self.has_bit(offsets, row) && self.is_filled(offsets, row)
    }

    /// True if a field that is marked as set has a value that counts as set.
    #[inline]
    pub(crate) fn is_filled(&self, offsets: Offsets, row: &Row) -> bool {
        let word = self.word(offsets, row);
        match row.shape {
            Shape::List => word >> 32 != 0,
            Shape::Map => self.map_len(word) != 0,
            Shape::Singular if row.presence != Presence::Implicit => true,
            Shape::Singular if matches!(row.kind, Kind::String | Kind::Bytes) => word >> 32 != 0,
            Shape::Singular => word != 0,
        }
    }

    /// Returns a required field that is not set; `None` if all required fields are set.
    pub(crate) fn missing<'t>(&self, offsets: Offsets, table: &'t Table) -> Option<&'t Row> {
        let rows = table.required.iter().map(|&index| &table.rows[usize::from(index)]);
        rows.into_iter().find(|row| !self.has_bit(offsets, row))
    }

    /// Clears the other fields of the oneof that has the field `row`. Returns true if one of them was set.
    #[inline(never)]
    pub(crate) fn clear_siblings(&mut self, offsets: Offsets, table: &Table, row: &Row) -> bool {
        let Some(oneof) = row.oneof.and_then(|oneof| table.oneofs.get(usize::from(oneof))) else {
            return false;
        };
        let mut cleared = false;
        let others = oneof.rows.iter().map(|&other| &table.rows[usize::from(other)]);
        for other in others.filter(|other| other.number != row.number) {
            if self.has_bit(offsets, other) {
                cleared = true;
                self.clear(offsets, other);
            }
        }
        cleared
    }
}

/// An iterator over the rows of the fields that are marked as set.
pub(crate) struct SetRows<'a, 't> {
    arena: &'a Arena,
    offsets: Offsets,
    rows: &'t [Row],
    /// The index of the current cell of presence bits; `bits` has the bits of this cell that are left.
    cell: u32,
    bits: u32,
}

/// Returns an iterator over the rows of the fields that are marked as set, from an index on. The iterator skips a cell of bits
/// at once if it is zero.
#[inline]
pub(crate) fn set_rows<'a, 't>(
    arena: &'a Arena,
    offsets: Offsets,
    rows: &'t [Row],
    from: usize,
) -> SetRows<'a, 't> {
    // The first bit does not belong to a field: it says whether the message has unknown fields.
    let bit = from as u32 + 1;
    let cell = bit / 32;
    let bits =
        if from < rows.len() { arena.cells.get(offsets.at + cell) & u32::MAX << (bit % 32) } else { 0 };
    SetRows { arena, offsets, rows, cell, bits }
}

impl<'t> Iterator for SetRows<'_, 't> {
    type Item = &'t Row;

    #[inline]
    fn next(&mut self) -> Option<&'t Row> {
        while self.bits == 0 {
            self.cell += 1;
            if 32 * self.cell as usize > self.rows.len() {
                return None;
            }
            self.bits = self.arena.cells.get(self.offsets.at + self.cell);
        }
        let bit = 32 * self.cell + self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        self.rows.get(bit as usize - 1)
    }
}

/// Returns the words of the keys and values of a map, in the order of the keys.
pub(crate) fn sorted_entries(arena: &Arena, word: u64, rows: &MapRows) -> Vec<(u64, u64)> {
    let mut entries = Vec::with_capacity(arena.map_len(word));
    entries.extend(arena.entries(word));
    match rows.key.kind {
        Kind::String => sort_by_key(&mut entries, |(key, _)| arena.bytes(*key)),
        kind => sort_by_key(&mut entries, |(key, _)| in_order(kind, *key)),
    }
    entries
}

/// Returns a number by which keys of a kind are sorted.
fn in_order(kind: Kind, key: u64) -> u64 {
    match kind {
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => i64::from(key as i32) as u64 ^ 1 << 63,
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => key ^ 1 << 63,
        _ => key,
    }
}
