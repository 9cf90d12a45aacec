//! The value of a field, of a list element, of a map entry.

use super::list::Elements;
use super::map::Entries;
use super::message::Members;
use super::{Encoder, Single, Sink, key};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, Kind, Presence, Shape};
use serde::ser::{
    Impossible, Serialize, SerializeMap, SerializeSeq, SerializeTuple, SerializeTupleStruct, Serializer,
};

/// Where a value stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is all that the field holds: one value, a whole list, a whole map.
    Member,
    /// The same, for a field that must have a value although no bound type says so.
    Required,
    /// One value whose place the sink was told: a list element, a map value.
    Inside,
    /// A map key, likewise; it may be given as text.
    Key,
}

/// How a single value is written.
enum As {
    Nothing,
    /// Alone: the sink was told its place.
    Value,
    /// After the key of its field.
    Field,
}

/// Hands a single value to the sink: with the key of its field, or alone.
macro_rules! put {
    ($this:ident, $is_default:expr, $single:ident | $value:ident ($($arg:expr),*)) => {
        match $this.single($is_default)? {
            As::Nothing => {}
            As::Field => $this.encoder.sink.field_value($this.field, Single::$single($($arg),*)),
            As::Value => $this.encoder.sink.$value($($arg),*),
        }
    };
}

/// Writes a value as the plan of its field says.
pub(super) struct ValueSerializer<'a, 'p, K> {
    pub(super) encoder: &'a mut Encoder<'p, K>,
    pub(super) field: &'p FieldPlan,
    pub(super) place: Place,
}

