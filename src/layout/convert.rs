//! Implements members of any type with a conversion, which a user writes in safe code.
//!
//! The proto type of a conversion decides how the library accesses a value. For strings and bytes, [`TextFunctions`] borrow the
//! content of the value. For numbers, [`NumberFunctions`] copy the number. Such a value can be in any container. For all other
//! proto types, [`Carry`] converts the whole member to a proto value, and [`MadeFunctions`] access this proto value. An
//! `Option<T>` is converted to an `Option` of a proto value, and a `Vec<T>` to a `Vec` of proto values.

use super::fact::{FactOf, StoredAs};
use super::protos::Protos;
use super::text::{self, OfText};
use super::{
    Absent, Conversion, MadeFunctions, Member, NumberFunctions, Refused, ShowText, Storage, Text,
    TextFunctions,
};
use crate::layout::member::{ByValue, Convert, Proto};
use std::fmt;
use std::marker::PhantomData;
use std::ptr;

/// How the values in an option, list or map are stored in memory, and how an empty value is created.
pub(super) trait Value<T> {
    /// How a value is stored in memory.
    const STORAGE: Storage;
    /// The offset of the value in an `Option`, as in [`Member::IN_OPTION`].
    const IN_OPTION: Option<u32>;
    /// Returns an empty value for the decoder to fill, or `None` if no empty value can be created.
    fn empty() -> Option<T>;
}

/// Marks values whose type is itself a member.
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

/// Marks values with the conversion `C`.
#[derive(Debug)]
pub(super) struct By<C>(PhantomData<C>);

impl<T: 'static, C: Convert<T>> Value<T> for By<C>
where
    C::Proto: Stores<T, C>,
{
    const STORAGE: Storage = match <C::Proto as Stores<T, C>>::VALUE {
        Some(storage) => storage,
        // A member with such values is stored as a whole, so no container uses this storage.
        None => <<C::Proto as Stores<T, C>>::Owned as Member>::STORAGE,
    };
    const IN_OPTION: Option<u32> = None;

    fn empty() -> Option<T> {
        <C::Proto as Stores<T, C>>::initial()
    }
}

/// Says how values of the type `T` are stored if the conversion `C` converts them to this proto type. Users cannot implement
/// this trait. The proto types are `str`, `[u8]` and the types that implement [`ByValue`].
pub trait Stores<T, C>: Proto {
    /// How a value is stored in memory, or `None` if its member is stored as a whole.
    const VALUE: Option<Storage>;

    /// The owned form of the proto value.
    type Owned: Member + PartialEq + Send + Sync + 'static;

    /// Converts a value to its proto value.
    fn own(value: &T) -> Self::Owned;

    /// Converts a proto value to a value. Returns `None` if the conversion rejects the proto value.
    fn make(proto: Self::Owned) -> Option<T>;

    /// Returns the value of an absent field, or `None` if the conversion has no such value.
    fn absent() -> Option<T>;

    /// Returns any valid value, which the decoder replaces, or `None` if the conversion has none.
    fn initial() -> Option<T>;

    /// False if the value is not written, as in [`Member::is_set`].
    fn is_set(value: &T) -> bool;
}

/// Implements [`Stores`] for `str` and `[u8]`.
macro_rules! lent {
    ($($ty:ty, $owned:ty;)*) => {
        $(
            impl<T: Default + 'static, C: Convert<T, Proto = $ty>> Stores<T, C> for $ty {
                const VALUE: Option<Storage> = Some(Storage::Text(&Of::<T, C>::TEXT));
                type Owned = $owned;

                fn own(value: &T) -> $owned {
                    C::as_proto(value).to_owned()
                }

                fn make(proto: $owned) -> Option<T> {
                    if proto.is_empty() { Some(T::default()) } else { C::from_proto(&proto) }
                }

                fn absent() -> Option<T> {
                    Some(T::default())
                }

                fn initial() -> Option<T> {
                    Some(T::default())
                }

                #[inline]
                fn is_set(value: &T) -> bool {
                    !C::as_proto(value).is_empty()
                }
            }
        )*
    };
}

lent! {
    str, String;
    [u8], Vec<u8>;
}

