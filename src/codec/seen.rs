//! Records which fields were seen while a message is parsed.

use crate::error::{Error, Result};
use crate::table::{Presence, Row, Table};

/// The fields and oneofs of a message that were seen.
#[derive(Default)]
pub(super) struct Seen {
    /// One bit for each of the first 64 rows. The bit is set if the field was seen.
    fields: u64,
    /// One bit for each of the first 64 oneofs. The bit is set if the oneof has a value.
    oneofs: u64,
    rare: Option<Box<Rare>>,
}

/// The records that few messages need.
#[derive(Default)]
struct Rare {
    fields: Vec<u64>,
    oneofs: Vec<u64>,
    /// The numbers of seen fields that have no row in the table.
    others: Vec<u32>,
    /// The rows of required fields that were seen without a value, for example with a JSON `null`.
    unset: Vec<u16>,
    /// The rows of seen fields that belong to a oneof for which the Rust type has separate members.
    siblings: Vec<u16>,
}

/// Sets the bit with the index `index`, in `low` if it is one of the first 64 bits, and otherwise in `rare`. Returns false if
/// the bit was already set.
#[inline]
fn note(
    low: &mut u64,
    rare: &mut Option<Box<Rare>>,
    high: fn(&mut Rare) -> &mut Vec<u64>,
    index: u16,
) -> bool {
    let bit = 1u64 << (index % 64);
    let word = match usize::from(index / 64).checked_sub(1) {
        None => low,
        Some(index) => word(high(rare.get_or_insert_default()), index),
    };
    let new = *word & bit == 0;
    *word |= bit;
    new
}

#[cold]
fn word(words: &mut Vec<u64>, index: usize) -> &mut u64 {
    if words.len() <= index {
        words.resize(index + 1, 0);
    }
    &mut words[index]
}

impl Seen {
    /// Records the field of the row `index`. Returns false if it was seen before.
    #[inline]
    pub(super) fn note_field(&mut self, index: u16) -> bool {
        note(&mut self.fields, &mut self.rare, |rare| &mut rare.fields, index)
    }

    /// Records the number of a field that has no row in the table. Returns false if it was seen before.
    pub(super) fn note_unknown(&mut self, number: u32) -> bool {
        let others = &mut self.rare.get_or_insert_default().others;
        let new = !others.contains(&number);
        others.push(number);
        new
    }

    /// Records that a field was seen without a value, if the field is required.
    pub(super) fn note_unset(&mut self, row: &Row) {
        if row.presence == Presence::Required {
            self.rare.get_or_insert_default().unset.push(row.index);
        }
    }

    /// Records that a field of a oneof has a value.
    ///
    /// # Errors
    /// Another field of the oneof was seen before.
    #[inline(never)]
    pub(super) fn check_oneof(&mut self, table: &Table, row: &Row) -> Result<()> {
        let first = match (row.oneof, &row.siblings) {
            (Some(oneof), _) => note(&mut self.oneofs, &mut self.rare, |rare| &mut rare.oneofs, oneof),
            (None, Some(siblings)) => self.note_sibling(row, siblings),
            (None, None) => true,
        };
        if first { Ok(()) } else { Err(second_of_oneof(table, row)) }
    }

    #[cold]
    fn note_sibling(&mut self, row: &Row, siblings: &[u16]) -> bool {
        let set = &mut self.rare.get_or_insert_default().siblings;
        let first = !siblings.iter().any(|sibling| set.contains(sibling));
        set.push(row.index);
        first
    }

    /// Checks that the required fields were seen.
    ///
    /// # Errors
    /// A required field was not seen.
    #[cold]
    pub(super) fn check_required(&self, table: &Table) -> Result<()> {
        match table.required.iter().find(|index| !self.has(**index)) {
            Some(&index) => Err(Error::required(&table.rows[usize::from(index)].name)),
            None => Ok(()),
        }
    }

    /// True if the field of the row `index` was seen with a value.
    fn has(&self, index: u16) -> bool {
        let rare = self.rare.as_deref();
        let word = match usize::from(index / 64).checked_sub(1) {
            None => self.fields,
            Some(index) => rare.and_then(|rare| rare.fields.get(index)).copied().unwrap_or(0),
        };
        word & 1 << (index % 64) != 0 && !rare.is_some_and(|rare| rare.unset.contains(&index))
    }
}

#[cold]
fn second_of_oneof(table: &Table, row: &Row) -> Error {
    let name: Box<str> = match row.oneof {
        Some(oneof) => table.oneofs[usize::from(oneof)].name.clone(),
        None => {
            let field = table.handle().field_by_number(row.number);
            field.and_then(|field| field.oneof()).map_or("".into(), |oneof| oneof.name().into())
        }
    };
    Error::syntax(format!("another field of the oneof {name} came before")).in_field(&row.name)
}
