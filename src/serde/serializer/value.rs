//! Serializes a single value, or a whole list or map, as its field requires.

use super::collect::{MapOrMessage, Sequence};
use super::message::Members;
use super::{collect, key};
use crate::error::{Error, Result};
use crate::layout::Storage;
use crate::message::dynamic::ValueWriter;
use crate::object::{Copying, Object, copy};
use crate::serde::others::handed_over;
use crate::syntax::json::lex::TEXT_OF_NUMBER;
use crate::table::{Kind, Presence, Row, Shape};
use serde::ser::{Impossible, Serialize, SerializeSeq, SerializeStruct, Serializer};

/// The role of a value in its field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// The value of the field.
    Member,
    /// An element of a list.
    Element,
    /// The value of a map entry.
    Value,
    /// The key of a map entry, which may come as text.
    Key,
}

/// The target of the next value, and its context. A message uses one `Context` for all of its members, and a list uses
/// one for all of its elements.
pub(crate) struct Context<'d, 't> {
    pub(super) target: ValueWriter<'d, 't>,
    /// How many more levels of messages may be opened.
    pub(super) depth: u32,
    pub(super) position: Position,
    /// The Rust type of a single value, if this type is bound to the message or enum of the field.
    pub(super) bound: Option<Storage>,
}

/// Writes a value to its target.
pub(crate) struct ValueSerializer<'a, 'd, 't>(pub(super) &'a mut Context<'d, 't>);

impl<'a, 'd, 't> ValueSerializer<'a, 'd, 't> {
    #[inline]
    pub(super) fn row(&self) -> &'t Row {
        self.0.target.row()
    }

    /// True if the value is the whole field.
    #[inline]
    fn is_member(&self) -> bool {
        self.0.position == Position::Member
    }

    fn put(self, bits: u64) -> Result<()> {
        if self.is_member() && self.row().shape != Shape::Singular {
            return Err(self.refuse("one value"));
        }
        self.0.target.set_scalar(bits)
    }

    fn put_text(self, bytes: &[u8]) -> Result<()> {
        if self.is_member() && self.row().shape != Shape::Singular {
            return Err(self.refuse("one value"));
        }
        self.0.target.set_text(bytes)
    }

    #[inline(never)]
    fn integer(self, value: i128) -> Result<()> {
        let bits = match self.row().kind {
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::Enum => {
                i32::try_from(value).ok().map(|value| u64::from(value as u32))
            }
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => {
                i64::try_from(value).ok().map(|value| value as u64)
            }
            Kind::UInt32 | Kind::Fixed32 => u32::try_from(value).ok().map(u64::from),
            Kind::UInt64 | Kind::Fixed64 => u64::try_from(value).ok(),
            Kind::Double => Some((value as f64).to_bits()),
            Kind::Float => Some(u64::from((value as f32).to_bits())),
            Kind::Bool | Kind::String | Kind::Bytes | Kind::Message | Kind::Group => {
                return Err(self.refuse("a number"));
            }
        };
        match bits {
            Some(bits) => self.put(bits),
            None => Err(self.out_of_range(value)),
        }
    }

    /// Parses a number from text.
    #[cold]
    fn number(self, digits: &str) -> Result<()> {
        let no_number = |_| Error::ty(format!("{digits:?} is not a number"));
        match self.row().kind {
            Kind::Float => self.float(digits.parse().map_err(no_number)?),
            Kind::Double => self.double(digits.parse().map_err(no_number)?),
            _ => match digits.parse() {
                Ok(value) => self.integer(value),
                Err(_) => self.double(digits.parse().map_err(no_number)?),
            },
        }
    }

    #[inline(never)]
    fn bool(self, value: bool) -> Result<()> {
        match self.row().kind {
            Kind::Bool => self.put(u64::from(value)),
            _ => Err(self.refuse("a bool")),
        }
    }

    #[inline(never)]
    fn float(self, value: f32) -> Result<()> {
        match self.row().kind {
            Kind::Float => self.put(u64::from(value.to_bits())),
            _ => self.double(value.into()),
        }
    }

    #[inline(never)]
    fn double(self, value: f64) -> Result<()> {
        match self.row().kind {
            Kind::Double => self.put(value.to_bits()),
            _ => self.other_float(value),
        }
    }

    #[cold]
    fn named_value(self, name: &str) -> Result<()> {
        let table = self.row().enumeration();
        match table.number(name) {
            Some(number) => self.put(u64::from(number as u32)),
            None => Err(Error::ty(format!("{} has no value named {name:?}", table.full_name))),
        }
    }

    #[cold]
    fn out_of_range(&self, value: i128) -> Error {
        Error::ty(format!("{value} is out of range for {}", self.row().kind.as_str()))
    }

    #[cold]
    pub(super) fn refuse(&self, what: &str) -> Error {
        let row = self.row();
        let field = match row.shape {
            Shape::List if self.is_member() => format!("repeated {}", row.kind.as_str()),
            Shape::Map if self.is_member() => "map".into(),
            _ => row.kind.as_str().into(),
        };
        Error::ty(format!("the field is a {field}, which {what} does not fit"))
    }

    /// Returns the members of a message.
    #[inline]
    pub(super) fn message(self) -> Result<Members<'a, 't>> {
        let row = self.row();
        if self.is_member() && row.shape != Shape::Singular || !row.is_message() {
            return Err(self.refuse("a struct"));
        }
        let (depth, shape) = (self.0.depth, self.0.bound.and_then(Storage::message));
        Members::begin(self.0.target.child()?, depth, shape)
    }

    #[cold]
    fn text_bytes(self, value: &[u8]) -> Result<()> {
        match std::str::from_utf8(value) {
            Err(_) if self.row().utf8 => Err(Error::ty("the bytes of a string are not valid UTF-8")),
            _ => self.put_text(value),
        }
    }

    #[cold]
    fn other_float(self, value: f64) -> Result<()> {
        match self.row().kind {
            Kind::Float => {
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Error::ty(format!("{value} is out of range for float")));
                }
                self.put(u64::from(narrow.to_bits()))
            }
            _ if value.fract() == 0.0 && value.abs() < 2f64.powi(64) => self.integer(value as i128),
            _ => Err(self.refuse("a floating-point number")),
        }
    }
}

