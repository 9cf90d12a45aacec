//! Deserializes a oneof as an enum.

use super::identifier::Identifier;
use crate::error::{Error, Result};
use crate::layout::{OneofShape, Storage};
use crate::table::Row;
use serde::de::{DeserializeSeed, EnumAccess, VariantAccess};

/// The name of the variant for a field, and the deserializer of its value.
pub(super) struct Variant<T> {
    pub(super) value: T,
    pub(super) name: &'static str,
}

/// Returns the name of the variant for a field, and the Rust type of its value.
///
/// # Errors
/// The enum has no variant for the field.
pub(super) fn variant(
    row: &Row,
    bound: Option<&'static OneofShape>,
    name: &str,
    variants: &'static [&'static str],
) -> Result<(&'static str, Option<Storage>)> {
    if let Some(bound) = bound
        && let Some(index) = bound.variant_for(row.number, &row.name)
    {
        return Ok((bound.names()[index], Some(bound.variants[index].storage)));
    }
    let found = variants.iter().find(|variant| row.is_called(variant)).copied();
    match found {
        Some(found) => Ok((found, None)),
        None => Err(Error::ty(format!("no variant of {name} stands for the field"))),
    }
}

impl<'de, T: VariantAccess<'de, Error = Error>> EnumAccess<'de> for Variant<T> {
    type Error = Error;
    type Variant = T;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, T)> {
        Ok((seed.deserialize(Identifier::Name(self.name))?, self.value))
    }
}
