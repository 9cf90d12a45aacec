//! A packed run as a map, from how many numbers there may be to the bytes of some of them; a short one as the bytes of all,
//! or as a sequence.

use crate::error::{Error, Result};
use crate::member::Element;
use crate::plan::Kind;
use crate::wire::packed::{Form, PackedRun, count};
use crate::wire::{Reader, unzigzag32, unzigzag64};
use serde::de::value::{BytesDeserializer, UsizeDeserializer};
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};

/// How the numbers of a field are read for a list of such elements, where the two go together.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn form(kind: Kind, element: Element) -> Option<Form> {
    Some(match (kind, element) {
        (Kind::Int32 | Kind::Enum, Element::I32) | (Kind::UInt32, Element::U32) => Form::Varint32,
        (Kind::Int64, Element::I64) | (Kind::UInt64, Element::U64) => Form::Varint64,
        (Kind::SInt32, Element::I32) => Form::ZigZag32,
        (Kind::SInt64, Element::I64) => Form::ZigZag64,
        (Kind::Bool, Element::Bool) => Form::Bool,
        (Kind::SFixed32, Element::I32) | (Kind::Fixed32, Element::U32) | (Kind::Float, Element::F32) => {
            Form::Fixed32
        }
        (Kind::SFixed64, Element::I64) | (Kind::Fixed64, Element::U64) | (Kind::Double, Element::F64) => {
            Form::Fixed64
        }
        _ => return None,
    })
}

/// The pieces of a run that are left.
pub(super) struct Pieces<'de>(pub(super) PackedRun<'de>);

impl<'de> MapAccess<'de> for Pieces<'de> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let count: UsizeDeserializer<Error> = self.0.left().into_deserializer();
        seed.deserialize(count).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        self.0.read(|bytes| seed.deserialize(BytesDeserializer::new(bytes)))?
    }
}

/// Reads a run of varints whole or piece by piece, out of line: once per type of list, not once per field.
#[inline(never)]
pub(super) fn read<'de, V: Visitor<'de>>(run: Reader<'de>, form: Form, visitor: V) -> Result<V::Value> {
    let mut run = PackedRun::new(run, form);
    match run.is_short() {
        true => run.read(|bytes| visitor.visit_bytes(bytes))?,
        false => visitor.visit_map(Pieces(run)),
    }
}

/// Varints of so many bytes at most are read faster one by one.
const TINY: usize = 16;

/// True for a run of so few varints that they are read one by one.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn is_tiny(run: &Reader<'_>) -> bool {
    run.rest().len() <= TINY
}

/// The varints of a run of a few bytes.
pub(super) struct Numbers<'de> {
    /// All of it, whose address nobody is given.
    run: Reader<'de>,
    rest: &'de [u8],
    form: Form,
    /// How many there seem to be.
    len: usize,
}

impl<'de> Numbers<'de> {
    /// The numbers of a run.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(run: Reader<'de>, form: Form) -> Self {
        Numbers { run, rest: run.rest(), form, len: count(run.rest()) }
    }
}

impl<'de> SeqAccess<'de> for Numbers<'de> {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        let (value, rest) = match self.rest {
            [] => return Ok(None),
            [a, rest @ ..] if *a < 0x80 => (u64::from(*a), rest),
            [a, b, rest @ ..] if *b < 0x80 => (u64::from(*a & 0x7f) | u64::from(*b) << 7, rest),
            _ => long(self.run, self.rest)?,
        };
        self.rest = rest;
        seed.deserialize(Number { form: self.form, value }).map(Some)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn size_hint(&self) -> Option<usize> {
        Some(self.len)
    }
}

/// A varint of more than two bytes, or an error, and what is left of the run after it.
#[inline(never)]
fn long<'de>(run: Reader<'de>, rest: &'de [u8]) -> Result<(u64, &'de [u8])> {
    let mut reader = run.within(rest);
    match reader.varint() {
        Ok(value) => Ok((value, reader.rest())),
        Err(error) => {
            let (before, _) = run.rest().split_at(run.rest().len() - rest.len());
            Err(error.in_index(count(before)))
        }
    }
}

/// One of them.
struct Number {
    form: Form,
    value: u64,
}

impl<'de> Deserializer<'de> for Number {
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.form {
            Form::Bool => visitor.visit_bool(self.value != 0),
            Form::ZigZag32 => visitor.visit_i32(unzigzag32(self.value as u32)),
            Form::ZigZag64 => visitor.visit_i64(unzigzag64(self.value)),
            Form::Varint32 => visitor.visit_u32(self.value as u32),
            Form::Varint64 | Form::Fixed32 | Form::Fixed64 => visitor.visit_u64(self.value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.form {
            // Signed, what an int32 is in memory is the same.
            Form::Varint32 => visitor.visit_i32(self.value as i32),
            _ => self.deserialize_any(visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.form {
            Form::Varint64 => visitor.visit_i64(self.value as i64),
            _ => self.deserialize_any(visitor),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_any(visitor)
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i128 u8 u16 u128 f32 f64 char str string bytes byte_buf option unit unit_struct newtype_struct
        seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
