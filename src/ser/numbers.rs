//! Lists of numbers: by one loop per kind, which knows what it writes.

use super::Handed;
use super::list::MOST;
use super::other::{Other, other};
use super::value::{Place, ValueSerializer};
use crate::error::Result;
use crate::plan::Kind;
use serde::ser::{Serialize, SerializeSeq, Serializer};

/// What a value is that is a number of a kind; anything else is not looked into.
#[derive(Clone, Copy)]
enum Number {
    Bool(bool),
    I32(i32),
    I64(i64),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
}

/// Looks for a number.
struct Look;

/// Defines the methods for numbers.
macro_rules! numbers {
    ($($method:ident($ty:ty) $number:ident;)*) => {
        $(
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn $method(self, value: $ty) -> Result<Number, Other> {
                Ok(Number::$number(value))
            }
        )*
    };
}

impl Serializer for Look {
    other!(Number: strings rest);

    numbers! {
        serialize_bool(bool) Bool;
        serialize_i32(i32) I32;
        serialize_i64(i64) I64;
        serialize_u32(u32) U32;
        serialize_u64(u64) U64;
        serialize_f32(f32) F32;
        serialize_f64(f64) F64;
    }
}

/// Writes a list field of numbers.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn write_all<K: Handed, T: Serialize>(
    list: ValueSerializer<'_, K>,
    mut values: impl Iterator<Item = T>,
) -> Result<K> {
    let len = values.size_hint().0;
    let Some(first) = values.next() else { return list.serialize_seq(Some(0))?.end() };
    // Of most types it is known which it is, so that one to three of these are left.
    macro_rules! each {
        ($($number:ident: $write:ident $($kind:ident)+;)+) => {
            match (first.serialize(Look), list.field.kind) {
                $($((Ok(Number::$number(_)), Kind::$kind) => {
                    write(list, len, first, values, |sink, value| match value {
                        Number::$number(value) => {
                            each!(@ sink $write $kind value);
                            true
                        }
                        _ => false,
                    })
                })+)+
                _ => one_by_one(list, len, first, values),
            }
        };
        (@ $sink:ident integer_i32 $kind:ident $value:ident) => { $sink.i32(Kind::$kind, $value) };
        (@ $sink:ident integer_i64 $kind:ident $value:ident) => { $sink.i64(Kind::$kind, $value) };
        (@ $sink:ident integer_u32 $kind:ident $value:ident) => { $sink.u32(Kind::$kind, $value) };
        (@ $sink:ident integer_u64 $kind:ident $value:ident) => { $sink.u64(Kind::$kind, $value) };
        (@ $sink:ident $write:ident $kind:ident $value:ident) => { $sink.$write($value) };
    }
    each! {
        Bool: bool Bool;
        I32: integer_i32 Int32 SInt32 SFixed32;
        I64: integer_i64 Int64 SInt64 SFixed64;
        U32: integer_u32 UInt32 Fixed32;
        U64: integer_u64 UInt64 Fixed64;
        F32: f32 Float;
        F64: f64 Double;
    }
}

/// Writes numbers of one kind; one that `put` does not take, by the plan.
#[cfg_attr(not(debug_assertions), inline(always))]
fn write<K: Handed, T: Serialize>(
    list: ValueSerializer<'_, K>,
    len: usize,
    first: T,
    values: impl Iterator<Item = T>,
    put: impl Fn(&mut K, Number) -> bool,
) -> Result<K> {
    let ValueSerializer { mut sink, walk, field, .. } = list;
    let open = sink.begin_list(field, len.min(MOST));
    for (index, value) in std::iter::once(first).chain(values).enumerate() {
        sink.element(field, index == 0);
        if !value.serialize(Look).is_ok_and(|number| put(&mut sink, number)) {
            let element = ValueSerializer { sink, walk, field, place: Place::Inside(None) };
            sink = value.serialize(element).map_err(|error| error.in_index(index))?;
        }
    }
    sink.end_list(field, open);
    Ok(sink)
}

/// Writes values each by the plan.
#[cfg_attr(not(debug_assertions), inline(always))]
fn one_by_one<K: Handed, T: Serialize>(
    list: ValueSerializer<'_, K>,
    len: usize,
    first: T,
    mut values: impl Iterator<Item = T>,
) -> Result<K> {
    let mut list = list.serialize_seq(Some(len))?;
    list.serialize_element(&first)?;
    values.try_for_each(|value| list.serialize_element(&value))?;
    list.end()
}
