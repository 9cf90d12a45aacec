//! Deserializes a repeated field as a sequence, and a map field as a map.

use super::value::{ElementDeserializer, ValueDeserializer};
use super::{Budget, CapacityCharge};
use crate::error::{Error, Result};
use crate::object::arena::cells::Elements;
use serde::de::value::U8Deserializer;
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};

pub(super) fn list<'de, V: Visitor<'de>>(
    value: &ValueDeserializer<'_, 'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    let elements = value.held.elements();
    visitor.visit_seq(List { elements, index: 0, room: CapacityCharge::default(), value })
}

struct List<'l, 'a, 'de, 'b> {
    value: &'l ValueDeserializer<'a, 'de, 'b>,
    elements: Elements<'a>,
    index: usize,
    room: CapacityCharge,
}

impl<'de> SeqAccess<'de> for List<'_, '_, 'de, '_> {
    type Error = Error;

    #[inline]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(word) = self.elements.get(self.index) else { return Ok(None) };
        let index = self.index;
        self.index += 1;
        self.room.take(self.value.budget, index, size_of::<T::Value>())?;
        match seed.deserialize(ElementDeserializer { base: self.value, given: word }) {
            Ok(element) => Ok(Some(element)),
            Err(error) => Err(error.in_index(index)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.elements.len() - self.index)
    }
}

/// Deserializes bytes as a sequence of numbers.
pub(super) fn numbers<'de, V: Visitor<'de>>(bytes: &[u8], budget: &Budget, visitor: V) -> Result<V::Value> {
    visitor.visit_seq(Numbers { bytes, index: 0, budget, room: CapacityCharge::default() })
}

struct Numbers<'a> {
    bytes: &'a [u8],
    index: usize,
    budget: &'a Budget,
    room: CapacityCharge,
}

impl<'de> SeqAccess<'de> for Numbers<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let Some(&byte) = self.bytes.get(self.index) else { return Ok(None) };
        self.room.take(self.budget, self.index, size_of::<T::Value>())?;
        self.index += 1;
        let number: U8Deserializer<Error> = byte.into_deserializer();
        seed.deserialize(number).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.bytes.len() - self.index)
    }
}

pub(super) fn map<'de, V: Visitor<'de>>(
    value: ValueDeserializer<'_, 'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    let (entry, left) = (value.held.first_entry(), value.held.entries());
    let (keys, values) = (CapacityCharge::default(), CapacityCharge::default());
    visitor.visit_map(Entries { value, next: entry, at: 0, left, index: 0, keys, values })
}

struct Entries<'a, 'de, 'b> {
    value: ValueDeserializer<'a, 'de, 'b>,
    /// The next entry. `at` is the entry whose value comes next. Both are 0 if there is no such entry.
    next: u32,
    at: u32,
    left: usize,
    index: usize,
    keys: CapacityCharge,
    values: CapacityCharge,
}

impl<'de> MapAccess<'de> for Entries<'_, 'de, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        let map = self.value.held;
        if self.next == 0 {
            return Ok(None);
        }
        self.at = self.next;
        self.next = map.entry_after(self.at);
        self.left = self.left.saturating_sub(1);
        // For each entry, a map stores a hash and an index, too.
        self.keys.take(self.value.budget, self.index, size_of::<K::Value>() + 16)?;
        let (key, _) = map.entry(self.at);
        let read = ValueDeserializer { held: key, inside: true, ..self.value };
        seed.deserialize(read).map(Some).map_err(|error| error.in_key(key.key_text()))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let at = std::mem::take(&mut self.at);
        if at == 0 {
            return Err(Error::ty("a value was requested before its key"));
        }
        self.values.take(self.value.budget, self.index, size_of::<T::Value>())?;
        self.index += 1;
        let (key, value) = self.value.held.entry(at);
        let read =
            ValueDeserializer { held: value, inside: true, left: self.value.left.in_entry(), ..self.value };
        seed.deserialize(read).map_err(|error| error.in_key(key.key_text()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}
