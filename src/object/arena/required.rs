//! Checks that all required fields are set in messages that may occur several times.

use crate::error::{Error, Result};
use crate::object::arena::words::{Arena, Offsets, ROOT};
use crate::table::{Row, Shape, Table};

/// Checks all messages of an arena. `first` is the first error that decoding found.
///
/// # Errors
/// A required field is not set. If `first` is about the same field, returns `first`, which has a position.
pub(crate) fn check(arena: &Arena, input: &[u8], table: &Table, first: Error) -> Result<()> {
    match (Checker { arena, input }).message(table, ROOT) {
        Ok(()) => Ok(()),
        Err(error) if error.message() == first.message() && error.path().eq(first.path()) => Err(first),
        Err(error) => Err(error),
    }
}

struct Checker<'a> {
    arena: &'a Arena,
    input: &'a [u8],
}

impl Checker<'_> {
    fn message(&self, table: &Table, at: u32) -> Result<()> {
        let offsets = Offsets::new(at);
        for row in &table.rows {
            if row.is_message() && self.arena.has_bit(offsets, row) {
                self.field(row, self.arena.word(offsets, row)).map_err(|error| error.in_field(&row.name))?;
            }
        }
        match self.arena.missing(offsets, table) {
            Some(row) => Err(Error::required(&row.name)),
            None => Ok(()),
        }
    }

    fn field(&self, row: &Row, word: u64) -> Result<()> {
        match row.shape {
            Shape::Singular => self.single(row, word),
            Shape::List => {
                for (index, word) in self.arena.elements(row, word).iter().enumerate() {
                    self.single(row, word).map_err(|error| error.in_index(index))?;
                }
                Ok(())
            }
            Shape::Map => {
                let rows = row.map();
                if !rows.value.is_message() {
                    return Ok(());
                }
                self.arena.entries(word).try_for_each(|(key, value)| {
                    self.single(&rows.value, value).map_err(|error| {
                        error.in_key(self.arena.key_in_words(Some(self.input), rows.key.kind, key))
                    })
                })
            }
        }
    }

    fn single(&self, row: &Row, word: u64) -> Result<()> {
        match word as u32 {
            0 => Ok(()),
            at => self.message(row.message()?, at),
        }
    }
}
