//! Prints any message in a form similar to the text format.

use crate::codec::text::{self, KNOWN};
use crate::descriptor::Kind;
use crate::message::reflect::view::MessageRepr;
use crate::message::reflect::{Reflect, ValueRef};
use std::fmt;

pub(super) const REDACTED: &str = "[REDACTED]";

/// Writes the name of the message and, in braces, the set fields: one after the other, or one per line for `{:#?}`. For a field
/// marked `debug_redact` it writes `[REDACTED]` instead of the value.
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
        write!(f, "{} ", self.descriptor().full_name())?;
        braces(f, self)
    }
}

/// Writes the text of `Debug`, without the name of the message and the outermost braces.
impl fmt::Display for dyn Reflect + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = !f.alternate();
        let fields = match self.as_view().map(|view| view.0) {
            Some(MessageRepr::Typed(message)) => text::text(message.into(), KNOWN, one_line),
            Some(MessageRepr::Arena(message)) => text::text(message.into(), KNOWN, one_line),
            Some(MessageRepr::Empty(_)) => String::new(),
            Some(MessageRepr::Dyn(_)) | None => match self.to_dynamic() {
                Ok(message) => text::text(message.read().into(), KNOWN, one_line),
                Err(error) => error.to_string(),
            },
        };
        f.write_str(fields.trim_end())
    }
}

pub(super) fn braces(f: &mut fmt::Formatter<'_>, message: &dyn Reflect) -> fmt::Result {
    let fields = if f.alternate() { format!("{message:#}") } else { format!("{message}") };
    text::in_braces(&fields, f)
}

/// Writes a value that is not a message.
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

/// Writes a string or bytes in quotes: printable UTF-8 unchanged, the rest escaped.
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
