//! What a piece of work takes, counted: the same on every machine, whatever else that does.

use crate::counting;
use std::fmt;

/// What was counted while something ran.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    /// How often memory was asked for, or for more of it.
    allocations: usize,
    /// The bytes that were asked for.
    bytes: usize,
    /// The most bytes that were held at a time, beside what was held before.
    peak: usize,
    /// The blocks of code that ran; zero where they are not counted.
    blocks: usize,
}

impl Counts {
    /// Counts what `run` takes.
    pub(crate) fn of<T>(run: impl FnOnce() -> T) -> (Self, T) {
        blocks::reset();
        let ((allocations, bytes), (peak, done)) = counting::asked(|| counting::peak(run));
        (Self { allocations, bytes, peak, blocks: blocks::count() }, done)
    }

    /// What of this is more than `times` as much for each of the doublings that lie between it and `less`; of little
    /// nothing is too much.
    pub(crate) fn beyond(&self, less: &Self, doublings: u32, times: f64) -> Option<String> {
        let rows = [
            ("allocations", less.allocations, self.allocations, 128, [1.0, f64::INFINITY]),
            ("blocks of code", less.blocks, self.blocks, 4 << 10, [1.0, f64::INFINITY]),
            // What grows by doubling is up to twice too large at the one size and fits at another.
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
/// library has none: what it copies, compares and searches is not seen here.
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
            // SAFETY: the counters lie one after the other between the two. This code counts itself meanwhile, so each
            // is read for itself.
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
