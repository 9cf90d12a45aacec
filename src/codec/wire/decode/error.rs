//! Creates errors, and adds the path of fields that leads to an error.

use super::Decoder;
use super::value::scalar;
use crate::error::Error;
use crate::table::{Kind, Row, Shape};
use crate::wire::Reader;
use std::fmt;

impl Decoder<'_, '_> {
    /// Ends a call of [`run`](Self::run) after an error, and returns null. Removes all frames above `bottom`, and adds the
    /// field of each frame to the path of the error. (A frame is a message that waits until one of its fields is read.)
    #[cold]
    #[inline(never)]
    pub(super) fn unwind(&mut self, bottom: usize) -> *const u8 {
        let mut error = self.take_error();
        while self.frames.len() > bottom {
            // SAFETY: `len` is above `bottom`, so there is a frame.
            let frame = unsafe { self.frames.pop() };
            self.levels -= frame.levels();
            let row = frame.state.row;
            error = match row.shape {
                Shape::List => error.in_index(frame.index as usize),
                Shape::Map => error.in_key(key_in_words(frame.key.unwrap_or_default(), &row.map().key)),
                Shape::Singular => error,
            };
            error = error.in_field(&row.name);
        }
        self.error = Some(error);
        std::ptr::null()
    }
}

/// Returns the key of a map entry as text for an error.
#[cold]
pub(super) fn key_in_words(key: &[u8], row: &Row) -> String {
    let mut at = Reader::new(key);
    if row.kind == Kind::String {
        return at.string().unwrap_or_default().to_owned();
    }
    let Ok(bits) = scalar(&mut at, row.kind) else { return String::new() };
    match row.kind {
        Kind::Bool => (bits != 0).to_string(),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => (bits as i32).to_string(),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => (bits as i64).to_string(),
        _ => bits.to_string(),
    }
}

/// Returns the error for a number that is not a value of a Rust enum.
#[cold]
pub(super) fn no_value(number: i32, expected: &str) -> Error {
    invalid(format_args!("integer `{number}`"), expected)
}

/// Returns the error for bytes that a Rust string cannot hold.
#[cold]
pub(super) fn no_text() -> Error {
    invalid(format_args!("byte array"), "a string")
}

/// Returns an error with the text of serde's `invalid_value`. It does not call serde's function, because that would
/// link the code that prints floats.
fn invalid(found: fmt::Arguments<'_>, expected: &str) -> Error {
    serde::de::Error::custom(format_args!("invalid value: {found}, expected {expected}"))
}
