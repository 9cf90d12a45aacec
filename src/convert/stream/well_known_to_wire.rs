//! Messages with a special JSON form, to the wire.

use super::to_wire::{Role, ToWire};
use crate::codec::element_size;
use crate::error::Result;
use crate::table::{Kind, Presence, Row, Shape, Table, WellKnown};
use crate::well_known::{mask_text, text};

impl ToWire<'_, '_, '_> {
    /// Writes the fields of a message with a special JSON form; `depth` more levels may be opened inside
    /// it.
    #[inline(never)]
    pub(super) fn well_known(&mut self, table: &Table, at: usize, depth: u32) -> Option<usize> {
        match table.known {
            WellKnown::Timestamp => self.time(table, at, text::parse_timestamp),
            WellKnown::Duration => self.time(table, at, text::parse_duration),
            WellKnown::FieldMask => self.field_mask(table, at),
            WellKnown::Struct => self.map(at, field(table, 1, Shape::Map)?, depth),
            WellKnown::ListValue => self.list(at, field(table, 1, Shape::List)?, depth),
            WellKnown::Wrapper => {
                let row = field(table, 1, Shape::Singular).filter(|row| !row.is_message())?;
                self.value(Role::Field, at, row, depth)
            }
            WellKnown::Value => {
                let number = match self.byte(at)? {
                    b'n' => 1,
                    b'-' | b'0'..=b'9' => 2,
                    b'"' => 3,
                    b't' | b'f' => 4,
                    b'{' => 5,
                    b'[' => 6,
                    _ => return None,
                };
                let row = field(table, number, Shape::Singular)?;
                self.value(Role::Field, at, row, depth)
            }
            // The type of its content may follow the content.
            WellKnown::Any => None,
            WellKnown::No => None,
        }
    }

    fn time(&mut self, table: &Table, at: usize, read: fn(&str) -> Result<(i64, i32)>) -> Option<usize> {
        let (text, after) = self.string(at)?;
        let (seconds, nanos) = read(&text).ok()?;
        for (number, kind, value) in [(1, Kind::Int64, seconds), (2, Kind::Int32, nanos.into())] {
            let row = field(table, number, Shape::Singular)?;
            if row.kind != kind || row.presence != Presence::Implicit {
                return None;
            }
            self.varint(Role::Field, row, value as u64);
        }
        Some(after)
    }

    fn field_mask(&mut self, table: &Table, at: usize) -> Option<usize> {
        let (text, after) = self.string(at)?;
        let row = field(table, 1, Shape::List).filter(|row| row.kind == Kind::String)?;
        for path in mask_text::from_json(&text).ok()? {
            self.take(element_size(row))?;
            self.bytes(Role::Element, row, path.as_bytes());
        }
        Some(after)
    }
}

/// A field of the shape that the well-known type has.
fn field(table: &Table, number: u32, shape: Shape) -> Option<&Row> {
    table.row(number).filter(|row| row.shape == shape)
}
