//! A message as a struct, or as a map from names.

use super::key::Identifier;
use super::source::{Next, Source};
use super::value::{Place, ValueDeserializer};
use super::{Decoder, forward};
use crate::error::{Error, Result};
use crate::member::MESSAGE;
use crate::plan::{FieldPlan, MessagePlan, Route};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use std::borrow::Cow;

/// Deserializes the outermost message.
pub(crate) struct MessageDeserializer<'a, 'p, S> {
    pub(crate) decoder: &'a mut Decoder<'p, S>,
    pub(crate) plan: &'p MessagePlan,
}

impl<'de, S: Source<'de>> Deserializer<'de> for MessageDeserializer<'_, '_, S> {
    type Error = Error;

    forward!(deserialize_map:
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 deserialize_char
        deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit deserialize_seq
        deserialize_identifier deserialize_ignored_any);

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        read(self.decoder, self.plan, None, As::Map, visitor)
    }

    #[inline]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        read(self.decoder, self.plan, None, As::Struct(name, members), visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        unit(self.decoder, self.plan, None, visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

/// What a message is asked for as.
#[derive(Clone, Copy)]
pub(super) enum As {
    /// A struct of this name with these members.
    Struct(&'static str, &'static [&'static str]),
    /// A map from names.
    Map,
}

/// Reads the message at hand and hands its members to the visitor.
#[inline]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    field: Option<&FieldPlan>,
    target: As,
    visitor: V,
) -> Result<V::Value> {
    let (routes, keys, merges): (&[Route], Keys, bool) = match target {
        As::Struct(name, _) if plan.bound => (&plan.routes, Keys::Indices, name == MESSAGE),
        As::Struct(name, members) => {
            let binding = plan.binding(members);
            let keys = if name == MESSAGE { Keys::Indices } else { Keys::Members(binding.members) };
            (&binding.routes, keys, name == MESSAGE)
        }
        As::Map => (&plan.routes, Keys::Names, false),
    };
    if let Err(error) = decoder.enter(plan) {
        return Err(decoder.source.locate(error));
    }
    let message = decoder.source.open_message(decoder.cx(), field, plan, routes)?;
    let watch = !(merges || decoder.source.is_grouped(&message));
    let missing = if plan.required.is_empty() || decoder.partial { Vec::new() } else { plan.required.to_vec() };
    let mut fields = Fields {
        decoder,
        plan,
        routes,
        keys,
        message,
        at: At::Start,
        route: Route::SKIP,
        merges,
        seen: Seen { watch, ..Seen::default() },
        missing,
        unknown: Vec::new(),
    };
    let value = visitor.visit_map(&mut fields)?;
    fields.finish()?;
    Ok(value)
}

/// Reads the message at hand, for a visitor that wants nothing of it.
pub(super) fn unit<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    field: Option<&FieldPlan>,
    visitor: V,
) -> Result<V::Value> {
    use serde::de::{Deserialize, IgnoredAny};
    struct Rest<'a, 'm, 'p, S>(&'a mut Decoder<'p, S>, &'m MessagePlan, Option<&'m FieldPlan>);
    impl<'de, S: Source<'de>> Deserializer<'de> for Rest<'_, '_, '_, S> {
        type Error = Error;
        fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            read(self.0, self.1, self.2, As::Map, visitor)
        }
        serde::forward_to_deserialize_any! {
            bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
            newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
        }
    }
    IgnoredAny::deserialize(Rest(decoder, plan, field))?;
    visitor.visit_unit()
}

/// How members are called.
#[derive(Clone, Copy)]
enum Keys {
    /// By index: the derive that bound the type, or tobu's own, is known to take it.
    Indices,
    /// By the names that the struct gave.
    Members(&'static [&'static str]),
    /// By proto names.
    Names,
}

/// Where a message stands.
enum At<'de> {
    Start,
    /// At the value of a field.
    Field(usize),
    /// At the bytes of unknown fields.
    Unknown(Cow<'de, [u8]>),
    End,
}

/// The members that were delivered, for types that take each only once.
#[derive(Default)]
struct Seen {
    watch: bool,
    low: u64,
    high: Vec<u64>,
}

impl Seen {
    /// Notes a member; false when it was noted before.
    #[inline]
    fn note(&mut self, member: u16) -> bool {
        if !self.watch {
            return true;
        }
        let (word, bit) = (usize::from(member) / 64, 1u64 << (member % 64));
        let word = match word.checked_sub(1) {
            None => &mut self.low,
            Some(high) => self.high_word(high),
        };
        let new = *word & bit == 0;
        *word |= bit;
        new
    }

