//! Reads lists of numbers and of strings. One call reads all consecutive elements. A `Row` describes one field: its tag, its
//! kind, and the place of its member.

use super::Decoder;
use super::value::{form, known_length, length, load, long_varint};
use crate::layout::text::{fill, fill_string};
use crate::layout::{Storage, Text, TextFunctions, vec};
use crate::table::{Location, Row, Table};
use crate::wire::packed::{Form, count, varints};
use crate::wire::{Reader, unzigzag32, unzigzag64, utf8, utf8_by_call};
use std::mem::MaybeUninit;
use std::ptr;

/// The most bytes that the decoder reserves at once for map entries, or for elements whose Rust type may reject a value.
pub(super) const MOST: usize = 1 << 20;

/// An element type of lists of strings or byte strings.
pub(super) trait Element<'i>: Sized {
    /// The content that an element holds.
    type Content: Copy;

    /// Converts bytes to the content of an element. Returns `None` if the content must be UTF-8 and `bytes` are not.
    fn content(bytes: &'i [u8]) -> Option<Self::Content>;

    fn new(content: Self::Content) -> Self;

    /// Replaces the content. A type that owns an allocation reuses the allocation.
    #[inline]
    fn refill(&mut self, content: Self::Content) {
        *self = Self::new(content);
    }
}

impl<'i> Element<'i> for String {
    type Content = &'i str;

    #[inline]
    fn content(bytes: &'i [u8]) -> Option<&'i str> {
        utf8(bytes).ok()
    }

    #[inline]
    fn new(text: &str) -> Self {
        let mut new = String::new();
        fill_string(&mut new, text);
        new
    }

    #[inline]
    fn refill(&mut self, text: &str) {
        fill_string(self, text);
    }
}

impl<'i> Element<'i> for &'i str {
    type Content = &'i str;

    #[inline]
    fn content(bytes: &'i [u8]) -> Option<&'i str> {
        utf8(bytes).ok()
    }

    #[inline]
    fn new(text: &'i str) -> Self {
        text
    }
}

impl<'i> Element<'i> for Vec<u8> {
    type Content = &'i [u8];

    #[inline]
    fn content(bytes: &'i [u8]) -> Option<&'i [u8]> {
        Some(bytes)
    }

    #[inline]
    fn new(bytes: &[u8]) -> Self {
        let mut new = Vec::new();
        fill(&mut new, bytes);
        new
    }

    #[inline]
    fn refill(&mut self, bytes: &[u8]) {
        fill(self, bytes);
    }
}

impl<'i> Element<'i> for &'i [u8] {
    type Content = &'i [u8];

    #[inline]
    fn content(bytes: &'i [u8]) -> Option<&'i [u8]> {
        Some(bytes)
    }

    #[inline]
    fn new(bytes: &'i [u8]) -> Self {
        bytes
    }
}

/// Returns the position after the tag at `at`, or `None` if this is not the tag of `row`.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `end` is not after `limit`.
#[inline]
pub(super) unsafe fn after_tag(
    row: &Row,
    at: *const u8,
    end: *const u8,
    limit: *const u8,
) -> Option<*const u8> {
    // SAFETY: `at` is before `end`, and the caller says that `end` is not after `limit` and that the bytes up to `limit` are
    // readable. `load` reads bytes after `limit` as zeros. So if the bytes match the tag, the whole tag is within the input,
    // because the last byte of a tag is not zero.
    let follows = at.addr() < end.addr() && unsafe { load(at, limit) } as u32 & row.tag_mask == row.tag_word;
    follows.then(|| at.wrapping_add(usize::from(row.tag_len)))
}

impl<'t, 'i> Decoder<'t, 'i> {
    /// Counts the consecutive, complete, length-delimited values of `row`. `at` is at the length prefix of the first value.
    ///
    /// # Safety
    /// `at` and `end` are within the input.
    #[inline(never)]
    pub(super) unsafe fn count(&self, row: &Row, at: *const u8, end: *const u8) -> usize {
        let (mut at, mut count) = (at, 0);
        // SAFETY: the caller says that `at` and `end` are within the input. All bytes up to the end of the input are readable.
        // `length` returns only content that ends at or before `end`, and `after_tag` returns a cursor after a tag that is
        // within the input.
        unsafe {
            loop {
                let Some((len, start)) = length(at, end, self.limit) else { return count };
                count += 1;
                match after_tag(row, start.add(len), end, self.limit) {
                    Some(next) => at = next,
                    None => return count,
                }
            }
        }
    }

