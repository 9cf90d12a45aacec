//! Flat messages: of numbers and texts only. They are read in one pass over their rows, without a frame.

use super::reset;
use super::value::{known_length, length, load, long_varint, put_text};
use crate::layout::UnknownFields;
use crate::table::{Flat, Form, Op, Row, Table};
use crate::wire::{HIGH, gather, unzigzag32, unzigzag64, utf8};
use std::{ptr, slice};

/// Flat messages of a list that follow each other.
pub(super) struct FlatList<'t> {
    pub(super) row: &'t Row,
    pub(super) table: &'t Table,
    /// The first one.
    pub(super) base: *mut u8,
    pub(super) count: usize,
    /// How many of them hold old values, to be replaced.
    pub(super) reused: usize,
}

/// Reads a flat message of numbers of four bytes, if it has exactly its fields, in order.
///
/// # Safety
/// As for `Decoder::run`; `len` bytes are readable.
#[inline(always)]
pub(super) unsafe fn fixed_flat(table: &Table, base: *mut u8, mut at: *const u8, len: usize) -> bool {
    let Some(Flat { fixed32: Some(all) }) = table.flat else { return false };
    if len != all.get() as usize {
        return false;
    }
    for row in &table.rows {
        // SAFETY: as above: all fields take that many bytes.
        unsafe {
            if *at != row.tag_word as u8 {
                return false;
            }
            let value = u32::from_le(at.add(1).cast::<u32>().read_unaligned());
            base.add(row.offset as usize).cast::<u32>().write(value);
            at = at.add(1 + size_of::<u32>());
        }
    }
    true
}

/// Reads a flat message as [`flat`], one of numbers of four bytes in less time.
///
/// # Safety
/// As for [`flat`].
#[inline]
pub(super) unsafe fn quick_flat(
    table: &Table,
    base: *mut u8,
    at: *const u8,
    end: *const u8,
    limit: *const u8,
    replaced: bool,
) -> *const u8 {
    // SAFETY: as above.
    unsafe {
        if fixed_flat(table, base, at, end.addr() - at.addr()) {
            if replaced {
                clear_unknown(table, base);
            }
            return end;
        }
        flat(table, base, at, end, limit, replaced)
    }
}

/// Reads the fields of a flat message that come in order, any of which may be missing. Returns where they end: like any
/// other message it is read from there on. If it is `replaced`, what was not read is empty then. Where a value is malformed
/// it returns null: the message is emptied, and read from its beginning.
///
/// # Safety
/// As for `Decoder::run`; the table is one of a flat type, and the input ends at the limit.
#[inline(never)]
pub(super) unsafe fn flat(
    table: &Table,
    base: *mut u8,
    mut at: *const u8,
    end: *const u8,
    limit: *const u8,
    replaced: bool,
) -> *const u8 {
    // SAFETY: see the module.
    unsafe {
        if replaced {
            clear_unknown(table, base);
        }
        for row in &table.rows {
            let slot = base.add(row.offset as usize);
            let word = if at.addr() < end.addr() { load(at, limit) } else { 0 };
            if word as u8 != row.tag_word as u8 {
                if replaced {
                    reset::clear_plain(row.op, slot);
                }
                continue;
            }
            at = at.add(1);
            at = match row.form {
                Form::Varint => {
                    // Up to seven bytes are in the word.
                    let (word, ends) = (word >> 8, !(word >> 8) & (HIGH >> 8));
                    let (value, after) = match ends {
                        0 => long_varint(at, limit),
                        ends if word & 0x80 != 0 => {
                            let (value, len) = gather(word, ends);
                            (value, at.wrapping_add(len))
                        }
                        _ => (word & 0x7f, at.wrapping_add(1)),
                    };
                    if after.is_null() {
                        return after;
                    }
                    put_varint(row.op, slot, value);
                    after
                }
                Form::Bytes | Form::Text => {
                    let Some((len, start)) = length(at, end, limit) else { return ptr::null() };
                    let bytes = slice::from_raw_parts(start, len);
                    if row.op.is_string() && utf8(bytes).is_err() {
                        return ptr::null();
                    }
                    put_text(row.op, slot, bytes);
                    start.add(len)
                }
                Form::Eight => {
                    put_eight(row.op, slot, load(at, limit));
                    at.wrapping_add(8)
                }
                Form::Four => {
                    put_four(row.op, slot, (word >> 8) as u32);
                    at.wrapping_add(4)
                }
                // No plain operation reads any other.
                _ => return ptr::null(),
            };
        }
    }
    if at.addr() <= end.addr() { at } else { ptr::null() }
}

