//! Reads and writes the three words of a `Vec`. The words lie in the same order for all types of elements, so one function
//! serves all of these types.
//!
//! Rust does not promise the order of the words, so constants find the order at compile time. [`WORDS`] has the indexes of the
//! words that `len` and `capacity` read in a `Vec<u8>`. [`checked`] is false for a type of elements for which `len` and
//! `capacity` read other words; a list of such a type does not compile. The meaning of the words follows from
//! `Vec::from_raw_parts` and similar functions.

use std::alloc::{self, Layout};

/// The indexes of the words with the capacity and the length of a `Vec`.
#[derive(Clone, Copy)]
struct Words {
    capacity: usize,
    len: usize,
}

const WORDS: Words = match words::<u8>() {
    Some(words) if words.capacity < 3 => words,
    _ => panic!("in this version of Rust, a `Vec` does not consist of a pointer, a capacity and a length"),
};

// A `String` consists of the `Vec` of its bytes and nothing else.
const _: () = assert!(size_of::<String>() == size_of::<Vec<u8>>());

/// The index of the remaining word, which has the address of the first element.
const FIRST: usize = 3 - WORDS.capacity - WORDS.len;

/// Finds the indexes of the words of a `Vec<T>`: reads the capacity and the length of a `Vec` whose words have known
/// values. Returns `None` if the indexes cannot be found. If elements have no size, a `Vec` stores no capacity, and the
/// index of the capacity is past the end.
const fn words<T>() -> Option<Words> {
    if size_of::<Vec<T>>() != size_of::<[usize; 3]>() || align_of::<Vec<T>>() != align_of::<[usize; 3]>() {
        return None;
    }
    // Distinct values, one for each word.
    let values = [1 << 4, 1 << 8, 1 << 12];
    // SAFETY: the array has the size and the alignment of a `Vec`. The code only reads the capacity and the length.
    let list = unsafe { &*(&raw const values).cast::<Vec<T>>() };
    let mut words = Words { capacity: 3, len: 3 };
    let mut index = 0;
    while index < 3 {
        if list.capacity() == values[index] {
            words.capacity = index;
        }
        if list.len() == values[index] {
            words.len = index;
        }
        index += 1;
    }
    if words.len == 3 || words.len == words.capacity { None } else { Some(words) }
}

/// True if the functions of this module read and write the right words of a `Vec<T>`.
pub(super) const fn checked<T>() -> bool {
    match words::<T>() {
        Some(Words { capacity, len }) => {
            len == WORDS.len && (capacity == WORDS.capacity || size_of::<T>() == 0 && capacity == 3)
        }
        None => false,
    }
}

/// Returns the address of the first element, and the number of elements.
///
/// # Safety
/// `list` is the address of a live `Vec` of a type that is [`checked`].
#[inline]
pub(crate) unsafe fn elements(list: *const u8) -> (*mut u8, usize) {
    // SAFETY: the caller promises that a live `Vec` of a checked type is at the address. It consists of three aligned
    // words: the word `FIRST` is the address of the first element, and the word `WORDS.len` is the length.
    unsafe { (list.cast::<*mut u8>().add(FIRST).read(), list.cast::<usize>().add(WORDS.len).read()) }
}

/// Returns the capacity, in elements; unspecified for elements without a size.
///
/// # Safety
/// `list` is the address of a live `Vec` of a type that is [`checked`].
#[inline]
pub(crate) unsafe fn capacity(list: *const u8) -> usize {
    // SAFETY: the caller promises that a live `Vec` of a checked type is at the address. It consists of three aligned
    // words, and the word `WORDS.capacity` is the capacity for elements with a size.
    unsafe { list.cast::<usize>().add(WORDS.capacity).read() }
}

/// Sets the number of elements.
///
/// # Safety
/// `list` is the address of a live `Vec` of a type that is [`checked`], and its first `len` elements are valid.
#[inline]
pub(crate) unsafe fn set_len(list: *mut u8, len: usize) {
    // SAFETY: the caller promises that a live `Vec` of a checked type is at the address. It consists of three aligned
    // words, and the word `WORDS.len` is the length. The caller also promises that the first `len` elements are valid.
    unsafe { list.cast::<usize>().add(WORDS.len).write(len) }
}

/// Returns the capacity of a new list whose elements are added one by one: a few elements, if they are small.
#[inline]
pub(crate) const fn first_capacity(size: usize) -> usize {
    match 256usize.checked_div(size) {
        Some(0) => 1,
        Some(count) if count < 4 => count,
        _ => 4,
    }
}

