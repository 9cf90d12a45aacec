//! Data on the members of a struct that are plain numbers.

use crate::layout::ListFunctions;
use std::num::NonZeroU32;

/// A Rust type of a few numbers without presence, after tags of one byte: it is read without a separate frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// How many bytes a message takes that has all its fields, where they are numbers of four bytes each.
    pub(crate) fixed32: Option<NonZeroU32>,
}

/// How the members of a struct are cleared: numbers by zeros, a run of them at once; strings and lists of numbers by
/// their lengths; all others by their rows.
#[derive(Debug)]
pub(crate) struct Clear {
    /// Where runs of numbers start, and how many bytes they take.
    pub(crate) zeros: Box<[(u32, u32)]>,
    /// Where members of type `String` are.
    pub(crate) strings: Box<[u32]>,
    /// Where lists of numbers are, which need no drop.
    pub(crate) numbers: Box<[(u32, &'static ListFunctions)]>,
    /// The indices of the other rows; of a oneof that is an enum of its own that of its first one.
    pub(crate) rows: Box<[u16]>,
    /// No field has an allocation, so that a message that was used before is worth no more than a new one.
    pub(crate) plain: bool,
}
