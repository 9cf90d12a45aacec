//! Serializes a value to an object that a codec can write.

use super::schema::Schema;
use super::serializer::MessageSerializer;
use crate::error::Result;
use crate::message::dynamic::Written;
use crate::object::{Object, Typed};
use crate::serde::others::TypedSerializer;
use serde::Serialize;

/// If the type of a value has tobu's derive, calls `on` with the message. Otherwise serializes the value into
/// `written`.
///
/// # Errors
/// The value does not fit the schema, or `on` fails. The path in the error begins inside the message.
pub(crate) fn write<T: Serialize + ?Sized>(
    value: &T,
    schema: Schema<'_>,
    written: &mut Written,
    on: &mut dyn FnMut(Typed<'_>) -> Result<()>,
) -> Result<()> {
    let mut on_message =
        |message: Typed<'_>, fallback: MessageSerializer<'_, '_>| match schema.is(message.table()) {
            true => on(message),
            false => fallback.bytes_of(message),
        };
    value.serialize(TypedSerializer::new(&mut on_message, MessageSerializer::lazy(written, schema)))
}
