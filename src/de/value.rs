//! The value of a field, of a list element, of a map entry.

use super::key::Identifier;
use super::message::{self, As};
use super::oneof::Variant;
use super::source::Source;
use super::{Decoder, list, map, packed};
use crate::error::{Error, Result};
use crate::member::Element;
use crate::plan::{FieldPlan, Kind, MessagePlan, Route, Shape};
use serde::de::{Deserializer, Visitor};
use std::borrow::Cow;

/// Where a value stands. Its tag takes a word: what is stored as two halves is slow to load as a whole.
#[derive(Clone, Copy)]
#[repr(u64)]
pub(super) enum Place<'m> {
    /// It is all that a field of this message holds: one value, a whole list, a whole map. The route of the field says
    /// whether the member is a oneof.
    OfMessage(&'m MessagePlan),
    /// The same, of a field that is a member of its own.
    Member,
    /// The member is a oneof of this message; the field is that variant of it.
    Oneof(&'m MessagePlan, u16),
    /// One value: a list element, a map value.
    Inside,
    /// A map key, which types that have only text for keys are given as text.
    Key,
}

/// Reads a value as the plan of its field says.
pub(super) struct ValueDeserializer<'a, 'm, 'p, S> {
    pub(super) decoder: &'a mut Decoder<'p, S>,
    pub(super) field: &'m FieldPlan,
    pub(super) place: Place<'m>,
}

impl<'de, 'p, S: Source<'de>> ValueDeserializer<'_, '_, 'p, S> {
    /// True when there is one value, not a list or a map.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_single(&self) -> bool {
        matches!(self.place, Place::Inside | Place::Key) || self.field.shape == Shape::Singular
    }

    /// The kind of the one value that there is, for methods that want nothing else.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kind(&self) -> Option<Kind> {
        match self.place {
            Place::Inside | Place::Key => Some(self.field.kind),
            _ => self.field.single,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn message_plan(&self) -> Result<&'p MessagePlan> {
        if self.is_single() && self.field.is_message() {
            return Ok(&self.decoder.set.messages[self.field.sub as usize]);
        }
        Err(refuse(self.field, self.is_single(), "a struct"))
    }

    /// The value as what it is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn natural<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        natural(self.decoder, self.field, self.is_single(), visitor)
    }

    /// The text of a string field; bytes, where the schema does not ask for UTF-8 and there is none.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.decoder.source.str(self.field)? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.decoder.source.bytes(self.field)? {
            Cow::Borrowed(bytes) => visitor.visit_borrowed_bytes(bytes),
            Cow::Owned(bytes) => visitor.visit_byte_buf(bytes),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn number<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Place::OfMessage(_) = self.place {
            // Members of a bound type have the type of their field. What cannot be need not be read on from: so the
            // place in the input stays known.
            return self.refuse("a number");
        }
        number(self.decoder, self.field, self.kind(), visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refuse<T>(self, what: &str) -> Result<T> {
        Err(refuse(self.field, self.is_single(), what))
    }
}

