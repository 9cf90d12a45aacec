//! Options and boxes of members.

use super::{Emit, Emitted, Held, Many, Member, Merge, is_large};
use crate::shape::TypeShape;
use serde::de::{Error, Visitor};
use serde::{Deserializer, Serializer};
use std::fmt;

impl<T: Member> Member for Option<T> {
    const TYPE: TypeShape = TypeShape::Option(&T::TYPE);
}

impl<T: Emit> Emit for Option<T> {
    const HELD: Held = if matches!(T::MANY, Many::One) { T::HELD } else { Held::Other };
    const MANY: Many = Many::Option;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn emit<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Some(value) => serializer.serialize_some(&Emitted(value)),
            None => serializer.serialize_none(),
        }
    }
}

impl<'de, T: Merge<'de>> Merge<'de> for Option<T> {
    const HELD: Held = if matches!(T::MANY, Many::One) { T::HELD } else { Held::Other };
    const MANY: Many = Many::Option;
    const KEEPS: bool = T::KEEPS;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        None
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(OptionVisitor(self))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        *self = None;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refill<D: Deserializer<'de>>(&mut self, count: &mut u32, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(RefillVisitor(self, count))
    }
}

struct RefillVisitor<'a, T>(&'a mut Option<T>, &'a mut u32);

impl<'de, T: Merge<'de>> Visitor<'de> for RefillVisitor<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an optional value")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.get_or_insert_with(T::empty).refill(self.1, deserializer)
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        *self.0 = None;
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.visit_none()
    }
}

struct OptionVisitor<'a, T>(&'a mut Option<T>);

impl<'de, T: Merge<'de>> Visitor<'de> for OptionVisitor<'_, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an optional value")
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.get_or_insert_with(T::empty).merge(deserializer)
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        *self.0 = None;
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.visit_none()
    }
}

impl<T: Member> Member for Box<T> {
    const TYPE: TypeShape = T::TYPE;
}

impl<T: Emit> Emit for Box<T> {
    const HELD: Held = T::HELD;
    const MANY: Many = T::MANY;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn emit<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        T::emit(self, serializer)
    }
}

impl<'de, T: Merge<'de>> Merge<'de> for Box<T> {
    const HELD: Held = T::HELD;
    const MANY: Many = T::MANY;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn empty() -> Self {
        if const { is_large::<T>() } { boxed_empty() } else { Box::new(T::empty()) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn merge<D: Deserializer<'de>>(&mut self, deserializer: D) -> Result<(), D::Error> {
        T::merge(self, deserializer)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn clear(&mut self) {
        T::clear(self);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn refill<D: Deserializer<'de>>(&mut self, count: &mut u32, deserializer: D) -> Result<(), D::Error> {
        T::refill(self, count, deserializer)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn finish(&mut self, count: u32) {
        T::finish(self, count);
    }
}

/// Out of line, so that the value passes through no frame that stays open while it is read.
#[inline(never)]
fn boxed_empty<'de, T: Merge<'de>>() -> Box<T> {
    Box::new(T::empty())
}
