//! The operations on all messages, typed and dynamic. Each file has one operation.

mod copy;
mod diff;
mod equal;
mod extensions;
mod hash;
pub(crate) mod mask;
mod merge;
mod path;
mod print;
mod redact;
mod unknown;
mod values;
mod visit;

pub use diff::{Change, Diff};
pub use equal::Equality;
pub use path::Path;
pub use visit::{Visit, Visited};

pub(crate) use copy::{How as Merging, copy, in_place, merge as merge_into, to_dynamic};
#[cfg(feature = "derive")]
pub(crate) use mask::validate;

/// The number of levels of messages that an operation visits.
pub(crate) const MAX_DEPTH: u32 = 100;

/// Returns the error for messages that nest deeper than [`MAX_DEPTH`].
#[cold]
fn too_deep() -> crate::error::Error {
    crate::error::Error::limit(crate::error::LimitError::Depth(MAX_DEPTH))
}

/// Returns the error for two messages of different types.
#[cold]
fn other_type(ours: &str, theirs: &str) -> crate::error::Error {
    crate::error::Error::ty(format!("the other message is a {theirs}, not a {ours}")).in_message(ours)
}
