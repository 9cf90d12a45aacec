//! An allocator that counts what its thread holds, and how often it allocates.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
    static CALLS: Cell<usize> = const { Cell::new(0) };
    static ASKED: Cell<usize> = const { Cell::new(0) };
}

fn count(more: isize) {
    CALLS.set(CALLS.get() + usize::from(more > 0));
    ASKED.set(ASKED.get() + more.max(0) as usize);
    let held = HELD.get() + more;
    HELD.set(held);
    PEAK.set(PEAK.get().max(held));
}

// SAFETY: every call is forwarded unchanged to the system's allocator; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps to the contract of the same method.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // As if old and new existed at the same time, which they do unless the old can be grown.
        count(size as isize);
        count(-(layout.size() as isize));
        // SAFETY: as above.
        unsafe { System.realloc(at, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The peak of bytes held by `run` beyond those held before, and its result.
#[allow(dead_code, reason = "a test asks for the one or the other")]
pub(crate) fn peak<T>(run: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.get();
    PEAK.set(before);
    let done = run();
    ((PEAK.get() - before) as usize, done)
}

/// The bytes that the result of `run` holds, and the result.
#[allow(dead_code, reason = "as above")]
pub(crate) fn held<T>(run: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.get();
    let done = run();
    ((HELD.get() - before) as usize, done)
}

/// The number of allocations and reallocations of `run`, and its result.
#[allow(dead_code, reason = "as above")]
pub(crate) fn calls<T>(run: impl FnOnce() -> T) -> (usize, T) {
    let before = CALLS.get();
    let done = run();
    (CALLS.get() - before, done)
}

/// The number of allocations of `run` and their bytes, and its result.
#[allow(dead_code, reason = "as above")]
pub(crate) fn asked<T>(run: impl FnOnce() -> T) -> ((usize, usize), T) {
    let before = (CALLS.get(), ASKED.get());
    let done = run();
    ((CALLS.get() - before.0, ASKED.get() - before.1), done)
}
