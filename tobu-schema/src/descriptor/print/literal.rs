//! Scalars as literals of the language.

use crate::descriptor::names::written;
use std::fmt::Write;

use super::super::{DefaultValue, FieldDescriptor, Type};
use crate::wire::{Reader, WireType, unzigzag32, unzigzag64};

/// A declared default as a literal.
pub(super) fn default(field: &FieldDescriptor, value: &DefaultValue) -> Option<String> {
    Some(match value {
        DefaultValue::Bool(value) => value.to_string(),
        DefaultValue::I32(value) => value.to_string(),
        DefaultValue::I64(value) => value.to_string(),
        DefaultValue::U32(value) => value.to_string(),
        DefaultValue::U64(value) => value.to_string(),
        DefaultValue::F32(value) => float(&written(format_args!("{value:?}"))),
        DefaultValue::F64(value) => float(&written(format_args!("{value:?}"))),
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
    let ty = field.ty();
    let bits = match ty.wire_type() {
        WireType::Len => {
            let bytes = reader.len_prefixed().ok()?;
            return if ty == Type::Message { None } else { Some(quote(bytes, ty == Type::String)) };
        }
        WireType::Fixed32 => reader.fixed32().map(u64::from),
        WireType::Fixed64 => reader.fixed64(),
        _ => reader.varint(),
    };
    let bits = bits.ok()?;
    let integer = match ty {
        Type::Bool => return Some((bits != 0).to_string()),
        Type::Float => return Some(float(&written(format_args!("{:?}", f32::from_bits(bits as u32))))),
        Type::Double => return Some(float(&written(format_args!("{:?}", f64::from_bits(bits))))),
        Type::Enum => return Some(field.enum_type()?.value_by_number(bits as i32)?.name().to_owned()),
        Type::Int32 | Type::SFixed32 => i128::from(bits as i32),
        Type::Int64 | Type::SFixed64 => i128::from(bits as i64),
        Type::UInt32 | Type::Fixed32 => i128::from(bits as u32),
        Type::SInt32 => i128::from(unzigzag32(bits as u32)),
        Type::SInt64 => i128::from(unzigzag64(bits)),
        _ => i128::from(bits),
    };
    Some(integer.to_string())
}

fn float(text: &str) -> String {
    text.replace("NaN", "nan")
}
