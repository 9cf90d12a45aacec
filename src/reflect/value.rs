//! The values of fields, owned and borrowed.

use super::{ListMut, ListRef, MapMut, MapRef, MessageMut, MessageRef};
use crate::dynamic::DynamicMessage;
use bytes::Bytes;
use std::collections::HashMap;

/// An owned value of any field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `bool`
    Bool(bool),
    /// `int32`, `sint32`, `sfixed32`
    I32(i32),
    /// `int64`, `sint64`, `sfixed64`
    I64(i64),
    /// `uint32`, `fixed32`
    U32(u32),
    /// `uint64`, `fixed64`
    U64(u64),
    /// `float`
    F32(f32),
    /// `double`
    F64(f64),
    /// `string`
    String(String),
    /// `bytes`; a `string` that is not UTF-8, in a schema that does not ask for it
    Bytes(Bytes),
    /// The number of an enum value
    Enum(i32),
    /// A message, groups included
    Message(DynamicMessage),
    /// A repeated field
    List(Vec<Value>),
    /// A map field
    Map(HashMap<MapKey, Value>),
}

/// A borrowed value of any field.
#[derive(Clone, Copy)]
pub enum ValueRef<'a> {
    /// `bool`
    Bool(bool),
    /// `int32`, `sint32`, `sfixed32`
    I32(i32),
    /// `int64`, `sint64`, `sfixed64`
    I64(i64),
    /// `uint32`, `fixed32`
    U32(u32),
    /// `uint64`, `fixed64`
    U64(u64),
    /// `float`
    F32(f32),
    /// `double`
    F64(f64),
    /// `string`
    Str(&'a str),
    /// `bytes`; a `string` that is not UTF-8, in a schema that does not ask for it
    Bytes(&'a [u8]),
    /// The number of an enum value
    Enum(i32),
    /// A message, groups included; the default is an empty one
    Message(MessageRef<'a>),
    /// A repeated field
    List(ListRef<'a>),
    /// A map field
    Map(MapRef<'a>),
}

/// A message, list or map in its place, to be changed.
pub enum ValueMut<'a> {
    /// A message, groups included
    Message(MessageMut<'a>),
    /// A repeated field
    List(ListMut<'a>),
    /// A map field
    Map(MapMut<'a>),
}

/// An owned key of a map field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MapKey {
    /// `bool`
    Bool(bool),
    /// `int32`, `sint32`, `sfixed32`
    I32(i32),
    /// `int64`, `sint64`, `sfixed64`
    I64(i64),
    /// `uint32`, `fixed32`
    U32(u32),
    /// `uint64`, `fixed64`
    U64(u64),
    /// `string`
    String(String),
}

/// A borrowed key of a map field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MapKeyRef<'a> {
    /// `bool`
    Bool(bool),
    /// `int32`, `sint32`, `sfixed32`
    I32(i32),
    /// `int64`, `sint64`, `sfixed64`
    I64(i64),
    /// `uint32`, `fixed32`
    U32(u32),
    /// `uint64`, `fixed64`
    U64(u64),
    /// `string`
    Str(&'a str),
}
