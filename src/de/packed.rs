//! A packed run as a map, from how many numbers there may be to the bytes of some of them.

use crate::error::{Error, Result};
use crate::member::Element;
use crate::plan::Kind;
use crate::wire::packed::{Form, PackedRun};
use serde::de::value::{BytesDeserializer, UsizeDeserializer};
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess};

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
