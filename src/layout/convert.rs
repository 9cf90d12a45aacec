//! Members of any type, by a conversion that somebody writes for them in safe code.

use super::text::{self, OfText};
use super::{Conversion, Member, ShowText, Storage, Text, TextFunctions};
use crate::layout::member::Convert;
use std::fmt;
use std::marker::PhantomData;

/// How the values in an option, list or map lie in memory, and how they are made.
pub(super) trait Value<T> {
    /// How a value lies in memory.
    const STORAGE: Storage;
    /// As [`Member::IN_OPTION`].
    const IN_OPTION: Option<u32>;
    /// An empty value; `None` where none can be made.
    fn empty() -> Option<T>;
}

/// Values by their own type.
#[derive(Debug)]
pub(super) struct Own;

impl<T: Member> Value<T> for Own {
    const STORAGE: Storage = T::STORAGE;
    const IN_OPTION: Option<u32> = T::IN_OPTION;

    #[inline]
    fn empty() -> Option<T> {
        T::empty()
    }
}

/// Values by a conversion.
#[derive(Debug)]
pub(super) struct By<C>(PhantomData<C>);

impl<T: Default + 'static, C: Convert<T>> Value<T> for By<C> {
    const STORAGE: Storage = Storage::Text(&Of::<T, C>::FUNCTIONS);
    const IN_OPTION: Option<u32> = None;

    fn empty() -> Option<T> {
        Some(T::default())
    }
}

struct Of<T, C>(PhantomData<(T, C)>);

// In all of these: SAFETY: the address is that of a value of the type, by the contract of the functions.
// What is lent lives as long as the value is borrowed, by the signature of `as_proto`.
impl<T: Default + 'static, C: Convert<T>> Of<T, C> {
    const FUNCTIONS: TextFunctions = TextFunctions {
        is_string: <C::Proto as OfText>::IS_STRING,
        shares: false,
        get: Self::get,
        set: Self::set,
        conversion: Some(Conversion {
            expected: C::EXPECTED,
            json: C::JSON,
            default_is_empty: || C::as_proto(&T::default()).as_bytes().is_empty(),
            takes: |bytes| <C::Proto as OfText>::checked(bytes).and_then(Self::value).is_some(),
        }),
    };

    fn value(proto: &C::Proto) -> Option<T> {
        if proto.as_bytes().is_empty() { Some(T::default()) } else { C::from_proto(proto) }
    }

    unsafe fn get(at: *const u8) -> (*const u8, usize) {
        // SAFETY: a live `T` is at the address, by the contract of the functions. What `as_proto` lends is a part of it
        // or outlives it, by the signature of `as_proto`.
        text::parts(C::as_proto(unsafe { &*at.cast::<T>() }).as_bytes())
    }

    unsafe fn set(at: *mut u8, text: Text<'_>) -> bool {
        // SAFETY: a string is checked before it is stored.
        let value = Self::value(unsafe { <C::Proto as OfText>::of_bytes(text.bytes) });
        let known = value.is_some();
        if let Some(value) = value {
            // SAFETY: a live `T` is at the address, and nothing else refers to it, by the contract of the functions. So
            // the old value may be dropped and the new one written there.
            unsafe { *at.cast::<T>() = value };
        }
        known
    }
}

/// A type that can be a member of a message struct by a conversion: `T`, `Option<T>`, `Vec<T>` or a map to `T`, as
/// `Carrier` says, which the compiler finds out.
///
/// It borrows nothing, for `'static` neither: a value that is made of an input does not know how long that lives.
///
/// # Safety
/// `STORAGE` is how a value of the type lies in memory; any input may fill a value.
#[diagnostic::on_unimplemented(
    message = "`{C}` is no conversion for a member of type `{Self}`",
    note = "`with` is for a `T`, an `Option<T>`, a `Vec<T>` or a map to `T` where `{C}` implements `tobu::member::Convert<T>`"
)]
pub unsafe trait MemberWith<C, Carrier>: Sized + 'static {
    /// The type that the conversion is for.
    type Value;

    /// How a value lies in memory.
    const STORAGE: Storage;

    /// An empty value.
    fn empty() -> Self;

    /// As [`Member::is_set`].
    fn is_set(&self) -> bool;
}

/// The carrier of a value by itself.
#[derive(Debug)]
pub struct Single;

/// The carrier of a value in an option.
#[derive(Debug)]
pub struct Optional;

/// The carrier of values in a list.
#[derive(Debug)]
pub struct Repeated;

/// The carrier of values in a map.
#[derive(Debug)]
pub struct Mapped;

// SAFETY: the functions are those of the type.
#[diagnostic::do_not_recommend]
unsafe impl<T: Default + 'static, C: Convert<T>> MemberWith<C, Single> for T {
    type Value = T;
    const STORAGE: Storage = <By<C> as Value<T>>::STORAGE;

    fn empty() -> Self {
        T::default()
    }

    #[inline]
    fn is_set(&self) -> bool {
        !C::as_proto(self).as_bytes().is_empty()
    }
}

/// Finds out whether values of a conversion have a `Debug` of their own: by [`NoDebug`] they have none.
#[derive(Debug)]
pub struct DebugOf<C, T>(PhantomData<(C, T)>);

impl<T: Default + fmt::Debug + 'static, C: Convert<T>> DebugOf<C, T> {
    /// Shows a value by its own `Debug`.
    pub const FUNCTION: Option<ShowText> = Some(|bytes| {
        let proto = <C::Proto as OfText>::checked(bytes)?;
        Of::<T, C>::value(proto).map(|value| format!("{value:?}"))
    });
}

/// The types without a `Debug` of their own.
pub trait NoDebug {
    /// Nothing.
    const FUNCTION: Option<ShowText> = None;
}

impl<C, T> NoDebug for DebugOf<C, T> {}
