//! Reads and writes values of extensions whose Rust type is not known.

use crate::descriptor::{FieldDescriptor, Kind, Type};
use crate::error::Result;
use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::{Value, check};
use crate::options::{DecodeOptions, EncodeOptions};
use crate::table::Table;
use crate::wire::{Reader, Tag, WireType, Writer};
use std::borrow::Cow;

/// The depth to which groups may nest in fields that are skipped.
pub(super) const DEPTH: u32 = 100;

/// Returns the value of the field `field` from the fields of a message; `None` if it is absent.
///
/// # Errors
/// The fields are malformed.
pub(super) fn read(field: &FieldDescriptor, fields: &[u8]) -> Result<Option<Value>> {
    let mut found = Vec::new();
    // If the message occurs several times, concatenating its occurrences merges them.
    let mut occurrences: Option<Vec<u8>> = None;
    let single = !field.is_list();
    let kind = field.kind();
    let own = if field.is_delimited() { WireType::StartGroup } else { kind.wire_type() };
    let mut reader = Reader::new(fields);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        let wire_type = tag.wire_type();
        if tag.number() != field.number() {
            reader.skip(tag, DEPTH)?;
        } else if wire_type == own {
            match &kind {
                Kind::Message(message) => {
                    let content = match wire_type {
                        WireType::StartGroup => reader.group(tag.number(), DEPTH)?,
                        _ => reader.len_prefixed()?,
                    };
                    if single {
                        occurrences.get_or_insert_default().extend_from_slice(content);
                    } else {
                        let options = DecodeOptions::new().partial(true);
                        found.push(Value::Message(DynamicMessage::decode_with(message, content, options)?));
                    }
                }
                kind => found.extend(scalar(field, kind, &mut reader)?),
            }
        } else if wire_type == WireType::Len && !single && kind.ty().is_packable() {
            let mut packed = reader.within(reader.clone().len_prefixed()?);
            reader.len_prefixed()?;
            while !packed.is_empty() {
                found.extend(scalar(field, &kind, &mut packed)?);
            }
        } else {
            reader.skip(tag, DEPTH)?;
        }
    }
    if let (Some(content), Kind::Message(message)) = (occurrences, &kind) {
        let options = DecodeOptions::new().partial(true);
        return Ok(Some(Value::Message(DynamicMessage::decode_with(message, &content, options)?)));
    }
    if single {
        return Ok(found.pop());
    }
    Ok((!found.is_empty()).then_some(Value::List(found)))
}

/// Returns `fields` without those that have the number of the extension but another wire type, because these are unknown fields
/// and not malformed values. If `fields` is malformed, returns it unchanged, so that the decoder reports the error.
pub(super) fn readable<'f>(field: &FieldDescriptor, fields: &'f [u8]) -> Cow<'f, [u8]> {
    let own = if field.is_delimited() { WireType::StartGroup } else { field.kind().wire_type() };
    let packable = field.is_list() && field.kind().ty().is_packable();
    let mut kept: Option<Vec<u8>> = None;
    let mut reader = Reader::new(fields);
    while !reader.is_empty() {
        let start = reader.position();
        let Ok(tag) = reader.tag() else { return fields.into() };
        if reader.skip(tag, DEPTH).is_err() {
            return fields.into();
        }
        let wire_type = tag.wire_type();
        if tag.number() == field.number() && wire_type != own && !(packable && wire_type == WireType::Len) {
            kept.get_or_insert_with(|| fields[..start].to_vec());
        } else if let Some(kept) = &mut kept {
            kept.extend_from_slice(&fields[start..reader.position()]);
        }
    }
    kept.map_or(fields.into(), Cow::Owned)
}

/// True if fields from [`readable`] contain a value of the extension.
///
/// # Errors
/// The fields are malformed.
pub(super) fn holds(field: &FieldDescriptor, fields: &[u8]) -> Result<bool> {
    let closed = field.kind().as_enum().is_some_and(|declared| declared.is_closed());
    if closed && !field.is_list() {
        return Ok(read(field, fields)?.is_some());
    }
    let mut reader = Reader::new(fields);
    while !reader.is_empty() {
        let tag = reader.tag()?;
        if tag.number() == field.number() {
            return Ok(true);
        }
        reader.skip(tag, DEPTH)?;
    }
    Ok(false)
}

