//! A map field as a map.

use super::Decoder;
use super::absent::Absent;
use super::source::Source;
use super::value::{Place, ValueDeserializer};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MapPlan};
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};

/// Hands the entries of the map at hand to the visitor.
#[inline(always)]
pub(super) fn read<'de, S: Source<'de>, V: Visitor<'de>>(
    decoder: &mut Decoder<'_, S>,
    field: &FieldPlan,
    visitor: V,
) -> Result<V::Value> {
    let plan = &decoder.set.maps[field.sub as usize];
    let map = decoder.source.open_map();
    let mut entries = Entries { decoder, field, plan, map };
    let value = visitor.visit_map(&mut entries)?;
    while entries.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
    Ok(value)
}

struct Entries<'a, 'm, 'de, 'p, S: Source<'de>> {
    decoder: &'a mut Decoder<'p, S>,
    field: &'m FieldPlan,
    plan: &'p MapPlan,
    map: S::Map,
}

impl<'de, S: Source<'de>> Entries<'_, '_, 'de, '_, S> {
    #[cold]
    fn in_entry(&self, error: Error) -> Error {
        let key = self.decoder.source.describe_key(&self.map, &self.plan.key);
        self.decoder.source.locate(error.in_key(key))
    }
}

impl<'de, S: Source<'de>> MapAccess<'de> for Entries<'_, '_, 'de, '_, S> {
    type Error = Error;

    #[inline(always)]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let cx = self.decoder.cx();
        if !self.decoder.source.next_entry(cx, &mut self.map, self.field, self.plan)? {
            return Ok(None);
        }
        let key = ValueDeserializer { decoder: self.decoder, field: &self.plan.key, place: Place::Key };
        match seed.deserialize(key) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(self.in_entry(error)),
        }
    }

    #[inline(always)]
    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let field = &self.plan.value;
        let read = match self.decoder.source.entry_value(&mut self.map, self.plan) {
            true => {
                seed.deserialize(ValueDeserializer { decoder: self.decoder, field, place: Place::Inside })
            }
            false => seed.deserialize(Absent { decoder: self.decoder, field, optional: false }),
        };
        match read {
            Ok(value) => {
                self.decoder.source.end_entry(&mut self.map);
                Ok(value)
            }
            Err(error) => Err(self.in_entry(error)),
        }
    }
}
