//! A map field as a map.

use super::absent::Absent;
use super::glance::{Glance, glance_methods};
use super::source::{At, Source};
use super::value::{Place, ValueDeserializer};
use super::{Decoder, ask};
use crate::error::{Error, Result};
use crate::methods::deserializer_methods;
use crate::plan::{FieldPlan, Kind, MapPlan};
use ask::by_plan;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

/// Hands the entries of the map at hand to the visitor.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    field: &FieldPlan,
    visitor: V,
) -> Result<V::Value> {
    let plan = &decoder.set.maps[field.sub as usize];
    if let Some(front) = decoder.source.glance_map() {
        let mut state = State { front, started: false, entry: None, open: None, done: false };
        return match visitor.visit_map(Glanced { decoder, field, plan, state: &mut state }) {
            Ok(value) if state.done => Ok(value),
            Ok(value) => rest_apart(decoder, field, plan, state).map(|()| value),
            Err(error) => {
                lead_apart(decoder, plan, state);
                Err(error)
            }
        };
    }
    let mut open = Open::new(decoder);
    let value = visitor.visit_map(Entries { decoder, field, plan, open: &mut open })?;
    let mut rest = Entries { decoder, field, plan, open: &mut open };
    while !rest.open.done && rest.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(value)
}

/// A map that was entered.
struct Open<M> {
    map: M,
    done: bool,
    /// A key was read, and its value was not.
    at_value: bool,
}

impl<M> Open<M> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new<'de, S: Source<'de, Map = M>>(decoder: &mut Decoder<'_, S>) -> Self {
        Open { map: decoder.source.open_map(), done: false, at_value: false }
    }
}

struct Entries<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    field: &'m FieldPlan,
    plan: &'p MapPlan,
    open: &'a mut Open<S::Map>,
}

impl<'de, S: Source<'de>> Entries<'_, '_, 'de, '_, S> {
    #[cold]
    fn in_entry(&self, error: Error) -> Error {
        let key = self.decoder.source.describe_key(&self.open.map, &self.plan.key);
        self.decoder.source.locate(error.in_key(key))
    }
}

impl<'de, S: Source<'de>> MapAccess<'de> for Entries<'_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if std::mem::take(&mut self.open.at_value) {
            self.decoder.source.end_entry(&mut self.open.map);
        }
        let cx = self.decoder.cx();
        if !self.decoder.source.next_entry(cx, &mut self.open.map, self.field, self.plan)? {
            self.open.done = true;
            return Ok(None);
        }
        self.open.at_value = true;
        let key = ValueDeserializer { decoder: self.decoder, field: &self.plan.key, place: Place::Key };
        match seed.deserialize(key) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(self.in_entry(error)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        self.decoder.source.map_hint(&self.open.map, self.field)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        if !std::mem::take(&mut self.open.at_value) {
            return Err(no_key());
        }
        let field = &self.plan.value;
        let read = match self.decoder.source.entry_value(&mut self.open.map, self.plan) {
            true => {
                seed.deserialize(ValueDeserializer { decoder: self.decoder, field, place: Place::Inside })
            }
            false => seed.deserialize(Absent { decoder: self.decoder, field, optional: false }),
        };
        match read {
            Ok(value) => {
                self.decoder.source.end_entry(&mut self.open.map);
                Ok(value)
            }
            Err(error) => Err(self.in_entry(error)),
        }
    }
}

#[cold]
fn no_key() -> Error {
    Error::ty("a value was asked for without its key")
}

/// Entries that are read at a glance, one after the other from a front that stays in registers. From the first on that
/// takes more than a glance they are read as [`Entries`], out of line: which is given the parts.
struct Glanced<'f, 'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    field: &'m FieldPlan,
    plan: &'p MapPlan,
    state: &'f mut State<'de, S>,
}

struct State<'de, S: Source<'de>> {
    /// After the entry at hand.
    front: S::Front,
    /// An entry was read.
    started: bool,
    /// The entry at hand, and its value: the key was read, and the value was not.
    entry: Option<(S::Front, S::Front)>,
    /// The map, where it is no longer read at a glance.
    open: Option<Box<Open<S::Map>>>,
    done: bool,
}

impl<'de, S: Source<'de>> MapAccess<'de> for Glanced<'_, '_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let Glanced { decoder, field, plan, state } = self;
        state.entry = None;
        if state.open.is_none() {
            if state.started && !S::glance_further(&mut state.front, field) {
                decoder.source.lead(&state.front);
                state.done = true;
                return Ok(None);
            }
            state.started = true;
            let entry = state.front;
            if let Some((key, value)) = S::glance_entry(&mut state.front, decoder.cx(), plan) {
                state.entry = Some((entry, value));
                let mut read = false;
                let part = Part { decoder, plan, entry, is_value: false, front: key, read: &mut read };
                return match seed.deserialize(part) {
                    Ok(key) => Ok(Some(key)),
                    Err(error) => Err(in_entry(decoder, plan, entry, false, read, error)),
                };
            }
        }
        let (open, key) = key_apart(decoder, field, plan, state.front, state.open.take(), seed);
        state.done = open.done;
        state.open = Some(open);
        key
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        match self.state.started {
            false => Some(S::glance_count(self.state.front, self.field.tag_bytes, self.field.tag_len)),
            true => None,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let Glanced { decoder, field, plan, state } = self;
        if let Some((entry, value)) = state.entry.take() {
            let mut read = false;
            let part = Part { decoder, plan, entry, is_value: true, front: value, read: &mut read };
            return match seed.deserialize(part) {
                Ok(value) => Ok(value),
                Err(error) => Err(in_entry(decoder, plan, entry, true, read, error)),
            };
        }
        let Some(open) = state.open.take() else { return Err(no_key()) };
        let (open, value) = value_apart(decoder, field, plan, open, seed);
        state.open = Some(open);
        value
    }
}

