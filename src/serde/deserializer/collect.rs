//! A repeated field as a sequence, a map field as a map.

use super::value::ValueDeserializer;
use crate::error::{Error, Result};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};

/// Hands out the elements of a list.
pub(super) fn list<'de, V: Visitor<'de>>(
    value: ValueDeserializer<'_, 'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    visitor.visit_seq(Elements { value, index: 0 })
}

struct Elements<'a, 'de, 'b> {
    value: ValueDeserializer<'a, 'de, 'b>,
    index: usize,
}

impl<'de> SeqAccess<'de> for Elements<'_, 'de, '_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let (list, index) = (self.value.held, self.index);
        if index == list.len() {
            return Ok(None);
        }
        self.index += 1;
        self.value.budget.take(size_of::<T::Value>())?;
        let element = ValueDeserializer { held: list.element(index), inside: true, ..self.value };
        seed.deserialize(element).map(Some).map_err(|error| error.in_index(index))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.value.held.len() - self.index)
    }
}

/// Hands out the entries of a map.
pub(super) fn map<'de, V: Visitor<'de>>(
    value: ValueDeserializer<'_, 'de, '_>,
    visitor: V,
) -> Result<V::Value> {
    let (entry, left) = (value.held.first_entry(), value.held.entries());
    visitor.visit_map(Entries { value, next: entry, at: 0, left })
}

struct Entries<'a, 'de, 'b> {
    value: ValueDeserializer<'a, 'de, 'b>,
    /// The next entry, and the one whose value comes next.
    next: u32,
    at: u32,
    left: usize,
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
        self.value.budget.take(size_of::<K::Value>() + 16)?;
        let (key, _) = map.entry(self.at);
        let read = ValueDeserializer { held: key, inside: true, ..self.value };
        seed.deserialize(read).map(Some).map_err(|error| error.in_key(key.key_text()))
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value> {
        let at = std::mem::take(&mut self.at);
        if at == 0 {
            return Err(Error::ty("a value was asked for without its key"));
        }
        self.value.budget.take(size_of::<T::Value>())?;
        let (key, value) = self.value.held.entry(at);
        let read = ValueDeserializer { held: value, inside: true, ..self.value };
        seed.deserialize(read).map_err(|error| error.in_key(key.key_text()))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}
