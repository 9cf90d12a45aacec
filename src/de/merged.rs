//! A message as a struct with tobu's own derive: members are called by index and merged into as often as they come.
//!
//! The hot path of decoding: nothing is remembered, nothing is checked twice.

use super::Decoder;
use super::key::Identifier;
use super::source::{Next, Source};
use super::told::MemberDeserializer;
use super::value::Place;
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, Head, MemberPlan, MessagePlan, Route, TagTable};
use serde::de::{DeserializeSeed, MapAccess, Visitor};

/// Reads the message at hand and hands its members to the visitor; the plan is bound to the type, whose derive gave
/// `mark` as the mark of what it tells.
// Out of line: once per type, wherever a message of it stands.
#[inline(never)]
pub(super) fn read_apart<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    field: Option<&FieldPlan>,
    mark: u64,
    visitor: V,
) -> Result<V::Value> {
    read(decoder, plan, field, mark, visitor)
}

/// The same in the place of its one caller: the outermost message.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    field: Option<&FieldPlan>,
    mark: u64,
    visitor: V,
) -> Result<V::Value> {
    if let Err(error) = decoder.enter(plan) {
        return Err(decoder.source.locate(error));
    }
    let outer = decoder.source.outer();
    let message = decoder.source.open_message(decoder.cx(), field, plan, &plan.routes)?;
    let closed = S::closed(&message);
    let front = decoder.source.front(&message);
    let value = read_open(decoder, plan, message, front, mark, visitor)?;
    decoder.source.close_message(closed, outer);
    Ok(value)
}

/// Reads a message that was entered and opened, to its end.
#[inline(never)]
pub(super) fn read_open<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    mut message: S::Message,
    front: S::Front,
    mark: u64,
    visitor: V,
) -> Result<V::Value> {
    let glances = S::GLANCES && decoder.source.glances(&message);
    let ends = decoder.source.ends(&message);
    let told = glances && mark == plan.told && mark != 0;
    let tags = if told { &plan.tags } else { TagTable::EMPTY };
    let mut ended = false;
    let fields = Fields {
        decoder: &mut *decoder,
        plan,
        message: &mut message,
        ended: &mut ended,
        tags,
        glances,
        ends,
        told,
        front,
        at: At::NOTHING,
        merged: 0,
        merged_variants: 0,
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
fn left() -> Error {
    Error::ty("the type left the message before its end")
}

/// What the member is whose value comes next: in two words, which stay in registers.
#[derive(Clone, Copy)]
pub(super) struct At<'m> {
    /// The field, where it takes more than a glance.
    field: Option<&'m FieldPlan>,
    /// Otherwise the tag, which a glance has found, and the derive tells the truth of it.
    tag: u32,
}

impl<'m> At<'m> {
    // No field has the number 0.
    const NOTHING: Self = At { field: None, tag: 0 };
    const UNKNOWN: Self = At { field: None, tag: 7 };

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field(field: &'m FieldPlan) -> Self {
        At { field: Some(field), tag: 0 }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn glanced(tag: u32) -> Self {
        At { field: None, tag }
    }

    /// True where a glance has found the member, and what it tells of itself is true.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_glanced(self) -> bool {
        self.field.is_none() && self.tag > Self::UNKNOWN.tag
    }

    /// The field, by its tag where that is what is known.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn find(self, plan: &'m MessagePlan) -> Option<&'m FieldPlan> {
        match self.field {
            Some(field) => Some(field),
            None => plan.numbers.get(self.tag >> 3).and_then(|index| plan.fields.get(index)),
        }
    }
}

/// The fields of an open message, as serde's map access: handed on by value, so that it can be taken apart.
pub(super) struct Fields<'a, 'm, 'de, 'p, S: Source<'de>> {
    pub(super) decoder: &'a mut Decoder<'p, S>,
    pub(super) plan: &'m MessagePlan,
    message: &'a mut S::Message,
    /// The last field was read.
    ended: &'a mut bool,
    /// What glances find: nothing where the derive does not tell the truth.
    tags: &'m TagTable,
    glances: bool,
    ends: bool,
    told: bool,
    pub(super) front: S::Front,
    at: At<'m>,
    /// The members that came and are single messages, as bits: one that comes again takes no memory again.
    merged: u64,
    /// The fields that are variants, likewise.
    merged_variants: u64,
}