impl<T: 'static, P: ByValue, C: Convert<T, Proto = P>> Stores<T, C> for P {
    const VALUE: Option<Storage> = match P::STORAGE {
        Storage::Bool
        | Storage::I32
        | Storage::I64
        | Storage::U32
        | Storage::U64
        | Storage::F32
        | Storage::F64 => Some(Storage::Number(&Of::<T, C>::NUMBER)),
        _ => None,
    };
    type Owned = P;

    fn own(value: &T) -> P {
        C::as_proto(value)
    }

    fn make(proto: P) -> Option<T> {
        C::from_proto(proto)
    }

    fn absent() -> Option<T> {
        C::from_proto(P::empty()?)
    }

    fn initial() -> Option<T> {
        C::initial()
    }

    #[inline]
    fn is_set(value: &T) -> bool {
        // A message that is present is set, even if it is empty.
        matches!(P::STORAGE, Storage::Message(_)) || C::as_proto(value).is_set()
    }
}

struct Of<T, C>(PhantomData<(T, C)>);

impl<T: 'static, C: Convert<T>> Of<T, C>
where
    C::Proto: Stores<T, C>,
{
    /// The properties of the conversion that a codec needs.
    const SAID: Conversion = Conversion { expected: C::EXPECTED, json: C::JSON, absent: Self::absent };

    fn absent() -> Absent {
        match <C::Proto as Stores<T, C>>::absent() {
            Some(value) if <C::Proto as Stores<T, C>>::is_set(&value) => Absent::Set,
            Some(_) => Absent::Unset,
            None if <C::Proto as Stores<T, C>>::initial().is_some() => Absent::Initial,
            None => Absent::Nothing,
        }
    }
}

impl<T: Default + 'static, P: OfText + Proto + ?Sized + Stores<T, C>, C: Convert<T, Proto = P>> Of<T, C>
where
    P: for<'p> Proto<Lent<'p> = &'p P, Given<'p> = &'p P>,
{
    const TEXT: TextFunctions = TextFunctions {
        is_string: P::IS_STRING,
        shares: false,
        get: Self::get,
        set: Self::set,
        conversion: Some(Self::SAID),
        takes: Some(|bytes| P::checked(bytes).and_then(Self::value).is_some()),
    };

    fn value(proto: &P) -> Option<T> {
        if proto.as_bytes().is_empty() { Some(T::default()) } else { C::from_proto(proto) }
    }

    unsafe fn get(at: *const u8) -> (*const u8, usize) {
        // SAFETY: the contract of the functions says that `at` is the address of a live `T`. By the signature of `as_proto`,
        // the returned reference is to a part of this `T`, or to something that outlives it.
        text::parts(C::as_proto(unsafe { &*at.cast::<T>() }).as_bytes())
    }

    unsafe fn set(at: *mut u8, text: Text<'_>) -> bool {
        // SAFETY: the caller checked that the bytes of a string are UTF-8.
        let value = Self::value(unsafe { P::of_bytes(text.bytes) });
        let known = value.is_some();
        if let Some(value) = value {
            // SAFETY: the contract of the functions says that `at` is the address of a live `T`, and that nothing else refers
            // to it. So the old value may be dropped, and the new value may be written there.
            unsafe { *at.cast::<T>() = value };
        }
        known
    }
}

impl<T: 'static, P: ByValue, C: Convert<T, Proto = P>> Of<T, C> {
    const NUMBER: NumberFunctions = NumberFunctions {
        proto: P::STORAGE,
        get: Self::bits,
        set: Self::set_bits,
        takes: |bits| Self::of_bits(bits).is_some(),
        conversion: Self::SAID,
    };

    fn of_bits(bits: u64) -> Option<T> {
        C::from_proto(P::of_bits(bits)?)
    }

    unsafe fn bits(at: *const u8) -> u64 {
        // SAFETY: the contract of the functions says that `at` is the address of a live `T`.
        C::as_proto(unsafe { &*at.cast::<T>() }).bits()
    }

    unsafe fn set_bits(at: *mut u8, bits: u64) -> bool {
        let value = Self::of_bits(bits);
        let known = value.is_some();
        if let Some(value) = value {
            // SAFETY: the contract of the functions says that `at` is the address of a live `T`, and that nothing else refers
            // to it. So the old value may be dropped, and the new value may be written there.
            unsafe { *at.cast::<T>() = value };
        }
        known
    }
}

