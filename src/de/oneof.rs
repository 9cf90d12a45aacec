//! A oneof as an enum.

use super::Decoder;
use super::key::Identifier;
use super::source::Source;
use super::value::{Place, ValueDeserializer};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MessagePlan, mark_in};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, VariantAccess, Visitor};

/// The variant of a oneof that the field at hand is.
pub(super) struct Variant<'a, 'm, 'p, S> {
    value: ValueDeserializer<'a, 'm, 'p, S>,
    identifier: Identifier<'static>,
}

impl<'a, 'm, 'p, S> Variant<'a, 'm, 'p, S> {
    /// Hands the variant of the enum to the visitor.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn read<'de, V: Visitor<'de>>(
        decoder: &'a mut Decoder<'p, S>,
        field: &'m FieldPlan,
        message: &'m MessagePlan,
        index: u16,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value>
    where
        S: Source<'de>,
    {
        let identifier = if mark_in(name).is_some() && message.bound {
            Identifier::Index(u32::from(index))
        } else {
            Identifier::Name(Self::named(field, message, index, name, variants)?)
        };
        let value = ValueDeserializer { decoder, field, place: Place::Inside };
        visitor.visit_enum(Variant { value, identifier })
    }

    fn named(
        field: &FieldPlan,
        message: &MessagePlan,
        index: u16,
        name: &str,
        variants: &'static [&'static str],
    ) -> Result<&'static str> {
        let oneof = field.oneof.and_then(|oneof| message.oneofs.get(usize::from(oneof)));
        if let Some(bound) = oneof.and_then(|oneof| oneof.variants.get(usize::from(index))) {
            return Ok(bound);
        }
        let found = variants.iter().find(|variant| field.is_called(variant)).copied();
        found.ok_or_else(|| Error::ty(format!("no variant of {name} stands for the field")))
    }
}

impl<'de, 'a, 'm, 'p, S: Source<'de>> EnumAccess<'de> for Variant<'a, 'm, 'p, S> {
    type Error = Error;
    type Variant = ValueDeserializer<'a, 'm, 'p, S>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self::Variant)> {
        Ok((seed.deserialize(self.identifier)?, self.value))
    }
}

impl<'de, S: Source<'de>> VariantAccess<'de> for ValueDeserializer<'_, '_, '_, S> {
    type Error = Error;

    fn unit_variant(self) -> Result<()> {
        use serde::de::{Deserialize, IgnoredAny};
        IgnoredAny::deserialize(self).map(drop)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
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
