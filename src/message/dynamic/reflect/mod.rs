//! Reflection on dynamic messages: reading and setting their values.

mod list;
mod map;
mod message;
mod read;
mod store;

use crate::error::Error;
use crate::table::{Row, Table};

/// Adds the field and its message to an error.
#[cold]
fn named(error: Error, table: &Table, field: &Row) -> Error {
    error.in_field(&field.name).in_message(&table.full_name)
}
