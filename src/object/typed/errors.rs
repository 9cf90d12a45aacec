//! What can be wrong with the Rust type of a message.

use crate::error::Error;
use crate::layout::{Conversion, Refused, Storage};

/// The members of a type are not what its table says.
#[cold]
#[inline(never)]
pub(crate) fn mismatch() -> Error {
    Error::schema("the table and the members of the Rust type differ")
}

/// A type does not take a text: it borrows what is not there to be borrowed, or its conversion has no value for it.
#[cold]
#[inline(never)]
pub(crate) fn refused(storage: Storage) -> Error {
    match storage.conversion() {
        Some(conversion) => no_value(conversion),
        None => Error::ty("the Rust type borrows the value from the input, so that it cannot be set"),
    }
}

/// A conversion has no value.
#[cold]
#[inline(never)]
fn no_value(conversion: &Conversion) -> Error {
    Error::ty(format!("expected {}", conversion.expected))
}

/// A conversion has no value for a proto value that was made for a member, or for one in it.
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

/// A message struct cannot be made.
#[cold]
#[inline(never)]
pub(crate) fn unmakable() -> Error {
    Error::ty(
        "no empty value of the Rust type can be made: a skipped member has no default, or a conversion no value for an absent field",
    )
}
