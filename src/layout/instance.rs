//! One default value per type, made on first use.

use std::alloc::{Layout, alloc, handle_alloc_error};
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The slot for the default value of a type: a static of generated code.
#[derive(Debug)]
pub struct DefaultSlot<T>(AtomicPtr<u8>, PhantomData<fn() -> T>);

impl<T: Default + Send + Sync> DefaultSlot<T> {
    /// Creates a slot with nothing in it yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        DefaultSlot(AtomicPtr::new(ptr::null_mut()), PhantomData)
    }

    /// Returns the value, which is made on first use and lives as long as the program.
    #[inline]
    pub fn get(&'static self) -> &'static T {
        // SAFETY: `shared` returns the address of a `T` that `make` has written, which nothing changes or frees.
        unsafe { &*shared(&self.0, Layout::new::<T>(), Self::make).cast::<T>() }
    }

    unsafe fn make(at: *mut u8) {
        // SAFETY: the caller allocated room for a `T` at `at`.
        unsafe { at.cast::<T>().write(T::default()) }
    }
}

/// Returns the content of a slot. If it is empty, a new allocation is filled. Compiled once for all types.
///
/// # Safety
/// `make` fills memory of the layout `layout`, and `slot` is empty or has an address that an earlier call with this
/// `make` stored.
#[inline(never)]
unsafe fn shared(slot: &AtomicPtr<u8>, layout: Layout, make: unsafe fn(*mut u8)) -> *mut u8 {
    let known = slot.load(Ordering::Acquire);
    if !known.is_null() {
        return known;
    }
    let fresh = match layout.size() {
        // Nothing is written, but the address must be aligned.
        0 => ptr::without_provenance_mut(layout.align()),
        // SAFETY: the size is not zero.
        _ => unsafe { alloc(layout) },
    };
    if fresh.is_null() {
        handle_alloc_error(layout);
    }
    // SAFETY: the memory at `fresh` has the layout `layout`, as `make` requires.
    unsafe { make(fresh) };
    // If two threads make the first value, one of the two values is never used and stays where it is.
    match slot.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => fresh,
        Err(first) => first,
    }
}
