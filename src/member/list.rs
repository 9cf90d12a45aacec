//! Lists of members.

use super::{Emit, Emitted, Member, Merge, is_large};
use crate::shape::TypeShape;
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserializer, Serializer};
use std::fmt;

impl<T: Member> Member for Vec<T> {
    const TYPE: TypeShape = TypeShape::List(&T::TYPE);
}

impl<T: Emit + Member> Emit for Vec<T> {
    // Out of line: once per type of element, not once per field.
    #[inline(never)]
    fn emit<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.len()))?;
        for element in self {
            seq.serialize_element(&Emitted(element))?;
        }
        seq.end()
    }
}

impl<'de, T: Merge<'de> + Member> Merge<'de> for Vec<T> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        Vec::new()
    }

    // Out of line: once per type of element, not once per field.
    #[inline(never)]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        T::merge_list(self, deserializer)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        Vec::clear(self);
    }
}

/// Adds the elements of a sequence to a vector.
pub(super) struct Extend<'a, T>(pub(super) &'a mut Vec<T>);

impl<'de, T: Merge<'de>> Visitor<'de> for Extend<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        if let Some(hint) = seq.size_hint() {
            // A hint of a foreign format may be a lie: it is believed up to a megabyte.
            self.0.reserve(hint.min((1 << 20) / size_of::<T>().max(1)));
        }
        while seq.next_element_seed(Push(&mut *self.0))?.is_some() {}
        Ok(())
    }
}

/// Adds one element to a vector and reads it where it stands.
struct Push<'a, T>(&'a mut Vec<T>);

impl<'de, T: Merge<'de>> DeserializeSeed<'de> for Push<'_, T> {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if size_of::<T>() <= 32 {
            let mut element = T::empty();
            element.merge(deserializer)?;
            self.0.push(element);
            return Ok(());
        }
        if is_large::<T>() {
            return push_empty(self.0).merge(deserializer);
        }
        // An element of some size is read where it stands, not moved there.
        self.0.push(T::empty());
        match self.0.last_mut() {
            Some(element) => element.merge(deserializer),
            None => Ok(()),
        }
    }
}

/// Out of line, so that the element passes through no frame that stays open while it is read.
#[inline(never)]
fn push_empty<'a, 'de, T: Merge<'de>>(list: &'a mut Vec<T>) -> &'a mut T {
    let index = list.len();
    list.push(T::empty());
    &mut list[index]
}
