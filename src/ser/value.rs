//! The value of a field, of a list element, of a map entry.

use super::list::Sequence;
use super::map::{self, Entries};
use super::message::Members;
use super::{Handed, Single, Walk, failed, key, numbers};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, Kind, MessagePlan, Presence, Shape};
use serde::ser::{Impossible, Serialize, SerializeMap, SerializeSeq, Serializer};

/// Where a value stands.
#[derive(Clone, Copy)]
pub(super) enum Place<'p> {
    /// It is all that the field holds: one value, a whole list, a whole map.
    Member,
    /// The same, for a field that must have a value although no bound type says so.
    Required,
    /// One value whose place the sink was told: a list element; and the plan of a message.
    Inside(Option<&'p MessagePlan>),
    /// The value of a map entry, likewise.
    Value(Option<&'p MessagePlan>),
    /// The key of a map entry; it may be given as text.
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
            As::Field => $this.sink.field_value($this.field, Single::$single($($arg),*)),
            As::Value => $this.sink.$value($($arg),*),
        }
    };
}

/// Writes a value as the plan of its field says.
pub(super) struct ValueSerializer<'p, K> {
    pub(super) sink: K,
    pub(super) walk: Walk<'p>,
    pub(super) field: &'p FieldPlan,
    pub(super) place: Place<'p>,
}