    /// Reads consecutive strings into `list`. `at` is at the length prefix of the first string. If `reused` is true, the
    /// strings replace the old elements. Returns the position after the last string, and true. If the slow path must read a
    /// string, returns the position of this string's tag, and false.
    ///
    /// # Safety
    /// `at` and `end` are within the input.
    #[inline(never)]
    pub(super) unsafe fn strings<T: Element<'i>>(
        &self,
        row: &Row,
        list: &mut Vec<T>,
        mut at: *const u8,
        end: *const u8,
        reused: bool,
    ) -> (*const u8, bool) {
        let mut index = if reused { 0 } else { list.len() };
        let tag_len = usize::from(row.tag_len);
        // SAFETY: `self.count` checked that `count` complete values with their length prefixes lie between `at` and `end`,
        // which are within the input. So `known_length` finds a length prefix while `index` is below `last`, and the `len`
        // bytes from `start` on are part of the input, which lives for `'i`.
        unsafe {
            let count = self.count(row, at, end);
            let more = (index + count).saturating_sub(list.len());
            if list.capacity() == 0 {
                *list = Vec::with_capacity(more);
            } else {
                list.reserve(more);
            }
            let last = index + count;
            while index < last {
                let (len, start) = known_length(at, self.limit);
                let Some(content) = T::content(std::slice::from_raw_parts(start, len)) else { break };
                match list.get_mut(index) {
                    Some(element) => element.refill(content),
                    None => list.push(T::new(content)),
                }
                index += 1;
                at = start.add(len).wrapping_add(tag_len);
            }
            list.truncate(index);
            // After the last string, `at - tag_len` is the string's end. If a string is not valid, `at - tag_len` is the
            // position of this string's tag.
            (at.wrapping_sub(tag_len), index == last && count > 0)
        }
    }

    /// Appends consecutive strings to a list whose element type has its own functions to set a value (`Storage::Text`). `at` is
    /// at the length prefix of the first string. Returns the position after the last string, and true. If the slow path must
    /// read a string, returns the position of this string's tag, and false.
    ///
    /// # Safety
    /// `at` and `end` are within the input. `row` is the row of a list of strings or byte strings, `list` is the address of
    /// that list, and nothing else refers to the list.
    #[inline(never)]
    pub(super) unsafe fn texts(
        &self,
        row: &Row,
        list: *mut u8,
        mut at: *const u8,
        end: *const u8,
    ) -> (*const u8, bool) {
        let tag_len = usize::from(row.tag_len);
        let (functions, text) = match row.location {
            Location::Member { storage: Storage::List(list), .. } => match list.element {
                Storage::Text(text) => (list, text),
                _ => return (at.wrapping_sub(tag_len), false),
            },
            _ => return (at.wrapping_sub(tag_len), false),
        };
        let wants_utf8 = row.wants_utf8(functions.element);
        // SAFETY: `self.count` checked that `count` complete values with their length prefixes lie between `at` and `end`. So
        // `known_length` finds each length prefix, and the bytes of each value are part of the input. `list` is the list of
        // `row`, so `functions` are the functions of its type. An element that is not null is a live value of the type that
        // `text` is for, and `wants_utf8` is true if this type is a string.
        unsafe {
            let count = self.count(row, at, end);
            // The type may reject values, even the first one, so the list does not reserve memory for all values at once.
            functions.reserve(list, count.min(MOST / functions.stride.max(1)), true);
            for _ in 0..count {
                let (len, start) = known_length(at, self.limit);
                let element = functions.extend(list, 1);
                if element.is_null() {
                    return (at.wrapping_sub(tag_len), false);
                }
                let bytes = std::slice::from_raw_parts(start, len);
                if !self.set_checked(wants_utf8, text, element, bytes) {
                    functions.truncate(list, functions.elements(list).1 - 1);
                    return (at.wrapping_sub(tag_len), false);
                }
                at = start.add(len).wrapping_add(tag_len);
            }
            (at.wrapping_sub(tag_len), count > 0)
        }
    }

    /// Sets a string or byte string with the functions of its Rust type. Returns false if the type rejects the value.
    ///
    /// # Safety
    /// `at` is the address of a live value of the type that `functions` are for. `wants_utf8` is true if the type is a string.
    #[inline]
    pub(super) unsafe fn set_checked(
        &self,
        wants_utf8: bool,
        functions: &TextFunctions,
        at: *mut u8,
        bytes: &'i [u8],
    ) -> bool {
        if wants_utf8 && utf8_by_call(bytes).is_err() {
            return false;
        }
        // SAFETY: the caller says that `at` is the address of a value of the type that `functions` are for, and that
        // `wants_utf8` is true if this type is a string. For a string, the call above checked that `bytes` are UTF-8. The bytes
        // are part of the input, which outlives every value that borrows from it.
        unsafe { (functions.set)(at, Text { bytes, borrowed: true, input: self.shared }) }
    }