impl<'de, S: Source<'de>> Deserializer<'de> for ValueDeserializer<'_, '_, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.is_single() && self.field.kind == Kind::Bytes {
            // Types that take anything seldom take bytes; a list of numbers loses nothing.
            return numbers(self.decoder, self.field, visitor);
        }
        self.natural(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Bool) => visitor.visit_bool(self.decoder.source.bool()?),
            _ => self.refuse("a bool"),
        }
    }

    fn deserialize_i8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_i64(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32)) => {
                visitor.visit_i32(self.decoder.source.i32(kind)?)
            }
            Some(Kind::Enum) => {
                let plan = &self.decoder.set.enums[self.field.sub as usize];
                visitor.visit_i32(self.decoder.source.enumeration(plan)?)
            }
            _ => self.number(visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64)) => {
                visitor.visit_i64(self.decoder.source.i64(kind)?)
            }
            _ => self.number(visitor),
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.number(visitor)
    }

    fn deserialize_u8<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.number(visitor)
    }

    fn deserialize_u16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.number(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(kind @ (Kind::UInt32 | Kind::Fixed32)) => visitor.visit_u32(self.decoder.source.u32(kind)?),
            _ => self.number(visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(kind @ (Kind::UInt64 | Kind::Fixed64)) => visitor.visit_u64(self.decoder.source.u64(kind)?),
            _ => self.number(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.number(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Float) => visitor.visit_f32(self.decoder.source.f32()?),
            _ => self.number(visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Double) => visitor.visit_f64(self.decoder.source.f64()?),
            _ => self.number(visitor),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::String) => self.string(visitor),
            Some(Kind::Enum) => self.natural(visitor),
            Some(Kind::Bytes) => self.bytes(visitor),
            Some(kind) if matches!(self.place, Place::Key) => {
                let source = &mut self.decoder.source;
                visitor.visit_string(match kind {
                    Kind::Bool => source.bool()?.to_string(),
                    Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => source.i32(kind)?.to_string(),
                    Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => source.i64(kind)?.to_string(),
                    Kind::UInt32 | Kind::Fixed32 => source.u32(kind)?.to_string(),
                    _ => source.u64(kind)?.to_string(),
                })
            }
            _ => self.refuse("a string"),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.kind() {
            Some(Kind::Bytes | Kind::String) => self.bytes(visitor),
            _ => self.refuse("bytes"),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, _: V) -> Result<V::Value> {
        self.refuse("a unit")
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        let plan = self.message_plan()?;
        message::unit(self.decoder, plan, Some(self.field), visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if let Some(element) = Element::of(name)
            && !self.is_single()
            && let Some(form) = packed::form(self.field.kind, element)
            && let Some(run) = self.decoder.source.packed_run(self.field, form)?
        {
            return visitor.visit_map(packed::Pieces(run));
        }
        visitor.visit_newtype_struct(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match (self.place, self.field.shape) {
            (Place::Member | Place::OfMessage(_) | Place::Oneof(..), Shape::List) => {
                list::read(self.decoder, self.field, visitor)
            }
            _ if self.kind() == Some(Kind::Bytes) => numbers(self.decoder, self.field, visitor),
            _ if self.kind() == Some(Kind::String) && !self.field.utf8 => {
                numbers(self.decoder, self.field, visitor)
            }
            _ => self.refuse("a sequence"),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match (self.place, self.field.shape) {
            (Place::Member | Place::OfMessage(_) | Place::Oneof(..), Shape::Map) => {
                map::read(self.decoder, self.field, visitor)
            }
            _ if self.field.is_message() => self.natural(visitor),
            _ => self.refuse("a map"),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let plan = self.message_plan()?;
        message::read(self.decoder, plan, Some(self.field), As::Struct(name, members), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let oneof = match self.place {
            Place::OfMessage(message) => Some((message, self.field.route.variant)),
            Place::Oneof(message, variant) => Some((message, variant)),
            _ => None,
        };
        if let Some((message, variant)) = oneof.filter(|(_, variant)| *variant != Route::NO_VARIANT) {
            return Variant::read(self.decoder, self.field, message, variant, name, variants, visitor);
        }
        match self.kind() {
            Some(Kind::Enum) => {
                let plan = &self.decoder.set.enums[self.field.sub as usize];
                let number = self.decoder.source.enumeration(plan)?;
                match variants.iter().position(|variant| plan.number(variant) == Some(number)) {
                    Some(index) => Identifier::Index(index as u32).deserialize_enum(name, variants, visitor),
                    None => Err(Error::ty(format!(
                        "no variant of {name} stands for the value {number} of {}",
                        plan.full_name
                    ))),
                }
            }
            Some(Kind::String) => {
                let text = self.decoder.source.str(self.field)?;
                Identifier::Name(&text).deserialize_enum(name, variants, visitor)
            }
            _ => self.refuse("an enum"),
        }
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let cx = self.decoder.cx();
        match self.place {
            Place::Inside | Place::Key => self.decoder.source.skip_element(cx, self.field)?,
            _ => self.decoder.source.skip_value(cx, self.field)?,
        }
        visitor.visit_unit()
    }
}

// What is not the ordinary case is out of line, and is given the parts of a deserializer, not its address: so that the
// deserializer itself stays in registers.

/// The value as what it is: one value where it is `single`, or a list or a map.
#[inline(never)]
fn natural<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    field: &FieldPlan,
    single: bool,
    visitor: V,
) -> Result<V::Value> {
    match field.shape {
        Shape::List if !single => return list::read(decoder, field, visitor),
        Shape::Map if !single => return map::read(decoder, field, visitor),
        _ => {}
    }
    let source = &mut decoder.source;
    match field.kind {
        kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => visitor.visit_i32(source.i32(kind)?),
        kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => visitor.visit_i64(source.i64(kind)?),
        kind @ (Kind::UInt32 | Kind::Fixed32) => visitor.visit_u32(source.u32(kind)?),
        kind @ (Kind::UInt64 | Kind::Fixed64) => visitor.visit_u64(source.u64(kind)?),
        Kind::Float => visitor.visit_f32(source.f32()?),
        Kind::Double => visitor.visit_f64(source.f64()?),
        Kind::Bool => visitor.visit_bool(source.bool()?),
        Kind::String => ValueDeserializer { decoder, field, place: Place::Inside }.string(visitor),
        Kind::Bytes => ValueDeserializer { decoder, field, place: Place::Inside }.bytes(visitor),
        Kind::Enum => {
            let plan = &decoder.set.enums[field.sub as usize];
            let number = source.enumeration(plan)?;
            match plan.name(number) {
                Some(name) => visitor.visit_str(name),
                None => visitor.visit_i32(number),
            }
        }
        Kind::Message | Kind::Group => {
            let plan = &decoder.set.messages[field.sub as usize];
            message::read(decoder, plan, Some(field), As::Map, visitor)
        }
    }
}

/// Bytes as a list of numbers, which serde takes `Vec<u8>` for.
#[inline(never)]
fn numbers<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    field: &FieldPlan,
    visitor: V,
) -> Result<V::Value> {
    let bytes = decoder.source.bytes(field)?;
    visitor.visit_seq(serde::de::value::SeqDeserializer::new(bytes.iter().copied()))
}

/// A number whose Rust type is not the one of the field; the visitor checks the range.
#[cold]
#[inline(never)]
fn number<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    field: &FieldPlan,
    kind: Option<Kind>,
    visitor: V,
) -> Result<V::Value> {
    match kind {
        Some(Kind::Enum) => {
            let plan = &decoder.set.enums[field.sub as usize];
            visitor.visit_i32(decoder.source.enumeration(plan)?)
        }
        None => Err(refuse(field, field.shape == Shape::Singular, "a number")),
        Some(Kind::String | Kind::Bytes | Kind::Bool | Kind::Message | Kind::Group) => {
            Err(refuse(field, true, "a number"))
        }
        Some(_) => natural(decoder, field, true, visitor),
    }
}

#[cold]
#[inline(never)]
fn refuse(field: &FieldPlan, single: bool, what: &str) -> Error {
    let kind = field.kind.as_str();
    let is = match field.shape {
        Shape::List if !single => format!("repeated {kind}"),
        Shape::Map if !single => "map".to_owned(),
        _ => kind.to_owned(),
    };
    Error::ty(format!("the field is a {is}, but the type wants {what}"))
}
