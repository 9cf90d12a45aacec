//! The entries of maps, each of which stands as a message.

use super::Parser;
use crate::error::Result;
use crate::object::ObjectMut;
use crate::table::{MapRows, Row};

impl Parser<'_> {
    /// Parses an entry, which takes the place of one with the same key.
    #[inline(never)]
    pub(super) fn entry<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, row: &'t Row) -> Result<()> {
        let end = self.open("an entry of a map")?;
        self.room.take(crate::codec::element_size(row))?;
        let MapRows { key, value } = row.map();
        let (mut keys, mut values, mut key_at) = (0, 0, None);
        let missing = self.missing.is_some();
        let done = message.insert(row, &mut |entry| {
            let mut inserts = true;
            loop {
                if self.at_token() == Some(end) {
                    self.cursor.bump();
                    return Ok(inserts);
                }
                let name = self.cursor.identifier("`key` or `value`")?;
                let (row, count) = match name {
                    "key" => (key, &mut keys),
                    "value" => (value, &mut values),
                    _ => return Err(self.no_field(name)),
                };
                *count += 1;
                let first = *count == 1;
                if !first && !row.is_message() {
                    return Err(self.error("the field comes twice").in_field(name));
                }
                self.colon(row)?;
                if name == "key" {
                    key_at = Some(self.cursor);
                }
                match self.passes_over(row)? {
                    true => inserts = false,
                    false => self.single(entry, row, first)?,
                }
                self.separator();
            }
        });
        match (done, key_at) {
            (Ok(_), key) => {
                self.locate_missing(missing, |error| {
                    error.in_key(key.map(|mut key| key.shown()).unwrap_or_default())
                });
                Ok(())
            }
            (Err(error), Some(mut key)) if values > 0 => Err(self.locate(error.in_key(key.shown()))),
            (Err(error), _) => Err(error),
        }
    }
}