macro_rules! integers {
    ($($method:ident $ty:ty),*) => {
        $(
            fn $method(self, value: $ty) -> Result<()> {
                self.integer(i128::from(value))
            }
        )*
    };
}

impl<'a, 'd, 't> Serializer for ValueSerializer<'a, 'd, 't> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Sequence<'a, 'd, 't>;
    type SerializeTuple = Sequence<'a, 'd, 't>;
    type SerializeTupleStruct = Sequence<'a, 'd, 't>;
    type SerializeTupleVariant = Impossible<(), Error>;
    type SerializeMap = MapOrMessage<'a, 'd, 't>;
    type SerializeStruct = MessageOrNumber<'a, 'd, 't>;
    type SerializeStructVariant = Impossible<(), Error>;

    integers!(serialize_i8 i8, serialize_i16 i16, serialize_u8 u8, serialize_u16 u16);

    #[inline]
    fn serialize_i32(self, value: i32) -> Result<()> {
        match self.0.target.plain() {
            // If the kind is a constant here, `put` needs no branch by the kind.
            Some(Kind::Int32 | Kind::Enum) => {
                self.0.target.put(Kind::Int32, u64::from(value as u32));
                Ok(())
            }
            Some(kind @ (Kind::SInt32 | Kind::SFixed32)) => {
                self.0.target.put(kind, u64::from(value as u32));
                Ok(())
            }
            _ => self.integer(value.into()),
        }
    }

    #[inline]
    fn serialize_i64(self, value: i64) -> Result<()> {
        match self.0.target.plain() {
            Some(Kind::Int64) => {
                self.0.target.put(Kind::Int64, value as u64);
                Ok(())
            }
            Some(kind @ (Kind::SInt64 | Kind::SFixed64)) => {
                self.0.target.put(kind, value as u64);
                Ok(())
            }
            _ => self.integer(value.into()),
        }
    }

    #[inline]
    fn serialize_u32(self, value: u32) -> Result<()> {
        match self.0.target.plain() {
            Some(kind @ (Kind::UInt32 | Kind::Fixed32)) => {
                self.0.target.put(kind, value.into());
                Ok(())
            }
            _ => self.integer(value.into()),
        }
    }

    #[inline]
    fn serialize_u64(self, value: u64) -> Result<()> {
        match self.0.target.plain() {
            Some(kind @ (Kind::UInt64 | Kind::Fixed64)) => {
                self.0.target.put(kind, value);
                Ok(())
            }
            _ => self.integer(value.into()),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        match self.0.target.plain() {
            Some(kind @ Kind::Bool) => {
                self.0.target.put(kind, value.into());
                Ok(())
            }
            _ => self.bool(value),
        }
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.integer(value)
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        match i128::try_from(value) {
            Ok(value) => self.integer(value),
            Err(_) => Err(self.out_of_range(i128::MAX)),
        }
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<()> {
        match self.0.target.plain() {
            Some(kind @ Kind::Float) => {
                self.0.target.put(kind, value.to_bits().into());
                Ok(())
            }
            _ => self.float(value),
        }
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<()> {
        match self.0.target.plain() {
            Some(kind @ Kind::Double) => {
                self.0.target.put(kind, value.to_bits());
                Ok(())
            }
            _ => self.double(value),
        }
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        match self.row().kind {
            // A Rust string also fits a field of type `bytes`.
            Kind::String | Kind::Bytes => self.put_text(value.as_bytes()),
            Kind::Enum => self.named_value(value),
            Kind::Bool if self.0.position == Position::Key => {
                let key = key::parse(Kind::Bool, value)?;
                self.put(key as u64)
            }
            kind if self.0.position == Position::Key => {
                let key = key::parse(kind, value)?;
                self.integer(key)
            }
            _ => Err(self.refuse("a string")),
        }
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match self.row().kind {
            Kind::Bytes => self.put_text(value),
            Kind::String => self.text_bytes(value),
            _ => Err(self.refuse("bytes")),
        }
    }

    fn serialize_none(self) -> Result<()> {
        match self.0.position {
            Position::Member if self.row().presence != Presence::Required => Ok(()),
            Position::Element | Position::Value | Position::Key => Err(self.refuse("none")),
            Position::Member if self.0.target.options().parts().2 => Ok(()),
            Position::Member => Err(Error::required(&self.row().name)),
        }
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<()> {
        self.serialize_none()
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        // A struct without members is a message without fields.
        self.message().and_then(SerializeStruct::end)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result<()> {
        match self.row().kind {
            Kind::Enum => {
                let bound = self.0.bound.and_then(Storage::enumeration);
                match bound.and_then(|shape| shape.variant_number(variant)) {
                    Some(number) => self.put(u64::from(number as u32)),
                    None => self.named_value(variant),
                }
            }
            Kind::String => self.serialize_str(variant),
            _ => Err(self.refuse("an enum variant")),
        }
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<()> {
        let row = self.row();
        if row.is_message()
            && (row.shape == Shape::Singular || !self.is_member())
            && let Some(message) = handed_over(value)?
            && message.table().is_same_message(row.message()?)
        {
            // A message with tobu's derive is copied into the arena directly.
            let depth = self.0.depth;
            let how = Copying { input: None, defaults: false };
            return self.0.target.fill_child(|to| copy(message, to, how, depth));
        }
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

    fn serialize_seq(self, len: Option<usize>) -> Result<Sequence<'a, 'd, 't>> {
        let row = self.row();
        if row.shape == Shape::List && self.is_member() {
            return Ok(Sequence::list(self));
        }
        if row.kind == Kind::Bytes || row.kind == Kind::String && !row.utf8 {
            return Ok(Sequence::bytes(self, len));
        }
        Err(self.refuse("a sequence"))
    }

    fn collect_seq<I: IntoIterator<Item: Serialize>>(self, elements: I) -> Result<()> {
        let row = self.row();
        let elements = elements.into_iter();
        if row.shape == Shape::List && self.is_member() {
            return collect::elements(self.0, elements);
        }
        let mut seq = self.serialize_seq(Some(elements.size_hint().0))?;
        for element in elements {
            SerializeSeq::serialize_element(&mut seq, &element)?;
        }
        SerializeSeq::end(seq)
    }

    fn serialize_tuple(self, len: usize) -> Result<Sequence<'a, 'd, 't>> {
        self.serialize_seq(Some(len))
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Sequence<'a, 'd, 't>> {
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

    fn serialize_map(self, _: Option<usize>) -> Result<MapOrMessage<'a, 'd, 't>> {
        match self.row().shape {
            Shape::Map if self.is_member() => Ok(MapOrMessage::map(self)),
            _ => Ok(MapOrMessage::message(self.message()?)),
        }
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Self::SerializeStruct> {
        match name {
            TEXT_OF_NUMBER => Ok(MessageOrNumber::Number(self.0)),
            _ => self.message().map(MessageOrNumber::Message),
        }
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

/// A struct is a message, or a number that serde_json writes as a struct with its feature `arbitrary_precision`.
pub(crate) enum MessageOrNumber<'a, 'd, 't> {
    Message(Members<'a, 't>),
    Number(&'a mut Context<'d, 't>),
}

impl SerializeStruct for MessageOrNumber<'_, '_, '_> {
    type Ok = ();
    type Error = Error;

    #[inline]
    fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<()> {
        match self {
            MessageOrNumber::Message(message) => message.serialize_field(name, value),
            MessageOrNumber::Number(context) => {
                let digits = value.serialize(key::NameSerializer)?;
                ValueSerializer(context).number(&digits)
            }
        }
    }

    #[inline]
    fn end(self) -> Result<()> {
        match self {
            MessageOrNumber::Message(message) => SerializeStruct::end(message),
            MessageOrNumber::Number(_) => Ok(()),
        }
    }
}
