//! Parses messages that have a special JSON form.

use super::Parser;
use crate::error::{Error, Result};
use crate::layout::Text;
use crate::object::{ListMut, ObjectMut};
use crate::syntax::well_known;
use crate::table::{Kind, Row, Shape, Table, WellKnown};

impl Parser<'_> {
    #[inline(never)]
    pub(super) fn well_known<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
    ) -> Result<()> {
        match table.known {
            WellKnown::No => self.object(message, table),
            WellKnown::Struct | WellKnown::ListValue | WellKnown::Wrapper => self.only(message, table, 1),
            WellKnown::Value => {
                let number = match self.cursor.peek() {
                    Some(b'n') => 1,
                    Some(b'-' | b'0'..=b'9') => 2,
                    Some(b'"') => 3,
                    Some(b't' | b'f') => 4,
                    Some(b'{') => 5,
                    Some(b'[') => 6,
                    _ => return Err(self.cursor.unexpected("a value")),
                };
                self.only(message, table, number)
            }
            WellKnown::Timestamp => self.time(message, table, well_known::parse_timestamp),
            WellKnown::Duration => self.time(message, table, well_known::parse_duration),
            WellKnown::FieldMask => self.mask(message, table),
            WellKnown::Any => self.any(message, table),
        }
    }

    /// Parses a message whose JSON form is the value of its only field.
    fn only<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, table: &'t Table, number: u32) -> Result<()> {
        match table.row(number) {
            Some(row) => self.field(message, row).map_err(|error| self.in_field(error, row)),
            // The Rust type has no member for the field.
            None => self.skip(),
        }
    }

    #[inline(never)]
    fn time<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        table: &'t Table,
        read: fn(&str) -> Result<(i64, i32)>,
    ) -> Result<()> {
        let (seconds, nanos) = self.string_of(table, read)?;
        for (number, value) in [(1, seconds), (2, i64::from(nanos))] {
            if let Some(row) = table.row(number).filter(|_| value != 0) {
                let done = match (row.shape, row.kind) {
                    (Shape::Singular, Kind::Int32 | Kind::SInt32 | Kind::SFixed32)
                        if i32::try_from(value).is_err() =>
                    {
                        Err(self.error(format!("{value} does not fit {}", row.kind.with_article())))
                    }
                    (
                        Shape::Singular,
                        Kind::Int32
                        | Kind::SInt32
                        | Kind::SFixed32
                        | Kind::Int64
                        | Kind::SInt64
                        | Kind::SFixed64,
                    ) => message.set_scalar(row, value as u64),
                    _ => Err(self.differs(row)),
                };
                done.map_err(|error| self.in_field(error, row))?;
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn mask<'t, M: ObjectMut<'t>>(&mut self, message: &mut M, table: &'t Table) -> Result<()> {
        let paths = self.string_of(table, well_known::from_json)?;
        let Some(row) = table.row(1).filter(|_| !paths.is_empty()) else { return Ok(()) };
        if (row.shape, row.kind) != (Shape::List, Kind::String) {
            return Err(self.in_field(self.differs(row), row));
        }
        let size = crate::codec::element::element_size(row);
        let mut list = message.list(row, &|| paths.len())?;
        for (index, path) in paths.iter().enumerate() {
            let done = self
                .take(size)
                .and_then(|()| crate::codec::element::check_owned(row, path.as_bytes()))
                .and_then(|()| list.push_str(path, false));
            done.map_err(|error| self.in_field(error.in_index(index), row))?;
        }
        list.end();
        Ok(())
    }

    /// Stores the type URL or the content of an `Any` in its field.
    pub(super) fn put_text<'t, M: ObjectMut<'t>>(
        &self,
        message: &mut M,
        row: &'t Row,
        kind: Kind,
        text: Text<'_>,
    ) -> Result<()> {
        if (row.shape, row.kind) != (Shape::Singular, kind) {
            return Err(self.in_field(self.differs(row), row));
        }
        let shown = if text.borrowed { Ok(()) } else { self.check_shown(row, text.bytes) };
        shown.and_then(|()| message.set_text(row, text)).map_err(|error| self.in_field(error, row))
    }

    fn check_shown(&self, row: &Row, bytes: &[u8]) -> Result<()> {
        crate::codec::element::check_owned(row, bytes)
    }

    /// Parses the string at the cursor, and returns the result of `read` for the string.
    fn string_of<T>(&mut self, table: &Table, read: fn(&str) -> Result<T>) -> Result<T> {
        if self.cursor.peek() != Some(b'"') {
            return Err(self.mismatch(&format!("a string for {}", table.full_name)));
        }
        let text = self.cursor.string()?;
        read(&text).map_err(|error| self.error(error.message()))
    }

    /// Returns the error for a message that has the name of a well-known type, but other fields than this type.
    #[cold]
    fn differs(&self, row: &Row) -> Error {
        let wanted = match row.shape {
            Shape::List => "a list",
            Shape::Map => "a map",
            Shape::Singular => row.kind.with_article(),
        };
        self.error(format!("the field is {wanted}, which the well-known type with this name does not have"))
    }
}
