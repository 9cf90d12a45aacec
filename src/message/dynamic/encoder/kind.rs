//! Which Rust types represent which kinds of fields, and how their values are written.

#![allow(private_interfaces, reason = "what the sealed traits are about is nobody's but the encoder's")]

use crate::message::dynamic::encoder::sealed::{self, Head};
use crate::table::{Kind, Row, Shape};
use crate::wire::{CursorMut, zigzag32, zigzag64};
use std::marker::PhantomData;

/// A message, as the type of a [`Field`](super::Field).
#[derive(Debug)]
pub enum Nested {}

/// A repeated field of `T`, as the type of a [`Field`](super::Field).
#[derive(Debug)]
pub struct List<T: ?Sized>(PhantomData<fn(&T)>);

/// A map from `K` to `V`, as the type of a [`Field`](super::Field).
#[derive(Debug)]
pub struct Map<K: ?Sized, V: ?Sized>(PhantomData<fn(&K, &V)>);

/// The types that a [`Field`](super::Field) can have, which the table at [`Encoder::field`](super::Encoder::field)
/// lists.
///
/// The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a field",
    note = "the types of fields are listed at `Encoder::field`"
)]
pub trait FieldType: sealed::FieldType {}

impl<T: sealed::FieldType + ?Sized> FieldType for T {}

/// The type of a number, string or byte string: the type of the values in [`Record::put`](super::Record::put). Its
/// `Value` is the number, a `&str` or a `&[u8]`.
///
/// The trait is sealed.
pub trait ValueType: sealed::ValueType {}

impl<T: sealed::ValueType + ?Sized> ValueType for T {}

/// The type of a map key: a whole number, `bool` or `str`.
///
/// The trait is sealed.
pub trait KeyType: ValueType + sealed::KeyType {}

impl<T: sealed::KeyType + ?Sized> KeyType for T {}

/// The type of a field that holds messages: [`Nested`], a list of [`Nested`], or a map whose values are [`Nested`].
///
/// The trait is sealed.
pub trait MessageType: FieldType + sealed::MessageType {}

impl<T: FieldType + sealed::MessageType + ?Sized> MessageType for T {}

impl<T: sealed::Element + ?Sized> sealed::FieldType for T {
    fn fits(row: &Row) -> bool {
        row.shape == Shape::Singular && T::fits_single(row)
    }

    fn name() -> String {
        T::NAME.to_owned()
    }
}

impl<T: sealed::Element + ?Sized> sealed::FieldType for List<T> {
    fn fits(row: &Row) -> bool {
        row.shape == Shape::List && T::fits_single(row)
    }

    fn name() -> String {
        format!("List<{}>", T::NAME)
    }
}

impl<K: sealed::Element + sealed::KeyType + ?Sized, V: sealed::Element + ?Sized> sealed::FieldType
    for Map<K, V>
{
    fn fits(row: &Row) -> bool {
        row.shape == Shape::Map && K::fits_single(&row.map().key) && V::fits_single(&row.map().value)
    }

    fn name() -> String {
        format!("Map<{}, {}>", K::NAME, V::NAME)
    }
}

impl sealed::Element for Nested {
    const NAME: &'static str = "Nested";

    fn fits_single(row: &Row) -> bool {
        row.is_message()
    }
}

impl sealed::MessageType for Nested {
    fn held(row: &Row) -> &Row {
        row
    }
}

impl sealed::MessageType for List<Nested> {
    fn held(row: &Row) -> &Row {
        row
    }
}

impl<K: ?Sized> sealed::MessageType for Map<K, Nested> {
    fn held(row: &Row) -> &Row {
        &row.map().value
    }
}

/// Implements the sealed traits for a type of values. `$kinds` are the kinds that the type represents. `$key` is there if
/// the type can be a key.
macro_rules! value_types {
    ($($ty:ty, $name:literal, $kinds:pat => $($key:ident)?;)*) => {$(
        impl sealed::Element for $ty {
            const NAME: &'static str = $name;

            fn fits_single(row: &Row) -> bool {
                matches!((row.kind, row.utf8), $kinds)
            }
        }

        $(impl sealed::$key for $ty {
            fn text(key: &Self::Value<'_>) -> String {
                key.to_string()
            }
        })?
    )*};
}

