//! A message as a struct with tobu's own derive: members are called by index and merged into as often as they come.
//!
//! The hot path of decoding: nothing is remembered, nothing is checked twice.

use super::Decoder;
use super::key::Identifier;
use super::source::{Next, Source};
use super::value::{Place, ValueDeserializer};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MessagePlan, Route, Shape};
use serde::de::value::BytesDeserializer;
use serde::de::{DeserializeSeed, MapAccess, Visitor};

/// Reads the message at hand and hands its members to the visitor.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    routes: &[Route],
    field: Option<&FieldPlan>,
    visitor: V,
) -> Result<V::Value> {
    if let Err(error) = decoder.enter(plan) {
        return Err(decoder.source.locate(error));
    }
    let message = decoder.source.open_message(decoder.cx(), field, plan, routes)?;
    let mut fields = Fields { decoder, plan, routes, message, at: At::Start, merged: 0 };
    let value = visitor.visit_map(Access(&mut fields))?;
    if !matches!(fields.at, At::End) {
        fields.drain()?;
    }
    let Fields { decoder, message, .. } = fields;
    decoder.source.close_message(message);
    decoder.leave();
    Ok(value)
}

struct Fields<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    plan: &'m MessagePlan,
    routes: &'m [Route],
    message: S::Message,
    at: At<'m>,
    /// The single messages that came, as bits: one that comes again takes no memory again.
    merged: u64,
}

/// Where a message stands.
#[derive(Clone, Copy)]
enum At<'m> {
    Start,
    /// At the value of a field, for this variant of a oneof.
    Field(&'m FieldPlan, u16),
    /// At the bytes of unknown fields.
    Unknown,
    End,
}

impl<'de, S: Source<'de>> Fields<'_, '_, 'de, '_, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn advance(&mut self) -> Result<Option<u16>> {
        loop {
            let cx = self.decoder.cx();
            match self.decoder.source.next_field(cx, &mut self.message, self.plan)? {
                Next::Field(index) => {
                    let (field, route) = (&self.plan.fields[index], self.routes[index]);
                    if route == Route::SKIP {
                        self.decoder.source.skip_value(cx, field)?;
                        continue;
                    }
                    self.at = At::Field(field, route.variant);
                    return Ok(Some(route.member));
                }
                Next::Unknown => {
                    self.at = At::Unknown;
                    return Ok(Some(self.plan.unknown.unwrap_or(u16::MAX)));
                }
                Next::End => {
                    self.at = At::End;
                    return Ok(None);
                }
            }
        }
    }

    /// Gives back what a message that came before took, for it will be taken again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn charge_once(&mut self, field: &FieldPlan) {
        let bit = 1u64.checked_shl(field.index.into()).unwrap_or(0);
        if self.merged & bit != 0 {
            self.decoder.memory += u64::from(self.decoder.set.messages[field.sub as usize].size);
        }
        self.merged |= bit;
    }

    /// Reads what the visitor left.
    #[cold]
    fn drain(&mut self) -> Result<()> {
        loop {
            match self.at {
                At::Field(field, _) => self.decoder.source.skip_value(self.decoder.cx(), field)?,
                At::Unknown => drop(self.decoder.source.unknown()),
                At::Start => {}
                At::End => return Ok(()),
            }
            self.at = At::Start;
            self.advance()?;
        }
    }

    #[cold]
    fn fail(&self, field: &FieldPlan, error: Error) -> Error {
        self.decoder.source.locate(error.in_field(&field.name))
    }
}

/// The fields by reference: serde's own impl for references is not inlined.
struct Access<'f, 'a, 'm, 'de, 'p, S: Source<'de>>(&'f mut Fields<'a, 'm, 'de, 'p, S>);

impl<'de, S: Source<'de>> MapAccess<'de> for Access<'_, '_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        match self.0.advance()? {
            Some(member) => seed.deserialize(Identifier::Index(u32::from(member))).map(Some),
            None => Ok(None),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        match self.0.at {
            At::Field(field, variant) => {
                self.0.at = At::Start;
                let place = match variant {
                    Route::NO_VARIANT => Place::Member,
                    variant => Place::Oneof(self.0.plan, variant),
                };
                if field.is_message() && field.shape == Shape::Singular {
                    self.0.charge_once(field);
                }
                match seed.deserialize(ValueDeserializer { decoder: self.0.decoder, field, place }) {
                    Ok(value) => Ok(value),
                    Err(error) => Err(self.0.fail(field, error)),
                }
            }
            At::Unknown => {
                self.0.at = At::Start;
                let fields = self.0.decoder.source.unknown();
                seed.deserialize(BytesDeserializer::new(&fields))
            }
            At::Start | At::End => Err(Error::ty("a value was asked for without its key")),
        }
    }
}
