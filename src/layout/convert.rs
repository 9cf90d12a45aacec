//! Members of any type, by a conversion that a user writes in safe code.
//!
//! The proto type of a conversion decides which functions reach a value. For strings and bytes, [`TextFunctions`]
//! borrow the content of the value. For numbers, [`NumberFunctions`] copy the number. Such a value can be in any
//! container. For all other proto types, [`Carry`] turns the whole member into a proto value, and [`MadeFunctions`]
//! reach this value: an `Option<T>` becomes an `Option` of proto values, and a `Vec<T>` becomes a `Vec` of them.

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

/// How the values in an option, list or map lie in memory, and how an empty one is made.
pub(super) trait Value<T> {
    /// How a value lies in memory.
    const STORAGE: Storage;
    /// The offset in an `Option`, with the meaning of [`Member::IN_OPTION`].
    const IN_OPTION: Option<u32>;
    /// Returns an empty value to fill; `None` if none can be made.
    fn empty() -> Option<T>;
}

/// Values whose type is itself a member.
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

/// Values that a conversion turns into a member.
#[derive(Debug)]
pub(super) struct By<C>(PhantomData<C>);

impl<T: 'static, C: Convert<T>> Value<T> for By<C>
where
    C::Proto: Stores<T, C>,
{
    const STORAGE: Storage = match <C::Proto as Stores<T, C>>::VALUE {
        Some(storage) => storage,
        // Such values are stored by their member as a whole, so no container uses this offset.
        None => <<C::Proto as Stores<T, C>>::Owned as Member>::STORAGE,
    };
    const IN_OPTION: Option<u32> = None;

    fn empty() -> Option<T> {
        <C::Proto as Stores<T, C>>::initial()
    }
}

/// How values of type `T` are stored if the conversion `C` turns them into this proto type. Users cannot implement it:
/// the proto types are `str`, `[u8]` and the types that implement [`ByValue`].
pub trait Stores<T, C>: Proto {
    /// How a value lies in memory; `None` if its member is stored as a whole.
    const VALUE: Option<Storage>;

    /// The proto value that owns its content.
    type Owned: Member + PartialEq + Send + Sync + 'static;

    /// Converts a value to its proto value.
    fn own(value: &T) -> Self::Owned;

    /// Converts a proto value to a value; `None` if the conversion rejects it.
    fn make(proto: Self::Owned) -> Option<T>;

    /// Returns the value of an absent field.
    fn absent() -> Option<T>;

    /// Returns any valid value, which the decoder replaces.
    fn initial() -> Option<T>;

    /// False for a value that is not written, with the meaning of [`Member::is_set`].
    fn is_set(value: &T) -> bool;
}

/// Implements the storage of `str` and `[u8]`.
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
        // A message that is present is set, whatever is in it.
        matches!(P::STORAGE, Storage::Message(_)) || C::as_proto(value).is_set()
    }
}

struct Of<T, C>(PhantomData<(T, C)>);

impl<T: 'static, C: Convert<T>> Of<T, C>
where
    C::Proto: Stores<T, C>,
{
    /// The facts that a codec needs of a conversion whose proto type is neither a string nor bytes. Strings and bytes
    /// have [`TextFunctions`].
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
        // SAFETY: `at` is the address of a live `T`, by the contract of the functions. What `as_proto` lends is a part
        // of it or outlives it, by the signature of `as_proto`.
        text::parts(C::as_proto(unsafe { &*at.cast::<T>() }).as_bytes())
    }

    unsafe fn set(at: *mut u8, text: Text<'_>) -> bool {
        // SAFETY: a string is checked before it is stored.
        let value = Self::value(unsafe { P::of_bytes(text.bytes) });
        let known = value.is_some();
        if let Some(value) = value {
            // SAFETY: `at` is the address of a live `T`, and nothing else refers to it, by the contract of the
            // functions. So the old value may be dropped and the new one written there.
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
        // SAFETY: `at` is the address of a live `T`, by the contract of the functions.
        C::as_proto(unsafe { &*at.cast::<T>() }).bits()
    }

    unsafe fn set_bits(at: *mut u8, bits: u64) -> bool {
        let value = Self::of_bits(bits);
        let known = value.is_some();
        if let Some(value) = value {
            // SAFETY: `at` is the address of a live `T`, and nothing else refers to it, by the contract of the
            // functions. So the old value may be dropped and the new one written there.
            unsafe { *at.cast::<T>() = value };
        }
        known
    }
}

/// Converts a member as a whole to a proto value that owns its content, and back.
pub(super) trait Carry<M> {
    /// The proto value.
    type Owned: Member + PartialEq + Send + Sync + 'static;
    /// The facts that a codec needs of the conversion of the values in it.
    const SAID: Conversion;

