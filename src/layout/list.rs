//! The functions that access lists.

use super::convert::{By, Carry, MadeBy, Own, Repeated, Stores, Value, Whole, said};
use super::leaf::put_texts;
use super::of::Of;
use super::{Conversion, LeafField, ListFunctions, Member, MemberWith, Refused, Storage, vec};
use crate::layout::member::Convert;
use std::mem;
use std::ptr;
use std::slice;

pub(crate) const fn list_functions<T: Member>() -> ListFunctions {
    Of::<Vec<T>, Own>::FUNCTIONS
}

/// Elements that were created, but are not yet part of the list. Dropping this value drops them.
struct Made<'f> {
    list: &'f ListFunctions,
    first: *mut u8,
    count: usize,
}

impl Drop for Made<'_> {
    fn drop(&mut self) {
        // SAFETY: `self.count` elements were written from `self.first` on, and nothing else refers to them.
        unsafe { self.list.drop_elements(self.first, self.count) }
    }
}

// These are named functions, because for a closure the compiler would generate a second function for each type.
impl<T, V: Value<T>> Of<Vec<T>, V> {
    const FUNCTIONS: ListFunctions = {
        assert!(
            vec::checked::<T>(),
            "in this version of Rust, a list of this type has another memory layout than other lists"
        );
        ListFunctions {
            element: V::STORAGE,
            stride: size_of::<T>(),
            align: align_of::<T>(),
            fill: Self::fill,
            drop: if mem::needs_drop::<T>() { Some(Self::drop) } else { None },
            lazy: None,
        }
    };

    unsafe fn fill(at: *mut u8, count: usize, made: &mut usize) {
        let mut done = Count { made, count: 0 };
        while done.count < count {
            let Some(element) = V::empty() else { return };
            // SAFETY: the caller promises that there is space for `count` elements from `at` on, and `done.count` is below
            // `count`.
            unsafe { at.cast::<T>().add(done.count).write(element) };
            done.count += 1;
        }
    }

    unsafe fn drop(at: *mut u8, count: usize) {
        // SAFETY: the caller promises that there are `count` elements at `at`, and does not use them again.
        unsafe { ptr::slice_from_raw_parts_mut(at.cast::<T>(), count).drop_in_place() }
    }
}

/// A counter that stores its count only when it is dropped, also after a panic. The loop that fills the elements stores no
/// count, so the compiler can set all elements at once.
struct Count<'a> {
    made: &'a mut usize,
    count: usize,
}

impl Drop for Count<'_> {
    #[inline]
    fn drop(&mut self) {
        *self.made = self.count;
    }
}

// While an element is created or dropped, it is not a part of the list. So a panic in the code of the element's type may leak
// the element, but does not drop it twice.
#[allow(clippy::missing_safety_doc)]
impl ListFunctions {
    /// Drops `count` elements. `first` is the address of the first one.
    #[inline]
    unsafe fn drop_elements(&self, first: *mut u8, count: usize) {
        if let Some(drop) = self.drop {
            // SAFETY: the caller promises that there are `count` elements from `first` on, and does not use them again.
            unsafe { drop(first, count) };
        }
    }

    /// Returns the address of the `Vec` for reading.
    #[inline]
    unsafe fn vec(&self, at: *const u8) -> *const u8 {
        match self.lazy {
            None => at,
            // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and the functions
            // in `lazy` are for this type.
            Some(lazy) => unsafe { (lazy.vec)(at) },
        }
    }

    /// Returns the address of the `Vec` for changes.
    #[inline]
    unsafe fn vec_mut(&self, at: *mut u8) -> *mut u8 {
        match self.lazy {
            None => at,
            // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and that nothing
            // else refers to the list. The functions in `lazy` are for this type.
            Some(lazy) => unsafe { (lazy.vec_mut)(at) },
        }
    }

    /// Returns the address of the first element, and the number of elements.
    #[inline]
    pub(crate) unsafe fn elements(&self, at: *const u8) -> (*const u8, usize) {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type. `FUNCTIONS` has
        // checked the memory layout of the `Vec`.
        unsafe {
            let (first, len) = vec::elements(self.vec(at));
            (first, len)
        }
    }

