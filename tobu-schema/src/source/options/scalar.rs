//! Encodes values of options in the wire format.

use super::super::ast::Value;
use super::{tag, varint};
use crate::descriptor::{FieldDescriptor, Type};
use crate::source::lex;
use crate::wire::{WireType, zigzag32, zigzag64};

/// Writes a field with a value of a scalar type or an enum. `is_text` selects the syntax of the text format, which allows
/// more forms.
///
/// # Errors
/// The value does not fit the field. The error says which values the field expects.
pub(super) fn put(
    out: &mut Vec<u8>,
    field: &FieldDescriptor,
    value: &Value,
    is_text: bool,
) -> Result<(), String> {
    if let (Type::String | Type::Bytes, Value::Text(bytes)) = (field.ty(), value) {
        if field.ty() == Type::String && field.validates_utf8() && std::str::from_utf8(bytes).is_err() {
            return Err("a string of UTF-8".to_owned());
        }
        tag(out, field.number(), WireType::Len);
        varint(out, bytes.len() as u64);
        out.extend_from_slice(bytes);
        return Ok(());
    }
    let bits = bits(field, value, is_text).ok_or_else(|| wanted(field))?;
    tag(out, field.number(), field.ty().wire_type());
    put_bits(out, field.ty(), bits);
    Ok(())
}

/// Writes a value without a tag. `bits` is a result of the function [`bits`].
pub(super) fn put_bits(out: &mut Vec<u8>, ty: Type, bits: u64) {
    match ty.wire_type() {
        WireType::Fixed32 => out.extend_from_slice(&(bits as u32).to_le_bytes()),
        WireType::Fixed64 => out.extend_from_slice(&bits.to_le_bytes()),
        _ => varint(out, bits),
    }
}

/// Converts a number, a bool or an enum value to the bits of the wire format. Returns `None` if the value does not fit
/// the field.
pub(super) fn bits(field: &FieldDescriptor, value: &Value, is_text: bool) -> Option<u64> {
    let ty = field.ty();
    let integer = match value {
        Value::Unsigned(value) => Some(i128::from(*value)),
        Value::Negative(value) => Some(i128::from(*value)),
        _ => None,
    };
    let is_unsigned = matches!(value, Value::Unsigned(_));
    match ty {
        Type::Float => float(value, is_text).map(|value| u64::from(lex::narrowed(value).to_bits())),
        Type::Double => float(value, is_text).map(f64::to_bits),
        Type::Int32 | Type::SInt32 | Type::SFixed32 => {
            let value = i32::try_from(integer?).ok()?;
            Some(if ty == Type::SInt32 { u64::from(zigzag32(value)) } else { i64::from(value) as u64 })
        }
        Type::Int64 | Type::SInt64 | Type::SFixed64 => {
            let value = i64::try_from(integer?).ok()?;
            Some(if ty == Type::SInt64 { zigzag64(value) } else { value as u64 })
        }
        Type::UInt32 | Type::Fixed32 => u32::try_from(integer?).ok().filter(|_| is_unsigned).map(u64::from),
        Type::UInt64 | Type::Fixed64 => u64::try_from(integer?).ok().filter(|_| is_unsigned),
        Type::Bool => match value {
            Value::Identifier(name) => match (&**name, is_text) {
                ("true", _) | ("True" | "t", true) => Some(1),
                ("false", _) | ("False" | "f", true) => Some(0),
                _ => None,
            },
            Value::Unsigned(value @ 0..=1) if is_text => Some(*value),
            _ => None,
        },
        Type::Enum => {
            let enumeration = field.enum_type()?;
            let number = match (value, integer) {
                (Value::Identifier(name), _) => enumeration.value_by_name(name)?.number(),
                (_, Some(value)) if is_text => {
                    let is_known = |number: &i32| enumeration.value_by_number(*number).is_some();
                    i32::try_from(value).ok().filter(|number| !enumeration.is_closed() || is_known(number))?
                }
                _ => return None,
            };
            Some(i64::from(number) as u64)
        }
        Type::String | Type::Bytes | Type::Message => None,
    }
}

fn float(value: &Value, is_text: bool) -> Option<f64> {
    match value {
        Value::Float(value) => Some(*value),
        Value::Unsigned(value) => Some(*value as f64),
        Value::Negative(value) => Some(*value as f64),
        Value::Identifier(name) => match &**name {
            "inf" => Some(f64::INFINITY),
            "nan" => Some(f64::NAN),
            name if is_text && ["inf", "infinity"].iter().any(|inf| name.eq_ignore_ascii_case(inf)) => {
                Some(f64::INFINITY)
            }
            name if is_text && name.eq_ignore_ascii_case("nan") => Some(f64::NAN),
            _ => None,
        },
        _ => None,
    }
}

/// Says for an error text which values a field of a scalar type or an enum expects.
pub(super) fn wanted(field: &FieldDescriptor) -> String {
    match field.ty() {
        Type::Int32 | Type::SInt32 | Type::SFixed32 => {
            format!("an integer from {} to {}", i32::MIN, i32::MAX)
        }
        Type::Int64 | Type::SInt64 | Type::SFixed64 => {
            format!("an integer from {} to {}", i64::MIN, i64::MAX)
        }
        Type::UInt32 | Type::Fixed32 => format!("an integer from 0 to {}", u32::MAX),
        Type::UInt64 | Type::Fixed64 => format!("an integer from 0 to {}", u64::MAX),
        Type::Float | Type::Double => "a number".into(),
        Type::Bool => "`true` or `false`".into(),
        Type::String | Type::Bytes => "a string".into(),
        Type::Enum => {
            let enumeration = field.enum_type();
            format!("a value of {}", enumeration.as_ref().map_or("an enum", |it| it.full_name()))
        }
        Type::Message => "a message".into(),
    }
}

/// Encodes a field whose value is a message with the payload `contents`.
pub(super) fn message(field: &FieldDescriptor, contents: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(contents.len() + 10);
    match field.is_delimited() {
        true => {
            tag(&mut out, field.number(), WireType::StartGroup);
            out.extend_from_slice(contents);
            tag(&mut out, field.number(), WireType::EndGroup);
        }
        false => {
            tag(&mut out, field.number(), WireType::Len);
            varint(&mut out, contents.len() as u64);
            out.extend_from_slice(contents);
        }
    }
    out
}
