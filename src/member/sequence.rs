//! Structs from formats that have no keys: the members in their order.

use serde::de::value::U64Deserializer;
use serde::de::{DeserializeSeed, Error, IntoDeserializer, MapAccess, SeqAccess};

/// A sequence of all members of a struct, as a map from their indices.
pub struct InOrder<A> {
    seq: A,
    next: usize,
    len: usize,
    /// What is missing where the sequence ends early.
    expecting: &'static str,
}

impl<A> InOrder<A> {
    /// A sequence of `len` members.
    pub fn new(seq: A, len: usize, expecting: &'static str) -> Self {
        InOrder { seq, next: 0, len, expecting }
    }
}

impl<'de, A: SeqAccess<'de>> MapAccess<'de> for InOrder<A> {
    type Error = A::Error;

    #[inline]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        if self.next == self.len {
            return Ok(None);
        }
        let index: U64Deserializer<A::Error> = (self.next as u64).into_deserializer();
        self.next += 1;
        seed.deserialize(index).map(Some)
    }

    #[inline]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        match self.seq.next_element_seed(seed)? {
            Some(value) => Ok(value),
            None => Err(A::Error::invalid_length(self.next - 1, &self.expecting)),
        }
    }
}
