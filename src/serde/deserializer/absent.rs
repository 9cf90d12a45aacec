//! Deserializes members that are absent from the input.
//!
//! Tobu's own derive starts with an empty struct. Serde's derive needs a value for every member: `None` for an option, an empty
//! list or map, and for any other member the default value of the field.

use super::identifier::Identifier;
use super::message;
use super::{Budget, NestingLimits, forward};
use crate::descriptor::{Declared, DefaultValue};
use crate::error::{Error, Result};
use crate::layout::Storage;
use crate::table::{Kind, Presence, Row, Shape};
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Visitor};

pub(super) struct Absent<'a, 'b> {
    pub(super) row: &'a Row,
    pub(super) budget: &'b Budget,
    pub(super) left: NestingLimits,
    /// True if the value is `None` for a type that is an option.
    pub(super) optional: bool,
    /// The Rust type of a single value of the field, if this type is bound to the message or enum of the field.
    pub(super) bound: Option<Storage>,
}

impl Absent<'_, '_> {
    /// Calls the visitor with the default value of the field.
    fn default<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.row.default.as_deref().map(Declared::value) {
            Some(DefaultValue::Bool(value)) => return visitor.visit_bool(*value),
            Some(DefaultValue::I32(value)) => return visitor.visit_i32(*value),
            Some(DefaultValue::I64(value)) => return visitor.visit_i64(*value),
            Some(DefaultValue::U32(value)) => return visitor.visit_u32(*value),
            Some(DefaultValue::U64(value)) => return visitor.visit_u64(*value),
            Some(DefaultValue::F32(value)) => return visitor.visit_f32(*value),
            Some(DefaultValue::F64(value)) => return visitor.visit_f64(*value),
            Some(DefaultValue::String(value)) => return visitor.visit_str(value),
            Some(DefaultValue::Bytes(value)) => return visitor.visit_bytes(value),
            Some(DefaultValue::Enum(_)) | None => {}
        }
        match (self.row.shape, self.row.kind) {
            (Shape::List, _) => visitor.visit_seq(SeqDeserializer::new(std::iter::empty::<u8>())),
            (Shape::Map, _) => visitor.visit_map(MapDeserializer::new(std::iter::empty::<(u8, u8)>())),
            (_, Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => visitor.visit_i32(0),
            (_, Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => visitor.visit_i64(0),
            (_, Kind::UInt32 | Kind::Fixed32) => visitor.visit_u32(0),
            (_, Kind::UInt64 | Kind::Fixed64) => visitor.visit_u64(0),
            (_, Kind::Float) => visitor.visit_f32(0.0),
            (_, Kind::Double) => visitor.visit_f64(0.0),
            (_, Kind::Bool) => visitor.visit_bool(false),
            (_, Kind::String) => visitor.visit_borrowed_str(""),
            (_, Kind::Bytes) => visitor.visit_borrowed_bytes(&[]),
            (_, Kind::Enum) => visitor.visit_i32(self.number()),
            (_, Kind::Message | Kind::Group) => {
                visitor.visit_map(MapDeserializer::new(std::iter::empty::<(u8, u8)>()))
            }
        }
    }

    fn number(&self) -> i32 {
        match self.row.default.as_deref().map(Declared::value) {
            Some(DefaultValue::Enum(number)) => *number,
            _ => self.row.enumeration().default,
        }
    }

    fn is(&self, kind: Kind) -> bool {
        self.row.shape == Shape::Singular && self.row.kind == kind
    }
}

impl<'de> Deserializer<'de> for Absent<'_, '_> {
    type Error = Error;

    forward!(default:
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32
        deserialize_f64 deserialize_map deserialize_identifier);
    forward!(deserialize_str: deserialize_string deserialize_char);
    forward!(deserialize_bytes: deserialize_byte_buf);
    forward!(deserialize_seq: deserialize_tuple(usize) deserialize_tuple_struct(&'static str, usize));
    forward!(deserialize_unit: deserialize_unit_struct(&'static str) deserialize_ignored_any);

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.row.presence {
            Presence::Explicit | Presence::Required if self.optional => visitor.visit_unit(),
            // Types that accept any value rarely accept bytes, so the visitor gets a sequence of numbers.
            _ if self.is(Kind::Bytes) => self.deserialize_seq(visitor),
            _ => self.deserialize_str(visitor),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.is(Kind::Enum) {
            return self.default(visitor);
        }
        let number = self.number();
        match self.row.enumeration().name(number) {
            Some(name) => visitor.visit_str(name),
            None => visitor.visit_i32(number),
        }
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.row.default {
            None if self.is(Kind::String) => visitor.visit_borrowed_bytes(&[]),
            _ => self.default(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.optional { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.is(Kind::Bytes) {
            return self.default(visitor);
        }
        let bytes = match self.row.default.as_deref().map(Declared::value) {
            Some(DefaultValue::Bytes(bytes)) => bytes.as_ref(),
            _ => &[],
        };
        visitor.visit_seq(SeqDeserializer::new(bytes.iter().copied()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if self.row.shape != Shape::Singular || !self.row.is_message() {
            return self.default(visitor);
        }
        message::read_absent(self, name, members, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if !self.is(Kind::Enum) {
            return Err(Error::ty(format!("the field is not set, and {name} has no default")));
        }
        let (table, number) = (self.row.enumeration(), self.number());
        match Identifier::of_number(number, table, self.bound, variants) {
            Some(variant) => variant.deserialize_enum(name, variants, visitor),
            None => Err(Error::ty(format!("no variant of {name} stands for the default {number}"))),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// Deserializes a oneof without a field that is set.
pub(super) struct AbsentOneof<'m>(pub(super) &'m str);

impl<'de> Deserializer<'de> for AbsentOneof<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_none()
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        _: V,
    ) -> Result<V::Value> {
        Err(Error::ty("no field of the oneof is set").in_field(self.0))
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
