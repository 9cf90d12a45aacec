//! A map field as a map.

use super::Decoder;
use super::absent::Absent;
use super::source::Source;
use super::value::{Place, ValueDeserializer};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MapPlan};
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};

/// Hands the entries of the map at hand to the visitor.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    field: &FieldPlan,
    visitor: V,
) -> Result<V::Value> {
    let plan = &decoder.set.maps[field.sub as usize];
    let map = decoder.source.open_map();
    let mut entries = Entries { decoder, field, plan, map, done: false, at_value: false };
    let value = visitor.visit_map(Access(&mut entries))?;
    let mut rest = Access(&mut entries);
    while !rest.0.done && rest.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(value)
}

struct Entries<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    field: &'m FieldPlan,
    plan: &'p MapPlan,
    map: S::Map,
    done: bool,
    /// A key was read, and its value was not.
    at_value: bool,
}

impl<'de, S: Source<'de>> Entries<'_, '_, 'de, '_, S> {
    #[cold]
    fn in_entry(&self, error: Error) -> Error {
        let key = self.decoder.source.describe_key(&self.map, &self.plan.key);
        self.decoder.source.locate(error.in_key(key))
    }
}

/// The entries by reference: serde's own impl for references is not inlined.
struct Access<'f, 'a, 'm, 'de, 'p, S: Source<'de>>(&'f mut Entries<'a, 'm, 'de, 'p, S>);

impl<'de, S: Source<'de>> MapAccess<'de> for Access<'_, '_, '_, 'de, '_, S> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if std::mem::take(&mut self.0.at_value) {
            self.0.decoder.source.end_entry(&mut self.0.map);
        }
        let cx = self.0.decoder.cx();
        if !self.0.decoder.source.next_entry(cx, &mut self.0.map, self.0.field, self.0.plan)? {
            self.0.done = true;
            return Ok(None);
        }
        self.0.at_value = true;
        let key = ValueDeserializer { decoder: self.0.decoder, field: &self.0.plan.key, place: Place::Key };
        match seed.deserialize(key) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(self.0.in_entry(error)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        self.0.decoder.source.map_hint(&self.0.map, self.0.field)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        if !std::mem::take(&mut self.0.at_value) {
            return Err(Error::ty("a value was asked for without its key"));
        }
        let field = &self.0.plan.value;
        let read = match self.0.decoder.source.entry_value(&mut self.0.map, self.0.plan) {
            true => {
                seed.deserialize(ValueDeserializer { decoder: self.0.decoder, field, place: Place::Inside })
            }
            false => seed.deserialize(Absent { decoder: self.0.decoder, field, optional: false }),
        };
        match read {
            Ok(value) => {
                self.0.decoder.source.end_entry(&mut self.0.map);
                Ok(value)
            }
            Err(error) => Err(self.0.in_entry(error)),
        }
    }
}
