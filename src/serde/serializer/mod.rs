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

use crate::error::{Error, LimitError, Result};

/// The key of unknown fields among named ones.
pub(crate) const UNKNOWN: &str = "$unknown";

/// How a value is written, and how deep messages may nest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) depth: u32,
    pub(crate) max_depth: u32,
    /// Required fields may be missing.
    pub(crate) partial: bool,
}

impl Walk {
    /// One level deeper.
    fn enter(self) -> Result<Self> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(Walk { depth, ..self }),
            None => Err(Error::limit(LimitError::Depth(self.max_depth))),
        }
    }
}

/// The error for calls to a serializer after it failed.
#[cold]
fn failed() -> Error {
    Error::ty("what failed before cannot go on")
}
