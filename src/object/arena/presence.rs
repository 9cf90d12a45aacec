//! Which fields of a message in an arena are set, and the entries of maps in order.

use crate::object::arena::words::{Arena, Offsets};
use crate::sort::sort_by_key;
use crate::table::{Kind, MapRows, Presence, Row, Shape, Table};

impl Arena {
    /// True when a field that may be marked as set has something in it.
    #[inline]
    pub(crate) fn is_set(&self, offsets: Offsets, row: &Row) -> bool {
        self.has_bit(offsets, usize::from(row.slot)) && self.is_filled(offsets, row)
    }

    /// The same, for a field that is marked as set.
    #[inline]
    pub(crate) fn is_filled(&self, offsets: Offsets, row: &Row) -> bool {
        let word = self.words[offsets.slot(usize::from(row.slot))];
        match row.shape {
            Shape::List => word >> 32 != 0,
            Shape::Map => self.map_len(word) != 0,
            Shape::Singular if row.presence != Presence::Implicit => true,
            Shape::Singular if matches!(row.kind, Kind::String | Kind::Bytes) => word >> 32 != 0,
            Shape::Singular => word != 0,
        }
    }

    /// A required field that is not set.
    pub(crate) fn missing<'t>(&self, offsets: Offsets, table: &'t Table) -> Option<&'t Row> {
        let rows = table.required.iter().map(|&index| &table.rows[usize::from(index)]);
        rows.into_iter().find(|row| !self.has_bit(offsets, usize::from(row.slot)))
    }

    /// Clears the other fields of the oneof that a field is in.
    #[inline(never)]
    pub(crate) fn clear_siblings(&mut self, offsets: Offsets, table: &Table, row: &Row) -> bool {
        let Some(oneof) = row.oneof.and_then(|oneof| table.oneofs.get(usize::from(oneof))) else {
            return false;
        };
        let mut cleared = false;
        let others = oneof.rows.iter().map(|&other| &table.rows[usize::from(other)]);
        for other in others.filter(|other| other.number != row.number) {
            let (word, bit) = offsets.bit(usize::from(other.slot));
            if self.words[word] & bit != 0 {
                self.words[word] &= !bit;
                cleared = true;
                let old = std::mem::take(&mut self.words[offsets.slot(usize::from(other.slot))]);
                match other.kind {
                    Kind::String | Kind::Bytes => self.drop_string(old),
                    Kind::Message | Kind::Group => self.garbage += 8,
                    _ => {}
                }
            }
        }
        cleared
    }
}

/// The words of the keys and values of a map, in the order of the keys.
pub(crate) fn sorted_entries(arena: &Arena, word: u64, rows: &MapRows) -> Vec<(u64, u64)> {
    let mut entries = Vec::with_capacity(arena.map_len(word));
    entries.extend(arena.entries(word));
    match rows.key.kind {
        Kind::String => sort_by_key(&mut entries, |(key, _)| arena.bytes(*key)),
        kind => sort_by_key(&mut entries, |(key, _)| in_order(kind, *key)),
    }
    entries
}

/// A number in whose order the keys of a kind are.
fn in_order(kind: Kind, key: u64) -> u64 {
    match kind {
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => i64::from(key as i32) as u64 ^ 1 << 63,
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => key ^ 1 << 63,
        _ => key,
    }
}
