//! A message as a struct with tobu's own derive: members are called by index and merged into as often as they come.
//!
//! The hot path of decoding: nothing is remembered, nothing is checked twice.

use super::Decoder;
use super::key::Identifier;
use super::source::{Glance, Next, Source};
use super::value::{Place, ValueDeserializer};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MessagePlan};
use serde::de::value::BytesDeserializer;
use serde::de::{DeserializeSeed, MapAccess, Visitor};

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
    let front = decoder.source.front(&message);
    let mut open = Open { message, member: None, field: None, unknown: false, ended: false };
    let fields = Fields { decoder: &mut *decoder, plan, open: &mut open, front, at: None, merged: 0 };
    let value = visitor.visit_map(fields)?;
    if !open.ended {
        return Err(left());
    }
    decoder.source.close_message(open.message, outer);
    decoder.leave();
    Ok(value)
}

/// The derive reads on until nothing comes.
#[cold]
fn left() -> Error {
    Error::ty("the type left the message before its end")
}

/// An open message, as far as it takes more than a glance.
struct Open<'m, M> {
    message: M,
    /// What was found by looking: the member, if there is another one, and the field that it stands for.
    member: Option<u16>,
    field: Option<&'m FieldPlan>,
    /// Unknown fields come next.
    unknown: bool,
    /// Nothing comes next.
    ended: bool,
}

impl<'m, M> Open<'m, M> {
    // Out of line: once per format, not once per type. What it finds is left in memory: the caller's variables stay in
    // registers, which they do only while nobody has their address.
    #[inline(never)]
    fn look<'de, S: Source<'de, Message = M>>(
        &mut self,
        decoder: &mut Decoder<'_, S>,
        plan: &'m MessagePlan,
    ) -> Result<()> {
        let cx = decoder.cx();
        (self.member, self.field) = match decoder.source.next_field(cx, &mut self.message, plan)? {
            Next::Field(index) => {
                let field = &plan.fields[index];
                (Some(field.route.member), Some(field))
            }
            Next::Unknown => {
                self.unknown = true;
                (Some(plan.unknown.unwrap_or(u16::MAX)), None)
            }
            Next::End => {
                self.ended = true;
                (None, None)
            }
        };
        Ok(())
    }

    /// The value of unknown fields.
    #[inline(never)]
    fn unknown<'de, S: Source<'de, Message = M>, T: DeserializeSeed<'de>>(
        &mut self,
        decoder: &mut Decoder<'_, S>,
        seed: T,
    ) -> Result<T::Value> {
        if !std::mem::take(&mut self.unknown) {
            return Err(Error::ty("a value was asked for without its key"));
        }
        let fields = decoder.source.unknown();
        seed.deserialize(BytesDeserializer::new(&fields))
    }
}

/// The fields of an open message, as serde's map access: handed on by value, so that it can be taken apart.
struct Fields<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    plan: &'m MessagePlan,
    open: &'a mut Open<'m, S::Message>,
    front: S::Front,
    /// The field whose value comes next.
    at: Option<&'m FieldPlan>,
    /// The single messages that came, as bits: one that comes again takes no memory again.
    merged: u64,
}

impl<'de, S: Source<'de>> Fields<'_, '_, 'de, '_, S> {
    /// Gives back what a message that came before took, for it will be taken again.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn charge_once(&mut self, field: &FieldPlan) {
        let bit = 1u64.checked_shl(field.index.into()).unwrap_or(0);
        if self.merged & bit != 0 {
            self.decoder.memory += u64::from(self.decoder.set.messages[field.sub as usize].size);
        }
        self.merged |= bit;
    }
}

impl<'de, S: Source<'de>> MapAccess<'de> for Fields<'_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let member = match self.decoder.source.glance(&mut self.front, self.plan) {
            Glance::Field(field, member) => {
                self.at = Some(field);
                member
            }
            Glance::End => {
                self.decoder.source.lead(&self.front);
                self.open.ended = true;
                return Ok(None);
            }
            Glance::Other => {
                self.open.look(self.decoder, self.plan)?;
                self.decoder.source.follow(&mut self.front);
                self.at = self.open.field;
                match self.open.member {
                    Some(member) => member,
                    None => return Ok(None),
                }
            }
        };
        seed.deserialize(Identifier::Index(u32::from(member))).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Some(field) = self.at.take() else { return self.open.unknown(self.decoder, seed) };
        if field.single_message {
            self.charge_once(field);
        }
        let place = Place::OfMessage(self.plan);
        self.decoder.source.lead(&self.front);
        match seed.deserialize(ValueDeserializer { decoder: self.decoder, field, place }) {
            Ok(value) => {
                self.decoder.source.follow(&mut self.front);
                Ok(value)
            }
            Err(error) => Err(fail(self.decoder, field, error)),
        }
    }
}

#[cold]
fn fail<'de, S: Source<'de>>(decoder: &Decoder<'_, S>, field: &FieldPlan, error: Error) -> Error {
    decoder.source.locate(error.in_field(&field.name))
}
