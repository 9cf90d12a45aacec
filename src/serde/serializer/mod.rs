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
use crate::options::EncodeOptions;

/// The key of unknown fields among named ones.
pub(crate) const UNKNOWN: &str = "$unknown";

/// How a value is written, and how many more levels of messages may be opened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk {
    pub(crate) depth: u32,
    /// Required fields may be missing.
    pub(crate) partial: bool,
}

impl Walk {
    /// At the outermost message.
    pub(crate) fn new(options: EncodeOptions) -> Self {
        let (limits, _, partial) = options.parts();
        Walk { depth: limits.max_depth(), partial }
    }
}

/// The error for calls to a serializer after it failed.
#[cold]
fn failed() -> Error {
    Error::ty("what failed before cannot go on")
}