value_types! {
    bool, "bool", (Kind::Bool, _) => KeyType;
    i32, "i32", (Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::Enum, _) => KeyType;
    i64, "i64", (Kind::Int64 | Kind::SInt64 | Kind::SFixed64, _) => KeyType;
    u32, "u32", (Kind::UInt32 | Kind::Fixed32, _) => KeyType;
    u64, "u64", (Kind::UInt64 | Kind::Fixed64, _) => KeyType;
    f32, "f32", (Kind::Float, _) =>;
    f64, "f64", (Kind::Double, _) =>;
    str, "str", (Kind::String, _) => KeyType;
    [u8], "[u8]", (Kind::Bytes, _) | (Kind::String, false) =>;
}

impl sealed::ValueType for bool {
    type Value<'v> = bool;

    #[inline]
    fn is_default(value: &bool) -> bool {
        !value
    }

    #[inline]
    fn write(cursor: &mut CursorMut<'_>, head: Head, value: bool) {
        cursor.short_and(head.tag, head.len, [u8::from(value)]);
    }
}

impl sealed::ValueType for i32 {
    type Value<'v> = i32;

    #[inline]
    fn is_default(value: &i32) -> bool {
        *value == 0
    }

    #[inline]
    fn enum_number(value: &i32) -> Option<i32> {
        Some(*value)
    }

    #[inline]
    fn write(cursor: &mut CursorMut<'_>, head: Head, value: i32) {
        let varint = match head.kind {
            Kind::SFixed32 => return cursor.short_and(head.tag, head.len, value.to_le_bytes()),
            Kind::SInt32 => u64::from(zigzag32(value)),
            _ => i64::from(value) as u64,
        };
        cursor.short_and_varint(head.tag, head.len, varint);
    }
}

impl sealed::ValueType for i64 {
    type Value<'v> = i64;

    #[inline]
    fn is_default(value: &i64) -> bool {
        *value == 0
    }

    #[inline]
    fn write(cursor: &mut CursorMut<'_>, head: Head, value: i64) {
        let varint = match head.kind {
            Kind::SFixed64 => return cursor.short_and(head.tag, head.len, value.to_le_bytes()),
            Kind::SInt64 => zigzag64(value),
            _ => value as u64,
        };
        cursor.short_and_varint(head.tag, head.len, varint);
    }
}

impl sealed::ValueType for u32 {
    type Value<'v> = u32;

    #[inline]
    fn is_default(value: &u32) -> bool {
        *value == 0
    }

    #[inline]
    fn write(cursor: &mut CursorMut<'_>, head: Head, value: u32) {
        match head.kind {
            Kind::Fixed32 => cursor.short_and(head.tag, head.len, value.to_le_bytes()),
            _ => cursor.short_and_varint(head.tag, head.len, u64::from(value)),
        }
    }
}

impl sealed::ValueType for u64 {
    type Value<'v> = u64;

    #[inline]
    fn is_default(value: &u64) -> bool {
        *value == 0
    }

    #[inline]
    fn write(cursor: &mut CursorMut<'_>, head: Head, value: u64) {
        match head.kind {
            Kind::Fixed64 => cursor.short_and(head.tag, head.len, value.to_le_bytes()),
            _ => cursor.short_and_varint(head.tag, head.len, value),
        }
    }
}

impl sealed::ValueType for f32 {
    type Value<'v> = f32;

    #[inline]
    fn is_default(value: &f32) -> bool {
        value.to_bits() == 0
    }

    #[inline]
    fn write(cursor: &mut CursorMut<'_>, head: Head, value: f32) {
        cursor.short_and(head.tag, head.len, value.to_le_bytes());
    }
}

impl sealed::ValueType for f64 {
    type Value<'v> = f64;

    #[inline]
    fn is_default(value: &f64) -> bool {
        value.to_bits() == 0
    }

    #[inline]
    fn write(cursor: &mut CursorMut<'_>, head: Head, value: f64) {
        cursor.short_and(head.tag, head.len, value.to_le_bytes());
    }
}

impl sealed::ValueType for str {
    type Value<'v> = &'v str;

    #[inline]
    fn is_default(value: &&str) -> bool {
        value.is_empty()
    }

    #[inline]
    fn write(cursor: &mut CursorMut<'_>, head: Head, value: &str) {
        cursor.short_and_len_prefixed(head.tag, head.len, value.as_bytes());
    }
}

impl sealed::ValueType for [u8] {
    type Value<'v> = &'v [u8];

    #[inline]
    fn is_default(value: &&[u8]) -> bool {
        value.is_empty()
    }

    #[inline]
    fn write(cursor: &mut CursorMut<'_>, head: Head, value: &[u8]) {
        cursor.short_and_len_prefixed(head.tag, head.len, value);
    }
}