/// A map that was entered, and what was read of it: who does not mind an error may go on after it.
type Read<M, T> = (Box<Open<M>>, Result<T>);

/// The next key, where it takes more than a glance.
#[inline(never)]
fn key_apart<'de, 'p, S: Source<'de>, K: DeserializeSeed<'de>>(
    decoder: &mut Decoder<'p, S>,
    field: &FieldPlan,
    plan: &'p MapPlan,
    front: S::Front,
    open: Option<Box<Open<S::Map>>>,
    seed: K,
) -> Read<S::Map, Option<K::Value>> {
    let mut open = open.unwrap_or_else(|| {
        // The tag of the entry at hand was read.
        decoder.source.lead(&front);
        Box::new(Open::new(decoder))
    });
    let key = Entries { decoder, field, plan, open: &mut open }.next_key_seed(seed);
    (open, key)
}

/// The value of the entry whose key was read so.
#[inline(never)]
fn value_apart<'de, 'p, S: Source<'de>, T: DeserializeSeed<'de>>(
    decoder: &mut Decoder<'p, S>,
    field: &FieldPlan,
    plan: &'p MapPlan,
    mut open: Box<Open<S::Map>>,
    seed: T,
) -> Read<S::Map, T::Value> {
    let value = Entries { decoder, field, plan, open: &mut open }.next_value_seed(seed);
    (open, value)
}

/// Passes over what a visitor did not ask for.
#[cold]
#[inline(never)]
fn rest_apart<'de, 'p, S: Source<'de>>(
    decoder: &mut Decoder<'p, S>,
    field: &FieldPlan,
    plan: &'p MapPlan,
    mut state: State<'de, S>,
) -> Result<()> {
    let mut rest = Glanced { decoder, field, plan, state: &mut state };
    while rest.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(())
}

/// Puts the input to where a visitor has read, which then had an error of its own.
#[cold]
#[inline(never)]
fn lead_apart<'de, S: Source<'de>>(decoder: &mut Decoder<'_, S>, plan: &MapPlan, state: State<'de, S>) {
    match (state.open, state.entry) {
        (Some(_), _) => {}
        (None, Some((entry, _))) => decoder.source.lead_into(entry, decoder.cx(), plan, At::AfterKey),
        (None, None) => decoder.source.lead(&state.front),
    }
}

/// Says of an error of a key or a value, which was read or not, in which entry it is.
#[cold]
#[inline(never)]
fn in_entry<'de, S: Source<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MapPlan,
    entry: S::Front,
    is_value: bool,
    read: bool,
    error: Error,
) -> Error {
    let cx = decoder.cx();
    match (is_value, read) {
        (false, true) => decoder.source.lead_into(entry, cx, plan, At::AfterKey),
        (true, true) => decoder.source.lead_into(entry, cx, plan, At::AfterValue),
        // Where it was read by its plan, the input stands where that came to.
        (false, false) => decoder.source.lead_into(entry, cx, plan, At::InKey),
        (true, false) => decoder.source.lead_into(entry, cx, plan, At::InValue),
    }
    let key = decoder.source.glance_key(entry, cx, plan);
    decoder.source.locate(error.in_key(key))
}

/// The key or the value of an entry that was seen at a glance.
struct Part<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    plan: &'m MapPlan,
    entry: S::Front,
    is_value: bool,
    /// Over the key or the value alone.
    front: S::Front,
    /// A glance saw it.
    read: &'a mut bool,
}

impl<'de, S: Source<'de>> Glance<'de, S> for Part<'_, '_, 'de, '_, S> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is(&self, kind: Kind) -> bool {
        kind == if self.is_value { self.plan.value.kind } else { self.plan.key.kind }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn front(&mut self) -> &mut S::Front {
        &mut self.front
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part(&mut self) -> Option<&'de [u8]> {
        S::glance_all(&mut self.front)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value> {
        part_apart(self.decoder, self.plan, self.entry, self.is_value, seed)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn done<T>(self, made: Result<T>) -> Result<T> {
        match made {
            Ok(_) => *self.read = true,
            Err(_) => self.decoder.source.lead(&self.front),
        }
        made
    }
}

/// Reads a key or a value by its plan.
#[inline(never)]
fn part_apart<'de, S: Source<'de>, T: DeserializeSeed<'de>>(
    decoder: &mut Decoder<'_, S>,
    plan: &MapPlan,
    entry: S::Front,
    is_value: bool,
    seed: T,
) -> Result<T::Value> {
    let (field, place, at) = match is_value {
        true => (&plan.value, Place::Inside, At::Value),
        false => (&plan.key, Place::Key, At::Key),
    };
    decoder.source.lead_into(entry, decoder.cx(), plan, at);
    seed.deserialize(ValueDeserializer { decoder, field, place })
}

impl<'de, S: Source<'de>> Deserializer<'de> for Part<'_, '_, 'de, '_, S> {
    glance_methods!();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    deserializer_methods!(by_plan! rare);
    by_plan! {
        deserialize_any();
        deserialize_seq();
        deserialize_struct(name: &'static str, members: &'static [&'static str]);
    }
}
