//! From a value to the object that a codec writes.

use super::schema::Schema;
use super::serializer::MessageSerializer;
use crate::error::Result;
use crate::message::dynamic::Written;
use crate::object::{Object, Typed};
use crate::serde::others::TypedSerializer;
use serde::Serialize;

/// Calls `on` with a value of a type with tobu's derive; any other value is written by serde.
///
/// # Errors
/// The value does not fit the schema; also the errors of `on`. The path begins in the message.
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
