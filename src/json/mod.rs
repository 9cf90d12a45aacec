//! Canonical ProtoJSON.

pub(crate) mod lex;
mod options;
pub(crate) mod print;
mod read;
mod write;

pub use options::Options;
pub use read::{from_reader, from_slice, from_slice_in_place, from_str, from_str_in_place, merge};
pub use write::{to_string, to_string_pretty, to_vec, to_writer};