/// Reserves room for more elements. Returns the address for the first of the new elements, and the number of elements
/// before it. A new list gets exactly the requested room if `all` says that no more elements will follow.
///
/// # Panics
/// If all elements together would take more than `isize::MAX` bytes.
///
/// # Safety
/// `list` is the address of a live `Vec` of a type that is [`checked`]. Its elements have the size `size` and the alignment
/// `align`.
#[inline]
pub(crate) unsafe fn reserve(
    list: *mut u8,
    more: usize,
    all: bool,
    size: usize,
    align: usize,
) -> (*mut u8, usize) {
    // SAFETY: the caller promises that a live `Vec` of a checked type is at the address, with elements of this size and
    // alignment. Its allocation has room for at least `len` elements, so the address after them is within the allocation or
    // at its end.
    unsafe {
        let (mut first, len) = elements(list);
        // For elements without a size the capacity does not matter, because `grow` allocates nothing for them.
        if capacity(list).wrapping_sub(len) < more {
            let bytes = more.saturating_mul(size);
            first = match capacity(list) {
                0 if all && (1..=SMALL).contains(&bytes) => begin(list, more, bytes, align),
                _ => grow(list, more, all, size, align),
            };
        }
        (first.add(len * size), len)
    }
}

/// The largest size in bytes of a new list that is allocated without a check for overflow.
const SMALL: usize = 1 << 16;

/// Allocates room for all elements of a new list. Returns the address of the first element.
///
/// # Safety
/// `list` is the address of a live `Vec` of a type that is [`checked`], without a capacity. `count` elements with the
/// alignment `align` take `bytes` bytes, at least one and at most [`SMALL`].
#[inline(never)]
unsafe fn begin(list: *mut u8, count: usize, bytes: usize, align: usize) -> *mut u8 {
    // SAFETY: `align` is the alignment of a type, and at most `SMALL` bytes stay within the limit of a layout when they are
    // rounded up to the alignment. The caller promises that `bytes` is not zero and that the `Vec` at the address has no
    // allocation that would be lost. The words are written as `Vec` would write them.
    unsafe {
        let layout = Layout::from_size_align_unchecked(bytes, align);
        let room = alloc::alloc(layout);
        if room.is_null() {
            alloc::handle_alloc_error(layout);
        }
        list.cast::<*mut u8>().add(FIRST).write(room);
        list.cast::<usize>().add(WORDS.capacity).write(count);
        room
    }
}

