//! `Debug` of any message: much like the text format.

use super::MAX_DEPTH;
use crate::descriptor::{FieldDescriptor, Kind};
use crate::reflect::{MapKeyRef, Reflect, ValueRef};
use crate::wire::{Reader, WireType};
use std::fmt::{self, Write as _};

/// What stands in the place of a value that must not be shown.
pub(super) const REDACTED: &str = "[REDACTED]";

/// Writes the set fields, one after the other, or one per line for `{:#?}`; fields marked `debug_redact` show
/// `[REDACTED]`.
///
/// The output is for people and may change: do not parse it.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
///
/// let book = Book { title: "Dune".into(), pages: 412, ..Book::default() };
/// assert_eq!(format!("{:?}", book.as_reflect()), r#"library.v1.Book { title: "Dune" pages: 412 }"#);
/// ```
impl fmt::Debug for dyn Reflect + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.descriptor().full_name())?;
        f.write_char(' ')?;
        Printer { out: f, indent: 0, depth: MAX_DEPTH }.braces(self)
    }
}

/// As `Debug`, but without the name of the message and the outermost braces.
impl fmt::Display for dyn Reflect + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut printer = Printer { out: f, indent: 0, depth: MAX_DEPTH - 1 };
        let mut first = true;
        printer.fields(self, &mut first)
    }
}

/// A message in braces.
pub(super) fn braces(f: &mut fmt::Formatter<'_>, message: &dyn Reflect) -> fmt::Result {
    Printer { out: f, indent: 0, depth: MAX_DEPTH }.braces(message)
}

struct Printer<'a, 'b> {
    out: &'a mut fmt::Formatter<'b>,
    indent: usize,
    depth: u32,
}

impl Printer<'_, '_> {
    fn braces(&mut self, message: &dyn Reflect) -> fmt::Result {
        if self.depth == 0 {
            return self.out.write_str("{ ... }");
        }
        let mut first = false;
        self.out.write_char('{')?;
        self.depth -= 1;
        self.indent += 1;
        let before = (self.indent, self.depth);
        let empty = message.next_field(0).is_none() && message.unknown_fields().is_empty();
        self.fields(message, &mut first)?;
        (self.indent, self.depth) = (before.0 - 1, before.1 + 1);
        if !empty {
            self.separate(&mut false)?;
        }
        self.out.write_char('}')
    }

    /// A line break or a space before the next thing; nothing before the very first.
    fn separate(&mut self, first: &mut bool) -> fmt::Result {
        if std::mem::replace(first, false) {
            return Ok(());
        }
        if !self.out.alternate() {
            return self.out.write_char(' ');
        }
        write!(self.out, "\n{:1$}", "", self.indent * 2)
    }

    fn fields(&mut self, message: &dyn Reflect, first: &mut bool) -> fmt::Result {
        for (field, value) in message.fields() {
            match value {
                ValueRef::List(list) => {
                    for value in list.iter() {
                        self.field(&field, value, first)?;
                    }
                }
                ValueRef::Map(map) => {
                    for (key, value) in map.entries() {
                        self.separate(first)?;
                        self.entry(&field, key, value)?;
                    }
                }
                single => self.field(&field, single, first)?,
            }
        }
        self.unknown(message.unknown_fields(), first, MAX_DEPTH)
    }

    fn field(&mut self, field: &FieldDescriptor, value: ValueRef<'_>, first: &mut bool) -> fmt::Result {
        self.separate(first)?;
        self.out.write_str(field.name())?;
        self.value(field, value)
    }

    fn entry(&mut self, field: &FieldDescriptor, key: MapKeyRef<'_>, value: ValueRef<'_>) -> fmt::Result {
        self.out.write_str(field.name())?;
        if field.debug_redact() {
            return write!(self.out, ": {REDACTED}");
        }
        self.out.write_str(" { key: ")?;
        match key {
            MapKeyRef::Str(key) => quoted(self.out, key.as_bytes())?,
            other => write!(self.out, "{other}")?,
        }
        self.out.write_str(" value")?;
        if let Some(value_field) = field.map_value() {
            self.value(&value_field, value)?;
        }
        self.out.write_str(" }")
    }

