//! Creates one default value of each type when the value is first used.

use std::alloc::{Layout, alloc, handle_alloc_error};
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// A slot for the default value of a type. Generated code has such a slot as a static.
#[derive(Debug)]
pub struct DefaultSlot<T>(AtomicPtr<u8>, PhantomData<fn() -> T>);

impl<T: Default + Send + Sync> DefaultSlot<T> {
    /// Creates an empty slot.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        DefaultSlot(AtomicPtr::new(ptr::null_mut()), PhantomData)
    }

    /// Returns the value. It is created at the first call, and lives as long as the program.
    #[inline]
    pub fn get(&'static self) -> &'static T {
        // SAFETY: `shared` returns the address of a `T` that `make` has written, and no code changes or frees it.
        unsafe { &*shared(&self.0, Layout::new::<T>(), Self::make).cast::<T>() }
    }

    unsafe fn make(at: *mut u8) {
        // SAFETY: the caller allocated memory for a `T` at `at`.
        unsafe { at.cast::<T>().write(T::default()) }
    }
}

/// Returns the address in a slot. If the slot is empty, first allocates memory and fills it with `make`. This function is
/// compiled once for all types.
///
/// # Safety
/// `make` fills memory of the layout `layout`. `slot` is empty, or has an address that an earlier call with the same `make`
/// stored.
#[inline(never)]
unsafe fn shared(slot: &AtomicPtr<u8>, layout: Layout, make: unsafe fn(*mut u8)) -> *mut u8 {
    let known = slot.load(Ordering::Acquire);
    if !known.is_null() {
        return known;
    }
    let fresh = match layout.size() {
        // `make` writes nothing, but the address must be aligned.
        0 => ptr::without_provenance_mut(layout.align()),
        // SAFETY: the size of the layout is not zero.
        _ => unsafe { alloc(layout) },
    };
    if fresh.is_null() {
        handle_alloc_error(layout);
    }
    // SAFETY: the memory at `fresh` has the layout `layout`, as `make` requires.
    unsafe { make(fresh) };
    // If two threads create the value at the same time, one of the two values is leaked.
    match slot.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => fresh,
        Err(first) => first,
    }
}
