//! The values of fields, owned and borrowed.

use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::{ListMut, ListRef, MapKeyRef, MapMut, MapRef, MessageMut, MessageRef};
use crate::table::ValueKind;
use bytes::Bytes;
use std::collections::HashMap;
use std::fmt;

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
    /// `bytes`, or a `string` that is not UTF-8 if the schema does not require UTF-8
    Bytes(Bytes),
    /// The number of an enum value
    Enum(i32),
    /// A message; this includes groups
    Message(DynamicMessage),
    /// A repeated field
    List(Vec<Value>),
    /// A map field
    Map(HashMap<MapKey, Value>),
}

/// A borrowed value of any field.
// The layout is that of C, and the tags are those of `ValueKind`, so that the match in `number.rs` needs no branches.
#[derive(Clone, Copy)]
#[repr(C, u8)]
pub enum ValueRef<'a> {
    /// `bool`
    Bool(bool) = ValueKind::Bool as u8,
    /// `int32`, `sint32`, `sfixed32`
    I32(i32) = ValueKind::I32 as u8,
    /// `int64`, `sint64`, `sfixed64`
    I64(i64) = ValueKind::I64 as u8,
    /// `uint32`, `fixed32`
    U32(u32) = ValueKind::U32 as u8,
    /// `uint64`, `fixed64`
    U64(u64) = ValueKind::U64 as u8,
    /// `float`
    F32(f32) = ValueKind::F32 as u8,
    /// `double`
    F64(f64) = ValueKind::F64 as u8,
    /// `string`
    Str(&'a str) = ValueKind::Str as u8,
    /// `bytes`, or a `string` that is not UTF-8 if the schema does not require UTF-8
    Bytes(&'a [u8]) = ValueKind::Bytes as u8,
    /// The number of an enum value
    Enum(i32) = ValueKind::Enum as u8,
    /// A message, which includes groups; an empty message if the field is not set
    Message(MessageRef<'a>) = ValueKind::Message as u8,
    /// A repeated field
    List(ListRef<'a>) = ValueKind::List as u8,
    /// A map field
    Map(MapRef<'a>) = ValueKind::Map as u8,
}

/// A mutable view of a message, list or map.
pub enum ValueMut<'a> {
    /// A message; this includes groups
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

impl Value {
    /// Returns the value in borrowed form; `None` for a list or a map, which are not single values.
    pub fn as_ref(&self) -> Option<ValueRef<'_>> {
        Some(match self {
            Value::Bool(value) => ValueRef::Bool(*value),
            Value::I32(value) => ValueRef::I32(*value),
            Value::I64(value) => ValueRef::I64(*value),
            Value::U32(value) => ValueRef::U32(*value),
            Value::U64(value) => ValueRef::U64(*value),
            Value::F32(value) => ValueRef::F32(*value),
            Value::F64(value) => ValueRef::F64(*value),
            Value::String(value) => ValueRef::Str(value),
            Value::Bytes(value) => ValueRef::Bytes(value),
            Value::Enum(value) => ValueRef::Enum(*value),
            Value::Message(message) => ValueRef::Message(message.into()),
            Value::List(_) | Value::Map(_) => return None,
        })
    }

    /// Returns the string if the value is a string.
    pub fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = self { Some(text) } else { None }
    }

    /// Returns the bytes if the value is bytes.
    pub fn as_bytes(&self) -> Option<&[u8]> {
        if let Value::Bytes(bytes) = self { Some(bytes) } else { None }
    }

    /// Returns the message if the value is a message.
    pub fn as_message(&self) -> Option<&DynamicMessage> {
        if let Value::Message(message) = self { Some(message) } else { None }
    }

    /// Returns the elements if the value is a list.
    pub fn as_list(&self) -> Option<&[Value]> {
        if let Value::List(values) = self { Some(values) } else { None }
    }

    /// Returns the entries if the value is a map.
    pub fn as_map(&self) -> Option<&HashMap<MapKey, Value>> {
        if let Value::Map(values) = self { Some(values) } else { None }
    }
}

impl<'a> ValueRef<'a> {
    /// Returns the string if the value is a string.
    pub fn as_str(&self) -> Option<&'a str> {
        if let ValueRef::Str(text) = *self { Some(text) } else { None }
    }

    /// Returns the bytes if the value is bytes.
    pub fn as_bytes(&self) -> Option<&'a [u8]> {
        if let ValueRef::Bytes(bytes) = *self { Some(bytes) } else { None }
    }

    /// Returns the message if the value is a message.
    pub fn as_message(&self) -> Option<MessageRef<'a>> {
        if let ValueRef::Message(message) = *self { Some(message) } else { None }
    }

    /// Returns the list if the value is a list.
    pub fn as_list(&self) -> Option<ListRef<'a>> {
        if let ValueRef::List(list) = *self { Some(list) } else { None }
    }

    /// Returns the map if the value is a map.
    pub fn as_map(&self) -> Option<MapRef<'a>> {
        if let ValueRef::Map(map) = *self { Some(map) } else { None }
    }
}

