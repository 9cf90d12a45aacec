//! Strings of an arena as text, without validating them a second time.
//!
//! A module of the dynamic layer with `unsafe`. Where a schema wants strings to be UTF-8, all that writes the word of one has
//! seen to it:
//!
//! * what is decoded is validated by its operation, `Op::String`, and rows have it where `utf8` is set;
//! * codecs and serde write by `text_word`, which validates;
//! * values and keys that are set are a `String`;
//! * a message is copied into one of the same descriptor.
//!
//! A word is written as the shape and the kind of its row say, whatever a Rust type or another format says. It is of the
//! arena that holds it, whose input is shorter than 2 GiB. Bytes of strings are neither changed nor removed as long as there is
//! a word of them. A program with debug assertions validates every string that is read.

#![allow(unsafe_code)]

use super::arena::Arena;
use crate::table::Row;
use crate::wire::utf8;

impl Arena {
    /// The text in a word of a string field; `None` for bytes that are not UTF-8, where the schema allows them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn text(&self, row: &Row, word: u64) -> Option<&str> {
        let bytes = self.bytes(word);
        if !row.utf8 {
            return loose(bytes);
        }
        debug_assert!(utf8(bytes).is_ok(), "{} is not UTF-8: {bytes:?}", row.name);
        // SAFETY: it is validated, see the module.
        Some(unsafe { std::str::from_utf8_unchecked(bytes) })
    }
}

/// Bytes that are text only if they are UTF-8.
#[inline(never)]
fn loose(bytes: &[u8]) -> Option<&str> {
    utf8(bytes).ok()
}
