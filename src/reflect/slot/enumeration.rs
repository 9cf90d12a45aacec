//! Enumerations: what `derive(Enumeration)` calls.

use super::{At, misfit};
use crate::error::{Error, Result};
use crate::message::Enumeration;
use crate::reflect::{Value, ValueRef};

/// The number of a value.
#[inline]
pub fn get_enumeration<E: Enumeration>(value: &E) -> ValueRef<'static> {
    ValueRef::Enum(value.number())
}

/// Replaces a value by its number.
///
/// # Errors
/// A Rust enum has no room for the number.
pub fn set_enumeration<E: Enumeration>(slot: &mut E, _: At, value: Value) -> Result<()> {
    match value {
        Value::Enum(number) => match E::from_number(number) {
            Some(value) => *slot = value,
            None => return Err(no_room(E::shape().rust_name, number)),
        },
        other => return Err(misfit(&other)),
    }
    Ok(())
}

#[cold]
fn no_room(rust_name: &str, number: i32) -> Error {
    Error::ty(format!("the Rust enum {rust_name} has no variant of number {number}"))
}

/// The default: the value that the schema names as such, zero, or the first.
pub fn empty_enumeration<E: Enumeration>(at: Option<At>) -> Option<E> {
    let declared = at.and_then(|at| at.set.enums.get(at.field.sub as usize)).map(|plan| plan.default);
    let first = || E::from_number(E::shape().values.first()?.2);
    declared.and_then(E::from_number).or_else(|| E::from_number(0)).or_else(first)
}
