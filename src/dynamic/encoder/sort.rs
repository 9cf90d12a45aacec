//! The fields of an encoded message in the order of their numbers.

use crate::error::Result;
use crate::table::{Kind, Row, Shape, Table};
use crate::wire::Reader;

/// The memory that sorting needs.
#[derive(Default)]
pub(super) struct Sorter {
    /// The fields of the messages that are open: the number of each, and where it starts and ends in its message.
    fields: Vec<(usize, usize, usize)>,
    moved: Vec<u8>,
}

impl Sorter {
    /// Sorts the fields of a message, and of the messages in it; fields of one number stay in their order.
    ///
    /// # Errors
    /// The bytes are malformed.
    pub(super) fn sort(&mut self, table: &Table, bytes: &mut [u8], depth: u32) -> Result<()> {
        let first = self.fields.len();
        let mut start = 0;
        while start < bytes.len() {
            let (number, value, end) = field(bytes, start, depth)?;
            if let Some(row) = table.row(number) {
                self.inside(row, &mut bytes[value..end], depth)?;
            }
            self.fields.push((number as usize, start, end));
            start = end;
        }
        if !self.fields[first..].is_sorted() {
            // By position too, so that no memory is needed to keep the order of elements.
            self.fields[first..].sort_unstable();
            self.moved.clear();
            for &(_, start, end) in &self.fields[first..] {
                self.moved.extend_from_slice(&bytes[start..end]);
            }
            bytes.copy_from_slice(&self.moved);
        }
        self.fields.truncate(first);
        Ok(())
    }

    /// Sorts the message that is the value of a field, which may be one in a map entry.
    fn inside(&mut self, row: &Row, value: &mut [u8], depth: u32) -> Result<()> {
        match (row.shape, row.kind) {
            (Shape::Map, _) => {
                let entry = body(value)?;
                let mut start = 0;
                while start < entry.len() {
                    let (number, value, end) = field(entry, start, depth)?;
                    if number == 2 {
                        self.inside(&row.map().value, &mut entry[value..end], depth)?;
                    }
                    start = end;
                }
                Ok(())
            }
            (_, Kind::Message) => self.sort(row.sub_table(), body(value)?, depth),
            (_, Kind::Group) => {
                let end = value.len() - usize::from(row.tag_len);
                self.sort(row.sub_table(), &mut value[..end], depth)
            }
            _ => Ok(()),
        }
    }
}

/// The number of a field, where its value starts and where it ends.
fn field(bytes: &[u8], start: usize, depth: u32) -> Result<(u32, usize, usize)> {
    let mut reader = Reader::new(&bytes[start..]);
    let tag = reader.tag()?;
    let value = start + reader.position();
    reader.skip(tag, depth)?;
    Ok((tag.number(), value, start + reader.position()))
}

/// The bytes after a length.
fn body(value: &mut [u8]) -> Result<&mut [u8]> {
    let mut reader = Reader::new(value);
    reader.varint()?;
    let start = reader.position();
    Ok(&mut value[start..])
}