/// A message that was entered at a glance: its plan, itself, and its front.
type Entered<'de, 'p, S> = (&'p MessagePlan, <S as Source<'de>>::Message, <S as Source<'de>>::Front);

impl<'m, 'de, 'p, S: Source<'de>> Fields<'_, 'm, 'de, 'p, S> {
    /// Enters the message at hand, where it takes no more than a glance: its plan, and its front.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn enter_at(&mut self, member: u16, inside: bool) -> Result<Option<Entered<'de, 'p, S>>> {
        let Some(MemberPlan { sub, .. }) = self.plan.members.get(usize::from(member)) else {
            return Ok(None);
        };
        let plan = &self.decoder.set.messages[*sub as usize];
        if !plan.merges {
            return Ok(None);
        }
        let mut after = self.front;
        let Some((message, front)) = S::glance_message(&mut after, plan) else { return Ok(None) };
        // What a message took that came before is given back, for it will be taken again.
        if !inside && came(&mut self.merged, member) {
            self.decoder.memory += u64::from(plan.size);
        }
        if let Err(error) = self.decoder.enter(plan) {
            self.decoder.source.lead(&self.front);
            return Err(self.decoder.source.locate(error));
        }
        self.front = after;
        Ok(Some((plan, message, front)))
    }

    /// Goes to the member with this tag, where it is the one that comes next.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn expect(&mut self, head: Head) -> bool {
        let follows = head.tag_len > 0 && S::glance_at(&mut self.front, head.tag_bytes, head.tag_len);
        if follows {
            self.at = At::glanced(head.tag());
        }
        follows
    }

    /// The next member, where it takes more than a glance at one byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn look(&mut self) -> Result<Option<u16>> {
        if self.told
            && let Some(glanced) = S::glance_wide(self.front, self.tags)
        {
            S::pass(&mut self.front, 2);
            self.at = At::glanced(glanced.tag());
            return Ok(Some(glanced.member()));
        }
        if self.glances
            && !self.told
            && let Some(glanced) = S::glance_tag(self.front, self.plan)
        {
            S::pass(&mut self.front, if glanced.tag() < 0x80 { 1 } else { 2 });
            self.decoder.source.set_tag(glanced.tag());
            self.at = At { field: At::glanced(glanced.tag()).find(self.plan), tag: 0 };
            return Ok(Some(glanced.member()));
        }
        self.decoder.source.lead(&self.front);
        let next = next_field(self.decoder, self.message, self.plan)?;
        self.decoder.source.follow(&mut self.front);
        Ok(match next {
            Next::Field(index) => {
                let field = &self.plan.fields[index];
                self.at = At::field(field);
                Some(field.route.member)
            }
            Next::Unknown => {
                self.at = At::UNKNOWN;
                Some(self.plan.unknown.unwrap_or(u16::MAX))
            }
            Next::End => {
                *self.ended = true;
                None
            }
        })
    }

    /// The field at hand, and the input led to its value; none for unknown fields.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn arrive(&mut self, at: At<'m>, inside: bool) -> Result<Option<(&'m FieldPlan, Place<'m>)>> {
        let Some(field) = at.find(self.plan) else {
            return if at.tag == At::UNKNOWN.tag { Ok(None) } else { Err(no_key()) };
        };
        if at.is_glanced() {
            self.decoder.source.set_tag(at.tag);
        }
        if field.single_message && !inside {
            let again = match field.route.variant {
                Route::NO_VARIANT => came(&mut self.merged, field.route.member),
                _ => came(&mut self.merged_variants, field.index),
            };
            if again {
                self.decoder.memory += u64::from(self.decoder.set.messages[field.sub as usize].size);
            }
        }
        self.decoder.source.lead(&self.front);
        Ok(Some((field, if inside { Place::Inside } else { Place::OfMessage(self.plan) })))
    }
}

/// Notes that a message came; true where it was noted before.
#[cfg_attr(not(debug_assertions), inline(always))]
fn came(messages: &mut u64, index: u16) -> bool {
    let bit = 1u64.checked_shl(index.into()).unwrap_or(0);
    let again = *messages & bit != 0;
    *messages |= bit;
    again
}

#[cold]
fn no_key() -> Error {
    Error::ty("a value was asked for without its key")
}

// Out of line: once per format, not once per type.
#[inline(never)]
fn next_field<'de, S: Source<'de>>(
    decoder: &mut Decoder<'_, S>,
    message: &mut S::Message,
    plan: &MessagePlan,
) -> Result<Next> {
    decoder.source.next_field(decoder.cx(), message, plan)
}

impl<'de, S: Source<'de>> MapAccess<'de> for Fields<'_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let byte = S::glance(self.front);
        let member = match byte.and_then(|tag| self.tags.member(tag)) {
            Some(member) => {
                S::pass(&mut self.front, 1);
                self.at = At::glanced(byte.unwrap_or_default().into());
                member
            }
            None if self.ends && byte.is_none() => {
                self.decoder.source.lead(&self.front);
                *self.ended = true;
                return Ok(None);
            }
            None => match self.look()? {
                Some(member) => member,
                None => return Ok(None),
            },
        };
        seed.deserialize(Identifier::Index(u32::from(member))).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let at = std::mem::replace(&mut self.at, At::NOTHING);
        match seed.deserialize(MemberDeserializer::new(&mut *self, at)) {
            Ok(value) => Ok(value),
            Err(error) => Err(fail(self.decoder, self.plan, at, error)),
        }
    }
}

#[cold]
#[inline(never)]
fn fail<'de, S: Source<'de>>(
    decoder: &Decoder<'_, S>,
    plan: &MessagePlan,
    at: At<'_>,
    error: Error,
) -> Error {
    match at.find(plan) {
        Some(field) => decoder.source.locate(error.in_field(&field.name)),
        None => error,
    }
}
