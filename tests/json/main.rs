//! Canonical JSON, on every path that writes or reads it.

mod read;
mod write;
