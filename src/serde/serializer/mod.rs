//! Any `T: Serialize` into a message of an arena, by the table of its descriptor.
//!
//! Fields are found by name: proto names, JSON names, or those of the members of a Rust type that is bound to the message.

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

/// The key of unknown fields among named ones.
pub(crate) const UNKNOWN: &str = "$unknown";

/// The error for calls to a serializer after it failed.
#[cold]
fn failed() -> Error {
    Error::ty("what failed before cannot go on")
}
