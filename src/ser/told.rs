//! A member that comes with what its derive knows of it.

use super::list::Sequence;
use super::member::{MemberSerializer, member};
use super::message::Members;
use super::value::MapOrMessage;
use super::{Handed, Walk};
use crate::error::{Error, Result};
use crate::plan::{Head, MessagePlan};
use serde::ser::{Impossible, Serialize, Serializer};

/// Writes a member by what its name tells of it; one that tells nothing by the plan.
pub(super) struct ToldSerializer<'p, K> {
    pub(super) sink: K,
    pub(super) walk: Walk<'p>,
    pub(super) plan: &'p MessagePlan,
    pub(super) index: usize,
}

impl<'p, K: Handed> ToldSerializer<'p, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn by_plan(self) -> Result<MemberSerializer<'p, K>> {
        let ToldSerializer { sink, walk, plan, index } = self;
        let head = member(plan, index)?.head;
        Ok(MemberSerializer { sink, walk, plan, index, head })
    }
}

/// Forwards methods to the serializer that goes by the plan.
macro_rules! by_plan {
    ($($method:ident($($arg:ident: $ty:ty),*) -> $ok:ty;)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method(self, $($arg: $ty),*) -> Result<$ok> {
                self.by_plan()?.$method($($arg),*)
            }
        )*
    };
}

impl<'p, K: Handed> Serializer for ToldSerializer<'p, K> {
    type Ok = K;
    type Error = Error;
    type SerializeSeq = Sequence<'p, K>;
    type SerializeTuple = Sequence<'p, K>;
    type SerializeTupleStruct = Sequence<'p, K>;
    type SerializeTupleVariant = Impossible<K, Error>;
    type SerializeMap = MapOrMessage<'p, K>;
    type SerializeStruct = Members<'p, K>;
    type SerializeStructVariant = Members<'p, K>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<K> {
        match Head::of_name(name) {
            Some(head) if !head.holds.is_list() => {
                let ToldSerializer { sink, walk, plan, index } = self;
                value.serialize(MemberSerializer { sink, walk, plan, index, head })
            }
            _ => value.serialize(self.by_plan()?),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<K> {
        value.serialize(self)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<K> {
        self.by_plan()?.serialize_newtype_variant(name, index, variant, value)
    }

    by_plan! {
        serialize_bool(value: bool) -> K;
        serialize_i8(value: i8) -> K;
        serialize_i16(value: i16) -> K;
        serialize_i32(value: i32) -> K;
        serialize_i64(value: i64) -> K;
        serialize_i128(value: i128) -> K;
        serialize_u8(value: u8) -> K;
        serialize_u16(value: u16) -> K;
        serialize_u32(value: u32) -> K;
        serialize_u64(value: u64) -> K;
        serialize_u128(value: u128) -> K;
        serialize_f32(value: f32) -> K;
        serialize_f64(value: f64) -> K;
        serialize_char(value: char) -> K;
        serialize_str(value: &str) -> K;
        serialize_bytes(value: &[u8]) -> K;
        serialize_none() -> K;
        serialize_unit() -> K;
        serialize_unit_struct(name: &'static str) -> K;
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> K;
        serialize_seq(len: Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(len: usize) -> Self::SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> Self::SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> Self::SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> Self::SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> Self::SerializeStructVariant;
    }
}