    /// Appends the numbers of a packed run to a list. `at` is at the length prefix of the run. Returns the end of the run, or
    /// null if the slow path must read it.
    ///
    /// # Safety
    /// `at` and `end` are within the input. `row` is the row of a list of numbers, `slot` is the address of that list, and
    /// nothing else refers to the list.
    #[inline]
    pub(super) unsafe fn packed(&self, row: &Row, slot: *mut u8, at: *const u8, end: *const u8) -> *const u8 {
        // SAFETY: the caller says that `at` and `end` are within the input, and `length` returns only content that ends at or
        // before `end`. So the `len` bytes from `start` on are readable. The list at `slot` is the list of `row`, so its
        // elements are numbers of the wire form `form(row.kind)`, and nothing else refers to the list.
        unsafe {
            let Some((len, start)) = length(at, end, self.limit) else { return ptr::null() };
            let run = std::slice::from_raw_parts(start, len);
            if append(slot, form(row.kind), run) { start.add(len) } else { ptr::null() }
        }
    }

    /// Appends consecutive numbers, each with its own tag, to a list. `at` is after the first tag. Returns the position after
    /// the last number, and true. If the slow path must read a number, returns the position of this number's tag, and false.
    ///
    /// # Safety
    /// `at` and `end` are within the input. `row` is the row of a list of numbers, `slot` is the address of that list, and
    /// nothing else refers to the list.
    #[inline(never)]
    pub(super) unsafe fn unpacked(
        &self,
        row: &Row,
        slot: *mut u8,
        mut at: *const u8,
        end: *const u8,
    ) -> (*const u8, bool) {
        let form = form(row.kind);
        // SAFETY: `end` is within the input. The code checks `at <= end` and `len <= end - at` before it reads the `len` bytes
        // from `at` on, and before it moves `at` after them. `long_varint` is called only if `at` is not after `end`. The list
        // at `slot` is the list of `row`, so its elements are numbers of the wire form `form`, and nothing else refers to the
        // list.
        unsafe {
            loop {
                let len = match form.size() {
                    _ if at.addr() > end.addr() => usize::MAX,
                    Some(size) => size,
                    None => match long_varint(at, end).1 {
                        after if after.is_null() => usize::MAX,
                        after => after.addr() - at.addr(),
                    },
                };
                if len == usize::MAX
                    || len > end.addr() - at.addr()
                    || !append(slot, form, std::slice::from_raw_parts(at, len))
                {
                    return (at.wrapping_sub(usize::from(row.tag_len)), false);
                }
                at = at.add(len);
                match after_tag(row, at, end, self.limit) {
                    Some(next) => at = next,
                    None => return (at, true),
                }
            }
        }
    }

