//! Checks whether a value fits a field, and makes the errors, so that all kinds of messages have the same error texts. Also
//! returns the values of unset fields.

use crate::descriptor::{Declared, DefaultValue, FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::{Error, Result};
use crate::message::reflect::view::{Empty, ListRef, MapRef, MessageRef, MessageRepr, Repr};
use crate::message::reflect::{MapKeyRef, Value, ValueRef};
use crate::object::arena::view::{ListAt, MapAt};
use crate::table::{Kind, Row, Shape};

/// Checks that a value has the kind of the field. This includes the elements of lists, the entries of maps, and the numbers
/// of closed enums.
///
/// # Errors
/// The value has another kind, is bytes that are not UTF-8 although the field requires UTF-8, or is a number that a closed enum
/// does not have. The caller adds the field to the error.
pub(crate) fn value(field: &Row, value: &Value) -> Result<()> {
    match (field.shape, value) {
        (Shape::Singular, value) => single(field, value),
        (Shape::List, Value::List(values)) => {
            for (index, value) in values.iter().enumerate() {
                single(field, value).map_err(|error| error.in_index(index))?;
            }
            Ok(())
        }
        (Shape::Map, Value::Map(values)) => {
            for (key, value) in values {
                crate::message::reflect::check::key(field.map().key.kind, &key.as_ref())?;
                single(&field.map().value, value).map_err(|error| error.in_key(key))?;
            }
            Ok(())
        }
        _ => Err(wrong_kind(&wanted(field), &given(value))),
    }
}

/// Checks that a value has the kind of a single value of the field: of the field itself, of an element of its list, or of
/// the value of a map entry.
pub(crate) fn single(field: &Row, value: &Value) -> Result<()> {
    let fits = match value {
        Value::Bool(_) => field.kind == Kind::Bool,
        Value::I32(_) => matches!(field.kind, Kind::Int32 | Kind::SInt32 | Kind::SFixed32),
        Value::I64(_) => matches!(field.kind, Kind::Int64 | Kind::SInt64 | Kind::SFixed64),
        Value::U32(_) => matches!(field.kind, Kind::UInt32 | Kind::Fixed32),
        Value::U64(_) => matches!(field.kind, Kind::UInt64 | Kind::Fixed64),
        Value::F32(_) => field.kind == Kind::Float,
        Value::F64(_) => field.kind == Kind::Double,
        Value::String(_) => field.kind == Kind::String,
        Value::Bytes(bytes) => match field.kind {
            Kind::Bytes => true,
            Kind::String if !field.utf8 => true,
            Kind::String if std::str::from_utf8(bytes).is_err() => {
                return Err(Error::ty("the field is a string, but the value is bytes that are not UTF-8"));
            }
            _ => false,
        },
        Value::Enum(number) => {
            if field.kind == Kind::Enum {
                return member_of(field, *number);
            }
            false
        }
        Value::Message(message) => {
            let name = crate::message::reflect::Reflect::message_descriptor(message);
            field.is_message() && field.message_descriptor().full_name() == name.full_name()
        }
        Value::List(_) | Value::Map(_) => false,
    };
    if fits { Ok(()) } else { Err(wrong_kind(&wanted_single(field), &given(value))) }
}

/// Returns the full name of the message or enum that a field holds.
fn held_name(field: &Row) -> String {
    match field.kind {
        Kind::Enum => field.enumeration().full_name.to_string(),
        _ => field.message_descriptor().full_name().to_owned(),
    }
}

/// Checks that the enum of a field has a number, if the enum is closed.
///
/// # Errors
/// The enum is closed and does not have the number.
pub(crate) fn member_of(field: &Row, number: i32) -> Result<()> {
    if field.takes_number(number) {
        return Ok(());
    }
    Err(Error::ty(format!("the closed enum {} has no value of number {number}", held_name(field))))
}

/// Checks that a key has the kind of the map's keys.
///
/// # Errors
/// The key has another kind.
pub(crate) fn key(kind: Kind, key: &MapKeyRef<'_>) -> Result<()> {
    let (fits, given) = match key {
        MapKeyRef::Bool(_) => (kind == Kind::Bool, "a bool"),
        MapKeyRef::I32(_) => (matches!(kind, Kind::Int32 | Kind::SInt32 | Kind::SFixed32), "an int32"),
        MapKeyRef::I64(_) => (matches!(kind, Kind::Int64 | Kind::SInt64 | Kind::SFixed64), "an int64"),
        MapKeyRef::U32(_) => (matches!(kind, Kind::UInt32 | Kind::Fixed32), "a uint32"),
        MapKeyRef::U64(_) => (matches!(kind, Kind::UInt64 | Kind::Fixed64), "a uint64"),
        MapKeyRef::Str(_) => (kind == Kind::String, "a string"),
    };
    if fits {
        return Ok(());
    }
    Err(Error::ty(format!("the keys are of kind {}, but the key is {given}", kind.as_str())))
}

#[cold]
fn wrong_kind(wanted: &str, given: &str) -> Error {
    Error::ty(format!("the field is {wanted}, but the value is {given}"))
}

pub(crate) fn wanted(field: &Row) -> String {
    match field.shape {
        Shape::Singular => wanted_single(field),
        Shape::List => format!("a repeated {}", spelled(field)),
        Shape::Map => {
            format!("a map<{}, {}>", spelled(&field.map().key), spelled(&field.map().value))
        }
    }
}

fn wanted_single(field: &Row) -> String {
    let article = match field.kind {
        Kind::Int32 | Kind::Int64 | Kind::Enum => "an",
        _ => "a",
    };
    match field.kind {
        Kind::Bytes => "bytes".to_owned(),
        Kind::Enum => format!("an enum {}", spelled(field)),
        Kind::Message | Kind::Group => format!("a message {}", spelled(field)),
        _ => format!("{article} {}", spelled(field)),
    }
}

fn spelled(field: &Row) -> String {
    match field.kind {
        Kind::Enum | Kind::Message | Kind::Group => held_name(field),
        kind => kind.as_str().to_owned(),
    }
}

pub(crate) fn given(value: &Value) -> String {
    match value {
        Value::Bool(_) => "a bool",
        Value::I32(_) => "an int32",
        Value::I64(_) => "an int64",
        Value::U32(_) => "a uint32",
        Value::U64(_) => "a uint64",
        Value::F32(_) => "a float",
        Value::F64(_) => "a double",
        Value::String(_) => "a string",
        Value::Bytes(_) => "bytes",
        Value::Enum(_) => "an enum value",
        Value::Message(message) => {
            return format!(
                "a message {}",
                crate::message::reflect::Reflect::message_descriptor(message).full_name()
            );
        }
        Value::List(_) => "a list",
        Value::Map(_) => "a map",
    }
    .to_owned()
}

/// Returns the error for an extension, a field of another message, or a field of a message with the same name in another
/// pool.
#[cold]
pub(crate) fn foreign_field(message: &str, field: &FieldDescriptor) -> Error {
    foreign(message, field).in_message(message)
}

/// Returns the error for an extension, a field of another message, or a field of another pool. The caller adds the message
/// to the error.
#[cold]
pub(crate) fn foreign(message: &str, field: &FieldDescriptor) -> Error {
    if field.is_extension() {
        let extendee = field.message();
        Error::ty(format!("{} is an extension of {}, not a field", field.full_name(), extendee.full_name()))
    } else if field.message().full_name() == message {
        Error::ty(format!("the field {} is from another pool than the message", field.full_name()))
    } else {
        Error::ty(format!("the field {} is not one of this message", field.full_name()))
    }
}

#[cold]
pub(crate) fn foreign_oneof(message: &str, oneof: &OneofDescriptor) -> Error {
    let error = if oneof.message().full_name() == message {
        Error::ty(format!("the oneof {} is from another pool than the message", oneof.full_name()))
    } else {
        Error::ty(format!("the oneof {} is not one of this message", oneof.full_name()))
    };
    error.in_message(message)
}

#[cold]
pub(crate) fn no_member() -> Error {
    Error::ty("the Rust type has no member for the field")
}

#[cold]
pub(crate) fn no_unknown() -> Error {
    Error::ty("the Rust type has no member that keeps unknown fields")
}

#[cold]
pub(crate) fn no_field_named(message: &MessageDescriptor, name: &str) -> Error {
    Error::schema(format!("there is no field named {name:?}")).in_message(message.full_name())
}

#[cold]
pub(crate) fn no_field_numbered(message: &MessageDescriptor, number: u32) -> Error {
    Error::schema(format!("there is no field of number {number}")).in_message(message.full_name())
}

#[cold]
pub(crate) fn past_end(index: usize, len: usize) -> Error {
    let s = if len == 1 { "" } else { "s" };
    Error::ty(format!("index {index} is past the end of a list of {len} element{s}"))
}

#[cold]
pub(crate) fn not_in_place(field: &Row) -> Error {
    Error::ty(format!("the field is {}, which cannot be changed in place: set it", wanted(field)))
}

/// Returns the error of `get_mut` for a field that a conversion stores as a type of the user's own.
#[cold]
pub(crate) fn of_own_type() -> Error {
    Error::ty("the member has a conversion, so it cannot be changed in place: set it")
}

#[cold]
pub(crate) fn read_only() -> Error {
    Error::ty("the view can only be read")
}

/// Returns the value of a field that is not set.
pub(crate) fn default_of<'a>(field: &'a Row) -> ValueRef<'a> {
    match field.shape {
        Shape::List => ValueRef::List(ListRef(Repr::Arena(ListAt::EMPTY))),
        Shape::Map => ValueRef::Map(MapRef(Repr::Arena(MapAt::EMPTY))),
        Shape::Singular => default_single(field),
    }
}