    #[cold]
    fn high_word(&mut self, index: usize) -> &mut u64 {
        if self.high.len() <= index {
            self.high.resize(index + 1, 0);
        }
        &mut self.high[index]
    }
}

/// The members of an open message, as serde's map access.
struct Fields<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    plan: &'m MessagePlan,
    routes: &'m [Route],
    keys: Keys,
    message: S::Message,
    at: At<'de>,
    route: Route,
    /// The type takes a member as often as it comes: it has tobu's own derive.
    merges: bool,
    seen: Seen,
    /// Required fields that did not come yet.
    missing: Vec<u16>,
    /// Unknown fields, for a type that takes them only once.
    unknown: Vec<u8>,
}

impl<'de, S: Source<'de>> Fields<'_, '_, 'de, '_, S> {
    #[inline]
    fn advance(&mut self) -> Result<()> {
        loop {
            let cx = self.decoder.cx();
            match self.decoder.source.next_field(cx, &mut self.message, self.plan)? {
                Next::Field(index) => {
                    if !self.missing.is_empty() {
                        self.missing.retain(|missing| usize::from(*missing) != index);
                    }
                    self.route = self.routes[index];
                    if self.route == Route::SKIP {
                        let field = &self.plan.fields[index];
                        self.decoder.source.skip_value(cx, field)?;
                        continue;
                    }
                    if !self.seen.note(self.route.member) {
                        return Err(Error::regroup());
                    }
                    self.at = At::Field(index);
                    return Ok(());
                }
                Next::Unknown => {
                    let fields = self.decoder.source.unknown();
                    if self.merges {
                        self.at = At::Unknown(fields);
                        return Ok(());
                    }
                    self.unknown.extend_from_slice(&fields);
                }
                Next::End => return self.end(),
            }
        }
    }

    #[inline]
    fn end(&mut self) -> Result<()> {
        if !self.missing.is_empty() {
            return Err(self.required());
        }
        self.at = match self.unknown.is_empty() {
            true => At::End,
            false => At::Unknown(Cow::Owned(std::mem::take(&mut self.unknown))),
        };
        Ok(())
    }

    /// A required field is missing, or is in another piece of the message, which only grouping shows.
    #[cold]
    fn required(&self) -> Error {
        if !self.decoder.source.is_grouped(&self.message) {
            return Error::regroup();
        }
        Error::required(&self.plan.fields[usize::from(self.missing[0])].name)
    }

    /// Reads what the visitor left, and leaves the message.
    #[inline]
    fn finish(mut self) -> Result<()> {
        while !matches!(self.at, At::End) {
            if let At::Field(index) = self.at {
                self.decoder.source.skip_value(self.decoder.cx(), &self.plan.fields[index])?;
            }
            self.at = At::Start;
            self.advance()?;
        }
        self.decoder.source.close_message(self.message);
        self.decoder.leave();
        Ok(())
    }
}

impl<'de, S: Source<'de>> MapAccess<'de> for Fields<'_, '_, 'de, '_, S> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if matches!(self.at, At::End) {
            return Ok(None);
        }
        self.advance()?;
        let member = match &self.at {
            At::Field(_) => self.route.member,
            At::Unknown(_) => self.plan.unknown.unwrap_or(u16::MAX),
            At::Start | At::End => return Ok(None),
        };
        let key = match self.keys {
            Keys::Indices => Identifier::Index(u32::from(member)),
            Keys::Members(names) => Identifier::Name(names.get(usize::from(member)).copied().unwrap_or_default()),
            Keys::Names => Identifier::Name(&self.plan.fields[usize::from(member)].name),
        };
        seed.deserialize(key).map(Some)
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        match std::mem::replace(&mut self.at, At::Start) {
            At::Field(index) => {
                let field = &self.plan.fields[index];
                let place = match self.route.variant {
                    Route::NO_VARIANT => Place::Member,
                    variant => Place::Oneof(self.plan, variant),
                };
                let value = ValueDeserializer { decoder: self.decoder, field, place };
                match seed.deserialize(value) {
                    Ok(value) => Ok(value),
                    Err(error) => Err(self.decoder.source.locate(error.in_field(&field.name))),
                }
            }
            At::Unknown(Cow::Borrowed(fields)) => {
                seed.deserialize(serde::de::value::BorrowedBytesDeserializer::new(fields))
            }
            At::Unknown(Cow::Owned(fields)) => seed.deserialize(serde::de::value::BytesDeserializer::new(&fields)),
            At::Start | At::End => Err(Error::ty("a value was asked for without its key")),
        }
    }
}
