//! Canonical ProtoJSON.

pub(crate) mod lex;
mod options;
mod read;

pub use options::Options;
pub use read::{from_reader, from_slice, from_slice_in_place, from_str, from_str_in_place, merge};
