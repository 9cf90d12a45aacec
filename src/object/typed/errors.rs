//! Makes the errors that are about the Rust type of a message.

use crate::error::Error;
use crate::layout::{Conversion, Refused, Storage};

/// Returns the error for a type whose members do not fit its table.
#[cold]
#[inline(never)]
pub(crate) fn mismatch() -> Error {
    Error::schema("the table and the members of the Rust type differ")
}

/// Returns the error for a type that rejects a text, because the type borrows and the text cannot be borrowed, or
/// because its conversion has no value for the text.
#[cold]
#[inline(never)]
pub(crate) fn refused(storage: Storage) -> Error {
    match storage.conversion() {
        Some(conversion) => no_value(conversion),
        None => Error::ty("the Rust type borrows the value from the input, so it cannot be set"),
    }
}

/// Returns the error for a conversion that rejects a value.
#[cold]
#[inline(never)]
fn no_value(conversion: &Conversion) -> Error {
    Error::ty(format!("expected {}", conversion.expected))
}

/// Returns the error for a conversion that rejects the proto value of a member, or a value in that proto value.
#[cold]
#[inline(never)]
pub(crate) fn unconverted(conversion: &Conversion, refused: Refused) -> Error {
    let error = no_value(conversion);
    match refused {
        Refused::Whole => error,
        Refused::Element(index) => error.in_index(index),
        Refused::Entry(key) => error.in_key(key),
    }
}

/// Returns the error for a message type that has no empty value.
#[cold]
#[inline(never)]
pub(crate) fn unmakable() -> Error {
    Error::ty(
        "no empty value of the Rust type can be made: a skipped member has no default, or a conversion has no value for an absent field",
    )
}
