//! Single values that are taken from a front, which stays in registers, and not from where the input stands.

use super::ask;
use super::source::Source;
use crate::error::Result;
use crate::plan::Kind;
use crate::wire::{text, unzigzag32, unzigzag64};
use serde::de::{DeserializeSeed, Visitor};

/// A value at a front. A glance sees it, or it is read by its plan.
pub(super) trait Glance<'de, S: Source<'de>>: Sized {
    /// The value is one of this kind.
    fn is(&self, kind: Kind) -> bool;

    /// Where the value begins.
    fn front(&mut self) -> &mut S::Front;

    /// Reads the value by its plan, out of line.
    fn by_plan<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value>;

    /// What a visitor made of a value, or its error, whose place is after the value.
    fn done<T>(self, made: Result<T>) -> Result<T>;

    /// A value with a length.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn part(&mut self) -> Option<&'de [u8]> {
        S::glance_part(self.front())
    }

    /// A varint, where the value is of one of two kinds.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn varint(&mut self, kind: Kind, other: Kind) -> Option<u64> {
        let is = self.is(kind) || self.is(other);
        if is { S::glance_varint(self.front()) } else { None }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed32(&mut self, kind: Kind) -> Option<u32> {
        if self.is(kind) { S::glance_fixed32(self.front()) } else { None }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fixed64(&mut self, kind: Kind) -> Option<u64> {
        if self.is(kind) { S::glance_fixed64(self.front()) } else { None }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bool(&mut self) -> Option<bool> {
        self.varint(Kind::Bool, Kind::Bool).map(|number| number != 0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i32(&mut self) -> Option<i32> {
        match self.varint(Kind::Int32, Kind::Enum) {
            Some(number) => Some(number as i32),
            None => match self.varint(Kind::SInt32, Kind::SInt32) {
                Some(number) => Some(unzigzag32(number as u32)),
                None => self.fixed32(Kind::SFixed32).map(|number| number as i32),
            },
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i64(&mut self) -> Option<i64> {
        match self.varint(Kind::Int64, Kind::Int64) {
            Some(number) => Some(number as i64),
            None => match self.varint(Kind::SInt64, Kind::SInt64) {
                Some(number) => Some(unzigzag64(number)),
                None => self.fixed64(Kind::SFixed64).map(|number| number as i64),
            },
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u32(&mut self) -> Option<u32> {
        match self.varint(Kind::UInt32, Kind::UInt32) {
            Some(number) => Some(number as u32),
            None => self.fixed32(Kind::Fixed32),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u64(&mut self) -> Option<u64> {
        match self.varint(Kind::UInt64, Kind::UInt64) {
            Some(number) => Some(number),
            None => self.fixed64(Kind::Fixed64),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f32(&mut self) -> Option<f32> {
        self.fixed32(Kind::Float).map(f32::from_bits)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f64(&mut self) -> Option<f64> {
        self.fixed64(Kind::Double).map(f64::from_bits)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn str<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        let before = *self.front();
        if self.is(Kind::String)
            && let Some(bytes) = self.part()
        {
            match text(bytes) {
                Some(text) => return self.done(visitor.visit_borrowed_str(text)),
                None => *self.front() = before,
            }
        }
        self.by_plan(ask::deserialize_str(visitor))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
        if self.is(Kind::Bytes)
            && let Some(bytes) = self.part()
        {
            return self.done(visitor.visit_borrowed_bytes(bytes));
        }
        self.by_plan(ask::deserialize_bytes(visitor))
    }
}

/// The methods of `serde::Deserializer` for single values that are no messages.
macro_rules! glance_methods {
    () => {
        type Error = Error;

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn is_human_readable(&self) -> bool {
            false
        }

        crate::de::glance::glance_methods! {
            deserialize_bool bool visit_bool;
            deserialize_i32 i32 visit_i32;
            deserialize_i64 i64 visit_i64;
            deserialize_u32 u32 visit_u32;
            deserialize_u64 u64 visit_u64;
            deserialize_f32 f32 visit_f32;
            deserialize_f64 f64 visit_f64;
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.str(visitor)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.str(visitor)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.bytes(visitor)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.bytes(visitor)
        }

        #[cfg_attr(not(debug_assertions), inline(always))]
        fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            visitor.visit_some(self)
        }
    };
    ($($method:ident $read:ident $visit:ident;)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value> {
                match self.$read() {
                    Some(number) => self.done(visitor.$visit(number)),
                    None => self.by_plan(ask::$method(visitor)),
                }
            }
        )*
    };
}
pub(super) use glance_methods;
