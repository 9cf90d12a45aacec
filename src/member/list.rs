//! Lists of members.

use super::{Emit, Emitted, Held, Many, Member, Merge, is_large};
use crate::shape::TypeShape;
use serde::de::{DeserializeSeed, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserializer, Serializer};
use std::fmt;

impl<T: Member> Member for Vec<T> {
    const TYPE: TypeShape = TypeShape::List(&T::TYPE);
}

impl<T: Emit + Member> Emit for Vec<T> {
    const HELD: Held = if matches!(T::MANY, Many::One) { T::HELD } else { Held::Other };
    const MANY: Many = Many::List;

    // Out of line: once per type of element, not once per field.
    #[inline(never)]
    fn emit<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if const { T::HELD.is_number() } {
            return serializer.collect_seq(self.iter().map(Emitted));
        }
        let mut seq = serializer.serialize_seq(Some(self.len()))?;
        for element in self {
            seq.serialize_element(&Emitted(element))?;
        }
        seq.end()
    }
}

impl<'de, T: Merge<'de> + Member> Merge<'de> for Vec<T> {
    const HELD: Held = if matches!(T::MANY, Many::One) { T::HELD } else { Held::Other };
    const MANY: Many = Many::List;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        Vec::new()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        T::merge_list(self, deserializer)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        Vec::clear(self);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refill<D: Deserializer<'de>>(&mut self, count: &mut u32, deserializer: D) -> Result<(), D::Error> {
        T::refill_list(self, count, deserializer)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, count: u32) {
        self.truncate(count as usize);
    }
}

/// Puts the elements of a sequence in the place of those of a vector.
pub(super) struct Refill<'a, T>(pub(super) &'a mut Vec<T>, pub(super) &'a mut u32);

impl<'de, T: Merge<'de>> Visitor<'de> for Refill<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a sequence")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(element) = self.0.get_mut(*self.1 as usize) {
            if seq.next_element_seed(RefillInto(element))?.is_none() {
                return Ok(());
            }
            *self.1 += 1;
        }
        let added = Extend(self.0).visit_seq(seq);
        *self.1 = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        added
    }
}

/// Reads a value in the place of another.
struct RefillInto<'a, T>(&'a mut T);

impl<'de, T: Merge<'de>> DeserializeSeed<'de> for RefillInto<'_, T> {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.refill(&mut 0, deserializer)
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
        let mut hint = seq.size_hint().unwrap_or(0);
        loop {
            if hint > 0 && self.0.len() == self.0.capacity() {
                hint -= make_room(self.0, hint);
            }
            if seq.next_element_seed(Push(&mut *self.0))?.is_none() {
                return Ok(());
            }
        }
    }
}

/// Makes room for elements of which a format says that they come, and tells for how many.
///
/// It may be a lie: it is believed up to a megabyte, or as much as there is already.
#[inline(never)]
pub(super) fn make_room<T>(list: &mut Vec<T>, hint: usize) -> usize {
    let most = (1 << 20) / size_of::<T>().max(1);
    let room = hint.min(most.max(list.len()));
    if list.capacity() == 0 {
        *list = Vec::with_capacity(room);
    } else {
        list.reserve_exact(room);
    }
    room
}

/// Adds one element to a vector and reads it where it stands.
struct Push<'a, T>(&'a mut Vec<T>);

impl<'de, T: Merge<'de>> DeserializeSeed<'de> for Push<'_, T> {
    type Value = ();

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        // What is told to the compiler as a constant is compiled only where it holds.
        if const { size_of::<T>() <= 32 } {
            let mut element = T::empty();
            element.merge(deserializer)?;
            self.0.push(element);
            return Ok(());
        }
        if const { is_large::<T>() } {
            return push_empty(self.0).merge(deserializer);
        }
        // An element of some size is read where it stands, not moved there.
        self.0.resize_with(self.0.len() + 1, T::empty);
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
    list.resize_with(index + 1, T::empty);
    &mut list[index]
}
