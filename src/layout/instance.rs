//! One default value per type, made on first use.

use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The place of the default value of a type; a static of generated code.
#[derive(Debug)]
pub struct DefaultSlot<T>(AtomicPtr<()>, PhantomData<fn() -> T>);

impl<T: Default + Send + Sync> DefaultSlot<T> {
    /// A slot with nothing in it yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        DefaultSlot(AtomicPtr::new(ptr::null_mut()), PhantomData)
    }

    /// The value, which is made on first use and lives as long as the program.
    #[inline]
    pub fn get(&'static self) -> &'static T {
        // SAFETY: what comes back is a leaked box of the type, and nothing changes it.
        unsafe { &*shared(&self.0, || Box::into_raw(Box::<T>::default()).cast()).cast::<T>() }
    }
}

/// What is in a slot; compiled once for all types.
fn shared(slot: &AtomicPtr<()>, make: fn() -> *mut ()) -> *mut () {
    let known = slot.load(Ordering::Acquire);
    if !known.is_null() {
        return known;
    }
    let fresh = make();
    // Of two threads that are first the value of one is never used; it stays where it is.
    match slot.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => fresh,
        Err(first) => first,
    }
}
