//! Message structs: empty values of members that are skipped.

use std::marker::PhantomData;

/// Makes the default of a type that may have none: a method of its own for types with one, of a trait for the rest.
#[derive(Debug)]
pub struct Defaulted<T>(pub PhantomData<T>);

impl<T> Defaulted<T> {
    /// That of the type of a member.
    pub fn of(_: &T) -> Self {
        Defaulted(PhantomData)
    }
}

impl<T: Default> Defaulted<T> {
    /// The default.
    #[must_use]
    pub fn make(&self) -> Option<T> {
        Some(T::default())
    }
}

/// The method of [`Defaulted`] for types without a default.
pub trait Undefaulted<T> {
    /// Nothing.
    fn make(&self) -> Option<T> {
        None
    }
}

impl<T> Undefaulted<T> for Defaulted<T> {}