    fn own(member: &M) -> Self::Owned;

    /// # Errors
    /// The conversion rejects a value in it.
    fn make(proto: Self::Owned) -> Result<M, Refused>;
}

/// Members that hold several values, each with a conversion.
#[derive(Debug)]
pub(super) struct Whole<C, Carrier>(PhantomData<(C, Carrier)>);

/// Returns the facts about the conversion of such values.
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

/// The functions of a member that is stored as a whole.
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
        // SAFETY: `at` is the address of a live `M`, by the contract of the functions.
        let proto = W::own(unsafe { &*at.cast::<M>() });
        read(ptr::from_ref(&proto).cast());
    }

    unsafe fn keep(at: *const u8, protos: &Protos, field: u32) -> *const u8 {
        // SAFETY: `at` is the address of a live `M`, by the contract of the functions.
        ptr::from_ref(protos.keep(field, W::own(unsafe { &*at.cast::<M>() }))).cast()
    }

    unsafe fn open(at: *const u8) -> *mut u8 {
        // SAFETY: a live `M` is at the address, or it is null, by the contract of the functions.
        let proto = match unsafe { at.cast::<M>().as_ref() } {
            Some(member) => Some(W::own(member)),
            None => <W::Owned as Member>::empty(),
        };
        proto.map_or(ptr::null_mut(), |proto| Box::into_raw(Box::new(proto)).cast())
    }

    unsafe fn close(proto: *mut u8, at: &mut dyn FnMut() -> *mut u8) -> Result<(), Refused> {
        // SAFETY: `open` gave the address, and nobody has taken it back since, by the contract of the functions.
        let proto = unsafe { Box::from_raw(proto.cast::<W::Owned>()) };
        let member = W::make(*proto)?;
        // SAFETY: a live `M` is at the address, and nothing else refers to it, or it is null, by the contract of the
        // functions. So the old value may be dropped and the new one written there.
        if let Some(old) = unsafe { at().cast::<M>().as_mut() } {
            *old = member;
        }
        Ok(())
    }

    unsafe fn drop(proto: *mut u8) {
        // SAFETY: `open` gave the address, and nobody has taken it back since, by the contract of the functions.
        drop(unsafe { Box::from_raw(proto.cast::<W::Owned>()) });
    }

    unsafe fn clear(at: *mut u8) {
        if let Some(Ok(empty)) = <W::Owned as Member>::empty().map(W::make) {
            // SAFETY: a live `M` is at the address, and nothing else refers to it, by the contract of the functions. So
            // the old value may be dropped and the new one written there.
            unsafe { *at.cast::<M>() = empty };
        }
    }
}

/// A type that can be a member of a message struct by a conversion: `T`, `Option<T>`, `Vec<T>` or a map to `T`. The
/// compiler finds `Carrier`, which says which of them it is.
///
/// Such a type borrows nothing, not even for `'static`, because a conversion does not know how long the input lives.
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

    /// The storage together with its type, so that it cannot be used for another type by mistake.
    const STORED: StoredAs<Self> = FactOf::new(Self::STORAGE);

    /// Registers the file of the type, as [`Member::register`] does.
    fn register();

    /// Returns the value of an absent field, or any value that is replaced; `None` if the conversion has neither.
    fn empty() -> Option<Self>;

    /// False for a member that is not written, with the meaning of [`Member::is_set`].
    fn is_set(&self) -> bool;
}

/// The carrier of a single value.
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

// SAFETY: `STORAGE` has functions that were made for exactly this type, so they find a value of it at the address.
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

/// Finds out whether values of a conversion implement `Debug`: the method of [`NoDebug`] is found only if they do
/// not.
#[derive(Debug)]
pub struct DebugOf<C, T>(PhantomData<(C, T)>);

impl<T: Default + fmt::Debug + 'static, C: Convert<T>> DebugOf<C, T>
where
    C::Proto: OfText + Stores<T, C> + for<'p> Proto<Lent<'p> = &'p C::Proto, Given<'p> = &'p C::Proto>,
{
    /// Prints a value with its own `Debug`.
    pub const FUNCTION: Option<ShowText> = Some(|bytes| {
        let proto = <C::Proto as OfText>::checked(bytes)?;
        Of::<T, C>::value(proto).map(|value| format!("{value:?}"))
    });
}

/// Types that do not implement `Debug`.
pub trait NoDebug {
    /// Always `None`.
    const FUNCTION: Option<ShowText> = None;
}

impl<C, T> NoDebug for DebugOf<C, T> {}
