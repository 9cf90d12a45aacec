//! Writes lists. The `step` of a list describes how to write the field; the step `element` describes how to write one element.

use super::Walk;
use super::fields::Plain;
use super::output::{CHUNK, Output, TagBytes};
use crate::layout::Storage;
use crate::object::access;
use crate::table::{Op, Row, Step};
use crate::wire::{varint_len, zigzag32, zigzag64};
use std::slice::from_raw_parts;

/// The largest number of varints for which the encoder reserves one byte for their length, without counting their bytes first.
/// They take less than 0x80 bytes.
const FEW: usize = 12;

/// The elements of a list that is not empty: the address of the first one, the number of bytes from one element to the next,
/// and the number of elements.
#[derive(Clone, Copy)]
struct Elements {
    first: *const u8,
    stride: usize,
    len: usize,
}

impl Elements {
    /// # Safety
    /// `len` elements follow each other from `first` on, `stride` bytes apart, while the addresses are used.
    unsafe fn addresses(self) -> impl Iterator<Item = *const u8> {
        // SAFETY: the caller says that `len` elements follow each other from `first` on, and `index` is below `len`. So the
        // address is within the list.
        (0..self.len).map(move |index| unsafe { self.first.add(index * self.stride) })
    }
}

impl<O: Output> Walk<O> {
    #[inline(never)]
    pub(super) unsafe fn list(
        &mut self,
        step: &Step,
        element: &Step,
        row: &Row,
        list: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let Storage::List(functions) = step.storage else { return self.mismatch() };
        // SAFETY: `list` is the address of a live list with the storage of `step`, so `functions` are the functions of its
        // type. The list stays borrowed during the call. `elements` returns the address of the first of `len` elements, which
        // follow each other `stride` bytes apart and have the storage of the step `element`. `at` is the last cursor of the
        // output.
        unsafe {
            // Deterministic output does not use the bytes that were read, because map entries may have another order there.
            if let Some(lazy) = functions.lazy
                && !self.settings.deterministic
                && let Some((records, levels)) = (lazy.functions.raw)(list)
                && levels <= self.depth
            {
                return Some(self.out.raw(at, &*records));
            }
            let (first, len) = functions.elements(list);
            if len == 0 {
                return Some(at);
            }
            if step.packed
                && let Some(of) = Varints::of(element.op)
            {
                return Some(self.varints(step, &of, first, len, at));
            }
            let elements = Elements { first, stride: functions.stride, len };
            Some(match element.op {
                Op::Message => return self.messages(step, row, list, at),
                Op::String | Op::Vec | Op::Str | Op::Slice | Op::Text => {
                    self.texts(step, element, elements, at)
                }
                Op::Bool => self.fixed::<1>(step, first, len, at),
                Op::Fixed32 => self.fixed::<4>(step, first, len, at),
                Op::Fixed64 => self.fixed::<8>(step, first, len, at),
                _ => return self.others(element, row, elements, at),
            })
        }
    }

    /// Writes a list of messages. For each length prefix, first reserves as many bytes as the previous length prefix took, but
    /// at most two.
    #[inline(never)]
    pub(super) unsafe fn messages(
        &mut self,
        step: &Step,
        row: &Row,
        list: *const u8,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let Storage::List(functions) = step.storage else { return self.mismatch() };
        let table = self.table_of(row)?;
        // SAFETY: `list` is the address of a live list with the storage of `step`, so `functions` are the functions of its
        // type. The index is below `len`, so the address is that of an element, which is a message of the table of `row`. `at`
        // is the last cursor of the output.
        unsafe {
            let (first, len) = functions.elements(list);
            let (mut at, mut width) = (at, 1);
            for index in 0..len {
                match self.delimited(step, table, first.add(index * functions.stride), at, width) {
                    Some((next, took)) => (at, width) = (next, took.min(2)),
                    None => return self.locate(|error| error.in_index(index)),
                }
            }
            Some(at)
        }
    }

