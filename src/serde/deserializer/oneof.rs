//! A oneof as an enum.

use super::identifier::Identifier;
use super::value::ValueDeserializer;
use crate::error::{Error, Result};
use crate::layout::OneofShape;
use crate::layout::TypeShape;
use crate::table::Row;
use serde::de::{Deserialize, DeserializeSeed, Deserializer, EnumAccess, IgnoredAny, VariantAccess, Visitor};

/// The variant that a field stands for, and its value.
pub(super) struct Variant<'a, 'de, 'b> {
    value: ValueDeserializer<'a, 'de, 'b>,
    name: &'static str,
}

/// Hands out a field as a variant of an enum.
pub(super) fn read<'de, V: Visitor<'de>>(
    value: ValueDeserializer<'_, 'de, '_>,
    bound: Option<&'static OneofShape>,
    name: &'static str,
    variants: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    let (name, bound) = variant(value.held.row(), bound, name, variants)?;
    visitor
        .visit_enum(Variant { value: ValueDeserializer { inside: true, oneof: None, bound, ..value }, name })
}

fn variant(
    row: &Row,
    bound: Option<&'static OneofShape>,
    name: &str,
    variants: &'static [&'static str],
) -> Result<(&'static str, Option<TypeShape>)> {
    let is_row = |field: &crate::layout::FieldShape| match field.number {
        Some(number) => number == row.number,
        None => *field.name == *row.name,
    };
    if let Some((bound, field)) =
        bound.and_then(|bound| bound.variants.iter().find(|(_, field)| is_row(field)))
    {
        return Ok((bound, Some(field.ty)));
    }
    let found = variants.iter().find(|variant| row.is_called(variant)).copied();
    match found {
        Some(found) => Ok((found, None)),
        None => Err(Error::ty(format!("no variant of {name} stands for the field"))),
    }
}

impl<'a, 'de, 'b> EnumAccess<'de> for Variant<'a, 'de, 'b> {
    type Error = Error;
    type Variant = ValueDeserializer<'a, 'de, 'b>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant)> {
        Ok((seed.deserialize(Identifier::Name(self.name))?, self.value))
    }
}

impl<'de> VariantAccess<'de> for ValueDeserializer<'_, 'de, '_> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        IgnoredAny::deserialize(self).map(drop)
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_struct("", members, visitor)
    }
}
