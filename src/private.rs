//! The items that derived code uses. They change without notice, so do not use them directly.

pub use crate::descriptor::json_name;
pub use crate::layout::{
    Attributes, Binding, BitOption, DebugOf, Declaration, DefaultSlot, Defaulted, EnumFunctions, EnumShape,
    Extra, Fill, FilledFrom, InStatic, KeyMember, LeafField, Member, MemberShape, MemberWith, MessageCells,
    MessageShape, Name, NoDebug, OneofCells, OneofLayout, OneofMember, OneofShape, Presence, PresenceWords,
    Protos, Schema, Storage, Undefaulted, Unfilled, UnknownFields, Unusual, ValueShape, VariantShape,
    WireKind, closed_enum_functions, in_option, oneof_functions, open_enum_fits, protos_at,
};
pub use crate::message::{Enumeration, Merge, MergeOneof, Message, MessageName, Oneof};
pub use crate::schema::{declare_enum, declare_message};
pub use crate::serde::others::{
    deserialize_enumeration, deserialize_message, deserialize_oneof, serialize_enumeration,
    serialize_message, serialize_oneof,
};
pub use crate::table::build_table;
pub use ::serde;
pub use core;

use crate::codec::text;
use crate::descriptor::{EnumDescriptor, GeneratedFile, MessageDescriptor};
use crate::error::{Error, Result};
use crate::layout::Single;
use crate::message::{DescriptorSource, described, described_enum};
use crate::object::{Root, Typed};
use std::fmt;

/// Returns the value that a member with a conversion has if its field is absent. Accessors that change the member start
/// with this value.
///
/// # Panics
/// If the conversion has neither a value for an absent field nor an initial value.
#[must_use]
pub fn absent<T: MemberWith<C, Single>, C>() -> T {
    T::empty().expect("the conversion has a value for a field that is not there")
}

/// Always returns true. A call compiles only for a type whose `Deserialize` is derived by tobu, because this derive
/// also implements `Merge`.
#[must_use]
pub const fn fills_itself<T: Merge<'static>>() -> bool {
    true
}

/// Builds the table of a type twice, from its attributes and from its descriptor, and lists the differences. Does this
/// also for all types that the type contains. Calls `saw` with the full name of each type whose attributes declare its
/// schema. This function is for tests of generated code.
///
/// # Errors
/// A type does not fit its descriptor.
pub fn stated_differences<T: Message>(saw: &mut dyn FnMut(&'static str)) -> Result<Vec<String>> {
    let shape = described::<T>();
    shape.descriptor()?;
    crate::table::stated_differences(shape, saw)
}

/// Returns the message to which a type is bound.
///
/// # Errors
/// The schema has no message of this name.
pub fn bind_message<S: DescriptorSource>(source: S, full_name: &str) -> Result<MessageDescriptor> {
    source.find_message(full_name)
}

/// Returns the enum to which a type is bound.
///
/// # Errors
/// The schema has no enum of this name.
pub fn bind_enum<S: DescriptorSource>(source: S, full_name: &str) -> Result<EnumDescriptor> {
    source.find_enum(full_name)
}

/// Writes a message for people. Hides the values of fields with the option `debug_redact`.
///
/// # Errors
/// Fails if the formatter fails.
#[inline]
pub fn debug_message<T: Message>(message: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    debug_typed(described::<T>(), Typed::of(message), text::KNOWN, f)
}

/// Writes a message for people. The message cannot contain extensions or an `Any`, so this function needs no
/// descriptor.
///
/// # Errors
/// Fails if the formatter fails.
#[inline]
pub fn debug_noted_message<T: Message>(
    message: &T,
    file: &'static GeneratedFile,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    file.note();
    debug_typed(T::shape(), Root::of(message).bare(), None, f)
}

fn debug_typed(
    shape: &'static MessageShape,
    message: Result<Typed<'_>>,
    known: Option<&'static text::Known>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let name = shape.rust_name();
    match message {
        Ok(message) => text::debug(name, message.into(), known, f),
        Err(error) => write!(f, "{name} {{ {error} }}"),
    }
}

/// Writes an enum value for people: its name, or its number if it has no name.
///
/// # Errors
/// Fails if the formatter fails.
#[inline]
pub fn debug_enumeration<T: Enumeration>(value: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let number = value.number();
    match described_enum::<T>().name_of(number) {
        Some(name) => f.write_str(name),
        None => fmt::Debug::fmt(&number, f),
    }
}

/// Writes an enum value for people: its name, or its number if it has no name. The attributes of the enum declare its schema,
/// so its file need not be registered.
///
/// # Errors
/// Fails if the formatter fails.
pub fn debug_noted_enumeration(
    shape: &'static EnumShape,
    number: i32,
    file: &'static GeneratedFile,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    file.note();
    let names = shape.noted_names();
    match names.iter().find(|value| value.0 == number) {
        Some((_, name)) => f.write_str(name),
        None => fmt::Debug::fmt(&number, f),
    }
}

/// Writes an enum value in the form that [`enum_from_text`] reads: its name, or its number if it has no name.
///
/// # Errors
/// Fails if the formatter fails.
#[inline]
pub fn display_enumeration<T: Enumeration>(value: &T, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let number = value.number();
    match described_enum::<T>().name_of(number) {
        Some(name) => f.pad(name),
        None => fmt::Display::fmt(&number, f),
    }
}

/// Returns the value with a proto name, or with a number in decimal digits.
///
/// # Errors
/// The enum has no such value.
#[inline]
pub fn enum_from_text<T: Enumeration>(text: &str) -> Result<T> {
    let shape = described_enum::<T>();
    let number = shape.number_named(text).or_else(|| text.parse().ok());
    number.and_then(T::from_number).ok_or_else(|| no_value(shape, format_args!("{text:?}")))
}

/// Returns the value with a number.
///
/// # Errors
/// The enum is closed and has no value of this number.
#[inline]
pub fn enum_from_number<T: Enumeration>(number: i32) -> Result<T> {
    T::from_number(number).ok_or_else(|| no_value(T::shape(), format_args!("of number {number}")))
}

#[cold]
fn no_value(shape: &'static EnumShape, what: fmt::Arguments<'_>) -> Error {
    Error::syntax(format!("{} has no value {what}", shape.full_name()))
}

/// Writes a variant of a oneof with its value.
///
/// # Errors
/// Fails if the formatter fails.
pub fn debug_variant(f: &mut fmt::Formatter<'_>, name: &str, value: &dyn fmt::Debug) -> fmt::Result {
    f.debug_tuple(name).field(value).finish()
}