    /// Returns the address of the first element for changes, and the number of elements.
    #[inline]
    pub(crate) unsafe fn elements_mut(&self, at: *mut u8) -> (*mut u8, usize) {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and that nothing else
        // refers to the list. `FUNCTIONS` has checked the memory layout of the `Vec`.
        unsafe { vec::elements(self.vec_mut(at)) }
    }

    /// Returns the capacity of the list in bytes. The capacity of a lazy list that is not yet decoded is 0.
    pub(crate) unsafe fn room(&self, at: *const u8) -> usize {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and the functions in
        // `lazy` are for this type. `FUNCTIONS` has checked the memory layout of the `Vec`.
        unsafe {
            match self.lazy {
                Some(lazy) if !(lazy.is_decoded)(at) => 0,
                _ if self.stride == 0 => 0,
                _ => vec::capacity(self.vec(at)) * self.stride,
            }
        }
    }

    /// Sets the number of elements. The caller has written more elements to reserved space, or removes elements at the end.
    #[inline]
    pub(crate) unsafe fn set_len(&self, at: *mut u8, len: usize) {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and that nothing else
        // refers to the list. `FUNCTIONS` has checked the memory layout of the `Vec`, and the caller promises that the list has
        // `len` initialized elements.
        unsafe { vec::set_len(self.vec_mut(at), len) }
    }

    /// Reserves space for `more` elements. Returns the address for the first of them, and the number of elements before it. If
    /// `all` is true, probably no further elements will follow, so a new list gets space for exactly `more` elements.
    #[inline]
    pub(crate) unsafe fn reserve(&self, at: *mut u8, more: usize, all: bool) -> (*mut u8, usize) {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and that nothing else
        // refers to the list. `FUNCTIONS` has checked the memory layout of the `Vec`, and `stride` and `align` are the size and
        // the alignment of its elements.
        unsafe { vec::reserve(self.vec_mut(at), more, all, self.stride, self.align) }
    }

    /// Appends `more` empty elements, after which probably no further elements follow. Returns the address of the first new
    /// element, or null if an element cannot be created.
    #[inline]
    pub(crate) unsafe fn extend(&self, at: *mut u8, more: usize) -> *mut u8 {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and that nothing else
        // refers to the list.
        unsafe { self.add(at, more, true) }
    }

    /// Appends an empty element, after which further elements probably follow. Returns the address of the new element, or null
    /// if it cannot be created.
    #[inline]
    pub(crate) unsafe fn push(&self, at: *mut u8) -> *mut u8 {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and that nothing else
        // refers to the list.
        unsafe { self.add(at, 1, false) }
    }

    #[inline]
    unsafe fn add(&self, at: *mut u8, more: usize, all: bool) -> *mut u8 {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and that nothing else
        // refers to the list. `reserve` reserves space for `more` elements, which is as many as `fill` may write. The new
        // length includes the elements only after all of them were written.
        unsafe {
            let (first, len) = self.reserve(at, more, all);
            // The new elements are not yet part of the list. If `fill` cannot create one, the others are dropped.
            let mut made = Made { list: self, first, count: 0 };
            (self.fill)(first, more, &mut made.count);
            if made.count < more {
                return ptr::null_mut();
            }
            mem::forget(made);
            self.set_len(at, len + more);
            first
        }
    }

    /// Drops the elements with an index of `len` or more.
    #[inline(never)]
    pub(crate) unsafe fn truncate(&self, at: *mut u8, len: usize) {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and that nothing else
        // refers to the list. The elements from `len` to `all` exist, and when they are dropped, they are not part of the list
        // any more.
        unsafe {
            if len == 0
                && let Some(lazy) = self.lazy
            {
                return (lazy.functions.clear)(at);
            }
            let (first, all) = self.elements_mut(at);
            if len < all {
                self.set_len(at, len);
                self.drop_elements(first.add(len * self.stride), all - len);
            }
        }
    }