fn default_single<'a>(field: &'a Row) -> ValueRef<'a> {
    if let Some(default) = field.default.as_deref().map(Declared::value) {
        return match default {
            DefaultValue::Bool(value) => ValueRef::Bool(*value),
            DefaultValue::I32(value) => ValueRef::I32(*value),
            DefaultValue::I64(value) => ValueRef::I64(*value),
            DefaultValue::U32(value) => ValueRef::U32(*value),
            DefaultValue::U64(value) => ValueRef::U64(*value),
            DefaultValue::F32(value) => ValueRef::F32(*value),
            DefaultValue::F64(value) => ValueRef::F64(*value),
            DefaultValue::String(value) => ValueRef::Str(value),
            DefaultValue::Bytes(value) => ValueRef::Bytes(value),
            DefaultValue::Enum(value) => ValueRef::Enum(*value),
        };
    }
    match field.kind {
        Kind::String => ValueRef::Str(""),
        Kind::Bytes => ValueRef::Bytes(&[]),
        Kind::Enum => ValueRef::Enum(field.enumeration().default),
        Kind::Message | Kind::Group => ValueRef::Message(MessageRef(MessageRepr::Empty(Empty(field)))),
        kind => scalar(kind, 0),
    }
}

/// Returns the number, bool or enum value with these bits.
#[inline]
pub(crate) fn scalar<'a>(kind: Kind, bits: u64) -> ValueRef<'a> {
    match kind {
        Kind::Bool => ValueRef::Bool(bits != 0),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => ValueRef::I32(bits as i32),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => ValueRef::I64(bits as i64),
        Kind::UInt32 | Kind::Fixed32 => ValueRef::U32(bits as u32),
        Kind::UInt64 | Kind::Fixed64 => ValueRef::U64(bits),
        Kind::Float => ValueRef::F32(f32::from_bits(bits as u32)),
        Kind::Double => ValueRef::F64(f64::from_bits(bits)),
        Kind::Enum | Kind::String | Kind::Bytes | Kind::Message | Kind::Group => ValueRef::Enum(bits as i32),
    }
}
