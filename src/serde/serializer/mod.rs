//! Serializes any `T: Serialize` into a message of an arena, by the table of a descriptor.
//!
//! Fields are found by name: proto names, JSON names, or the names of members of a bound Rust type.

mod collect;
mod key;
mod message;
mod number;
mod oneof;
mod refuse;
mod unknown;
mod value;

pub(crate) use message::{KeyedMembers, Members, MessageSerializer};

use crate::error::Error;

/// The name under which a message has its unknown fields.
pub(crate) const UNKNOWN: &str = "$unknown";

/// Returns the error for calls to a serializer after it failed.
#[cold]
fn failed() -> Error {
    Error::ty("what failed before cannot go on")
}
