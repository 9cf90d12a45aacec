//! Writes lists.

use super::Walk;
use super::fields::Plain;
use super::output::{CHUNK, Output, TagBytes};
use crate::layout::Storage;
use crate::object::access;
use crate::table::{Op, Row, Step};
use crate::wire::{varint_len, zigzag32, zigzag64};
use std::slice::from_raw_parts;

/// Up to this many varints take less than 0x80 bytes, so one byte is enough for their length. The length is written
/// after the varints, without counting their bytes first.
const FEW: usize = 12;

/// The elements of a list that is not empty.
#[derive(Clone, Copy)]
struct Elements {
    first: *const u8,
    stride: usize,
    len: usize,
}

impl Elements {
    /// # Safety
    /// While the addresses are used, `len` elements follow each other from `first` on, `stride` bytes apart.
    unsafe fn addresses(self) -> impl Iterator<Item = *const u8> {
        // SAFETY: the caller says that `len` elements follow each other from `first` on, and `index` is below `len`. So
        // the address is within the list.
        (0..self.len).map(move |index| unsafe { self.first.add(index * self.stride) })
    }
}

impl<O: Output> Walk<O> {
    /// Writes a list, or nothing if it is empty.
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
        // SAFETY: `list` is the address of a live list with the storage of `step`, so that the functions fit, and it is
        // borrowed while it is encoded. They give the address of the first of `len` elements, which follow each other
        // `stride` bytes apart and have the storage of the step `element`; `at` is the cursor that the last call of the
        // output returned.
        unsafe {
            // With other settings the message may be written as other bytes.
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

    /// Writes messages. The guess is that the length of each message takes as many bytes as the length of the message
    /// before.
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
        // SAFETY: `list` is the address of a live list with the storage of `step`, so that the functions fit. The index
        // is below `len`, so the address is the address of an element, a message of the table of `row`; `at` is the
        // cursor that the last call of the output returned.
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

    /// Writes strings and byte strings.
    unsafe fn texts(&mut self, step: &Step, element: &Step, elements: Elements, at: O::Cursor) -> O::Cursor {
        // SAFETY: `elements` are those of a live list that is borrowed while it is encoded. Each is read by the storage
        // of the step `element`, which it has; `at` is the cursor that the last call of the output returned.
        unsafe {
            elements.addresses().fold(at, |at, address| match Plain::at(element, address) {
                Some(Plain::Text(text)) => self.out.slice(at, step.tag_bytes(), text),
                _ => at,
            })
        }
    }

    /// Writes `len` packed numbers that are varints, from the address `first` on.
    #[inline]
    unsafe fn varints(
        &mut self,
        step: &Step,
        of: &Varints<O>,
        first: *const u8,
        len: usize,
        at: O::Cursor,
    ) -> O::Cursor {
        // SAFETY: `first` is the address of `len` numbers of a live list that is borrowed while it is encoded, of the
        // type for which `of` is compiled: there are more than eight where eight are counted, and each chunk ends
        // within the list. A varint takes ten bytes at most, so that no call of `put` writes more than it says; `at` is
        // the cursor that the last call of the output returned.
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
            // The first values are used to guess how many bytes the length takes.
            let width = varint_len(((of.bytes)(first, 8) * (len / 8)) as u64).min(3);
            let (mut at, region) = self.out.open(at, step.tag_bytes(), width);
            for index in (0..len).step_by(CHUNK) {
                let chunk = first.add(index * of.stride);
                at = (of.put)(&mut self.out, chunk, CHUNK.min(len - index), 10 * CHUNK, at);
            }
            self.out.close(at, region).0
        }
    }

    /// Writes `len` values of `N` bytes each, packed or not.
    unsafe fn fixed<const N: usize>(
        &mut self,
        step: &Step,
        first: *const u8,
        len: usize,
        at: O::Cursor,
    ) -> O::Cursor {
        let tag = step.tag_bytes();
        // SAFETY: `first` is the address of `len` values of a live list that is borrowed while it is encoded, each of
        // `N` bytes without padding. So they are initialized, bytes need no alignment, and they take no more than
        // `isize::MAX` bytes, as all lists; `at` is the cursor that the last call of the output returned.
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

    /// Writes elements of other types.
    #[inline(never)]
    unsafe fn others(
        &mut self,
        element: &Step,
        row: &Row,
        elements: Elements,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let mut at = at;
        // SAFETY: the elements are those of a live list that is borrowed while it is encoded, and each has the storage
        // of the step `element`, by which `value` and `packed` read it; `at` is the cursor that the last call of the
        // output returned.
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

    /// Writes packed elements of unusual types: Rust enums, and numbers in boxes.
    unsafe fn packed(
        &mut self,
        element: &Step,
        row: &Row,
        elements: Elements,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: the elements are those of a live list that is borrowed while it is encoded, and each has the storage
        // of the step `element`, by which it is read. Nothing is opened before the region is closed, and `at` is the
        // cursor that the last call of the output returned.
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

/// The functions that are compiled for each type of numbers that are written as varints. Both take the address of the
/// first number and the count.
struct Varints<O: Output> {
    /// The number of bytes from one number to the next.
    stride: usize,
    /// Counts the bytes of the varints.
    bytes: unsafe fn(*const u8, usize) -> usize,
    /// Writes the varints, which take at most the number of bytes that is passed third.
    put: unsafe fn(&mut O, *const u8, usize, usize, O::Cursor) -> O::Cursor,
}

impl<O: Output> Varints<O> {
    /// Returns the functions for the operation `action`. Returns `None` if it does not write varints.
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
            // SAFETY: the caller passes the address of `len` numbers of a live list of the type `N`, and they are
            // counted before it returns.
            bytes: |first, len| unsafe { numbers::<N>(first, len).map(varint_len).sum() },
            // SAFETY: the caller passes the address of `len` numbers of a live list of the type `N`, which take at most
            // so many bytes, and the cursor that the last call of the output gave.
            put: |out, first, len, bytes, at| unsafe { out.varints(at, bytes, numbers::<N>(first, len)) },
        }
    }
}

/// Returns the varints of `len` numbers from the address `first` on.
///
/// # Safety
/// The numbers are elements of a list of the type `N`, which is borrowed for `'a`.
#[inline]
unsafe fn numbers<'a, N: Number>(first: *const u8, len: usize) -> impl Iterator<Item = u64> + use<'a, N> {
    // SAFETY: the caller says that `len` numbers of the type `N`, elements of a live list, are at `first`. So `first`
    // is aligned and not null, and the numbers are initialized. Callers use up the iterator while the list is borrowed.
    let numbers: &'a [N] = unsafe { from_raw_parts(first.cast::<N>(), len) };
    numbers.iter().map(|number| number.varint())
}

/// A type of numbers that are written as varints.
trait Number: Copy + 'static {
    /// Returns the varint of the number.
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
