//! Canonical ProtoJSON.

mod options;
pub(crate) mod print;
mod write;

pub use options::Options;
pub use write::{to_string, to_string_pretty, to_vec, to_writer};
