//! Scalars as literals of the language.

use std::fmt::Write;

use super::super::{DefaultValue, FieldDescriptor, Type};
use crate::wire::{Reader, unzigzag32, unzigzag64};

/// A declared default as a literal.
pub(super) fn default(field: &FieldDescriptor, value: &DefaultValue) -> Option<String> {
    Some(match value {
        DefaultValue::Bool(value) => value.to_string(),
        DefaultValue::I32(value) => value.to_string(),
        DefaultValue::I64(value) => value.to_string(),
        DefaultValue::U32(value) => value.to_string(),
        DefaultValue::U64(value) => value.to_string(),
        DefaultValue::F32(value) => float(&format!("{value:?}")),
        DefaultValue::F64(value) => float(&format!("{value:?}")),
        DefaultValue::String(value) => quote(value.as_bytes(), true),
        DefaultValue::Bytes(value) => quote(value, false),
        DefaultValue::Enum(number) => field.enum_type()?.value_by_number(*number)?.name().to_owned(),
    })
}

/// A string literal; in text, non-ASCII characters are not escaped.
pub(super) fn quote(bytes: &[u8], is_text: bool) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                ' '..='~' => out.push(c),
                _ if is_text && !c.is_control() => out.push(c),
                _ => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| octal(&mut out, byte)),
            }
        }
        chunk.invalid().iter().for_each(|&byte| octal(&mut out, byte));
    }
    out.push('"');
    out
}

fn octal(out: &mut String, byte: u8) {
    // Writing to a string does not fail.
    let _ = write!(out, "\\{byte:03o}");
}

/// The next value of a field, which is not a message, as a literal.
pub(super) fn scalar(field: &FieldDescriptor, reader: &mut Reader<'_>) -> Option<String> {
    Some(match field.ty() {
        Type::Bool => (reader.varint().ok()? != 0).to_string(),
        Type::Int32 => (reader.varint().ok()? as i32).to_string(),
        Type::Int64 => (reader.varint().ok()? as i64).to_string(),
        Type::UInt32 => (reader.varint().ok()? as u32).to_string(),
        Type::UInt64 => reader.varint().ok()?.to_string(),
        Type::SInt32 => unzigzag32(reader.varint().ok()? as u32).to_string(),
        Type::SInt64 => unzigzag64(reader.varint().ok()?).to_string(),
        Type::Fixed32 => reader.fixed32().ok()?.to_string(),
        Type::SFixed32 => (reader.fixed32().ok()? as i32).to_string(),
        Type::Fixed64 => reader.fixed64().ok()?.to_string(),
        Type::SFixed64 => (reader.fixed64().ok()? as i64).to_string(),
        Type::Float => float(&format!("{:?}", f32::from_bits(reader.fixed32().ok()?))),
        Type::Double => float(&format!("{:?}", f64::from_bits(reader.fixed64().ok()?))),
        Type::String => quote(reader.len_prefixed().ok()?, true),
        Type::Bytes => quote(reader.len_prefixed().ok()?, false),
        Type::Enum => {
            let number = reader.varint().ok()? as i32;
            field.enum_type()?.value_by_number(number)?.name().to_owned()
        }
        Type::Message => return None,
    })
}

fn float(text: &str) -> String {
    text.replace("NaN", "nan")
}
