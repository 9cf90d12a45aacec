//! Options and boxes.

use super::convert::{By, Optional, Own, Value};
use super::message::empty;
use super::text::OfText;
use super::{Field, Member, MemberWith, OptionFunctions, Storage, Straight, TypeShape};
use crate::member::Convert;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::ptr;

struct Of<T, V>(PhantomData<(T, V)>);

// In all of these: SAFETY: the address is that of an `Option<T>`, by the contract of the functions.
// They are named: of a closure the compiler makes a second function for each type.
impl<T, V: Value<T>> Of<T, V> {
    const FUNCTIONS: OptionFunctions =
        OptionFunctions { value: V::STORAGE, get: Self::get, insert: Self::insert, clear: Self::clear };

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
    const TYPE: TypeShape = TypeShape::Option(&T::TYPE);
    const STORAGE: Storage = Storage::Option(&Of::<T, Own>::FUNCTIONS);
    const EMPTY: Option<MaybeUninit<Self>> = Some(MaybeUninit::new(None));

    fn empty() -> Option<Self> {
        Some(None)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn write(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
        match self {
            None => at,
            // SAFETY: as for the caller.
            Some(value) => unsafe {
                if const { T::STORAGE.is_straight() } {
                    value.put(field, out, at)
                } else {
                    out.field(field, at)
                }
            },
        }
    }
}

// SAFETY: the functions are those of the type.
unsafe impl<T: Default + 'static, C: Convert<T>> MemberWith<C, Optional> for Option<T> {
    const TYPE: TypeShape = TypeShape::Option(&<C::Proto as OfText>::TYPE);
    const STORAGE: Storage = Storage::Option(&Of::<T, By<C>>::FUNCTIONS);

    fn empty() -> Self {
        None
    }
}

// SAFETY: a `Box` of a sized type is the address of the value.
unsafe impl<T: Member> Member for Box<T> {
    const TYPE: TypeShape = T::TYPE;
    const STORAGE: Storage = Storage::Box(&T::STORAGE);

    fn empty() -> Option<Self> {
        empty::<T>().map(Box::new)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn put(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
        // SAFETY: as for the caller.
        unsafe { T::put(self, field, out, at) }
    }
}
