//! Options and boxes.

use super::convert::{By, Optional, Own, Value};
use super::of::Of;
use super::{
    Field, FoundMap, LazyFunctions, MapFinder, Member, MemberWith, OptionFunctions, OptionPresence,
    PresenceBit, Storage, Straight,
};
use crate::member::Convert;
use std::ptr;

impl OptionFunctions {
    /// Those of a member with a presence bit.
    ///
    /// # Panics
    /// The type is none of a number, a string, bytes or an enumeration.
    pub const fn with_bit<T: Member>(bit: PresenceBit) -> Self {
        assert!(
            !matches!(
                T::STORAGE,
                Storage::Message(_)
                    | Storage::Box(_)
                    | Storage::Option(_)
                    | Storage::List(_)
                    | Storage::Map(_)
            ),
            "`bit` is for a number, a string, bytes or an enumeration"
        );
        OptionFunctions {
            value: T::STORAGE,
            presence: OptionPresence::Bit(bit),
            clear_value: clear_member::<T>,
        }
    }

    /// The value, or null.
    ///
    /// # Safety
    /// As for the functions; a value with a presence bit is a member of its struct, which the address may reach.
    #[inline]
    pub(crate) unsafe fn get(&self, at: *const u8) -> *const u8 {
        // SAFETY: as above.
        unsafe {
            match &self.presence {
                OptionPresence::Inside { get, .. } => get(at),
                OptionPresence::Bit(bit) => {
                    match at.sub(bit.member).add(bit.word()).cast::<u32>().read() & bit.mask() {
                        0 => ptr::null(),
                        _ => at,
                    }
                }
            }
        }
    }

    /// The value; an empty one is made where there is none. Null where none can be made.
    ///
    /// # Safety
    /// As for [`get`](Self::get).
    #[inline]
    pub(crate) unsafe fn insert(&self, at: *mut u8) -> *mut u8 {
        // SAFETY: as above.
        unsafe {
            match &self.presence {
                OptionPresence::Inside { insert, .. } => insert(at),
                OptionPresence::Bit(bit) => {
                    *at.sub(bit.member).add(bit.word()).cast::<u32>() |= bit.mask();
                    at
                }
            }
        }
    }

    /// Takes the value away.
    ///
    /// # Safety
    /// As for [`get`](Self::get).
    #[inline]
    pub(crate) unsafe fn clear(&self, at: *mut u8) {
        // SAFETY: as above.
        unsafe {
            (self.clear_value)(at);
            if let OptionPresence::Bit(bit) = &self.presence {
                *at.sub(bit.member).add(bit.word()).cast::<u32>() &= !bit.mask();
            }
        }
    }

    /// The functions of a message that is decoded when it is first read.
    pub(crate) fn lazy(&self) -> Option<&'static LazyFunctions> {
        match self.presence {
            OptionPresence::Inside { lazy, .. } => lazy,
            OptionPresence::Bit(_) => None,
        }
    }

    /// The presence bit, where it is one that says whether there is a value.
    pub(crate) fn bit(&self) -> Option<PresenceBit> {
        match self.presence {
            OptionPresence::Bit(bit) => Some(bit),
            OptionPresence::Inside { .. } => None,
        }
    }
}

/// Makes a member with a presence bit empty.
///
/// # Safety
/// The address is that of a `T`.
unsafe fn clear_member<T: Member>(at: *mut u8) {
    if let Some(empty) = T::empty() {
        // SAFETY: as above.
        unsafe { *at.cast::<T>() = empty };
    }
}

/// Writes a member with a presence bit that is set, in straight-line code.
///
/// # Safety
/// As for [`Member::write`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub unsafe fn put_present<T: Member>(
    value: &T,
    field: Field,
    out: &mut Straight<'_>,
    at: *mut u8,
) -> *mut u8 {
    // SAFETY: as for the caller.
    unsafe {
        if const { T::STORAGE.is_straight() } { value.put(field, out, at) } else { out.field(field, at) }
    }
}

// In all of these: SAFETY: the address is that of an `Option<T>`, by the contract of the functions.
// They are named: of a closure the compiler makes a second function for each type.
impl<T, V: Value<T>> Of<Option<T>, V> {
    const FUNCTIONS: OptionFunctions = OptionFunctions {
        value: V::STORAGE,
        presence: OptionPresence::Inside { get: Self::get, insert: Self::insert, lazy: None },
        clear_value: Self::clear,
    };

    // Called by its address; where it could be inlined, each unit of a program would have a copy. So in maps.
    #[inline(never)]
    unsafe fn get(at: *const u8) -> *const u8 {
        // SAFETY: see above.
        match unsafe { &*at.cast::<Option<T>>() } {
            Some(value) => ptr::from_ref(value).cast(),
            None => ptr::null(),
        }
    }

    unsafe fn insert(at: *mut u8) -> *mut u8 {
        // SAFETY: see above.
        let option = unsafe { &mut *at.cast::<Option<T>>() };
        if option.is_none() {
            // SAFETY: there is nothing to drop, which the compiler does not see.
            unsafe { ptr::write(option, V::empty()) };
        }
        match option {
            Some(value) => ptr::from_mut(value).cast(),
            None => ptr::null_mut(),
        }
    }

    unsafe fn clear(at: *mut u8) {
        // SAFETY: see above.
        unsafe { *at.cast::<Option<T>>() = None };
    }
}

// SAFETY: the functions are those of the type.
unsafe impl<T: Member> Member for Option<T> {
    const STORAGE: Storage = Storage::Option(&Of::<Self, Own>::FUNCTIONS);

    fn register() {
        T::register();
    }

    fn find_maps(finder: &mut MapFinder) -> FoundMap<Self> {
        T::find_maps(finder);
        FoundMap::none()
    }

    fn empty() -> Option<Self> {
        Some(None)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn write(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
        match self {
            None => at,
            // SAFETY: as for the caller.
            Some(value) => unsafe { put_present(value, field, out, at) },
        }
    }
}

// SAFETY: the functions are those of the type.
unsafe impl<T: Default + 'static, C: Convert<T>> MemberWith<C, Optional> for Option<T> {
    const STORAGE: Storage = Storage::Option(&Of::<Self, By<C>>::FUNCTIONS);

    fn empty() -> Self {
        None
    }
}

// SAFETY: a `Box` of a sized type is the address of the value.
unsafe impl<T: Member> Member for Box<T> {
    const STORAGE: Storage = Storage::Box(&T::STORAGE);

    fn register() {
        T::register();
    }

    fn find_maps(finder: &mut MapFinder) -> FoundMap<Self> {
        T::find_maps(finder);
        FoundMap::none()
    }

    // A part of its caller: the unit of code that has all of `Box` would have a copy of how each message is dropped.
    #[inline]
    fn empty() -> Option<Self> {
        T::empty().map(Box::new)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn put(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
        // SAFETY: as for the caller.
        unsafe { T::put(self, field, out, at) }
    }
}
