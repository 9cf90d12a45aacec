//! Serializes the member that stores unknown fields.

use super::refuse::refuse;
use crate::error::{Error, Result};
use crate::message::dynamic::ValueWriter;
use crate::wire::Reader;
use serde::ser::{Serialize, Serializer};

/// Appends bytes to the unknown fields of a message.
pub(super) struct UnknownSerializer<'a, 'd, 't> {
    pub(super) target: &'a mut ValueWriter<'d, 't>,
}

impl UnknownSerializer<'_, '_, '_> {
    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("unknown fields are bytes, not {what}"))
    }
}

impl Serializer for UnknownSerializer<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    refuse!(bool numbers str unit unit_variant newtype_variant seq tuple tuple_variant map struct_ struct_variant);
    refuse!(transparent binary);

    fn serialize_bytes(self, fields: &[u8]) -> Result<()> {
        let mut reader = Reader::new(fields);
        while !reader.is_empty() {
            let tag = reader.tag()?;
            reader.skip(tag, 100)?;
        }
        self.target.add_unknown(fields);
        Ok(())
    }

    fn serialize_none(self) -> Result<()> {
        Ok(())
    }
}