/// Reserves room for more elements if [`begin`] does not apply. Returns the address of the first element. Adding elements
/// one by one takes constant time on average.
///
/// # Safety
/// `list` is the address of a live `Vec` of a type that is [`checked`]. Its elements have the size `size` and the alignment
/// `align`.
#[inline(never)]
unsafe fn grow(list: *mut u8, more: usize, all: bool, size: usize, align: usize) -> *mut u8 {
    // SAFETY: the `Vec` at the address is live and of a checked type. A `Vec` with the capacity `old` got its room from the
    // allocator, with the layout of an array of `old` elements. `align` is the alignment of a type. The code checks that
    // the new size is within the limit of a layout and not zero, and writes both words after the allocation.
    unsafe {
        let (first, len) = elements(list);
        if size == 0 {
            return first;
        }
        let old = capacity(list);
        let least = match old {
            0 if all => 0,
            0 => first_capacity(size),
            old => 2 * old,
        };
        let new = least.max(len.saturating_add(more));
        let bytes = new.checked_mul(size).filter(|bytes| *bytes <= isize::MAX as usize - (align - 1));
        let Some(bytes) = bytes else { panic!("capacity overflow") };
        let layout = |bytes| Layout::from_size_align_unchecked(bytes, align);
        let room = match old {
            0 => alloc::alloc(layout(bytes)),
            old => alloc::realloc(first, layout(old * size), bytes),
        };
        if room.is_null() {
            alloc::handle_alloc_error(layout(bytes));
        }
        list.cast::<*mut u8>().add(FIRST).write(room);
        list.cast::<usize>().add(WORDS.capacity).write(new);
        room
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the words of a list can be read and changed, and that the list still works as a `Vec`.
    fn used<T: Clone + PartialEq + std::fmt::Debug>(one: T) {
        assert!(const { checked::<T>() });
        let (size, align) = (size_of::<T>(), align_of::<T>());
        let mut list = vec![one.clone(); 3];
        let at = (&raw mut list).cast::<u8>();
        // SAFETY: `at` is the address of a live `Vec<T>`, and `T` is a checked type.
        unsafe {
            assert_eq!(elements(at), (list.as_mut_ptr().cast(), 3));
            let (room, len) = reserve(at, 70, false, size, align);
            assert_eq!((room, len), (list.as_mut_ptr().add(3).cast(), 3));
            if size > 0 {
                assert_eq!((capacity(at), list.capacity()), (73, 73));
            }
        }
        list.extend(vec![one.clone(); 9]);
        assert_eq!(list, vec![one.clone(); 12]);
        let at = (&raw mut list).cast::<u8>();
        // SAFETY: `at` is the address of a live `Vec<T>` of a checked type. The elements after the first two do not change
        // while the length is 2, so they are valid when the length is 12 again.
        unsafe {
            assert_eq!(elements(at).1, 12);
            set_len(at, 2);
            assert_eq!(list, vec![one.clone(); 2]);
            set_len((&raw mut list).cast(), 12);
        }
        assert_eq!(list, vec![one; 12]);
    }

    #[test]
    fn a_list_of_any_type_is_used_by_its_words() {
        used(7_u8);
        used(7_u64);
        used([1_u16; 9]);
        used(());
        used(Box::new(5));
        used(Some(Box::new(5)));
        used(Some(3_u128));
        used("text");
    }

    /// Checks that a new list with room for all of its elements has exactly this capacity.
    fn begun<T: Clone + PartialEq + std::fmt::Debug>(one: T, counts: &[usize]) {
        for &count in counts {
            let mut list = Vec::<T>::new();
            let at = (&raw mut list).cast::<u8>();
            // SAFETY: `at` is the address of a live `Vec<T>`, and `count` elements are written before the length is set.
            unsafe {
                let (room, len) = reserve(at, count, true, size_of::<T>(), align_of::<T>());
                assert_eq!((len, room.addr() % align_of::<T>()), (0, 0));
                (0..count).for_each(|index| room.cast::<T>().add(index).write(one.clone()));
                set_len(at, count);
            }
            assert_eq!(list, vec![one.clone(); count]);
            assert!(size_of::<T>() == 0 || list.capacity() == count);
            list.push(one.clone());
            assert_eq!(list.len(), count + 1);
        }
    }

    #[test]
    fn a_new_list_has_room_for_just_its_elements() {
        #[derive(Clone, Debug, PartialEq)]
        #[repr(align(64))]
        struct Aligned(u8);
        begun(7_u8, &[0, 1, 3, SMALL - 1, SMALL, SMALL + 1]);
        begun([1_u16; 6], &[1, 2, SMALL / 12, SMALL / 12 + 1]);
        begun(5_u64, &[1, SMALL / 8, SMALL / 8 + 1]);
        begun(Aligned(3), &[0, 1, 2, SMALL / 64, SMALL / 64 + 1]);
        begun((), &[0, 1, 9]);
    }

    #[test]
    fn room_is_as_much_as_is_asked_for_at_first_and_twice_as_much_later() {
        let mut list = Vec::<u64>::new();
        let at = (&raw mut list).cast::<u8>();
        let mut rooms = vec![];
        for (more, all) in [(3, true), (3, true), (4, true), (5, false), (20, false)] {
            // SAFETY: `at` is the address of a live `Vec<u64>`, and zeros are written to its new elements before the length
            // is set.
            unsafe {
                let (room, len) = reserve(at, more, all, 8, 8);
                room.write_bytes(0, more * 8);
                set_len(at, len + more);
                rooms.push((len, capacity(at)));
            }
        }
        assert_eq!(rooms, [(0, 3), (3, 6), (6, 12), (10, 24), (15, 48)]);
        assert_eq!(list, [0; 35]);
        let mut rooms = vec![];
        for size in [1, 8, 12, 16, 40] {
            let mut list = Vec::<u64>::new();
            // SAFETY: `at` is the address of a live `Vec<u64>`. Its new room has the layout of a `Vec<u64>` with `size`
            // times the capacity, so a `Vec` with this capacity can free the room. `list` has another capacity, so it is
            // forgotten and does not free the room.
            unsafe {
                let at = (&raw mut list).cast::<u8>();
                let (room, _) = reserve(at, 1, false, size * 8, 8);
                rooms.push(capacity(at));
                drop(Vec::from_raw_parts(room.cast::<u64>(), 0, capacity(at) * size));
                std::mem::forget(list);
            }
        }
        assert_eq!(rooms, [4, 4, 2, 2, 1]);
    }

    #[test]
    #[should_panic(expected = "capacity overflow")]
    fn too_much_room_is_refused_as_by_vec() {
        let mut list = vec![1_u64];
        // SAFETY: `list` is a live `Vec<u64>`, whose elements have eight bytes and the alignment of eight. The call panics
        // before it changes the list.
        unsafe { reserve((&raw mut list).cast(), usize::MAX / 4, true, 8, 8) };
    }
}