impl<'a> ValueMut<'a> {
    /// Returns the message if the value is a message.
    pub fn into_message(self) -> Option<MessageMut<'a>> {
        if let ValueMut::Message(message) = self { Some(message) } else { None }
    }

    /// Returns the list if the value is a list.
    pub fn into_list(self) -> Option<ListMut<'a>> {
        if let ValueMut::List(list) = self { Some(list) } else { None }
    }

    /// Returns the map if the value is a map.
    pub fn into_map(self) -> Option<MapMut<'a>> {
        if let ValueMut::Map(map) = self { Some(map) } else { None }
    }
}

/// Implements the accessors of scalar values: a method for each variant and type.
macro_rules! scalars {
    ($($variant:ident($ty:ty) $method:ident $doc:literal;)*) => {
        impl Value {
            $(
                #[doc = $doc]
                pub fn $method(&self) -> Option<$ty> {
                    if let Value::$variant(value) = *self { Some(value) } else { None }
                }
            )*
        }

        impl ValueRef<'_> {
            $(
                #[doc = $doc]
                pub fn $method(&self) -> Option<$ty> {
                    if let ValueRef::$variant(value) = *self { Some(value) } else { None }
                }
            )*
        }
    };
}

scalars! {
    Bool(bool) as_bool "Returns the bool, or `None` if the value is not a bool.";
    I32(i32) as_i32 "Returns the number, or `None` if the value is not a signed number of 32 bits.";
    I64(i64) as_i64 "Returns the number, or `None` if the value is not a signed number of 64 bits.";
    U32(u32) as_u32 "Returns the number, or `None` if the value is not an unsigned number of 32 bits.";
    U64(u64) as_u64 "Returns the number, or `None` if the value is not an unsigned number of 64 bits.";
    F32(f32) as_f32 "Returns the number, or `None` if the value is not a `float`.";
    F64(f64) as_f64 "Returns the number, or `None` if the value is not a `double`.";
    Enum(i32) as_enum "Returns the number of the enum value, or `None` if the value is not an enum value.";
}

/// Implements the conversions to values.
macro_rules! from {
    ($($target:ident: $($variant:ident <- $ty:ty),*;)*) => {
        $($(
            impl From<$ty> for $target {
                fn from(value: $ty) -> Self {
                    $target::$variant(value.into())
                }
            }
        )*)*
    };
}

from! {
    Value: Bool <- bool, I32 <- i32, I64 <- i64, U32 <- u32, U64 <- u64, F32 <- f32, F64 <- f64,
        String <- String, String <- &str, Bytes <- Bytes, Bytes <- Vec<u8>, Bytes <- &'static [u8],
        Message <- DynamicMessage, List <- Vec<Value>, Map <- HashMap<MapKey, Value>;
    MapKey: Bool <- bool, I32 <- i32, I64 <- i64, U32 <- u32, U64 <- u64, String <- String, String <- &str;
}

/// Implements the conversions to borrowed keys.
macro_rules! from_key {
    ($($variant:ident <- $ty:ty),*) => {
        $(
            impl<'a> From<$ty> for MapKeyRef<'a> {
                fn from(key: $ty) -> Self {
                    MapKeyRef::$variant(key)
                }
            }
        )*
    };
}

from_key!(Bool <- bool, I32 <- i32, I64 <- i64, U32 <- u32, U64 <- u64, Str <- &'a str);

impl<'a> From<&'a MapKey> for MapKeyRef<'a> {
    fn from(key: &'a MapKey) -> Self {
        key.as_ref()
    }
}

impl MapKey {
    /// Returns the key in borrowed form.
    pub fn as_ref(&self) -> MapKeyRef<'_> {
        match self {
            MapKey::Bool(key) => MapKeyRef::Bool(*key),
            MapKey::I32(key) => MapKeyRef::I32(*key),
            MapKey::I64(key) => MapKeyRef::I64(*key),
            MapKey::U32(key) => MapKeyRef::U32(*key),
            MapKey::U64(key) => MapKeyRef::U64(*key),
            MapKey::String(key) => MapKeyRef::Str(key),
        }
    }
}

impl MapKeyRef<'_> {
    /// Returns a copy of the key that owns its text.
    pub fn to_key(&self) -> MapKey {
        match *self {
            MapKeyRef::Bool(key) => MapKey::Bool(key),
            MapKeyRef::I32(key) => MapKey::I32(key),
            MapKeyRef::I64(key) => MapKey::I64(key),
            MapKeyRef::U32(key) => MapKey::U32(key),
            MapKeyRef::U64(key) => MapKey::U64(key),
            MapKeyRef::Str(key) => MapKey::String(key.to_owned()),
        }
    }
}

/// Writes the key. A string has no quotes.
impl fmt::Display for MapKeyRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MapKeyRef::Bool(key) => key.fmt(f),
            MapKeyRef::I32(key) => key.fmt(f),
            MapKeyRef::I64(key) => key.fmt(f),
            MapKeyRef::U32(key) => key.fmt(f),
            MapKeyRef::U64(key) => key.fmt(f),
            MapKeyRef::Str(key) => f.write_str(key),
        }
    }
}

/// Writes the key as [`MapKeyRef`] does.
impl fmt::Display for MapKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}
