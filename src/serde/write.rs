//! From a value to the object that a codec writes.

use super::schema::Schema;
use super::serializer::{MessageSerializer, Walk};
use crate::bridge::{TypedSerializer, serialize};
use crate::dynamic::Draft;
use crate::error::Result;
use crate::message::Message;
use crate::object::{Object, Typed};
use crate::options::EncodeOptions;
use crate::table::Table;
use serde::Serialize;

/// A message on its way to a format.
pub(crate) enum Written<'a> {
    /// A Rust type with tobu's derive, as it is.
    Typed(Typed<'a>),
    /// Anything else, as serde gives it.
    Draft(&'a mut Draft, &'a Table),
}

/// Calls `on` with a message: with the value itself if the derive states that its `Serialize` is
/// tobu's.
///
/// # Errors
/// As [`write`].
#[inline]
pub(crate) fn write_message<T: Message + Serialize>(
    message: &T,
    options: EncodeOptions,
    draft: fn(EncodeOptions) -> Draft,
    on: &mut dyn FnMut(Written<'_>) -> Result<()>,
) -> Result<()> {
    if T::DIRECT {
        on(Written::Typed(Typed::of(message)?))
    } else {
        write(message, Schema::Shape(T::shape()), options, draft, on)
    }
}

/// Calls `on` with a value, as it is or as a draft of a message: `draft` begins it.
///
/// # Errors
/// The value does not fit the schema, or those of `on`; the path begins in the message.
pub(crate) fn write<T: Serialize + ?Sized>(
    value: &T,
    schema: Schema<'_>,
    options: EncodeOptions,
    draft: fn(EncodeOptions) -> Draft,
    on: &mut dyn FnMut(Written<'_>) -> Result<()>,
) -> Result<()> {
    let walk = Walk::new(options);
    let mut draft = draft(options);
    let mut on_message =
        |message: Typed<'_>, fallback: MessageSerializer<'_, '_>| match schema.is(message.table()) {
            true => on(Written::Typed(message)),
            false => serialize(message, fallback),
        };
    value.serialize(TypedSerializer::new(
        &mut on_message,
        MessageSerializer::lazy(&mut draft, schema, walk),
    ))?;
    finish(&mut draft, schema, on)
}

#[inline(never)]
fn finish(
    draft: &mut Draft,
    schema: Schema<'_>,
    on: &mut dyn FnMut(Written<'_>) -> Result<()>,
) -> Result<()> {
    match draft.is_begun() {
        true => on(Written::Draft(draft, schema.table()?)),
        false => Ok(()),
    }
}
