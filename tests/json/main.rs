//! Canonical JSON, on every path that writes or reads it.

mod enum_names;
mod read;
mod write;
