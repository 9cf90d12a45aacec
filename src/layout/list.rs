//! The functions of lists.

use super::convert::{By, Carry, MadeBy, Own, Repeated, Stores, Value, Whole, said};
use super::leaf::put_texts;
use super::of::Of;
use super::{Conversion, LeafField, ListFunctions, Member, MemberWith, Refused, Storage, vec};
use crate::layout::member::Convert;
use std::mem;
use std::ptr;
use std::slice;

/// Returns the facts about a list of `T`.
pub(crate) const fn list_functions<T: Member>() -> ListFunctions {
    Of::<Vec<T>, Own>::FUNCTIONS
}

/// Elements that are dropped together with this value.
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

// These are named functions, because for closures the compiler would generate a second function for each type.
impl<T, V: Value<T>> Of<Vec<T>, V> {
    const FUNCTIONS: ListFunctions = {
        assert!(
            vec::checked::<T>(),
            "in this version of Rust a list of this type does not lie in memory as others do"
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
            // SAFETY: there is room for `count` elements from `at` on, and `done.count` is below `count`.
            unsafe { at.cast::<T>().add(done.count).write(element) };
            done.count += 1;
        }
    }

    unsafe fn drop(at: *mut u8, count: usize) {
        // SAFETY: the caller promises that there are `count` elements, and does not use them again.
        unsafe { ptr::slice_from_raw_parts_mut(at.cast::<T>(), count).drop_in_place() }
    }
}

/// A count that is stored only at the end, also after a panic. The compiler can then set all elements at once,
/// because the loop stores no count.
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

// While code of an element runs, the element is not a part of the list, so that a panic in this code leaks the element
// and does not drop it twice.
#[allow(clippy::missing_safety_doc)]
impl ListFunctions {
    /// Drops `count` elements from the address `first` on.
    #[inline]
    unsafe fn drop_elements(&self, first: *mut u8, count: usize) {
        if let Some(drop) = self.drop {
            // SAFETY: the caller promises that there are `count` elements from `first` on, and does not use them again.
            unsafe { drop(first, count) };
        }
    }

    /// Returns the `Vec` itself, to be read.
    #[inline]
    unsafe fn vec(&self, at: *const u8) -> *const u8 {
        match self.lazy {
            None => at,
            // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and if there is
            // `lazy`, its functions are for this type.
            Some(lazy) => unsafe { (lazy.vec)(at) },
        }
    }

    /// Returns the `Vec` itself, to be changed.
    #[inline]
    unsafe fn vec_mut(&self, at: *mut u8) -> *mut u8 {
        match self.lazy {
            None => at,
            // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and nothing
            // else refers to it. If there is `lazy`, its functions are for this type.
            Some(lazy) => unsafe { (lazy.vec_mut)(at) },
        }
    }

    /// Returns the first element and how many there are.
    #[inline]
    pub(crate) unsafe fn elements(&self, at: *const u8) -> (*const u8, usize) {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions. The `Vec` in it is
        // of a type that `FUNCTIONS` has checked.
        unsafe {
            let (first, len) = vec::elements(self.vec(at));
            (first, len)
        }
    }

    /// Returns the first element, to be changed, and how many there are.
    #[inline]
    pub(crate) unsafe fn elements_mut(&self, at: *mut u8) -> (*mut u8, usize) {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and nothing else
        // refers to it. The `Vec` in it is of a type that `FUNCTIONS` has checked.
        unsafe { vec::elements(self.vec_mut(at)) }
    }

    /// Returns how many bytes of elements fit into the capacity.
    pub(crate) unsafe fn room(&self, at: *const u8) -> usize {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and the functions
        // in `lazy` are those of its type. The `Vec` in it is of a type that `FUNCTIONS` has checked.
        unsafe {
            match self.lazy {
                Some(lazy) if !(lazy.is_decoded)(at) => 0,
                _ if self.stride == 0 => 0,
                _ => vec::capacity(self.vec(at)) * self.stride,
            }
        }
    }

    /// Sets the number of elements, after some were written to reserved room, or to hide some that follow.
    #[inline]
    pub(crate) unsafe fn set_len(&self, at: *mut u8, len: usize) {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and nothing else
        // refers to it. The `Vec` in it is of a type that `FUNCTIONS` has checked, and the caller knows that so many
        // elements are there.
        unsafe { vec::set_len(self.vec_mut(at), len) }
    }

    /// Makes room for more elements. Returns the address for the first of them, and the number of elements before it.
    /// A new list gets exactly that much room if the caller says that no more will follow.
    #[inline]
    pub(crate) unsafe fn reserve(&self, at: *mut u8, more: usize, all: bool) -> (*mut u8, usize) {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and nothing else
        // refers to it. The `Vec` in it is of a type that `FUNCTIONS` has checked, and `stride` and `align` are the
        // size and the alignment of its elements.
        unsafe { vec::reserve(self.vec_mut(at), more, all, self.stride, self.align) }
    }

    /// Adds this many empty elements, after which probably no more follow, and returns the address of the first; null
    /// if none can be made.
    #[inline]
    pub(crate) unsafe fn extend(&self, at: *mut u8, more: usize) -> *mut u8 {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and nothing else
        // refers to it.
        unsafe { self.add(at, more, true) }
    }

    /// Adds an empty element, after which others probably follow, and returns its address; null if none can be made.
    #[inline]
    pub(crate) unsafe fn push(&self, at: *mut u8) -> *mut u8 {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and nothing else
        // refers to it.
        unsafe { self.add(at, 1, false) }
    }

    #[inline]
    unsafe fn add(&self, at: *mut u8, more: usize, all: bool) -> *mut u8 {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and nothing else
        // refers to it. `reserve` makes room for as many elements as `fill` may write, and the length counts them only
        // after all of them were written.
        unsafe {
            let (first, len) = self.reserve(at, more, all);
            // The new elements are not yet part of the list, and are dropped if the next one cannot be made.
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

    /// Drops the elements from an index on.
    #[inline(never)]
    pub(crate) unsafe fn truncate(&self, at: *mut u8, len: usize) {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and nothing else
        // refers to it. The elements from `len` to `all` are there, and the list does not count them any more when they
        // are dropped.
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

    /// Drops one element; the later ones move up.
    ///
    /// # Panics
    /// There is none at the index.
    pub(crate) unsafe fn remove(&self, at: *mut u8, index: usize) {
        // SAFETY: `at` is the address of a live list of the type, by the contract of the functions, and nothing else
        // refers to it. The index is checked to be that of an element; the list counts neither it nor the later ones
        // while it is dropped, and the later ones, which move up, stay among the elements that there were.
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

// SAFETY: `STORAGE` has functions that are compiled for this type. `Vec<u8>`, which is a byte string, is not of this
// kind: `u8` is no member.
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
            // SAFETY: with this storage the elements are strings. The caller promises that there is room for the field
            // at `at`.
            Storage::String => unsafe {
                let strings = slice::from_raw_parts(self.as_ptr().cast::<String>(), self.len());
                put_texts(field, strings.iter().map(String::as_bytes), at, limit)
            },
            // SAFETY: with this storage the elements are byte strings. The caller promises that there is room for the
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

// SAFETY: `STORAGE` has functions that are compiled for this type.
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
