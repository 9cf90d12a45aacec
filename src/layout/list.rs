//! Lists.

use super::{Field, ListFunctions, Member, Storage, Straight, TypeShape};
use std::mem::MaybeUninit;
use std::ptr;

struct Of<T>(T);

/// The list at an address.
///
/// # Safety
/// A live `Vec<T>` lies there, and nothing else refers to it.
unsafe fn list<'a, T>(at: *mut u8) -> &'a mut Vec<T> {
    // SAFETY: as above.
    unsafe { &mut *at.cast::<Vec<T>>() }
}

/// Makes room for more elements: of a new list for no more than these, which are all for most lists.
fn make_room<T>(list: &mut Vec<T>, more: usize) {
    match list.capacity() {
        0 => *list = Vec::with_capacity(more),
        _ => list.reserve(more),
    }
}

/// Adds so many values that are the same constant: each is as good as a copy of the bytes of another.
#[inline]
fn push_copies<T>(list: &mut Vec<T>, value: MaybeUninit<T>, more: usize) {
    let room = &mut list.spare_capacity_mut()[..more];
    if let Some(first) = room.first_mut() {
        *first = value;
        let mut done = 1;
        while done < more {
            let count = done.min(more - done);
            // SAFETY: both are within the room, one after the other.
            unsafe { ptr::copy_nonoverlapping(room.as_ptr(), room.as_mut_ptr().add(done), count) };
            done += count;
        }
        let len = list.len() + more;
        // SAFETY: as many are there, and all are values by the contract of `Member`.
        unsafe { list.set_len(len) };
    }
}

// In all of these: SAFETY: the address is that of a `Vec<T>`, by the contract of the functions.
// They are named: of a closure the compiler makes a second function for each type.
impl<T: Member> Of<T> {
    const FUNCTIONS: ListFunctions = ListFunctions {
        element: T::STORAGE,
        stride: size_of::<T>(),
        elements: Self::elements,
        first_mut: Self::first_mut,
        reserve: Self::reserve,
        set_len: Self::set_len,
        extend: Self::extend,
        truncate: Self::truncate,
        remove: Self::remove,
    };

    unsafe fn elements(at: *const u8) -> (*const u8, usize) {
        // SAFETY: see above.
        let list = unsafe { &*at.cast::<Vec<T>>() };
        (list.as_ptr().cast(), list.len())
    }

    unsafe fn first_mut(at: *mut u8) -> *mut u8 {
        // SAFETY: see above.
        unsafe { list::<T>(at) }.as_mut_ptr().cast()
    }

    unsafe fn reserve(at: *mut u8, more: usize) -> *mut u8 {
        // SAFETY: see above.
        let list = unsafe { list::<T>(at) };
        make_room(list, more);
        list.spare_capacity_mut().as_mut_ptr().cast()
    }

    unsafe fn set_len(at: *mut u8, len: usize) {
        // SAFETY: see above; the caller has written the elements.
        unsafe { list::<T>(at).set_len(len) }
    }

    unsafe fn extend(at: *mut u8, more: usize) -> *mut u8 {
        // SAFETY: see above.
        let list = unsafe { list::<T>(at) };
        let first = list.len();
        make_room(list, more);
        match T::EMPTY {
            Some(empty) if size_of::<T>() > 0 => push_copies(list, empty, more),
            _ => {
                for _ in 0..more {
                    match T::empty() {
                        Some(element) => list.push(element),
                        None => return ptr::null_mut(),
                    }
                }
            }
        }
        list[first..].as_mut_ptr().cast()
    }

    unsafe fn truncate(at: *mut u8, len: usize) {
        // SAFETY: see above.
        unsafe { list::<T>(at) }.truncate(len);
    }

    unsafe fn remove(at: *mut u8, index: usize) {
        // SAFETY: see above.
        let _ = unsafe { list::<T>(at) }.remove(index);
    }
}

// SAFETY: the functions are those of the type. `Vec<u8>`, which is a byte string, is not of this kind: `u8` is no member.
unsafe impl<T: Member> Member for Vec<T> {
    const TYPE: TypeShape = TypeShape::List(&T::TYPE);
    const STORAGE: Storage = Storage::List(&Of::<T>::FUNCTIONS);
    const EMPTY: Option<MaybeUninit<Self>> = Some(MaybeUninit::new(Vec::new()));

    fn empty() -> Option<Self> {
        Some(Vec::new())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn write(&self, field: Field, out: &mut Straight<'_>, at: *mut u8) -> *mut u8 {
        // SAFETY: as for the caller.
        if self.is_empty() { at } else { unsafe { out.field(field, at) } }
    }
}
