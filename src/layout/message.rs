//! Makes the default values of skipped members of message structs.

use std::marker::PhantomData;

/// Makes the default value of a type, if it implements `Default`. Method resolution finds the inherent method for types
/// with a default, and the method of [`Undefaulted`] for all other types.
#[derive(Debug)]
pub struct Defaulted<T>(pub PhantomData<T>);

impl<T> Defaulted<T> {
    /// Creates the helper for the type of a member.
    pub fn of(_: &T) -> Self {
        Defaulted(PhantomData)
    }
}

impl<T: Default> Defaulted<T> {
    /// Returns the default.
    #[must_use]
    pub fn make(&self) -> Option<T> {
        Some(T::default())
    }
}

/// The method that the compiler finds for types without a default.
pub trait Undefaulted<T> {
    /// Returns `None`.
    fn make(&self) -> Option<T> {
        None
    }
}

impl<T> Undefaulted<T> for Defaulted<T> {}
