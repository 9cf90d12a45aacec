//! Enumerations: newtypes over `i32` and Rust enums.

use super::{EnumFunctions, EnumShape, Field, Member, Straight};
use std::mem::needs_drop;

/// The numbers of a Rust type that stands for an enum; what its derive gives the layout.
pub trait EnumNumbers: Sized {
    /// The shape of the type.
    fn enum_shape() -> &'static EnumShape;

    /// The number of the value.
    fn to_number(&self) -> i32;

    /// The value with this number; `None` where the type has no room for it.
    fn of_number(number: i32) -> Option<Self>;
}

/// Fails to compile where a newtype is anything but an `i32` in memory.
pub const fn open_enum_fits<T>() {
    assert!(size_of::<T>() == 4 && align_of::<T>() == 4, "an open enumeration is a newtype over `i32`");
    assert!(!needs_drop::<T>(), "an enumeration has nothing to drop");
}

/// Writes a member that is a Rust enum, in straight-line code: whether zero is written is left to the step, since a closed
/// enum is present in some schemas whatever it is.
///
/// # Safety
/// As for [`Member::write`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn write_enum(number: i32, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe { if number == 0 { out.field(field, at) } else { number.put(field, out, at) } }
}

struct Of<T>(T);

// In all of these: SAFETY: the address is that of a value of the type, by the contract of the functions.
impl<T: EnumNumbers> Of<T> {
    const FUNCTIONS: EnumFunctions = EnumFunctions { shape: T::enum_shape, get: Self::get, set: Self::set };

    unsafe fn get(at: *const u8) -> i32 {
        // SAFETY: see above.
        unsafe { &*at.cast::<T>() }.to_number()
    }

    unsafe fn set(at: *mut u8, number: i32) -> bool {
        let value = T::of_number(number);
        let known = value.is_some();
        if let Some(value) = value {
            // SAFETY: see above.
            unsafe { *at.cast::<T>() = value };
        }
        known
    }
}

/// What can be done with a Rust enum that stands for a protobuf enum.
#[must_use]
pub const fn closed_enum_functions<T: EnumNumbers>() -> &'static EnumFunctions {
    const { assert!(!needs_drop::<T>(), "an enumeration has nothing to drop") };
    &Of::<T>::FUNCTIONS
}