impl<'a, 'p, K: Sink> ValueSerializer<'a, 'p, K> {
    /// How a single value is written: not at all, when it is the default of a field without presence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn single(&self, is_default: bool) -> Result<As> {
        if matches!(self.place, Place::Inside | Place::Key) {
            return Ok(As::Value);
        }
        if self.field.shape != Shape::Singular {
            return Err(self.refuse("one value"));
        }
        if is_default && self.field.presence == Presence::Implicit && !self.encoder.defaults {
            return Ok(As::Nothing);
        }
        Ok(As::Field)
    }

    /// The message plan of the field's type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn message(self, name: &'static str) -> Result<Members<'a, 'p, K>> {
        if !self.field.is_message() {
            return Err(self.refuse("a struct"));
        }
        if let As::Field = self.single(false)? {
            self.encoder.sink.field(self.field);
        }
        let plan = &self.encoder.set.messages[self.field.sub as usize];
        Members::begin(self.encoder, plan, Some(self.field), name)
    }

    /// An integer whose Rust type is not the one of the field.
    #[cold]
    fn integer(self, value: i128) -> Result<()> {
        let kind = self.field.kind;
        match kind {
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => match i32::try_from(value) {
                Ok(v) => put!(self, v == 0, I32 | i32(kind, v)),
                Err(_) => return Err(self.out_of_range(value)),
            },
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => match i64::try_from(value) {
                Ok(v) => put!(self, v == 0, I64 | i64(kind, v)),
                Err(_) => return Err(self.out_of_range(value)),
            },
            Kind::UInt32 | Kind::Fixed32 => match u32::try_from(value) {
                Ok(v) => put!(self, v == 0, U32 | u32(kind, v)),
                Err(_) => return Err(self.out_of_range(value)),
            },
            Kind::UInt64 | Kind::Fixed64 => match u64::try_from(value) {
                Ok(v) => put!(self, v == 0, U64 | u64(kind, v)),
                Err(_) => return Err(self.out_of_range(value)),
            },
            Kind::Enum => match i32::try_from(value) {
                Ok(v) => return self.enumeration(v),
                Err(_) => return Err(self.out_of_range(value)),
            },
            Kind::Double => put!(self, value == 0, F64 | f64(value as f64)),
            Kind::Float => put!(self, value == 0, F32 | f32(value as f32)),
            _ => return Err(self.refuse("a number")),
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enumeration(self, number: i32) -> Result<()> {
        let plan = &self.encoder.set.enums[self.field.sub as usize];
        put!(self, number == 0, Enum | enumeration(plan, number));
        Ok(())
    }

    #[cold]
    fn named_value(self, name: &str) -> Result<()> {
        let plan = &self.encoder.set.enums[self.field.sub as usize];
        match plan.number(name) {
            Some(number) => self.enumeration(number),
            None => Err(Error::ty(format!("{} has no value named {name:?}", plan.full_name))),
        }
    }

    #[cold]
    fn out_of_range(&self, value: i128) -> Error {
        Error::ty(format!("{value} is out of range for {}", self.field.kind.as_str()))
    }

    #[cold]
    pub(super) fn refuse(&self, what: &str) -> Error {
        Error::ty(format!("the field is a {}, which {what} does not fit", describe(self.field, self.place)))
    }
}

/// The field's type in words: of the whole field, or of one of its values.
fn describe(field: &FieldPlan, place: Place) -> String {
    match (field.shape, place) {
        (Shape::List, Place::Member | Place::Required) => format!("repeated {}", field.kind.as_str()),
        (Shape::Map, Place::Member | Place::Required) => "map".into(),
        _ => field.kind.as_str().into(),
    }
}

impl<'a, 'p, K: Sink> Serializer for ValueSerializer<'a, 'p, K> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Sequence<'a, 'p, K>;
    type SerializeTuple = Sequence<'a, 'p, K>;
    type SerializeTupleStruct = Sequence<'a, 'p, K>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = MapOrMessage<'a, 'p, K>;
    type SerializeStruct = Members<'a, 'p, K>;
    type SerializeStructVariant = Impossible<(), Error>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(self, value: bool) -> Result<()> {
        if self.field.kind != Kind::Bool {
            return Err(self.refuse("a bool"));
        }
        put!(self, !value, Bool | bool(value));
        Ok(())
    }

    fn serialize_i8(self, value: i8) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<()> {
        self.integer(value.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i32(self, value: i32) -> Result<()> {
        match self.field.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                put!(self, value == 0, I32 | i32(kind, value));
                Ok(())
            }
            Kind::Enum => self.enumeration(value),
            _ => self.integer(value.into()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i64(self, value: i64) -> Result<()> {
        match self.field.kind {
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                put!(self, value == 0, I64 | i64(kind, value));
                Ok(())
            }
            _ => self.integer(value.into()),
        }
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.integer(value)
    }

    fn serialize_u8(self, value: u8) -> Result<()> {
        self.integer(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<()> {
        self.integer(value.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u32(self, value: u32) -> Result<()> {
        match self.field.kind {
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                put!(self, value == 0, U32 | u32(kind, value));
                Ok(())
            }
            _ => self.integer(value.into()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u64(self, value: u64) -> Result<()> {
        match self.field.kind {
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                put!(self, value == 0, U64 | u64(kind, value));
                Ok(())
            }
            _ => self.integer(value.into()),
        }
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        match i128::try_from(value) {
            Ok(value) => self.integer(value),
            Err(_) => Err(self.out_of_range(i128::MAX)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(self, value: f32) -> Result<()> {
        if self.field.kind != Kind::Float {
            return self.serialize_f64(value.into());
        }
        put!(self, value.to_bits() == 0, F32 | f32(value));
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(self, value: f64) -> Result<()> {
        if self.field.kind != Kind::Double {
            return self.other_float(value);
        }
        put!(self, value.to_bits() == 0, F64 | f64(value));
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(self, value: &str) -> Result<()> {
        match self.field.kind {
            Kind::String => {
                put!(self, value.is_empty(), Str | str(value));
                Ok(())
            }
            // Strings of a schema that does not validate them may be bound to byte strings, and the reverse.
            Kind::Bytes => self.serialize_bytes(value.as_bytes()),
            Kind::Enum => self.named_value(value),
            _ if self.place == Place::Key => key::parse(self.field.kind, value)?.serialize(self),
            _ => Err(self.refuse("a string")),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match self.field.kind {
            Kind::Bytes => {
                put!(self, value.is_empty(), Bytes | bytes(value));
                Ok(())
            }
            Kind::String => self.text_bytes(value),
            _ => Err(self.refuse("bytes")),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<()> {
        match self.place {
            Place::Inside | Place::Key => Err(self.refuse("none")),
            Place::Member if self.field.presence != Presence::Required => Ok(()),
            _ if self.encoder.partial => Ok(()),
            _ => Err(Error::required(&self.field.name)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<()> {
        // A struct without members is a message without fields.
        self.serialize_struct(name, 0).and_then(serde::ser::SerializeStruct::end)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        match self.field.kind {
            Kind::Enum => self.named_value(variant),
            Kind::String => self.serialize_str(variant),
            _ => Err(self.refuse("an enum variant")),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<()> {
        Err(self.refuse("an enum variant with a value"))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq> {
        match (self.field.shape, self.place) {
            (Shape::List, Place::Member | Place::Required) => {
                Ok(Sequence::List(Elements::new(self.encoder, self.field, len)))
            }
            _ if self.field.kind == Kind::Bytes || (self.field.kind == Kind::String && !self.field.utf8) => {
                let bytes = Vec::with_capacity(len.unwrap_or(0).min(4096));
                Ok(Sequence::Bytes { value: self, bytes })
            }
            _ => Err(self.refuse("a sequence")),
        }
    }

    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Self::SerializeTupleStruct> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        Err(self.refuse("an enum variant with several values"))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_map(self, _: Option<usize>) -> Result<Self::SerializeMap> {
        match (self.field.shape, self.place) {
            (Shape::Map, Place::Member | Place::Required) => {
                Ok(MapOrMessage::Map(Entries::new(self.encoder, self.field)))
            }
            _ => Ok(MapOrMessage::Message(self.message("")?)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeStruct> {
        self.message(name)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self::SerializeStructVariant> {
        Err(self.refuse("an enum variant with named members"))
    }
}

impl<K: Sink> ValueSerializer<'_, '_, K> {
    /// A string whose Rust type is bytes, which need not be UTF-8 where the schema does not ask for it.
    #[cold]
    fn text_bytes(self, value: &[u8]) -> Result<()> {
        match std::str::from_utf8(value) {
            Ok(text) => self.serialize_str(text),
            Err(_) if self.field.utf8 => Err(Error::ty("the bytes of a string are not valid UTF-8")),
            Err(_) => {
                if let As::Field = self.single(false)? {
                    self.encoder.sink.field(self.field);
                }
                self.encoder.sink.text_bytes(value)
            }
        }
    }

    /// A float whose Rust type is not the one of the field.
    #[cold]
    fn other_float(self, value: f64) -> Result<()> {
        match self.field.kind {
            Kind::Float => {
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Error::ty(format!("{value} is out of range for float")));
                }
                put!(self, narrow.to_bits() == 0, F32 | f32(narrow));
                Ok(())
            }
            Kind::Double => self.serialize_f64(value),
            _ if value.fract() == 0.0 && value.abs() < 2f64.powi(64) => self.integer(value as i128),
            _ => Err(self.refuse("a floating-point number")),
        }
    }
}

/// A sequence: a list, or a byte string given as a list of numbers.
pub(super) enum Sequence<'a, 'p, K: Sink> {
    List(Elements<'a, 'p, K>),
    Bytes { value: ValueSerializer<'a, 'p, K>, bytes: Vec<u8> },
}

impl<K: Sink> SerializeSeq for Sequence<'_, '_, K> {
    type Ok = ();
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            Sequence::List(list) => list.element(value),
            Sequence::Bytes { bytes, .. } => {
                bytes.push(value.serialize(super::number::ByteSerializer)?);
                Ok(())
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<()> {
        match self {
            Sequence::List(list) => list.end(),
            Sequence::Bytes { value, bytes } => value.serialize_bytes(&bytes),
        }
    }
}

impl<K: Sink> SerializeTuple for Sequence<'_, '_, K> {
    type Ok = ();
    type Error = Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<()> {
        SerializeSeq::end(self)
    }
}

impl<K: Sink> SerializeTupleStruct for Sequence<'_, '_, K> {
    type Ok = ();
    type Error = Error;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        SerializeSeq::serialize_element(self, value)
    }

    fn end(self) -> Result<()> {
        SerializeSeq::end(self)
    }
}

/// A map: a map field, or a message given as a map from names.
pub(super) enum MapOrMessage<'a, 'p, K: Sink> {
    Map(Entries<'a, 'p, K>),
    Message(Members<'a, 'p, K>),
}

impl<K: Sink> SerializeMap for MapOrMessage<'_, '_, K> {
    type Ok = ();
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        match self {
            MapOrMessage::Map(map) => map.key(key),
            MapOrMessage::Message(message) => message.serialize_key(key),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self {
            MapOrMessage::Map(map) => map.value(value),
            MapOrMessage::Message(message) => message.serialize_value(value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_entry<Q, T>(&mut self, key: &Q, value: &T) -> Result<()>
    where
        Q: Serialize + ?Sized,
        T: Serialize + ?Sized,
    {
        match self {
            MapOrMessage::Map(map) => map.entry(key, value),
            MapOrMessage::Message(message) => message.serialize_entry(key, value),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<()> {
        match self {
            MapOrMessage::Map(map) => map.end(),
            MapOrMessage::Message(message) => SerializeMap::end(message),
        }
    }
}
