//! Packed numbers that are written as varints.

use super::output::Output;
use crate::table::Action;
use crate::wire::{varint_len, zigzag32, zigzag64};
use std::slice::from_raw_parts;

/// What is compiled for each type of numbers that are written as varints. Both functions take the address of the first one and
/// how many there are.
pub(super) struct Varints<O: Output> {
    /// Bytes from one number to the next.
    pub(super) stride: usize,
    /// How many bytes they take.
    pub(super) bytes: unsafe fn(*const u8, usize) -> usize,
    /// Writes them, where they take at most so many bytes.
    pub(super) put: unsafe fn(&mut O, *const u8, usize, usize, O::Cursor) -> O::Cursor,
}

impl<O: Output> Varints<O> {
    /// Those that an action writes; none for an action that writes no varints.
    #[inline]
    pub(super) fn of(action: Action) -> Option<Self> {
        Some(match action {
            Action::Int32 => Self::of_type::<Int32>(),
            Action::UInt32 => Self::of_type::<u32>(),
            Action::Int64 => Self::of_type::<u64>(),
            Action::SInt32 => Self::of_type::<SInt32>(),
            Action::SInt64 => Self::of_type::<SInt64>(),
            _ => return None,
        })
    }

    #[inline]
    fn of_type<N: Number>() -> Self {
        Varints {
            stride: size_of::<N>(),
            // SAFETY: as for the caller.
            bytes: |first, len| unsafe { numbers::<N>(first, len).map(varint_len).sum() },
            // SAFETY: as for the caller.
            put: |out, first, len, bytes, at| unsafe { out.varints(at, bytes, numbers::<N>(first, len)) },
        }
    }
}

/// The varints of so many numbers from an address on.
///
/// # Safety
/// They are elements of a list of such numbers.
#[inline]
unsafe fn numbers<'a, N: Number>(first: *const u8, len: usize) -> impl Iterator<Item = u64> + use<'a, N> {
    // SAFETY: as above.
    let numbers: &'a [N] = unsafe { from_raw_parts(first.cast::<N>(), len) };
    numbers.iter().map(|number| number.varint())
}

/// A number as it lies in a list that is written as varints.
trait Number: Copy + 'static {
    /// The varint that it is written as.
    fn varint(self) -> u64;
}

#[repr(transparent)]
#[derive(Clone, Copy)]
struct Int32(i32);

#[repr(transparent)]
#[derive(Clone, Copy)]
struct SInt32(i32);

#[repr(transparent)]
#[derive(Clone, Copy)]
struct SInt64(i64);

impl Number for Int32 {
    #[inline]
    fn varint(self) -> u64 {
        i64::from(self.0) as u64
    }
}

impl Number for SInt32 {
    #[inline]
    fn varint(self) -> u64 {
        u64::from(zigzag32(self.0))
    }
}

impl Number for SInt64 {
    #[inline]
    fn varint(self) -> u64 {
        zigzag64(self.0)
    }
}

impl Number for u32 {
    #[inline]
    fn varint(self) -> u64 {
        u64::from(self)
    }
}

impl Number for u64 {
    #[inline]
    fn varint(self) -> u64 {
        self
    }
}
