//! A serializer that takes a whole message, for tobu's public functions. A type with tobu's derive gives this serializer its
//! message. A fallback serializer takes the output of all other types.

#![allow(unsafe_code)]

use crate::error::{Error, Result};
use crate::layout::type_id;
use crate::object::Typed;
use crate::object::stored::Struct;
use crate::serde::others::write;
use serde::ser::{Serialize, Serializer};

/// The value that a type with tobu's derive gives to a serializer: its message, in a type that this crate recognizes.
pub(super) struct Content<'a>(pub(super) Struct<'a>);

impl Serialize for Content<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write::message(self.0, serializer)
    }
}

/// Returns the message in a value, if the value is a `Content`, which tobu's derive gives to a serializer.
///
/// # Errors
/// The Rust type and its schema do not fit together.
pub(crate) fn handed_over<T: ?Sized>(value: &T) -> Result<Option<Typed<'_>>> {
    // SAFETY: `Content` is covariant in its lifetime. The lifetime that is chosen here is not longer than the lifetime
    // of the reference to the value.
    match unsafe { type_id::cast::<T, Content<'_>>(value) } {
        Some(content) => content.0.typed().map(Some),
        None => Ok(None),
    }
}

/// Receives a message. The second argument is the fallback serializer, which takes the bytes of a message of another schema.
pub(crate) type OnMessage<'a, S> = dyn FnMut(Typed<'_>, S) -> Result<<S as Serializer>::Ok, Error> + 'a;

/// The serializer. It recognizes a message by a newtype struct with any name around a [`Content`], which is a private
/// type.
pub(crate) struct TypedSerializer<'a, S: Serializer<Error = Error>> {
    on_message: &'a mut OnMessage<'a, S>,
    fallback: S,
}

impl<'a, S: Serializer<Error = Error>> TypedSerializer<'a, S> {
    /// Creates a serializer that passes messages to `on_message`, and other values to `fallback`.
    ///
    /// ```ignore
    /// message.serialize(TypedSerializer::new(&mut |object, _| encode(object), fallback))
    /// ```
    pub(crate) fn new(on_message: &'a mut OnMessage<'a, S>, fallback: S) -> Self {
        TypedSerializer { on_message, fallback }
    }
}

macro_rules! forward {
    ($($method:ident($($arg:ident: $ty:ty),*) -> $out:ident;)*) => {
        $(
            fn $method(self, $($arg: $ty),*) -> Result<S::$out> {
                self.fallback.$method($($arg),*)
            }
        )*
    };
}

impl<S: Serializer<Error = Error>> Serializer for TypedSerializer<'_, S> {
    type Ok = S::Ok;
    type Error = Error;
    type SerializeSeq = S::SerializeSeq;
    type SerializeTuple = S::SerializeTuple;
    type SerializeTupleStruct = S::SerializeTupleStruct;
    type SerializeTupleVariant = S::SerializeTupleVariant;
    type SerializeMap = S::SerializeMap;
    type SerializeStruct = S::SerializeStruct;
    type SerializeStructVariant = S::SerializeStructVariant;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<S::Ok> {
        // SAFETY: `Content` is covariant in its lifetime. The lifetime that is chosen here is not longer than the
        // lifetime of the reference to the value.
        match unsafe { type_id::cast::<T, Content<'_>>(value) } {
            Some(content) => (self.on_message)(content.0.typed()?, self.fallback),
            None => self.fallback.serialize_newtype_struct(name, value),
        }
    }

    /// Forwards an option to the fallback serializer, which ignores the option around a message.
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok> {
        self.fallback.serialize_some(value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok> {
        self.fallback.serialize_newtype_variant(name, index, variant, value)
    }

    fn collect_str<T: std::fmt::Display + ?Sized>(self, value: &T) -> Result<S::Ok> {
        self.fallback.collect_str(value)
    }

    forward! {
        serialize_bool(v: bool) -> Ok;
        serialize_i8(v: i8) -> Ok;
        serialize_i16(v: i16) -> Ok;
        serialize_i32(v: i32) -> Ok;
        serialize_i64(v: i64) -> Ok;
        serialize_i128(v: i128) -> Ok;
        serialize_u8(v: u8) -> Ok;
        serialize_u16(v: u16) -> Ok;
        serialize_u32(v: u32) -> Ok;
        serialize_u64(v: u64) -> Ok;
        serialize_u128(v: u128) -> Ok;
        serialize_f32(v: f32) -> Ok;
        serialize_f64(v: f64) -> Ok;
        serialize_char(v: char) -> Ok;
        serialize_str(v: &str) -> Ok;
        serialize_bytes(v: &[u8]) -> Ok;
        serialize_none() -> Ok;
        serialize_unit() -> Ok;
        serialize_unit_struct(name: &'static str) -> Ok;
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> Ok;
        serialize_seq(len: Option<usize>) -> SerializeSeq;
        serialize_tuple(len: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize)
            -> SerializeStructVariant;
    }
}
