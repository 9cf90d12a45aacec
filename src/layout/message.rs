//! Message structs: empty values of members that are skipped.

use std::marker::PhantomData;

/// Makes the default of a type that may have none: method resolution finds an inherent method for types with a
/// default, and a method of a trait for the rest.
#[derive(Debug)]
pub struct Defaulted<T>(pub PhantomData<T>);

impl<T> Defaulted<T> {
    /// Returns the default of a member's type.
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

/// The method that is found for types without a default.
pub trait Undefaulted<T> {
    /// Always `None`.
    fn make(&self) -> Option<T> {
        None
    }
}

impl<T> Undefaulted<T> for Defaulted<T> {}
