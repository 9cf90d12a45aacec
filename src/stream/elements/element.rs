//! The results of decoding an element of a repeated field.

use super::raw::{FromRaw, Raw};
use crate::descriptor::Kind;
use crate::dynamic::DynamicMessage;
use crate::error::{Error, Result, WireError};
use crate::message::Message;
use crate::reflect::{MapKey, MapKeyRef, Value, ValueRef};
use crate::wire::{Reader, Tag, WireType, Writer, unzigzag32, unzigzag64, utf8};
use bytes::Bytes;
use serde::de::DeserializeOwned;

/// An element of a repeated field of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Element {
    /// An element of a list.
    Value(Value),
    /// An entry of a map. A later entry with the same key replaces it.
    Entry(MapKey, Value),
}

/// The types of decoded elements: messages of Rust types, or [`Element`].
pub trait FromElement: Sized + FromRaw {}

impl<T: FromRaw> FromElement for T {}

impl<T: Message + DeserializeOwned> FromRaw for T {
    fn from_raw(raw: Raw<'_>) -> Result<Option<Self>> {
        let (ours, message) = (T::descriptor(), raw.field.message_type());
        if raw.field.is_map() || message.is_none_or(|message| message.full_name() != ours.full_name()) {
            let field = raw.field.full_name();
            return Err(Error::schema(format!("the elements of {field} are no {}", ours.full_name())));
        }
        raw.options.from_slice(raw.bytes).map(Some)
    }
}

impl FromRaw for Element {
    fn from_raw(raw: Raw<'_>) -> Result<Option<Self>> {
        if raw.field.is_map() {
            return entry(raw);
        }
        if let Some(message) = raw.field.message_type() {
            let bytes = Bytes::copy_from_slice(raw.bytes);
            let message = DynamicMessage::decode_bytes_with(&message, bytes, raw.options)?;
            return Ok(Some(Element::Value(Value::Message(message))));
        }
        Ok(value(raw)?.map(Element::Value))
    }
}

/// The entry, decoded as a map with this entry alone.
fn entry(raw: Raw<'_>) -> Result<Option<Element>> {
    let mut alone = Writer::new();
    alone.tag(Tag::new(raw.field.number(), WireType::Len));
    alone.len_prefixed(raw.bytes);
    let alone = alone.finish()?;
    let before = alone.len() - raw.bytes.len();
    // The message around it was counted already.
    let (limits, _) = raw.options.parts();
    let options = raw.options.partial(true).limits(limits.depth(limits.max_depth() + 1));
    let parent = raw.field.message();
    let message = DynamicMessage::decode_with(&parent, &alone, options)
        .map_err(|error| error.outside_field().shift_bytes((before as u64).wrapping_neg()))?;
    let mut found = None;
    if let Some(map) = crate::reflect::Reflect::get(&message, raw.field)?.as_map() {
        map.visit(&mut |key: MapKeyRef<'_>, value: ValueRef<'_>| {
            found = Some(value.to_value().map(|value| Element::Entry(key.to_key(), value)));
            false
        });
    }
    found.transpose()
}

/// A number or a text.
fn value(raw: Raw<'_>) -> Result<Option<Value>> {
    let mut reader = Reader::new(raw.bytes);
    Ok(Some(match raw.field.kind() {
        Kind::Double => Value::F64(f64::from_bits(reader.fixed64()?)),
        Kind::Float => Value::F32(f32::from_bits(reader.fixed32()?)),
        Kind::Int32 => Value::I32(reader.varint()? as i32),
        Kind::Int64 => Value::I64(reader.varint()? as i64),
        Kind::UInt32 => Value::U32(reader.varint()? as u32),
        Kind::UInt64 => Value::U64(reader.varint()?),
        Kind::SInt32 => Value::I32(unzigzag32(reader.varint()? as u32)),
        Kind::SInt64 => Value::I64(unzigzag64(reader.varint()?)),
        Kind::Fixed32 => Value::U32(reader.fixed32()?),
        Kind::Fixed64 => Value::U64(reader.fixed64()?),
        Kind::SFixed32 => Value::I32(reader.fixed32()? as i32),
        Kind::SFixed64 => Value::I64(reader.fixed64()? as i64),
        Kind::Bool => Value::Bool(reader.varint()? != 0),
        Kind::Enum(known) => {
            let number = reader.varint()? as i32;
            if known.is_closed() && known.value_by_number(number).is_none() {
                return Ok(None);
            }
            Value::Enum(number)
        }
        Kind::String => match utf8(raw.bytes) {
            Ok(text) => Value::String(text.to_owned()),
            Err(_) if !raw.field.validates_utf8() => Value::Bytes(Bytes::copy_from_slice(raw.bytes)),
            Err(error) => return Err(Error::wire(WireError::Utf8, error.valid_up_to())),
        },
        Kind::Bytes => Value::Bytes(Bytes::copy_from_slice(raw.bytes)),
        Kind::Message(_) => return Ok(None),
    }))
}
