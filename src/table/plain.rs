//! Data on structs of numbers and texts, and on members that zeros clear.

use std::num::NonZeroU32;

/// A flat Rust type: of numbers and texts only, with tags of one byte. It is read in one pass over its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flat {
    /// How many bytes a message takes that has all its fields, where they are numbers of four bytes each.
    pub(crate) fixed32: Option<NonZeroU32>,
}

/// How the members of a struct are cleared: numbers by zeros, strings and lists of numbers by zeros as their lengths, so
/// that a run of these takes a few stores; all others by their rows.
#[derive(Debug)]
pub(crate) struct Clear {
    /// What is set to zero.
    pub(crate) zeros: Box<[Zeros]>,
    /// The strings and lists among them.
    pub(crate) lists: Box<[PlainList]>,
    /// The indices of the other rows; of a oneof that is an enum of its own that of its first one.
    pub(crate) rows: Box<[u16]>,
    /// There are no such rows, and no field that a projection leaves out: known at once, since that is asked each time.
    pub(crate) only_zeros: bool,
}

/// One or two stores of zeros at offsets into a struct. The two may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zeros {
    /// Two of eight bytes each.
    Eights(u32, u32),
    /// Two of four bytes each.
    Fours(u32, u32),
    /// A byte.
    One(u32),
}

/// A member that is a string, or a list of numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainList {
    pub(crate) offset: u32,
    /// How many bytes an element takes.
    pub(crate) stride: u32,
}