    unsafe fn texts(&mut self, step: &Step, element: &Step, elements: Elements, at: O::Cursor) -> O::Cursor {
        // SAFETY: `elements` belong to a live list, which stays borrowed during the call. Each element has the storage of the
        // step `element`, with which it is read. `at` is the last cursor of the output.
        unsafe {
            elements.addresses().fold(at, |at, address| match Plain::at(element, address) {
                Some(Plain::Text(text)) => self.out.slice(at, step.tag_bytes(), text),
                _ => at,
            })
        }
    }

    /// Writes a packed list of `len` numbers whose wire form is a varint. `first` is the address of the first number.
    #[inline]
    unsafe fn varints(
        &mut self,
        step: &Step,
        of: &Varints<O>,
        first: *const u8,
        len: usize,
        at: O::Cursor,
    ) -> O::Cursor {
        // SAFETY: `first` is the address of `len` numbers of a live list, which stays borrowed during the call, and `of` is
        // compiled for their type. The bytes of the first eight numbers are counted only if the list has more than eight. Each
        // chunk ends within the list. A varint takes at most ten bytes, so no call of `put` writes more bytes than its argument
        // says. `at` is the last cursor of the output.
        unsafe {
            if len <= FEW {
                let (at, region) = self.out.open(at, step.tag_bytes(), 1);
                let at = (of.put)(&mut self.out, first, len, 10 * FEW, at);
                return self.out.close(at, region).0;
            }
            if len <= CHUNK {
                let bytes = (of.bytes)(first, len);
                let at = self.out.short_len(at, step.tag_bytes(), bytes);
                return (of.put)(&mut self.out, first, len, bytes, at);
            }
            // The length of the first eight values is used to estimate the length of the length prefix.
            let width = varint_len(((of.bytes)(first, 8) * (len / 8)) as u64).min(3);
            let (mut at, region) = self.out.open(at, step.tag_bytes(), width);
            for index in (0..len).step_by(CHUNK) {
                let chunk = first.add(index * of.stride);
                at = (of.put)(&mut self.out, chunk, CHUNK.min(len - index), 10 * CHUNK, at);
            }
            self.out.close(at, region).0
        }
    }

    /// Writes a list of `len` values of `N` bytes each, packed or not.
    unsafe fn fixed<const N: usize>(
        &mut self,
        step: &Step,
        first: *const u8,
        len: usize,
        at: O::Cursor,
    ) -> O::Cursor {
        let tag = step.tag_bytes();
        // SAFETY: `first` is the address of `len` values of a live list, which stays borrowed during the call. Each value has
        // `N` bytes without padding, so all bytes are initialized. Bytes do not require alignment, and the list takes at most
        // `isize::MAX` bytes, like every list. `at` is the last cursor of the output.
        unsafe {
            let values = from_raw_parts(first.cast::<[u8; N]>(), len);
            if step.packed && (cfg!(target_endian = "little") || N == 1) {
                return self.out.slice(at, tag, values.as_flattened());
            }
            let wire = |mut value: [u8; N]| {
                if cfg!(target_endian = "big") {
                    value.reverse();
                }
                value
            };
            if step.packed {
                let swapped: Vec<[u8; N]> = values.iter().map(|value| wire(*value)).collect();
                return self.out.slice(at, tag, swapped.as_flattened());
            }
            values.iter().fold(at, |at, value| self.out.fixed(at, tag, wire(*value)))
        }
    }

    /// Writes elements for which no faster function exists, one by one.
    #[inline(never)]
    unsafe fn others(
        &mut self,
        element: &Step,
        row: &Row,
        elements: Elements,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let mut at = at;
        // SAFETY: `elements` belong to a live list, which stays borrowed during the call. Each element has the storage of the
        // step `element`, with which `value` and `packed` read it. `at` is the last cursor of the output.
        unsafe {
            if element.packed {
                return self.packed(element, row, elements, at);
            }
            for (index, address) in elements.addresses().enumerate() {
                at = match self.value(element, row, address, at) {
                    Some(at) => at,
                    None => return self.locate(|error| error.in_index(index)),
                };
            }
        }
        Some(at)
    }

