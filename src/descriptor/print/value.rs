//! Values of custom options: scalars as literals, messages in text format.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.

use std::fmt::Write;

use super::super::raw::options::{self, RawField};
use super::super::{DefaultValue, Edition, FieldDescriptor, MessageDescriptor, Type};
use super::Printer;
use crate::wire::{Reader, WireType, unzigzag32, unzigzag64};

/// Messages in an option nested deeper than this are left out.
pub(super) const DEPTH: u32 = 100;

impl Printer<'_> {
    /// The values of one occurrence of a field: several where it is packed, none where it is malformed.
    pub(super) fn values(
        &self,
        field: &FieldDescriptor,
        raw: RawField<'_>,
        depth: u32,
        values: &mut Vec<String>,
    ) {
        let mut reader = raw.value();
        let wire_type = raw.tag.wire_type();
        match (field.message_type(), wire_type) {
            (Some(message), WireType::Len) => {
                let body = reader.len_prefixed().unwrap_or_default();
                values.extend(self.aggregate(&message, body, depth));
            }
            (Some(message), WireType::StartGroup) => {
                let body = reader.group(raw.tag.number(), DEPTH).unwrap_or_default();
                values.extend(self.aggregate(&message, body, depth));
            }
            (None, WireType::Len) if field.ty().is_packable() => {
                let body = reader.len_prefixed().unwrap_or_default();
                let mut body = Reader::new(body);
                while !body.is_empty() {
                    match scalar(field, &mut body) {
                        Some(value) => values.push(value),
                        None => break,
                    }
                }
            }
            (None, _) if wire_type == field.ty().wire_type() => values.extend(scalar(field, &mut reader)),
            _ => {}
        }
    }

    /// A message in braces.
    fn aggregate(&self, message: &MessageDescriptor, body: &[u8], depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let mut text = String::from("{");
        for raw in options::fields(body) {
            let number = raw.tag.number();
            let (name, field) = match message.field_by_number(number) {
                Some(field) => (text_name(&field), field),
                None => {
                    let extension = self.scope.extension(message.full_name(), number)?;
                    (format!("[{}]", extension.full_name()), extension.field().clone())
                }
            };
            let mut values = Vec::new();
            self.values(&field, raw, depth, &mut values);
            for value in values {
                // Between a name and braces the colon is optional; text without it is what people write.
                let colon = if field.ty() == Type::Message { "" } else { ":" };
                text.push_str(&format!(" {name}{colon} {value}"));
            }
        }
        text.push_str(if text.len() > 1 { " }" } else { "}" });
        Some(text)
    }
}

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

/// A string literal; of text, what is not ASCII stays readable.
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

/// The name of a field in text format: that of its message, where it is a group.
fn text_name(field: &FieldDescriptor) -> String {
    match field.message_type() {
        Some(group) if field.is_delimited() && field.file().edition() == Edition::Proto2 => {
            group.name().to_owned()
        }
        _ => field.name().to_owned(),
    }
}

fn scalar(field: &FieldDescriptor, reader: &mut Reader<'_>) -> Option<String> {
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
