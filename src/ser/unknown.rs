//! The member that keeps unknown fields.

use super::{Encoder, Sink, refuse};
use crate::error::{Error, Result};
use crate::plan::MessagePlan;
use serde::ser::{Serialize, Serializer};

/// The name under which a dynamic message gives its unknown fields; no field can be called so.
pub(crate) const UNKNOWN: &str = "$unknown";

/// Writes kept fields back as they were.
pub(super) struct UnknownSerializer<'a, 'p, K> {
    pub(super) encoder: &'a mut Encoder<'p, K>,
    pub(super) plan: &'p MessagePlan,
}

impl<K> UnknownSerializer<'_, '_, K> {
    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("unknown fields are bytes, not {what}"))
    }
}

impl<K: Sink> Serializer for UnknownSerializer<'_, '_, K> {
    type Ok = ();
    type Error = Error;

    refuse!(bool numbers str unit unit_variant newtype_variant seq tuple tuple_variant map struct_ struct_variant);
    refuse!(transparent binary);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, fields: &[u8]) -> Result<()> {
        if !fields.is_empty() {
            return self.encoder.sink.unknown(self.plan, fields);
        }
        Ok(())
    }

    fn serialize_none(self) -> Result<()> {
        Ok(())
    }
}