/// Clears the unknown fields of a message.
///
/// # Safety
/// As for [`flat`].
#[inline]
unsafe fn clear_unknown(table: &Table, base: *mut u8) {
    if let Some(offset) = table.unknown {
        // SAFETY: as above.
        unsafe { (*base.add(offset as usize).cast::<UnknownFields>()).clear() };
    }
}

/// Stores a number of four bytes.
///
/// # Safety
/// A value of the operation is at the address; so below.
#[inline]
unsafe fn put_four(op: Op, slot: *mut u8, value: u32) {
    // SAFETY: as above.
    unsafe {
        match op {
            Op::OptionF32 => slot.cast::<Option<f32>>().write(Some(f32::from_bits(value))),
            Op::OptionFixedU32 => slot.cast::<Option<u32>>().write(Some(value)),
            Op::OptionFixedI32 => slot.cast::<Option<i32>>().write(Some(value as i32)),
            _ => slot.cast::<u32>().write(value),
        }
    }
}

/// The same of eight bytes.
#[inline]
unsafe fn put_eight(op: Op, slot: *mut u8, value: u64) {
    // SAFETY: as above.
    unsafe {
        match op {
            Op::OptionF64 => slot.cast::<Option<f64>>().write(Some(f64::from_bits(value))),
            Op::OptionFixedU64 => slot.cast::<Option<u64>>().write(Some(value)),
            Op::OptionFixedI64 => slot.cast::<Option<i64>>().write(Some(value as i64)),
            _ => slot.cast::<u64>().write(value),
        }
    }
}

/// The same of a varint.
#[inline]
unsafe fn put_varint(op: Op, slot: *mut u8, value: u64) {
    // SAFETY: as above.
    unsafe {
        match op {
            Op::Int64 => slot.cast::<u64>().write(value),
            Op::SInt32 => slot.cast::<i32>().write(unzigzag32(value as u32)),
            Op::SInt64 => slot.cast::<i64>().write(unzigzag64(value)),
            Op::Bool => slot.cast::<bool>().write(value != 0),
            Op::OptionI32 => slot.cast::<Option<i32>>().write(Some(value as i32)),
            Op::OptionU32 => slot.cast::<Option<u32>>().write(Some(value as u32)),
            Op::OptionI64 => slot.cast::<Option<i64>>().write(Some(value as i64)),
            Op::OptionU64 => slot.cast::<Option<u64>>().write(Some(value)),
            Op::OptionSInt32 => slot.cast::<Option<i32>>().write(Some(unzigzag32(value as u32))),
            Op::OptionSInt64 => slot.cast::<Option<i64>>().write(Some(unzigzag64(value))),
            Op::OptionBool => slot.cast::<Option<bool>>().write(Some(value != 0)),
            _ => slot.cast::<u32>().write(value as u32),
        }
    }
}

/// Reads the flat messages of a list from the length of the first on. Returns how many were read, and where the last
/// one ended. If the next one must be read like any other message, its length is at that position.
///
/// # Safety
/// As for [`flat`]; that many length-delimited values follow each other.
#[inline(never)]
pub(super) unsafe fn flat_list(
    list: &FlatList<'_>,
    mut at: *const u8,
    limit: *const u8,
) -> (usize, *const u8) {
    let (table, mut base) = (list.table, list.base);
    // SAFETY: as above.
    unsafe {
        let stride = reset::list(list.row).stride;
        let mut index = 0;
        loop {
            let (len, start) = known_length(at, limit);
            let replaced = index < list.reused;
            let end = start.add(len);
            let after = quick_flat(table, base, start, end, limit, replaced);
            if after != end {
                return (index, at);
            }
            index += 1;
            if index == list.count {
                return (index, after);
            }
            base = base.add(stride);
            at = after.add(usize::from(list.row.tag_len));
        }
    }
}
