//! Canonical ProtoJSON.

mod options;

pub use options::Options;
