//! A message as a struct, or as a map from names.

use super::absent::{Absent, AbsentOneof};
use super::key::Identifier;
use super::merged::{self, Came};
use super::source::{Next, Source};
use super::value::{Place, ValueDeserializer};
use super::{Decoder, forward, told};
use crate::error::{Error, Result};
use crate::plan::{Binding, FieldPlan, MemberPlan, MemberRole, MessagePlan, Route, mark_in};
use serde::de::value::{BorrowedBytesDeserializer, BytesDeserializer};
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
        let visitor = match mark_in(name) {
            Some(mark) if S::GLANCES && self.plan.glances(mark) => {
                match told::read_root(self.decoder, self.plan, visitor) {
                    Ok(read) => return read,
                    Err(visitor) => visitor,
                }
            }
            _ => visitor,
        };
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

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value> {
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
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    field: Option<&FieldPlan>,
    target: As,
    visitor: V,
) -> Result<V::Value> {
    if let As::Struct(name, _) = target
        && let Some(mark) = mark_in(name)
    {
        // A format that is read at a glance has one slow way for all types; others have a fast one for those that merge.
        if S::GLANCES {
            if let Some(field) = field
                && plan.glances(mark)
                && decoder.source.glances(field)
            {
                return told::read(decoder, plan, field, visitor);
            }
        } else if plan.merges {
            return merged::read(decoder, plan, field, visitor);
        }
    }
    match target {
        As::Struct(name, members) => read_checked(decoder, plan, field, Some(name), members, visitor),
        As::Map => read_checked(decoder, plan, field, None, &[], visitor),
    }
}

/// The same, for a type that takes each member once, or with members that must come; a map has no name.
#[inline(never)]
fn read_checked<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    field: Option<&FieldPlan>,
    name: Option<&'static str>,
    members: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    let (routes, members): (&[Route], Members<'_>) = match name {
        Some(name) if plan.bound => (
            &plan.routes,
            if mark_in(name).is_some() { Members::Merged } else { Members::Bound(&plan.members) },
        ),
        Some(name) => {
            let binding = plan.binding(members);
            (&binding.routes, if mark_in(name).is_some() { Members::Merged } else { Members::Named(binding) })
        }
        None => (&plan.routes, Members::Fields),
    };
    let stack = members.stack(plan);
    if let Err(error) = decoder.enter(plan).and_then(|()| decoder.push(stack)) {
        return Err(decoder.source.locate(error));
    }
    let outer = decoder.source.outer();
    let message = decoder.source.open_message(decoder.cx(), field, plan, routes)?;
    let grouped = decoder.source.is_grouped(&message);
    let missing =
        if plan.required.is_empty() || decoder.partial { Vec::new() } else { plan.required.to_vec() };
    let mut fields = Fields {
        decoder,
        plan,
        routes,
        members,
        message,
        outer,
        at: At::Nothing,
        stage: Stage::Fields,
        route: Route::SKIP,
        grouped,
        seen: Seen::default(),
        came: Came::default(),
        missing,
        stack,
        unknown: Vec::new(),
    };
    let value = visitor.visit_map(&mut fields)?;
    fields.finish()?;
    Ok(value)
}

