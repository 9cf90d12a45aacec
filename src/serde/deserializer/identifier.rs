//! The identifiers of members and variants.

use crate::error::{Error, Result};
use crate::layout::Storage;
use crate::table::EnumTable;
use serde::de::value::{StrDeserializer, U32Deserializer};
use serde::de::{Deserializer, Visitor};

/// The identifier of a member or variant: its index if the type is known to accept an index, otherwise its name.
#[derive(Clone, Copy)]
pub(super) enum Identifier<'a> {
    Index(u32),
    Name(&'a str),
}

impl Identifier<'static> {
    /// Returns the variant that stands for a number. If a Rust enum is bound to the schema, it knows the numbers of the
    /// variants. Otherwise the variants are looked up in the schema by their names.
    pub(super) fn of_number(
        number: i32,
        table: &EnumTable,
        bound: Option<Storage>,
        variants: &[&str],
    ) -> Option<Self> {
        let bound = bound.and_then(Storage::enumeration);
        let stands = |variant: &str| match bound {
            Some(shape) => shape.is_variant(variant, number),
            None => table.number(variant) == Some(number),
        };
        let index = variants.iter().position(|variant| stands(variant))?;
        Some(Identifier::Index(index as u32))
    }
}

impl<'de> Deserializer<'de> for Identifier<'_> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self {
            Identifier::Index(index) => visitor.visit_u64(u64::from(index)),
            Identifier::Name(name) => visitor.visit_str(name),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct
        map struct identifier ignored_any
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self {
            Identifier::Index(index) => visitor.visit_enum(U32Deserializer::<Error>::new(index)),
            Identifier::Name(name) => visitor.visit_enum(StrDeserializer::<Error>::new(name)),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}
