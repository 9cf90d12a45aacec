//! Parses fields for which the table of a message has no row: extensions, and fields that a Rust type omits. The message keeps
//! them as unknown fields, in wire bytes.

use super::Parser;
use super::object::Object;
use crate::error::Result;
use crate::object::ObjectMut;
use crate::table::{Shape, Table, Tabled, pool_extension_table};
use crate::wire::message_set;

impl Parser<'_> {
    /// Parses the member with the name `name`, if it is a field without a row in `table`. Returns false if it is not a field.
    pub(super) fn unknown_field<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        object: &mut Object,
        table: &'t Table,
        name: &str,
    ) -> Result<bool> {
        if name.starts_with('[') {
            if !table.extendable {
                return Ok(false);
            }
            let pool = self.pool();
            let Some(others) = pool_extension_table(&pool, &table.full_name)? else { return Ok(false) };
            return self.field_among(message, object, table, &others, name);
        }
        if table.shape.is_none() {
            return Ok(false);
        }
        let descriptor = table.handle();
        if descriptor.field_count() <= table.rows.len() {
            return Ok(false);
        }
        self.field_among(message, object, table, descriptor.table()?, name)
    }

    /// Parses a member whose row is in the table `others`. Returns false if `others` has no such row.
    fn field_among<'t, M: ObjectMut<'t>>(
        &mut self,
        message: &mut M,
        object: &mut Object,
        table: &'t Table,
        others: &Table,
        name: &str,
    ) -> Result<bool> {
        let Some(index) = others.row_called(name) else { return Ok(false) };
        let row = &others.rows[usize::from(index)];
        if !object.note_unknown(row.number) {
            return Err(self.twice(row));
        }
        self.cursor.colon()?;
        let byte = self.at_value();
        let is_singular = row.shape == Shape::Singular;
        if byte == Some(b'n') && !(is_singular && Self::takes_null(row)?) && self.cursor.literal("null") {
            return Ok(true);
        }
        if is_singular && self.looks_at(row) && !self.delivers(message, row)? {
            return Ok(true);
        }
        let bytes = self.field_content(others, row)?;
        match table.message_set {
            true => message.add_unknown(&message_set::fields_to_items(&bytes)?),
            false => message.add_unknown(&bytes),
        }
        Ok(true)
    }
}
