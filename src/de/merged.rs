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
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    field: Option<&FieldPlan>,
    visitor: V,
) -> Result<V::Value> {
    if let Err(error) = decoder.enter(plan) {
        return Err(decoder.source.locate(error));
    }
    let message = decoder.source.open_message(decoder.cx(), field, plan, &plan.routes)?;
    let mut fields = Fields { decoder, plan, message, at: None, unknown: false, end: false, merged: 0 };
    let value = visitor.visit_map(Access(&mut fields))?;
    if !fields.end {
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
    message: S::Message,
    /// The field whose value comes next.
    at: Option<&'m FieldPlan>,
    /// Unknown fields come next.
    unknown: bool,
    /// Nothing comes next.
    end: bool,
    /// The single messages that came, as bits: one that comes again takes no memory again.
    merged: u64,
}

impl<'de, S: Source<'de>> Fields<'_, '_, 'de, '_, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn advance(&mut self) -> Result<Option<u16>> {
        match self.decoder.source.glance(&self.message, self.plan) {
            Glance::Field(field) => {
                self.at = Some(field);
                Ok(Some(field.route.member))
            }
            Glance::End => {
                self.end = true;
                Ok(None)
            }
            Glance::Other => self.look(),
        }
    }

    // Out of line: once per format, not once per type.
    #[inline(never)]
    fn look(&mut self) -> Result<Option<u16>> {
        let cx = self.decoder.cx();
        match self.decoder.source.next_field(cx, &mut self.message, self.plan)? {
            Next::Field(index) => {
                let field = &self.plan.fields[index];
                self.at = Some(field);
                Ok(Some(field.route.member))
            }
            Next::Unknown => {
                self.unknown = true;
                Ok(Some(self.plan.unknown.unwrap_or(u16::MAX)))
            }
            Next::End => {
                self.end = true;
                Ok(None)
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
        while !self.end {
            if let Some(field) = self.at.take() {
                self.decoder.source.skip_value(self.decoder.cx(), field)?;
            } else if std::mem::take(&mut self.unknown) {
                drop(self.decoder.source.unknown());
            }
            self.look()?;
        }
        Ok(())
    }

    /// The value of unknown fields.
    #[inline(never)]
    fn unknown<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        if !std::mem::take(&mut self.unknown) {
            return Err(Error::ty("a value was asked for without its key"));
        }
        let fields = self.decoder.source.unknown();
        seed.deserialize(BytesDeserializer::new(&fields))
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
        let Some(field) = self.0.at.take() else { return self.0.unknown(seed) };
        if field.single_message {
            self.0.charge_once(field);
        }
        let place = Place::OfMessage(self.0.plan);
        match seed.deserialize(ValueDeserializer { decoder: self.0.decoder, field, place }) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.0.fail(field, error)),
        }
    }
}
