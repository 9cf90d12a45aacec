//! The cost of an operation, counted: the same on every machine, with any load.

use crate::counting;
use std::fmt;

/// The counts of an operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    /// The number of allocations and reallocations.
    allocations: usize,
    /// The bytes requested.
    bytes: usize,
    /// The most bytes that were held at a time, beyond those held before.
    peak: usize,
    /// The blocks of code that ran; zero where they are not counted.
    blocks: usize,
}

impl Counts {
    /// Counts the cost of `run`.
    pub(crate) fn of<T>(run: impl FnOnce() -> T) -> (Self, T) {
        blocks::reset();
        let ((allocations, bytes), (peak, done)) = counting::asked(|| counting::peak(run));
        (Self { allocations, bytes, peak, blocks: blocks::count() }, done)
    }

    /// The count that grew more than `times` per doubling since `less`, if any; small counts are ignored.
    pub(crate) fn beyond(&self, less: &Self, doublings: u32, times: f64) -> Option<String> {
        let rows = [
            ("allocations", less.allocations, self.allocations, 128, [1.0, f64::INFINITY]),
            ("blocks of code", less.blocks, self.blocks, 4 << 10, [1.0, f64::INFINITY]),
            // Buffers that grow by doubling may be up to twice too large at one size and exact at
            // another.
            ("bytes", less.bytes, self.bytes, 64 << 10, [2.0, 1.0]),
            ("bytes at a time", less.peak, self.peak, 64 << 10, [2.0, 1.0]),
        ];
        let several = usize::from(doublings >= 4);
        let (what, ..) = rows.into_iter().find(|&(_, less, more, free, steps)| {
            more as f64 > less as f64 * times.powi(doublings as i32) * steps[several] + f64::from(free)
        })?;
        Some(format!("too many {what} after {doublings} doublings"))
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { allocations, bytes, peak, blocks } = self;
        write!(f, "{allocations} allocations of {bytes} bytes, {peak} at a time, {blocks} blocks of code")
    }
}

/// The counters that `-C instrument-coverage` puts into each block of the crates that are built with it. The standard
/// library has none: its copies, comparisons and searches are not counted.
#[cfg(counted)]
mod blocks {
    #![allow(unsafe_code)]

    // Part of the runtime of LLVM's profiles, which the compiler links.
    unsafe extern "C" {
        safe fn __llvm_profile_reset_counters();
        safe fn __llvm_profile_begin_counters() -> *const u64;
        safe fn __llvm_profile_end_counters() -> *const u64;
    }

    pub(super) fn reset() {
        __llvm_profile_reset_counters();
    }

    pub(super) fn count() -> usize {
        let (mut at, end) = (__llvm_profile_begin_counters(), __llvm_profile_end_counters());
        let mut sum = 0;
        while at < end {
            // SAFETY: the counters are contiguous between the two. This code counts itself meanwhile, so each is read
            // for itself.
            sum += unsafe { at.read_volatile() };
            at = at.wrapping_add(1);
        }
        sum as usize
    }
}

#[cfg(not(counted))]
mod blocks {
    pub(super) fn reset() {}

    pub(super) fn count() -> usize {
        0
    }
}
