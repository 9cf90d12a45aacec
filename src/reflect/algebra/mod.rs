//! What can be done with any messages, typed and dynamic alike: one verb per file.

mod copy;
mod print;

pub(crate) use copy::{copy, to_dynamic, to_value};

/// The levels of messages that a verb goes down.
pub(crate) const MAX_DEPTH: u32 = 100;
