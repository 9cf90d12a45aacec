//! Errors: which fields lead to the one that failed.

use super::Decoder;
use crate::error::Error;
use crate::table::{Kind, Row, Shape};
use crate::wire::{Reader, unzigzag32, unzigzag64};
use std::fmt;

impl Decoder<'_, '_> {
    /// Gives up: takes all frames off that are above `bottom`, and adds to the error the fields they wait for.
    #[cold]
    #[inline(never)]
    pub(super) fn unwind(&mut self, bottom: usize) -> *const u8 {
        let mut error = self.take_error();
        while self.frames.len() > bottom {
            // SAFETY: there is a frame.
            let frame = unsafe { self.frames.pop() };
            self.levels -= 1;
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

/// The key of a map entry for an error text.
#[cold]
pub(super) fn key_in_words(key: &[u8], row: &Row) -> String {
    let mut at = Reader::new(key);
    let words = match row.kind {
        Kind::String => at.string().map(str::to_owned),
        Kind::Bool => at.varint().map(|key| (key != 0).to_string()),
        Kind::Int32 => at.varint().map(|key| (key as i32).to_string()),
        Kind::SInt32 => at.varint().map(|key| unzigzag32(key as u32).to_string()),
        Kind::SFixed32 => at.fixed32().map(|key| (key as i32).to_string()),
        Kind::Int64 => at.varint().map(|key| (key as i64).to_string()),
        Kind::SInt64 => at.varint().map(|key| unzigzag64(key).to_string()),
        Kind::SFixed64 => at.fixed64().map(|key| (key as i64).to_string()),
        Kind::UInt32 => at.varint().map(|key| (key as u32).to_string()),
        Kind::Fixed32 => at.fixed32().map(|key| key.to_string()),
        Kind::Fixed64 => at.fixed64().map(|key| key.to_string()),
        _ => at.varint().map(|key| key.to_string()),
    };
    words.unwrap_or_default()
}

/// A Rust enum has no value with this number.
#[cold]
pub(super) fn no_value(number: i32, expected: &str) -> Error {
    invalid(format_args!("integer `{number}`"), expected)
}

/// Bytes that a Rust string cannot hold.
#[cold]
pub(super) fn no_text() -> Error {
    invalid(format_args!("byte array"), "a string")
}

/// The text of serde's `invalid_value`, which would bring the printing of floats with it.
fn invalid(found: fmt::Arguments<'_>, expected: &str) -> Error {
    serde::de::Error::custom(format_args!("invalid value: {found}, expected {expected}"))
}
