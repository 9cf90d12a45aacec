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
/// The table is that of the struct at the address, and nothing else refers to that; `len` bytes are readable from the
/// cursor on.
#[inline]
pub(super) unsafe fn fixed_flat(table: &Table, base: *mut u8, mut at: *const u8, len: usize) -> bool {
    let Some(Flat { fixed32: Some(all) }) = table.flat else { return false };
    if len != all.get() as usize {
        return false;
    }
    for row in &table.rows {
        // SAFETY: the caller says that `len` bytes are readable, and that is five bytes for each row: so the tag and
        // the number of every row are among them. The offset of the row is that of a number of four bytes in the
        // struct, which is aligned, to which nothing else refers, and for which all bits are valid.
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
/// The table is one of a flat type and that of the struct at the address, and nothing else refers to that. The cursor
/// is not behind the end, and both are within the input, which ends at the limit.
#[inline]
pub(super) unsafe fn quick_flat(
    table: &Table,
    base: *mut u8,
    at: *const u8,
    end: *const u8,
    limit: *const u8,
    replaced: bool,
) -> *const u8 {
    // SAFETY: the caller says that the table is that of the struct at the address, to which nothing else refers, and
    // that the bytes from the cursor to the end are part of the input. So `end - at` bytes are readable for
    // `fixed_flat`, and `flat` gets what this function got.
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
/// The table is one of a flat type and that of the struct at the address, and nothing else refers to that. The cursor
/// is not behind the end, and both are within the input, which ends at the limit.
#[inline(never)]
pub(super) unsafe fn flat(
    table: &Table,
    base: *mut u8,
    mut at: *const u8,
    end: *const u8,
    limit: *const u8,
    replaced: bool,
) -> *const u8 {
    // SAFETY: the table is that of the struct at the address, to which nothing else refers: so at the offset of each
    // row there is a value of the row's operation. A tag is looked for only before the end, and one that fits is that
    // byte, so that the cursor is at most at the limit where a value is read. Where a value leaves it behind the end,
    // no more is loaded; `length` gives only content up to the end, and text is checked to be UTF-8.
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
/// The table is that of the struct at the address, and nothing else refers to that.
#[inline]
unsafe fn clear_unknown(table: &Table, base: *mut u8) {
    if let Some(offset) = table.unknown {
        // SAFETY: the table says that the struct at the address has its unknown fields at this offset, and the caller
        // says that nothing else refers to the struct.
        unsafe { (*base.add(offset as usize).cast::<UnknownFields>()).clear() };
    }
}

/// Stores a number of four bytes.
///
/// # Safety
/// A value of the operation is at the address.
#[inline]
unsafe fn put_four(op: Op, slot: *mut u8, value: u32) {
    // SAFETY: the caller says that a live value of the operation is at the address. Each write is of the type that the
    // operation names, or of one of the same layout, so that it is aligned and within the member; what it replaces
    // needs no drop.
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
///
/// # Safety
/// A value of the operation is at the address.
#[inline]
unsafe fn put_eight(op: Op, slot: *mut u8, value: u64) {
    // SAFETY: the caller says that a live value of the operation is at the address. Each write is of the type that the
    // operation names, or of one of the same layout, so that it is aligned and within the member; what it replaces
    // needs no drop.
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
///
/// # Safety
/// A value of the operation is at the address.
#[inline]
unsafe fn put_varint(op: Op, slot: *mut u8, value: u64) {
    // SAFETY: the caller says that a live value of the operation is at the address. Each write is of the type that the
    // operation names, or of one of the same layout, so that it is aligned and within the member; what it replaces
    // needs no drop.
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
/// So many structs of the table, which is one of a flat type, follow each other from the base on as elements of the
/// list of the row, and nothing else refers to them. From the cursor on there are as many length-delimited values, with
/// the tag of the row before each but the first, within the input, which ends at the limit.
#[inline(never)]
pub(super) unsafe fn flat_list(
    list: &FlatList<'_>,
    mut at: *const u8,
    limit: *const u8,
) -> (usize, *const u8) {
    let (table, mut base) = (list.table, list.base);
    // SAFETY: the caller says that `count` structs of the table are there from the base on, and as many values with
    // their lengths from the cursor on. The base and the cursor move on only while `index` is below `count`, so that
    // each element is one of the list, and each content is within the input.
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
