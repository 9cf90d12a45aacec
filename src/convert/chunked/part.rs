//! Collects the bytes of one field or oneof of the outermost message, until they are converted.

use super::super::wire_to_json_projected;
use super::fields::Found;
use crate::error::Result;
use crate::json::Options;
use crate::message::projection::Projection;
use crate::table::{Row, Shape, Table};
use crate::wire::Writer;

/// The number of bytes of elements that are converted at once.
const BATCH: u64 = 64 << 10;

/// The field or oneof that is being collected. Of a oneof, the last field counts.
#[derive(Debug)]
pub(super) struct Part {
    /// The number that identifies the field or oneof: see [`number_of`].
    pub(super) number: u32,
    /// The index of the row of the last field that was added.
    pub(super) row: usize,
    pub(super) is_list: bool,
    /// True if an element was written.
    pub(super) is_open: bool,
    /// A projection to only this field or oneof.
    projection: Projection,
    bytes: Vec<u8>,
    /// The position of the first collected byte in the message, if all collected bytes are consecutive there.
    start: Option<u64>,
    /// The number of elements in `bytes`.
    elements: usize,
    /// The number of elements that were already converted.
    before: usize,
}

/// Returns the number of the first field in the oneof of `row`, or the number of `row` if it is not in a oneof.
pub(super) fn number_of(table: &Table, row: &Row) -> u32 {
    members_of(table, row).first().copied().unwrap_or(row.number)
}

/// Returns the numbers of all fields in the oneof of `row`, or only the number of `row` if it is not in a oneof.
pub(super) fn members_of(table: &Table, row: &Row) -> Vec<u32> {
    match row.oneof.and_then(|oneof| table.oneofs.get(usize::from(oneof))) {
        Some(oneof) => oneof.rows.iter().map(|index| table.rows[usize::from(*index)].number).collect(),
        None => vec![row.number],
    }
}

impl Part {
    /// Creates the part for a field. `whole` is the projection of the outermost message, which says what is selected inside of
    /// the field.
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

    pub(super) fn elements(&self) -> usize {
        self.before + self.elements
    }

    /// True if the collected elements must be converted before this field is added.
    pub(super) fn is_full(&self, found: Found) -> bool {
        let too_long = self.held() + found.end - found.start > BATCH;
        self.is_list && !self.is_empty() && (found.is_numbers || too_long || !self.adjoins(found))
    }

    fn adjoins(&self, found: Found) -> bool {
        self.start.is_some_and(|start| start + self.held() == found.start)
    }

    /// Adds the bytes of a field. If the field is a slice of a packed list, writes a tag and a length prefix before the
    /// numbers.
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

    /// Converts the collected bytes to an object with only this field as a member.
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
