//! Errors about files, while they are added to a pool.

use super::names::printable;
use super::raw::{self, FileDescriptorProto};
use crate::error::Error;
use std::fmt;

/// An error about a symbol of a file: `library.proto: library.v1.Book.title: field number 0 is not valid`.
#[cold]
pub(super) fn error_at(file: &str, symbol: Option<&str>, text: impl fmt::Display) -> Error {
    let file = printable(file);
    match symbol {
        Some(symbol) => Error::schema(format!("{file}: {}: {text}", printable(symbol))),
        None => Error::schema(format!("{file}: {text}")),
    }
}

pub(super) const SET: &str = "google.protobuf.FileDescriptorSet";

/// The name in a serialized FileDescriptorProto that may be malformed elsewhere.
pub(super) fn file_name(bytes: &[u8]) -> Option<&str> {
    raw::options::last_message(bytes, 1).and_then(|name| std::str::from_utf8(name).ok())
}

/// The exact decode error for a file whose linking, or the reading of its imports, failed with `error`.
#[cold]
pub(super) fn malformed(bytes: &[u8], error: Error, index: Option<usize>) -> Error {
    // It is read again as a whole, to find where.
    let error = FileDescriptorProto::decode(bytes).err().unwrap_or(error);
    let error = match (file_name(bytes), index) {
        (Some(name), _) => error.in_key(name),
        (None, Some(index)) => error.in_index(index),
        (None, None) => error,
    };
    error.in_field("file").in_message(SET)
}
