//! Data on the members of a struct that are plain numbers.

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
    /// Numbers, words of presence bits, strings, and lists of numbers.
    pub(crate) parts: Box<[Part]>,
    /// The indices of the other rows; of a oneof that is an enum of its own that of its first one.
    pub(crate) rows: Box<[u16]>,
    /// There is nothing but the parts and unknown fields, and no field that a projection leaves out: known at once, since
    /// that is asked each time.
    pub(crate) only_parts: bool,
    /// No field has an allocation, so that a message that was used before is worth no more than a new one.
    pub(crate) plain: bool,
}

/// A part of a struct that is cleared by one or two stores, at offsets into it. Two stores may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A byte of zero.
    Byte(u32),
    /// Zeros of four bytes each.
    Words(u32, u32),
    /// Zeros of eight bytes each.
    DoubleWords(u32, u32),
    /// Zeros of sixteen bytes each.
    QuadWords(u32, u32),
    /// A member of type `String`.
    String(u32),
    /// A list of numbers that take so many bytes each.
    Numbers(u32, u32),
}
