//! Serializes and deserializes unknown fields.

use crate::layout::UnknownFields;
use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

impl Serialize for UnknownFields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.as_bytes())
    }
}

impl<'de> Deserialize<'de> for UnknownFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut fields = UnknownFields::new();
        deserializer.deserialize_bytes(Append(&mut fields))?;
        Ok(fields)
    }
}

/// Appends fields to the unknown fields.
pub(super) struct Append<'a>(pub(super) &'a mut UnknownFields);

impl<'de> Visitor<'de> for Append<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the bytes of unknown fields")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<(), E> {
        self.0.extend(bytes);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        self.0.extend(&gather(seq)?);
        Ok(())
    }
}

/// Collects bytes that a format gives one by one.
pub(super) fn gather<'de, A: SeqAccess<'de>>(mut seq: A) -> Result<Vec<u8>, A::Error> {
    let mut bytes = Vec::new();
    while let Some(byte) = seq.next_element()? {
        bytes.push(byte);
    }
    Ok(bytes)
}