impl<'p, K: Handed> ValueSerializer<'p, K> {
    /// How a single value is written: not at all, when it is the default of a field without presence.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn single(&self, is_default: bool) -> Result<As> {
        match self.place {
            Place::Inside(_) => return Ok(As::Value),
            Place::Value(_) | Place::Key => return Ok(if K::BY_HEAD { As::Field } else { As::Value }),
            Place::Member | Place::Required => {}
        }
        if self.field.shape != Shape::Singular {
            return Err(self.refuse("one value"));
        }
        if is_default && self.field.presence == Presence::Implicit && !self.walk.defaults::<K>() {
            return Ok(As::Nothing);
        }
        Ok(As::Field)
    }

    /// Tells the sink where a message goes, unless it was told.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn begin_value(&mut self) -> Result<()> {
        if let As::Field = self.single(false)? {
            self.sink.field(self.field);
        }
        Ok(())
    }

    /// The message plan of the field's type.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn message(mut self, name: &'static str) -> Result<Members<'p, K>> {
        if let Place::Inside(Some(plan)) | Place::Value(Some(plan)) = self.place {
            self.begin_value()?;
            return Members::begin(self.sink, self.walk, plan, Some(self.field), name);
        }
        if !self.field.is_message() {
            return Err(self.refuse("a struct"));
        }
        let Some(plan) = self.walk.message(self.field) else { return Err(self.refuse("a struct")) };
        self.begin_value()?;
        Members::begin(self.sink, self.walk, plan, Some(self.field), name)
    }

    /// An integer whose Rust type is not the one of the field.
    #[cold]
    fn integer(mut self, value: i128) -> Result<K> {
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
        Ok(self.sink)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enumeration(mut self, number: i32) -> Result<K> {
        let plan = &self.walk.context.set.enums[self.field.sub as usize];
        put!(self, number == 0, Enum | enumeration(plan, number));
        Ok(self.sink)
    }

    #[cold]
    fn named_value(self, name: &str) -> Result<K> {
        let plan = &self.walk.context.set.enums[self.field.sub as usize];
        match plan.number(name) {
            Some(number) => self.enumeration(number),
            None => Err(Error::ty(format!("{} has no value named {name:?}", plan.full_name))),
        }
    }

    #[cold]
    fn out_of_range(&self, value: i128) -> Error {
        Error::ty(format!("{value} is out of range for {}", self.field.kind.as_str()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn refuse(&self, what: &str) -> Error {
        refuse(self.field, self.place, what)
    }
}

/// Says what does not fit; by the parts of a serializer, so that this stays in registers.
#[cold]
#[inline(never)]
fn refuse(field: &FieldPlan, place: Place<'_>, what: &str) -> Error {
    Error::ty(format!("the field is a {}, which {what} does not fit", describe(field, place)))
}

/// The field's type in words: of the whole field, or of one of its values.
fn describe(field: &FieldPlan, place: Place<'_>) -> String {
    match (field.shape, place) {
        (Shape::List, Place::Member | Place::Required) => format!("repeated {}", field.kind.as_str()),
        (Shape::Map, Place::Member | Place::Required) => "map".into(),
        _ => field.kind.as_str().into(),
    }
}

impl<'p, K: Handed> Serializer for ValueSerializer<'p, K> {
    type Ok = K;
    type Error = Error;
    type SerializeSeq = Sequence<'p, K>;
    type SerializeTuple = Sequence<'p, K>;
    type SerializeTupleStruct = Sequence<'p, K>;
    type SerializeTupleVariant = Impossible<K, Error>;
    type SerializeMap = MapOrMessage<'p, K>;
    type SerializeStruct = Members<'p, K>;
    type SerializeStructVariant = Impossible<K, Error>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_human_readable(&self) -> bool {
        false
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bool(mut self, value: bool) -> Result<K> {
        if self.field.kind != Kind::Bool {
            return Err(self.refuse("a bool"));
        }
        put!(self, !value, Bool | bool(value));
        Ok(self.sink)
    }

    fn serialize_i8(self, value: i8) -> Result<K> {
        self.integer(value.into())
    }

    fn serialize_i16(self, value: i16) -> Result<K> {
        self.integer(value.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i32(mut self, value: i32) -> Result<K> {
        match self.field.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                put!(self, value == 0, I32 | i32(kind, value));
                Ok(self.sink)
            }
            Kind::Enum => self.enumeration(value),
            _ => self.integer(value.into()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_i64(mut self, value: i64) -> Result<K> {
        match self.field.kind {
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                put!(self, value == 0, I64 | i64(kind, value));
                Ok(self.sink)
            }
            _ => self.integer(value.into()),
        }
    }

    fn serialize_i128(self, value: i128) -> Result<K> {
        self.integer(value)
    }

    fn serialize_u8(self, value: u8) -> Result<K> {
        self.integer(value.into())
    }

    fn serialize_u16(self, value: u16) -> Result<K> {
        self.integer(value.into())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u32(mut self, value: u32) -> Result<K> {
        match self.field.kind {
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                put!(self, value == 0, U32 | u32(kind, value));
                Ok(self.sink)
            }
            _ => self.integer(value.into()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_u64(mut self, value: u64) -> Result<K> {
        match self.field.kind {
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                put!(self, value == 0, U64 | u64(kind, value));
                Ok(self.sink)
            }
            _ => self.integer(value.into()),
        }
    }

    fn serialize_u128(self, value: u128) -> Result<K> {
        match i128::try_from(value) {
            Ok(value) => self.integer(value),
            Err(_) => Err(self.out_of_range(i128::MAX)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f32(mut self, value: f32) -> Result<K> {
        if self.field.kind != Kind::Float {
            return self.serialize_f64(value.into());
        }
        put!(self, value.to_bits() == 0, F32 | f32(value));
        Ok(self.sink)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_f64(mut self, value: f64) -> Result<K> {
        if self.field.kind != Kind::Double {
            return self.other_float(value);
        }
        put!(self, value.to_bits() == 0, F64 | f64(value));
        Ok(self.sink)
    }

    fn serialize_char(self, value: char) -> Result<K> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_str(mut self, value: &str) -> Result<K> {
        match self.field.kind {
            Kind::String => {
                put!(self, value.is_empty(), Str | str(value));
                Ok(self.sink)
            }
            // Strings of a schema that does not validate them may be bound to byte strings, and the reverse.
            Kind::Bytes => self.serialize_bytes(value.as_bytes()),
            Kind::Enum => self.named_value(value),
            _ if matches!(self.place, Place::Key) => key::parse(self.field.kind, value)?.serialize(self),
            _ => Err(self.refuse("a string")),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_bytes(mut self, value: &[u8]) -> Result<K> {
        match self.field.kind {
            Kind::Bytes => {
                put!(self, value.is_empty(), Bytes | bytes(value));
                Ok(self.sink)
            }
            Kind::String => self.text_bytes(value),
            _ => Err(self.refuse("bytes")),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_none(self) -> Result<K> {
        match self.place {
            Place::Inside(_) | Place::Value(_) | Place::Key => Err(self.refuse("none")),
            Place::Member if self.field.presence != Presence::Required => Ok(self.sink),
            _ if self.walk.context.partial => Ok(self.sink),
            _ => Err(Error::required(&self.field.name)),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<K> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<K> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Result<K> {
        // A struct without members is a message without fields.
        self.serialize_struct(name, 0).and_then(serde::ser::SerializeStruct::end)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<K> {
        match self.field.kind {
            Kind::Enum => self.named_value(variant),
            Kind::String => self.serialize_str(variant),
            _ => Err(self.refuse("an enum variant")),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, name: &'static str, value: &T) -> Result<K> {
        self.newtype(name, value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<K> {
        Err(self.refuse("an enum variant with a value"))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_seq(self, len: Option<usize>) -> Result<Self::SerializeSeq> {
        match (self.field.shape, self.place) {
            (Shape::List, Place::Member | Place::Required) => Ok(Sequence::list(self, len)),
            _ if self.field.kind == Kind::Bytes || (self.field.kind == Kind::String && !self.field.utf8) => {
                Ok(Sequence::bytes(self, len))
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
                let map = Entries::new(self.sink, self.walk, self.field);
                Ok(MapOrMessage { map: Some(map), message: None })
            }
            _ => Ok(MapOrMessage { map: None, message: Some(Box::new(self.message("")?)) }),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, values: I) -> Result<K> {
        let values = values.into_iter();
        if self.field.shape == Shape::List
            && !matches!(
                self.field.kind,
                Kind::String | Kind::Bytes | Kind::Enum | Kind::Message | Kind::Group
            )
            && matches!(self.place, Place::Member | Place::Required)
        {
            return numbers::write_all(self, values);
        }
        let (len, most) = values.size_hint();
        let mut list = self.serialize_seq(if most == Some(len) { most } else { None })?;
        for value in values {
            list.serialize_element(&value)?;
        }
        list.end()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn collect_map<Q, T, I>(self, entries: I) -> Result<K>
    where
        Q: Serialize,
        T: Serialize,
        I: IntoIterator<Item = (Q, T)>,
    {
        match (self.field.shape, self.place) {
            (Shape::Map, Place::Member | Place::Required) if !self.walk.context.deterministic => {
                map::write_all(self.sink, self.walk, self.field, entries.into_iter())
            }
            _ => one_by_one(self, entries.into_iter()),
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

impl<K: Handed> ValueSerializer<'_, K> {
    /// A string whose Rust type is bytes, which need not be UTF-8 where the schema does not ask for it.
    #[cold]
    fn text_bytes(mut self, value: &[u8]) -> Result<K> {
        match std::str::from_utf8(value) {
            Ok(text) => self.serialize_str(text),
            Err(_) if self.field.utf8 => Err(Error::ty("the bytes of a string are not valid UTF-8")),
            Err(_) => {
                if let As::Field = self.single(false)? {
                    self.sink.field(self.field);
                }
                self.sink.text_bytes(value)?;
                Ok(self.sink)
            }
        }
    }

    /// A float whose Rust type is not the one of the field.
    #[cold]
    fn other_float(mut self, value: f64) -> Result<K> {
        match self.field.kind {
            Kind::Float => {
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Error::ty(format!("{value} is out of range for float")));
                }
                put!(self, narrow.to_bits() == 0, F32 | f32(narrow));
                Ok(self.sink)
            }
            Kind::Double => self.serialize_f64(value),
            _ if value.fract() == 0.0 && value.abs() < 2f64.powi(64) => self.integer(value as i128),
            _ => Err(self.refuse("a floating-point number")),
        }
    }
}

/// A map of which more is to be known than how its entries are written.
#[cold]
#[inline(never)]
fn one_by_one<K: Handed, Q: Serialize, T: Serialize>(
    value: ValueSerializer<'_, K>,
    mut entries: impl Iterator<Item = (Q, T)>,
) -> Result<K> {
    let mut map = value.serialize_map(None)?;
    entries.try_for_each(|(key, value)| map.serialize_entry(&key, &value))?;
    map.end()
}

/// A map: a map field, or a message given as a map from names. Not an enum, so that the entries stay in registers.
pub(super) struct MapOrMessage<'p, K: Handed> {
    map: Option<Entries<'p, K>>,
    message: Option<Box<Members<'p, K>>>,
}

impl<K: Handed> SerializeMap for MapOrMessage<'_, K> {
    type Ok = K;
    type Error = Error;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        match (&mut self.message, &mut self.map) {
            (Some(message), _) => message.serialize_key(key),
            (None, Some(map)) => map.key(key),
            (None, None) => Err(failed()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match (&mut self.message, &mut self.map) {
            (Some(message), _) => message.serialize_value(value),
            (None, Some(map)) => map.value(value),
            (None, None) => Err(failed()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn serialize_entry<Q, T>(&mut self, key: &Q, value: &T) -> Result<()>
    where
        Q: Serialize + ?Sized,
        T: Serialize + ?Sized,
    {
        match (&mut self.message, &mut self.map) {
            (Some(message), _) => message.serialize_entry(key, value),
            (None, Some(map)) => map.entry(key, value),
            (None, None) => Err(failed()),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end(self) -> Result<K> {
        match (self.message, self.map) {
            (Some(message), _) => SerializeMap::end(*message),
            (None, Some(map)) => map.end(),
            (None, None) => Err(failed()),
        }
    }
}
