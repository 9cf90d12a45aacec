//! Sorts the fields of an encoded message by their numbers.

use crate::error::Result;
use crate::table::{Kind, Row, Shape, Table};
use crate::wire::{Reader, unzigzag32, unzigzag64};

/// There is no limit for nested groups, because this library has written the bytes and has checked the depth.
const DEPTH: u32 = u32::MAX;

/// A sorter. Its buffers are allocated once for all messages.
#[derive(Debug, Default)]
pub(crate) struct Sorter {
    /// The fields of the messages that are being sorted, each with its number, and with its start and end in the
    /// message that has the field.
    fields: Vec<(u32, usize, usize)>,
    moved: Vec<u8>,
    /// True if the entries of maps are sorted by their keys.
    keys: bool,
}

#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'b> {
    Signed(i64),
    Unsigned(u64),
    Text(&'b [u8]),
}

impl Sorter {
    /// Creates a sorter that also sorts the entries of maps by their keys.
    pub(crate) fn with_keys() -> Self {
        Sorter { keys: true, ..Sorter::default() }
    }

    /// Sorts the fields of a message, and of the messages in it. Fields with the same number keep their order, except for
    /// entries of maps if the sorter was made by [`with_keys`](Self::with_keys). Unknown fields come last.
    ///
    /// # Errors
    /// The bytes are malformed, or the table of a message cannot be built.
    pub(crate) fn sort(&mut self, table: &Table, bytes: &mut [u8]) -> Result<()> {
        self.sort_to(table, bytes, true)
    }

    /// Sorts the fields of a message, but not the fields of the messages in it.
    ///
    /// # Errors
    /// The bytes are malformed.
    pub(crate) fn sort_fields(&mut self, table: &Table, bytes: &mut [u8]) -> Result<()> {
        self.sort_to(table, bytes, false)
    }

    fn sort_to(&mut self, table: &Table, bytes: &mut [u8], is_deep: bool) -> Result<()> {
        let first = self.fields.len();
        let (mut start, mut has_maps) = (0, false);
        while start < bytes.len() {
            let (number, value, end) = field(bytes, start)?;
            let row = table.row(number);
            if let Some(row) = row.filter(|_| is_deep) {
                has_maps |= row.shape == Shape::Map;
                self.inside(row, &mut bytes[value..end])?;
            }
            self.fields.push((row.map_or(u32::MAX, |row| row.number), start, end));
            start = end;
        }
        let fields = &mut self.fields[first..];
        if !fields.is_sorted() {
            // The position is a part of the sort key, so that fields with the same number keep their order although the
            // sort is not stable.
            fields.sort_unstable();
        }
        if self.keys && has_maps {
            for entries in fields.chunk_by_mut(|a, b| a.0 == b.0) {
                if let Some(row) = table.row(entries[0].0).filter(|row| row.shape == Shape::Map) {
                    sort_entries(row, bytes, entries)?;
                }
            }
        }
        if !self.fields[first..].is_sorted_by_key(|field| field.1) {
            self.moved.clear();
            for &(_, start, end) in &self.fields[first..] {
                self.moved.extend_from_slice(&bytes[start..end]);
            }
            bytes.copy_from_slice(&self.moved);
        }
        self.fields.truncate(first);
        Ok(())
    }

    /// Sorts the message that is the value of a field. For a map entry, sorts the message that is the value of the
    /// entry.
    fn inside(&mut self, row: &Row, value: &mut [u8]) -> Result<()> {
        match (row.shape, row.kind) {
            (Shape::Map, _) => {
                let entry = body(value)?;
                let mut start = 0;
                while start < entry.len() {
                    let (number, value, end) = field(entry, start)?;
                    if number == 2 {
                        self.inside(&row.map().value, &mut entry[value..end])?;
                    }
                    start = end;
                }
                Ok(())
            }
            (_, Kind::Message) => self.sort(row.message()?, body(value)?),
            (_, Kind::Group) => {
                let end = value.len() - usize::from(row.tag_len);
                self.sort(row.message()?, &mut value[..end])
            }
            _ => Ok(()),
        }
    }
}

/// Sorts the entries of a map. The key is the first field of each entry.
fn sort_entries(row: &Row, bytes: &[u8], entries: &mut [(u32, usize, usize)]) -> Result<()> {
    let mut keys = Vec::with_capacity(entries.len());
    for entry in entries.iter() {
        let mut reader = Reader::new(&bytes[entry.1..entry.2]);
        reader.tag()?;
        reader.varint()?;
        keys.push((key(row.map().key.kind, &mut reader)?, *entry));
    }
    if !keys.is_sorted() {
        keys.sort_unstable();
        entries.iter_mut().zip(keys).for_each(|(entry, (_, sorted))| *entry = sorted);
    }
    Ok(())
}

/// Returns the key of an entry as text for an error. The key is the first field of the entry.
pub(crate) fn key_text(kind: Kind, fields: &[u8]) -> String {
    match key(kind, &mut Reader::new(fields)) {
        Ok(Key::Unsigned(key)) if kind == Kind::Bool => (key != 0).to_string(),
        Ok(Key::Unsigned(key)) => key.to_string(),
        Ok(Key::Signed(key)) => key.to_string(),
        Ok(Key::Text(key)) => String::from_utf8_lossy(key).into_owned(),
        Err(_) => String::new(),
    }
}

/// Reads the key that is the next field of an entry.
fn key<'b>(kind: Kind, reader: &mut Reader<'b>) -> Result<Key<'b>> {
    reader.tag()?;
    Ok(match kind {
        Kind::String => Key::Text(reader.len_prefixed()?),
        Kind::SInt32 => Key::Signed(unzigzag32(reader.varint()? as u32).into()),
        Kind::SInt64 => Key::Signed(unzigzag64(reader.varint()?)),
        Kind::SFixed32 => Key::Signed((reader.fixed32()? as i32).into()),
        Kind::SFixed64 => Key::Signed(reader.fixed64()? as i64),
        Kind::Int32 | Kind::Int64 => Key::Signed(reader.varint()? as i64),
        Kind::Fixed32 => Key::Unsigned(reader.fixed32()?.into()),
        Kind::Fixed64 => Key::Unsigned(reader.fixed64()?),
        _ => Key::Unsigned(reader.varint()?),
    })
}

/// Reads the field that starts at `start`. Returns its number, and the start and the end of its value.
fn field(bytes: &[u8], start: usize) -> Result<(u32, usize, usize)> {
    let mut reader = Reader::new(&bytes[start..]);
    let tag = reader.tag()?;
    let value = start + reader.position();
    reader.skip(tag, DEPTH)?;
    Ok((tag.number(), value, start + reader.position()))
}

/// Returns the payload of a length-delimited value, without its length prefix.
fn body(value: &mut [u8]) -> Result<&mut [u8]> {
    let mut reader = Reader::new(value);
    reader.varint()?;
    let start = reader.position();
    Ok(&mut value[start..])
}
