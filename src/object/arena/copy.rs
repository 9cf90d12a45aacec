//! Copies messages from one arena into another.

use crate::error::Result;
use crate::object::arena::words::{Arena, Offsets};
use crate::table::{Kind, Row, Shape, Table};

/// Copies a message into an empty one of the same descriptor, without recursion.
///
/// # Errors
/// The target arena has no room for the message.
pub(crate) fn copy(to: &mut Arena, table: &Table, to_at: u32, from: &Arena, from_at: u32) -> Result<()> {
    let mut copier = Copier { to, from, left: vec![(from_at, to_at, table)], elements: Vec::new() };
    while let Some((from_at, to_at, table)) = copier.left.pop() {
        let (source, target) = (Offsets::new(from_at), Offsets::new(to_at));
        for field in &table.rows {
            if from.is_set(source, field) {
                copier.to.set_bit(target, field);
                let value = copier.field(field, from.word(source, field))?;
                copier.to.set_word(target, field, value);
            }
        }
        copier.to.add_unknown(to_at, from.unknown(from_at));
        copier.to.check_room()?;
    }
    Ok(())
}

struct Copier<'a> {
    to: &'a mut Arena,
    from: &'a Arena,
    /// Messages that were created and must still be filled: the source position, the target position and the table.
    left: Vec<(u32, u32, &'a Table)>,
    elements: Vec<u64>,
}

impl<'a> Copier<'a> {
    /// Copies the value of a field, and returns the word of the copy.
    fn field(&mut self, field: &'a Row, word: u64) -> Result<u64> {
        match field.shape {
            Shape::Singular => self.single(field, word),
            Shape::List => {
                let mut elements = std::mem::take(&mut self.elements);
                elements.clear();
                for word in self.from.elements(field, word).iter() {
                    elements.push(self.single(field, word)?);
                }
                let list = self.to.list_of(field, &elements);
                self.elements = elements;
                Ok(list)
            }
            Shape::Map => {
                let rows = field.map();
                let map = self.to.new_map(rows.key.kind == Kind::String);
                for (key, value) in self.from.entries(word) {
                    let (key, value) = (self.single(&rows.key, key)?, self.single(&rows.value, value)?);
                    let copy = self.to.new_entry();
                    self.to.set_key(copy, key);
                    self.to.set_value(copy, value);
                    self.to.link_entry(map, copy);
                }
                Ok(map)
            }
        }
    }

    fn single(&mut self, field: &'a Row, word: u64) -> Result<u64> {
        match field.kind {
            Kind::String | Kind::Bytes => self.to.string(self.from.bytes(word)),
            // A map value with the word 0 is an empty message.
            Kind::Message | Kind::Group if word == 0 => Ok(0),
            Kind::Message | Kind::Group => {
                let table = field.sub_table();
                let at = self.to.message(table);
                self.left.push((word as u32, at, table));
                Ok(u64::from(at))
            }
            _ => Ok(word),
        }
    }
}
