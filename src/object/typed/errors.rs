//! What can be wrong with the Rust type of a message.

use crate::error::Error;

/// The members of a type are not what its table says.
#[cold]
pub(crate) fn mismatch() -> Error {
    Error::schema("the table and the members of the Rust type differ")
}

/// A type borrows what is not there to be borrowed.
#[cold]
pub(crate) fn borrows() -> Error {
    Error::ty("the Rust type borrows the value from the input, so that it cannot be set")
}

/// A message struct cannot be made.
#[cold]
pub(crate) fn unmakable() -> Error {
    Error::ty("the Rust type has a skipped member without a default, so that no value of it can be made")
}
