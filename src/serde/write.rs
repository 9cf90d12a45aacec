//! From a value to the object that a codec writes.

use super::serializer::{MessageSerializer, Walk};
use crate::bridge::{Front, serialize};
use crate::dynamic::Building;
use crate::error::{Error, Result};
use crate::layout::MessageShape;
use crate::object::{Object, Typed};
use crate::options::EncodeOptions;
use crate::table::Table;
use serde::Serialize;

/// Which message a value is written as.
#[derive(Clone, Copy)]
pub(crate) enum Schema<'p> {
    /// The one that the Rust type is bound to.
    Shape(&'static MessageShape),
    /// One that is known at run time.
    Table(&'p Table),
}

impl<'p> Schema<'p> {
    /// The table of dynamic messages.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or is bound to one that does not exist.
    pub(crate) fn table(self) -> Result<&'p Table> {
        match self {
            Schema::Shape(shape) => shape.descriptor()?.table(),
            Schema::Table(table) => Ok(table),
        }
    }

    /// The Rust type.
    pub(crate) fn shape(self) -> Option<&'static MessageShape> {
        match self {
            Schema::Shape(shape) => Some(shape),
            Schema::Table(_) => None,
        }
    }

    /// The full name of the message.
    pub(crate) fn name_of(self) -> String {
        match self {
            Schema::Shape(shape) => match shape.descriptor() {
                Ok(descriptor) => descriptor.full_name().to_owned(),
                Err(_) => shape.rust_name.to_owned(),
            },
            Schema::Table(table) => table.full_name.to_string(),
        }
    }

    /// Names the message in an error.
    #[cold]
    pub(crate) fn name(self, error: Error) -> Error {
        match self {
            Schema::Shape(shape) => match shape.descriptor() {
                Ok(descriptor) => error.in_message(descriptor.full_name()),
                Err(_) => error,
            },
            Schema::Table(table) => error.in_message(&table.full_name),
        }
    }

    /// True for messages of this schema.
    pub(crate) fn is(self, table: &Table) -> bool {
        match self {
            Schema::Shape(shape) => table.shape.is_some_and(|own| std::ptr::eq(own, shape)),
            Schema::Table(own) => own.is_same_message(table),
        }
    }
}

/// A message on its way to a format.
#[derive(Clone, Copy)]
pub(crate) enum Written<'a> {
    /// A Rust type with tobu's derive, as it is.
    Typed(Typed<'a>),
    /// Anything else, as a message of an arena.
    Arena(&'a Building, &'a Table),
}

/// Hands a value to `on`, as it is or as a message of an arena.
///
/// # Errors
/// The value does not fit the schema, or those of `on`; the path begins in the message.
pub(crate) fn write<T: Serialize + ?Sized>(
    value: &T,
    schema: Schema<'_>,
    options: EncodeOptions,
    on: &mut dyn FnMut(Written<'_>) -> Result<()>,
) -> Result<()> {
    let (limits, _, partial) = options.parts();
    let walk = Walk { depth: limits.max_depth(), max_depth: limits.max_depth(), partial };
    let mut building = Building::default();
    let mut on_message =
        |message: Typed<'_>, fallback: MessageSerializer<'_, '_>| match schema.is(message.table()) {
            true => on(Written::Typed(message)),
            false => serialize(message, fallback),
        };
    value.serialize(Front::new(&mut on_message, MessageSerializer::lazy(&mut building, schema, walk)))?;
    finish(&building, schema, on)
}

#[inline(never)]
fn finish(
    building: &Building,
    schema: Schema<'_>,
    on: &mut dyn FnMut(Written<'_>) -> Result<()>,
) -> Result<()> {
    match building.is_begun() {
        true => on(Written::Arena(building, schema.table()?)),
        false => Ok(()),
    }
}
