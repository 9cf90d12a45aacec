//! A message as a struct with tobu's own derive: members are called by index and merged into as often as they come.
//!
//! Nothing is remembered, nothing is checked twice. A format that is read at a glance has a way of its own for this:
//! [`told`](super::told).

use super::Decoder;
use super::ask::{self, by_plan};
use super::key::Identifier;
use super::source::{Next, Source};
use super::told;
use super::value::{Place, ValueDeserializer};
use crate::error::{Error, Result};
use crate::methods::deserializer_methods;
use crate::plan::{FieldPlan, MessagePlan, Route};
use serde::de::value::{BoolDeserializer, BytesDeserializer};
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor};

/// Reads the message at hand and hands its members to the visitor; the plan is bound to the type.
// Out of line: once per type, wherever a message of it stands.
#[inline(never)]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    field: Option<&FieldPlan>,
    visitor: V,
) -> Result<V::Value> {
    if let Err(error) = decoder.enter(plan) {
        return Err(decoder.source.locate(error));
    }
    let outer = decoder.source.outer();
    let message = decoder.source.open_message(decoder.cx(), field, plan, &plan.routes)?;
    let closed = S::closed(&message);
    let value = read_open(decoder, plan, message, visitor)?;
    decoder.source.close_message(closed, outer);
    Ok(value)
}

/// Reads a message that was entered and opened, to its end.
#[inline(never)]
fn read_open<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    mut message: S::Message,
    visitor: V,
) -> Result<V::Value> {
    let mut ended = false;
    let fields = Fields {
        decoder: &mut *decoder,
        plan,
        message: &mut message,
        ended: &mut ended,
        field: None,
        came: Came::default(),
    };
    let value = visitor.visit_map(fields)?;
    if !ended {
        return Err(left());
    }
    decoder.leave();
    Ok(value)
}

/// The derive reads on until nothing comes.
#[cold]
pub(super) fn left() -> Error {
    Error::ty("the type left the message before its end")
}

/// Which single messages came, as bits: one that comes again takes no memory again.
#[derive(Clone, Copy, Default)]
pub(super) struct Came {
    members: u64,
    /// The fields that are variants of oneofs.
    variants: u64,
}

impl Came {
    /// Notes that the message of a member came; true where it was noted before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn member(&mut self, index: u16) -> bool {
        came(&mut self.members, index)
    }

    /// Notes that the message of a field came.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn field(&mut self, field: &FieldPlan, route: Route) -> bool {
        match route.variant {
            Route::NO_VARIANT => came(&mut self.members, route.member),
            _ => came(&mut self.variants, field.index),
        }
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn came(messages: &mut u64, index: u16) -> bool {
    let bit = 1u64.checked_shl(index.into()).unwrap_or(0);
    let again = *messages & bit != 0;
    *messages |= bit;
    again
}

/// The fields of an open message, as serde's map access: handed on by value, so that it can be taken apart.
struct Fields<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    plan: &'m MessagePlan,
    message: &'a mut S::Message,
    /// The last field was read.
    ended: &'a mut bool,
    /// The field whose value comes next; none for unknown fields.
    field: Option<&'m FieldPlan>,
    came: Came,
}

impl<'de, S: Source<'de>> MapAccess<'de> for Fields<'_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let next = self.decoder.source.next_field(self.decoder.cx(), self.message, self.plan)?;
        let member = match next {
            Next::Field(index) => {
                let field = &self.plan.fields[index];
                self.field = Some(field);
                field.route.member
            }
            Next::Unknown => {
                self.field = None;
                self.plan.unknown.unwrap_or(u16::MAX)
            }
            Next::End => {
                *self.ended = true;
                return Ok(None);
            }
        };
        seed.deserialize(Identifier::Index(u32::from(member))).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let field = self.field;
        match seed.deserialize(MemberDeserializer { fields: self }) {
            Ok(value) => Ok(value),
            Err(error) => Err(fail(self.decoder, field, error)),
        }
    }
}

#[cold]
#[inline(never)]
pub(super) fn fail<'de, S: Source<'de>>(
    decoder: &Decoder<'_, S>,
    field: Option<&FieldPlan>,
    error: Error,
) -> Error {
    match field {
        Some(field) => decoder.source.locate(error.in_field(&field.name)),
        None => error,
    }
}

/// The value of a member.
struct MemberDeserializer<'x, 'a, 'm, 'de, 'p, S: Source<'de>> {
    fields: &'x mut Fields<'a, 'm, 'de, 'p, S>,
}

impl<'de, S: Source<'de>> MemberDeserializer<'_, '_, '_, 'de, '_, S> {
    /// Reads the value by the plan of its field.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        let Fields { decoder, plan, field, came, .. } = self.fields;
        let Some(field) = *field else { return unknown(decoder, seed) };
        if field.single_message && came.field(field, field.route) {
            decoder.memory += u64::from(decoder.set.messages[field.sub as usize].size);
        }
        let place = Place::OfMessage(plan);
        seed.deserialize(ValueDeserializer { decoder, field, place })
    }
}

/// The value of unknown fields.
#[cold]
#[inline(never)]
pub(super) fn unknown<'de, S: Source<'de>, T: DeserializeSeed<'de>>(
    decoder: &mut Decoder<'_, S>,
    seed: T,
) -> Result<T::Value> {
    let fields = decoder.source.unknown();
    seed.deserialize(BytesDeserializer::new(&fields))
}

impl<'de, S: Source<'de>> Deserializer<'de> for MemberDeserializer<'_, '_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        // A member tells of itself: as an enum, what is read out of line has nothing but an error to give back.
        if told::is_lead(name) {
            return visitor.visit_enum(self);
        }
        self.by_plan(ask::deserialize_newtype_struct(name, visitor))
    }

    deserializer_methods!(by_plan! all);
    by_plan! {
        deserialize_any();
        deserialize_option();
    }
}

impl<'de, S: Source<'de>> EnumAccess<'de> for MemberDeserializer<'_, '_, '_, 'de, '_, S> {
    type Error = Error;
    type Variant = Follows;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Follows)> {
        Ok((self.by_plan(seed)?, Follows(false)))
    }
}

/// Whether the next member comes right after the one that was read.
pub(super) struct Follows(pub(super) bool);

impl<'de> VariantAccess<'de> for Follows {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        seed.deserialize(BoolDeserializer::new(self.0))
    }

    fn unit_variant(self) -> Result<()> {
        Ok(())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}