/// Converts a whole member to an owned proto value, and back.
pub(super) trait Carry<M> {
    /// The owned proto value.
    type Owned: Member + PartialEq + Send + Sync + 'static;
    /// The properties of the conversion that a codec needs.
    const SAID: Conversion;

    fn own(member: &M) -> Self::Owned;

    /// Converts a proto value to a member.
    ///
    /// # Errors
    /// The conversion rejects a value in the proto value.
    fn make(proto: Self::Owned) -> Result<M, Refused>;
}

/// Converts a whole member with the conversion `C` of its values. `Carrier` says whether the member is a single value, an
/// option, a list or a map.
#[derive(Debug)]
pub(super) struct Whole<C, Carrier>(PhantomData<(C, Carrier)>);

/// Returns the properties of the conversion `C` that a codec needs.
pub(super) const fn said<T: 'static, C: Convert<T>>() -> Conversion
where
    C::Proto: Stores<T, C>,
{
    Of::<T, C>::SAID
}

impl<T: 'static, C: Convert<T>> Carry<T> for Whole<C, Single>
where
    C::Proto: Stores<T, C>,
{
    type Owned = <C::Proto as Stores<T, C>>::Owned;
    const SAID: Conversion = said::<T, C>();

    fn own(member: &T) -> Self::Owned {
        <C::Proto as Stores<T, C>>::own(member)
    }

    fn make(proto: Self::Owned) -> Result<T, Refused> {
        <C::Proto as Stores<T, C>>::make(proto).ok_or(Refused::Whole)
    }
}

/// The functions of a member of type `M` that is stored as a whole. `W` converts the member.
pub(super) struct MadeBy<M, W>(PhantomData<(M, W)>);

impl<M: 'static, W: Carry<M>> MadeBy<M, W> {
    pub(super) const FUNCTIONS: MadeFunctions = MadeFunctions {
        proto: <W::Owned as Member>::STORAGE,
        conversion: W::SAID,
        read: Self::read,
        keep: Self::keep,
        open: Self::open,
        close: Self::close,
        drop: Self::drop,
        clear: Self::clear,
    };

    unsafe fn read(at: *const u8, read: &mut dyn FnMut(*const u8)) {
        // SAFETY: the contract of the functions says that `at` is the address of a live `M`.
        let proto = W::own(unsafe { &*at.cast::<M>() });
        read(ptr::from_ref(&proto).cast());
    }

    unsafe fn keep(at: *const u8, protos: &Protos, field: u32) -> *const u8 {
        // SAFETY: the contract of the functions says that `at` is the address of a live `M`.
        ptr::from_ref(protos.keep(field, W::own(unsafe { &*at.cast::<M>() }))).cast()
    }

    unsafe fn open(at: *const u8) -> *mut u8 {
        // SAFETY: the contract of the functions says that `at` is null or the address of a live `M`.
        let proto = match unsafe { at.cast::<M>().as_ref() } {
            Some(member) => Some(W::own(member)),
            None => <W::Owned as Member>::empty(),
        };
        proto.map_or(ptr::null_mut(), |proto| Box::into_raw(Box::new(proto)).cast())
    }

    unsafe fn close(proto: *mut u8, at: &mut dyn FnMut() -> *mut u8) -> Result<(), Refused> {
        // SAFETY: the contract of the functions says that `open` returned the address, and that neither `close` nor `drop` was
        // called with it since. So the box is owned here.
        let proto = unsafe { Box::from_raw(proto.cast::<W::Owned>()) };
        let member = W::make(*proto)?;
        // SAFETY: the contract of the functions says that the address is null, or that a live `M` is there and nothing else
        // refers to it. So the old value may be dropped, and the new value may be written there.
        if let Some(old) = unsafe { at().cast::<M>().as_mut() } {
            *old = member;
        }
        Ok(())
    }

    unsafe fn drop(proto: *mut u8) {
        // SAFETY: the contract of the functions says that `open` returned the address, and that neither `close` nor `drop` was
        // called with it since. So the box is owned here.
        drop(unsafe { Box::from_raw(proto.cast::<W::Owned>()) });
    }

    unsafe fn clear(at: *mut u8) {
        if let Some(Ok(empty)) = <W::Owned as Member>::empty().map(W::make) {
            // SAFETY: the contract of the functions says that a live `M` is at the address, and that nothing else refers to it.
            // So the old value may be dropped, and the new value may be written there.
            unsafe { *at.cast::<M>() = empty };
        }
    }
}

