//! Message structs: empty values of their members.

use super::Member;
use std::marker::PhantomData;
use std::mem::MaybeUninit;

/// The constant empty value of a member.
///
/// # Panics
/// When the type has none; the derive asks before.
#[must_use]
pub const fn empty_member<T: Member>() -> T {
    match T::EMPTY {
        // SAFETY: the constant is a valid value, by the contract of `Member`.
        Some(value) => unsafe { value.assume_init() },
        None => panic!("the type has no constant empty value"),
    }
}

/// An empty value: a copy of the constant where there is one, which takes less code than to make it.
#[inline]
pub fn empty<T: Member>() -> Option<T> {
    if const { T::EMPTY.is_some() } {
        let value = const {
            match T::EMPTY {
                Some(value) => value,
                None => MaybeUninit::uninit(),
            }
        };
        // SAFETY: the constant is there, and a valid value by the contract of `Member`.
        return Some(unsafe { value.assume_init() });
    }
    T::empty()
}

/// Makes the default of a type that may have none: a method of its own for types with one, of a trait for the rest.
#[derive(Debug)]
pub struct Defaulted<T>(pub PhantomData<T>);

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
