//! The enabled fields of a message, and of the messages in it.

use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::message::dynamic::encoder::field::FieldKey;
use crate::message::reflect::algebra::mask;
use crate::table::{Table, Tabled};

#[derive(Clone)]
pub(super) struct Selection {
    /// A bit for each row of the table.
    bits: Box<[u64]>,
    /// Selections of partly enabled singular messages, by row index.
    parts: Vec<(u16, Selection)>,
}

/// All bits set, enough for the largest possible message.
static ALL: [u64; 1024] = [u64::MAX; 1024];

/// Returns the bits of a message whose fields are all enabled.
pub(super) fn all(table: &Table) -> &'static [u64] {
    &ALL[..table.rows.len().div_ceil(64)]
}

impl Selection {
    pub(super) fn all(table: &Table) -> Self {
        Selection { bits: all(table).into(), parts: Vec::new() }
    }

    pub(super) fn none(table: &Table) -> Self {
        Selection { bits: vec![0; all(table).len()].into(), parts: Vec::new() }
    }

    /// Returns the enabled fields, a bit for each row.
    #[inline]
    pub(super) fn bits(&self) -> &[u64] {
        &self.bits
    }

    /// Returns the selection of the fields in the message of a row; `None` unless this message is enabled in part.
    #[inline]
    pub(super) fn part(&self, index: u16) -> Option<&Selection> {
        self.parts.iter().find(|(of, _)| *of == index).map(|(_, part)| part)
    }

    pub(super) fn enable(&mut self, message: &MessageDescriptor, key: FieldKey<'_>) -> Result<()> {
        self.set(message.table()?, &numbers(message, key)?, true);
        Ok(())
    }

    pub(super) fn disable(&mut self, message: &MessageDescriptor, key: FieldKey<'_>) -> Result<()> {
        self.set(message.table()?, &numbers(message, key)?, false);
        Ok(())
    }

    pub(super) fn is_enabled(&self, message: &MessageDescriptor, key: FieldKey<'_>) -> Result<bool> {
        let (mut selection, mut table) = (self, message.table()?);
        for number in numbers(message, key)? {
            let index = index(table, number);
            if !selection.has(index) {
                return Ok(false);
            }
            let Some(part) = selection.part(index) else { return Ok(true) };
            (selection, table) = (part, table.rows[usize::from(index)].sub_table());
        }
        Ok(true)
    }

    fn has(&self, index: u16) -> bool {
        self.bits[usize::from(index >> 6)] & 1 << (index & 63) != 0
    }

    /// Enables or disables the field at a path of field numbers.
    fn set(&mut self, table: &Table, numbers: &[u32], on: bool) {
        let Some((&number, rest)) = numbers.split_first() else { return };
        let index = index(table, number);
        let (was_on, known) = (self.has(index), self.parts.iter().position(|(of, _)| *of == index));
        if rest.is_empty() {
            known.map(|at| self.parts.swap_remove(at));
        } else if let Some(at) = known {
            return self.parts[at].1.set(table.rows[usize::from(index)].sub_table(), rest, on);
        } else if was_on == on {
            // The whole message already has the requested state.
            return;
        } else {
            let inner = table.rows[usize::from(index)].sub_table();
            let mut part = if was_on { Selection::all(inner) } else { Selection::none(inner) };
            part.set(inner, rest, on);
            self.parts.push((index, part));
        }
        let (word, bit) = (&mut self.bits[usize::from(index >> 6)], 1 << (index & 63));
        // A partly disabled message is still written.
        *word = if on || !rest.is_empty() { *word | bit } else { *word & !bit };
    }
}

fn index(table: &Table, number: u32) -> u16 {
    table.row(number).expect("every field has a row").index
}

/// Returns the path of a field as field numbers.
///
/// # Errors
/// There is no such field, or the path leads through a field that is not a single message.
fn numbers(message: &MessageDescriptor, key: FieldKey<'_>) -> Result<Vec<u32>> {
    match key {
        FieldKey::Number(_) => Ok(vec![key.find(message)?.number()]),
        FieldKey::Name(path) => {
            let fields = mask::fields(message, path);
            let fields = fields.map_err(|error| error.within_message(message.full_name()))?;
            Ok(fields.iter().map(|field| field.number()).collect())
        }
    }
}