    fn value(&mut self, field: &FieldDescriptor, value: ValueRef<'_>) -> fmt::Result {
        if field.debug_redact() {
            return write!(self.out, ": {REDACTED}");
        }
        if let ValueRef::Message(message) = value {
            self.out.write_char(' ')?;
            return self.braces(&*message);
        }
        self.out.write_str(": ")?;
        scalar(self.out, &field.kind(), value)
    }

    /// Fields without a name, by their numbers.
    fn unknown(&mut self, fields: &[u8], first: &mut bool, depth: u32) -> fmt::Result {
        let mut reader = Reader::new(fields);
        while let Ok(tag) = reader.tag() {
            self.separate(first)?;
            write!(self.out, "{}", tag.number())?;
            let written = match tag.wire_type() {
                WireType::Varint => reader.varint().map(|value| write!(self.out, ": {value}")),
                WireType::Fixed32 => reader.fixed32().map(|value| write!(self.out, ": 0x{value:08x}")),
                WireType::Fixed64 => reader.fixed64().map(|value| write!(self.out, ": 0x{value:016x}")),
                WireType::Len => reader.len_prefixed().map(|value| {
                    self.out.write_str(": ")?;
                    quoted(self.out, value)
                }),
                WireType::StartGroup if depth > 0 => reader.group(tag.number(), depth).map(|content| {
                    self.out.write_str(" {")?;
                    self.unknown(content, &mut false, depth - 1)?;
                    self.out.write_str(" }")
                }),
                _ => return Ok(()),
            };
            match written {
                Ok(written) => written?,
                Err(_) => return Ok(()),
            }
        }
        Ok(())
    }
}

/// A value that is no message.
pub(crate) fn scalar(out: &mut dyn fmt::Write, kind: &Kind, value: ValueRef<'_>) -> fmt::Result {
    match value {
        ValueRef::Bool(value) => write!(out, "{value}"),
        ValueRef::I32(value) => write!(out, "{value}"),
        ValueRef::I64(value) => write!(out, "{value}"),
        ValueRef::U32(value) => write!(out, "{value}"),
        ValueRef::U64(value) => write!(out, "{value}"),
        ValueRef::F32(value) => float(out, f64::from(value), &value),
        ValueRef::F64(value) => float(out, value, &value),
        ValueRef::Str(value) => quoted(out, value.as_bytes()),
        ValueRef::Bytes(value) => quoted(out, value),
        ValueRef::Enum(number) => match kind {
            Kind::Enum(enumeration) => match enumeration.value_name(number) {
                Some(name) => out.write_str(name),
                None => write!(out, "{number}"),
            },
            _ => write!(out, "{number}"),
        },
        ValueRef::Message(_) | ValueRef::List(_) | ValueRef::Map(_) => Ok(()),
    }
}

fn float(out: &mut dyn fmt::Write, value: f64, shortest: &dyn fmt::Display) -> fmt::Result {
    if value.is_nan() {
        out.write_str("nan")
    } else if value.is_infinite() {
        out.write_str(if value < 0.0 { "-inf" } else { "inf" })
    } else {
        write!(out, "{shortest}")
    }
}

/// A string or bytes in quotes: what is UTF-8 and printable as it is, the rest escaped.
pub(crate) fn quoted(out: &mut dyn fmt::Write, bytes: &[u8]) -> fmt::Result {
    out.write_char('"')?;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '"' => out.write_str("\\\"")?,
                '\\' => out.write_str("\\\\")?,
                '\n' => out.write_str("\\n")?,
                '\r' => out.write_str("\\r")?,
                '\t' => out.write_str("\\t")?,
                c if c.is_control() => {
                    let mut utf8 = [0; 4];
                    for byte in c.encode_utf8(&mut utf8).bytes() {
                        write!(out, "\\{byte:03o}")?;
                    }
                }
                c => out.write_char(c)?,
            }
        }
        for byte in chunk.invalid() {
            write!(out, "\\{byte:03o}")?;
        }
    }
    out.write_char('"')
}
