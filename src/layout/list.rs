//! Lists.

use super::convert::{By, Own, Repeated, Value};
use super::{Field, ListFunctions, Member, MemberWith, Storage, Straight};
use crate::member::Convert;
use std::marker::PhantomData;
use std::mem::{self, needs_drop};
use std::ptr;
use std::slice;

struct Of<T, V>(PhantomData<(T, V)>);

/// The functions of a `Vec<T>`.
pub(crate) const fn list_functions<T: Member>() -> ListFunctions {
    Of::<T, Own>::FUNCTIONS
}

/// How many elements a new list can hold to which they are added one by one: a few, if they are small.
pub(crate) const fn first_capacity(stride: usize) -> usize {
    match 256usize.checked_div(stride) {
        Some(0) => 1,
        Some(count) if count < 4 => count,
        _ => 4,
    }
}

/// Elements that are not part of a list yet: they go where the next one cannot be made.
struct Made<T> {
    first: *mut T,
    count: usize,
}

impl<T> Drop for Made<T> {
    fn drop(&mut self) {
        // SAFETY: so many were written, and nobody else knows of them.
        unsafe { ptr::slice_from_raw_parts_mut(self.first, self.count).drop_in_place() }
    }
}

/// The list at an address.
///
/// # Safety
/// A live `Vec<T>` lies there, and nothing else refers to it.
unsafe fn list<'a, T>(at: *mut u8) -> &'a mut Vec<T> {
    // SAFETY: as above.
    unsafe { &mut *at.cast::<Vec<T>>() }
}

// In all of these: SAFETY: the address is that of a `Vec<T>`, by the contract of the functions.
// They are named: of a closure the compiler makes a second function for each type.
impl<T, V: Value<T>> Of<T, V> {
    const FUNCTIONS: ListFunctions = ListFunctions {
        element: V::STORAGE,
        stride: size_of::<T>(),
        elements: Self::elements,
        capacity: Self::capacity,
        first_mut: Self::first_mut,
        reserve: Self::reserve,
        set_len: Self::set_len,
        fill: Self::fill,
        drop: if needs_drop::<T>() { Some(Self::drop) } else { None },
        lazy: None,
    };

    unsafe fn elements(at: *const u8) -> (*const u8, usize) {
        // SAFETY: see above.
        let list = unsafe { &*at.cast::<Vec<T>>() };
        (list.as_ptr().cast(), list.len())
    }

    unsafe fn capacity(at: *const u8) -> usize {
        // SAFETY: see above.
        unsafe { &*at.cast::<Vec<T>>() }.capacity()
    }

    unsafe fn first_mut(at: *mut u8) -> *mut u8 {
        // SAFETY: see above.
        unsafe { list::<T>(at) }.as_mut_ptr().cast()
    }

    unsafe fn reserve(at: *mut u8, more: usize, all: bool) -> (*mut u8, usize) {
        // SAFETY: see above.
        let list = unsafe { list::<T>(at) };
        match list.capacity() {
            0 => {
                let first = const { first_capacity(size_of::<T>()) };
                let new = Vec::with_capacity(if all { more } else { more.max(first) });
                // SAFETY: there is nothing to drop, which the compiler does not see.
                unsafe { ptr::write(list, new) };
            }
            _ => list.reserve(more),
        }
        (list.spare_capacity_mut().as_mut_ptr().cast(), list.len())
    }

    unsafe fn set_len(at: *mut u8, len: usize) {
        // SAFETY: see above; the caller says that so many are there.
        unsafe { list::<T>(at).set_len(len) }
    }

    unsafe fn fill(at: *mut u8, count: usize) -> bool {
        let mut made = Made { first: at.cast::<T>(), count: 0 };
        while made.count < count {
            let Some(element) = V::empty() else { return false };
            // SAFETY: there is room for so many.
            unsafe { made.first.add(made.count).write(element) };
            made.count += 1;
        }
        mem::forget(made);
        true
    }

    unsafe fn drop(at: *mut u8, count: usize) {
        // SAFETY: so many are there, and the caller does not look at them again.
        unsafe { ptr::slice_from_raw_parts_mut(at.cast::<T>(), count).drop_in_place() }
    }
}

// In all of these: SAFETY: a list of the type lies at the address, by the contract of the functions. Elements are not
// part of the list while code of theirs runs: where that panics, they are leaked.
#[allow(clippy::missing_safety_doc)]
impl ListFunctions {
    /// Adds so many empty elements, which are probably all, and gives the address of the first; null where none can be
    /// made.
    #[inline]
    pub(crate) unsafe fn extend(&self, at: *mut u8, more: usize) -> *mut u8 {
        // SAFETY: see above.
        unsafe { self.add(at, more, true) }
    }

    /// Adds an empty element, which others probably follow, and gives its address; null where none can be made.
    #[inline]
    pub(crate) unsafe fn push(&self, at: *mut u8) -> *mut u8 {
        // SAFETY: see above.
        unsafe { self.add(at, 1, false) }
    }

    #[inline]
    unsafe fn add(&self, at: *mut u8, more: usize, all: bool) -> *mut u8 {
        // SAFETY: see above.
        unsafe {
            let (first, len) = (self.reserve)(at, more, all);
            if !(self.fill)(first, more) {
                return ptr::null_mut();
            }
            (self.set_len)(at, len + more);
            first
        }
    }

    /// Drops the elements from an index on.
    #[inline]
    pub(crate) unsafe fn truncate(&self, at: *mut u8, len: usize) {
        // SAFETY: see above.
        unsafe {
            if len == 0
                && let Some(lazy) = self.lazy
            {
                return (lazy.clear)(at);
            }
            let all = (self.elements)(at).1;
            if len < all {
                (self.set_len)(at, len);
                if let Some(drop) = self.drop {
                    drop((self.first_mut)(at).add(len * self.stride), all - len);
                }
            }
        }
    }

    /// Drops one element; the later ones move up.
    ///
    /// # Panics
    /// There is none at the index.
    pub(crate) unsafe fn remove(&self, at: *mut u8, index: usize) {
        // SAFETY: see above.
        unsafe {
            let len = (self.elements)(at).1;
            assert!(index < len, "there is no element {index} in a list of {len}");
            (self.set_len)(at, index);
            let element = (self.first_mut)(at).add(index * self.stride);
            if let Some(drop) = self.drop {
                drop(element, 1);
            }
            ptr::copy(element.add(self.stride), element, (len - index - 1) * self.stride);
            (self.set_len)(at, len - 1);
        }
    }
}

// SAFETY: the functions are those of the type. `Vec<u8>`, which is a byte string, is not of this kind: `u8` is no member.
unsafe impl<T: Member> Member for Vec<T> {
    const STORAGE: Storage = Storage::List(&Of::<T, Own>::FUNCTIONS);

    fn register() {
        T::register();
    }

    fn empty() -> Option<Self> {
        Some(Vec::new())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn write(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
        // SAFETY: as for the caller; elements with that storage are strings.
        unsafe {
            if self.is_empty() {
                at
            } else if const { matches!(T::STORAGE, Storage::String) } {
                out.strings(field, slice::from_raw_parts(self.as_ptr().cast(), self.len()), at)
            } else {
                out.field(field, at)
            }
        }
    }
}

// SAFETY: the functions are those of the type.
unsafe impl<T: Default + 'static, C: Convert<T>> MemberWith<C, Repeated> for Vec<T> {
    const STORAGE: Storage = Storage::List(&Of::<T, By<C>>::FUNCTIONS);

    fn empty() -> Self {
        Vec::new()
    }
}