    /// Takes memory from the budget for `count` elements, or for as many of them as the budget allows. Returns this number of
    /// elements, or `None` if the budget does not allow even one.
    #[inline]
    pub(super) fn take_elements(&mut self, table: &Table, count: usize) -> Option<usize> {
        // The decoder stores the number of elements as a `u32` in `Frame` (see `frames.rs`).
        let (size, count) = (u64::from(table.size), count.min(u32::MAX as usize));
        let all = size * count as u64;
        if all <= self.memory {
            self.memory -= all;
            return Some(count);
        }
        let count = self.memory / size.max(1);
        self.memory -= count * size;
        (count > 0).then_some(count as usize)
    }
}

/// Appends the numbers in `run` to a list. Returns false if the run is malformed, or if it has a bool of more than one byte,
/// which the slow path reads.
///
/// # Safety
/// `list` is the address of a live list of numbers whose wire form is `form`, and nothing else refers to the list.
#[inline(never)]
unsafe fn append(list: *mut u8, form: Form, run: &[u8]) -> bool {
    let narrow = |value| value as u32;
    let same = |value: u64| value;
    // SAFETY: the caller says that `list` is the address of a list of numbers whose wire form is `form`, and that nothing else
    // refers to the list. So its elements have four bytes, eight bytes or, if they are bools, one byte, depending on `form`.
    // Each function is called with a type of that size and alignment.
    unsafe {
        match form {
            Form::Varint32 => add(list, run, narrow),
            Form::Varint64 => add(list, run, same),
            Form::ZigZag32 => {
                let before = vec::elements(list).1;
                add(list, run, narrow) && convert(list, before, |value| unzigzag32(value) as u32)
            }
            Form::ZigZag64 => {
                let before = vec::elements(list).1;
                add(list, run, same) && convert(list, before, |value| unzigzag64(value) as u64)
            }
            Form::Bool => add_bools(list, run),
            Form::Fixed32 => add_fixed::<u32, 4>(list, run),
            Form::Fixed64 => add_fixed::<u64, 8>(list, run),
        }
    }
}

/// Converts the elements of a list from the index `from` on. Always returns true.
///
/// # Safety
/// `list` is the address of a live list of numbers, to which nothing else refers. Its elements have the memory layout
/// of `T`.
unsafe fn convert<T: Copy>(list: *mut u8, from: usize, of: impl Fn(T) -> T) -> bool {
    // SAFETY: the caller says that `list` is the address of a list of numbers whose elements have the memory layout of `T`, and
    // that nothing else refers to the list. So `first` is aligned and not null, and `len` initialized elements lie there.
    let elements = unsafe {
        let (first, len) = vec::elements(list);
        std::slice::from_raw_parts_mut(first.cast::<T>(), len)
    };
    elements[from..].iter_mut().for_each(|value| *value = of(*value));
    true
}

/// Appends bools of one byte each. Returns false if a bool has more than one byte.
///
/// # Safety
/// `list` is the address of a list of bools, to which nothing else refers.
unsafe fn add_bools(list: *mut u8, run: &[u8]) -> bool {
    if !run.iter().all(|byte| *byte < 0x80) {
        return false;
    }
    // SAFETY: the caller says that `list` is the address of a list of bools, to which nothing else refers. `reserve` returned
    // `room`, which has space for `run.len()` more elements. Each write is within this space and writes 0 or 1, and the new
    // length covers only elements that were written.
    unsafe {
        let (room, len) = vec::reserve(list, run.len(), true, 1, 1);
        for (index, &byte) in run.iter().enumerate() {
            room.add(index).write(u8::from(byte != 0));
        }
        vec::set_len(list, len + run.len());
    }
    true
}

/// Appends varints. Returns false if a varint is malformed.
///
/// # Safety
/// `list` is the address of a list of numbers, to which nothing else refers. Its elements have the memory layout of
/// `T`.
#[inline(never)]
unsafe fn add<T>(list: *mut u8, run: &[u8], of: impl Fn(u64) -> T) -> bool {
    let count = count(run);
    // SAFETY: the caller says that `list` is the address of a list of numbers whose elements have the memory layout of `T`, and
    // that nothing else refers to the list. `reserve` returned `room`, which has space for `count` more elements. At most
    // `count` numbers are written there, and they become part of the list only if all of them were written.
    unsafe {
        let (room, len) = vec::reserve(list, count, true, size_of::<T>(), align_of::<T>());
        let room = room.cast::<T>();
        if count == run.len() {
            // Each varint is one byte.
            for (index, &byte) in run.iter().enumerate() {
                room.add(index).write(of(u64::from(byte)));
            }
            vec::set_len(list, len + count);
            return true;
        }
        let mut reader = Reader::new(run);
        let room = std::slice::from_raw_parts_mut(room.cast::<MaybeUninit<T>>(), count);
        let read = varints(&mut reader, room, |place, value| {
            place.write(of(value));
        });
        if read.ok() != Some(count) || !reader.is_empty() {
            return false;
        }
        vec::set_len(list, len + count);
    }
    true
}

/// Appends numbers of `N` bytes each. Returns false if the last number is incomplete.
///
/// # Safety
/// `list` is the address of a list of numbers, to which nothing else refers. Its elements have the memory layout of
/// `T`, which has `N` bytes.
#[inline]
unsafe fn add_fixed<T, const N: usize>(list: *mut u8, run: &[u8]) -> bool {
    let (whole, rest) = run.as_chunks::<N>();
    if !rest.is_empty() {
        return false;
    }
    // SAFETY: the caller says that `list` is the address of a list of numbers whose elements have the memory layout of `T`,
    // with `N` bytes each, and that nothing else refers to the list. `reserve` returned `room`, which has space for one more
    // element for each chunk. The chunks are part of the input, which does not overlap this space. Every bit pattern is a valid
    // number, and the new length covers only elements that were written.
    unsafe {
        let (room, len) = vec::reserve(list, whole.len(), true, N, align_of::<T>());
        let room = room.cast::<[u8; N]>();
        if cfg!(target_endian = "little") {
            room.copy_from_nonoverlapping(whole.as_ptr(), whole.len());
        } else {
            for (index, bytes) in whole.iter().enumerate() {
                let mut bytes = *bytes;
                bytes.reverse();
                room.add(index).write(bytes);
            }
        }
        vec::set_len(list, len + whole.len());
    }
    true
}
