//! Parses messages and fields of the JSON text into wire bytes: the content of an `Any`, and fields that have no row. (A row is
//! what a table knows about one field.)

use super::Parser;
use crate::codec::any_object::AnyObjectMut;
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::object::wire::sink::WireSink;
use crate::object::wire::sort::Sorter;
use crate::table::{Row, Table, Tabled};
use crate::wire::Writer;

/// How the content of an `Any` is written in JSON.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// In the form that a field of the type has.
    Value,
    /// As an object that also has the member `@type`.
    Content,
}

impl Parser<'_> {
    pub(super) fn content(&mut self, descriptor: &MessageDescriptor, form: Form) -> Result<Vec<u8>> {
        let (table, mut writer) = (descriptor.table()?, Writer::new());
        let mut cursor = writer.cursor();
        let message = AnyObjectMut::Wire(WireSink::new(&mut cursor, table));
        match form {
            Form::Value => self.message(message)?,
            Form::Content => self.content_message(message)?,
        }
        cursor.flush();
        sorted(writer, table)
    }

    /// Parses the field whose value is at the cursor into wire bytes.
    pub(super) fn field_content(&mut self, table: &Table, row: &Row) -> Result<Vec<u8>> {
        let mut writer = Writer::new();
        let mut cursor = writer.cursor();
        let mut message = AnyObjectMut::Wire(WireSink::new(&mut cursor, table));
        self.field(&mut message, row).map_err(|error| self.in_field(error, row))?;
        cursor.flush();
        sorted(writer, table)
    }
}

/// Returns the wire bytes in `writer`, with fields in the order of their numbers.
fn sorted(writer: Writer, table: &Table) -> Result<Vec<u8>> {
    let mut bytes = writer.finish()?;
    Sorter::default().sort(table, &mut bytes)?;
    Ok(bytes)
}
