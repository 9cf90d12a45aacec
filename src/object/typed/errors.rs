//! What can be wrong with the Rust type of a message.

use crate::error::Error;
use crate::layout::Storage;

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
        Some(conversion) => Error::ty(format!("expected {}", conversion.expected)),
        None => Error::ty("the Rust type borrows the value from the input, so that it cannot be set"),
    }
}

/// A message struct cannot be made.
#[cold]
#[inline(never)]
pub(crate) fn unmakable() -> Error {
    Error::ty("the Rust type has a skipped member without a default, so that no value of it can be made")
}
