//! The member that keeps unknown fields.

use super::{Sink, refuse};
use crate::error::{Error, Result};
use crate::plan::MessagePlan;
use serde::ser::{Serialize, Serializer};

/// The name under which a dynamic message gives its unknown fields; no field can be called so.
pub(crate) const UNKNOWN: &str = "$unknown";

/// Writes kept fields back as they were.
pub(super) struct UnknownSerializer<'p, K> {
    pub(super) sink: K,
    pub(super) plan: &'p MessagePlan,
}

impl<K> UnknownSerializer<'_, K> {
    #[cold]
    fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("unknown fields are bytes, not {what}"))
    }
}

impl<K: Sink> Serializer for UnknownSerializer<'_, K> {
    type Ok = K;
    type Error = Error;

    refuse!(bool numbers str unit unit_variant newtype_variant seq tuple tuple_variant map struct_ struct_variant);
    refuse!(transparent binary);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(mut self, fields: &[u8]) -> Result<K> {
        if !fields.is_empty() {
            self.sink.unknown(self.plan, fields)?;
        }
        Ok(self.sink)
    }

    fn serialize_none(self) -> Result<K> {
        Ok(self.sink)
    }
}