    /// Drops one element, and moves the later elements down by one index.
    ///
    /// # Panics
    /// The list has no element with this index.
    pub(crate) unsafe fn remove(&self, at: *mut u8, index: usize) {
        // SAFETY: the contract of the functions says that `at` is the address of a live list of the type, and that nothing else
        // refers to the list. The assertion checks that `index` is the index of an element. While this element is dropped,
        // neither this element nor the later ones are part of the list. The later elements move by one element to the front, so
        // they stay within the elements that existed before.
        unsafe {
            let (first, len) = self.elements_mut(at);
            assert!(index < len, "there is no element {index} in a list of {len}");
            self.set_len(at, index);
            let element = first.add(index * self.stride);
            self.drop_elements(element, 1);
            ptr::copy(element.add(self.stride), element, (len - index - 1) * self.stride);
            self.set_len(at, len - 1);
        }
    }
}

// SAFETY: the functions in `STORAGE` are compiled for this type. This implementation does not include `Vec<u8>`, which is a
// byte string and not a list, because `u8` is not a member.
unsafe impl<T: Member> Member for Vec<T> {
    const STORAGE: Storage = Storage::List(&Of::<Self, Own>::FUNCTIONS);

    fn register() {
        T::register();
    }

    fn empty() -> Option<Self> {
        Some(Vec::new())
    }

    #[inline]
    fn is_set(&self) -> bool {
        !self.is_empty()
    }

    const IS_LEAF: bool = matches!(T::STORAGE, Storage::String | Storage::Vec);

    #[inline]
    unsafe fn write(&self, field: LeafField, at: *mut u8, limit: usize) -> *mut u8 {
        match T::STORAGE {
            // SAFETY: with this storage, the elements are of type `String`. The caller promises that there is space for the
            // field at `at`.
            Storage::String => unsafe {
                let strings = slice::from_raw_parts(self.as_ptr().cast::<String>(), self.len());
                put_texts(field, strings.iter().map(String::as_bytes), at, limit)
            },
            // SAFETY: with this storage, the elements are of type `Vec<u8>`. The caller promises that there is space for the
            // field at `at`.
            Storage::Vec => unsafe {
                let strings = slice::from_raw_parts(self.as_ptr().cast::<Vec<u8>>(), self.len());
                put_texts(field, strings.iter().map(Vec::as_slice), at, limit)
            },
            _ => at,
        }
    }
}

impl<T: 'static, C: Convert<T>> Carry<Vec<T>> for Whole<C, Repeated>
where
    C::Proto: Stores<T, C>,
{
    type Owned = Vec<<C::Proto as Stores<T, C>>::Owned>;
    const SAID: Conversion = said::<T, C>();

    fn own(member: &Vec<T>) -> Self::Owned {
        member.iter().map(<C::Proto as Stores<T, C>>::own).collect()
    }

    fn make(proto: Self::Owned) -> Result<Vec<T>, Refused> {
        let mut made = Vec::with_capacity(proto.len());
        for (index, proto) in proto.into_iter().enumerate() {
            made.push(<C::Proto as Stores<T, C>>::make(proto).ok_or(Refused::Element(index))?);
        }
        Ok(made)
    }
}

// SAFETY: the functions in `STORAGE` are compiled for this type.
unsafe impl<T: 'static, C: Convert<T>> MemberWith<C, Repeated> for Vec<T>
where
    C::Proto: Stores<T, C>,
{
    type Value = T;

    const STORAGE: Storage = match <C::Proto as Stores<T, C>>::VALUE {
        Some(_) => Storage::List(&Of::<Self, By<C>>::FUNCTIONS),
        None => Storage::Made(&MadeBy::<Self, Whole<C, Repeated>>::FUNCTIONS),
    };

    fn register() {
        <<C::Proto as Stores<T, C>>::Owned as Member>::register();
    }

    fn empty() -> Option<Self> {
        Some(Vec::new())
    }

    #[inline]
    fn is_set(&self) -> bool {
        !self.is_empty()
    }
}
