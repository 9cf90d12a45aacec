//! The types of fields.
//!
//! Specification: <https://protobuf.dev/programming-guides/proto3/#updating>.

use super::difference::{Severity, Walk};
use crate::descriptor::{FieldDescriptor, Kind, Type};

/// How a value written as one type is read as another.
enum Reading {
    /// All values are read.
    Whole,
    /// Some are not, as it says.
    Partly(&'static str),
    /// The wire type is another one.
    Not,
    /// The bytes have another meaning.
    Wrongly,
}

pub(super) fn compare(walk: &mut Walk, writer: &FieldDescriptor, reader: &FieldDescriptor) {
    match (writer.kind(), reader.kind()) {
        (Kind::Message(one), Kind::Message(other)) => {
            walk.messages.add(&one, &other);
            let how = |delimited| if delimited { "as a group" } else { "after its length" };
            let (written, read) = (how(writer.is_delimited()), how(reader.is_delimited()));
            if written != read {
                walk.add(
                    Severity::Breaking,
                    writer.full_name(),
                    format_args!("is written {written}, but {read} for the reader: it cannot be read"),
                );
            }
        }
        (Kind::Enum(one), Kind::Enum(other)) => walk.enums.add(&one, &other),
        (Kind::String, Kind::String) if reader.validates_utf8() && !writer.validates_utf8() => walk.add(
            Severity::Lossy,
            writer.full_name(),
            format_args!("need not be UTF-8, but the reader refuses what is not"),
        ),
        (one, other) if one.ty() == other.ty() => {}
        (one, other) => {
            let (severity, words, rest) = match reading(writer, reader) {
                Reading::Whole => (Severity::Note, "and", ""),
                Reading::Partly(rest) => (Severity::Lossy, "but", rest),
                Reading::Not => (Severity::Breaking, "but", "it cannot be read"),
                Reading::Wrongly => (Severity::Breaking, "but", "it would be read as something else"),
            };
            let colon = if rest.is_empty() { "" } else { ": " };
            walk.add(
                severity,
                writer.full_name(),
                format_args!("is {}, {words} {} for the reader{colon}{rest}", one.ty(), other.ty()),
            );
        }
    }
}

fn reading(writer: &FieldDescriptor, reader: &FieldDescriptor) -> Reading {
    let (from, to) = (writer.ty(), reader.ty());
    match (from, to) {
        (Type::Message, _) if writer.is_delimited() => return Reading::Not,
        (_, Type::Message) if reader.is_delimited() => return Reading::Not,
        (Type::String | Type::Message, Type::Bytes) => return Reading::Whole,
        (Type::Bytes, Type::String) if !reader.validates_utf8() => return Reading::Whole,
        (Type::Bytes, Type::String) => return Reading::Partly("what is not UTF-8 is refused"),
        (Type::Bytes, Type::Message) => return Reading::Partly("what is no such message is refused"),
        _ => {}
    }
    if from.wire_type() != to.wire_type() {
        return Reading::Not;
    }
    const CHANGED: Reading = Reading::Partly("numbers that do not fit are changed");
    match (from, to) {
        (Type::SInt32, Type::SInt64) => Reading::Whole,
        (Type::SInt64, Type::SInt32) => CHANGED,
        (Type::Fixed32, Type::SFixed32) | (Type::SFixed32, Type::Fixed32) => CHANGED,
        (Type::Fixed64, Type::SFixed64) | (Type::SFixed64, Type::Fixed64) => CHANGED,
        _ => match (range(from), range(to)) {
            (Some((least, most)), Some((lower, upper))) => {
                let is_closed = reader.enum_type().is_some_and(|reader| reader.is_closed());
                match lower <= least && most <= upper {
                    _ if is_closed => Reading::Partly("numbers that it has no name for are unknown fields"),
                    true => Reading::Whole,
                    false => CHANGED,
                }
            }
            _ => Reading::Wrongly,
        },
    }
}

/// The numbers of a type that is written as a plain varint.
fn range(ty: Type) -> Option<(i128, i128)> {
    Some(match ty {
        Type::Bool => (0, 1),
        Type::Int32 | Type::Enum => (i32::MIN.into(), i32::MAX.into()),
        Type::UInt32 => (0, u32::MAX.into()),
        Type::Int64 => (i64::MIN.into(), i64::MAX.into()),
        Type::UInt64 => (0, u64::MAX.into()),
        _ => return None,
    })
}
