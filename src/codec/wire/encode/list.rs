//! Lists.

use super::output::{CHUNK, Output, TagBytes};
use super::plain::Plain;
use super::walk::{Type, Walk};
use crate::layout::Storage;
use crate::object::access;
use crate::table::{Action, Row, Step};
use crate::wire::{varint_len, zigzag32, zigzag64};
use std::slice::from_raw_parts;

impl<O: Output> Walk<O> {
    /// A list; nothing is written for an empty one.
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
        // SAFETY: see the module; the elements are contiguous.
        unsafe {
            // Other settings may have it written in other bytes.
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
            Some(match element.action {
                Action::Message => return self.messages(step, row, first, functions.stride, len, at),
                Action::String => {
                    self.texts(step, from_raw_parts(first.cast::<String>(), len), at, |text| text.as_bytes())
                }
                Action::Vec => {
                    self.texts(step, from_raw_parts(first.cast::<Vec<u8>>(), len), at, |text| text)
                }
                Action::Str => {
                    self.texts(step, from_raw_parts(first.cast::<&str>(), len), at, |text| text.as_bytes())
                }
                Action::Bytes => {
                    self.texts(step, from_raw_parts(first.cast::<bytes::Bytes>(), len), at, |text| text)
                }
                Action::Int32 => {
                    self.varints(step, from_raw_parts(first.cast::<i32>(), len), at, |v| i64::from(v) as u64)
                }
                Action::UInt32 => self.varints(step, from_raw_parts(first.cast::<u32>(), len), at, u64::from),
                Action::Int64 => self.varints(step, from_raw_parts(first.cast::<u64>(), len), at, |v| v),
                Action::SInt32 => self
                    .varints(step, from_raw_parts(first.cast::<i32>(), len), at, |v| u64::from(zigzag32(v))),
                Action::SInt64 => self.varints(step, from_raw_parts(first.cast::<i64>(), len), at, zigzag64),
                Action::Bool => self.fixed::<1>(step, first, len, at),
                Action::Fixed32 => self.fixed::<4>(step, first, len, at),
                Action::Fixed64 => self.fixed::<8>(step, first, len, at),
                _ => return self.others(element, row, first, functions.stride, len, at),
            })
        }
    }

    /// Messages: each is guessed to be about as long as the one before it.
    #[inline(never)]
    unsafe fn messages(
        &mut self,
        step: &Step,
        row: &Row,
        first: *const u8,
        stride: usize,
        len: usize,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let ty = self.message_type(row)?;
        // SAFETY: see the module; the index is below the number of elements.
        let messages = (0..len).map(move |index| unsafe { first.add(index * stride) });
        // SAFETY: see the module.
        unsafe { O::messages(self, step, ty, messages, at) }
    }

    /// The same of records, of groups, and of types without straight-line code.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) unsafe fn messages_by_walk(
        &mut self,
        step: &Step,
        ty: Type<'_>,
        messages: impl Iterator<Item = *const u8>,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let (record, mut at, mut width) = (self.record(step, ty), at, 1);
        for (index, message) in messages.enumerate() {
            // SAFETY: see the module.
            unsafe {
                if let Some(numbers) = record.and_then(|record| record.numbers(message)) {
                    at = self.out.record(at, step.tag_bytes(), numbers);
                    continue;
                }
                match self.delimited(step, ty, message, at, width) {
                    Some((next, took)) => (at, width) = (next, took.min(2)),
                    None => return self.locate(|error| error.in_index(index)),
                }
            }
        }
        Some(at)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn texts<T>(
        &mut self,
        step: &Step,
        texts: &[T],
        at: O::Cursor,
        bytes: impl Fn(&T) -> &[u8],
    ) -> O::Cursor {
        // SAFETY: see the module.
        texts.iter().fold(at, |at, text| unsafe { self.out.slice(at, step.tag_bytes(), bytes(text)) })
    }

    /// Numbers that are varints, packed or not.
    #[cfg_attr(not(debug_assertions), inline(always))]
    unsafe fn varints<T: Copy>(
        &mut self,
        step: &Step,
        values: &[T],
        at: O::Cursor,
        to: impl Fn(T) -> u64 + Copy,
    ) -> O::Cursor {
        // SAFETY: see the module.
        unsafe {
            if !step.packed {
                let tag = step.tag_bytes();
                return values.iter().fold(at, |at, value| self.out.varint(at, tag, to(*value)));
            }
            if values.len() <= CHUNK {
                let len = values.iter().map(|value| varint_len(to(*value))).sum();
                let at = self.out.varint(at, step.tag_bytes(), len as u64);
                return self.out.varints(at, len, values.iter().map(|value| to(*value)));
            }
            // How many bytes the length takes is guessed from the first ones.
            let some = &values[..values.len().min(8)];
            let sum: usize = some.iter().map(|value| varint_len(to(*value))).sum();
            let width = varint_len((sum * (values.len() / some.len())) as u64).min(3);
            let (mut at, region) = self.out.open(at, step.tag_bytes(), width);
            for chunk in values.chunks(CHUNK) {
                at = self.out.varints(at, 10 * CHUNK, chunk.iter().map(|value| to(*value)));
            }
            self.out.close(at, region).0
        }
    }

    /// Values that all take `N` bytes, packed or not.
    unsafe fn fixed<const N: usize>(
        &mut self,
        step: &Step,
        first: *const u8,
        len: usize,
        at: O::Cursor,
    ) -> O::Cursor {
        let tag = step.tag_bytes();
        // SAFETY: see the module; a list is shorter than the address space.
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

    /// Elements of other types.
    #[inline(never)]
    unsafe fn others(
        &mut self,
        element: &Step,
        row: &Row,
        first: *const u8,
        stride: usize,
        len: usize,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        let mut at = at;
        // SAFETY: see the module; the list has that many elements.
        unsafe {
            if element.packed {
                return self.packed(element, row, first, stride, len, at);
            }
            for index in 0..len {
                at = match self.value(element, row, first.add(index * stride), at) {
                    Some(at) => at,
                    None => return self.locate(|error| error.in_index(index)),
                };
            }
        }
        Some(at)
    }

    /// Enums of Rust, and numbers in boxes.
    unsafe fn packed(
        &mut self,
        element: &Step,
        row: &Row,
        first: *const u8,
        stride: usize,
        len: usize,
        at: O::Cursor,
    ) -> Option<O::Cursor> {
        // SAFETY: see the module; the list has that many elements.
        unsafe {
            let (mut at, region) = self.out.open(at, element.tag_bytes(), 1);
            for index in 0..len {
                let bits = access::scalar(element.storage, first.add(index * stride));
                let Some(bits) = bits else { return self.mismatch() };
                // There is no tag.
                at = self.plain(TagBytes { word: 0, len: 0 }, Plain::of_bits(row.kind, bits), at);
            }
            Some(self.out.close(at, region).0)
        }
    }
}
