//! One default value per type, made on first use.

use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// The place of the default value of a type; a static of generated code.
#[derive(Debug)]
pub struct DefaultSlot<T>(AtomicPtr<T>);

impl<T: Default + Send + Sync> DefaultSlot<T> {
    /// A slot with nothing in it yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        DefaultSlot(AtomicPtr::new(ptr::null_mut()))
    }

    /// The value, which is made on first use and lives as long as the program.
    #[inline]
    pub fn get(&'static self) -> &'static T {
        let known = self.0.load(Ordering::Acquire);
        if known.is_null() {
            return self.make();
        }
        // SAFETY: what is stored is a leaked box, and nothing changes it.
        unsafe { &*known }
    }

    #[cold]
    fn make(&'static self) -> &'static T {
        let fresh = Box::into_raw(Box::<T>::default());
        let stored = self.0.compare_exchange(ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire);
        // SAFETY: the one that was stored is never freed; the other one is known to nobody else.
        unsafe {
            match stored {
                Ok(_) => &*fresh,
                Err(first) => {
                    drop(Box::from_raw(fresh));
                    &*first
                }
            }
        }
    }
}
