//! The schema by which a value is written or read.

use crate::error::{Error, Result};
use crate::layout::{MessageShape, ShapeFn};
use crate::table::{Table, Tabled};

#[derive(Clone, Copy)]
pub(crate) enum Schema<'p> {
    /// The schema to which the Rust type is bound.
    Shape(&'static MessageShape),
    /// A schema that is known at run time.
    Table(&'p Table),
}

impl<'p> Schema<'p> {
    /// Returns the table by which a dynamic message of this schema is stored.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or is bound to a schema that does not exist.
    pub(crate) fn table(self) -> Result<&'p Table> {
        match self {
            Schema::Shape(shape) => shape.descriptor()?.table(),
            Schema::Table(table) => Ok(table),
        }
    }

    /// Returns the shape of the Rust type, if the schema comes from a Rust type.
    pub(crate) fn shape(self) -> Option<&'static MessageShape> {
        match self {
            Schema::Shape(shape) => Some(shape),
            Schema::Table(_) => None,
        }
    }

    pub(crate) fn name_of(self) -> String {
        match self {
            Schema::Shape(shape) => shape.full_name().unwrap_or(shape.rust_name()).to_owned(),
            Schema::Table(table) => table.full_name.to_string(),
        }
    }

    /// Names the message in an error.
    #[cold]
    pub(crate) fn name(self, error: Error) -> Error {
        match self {
            Schema::Shape(shape) => match shape.full_name() {
                Ok(full_name) => error.in_message(full_name),
                Err(_) => error,
            },
            Schema::Table(table) => error.in_message(&table.full_name),
        }
    }

    /// Names the message in an error, by the function that returns the shape of its type.
    #[cold]
    pub(crate) fn name_of_root(error: Error, shape: Option<ShapeFn>) -> Error {
        match shape {
            Some(shape) => Schema::Shape(shape()).name(error),
            None => error,
        }
    }

    /// True if `table` is the table of a message of this schema.
    pub(crate) fn is(self, table: &Table) -> bool {
        match self {
            Schema::Shape(shape) => table.shape.is_some_and(|own| std::ptr::eq(own.cells(), shape.cells())),
            Schema::Table(own) => own.is_same_message(table),
        }
    }
}

/// Returns the error for a value whose type has tobu's derive, but is bound to another message than the schema.
#[cold]
pub(crate) fn other_message(own: &Table) -> Error {
    Error::ty(format!("the type is a {}", own.full_name))
}
