//! Reads the identifiers of members and variants, in the forms that they have in other formats.

use serde::de::{DeserializeSeed, Deserializer, Error, Visitor};
use std::fmt;

/// Reads the identifier of a member or variant, and returns its index. The identifier is the index, or one of these
/// names. For an unknown name, returns the number of names.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key(pub(super) &'static [&'static str]);

impl<'de> DeserializeSeed<'de> for Key {
    type Value = usize;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for Key {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an identifier")
    }

    #[inline]
    fn visit_u64<E: Error>(self, index: u64) -> Result<usize, E> {
        Ok(usize::try_from(index).unwrap_or(usize::MAX))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        Ok(self.0.iter().position(|known| *known == name).unwrap_or(self.0.len()))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        Ok(self.0.iter().position(|known| known.as_bytes() == name).unwrap_or(self.0.len()))
    }
}
