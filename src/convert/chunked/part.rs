//! A field of the outermost message, or the fields of a oneof, as far as they were received.

use super::super::wire_to_json_projected;
use super::fields::Found;
use crate::error::Result;
use crate::json::Options;
use crate::message::projection::Projection;
use crate::table::{Row, Shape, Table};
use crate::wire::Writer;

/// How many bytes of elements are converted at once.
const BATCH: u64 = 64 << 10;

/// A field that is being gathered, or the fields of a oneof, the last of which counts.
#[derive(Debug)]
pub(super) struct Part {
    /// Its key: see [`number_of`].
    pub(super) number: u32,
    /// The field of it that was seen last, as an index of rows.
    pub(super) row: usize,
    pub(super) is_list: bool,
    /// An element was written.
    pub(super) is_open: bool,
    /// The projection to only this field or oneof.
    projection: Projection,
    bytes: Vec<u8>,
    /// The position of the first of them in the message, if they are consecutive there.
    start: Option<u64>,
    /// How many elements they have, and how many preceded them.
    elements: usize,
    before: usize,
}

/// The number of the first field in the oneof of a field, or of the field itself.
pub(super) fn number_of(table: &Table, row: &Row) -> u32 {
    members_of(table, row).first().copied().unwrap_or(row.number)
}

/// The numbers of the fields in its oneof, or that of the field alone.
pub(super) fn members_of(table: &Table, row: &Row) -> Vec<u32> {
    match row.oneof.and_then(|oneof| table.oneofs.get(usize::from(oneof))) {
        Some(oneof) => oneof.rows.iter().map(|index| table.rows[usize::from(*index)].number).collect(),
        None => vec![row.number],
    }
}

impl Part {
    /// Creates the part for a field, with its selection in `whole`.
    pub(super) fn new(whole: &Projection, table: &Table, row: &Row) -> Self {
        Part {
            number: number_of(table, row),
            row: row.index.into(),
            is_list: row.shape == Shape::List,
            is_open: false,
            projection: whole.within(&members_of(table, row)),
            bytes: Vec::new(),
            start: None,
            elements: 0,
            before: 0,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn held(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// How many elements were received.
    pub(super) fn elements(&self) -> usize {
        self.before + self.elements
    }

    /// True if elements must be converted before this field is added.
    pub(super) fn is_full(&self, found: Found) -> bool {
        let too_long = self.held() + found.end - found.start > BATCH;
        self.is_list && !self.is_empty() && (found.is_numbers || too_long || !self.adjoins(found))
    }

    fn adjoins(&self, found: Found) -> bool {
        self.start.is_some_and(|start| start + self.held() == found.start)
    }

    /// Adds a field with its tag; numbers of a packed list have none.
    pub(super) fn add(&mut self, found: Found, bytes: &[u8]) -> Result<()> {
        if self.is_empty() || !self.adjoins(found) {
            self.start = self.is_empty().then_some(found.start);
        }
        match found.is_numbers {
            true => {
                let mut alone = Writer::new();
                alone.tag(found.tag);
                alone.len_prefixed(bytes);
                self.bytes = alone.finish()?;
            }
            false => self.bytes.extend_from_slice(bytes),
        }
        self.elements += found.elements;
        Ok(())
    }

    /// Converts the added bytes to an object with only this member.
    pub(super) fn convert(&mut self, row: &Row, options: &Options, out: &mut Vec<u8>) -> Result<()> {
        let done = wire_to_json_projected(&self.projection, &self.bytes, out, options);
        let done = done.map_err(|error| {
            let error = match self.start {
                Some(start) => error.shift_bytes(start),
                None => error.nowhere(),
            };
            match self.is_list {
                true => error.outside_field().shift_index(self.before).in_field(&row.name),
                false => error,
            }
        });
        self.bytes.clear();
        self.before = self.elements();
        self.elements = 0;
        done
    }
}
