//! Serde's data model written into a format, guided by a plan.
//!
//! One walk for every format: which field a member is, whether it is written, how lists, maps and oneofs are laid
//! out, is decided here; a [`Sink`] knows bytes and syntax only. Layer 3: names `plan`; the wire sink is the first.

mod default;
mod json;
mod key;
mod length;
mod list;
mod map;
mod member;
mod message;
mod number;
mod numbers;
mod oneof;
mod other;
mod sink;
mod told;
mod unknown;
mod value;
mod wire;

pub(crate) use default::{write_default, write_default_value};
pub(crate) use json::Json;
pub(crate) use message::{Members, MessageSerializer};
pub(crate) use sink::{Fork, Handed, Single, Sink};
pub(crate) use unknown::UNKNOWN;
pub(crate) use wire::{Count, Output, Wire, at_tip};

use crate::error::{Error, LimitError, Result};
use crate::plan::{FieldPlan, MessagePlan, PlanSet, Shape};
use serde::Serialize;

/// What holds for a whole message and all in it.
pub(crate) struct Context<'p> {
    pub(crate) set: &'p PlanSet,
    pub(crate) max_depth: u32,
    /// Map entries are written in the order of their keys.
    pub(crate) deterministic: bool,
    /// Required fields may be missing.
    pub(crate) partial: bool,
    /// Fields without presence are written when they have their default.
    pub(crate) defaults: bool,
}

impl Context<'_> {
    /// Writes a value as the outermost message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn write<T: Serialize + ?Sized, K: Handed>(&self, sink: K, value: &T) -> Result<()> {
        let plan = self.set.root();
        match value.serialize(self.root(sink)) {
            Ok(sink) => {
                sink.settle();
                Ok(())
            }
            Err(error) => Err(error.in_message(&plan.full_name)),
        }
    }

    /// The serializer of the outermost message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn root<K>(&self, sink: K) -> MessageSerializer<'_, K> {
        let walk = Walk { context: self, depth: self.max_depth };
        MessageSerializer { sink, walk, plan: self.set.root() }
    }

    /// Writes a field that was not given, where it has no presence.
    #[cold]
    fn absent<K: Sink>(&self, sink: &mut K, field: &FieldPlan) {
        write_default(sink, self.set, field);
    }
}

/// Where the walk stands.
#[derive(Clone, Copy)]
pub(crate) struct Walk<'p> {
    context: &'p Context<'p>,
    /// How many levels of messages may still be opened.
    depth: u32,
}

impl<'p> Walk<'p> {
    /// The plan of the messages that a field holds.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn message(self, field: &FieldPlan) -> Option<&'p MessagePlan> {
        (field.is_message() && field.shape != Shape::Map)
            .then(|| &self.context.set.messages[field.sub as usize])
    }

    /// The plan of messages at an index.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn sub(self, index: u32) -> Option<&'p MessagePlan> {
        self.context.set.messages.get(index as usize)
    }

    /// True where fields without presence are written when they have their default: no format of heads does that.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn defaults<K: Handed>(self) -> bool {
        !K::BY_HEAD && self.context.defaults
    }

    /// One level further down.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enter(self) -> Result<Self> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Walk { depth, ..self }),
            None => Err(Error::limit(LimitError::Depth(self.context.max_depth))),
        }
    }
}

/// Says of a struct, a list or a map that went on after it had failed that it cannot.
#[cold]
fn failed() -> Error {
    Error::ty("what failed before cannot go on")
}

/// Implements methods of `serde::Serializer` that only say that a value does not fit.
macro_rules! refuse {
    ($($method:ident)*) => { $(refuse!(@ $method);)* };
    (@ bool) => { fn serialize_bool(self, _: bool) -> Result<Self::Ok> { Err(self.refuse("a bool")) } };
    (@ numbers) => {
        fn serialize_i8(self, _: i8) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_i16(self, _: i16) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_i32(self, _: i32) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_i64(self, _: i64) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_u8(self, _: u8) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_u16(self, _: u16) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_u32(self, _: u32) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_u64(self, _: u64) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_f32(self, _: f32) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_f64(self, _: f64) -> Result<Self::Ok> { Err(self.refuse("a number")) }
        fn serialize_char(self, _: char) -> Result<Self::Ok> { Err(self.refuse("a character")) }
    };
    (@ str) => { fn serialize_str(self, _: &str) -> Result<Self::Ok> { Err(self.refuse("a string")) } };
    (@ bytes) => { fn serialize_bytes(self, _: &[u8]) -> Result<Self::Ok> { Err(self.refuse("bytes")) } };
    (@ none) => { fn serialize_none(self) -> Result<Self::Ok> { Err(self.refuse("none")) } };
    (@ unit) => {
        fn serialize_unit(self) -> Result<Self::Ok> { Err(self.refuse("a unit")) }
        fn serialize_unit_struct(self, _: &'static str) -> Result<Self::Ok> { Err(self.refuse("a unit")) }
    };
    (@ unit_variant) => {
        fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<Self::Ok> {
            Err(self.refuse("an enum variant"))
        }
    };
    (@ newtype_variant) => {
        fn serialize_newtype_variant<T: Serialize + ?Sized>(
            self, _: &'static str, _: u32, _: &'static str, _: &T,
        ) -> Result<Self::Ok> {
            Err(self.refuse("an enum variant"))
        }
    };
    (@ seq) => {
        type SerializeSeq = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_seq(self, _: Option<usize>) -> Result<Self::SerializeSeq> { Err(self.refuse("a sequence")) }
    };
    (@ tuple) => {
        type SerializeTuple = serde::ser::Impossible<Self::Ok, Error>;
        type SerializeTupleStruct = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_tuple(self, _: usize) -> Result<Self::SerializeTuple> { Err(self.refuse("a tuple")) }
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeTupleStruct> {
            Err(self.refuse("a tuple"))
        }
    };
    (@ tuple_variant) => {
        type SerializeTupleVariant = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_tuple_variant(
            self, _: &'static str, _: u32, _: &'static str, _: usize,
        ) -> Result<Self::SerializeTupleVariant> {
            Err(self.refuse("an enum variant with several values"))
        }
    };
    (@ map) => {
        type SerializeMap = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> { Err(self.refuse("a map")) }
    };
    (@ struct_) => {
        type SerializeStruct = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self::SerializeStruct> {
            Err(self.refuse("a struct"))
        }
    };
    (@ struct_variant) => {
        type SerializeStructVariant = serde::ser::Impossible<Self::Ok, Error>;
        fn serialize_struct_variant(
            self, _: &'static str, _: u32, _: &'static str, _: usize,
        ) -> Result<Self::SerializeStructVariant> {
            Err(self.refuse("an enum variant with named members"))
        }
    };
    (@ transparent) => {
        fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Self::Ok> { value.serialize(self) }
        fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<Self::Ok> {
            value.serialize(self)
        }
    };
    (@ binary) => {
        fn is_human_readable(&self) -> bool { false }
    };
}
use refuse;
