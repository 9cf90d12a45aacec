//! Messages in the text that become wire bytes: the content of an `Any`, and fields without a row.

use super::Parser;
use crate::codec::any_object::AnyObjectMut;
use crate::descriptor::MessageDescriptor;
use crate::dynamic::Building;
use crate::error::Result;
use crate::options::EncodeOptions;
use crate::table::{Row, Table, Tabled};

/// How the content of an `Any` is written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    /// As the value of a field of its type would be.
    Value,
    /// As an object with `@type` among its members.
    Content,
}

impl Parser<'_> {
    /// The message at the cursor as wire bytes.
    pub(super) fn content(&mut self, descriptor: &MessageDescriptor, form: Form) -> Result<Vec<u8>> {
        let table = descriptor.table()?;
        let mut building = Building::default();
        let mut message = AnyObjectMut::Arena(building.start(table));
        match form {
            Form::Value => self.message(&mut message)?,
            Form::Content => self.content_message(&mut message)?,
        }
        encoded(&building, table)
    }

    /// The field whose value is at the cursor as wire bytes; before it unknown fields found in it.
    pub(super) fn field_content(&mut self, table: &Table, row: &Row) -> Result<(Vec<u8>, Vec<u8>)> {
        let mut building = Building::default();
        let mut message = AnyObjectMut::Arena(building.start(table));
        if let Err(error) = self.field(&mut message, row) {
            return Err(self.in_field(error, row));
        }
        let unknown = match &mut message {
            AnyObjectMut::Arena(message) => message.take_unknown(),
            AnyObjectMut::Typed(_) => Vec::new(),
        };
        Ok((unknown, encoded(&building, table)?))
    }
}

/// The message as wire bytes: required fields were checked while it was parsed.
fn encoded(building: &Building, table: &Table) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    building.encode(table, EncodeOptions::new().partial(true), &mut bytes)?;
    Ok(bytes)
}