    /// Writes packed elements of unusual types, such as Rust enums, or numbers in boxes.
    unsafe fn packed(
        &mut self,
        element: &Step,
        row: &Row,
        elements: Elements,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: `elements` belong to a live list, which stays borrowed during the call. Each element has the storage of the
        // step `element`, with which it is read. No other region is opened before this region is closed. `at` is the last
        // cursor of the output.
        unsafe {
            let (mut at, region) = self.out.open(at, element.tag_bytes(), 1);
            for address in elements.addresses() {
                let bits = access::scalar(element.storage, address);
                let Some(bits) = bits else { return self.mismatch() };
                // The elements of a packed run have no tags.
                at = self.plain(TagBytes { word: 0, len: 0 }, Plain::of_bits(row.kind, bits), at);
            }
            Some(self.out.close(at, region).0)
        }
    }
}

/// The functions for a type of numbers whose wire form is a varint. They are compiled for each such type. Both functions take
/// the address of the first number, and the number of numbers.
struct Varints<O: Output> {
    /// The number of bytes from one number to the next.
    stride: usize,
    bytes: unsafe fn(*const u8, usize) -> usize,
    /// Writes the varints. The third argument is the largest number of bytes that the varints may take.
    put: unsafe fn(&mut O, *const u8, usize, usize, O::Cursor) -> O::Cursor,
}

impl<O: Output> Varints<O> {
    /// Returns the functions for the operation `action`, or `None` if its values are not varints, or are bools, which take one
    /// byte each.
    #[inline]
    fn of(action: Op) -> Option<Self> {
        Some(match action {
            Op::Int32 => Self::of_type::<Int32>(),
            Op::UInt32 => Self::of_type::<u32>(),
            Op::Int64 => Self::of_type::<u64>(),
            Op::SInt32 => Self::of_type::<SInt32>(),
            Op::SInt64 => Self::of_type::<SInt64>(),
            _ => return None,
        })
    }

    #[inline]
    fn of_type<N: Number>() -> Self {
        Varints {
            stride: size_of::<N>(),
            // SAFETY: the caller passes the address of `len` numbers of a live list of the type `N`. The function counts their
            // bytes before it returns.
            bytes: |first, len| unsafe { numbers::<N>(first, len).map(varint_len).sum() },
            // SAFETY: the caller passes the address of `len` numbers of a live list of the type `N`, the largest number of
            // bytes that they may take, and the last cursor of the output.
            put: |out, first, len, bytes, at| unsafe { out.varints(at, bytes, numbers::<N>(first, len)) },
        }
    }
}

/// Returns an iterator over the varints of `len` numbers. `first` is the address of the first number.
///
/// # Safety
/// The numbers are elements of a list of the type `N`, which is borrowed for `'a`.
#[inline]
unsafe fn numbers<'a, N: Number>(first: *const u8, len: usize) -> impl Iterator<Item = u64> + use<'a, N> {
    // SAFETY: the caller says that `len` numbers of the type `N`, which are elements of a live list, are at `first`. So `first`
    // is aligned and not null, and the numbers are initialized. The list is borrowed for `'a`, and the iterator does not live
    // longer.
    let numbers: &'a [N] = unsafe { from_raw_parts(first.cast::<N>(), len) };
    numbers.iter().map(|number| number.varint())
}

/// A type of numbers whose wire form is a varint.
trait Number: Copy + 'static {
    /// Returns the value of the number's varint.
    fn varint(self) -> u64;
}

#[repr(transparent)]
#[derive(Clone, Copy)]
struct Int32(i32);

#[repr(transparent)]
#[derive(Clone, Copy)]
struct SInt32(i32);

#[repr(transparent)]
#[derive(Clone, Copy)]
struct SInt64(i64);

impl Number for Int32 {
    #[inline]
    fn varint(self) -> u64 {
        i64::from(self.0) as u64
    }
}

impl Number for SInt32 {
    #[inline]
    fn varint(self) -> u64 {
        u64::from(zigzag32(self.0))
    }
}

impl Number for SInt64 {
    #[inline]
    fn varint(self) -> u64 {
        zigzag64(self.0)
    }
}

impl Number for u32 {
    #[inline]
    fn varint(self) -> u64 {
        u64::from(self)
    }
}

impl Number for u64 {
    #[inline]
    fn varint(self) -> u64 {
        self
    }
}