/// A type that can be a member of a message struct with a conversion: `T`, `Option<T>`, `Vec<T>` or a map to `T`. The compiler
/// infers `Carrier`, which says which of these forms the type has.
///
/// Such a type does not borrow, not even for `'static`, because a conversion does not know how long the input lives.
///
/// # Safety
/// `STORAGE` says how a value of the type is stored in memory. A value may be filled from any input, whatever its lifetime is.
#[diagnostic::on_unimplemented(
    message = "`{C}` is not a conversion for a member of type `{Self}`",
    note = "`with` is for a `T`, an `Option<T>`, a `Vec<T>` or a map to `T` where `{C}` implements `tobu::member::Convert<T>`"
)]
pub unsafe trait MemberWith<C, Carrier>: Sized + 'static {
    /// The type for which the conversion is implemented.
    type Value;

    /// How a value is stored in memory.
    const STORAGE: Storage;

    /// The storage together with its type, so that the storage cannot be used for another type by mistake.
    const STORED: StoredAs<Self> = FactOf::new(Self::STORAGE);

    /// Registers the file of the type, like [`Member::register`].
    fn register();

    /// Returns the value of an absent field, or else any valid value, which the decoder replaces. Returns `None` if the
    /// conversion has neither.
    fn empty() -> Option<Self>;

    /// False if the member is not written, as in [`Member::is_set`].
    fn is_set(&self) -> bool;
}

/// The carrier of members that are a single value.
#[derive(Debug)]
pub struct Single;

/// The carrier of members that are an option.
#[derive(Debug)]
pub struct Optional;

/// The carrier of members that are a list.
#[derive(Debug)]
pub struct Repeated;

/// The carrier of members that are a map.
#[derive(Debug)]
pub struct Mapped;

// SAFETY: the functions in `STORAGE` are compiled for exactly this type, so they find a value of this type at the address.
#[diagnostic::do_not_recommend]
unsafe impl<T: 'static, C: Convert<T>> MemberWith<C, Single> for T
where
    C::Proto: Stores<T, C>,
{
    type Value = T;
    const STORAGE: Storage = match <C::Proto as Stores<T, C>>::VALUE {
        Some(storage) => storage,
        None => Storage::Made(&MadeBy::<T, Whole<C, Single>>::FUNCTIONS),
    };

    fn register() {
        <<C::Proto as Stores<T, C>>::Owned as Member>::register();
    }

    fn empty() -> Option<Self> {
        <C::Proto as Stores<T, C>>::absent().or_else(<C::Proto as Stores<T, C>>::initial)
    }

    #[inline]
    fn is_set(&self) -> bool {
        <C::Proto as Stores<T, C>>::is_set(self)
    }
}

/// Finds out whether values with a conversion to a string or bytes implement `Debug`. If they do, `FUNCTION` is the constant of
/// `DebugOf`; otherwise it is the constant of [`NoDebug`], which is `None`.
#[derive(Debug)]
pub struct DebugOf<C, T>(PhantomData<(C, T)>);

impl<T: Default + fmt::Debug + 'static, C: Convert<T>> DebugOf<C, T>
where
    C::Proto: OfText + Stores<T, C> + for<'p> Proto<Lent<'p> = &'p C::Proto, Given<'p> = &'p C::Proto>,
{
    /// Prints a value with the `Debug` of its type.
    pub const FUNCTION: Option<ShowText> = Some(|bytes| {
        let proto = <C::Proto as OfText>::checked(bytes)?;
        Of::<T, C>::value(proto).map(|value| format!("{value:?}"))
    });
}

/// The constant `FUNCTION` for all other types.
pub trait NoDebug {
    /// Always `None`.
    const FUNCTION: Option<ShowText> = None;
}

impl<C, T> NoDebug for DebugOf<C, T> {}