/// Reads a value that is not a message. Returns `None` for an unknown number of a closed enum.
fn scalar(field: &FieldDescriptor, kind: &Kind, reader: &mut Reader<'_>) -> Result<Option<Value>> {
    Ok(Some(match kind.ty() {
        Type::Double => Value::F64(f64::from_bits(reader.fixed64()?)),
        Type::Float => Value::F32(f32::from_bits(reader.fixed32()?)),
        Type::Int32 => Value::I32(reader.varint()? as i32),
        Type::Int64 => Value::I64(reader.varint()? as i64),
        Type::UInt32 => Value::U32(reader.varint()? as u32),
        Type::UInt64 => Value::U64(reader.varint()?),
        Type::SInt32 => {
            let value = reader.varint()? as u32;
            Value::I32((value >> 1) as i32 ^ -((value & 1) as i32))
        }
        Type::SInt64 => {
            let value = reader.varint()?;
            Value::I64((value >> 1) as i64 ^ -((value & 1) as i64))
        }
        Type::Fixed32 => Value::U32(reader.fixed32()?),
        Type::Fixed64 => Value::U64(reader.fixed64()?),
        Type::SFixed32 => Value::I32(reader.fixed32()? as i32),
        Type::SFixed64 => Value::I64(reader.fixed64()? as i64),
        Type::Bool => Value::Bool(reader.varint()? != 0),
        Type::String if field.validates_utf8() => Value::String(reader.string()?.to_owned()),
        Type::String => {
            let bytes = reader.len_prefixed()?;
            match std::str::from_utf8(bytes) {
                Ok(text) => Value::String(text.to_owned()),
                Err(_) => Value::Bytes(bytes.to_vec().into()),
            }
        }
        Type::Bytes => Value::Bytes(reader.len_prefixed()?.to_vec().into()),
        Type::Enum => {
            let number = reader.varint()? as i32;
            let closed = kind.as_enum().filter(|declared| declared.is_closed());
            if closed.is_some_and(|declared| declared.value_name(number).is_none()) {
                return Ok(None);
            }
            Value::Enum(number)
        }
        Type::Message => return Ok(None),
    }))
}

/// Encodes a value as a field. `table` belongs to a message with only this field.
///
/// # Errors
/// The value has another kind.
pub(super) fn write(table: &Table, field: &FieldDescriptor, value: Value) -> Result<Vec<u8>> {
    let row = &table.rows[0];
    check::value(row, &value).map_err(|error| error.in_field(&row.name).within_message(&table.full_name))?;
    let mut writer = Writer::new();
    match value {
        Value::List(values) if field.is_packed() && !values.is_empty() => {
            let mut packed = Writer::new();
            for value in &values {
                content(field, value, &mut packed)?;
            }
            writer.tag(Tag::new(field.number(), WireType::Len));
            writer.len_prefixed(&packed.finish()?);
        }
        Value::List(values) => {
            for value in &values {
                tagged(field, value, &mut writer)?;
            }
        }
        value => tagged(field, &value, &mut writer)?,
    }
    writer.finish()
}

fn tagged(field: &FieldDescriptor, value: &Value, writer: &mut Writer) -> Result<()> {
    let number = field.number();
    if let (Value::Message(message), true) = (value, field.is_delimited()) {
        writer.tag(Tag::new(number, WireType::StartGroup));
        writer.raw(&message.encode_with(EncodeOptions::new().partial(true))?);
        writer.tag(Tag::new(number, WireType::EndGroup));
        return Ok(());
    }
    writer.tag(Tag::new(number, field.ty().wire_type()));
    content(field, value, writer)
}

fn content(field: &FieldDescriptor, value: &Value, writer: &mut Writer) -> Result<()> {
    let ty = field.ty();
    match value {
        Value::Bool(value) => writer.varint((*value).into()),
        Value::I32(value) => match ty {
            Type::SInt32 => writer.varint(((value << 1) ^ (value >> 31)) as u32 as u64),
            Type::SFixed32 => writer.fixed32(*value as u32),
            _ => writer.varint(i64::from(*value) as u64),
        },
        Value::I64(value) => match ty {
            Type::SInt64 => writer.varint(((value << 1) ^ (value >> 63)) as u64),
            Type::SFixed64 => writer.fixed64(*value as u64),
            _ => writer.varint(*value as u64),
        },
        Value::U32(value) if ty == Type::Fixed32 => writer.fixed32(*value),
        Value::U32(value) => writer.varint((*value).into()),
        Value::U64(value) if ty == Type::Fixed64 => writer.fixed64(*value),
        Value::U64(value) => writer.varint(*value),
        Value::F32(value) => writer.fixed32(value.to_bits()),
        Value::F64(value) => writer.fixed64(value.to_bits()),
        Value::String(value) => writer.len_prefixed(value.as_bytes()),
        Value::Bytes(value) => writer.len_prefixed(value),
        Value::Enum(value) => writer.varint(i64::from(*value) as u64),
        Value::Message(message) => {
            writer.len_prefixed(&message.encode_with(EncodeOptions::new().partial(true))?);
        }
        // An element of a list is neither a list nor a map, and the caller has checked the value.
        Value::List(_) | Value::Map(_) => {}
    }
    Ok(())
}
