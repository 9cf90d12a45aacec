//! Canonical ProtoJSON.

pub(crate) mod lex;
mod options;

pub use options::Options;
