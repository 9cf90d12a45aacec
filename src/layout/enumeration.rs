//! The functions of Rust types for enums: newtypes over `i32`, and Rust enums.

use super::{EnumFunctions, EnumShape};
use std::mem::needs_drop;

/// A Rust type for an enum, with conversions to and from numbers. The derive macro implements this trait.
pub trait EnumNumbers: Sized {
    /// Returns the shape of the type.
    fn enum_shape() -> &'static EnumShape;

    /// Returns the number of the value.
    fn to_number(&self) -> i32;

    /// Returns the value with this number, or `None` if the type has no such value.
    fn of_number(number: i32) -> Option<Self>;
}

/// Fails to compile if a newtype does not have the memory layout of an `i32`, or must be dropped.
pub const fn open_enum_fits<T>() {
    assert!(size_of::<T>() == 4 && align_of::<T>() == 4, "an open enumeration is a newtype over `i32`");
    assert!(!needs_drop::<T>(), "an enumeration has nothing to drop");
}

struct Of<T>(T);

impl<T: EnumNumbers> Of<T> {
    const FUNCTIONS: EnumFunctions = EnumFunctions { shape: T::enum_shape, get: Self::get, set: Self::set };

    unsafe fn get(at: *const u8) -> i32 {
        // SAFETY: the contract of the functions says that a live `T` is at the address, and that it does not change during the
        // call.
        unsafe { &*at.cast::<T>() }.to_number()
    }

    unsafe fn set(at: *mut u8, number: i32) -> bool {
        let value = T::of_number(number);
        let known = value.is_some();
        if let Some(value) = value {
            // SAFETY: the contract of the functions says that a live `T` is at the address, and that nothing else refers to it.
            unsafe { *at.cast::<T>() = value };
        }
        known
    }
}

/// Returns the functions for a Rust enum.
#[must_use]
pub const fn closed_enum_functions<T: EnumNumbers>() -> &'static EnumFunctions {
    const { assert!(!needs_drop::<T>(), "an enumeration has nothing to drop") };
    &Of::<T>::FUNCTIONS
}
