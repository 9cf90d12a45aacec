//! What drops a value of a type, as far as the type says it.

use std::marker::PhantomData;
use std::mem;

/// Finds out whether a type has a `Drop` of its own: by a constant of its own for types with one, of a trait for the rest.
#[derive(Debug)]
pub struct OwnDrop<T>(PhantomData<T>);

#[expect(drop_bounds, reason = "it is asked whether the type itself has one")]
impl<T: Drop> OwnDrop<T> {
    /// What drops a value.
    pub const FUNCTION: Option<DropFunction> = drop_function::<T>();
}

/// The constant of [`OwnDrop`] for types without one.
pub trait NoOwnDrop {
    /// Nothing.
    const FUNCTION: Option<DropFunction> = None;
}

impl<T> NoOwnDrop for OwnDrop<T> {}

/// Drops the value at an address.
pub(crate) type DropFunction = unsafe fn(*mut u8);

/// What drops a value of a type; `None` where there is nothing to do.
#[must_use]
pub const fn drop_function<T>() -> Option<DropFunction> {
    if mem::needs_drop::<T>() { Some(drop_as::<T>) } else { None }
}

/// # Safety
/// A `T` is at the address, and nobody looks at it again.
unsafe fn drop_as<T>(at: *mut u8) {
    // SAFETY: as above.
    unsafe { at.cast::<T>().drop_in_place() }
}