/// Hands the members of a message that did not come to the visitor.
pub(super) fn read_absent<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    name: &'static str,
    members: &'static [&'static str],
    visitor: V,
) -> Result<V::Value> {
    let members = match mark_in(name).is_some() {
        true => Members::Merged,
        false if plan.bound => Members::Bound(&plan.members),
        false => Members::Named(plan.binding(members)),
    };
    decoder.enter(plan)?;
    let stack = members.stack(plan);
    decoder.push(stack)?;
    let value = visitor.visit_map(AbsentMembers { decoder, plan, members, next: 0, at: None })?;
    decoder.pop(stack);
    decoder.leave();
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

/// The members that a message goes to.
#[derive(Clone, Copy)]
enum Members<'m> {
    /// Of a struct with tobu's own derive: called by index, merged into as often as they come, empty beforehand.
    Merged,
    /// Of a bound struct with another derive: called by index, each once.
    Bound(&'m [MemberPlan]),
    /// Of a struct that only serde knows: called by the names that it gave, each once.
    Named(&'m Binding),
    /// The fields themselves, called by their proto names, each once.
    Fields,
}

impl<'m> Members<'m> {
    #[inline]
    fn identifier(self, member: u16, plan: &'m MessagePlan) -> Identifier<'m> {
        match self {
            Members::Merged | Members::Bound(_) => Identifier::Index(u32::from(member)),
            Members::Named(binding) => {
                Identifier::Name(binding.members.get(usize::from(member)).copied().unwrap_or_default())
            }
            Members::Fields => Identifier::Name(&plan.fields[usize::from(member)].name),
        }
    }

    /// The bytes that the struct takes on the stack while its members are read; an estimate where nothing is bound.
    #[inline]
    fn stack(self, plan: &MessagePlan) -> u32 {
        match self {
            Members::Merged | Members::Fields => 0,
            Members::Bound(_) => plan.size,
            Members::Named(binding) => 24 * binding.members.len() as u32,
        }
    }

    /// What a member stands for; none past the last, and none for those that need not be told.
    fn role(self, member: u16) -> Option<Option<MemberRole>> {
        match self {
            Members::Bound(members) => members.get(usize::from(member)).map(|member| Some(member.role)),
            Members::Named(binding) => binding.roles.get(usize::from(member)).copied(),
            Members::Merged | Members::Fields => None,
        }
    }

    /// The first member from `next` on that `seen` does not have.
    fn absent(self, next: u16, seen: &Seen) -> Option<(u16, MemberRole)> {
        let mut member = next;
        while let Some(role) = self.role(member) {
            if let Some(role) = role
                && !seen.has(member)
            {
                return Some((member, role));
            }
            member += 1;
        }
        None
    }
}

/// Where a message stands.
enum At<'de> {
    Nothing,
    /// At the value of a field.
    Field(usize),
    /// At the bytes of unknown fields.
    Unknown(Cow<'de, [u8]>),
    /// At a member that did not come.
    Absent(MemberRole),
}

/// What of a message is being delivered.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Fields,
    /// The members from this on that did not come.
    Absent(u16),
}

/// The members that were delivered.
#[derive(Default)]
struct Seen {
    low: u64,
    high: Vec<u64>,
}

impl Seen {
    /// Notes a member; false when it was noted before.
    #[inline]
    fn note(&mut self, member: u16) -> bool {
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

    fn has(&self, member: u16) -> bool {
        let word = match (usize::from(member) / 64).checked_sub(1) {
            None => self.low,
            Some(high) => self.high.get(high).copied().unwrap_or(0),
        };
        word & 1u64 << (member % 64) != 0
    }
}

/// The members of an open message, as serde's map access.
struct Fields<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    plan: &'m MessagePlan,
    routes: &'m [Route],
    members: Members<'m>,
    message: S::Message,
    outer: S::Outer,
    at: At<'de>,
    stage: Stage,
    route: Route,
    grouped: bool,
    seen: Seen,
    /// Of the members that are merged into.
    came: Came,
    /// Required fields that did not come yet.
    missing: Vec<u16>,
    /// What the struct takes on the stack.
    stack: u32,
    /// Unknown fields, for a type that takes them only once.
    unknown: Vec<u8>,
}

impl<'m, 'de, S: Source<'de>> Fields<'_, 'm, 'de, '_, S> {
    /// Goes to the next member and gives its index.
    #[inline]
    fn advance(&mut self) -> Result<Option<u16>> {
        loop {
            if let Stage::Absent(next) = self.stage {
                return Ok(self.next_absent(next));
            }
            let cx = self.decoder.cx();
            match self.decoder.source.next_field(cx, &mut self.message, self.plan)? {
                Next::Field(index) => {
                    // In ascending order, as the plan has them.
                    if let Ok(at) = self.missing.binary_search(&(index as u16)) {
                        self.missing.remove(at);
                    }
                    self.route = self.routes[index];
                    let field = &self.plan.fields[index];
                    if self.route.variant == Route::NO_VARIANT && field.oneof.is_some() && self.voids(index) {
                        return Err(Error::regroup());
                    }
                    if self.route == Route::SKIP {
                        self.decoder.source.skip_value(cx, field)?;
                        continue;
                    }
                    let again =
                        !matches!(self.members, Members::Merged) && !self.seen.note(self.route.member);
                    if again && !self.grouped {
                        return Err(Error::regroup());
                    }
                    self.at = At::Field(index);
                    return Ok(Some(self.route.member));
                }
                Next::Unknown => {
                    let fields = self.decoder.source.unknown();
                    if matches!(self.members, Members::Merged) {
                        self.at = At::Unknown(fields);
                        return Ok(self.plan.unknown);
                    }
                    self.unknown.extend_from_slice(&fields);
                }
                Next::End => {
                    if !self.missing.is_empty() {
                        return Err(self.required());
                    }
                    self.stage = Stage::Absent(0);
                }
            }
        }
    }

    /// True when the field is of a oneof whose fields are members of their own, one of which was delivered: that one
    /// does not count any more, which only grouping shows.
    #[cold]
    fn voids(&self, index: usize) -> bool {
        let oneof = self.plan.fields[index].oneof.and_then(|oneof| self.plan.oneofs.get(usize::from(oneof)));
        let mut others = oneof.iter().flat_map(|oneof| &oneof.fields).map(|&other| usize::from(other));
        !self.grouped && others.any(|other| other != index && self.seen.has(self.routes[other].member))
    }

    /// Passes over what the visitor asked the key of, and not the value.
    #[cold]
    fn pass_over(&mut self) -> Result<()> {
        if let At::Field(index) = std::mem::replace(&mut self.at, At::Nothing) {
            self.decoder.source.skip_value(self.decoder.cx(), &self.plan.fields[index])?;
        }
        Ok(())
    }

    /// A member that did not come, for a type that must be told of it.
    #[inline]
    fn next_absent(&mut self, next: u16) -> Option<u16> {
        if matches!(self.members, Members::Merged | Members::Fields) {
            return None;
        }
        let (member, role) = self.members.absent(next, &self.seen)?;
        self.stage = Stage::Absent(member + 1);
        self.at = match role {
            MemberRole::Unknown => At::Unknown(Cow::Owned(std::mem::take(&mut self.unknown))),
            role => At::Absent(role),
        };
        Some(member)
    }

    /// A required field is missing, or is in another piece of the message, which only grouping shows.
    #[cold]
    fn required(&self) -> Error {
        if !self.grouped {
            return Error::regroup();
        }
        Error::required(&self.plan.fields[usize::from(self.missing[0])].name)
    }

    /// Reads what the visitor left, and leaves the message.
    #[inline]
    fn finish(mut self) -> Result<()> {
        while self.stage == Stage::Fields {
            self.pass_over()?;
            self.advance()?;
        }
        self.decoder.source.close_message(S::closed(&self.message), self.outer);
        self.decoder.pop(self.stack);
        self.decoder.leave();
        Ok(())
    }
}

impl<'de, S: Source<'de>> MapAccess<'de> for Fields<'_, '_, 'de, '_, S> {
    type Error = Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if !matches!(self.at, At::Nothing) {
            self.pass_over()?;
        }
        match self.advance()? {
            Some(member) => seed.deserialize(self.members.identifier(member, self.plan)).map(Some),
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        match std::mem::replace(&mut self.at, At::Nothing) {
            At::Field(index) => {
                let field = &self.plan.fields[index];
                let merged = matches!(self.members, Members::Merged);
                if merged && field.single_message && self.came.field(field, self.route) {
                    self.decoder.memory += u64::from(self.decoder.set.messages[field.sub as usize].size);
                }
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
            At::Unknown(Cow::Borrowed(fields)) => seed.deserialize(BorrowedBytesDeserializer::new(fields)),
            At::Unknown(Cow::Owned(fields)) => seed.deserialize(BytesDeserializer::new(&fields)),
            At::Absent(role) => absent_value(self.decoder, self.plan, role, seed),
            At::Nothing => Err(Error::ty("a value was asked for without its key")),
        }
    }
}

/// The members of a message that did not come, as serde's map access.
struct AbsentMembers<'a, 'm, 'p, S> {
    decoder: &'a mut Decoder<'p, S>,
    plan: &'m MessagePlan,
    members: Members<'m>,
    next: u16,
    at: Option<MemberRole>,
}

impl<'de, S: Source<'de>> MapAccess<'de> for AbsentMembers<'_, '_, '_, S> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Some((member, role)) = self.members.absent(self.next, &Seen::default()) else { return Ok(None) };
        (self.next, self.at) = (member + 1, Some(role));
        seed.deserialize(self.members.identifier(member, self.plan)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        absent_value(self.decoder, self.plan, self.at.unwrap_or(MemberRole::Unknown), seed)
    }
}

/// The value of a member that did not come.
#[cold]
fn absent_value<'de, S: Source<'de>, T: DeserializeSeed<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MessagePlan,
    role: MemberRole,
    seed: T,
) -> Result<T::Value> {
    match role {
        MemberRole::Field(index) => {
            let field = &plan.fields[usize::from(index)];
            seed.deserialize(Absent { decoder, field, optional: true })
                .map_err(|error| error.in_field(&field.name))
        }
        MemberRole::Oneof(index) => seed.deserialize(AbsentOneof(&plan.oneofs[usize::from(index)].name)),
        MemberRole::Unknown => seed.deserialize(BorrowedBytesDeserializer::new(&[])),
    }
}
