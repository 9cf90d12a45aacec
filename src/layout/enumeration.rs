//! Enumerations: newtypes over `i32` and Rust enums.

use super::{EnumFunctions, EnumShape};
use std::mem::needs_drop;

/// The numbers of a Rust type that stands for an enum. Its derive implements this.
pub trait EnumNumbers: Sized {
    /// Returns the shape of the type.
    fn enum_shape() -> &'static EnumShape;

    /// Returns the number of the value.
    fn to_number(&self) -> i32;

    /// Returns the value with this number; `None` if the type cannot hold it.
    fn of_number(number: i32) -> Option<Self>;
}

/// Compiles only if a newtype is an `i32` in memory.
pub const fn open_enum_fits<T>() {
    assert!(size_of::<T>() == 4 && align_of::<T>() == 4, "an open enumeration is a newtype over `i32`");
    assert!(!needs_drop::<T>(), "an enumeration has nothing to drop");
}

struct Of<T>(T);

impl<T: EnumNumbers> Of<T> {
    const FUNCTIONS: EnumFunctions = EnumFunctions { shape: T::enum_shape, get: Self::get, set: Self::set };

    unsafe fn get(at: *const u8) -> i32 {
        // SAFETY: a live `T` is at the address, and nothing changes it meanwhile, by the contract of the functions.
        unsafe { &*at.cast::<T>() }.to_number()
    }

    unsafe fn set(at: *mut u8, number: i32) -> bool {
        let value = T::of_number(number);
        let known = value.is_some();
        if let Some(value) = value {
            // SAFETY: a live `T` is at the address, and nothing else refers to it, by the contract of the functions.
            unsafe { *at.cast::<T>() = value };
        }
        known
    }
}

/// Returns the functions for a Rust enum that stands for a protobuf enum.
#[must_use]
pub const fn closed_enum_functions<T: EnumNumbers>() -> &'static EnumFunctions {
    const { assert!(!needs_drop::<T>(), "an enumeration has nothing to drop") };
    &Of::<T>::FUNCTIONS
}
