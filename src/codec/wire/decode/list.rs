//! Reads lists of numbers and of strings: all consecutive elements in one call.

use super::Decoder;
use super::value::{form, known_length, length, load, long_varint};
use crate::layout::text::{fill, fill_string};
use crate::layout::{Storage, Text, TextFunctions, vec};
use crate::table::{Location, Row, Table};
use crate::wire::packed::{Form, count, varints};
use crate::wire::{Reader, unzigzag32, unzigzag64, utf8, utf8_by_call};
use std::mem::MaybeUninit;
use std::ptr;

/// For how many bytes of map entries, or of elements that the type may reject, room is made at once.
pub(super) const MOST: usize = 1 << 20;

/// An element type of lists of strings or byte strings.
pub(super) trait Element<'i>: Sized {
    /// The content that an element holds.
    type Content: Copy;

    /// Converts bytes to the content of an element. Returns `None` if the content must be UTF-8 and is not.
    fn content(bytes: &'i [u8]) -> Option<Self::Content>;

    /// Creates an element.
    fn new(content: Self::Content) -> Self;

    /// Replaces the content, and reuses the allocation.
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

/// Returns the start of the value of `row`, if the tag of `row` comes next.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `end` is not behind `limit`.
#[inline]
pub(super) unsafe fn after_tag(
    row: &Row,
    at: *const u8,
    end: *const u8,
    limit: *const u8,
) -> Option<*const u8> {
    // SAFETY: `at` is before `end`, and the caller says that `end` is not behind `limit` and that the bytes up to
    // `limit` are readable. `load` reads bytes behind `limit` as zeros, and the last byte of a tag is not zero. So a
    // tag that fits is within the input.
    let follows = at.addr() < end.addr() && unsafe { load(at, limit) } as u32 & row.tag_mask == row.tag_word;
    follows.then(|| at.wrapping_add(usize::from(row.tag_len)))
}

impl<'t, 'i> Decoder<'t, 'i> {
    /// Counts consecutive values of `row`, which are length-delimited and complete. `at` is at the length of the first
    /// value.
    ///
    /// # Safety
    /// `at` and `end` are within the input.
    #[inline(never)]
    pub(super) unsafe fn count(&self, row: &Row, at: *const u8, end: *const u8) -> usize {
        let (mut at, mut count) = (at, 0);
        // SAFETY: the caller says that `at` and `end` are within the input, up to whose end all bytes are readable.
        // `length` returns only content up to `end`, and `after_tag` returns a cursor behind a tag that is within the
        // input.
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

    /// Reads consecutive strings into `list`, with `at` at the length of the first string. If `reused` is true, they
    /// replace the old elements. Returns the position of the end, and false if the slow path must read the value there.
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
        // SAFETY: `count` found as many values with their lengths between the cursor and the end, which are within the
        // input. So `known_length` finds a length while `index` is below `last`, and the `len` bytes from `start` on
        // are part of the input, which lives for `'i`.
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
            // This is the position behind the last string, or of the tag of a value that is not valid.
            (at.wrapping_sub(tag_len), index == last && count > 0)
        }
    }

    /// Adds consecutive strings to a list whose elements are set by functions, with `at` at the length of the first
    /// string. Returns the position of the end, and false if the slow path must read the value there.
    ///
    /// # Safety
    /// `at` and `end` are within the input. `row` is the row of a list of such strings, and `list` is the address of
    /// that list, to which nothing else refers.
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
        // SAFETY: `count` found as many values with their lengths between the cursor and the end, so that
        // `known_length` finds each, and its bytes are part of the input. `list` is the list of `row`, so that
        // `functions` fit. An element that is not null is a live value of the type that `text` is for, and `wants_utf8`
        // is true if this type is a string.
        unsafe {
            let count = self.count(row, at, end);
            // The type may reject values, even the first, so room is not made for all of them at once.
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

    /// Sets a string or byte string whose type is set by `functions`. Returns false if the type rejects the value.
    ///
    /// # Safety
    /// `at` is the address of a value of the type that `functions` are for. `wants_utf8` is true if the type is a
    /// string.
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
        // `wants_utf8` is true if it is a string. If so, `bytes` were just found to be UTF-8. They are part of the
        // input, which outlives types that borrow from it.
        unsafe { (functions.set)(at, Text { bytes, borrowed: true, input: self.shared }) }
    }

    /// Reads a packed run into a list of numbers, with `at` at the length of the run. Returns the end of the run, or
    /// null if the slow path must read it.
    ///
    /// # Safety
    /// `at` and `end` are within the input. `row` is the row of a list of numbers, and `slot` is the address of that
    /// list, to which nothing else refers.
    #[inline]
    pub(super) unsafe fn packed(&self, row: &Row, slot: *mut u8, at: *const u8, end: *const u8) -> *const u8 {
        // SAFETY: the caller says that `at` and `end` are within the input, and `length` gives only content up to the
        // end: so the `len` bytes from `start` on are readable. The list at `slot` is the list of `row`, so its numbers
        // have the form of the kind of `row`.
        unsafe {
            let Some((len, start)) = length(at, end, self.limit) else { return ptr::null() };
            let run = std::slice::from_raw_parts(start, len);
            if append(slot, form(row.kind), run) { start.add(len) } else { ptr::null() }
        }
    }

    /// Reads consecutive numbers, each with its own tag, into a list of numbers.
    ///
    /// # Safety
    /// `at` and `end` are within the input. `row` is the row of a list of numbers, and `slot` is the address of that
    /// list, to which nothing else refers.
    #[inline(never)]
    pub(super) unsafe fn unpacked(
        &self,
        row: &Row,
        slot: *mut u8,
        mut at: *const u8,
        end: *const u8,
    ) -> (*const u8, bool) {
        let form = form(row.kind);
        // SAFETY: the end is within the input, and the `len` bytes are found to be before it, with the cursor not
        // behind it, before they are read and before `at` moves over them. `long_varint` gets a cursor that is not
        // behind the end. The list at `slot` is the list of `row`, so its numbers have the form of the kind of `row`.
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

    /// Charges memory for as many of `count` elements as the budget allows, and returns their number. Returns `None` if
    /// the budget does not allow even one.
    #[inline]
    pub(super) fn take_elements(&mut self, table: &Table, count: usize) -> Option<usize> {
        // A frame counts elements in 32 bits.
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

/// Adds the numbers of a packed run to a list. Returns false if the run is malformed.
///
/// # Safety
/// `list` is the address of a list of numbers whose wire form is `form`.
#[inline(never)]
unsafe fn append(list: *mut u8, form: Form, run: &[u8]) -> bool {
    let narrow = |value| value as u32;
    let same = |value: u64| value;
    // SAFETY: the caller says that `list` is the address of a list of numbers whose wire form is `form`. So its
    // elements have four bytes, eight bytes or, if they are bools, one byte, depending on `form`. Each function is
    // called with a type of that size and alignment.
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
    // SAFETY: the caller says that `list` is the address of a list of numbers whose elements have the memory layout of
    // `T`, and that nothing else refers to it. So `first` is aligned and not null, and `len` initialized elements are
    // there.
    let elements = unsafe {
        let (first, len) = vec::elements(list);
        std::slice::from_raw_parts_mut(first.cast::<T>(), len)
    };
    elements[from..].iter_mut().for_each(|value| *value = of(*value));
    true
}

/// Adds bools of one byte each. Returns false if one has more bytes.
///
/// # Safety
/// `list` is the address of a list of bools, to which nothing else refers.
unsafe fn add_bools(list: *mut u8, run: &[u8]) -> bool {
    if !run.iter().all(|byte| *byte < 0x80) {
        return false;
    }
    // SAFETY: the caller says that `list` is the address of a list of bools, and `reserve` made room for `run.len()`
    // more of them from `room` on. Each write is within that room and of 0 or 1, and the new length covers only what
    // was written.
    unsafe {
        let (room, len) = vec::reserve(list, run.len(), true, 1, 1);
        for (index, &byte) in run.iter().enumerate() {
            room.add(index).write(u8::from(byte != 0));
        }
        vec::set_len(list, len + run.len());
    }
    true
}

/// Adds varints.
///
/// # Safety
/// `list` is the address of a list of numbers, to which nothing else refers. Its elements have the memory layout of
/// `T`.
#[inline(never)]
unsafe fn add<T>(list: *mut u8, run: &[u8], of: impl Fn(u64) -> T) -> bool {
    let count = count(run);
    // SAFETY: the caller says that `list` is the address of a list of numbers whose elements have the memory layout of
    // `T`, and `reserve` made room for `count` more of them from `room` on. At most `count` numbers are written there,
    // and they become part of the list only if all were written.
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

/// Adds numbers of `N` bytes.
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
    // SAFETY: the caller says that `list` is the address of a list of numbers whose elements have the memory layout of
    // `T`, with `N` bytes each, and `reserve` made room for as many of them as there are chunks. The chunks are part of
    // the input, which does not overlap that room; all bits are valid numbers, and the new length covers only what was
    // written.
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
