//! Records: messages of a few numbers without presence, which are read in one go, without a separate frame.

use super::list::known_length;
use super::value::{load, varint};
use super::{Decoder, reset};
use crate::layout::UnknownFields;
use crate::table::{Op, Record, Row, Table};
use crate::wire::{unzigzag32, unzigzag64};
use std::ptr;

/// Records of a list that follow each other.
pub(super) struct Records<'t> {
    pub(super) row: &'t Row,
    pub(super) table: &'t Table,
    /// The first one.
    pub(super) base: *mut u8,
    pub(super) count: usize,
    /// How many of them hold old values, to be replaced.
    pub(super) reused: usize,
}

/// Reads a record of numbers of four bytes, if it has exactly its fields, in order.
///
/// # Safety
/// As for [`Decoder::run`]; `len` bytes are readable.
#[inline(always)]
pub(super) unsafe fn fixed_record(table: &Table, base: *mut u8, mut at: *const u8, len: usize) -> bool {
    let Some(Record { fixed32: Some(all) }) = table.record else { return false };
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

impl Decoder<'_, '_> {
    /// Reads a record if it has only its fields, in order. Returns where it ends; null if it must be read like any
    /// other message. If it is `replaced`, absent fields become zero.
    ///
    /// # Safety
    /// As for [`run`](Self::run); the table is one of a record.
    #[inline]
    pub(super) unsafe fn record(
        &self,
        table: &Table,
        base: *mut u8,
        at: *const u8,
        end: *const u8,
        replaced: bool,
    ) -> *const u8 {
        // SAFETY: see the module.
        unsafe {
            if replaced && let Some(offset) = table.unknown {
                (*base.add(offset as usize).cast::<UnknownFields>()).clear();
            }
            if fixed_record(table, base, at, end.addr() - at.addr()) {
                return end;
            }
            self.mixed_record(table, base, at, end, replaced)
        }
    }

    /// The same of numbers of any kind, any of which may be missing.
    ///
    /// # Safety
    /// As for [`record`](Self::record).
    #[inline(never)]
    unsafe fn mixed_record(
        &self,
        table: &Table,
        base: *mut u8,
        mut at: *const u8,
        end: *const u8,
        replaced: bool,
    ) -> *const u8 {
        let limit = self.limit;
        // SAFETY: see the module.
        unsafe {
            for row in &table.rows {
                let slot = base.add(row.offset as usize);
                let word = if at.addr() < end.addr() { load(at, limit) } else { 0 };
                if word as u8 != row.tag_word as u8 {
                    if replaced {
                        reset::zero(row.op, slot);
                    }
                    continue;
                }
                at = at.add(1);
                match row.op {
                    Op::Fixed32 => {
                        slot.cast::<u32>().write((word >> 8) as u32);
                        at = at.wrapping_add(4);
                        continue;
                    }
                    Op::Fixed64 => {
                        slot.cast::<u64>().write(load(at, limit));
                        at = at.wrapping_add(8);
                        continue;
                    }
                    _ => {}
                }
                let (value, after) = varint(word >> 8, at, limit);
                if after.is_null() {
                    return after;
                }
                at = after;
                match row.op {
                    Op::Int64 => slot.cast::<u64>().write(value),
                    Op::SInt32 => slot.cast::<i32>().write(unzigzag32(value as u32)),
                    Op::SInt64 => slot.cast::<i64>().write(unzigzag64(value)),
                    Op::Bool => slot.cast::<bool>().write(value != 0),
                    _ => slot.cast::<u32>().write(value as u32),
                }
            }
        }
        if at == end { at } else { ptr::null() }
    }

    /// Reads the records of a list from the length of the first on. Returns how many were read, and where the last
    /// one ended. If the next one must be read like any other message, its length is at that position.
    ///
    /// # Safety
    /// As for [`record`](Self::record); that many length-delimited values follow each other.
    #[inline(never)]
    pub(super) unsafe fn records(&self, list: &Records<'_>, mut at: *const u8) -> (usize, *const u8) {
        let (table, mut base) = (list.table, list.base);
        // SAFETY: as above.
        unsafe {
            let stride = reset::list(list.row).stride;
            let mut index = 0;
            loop {
                let (len, start) = known_length(at, self.limit);
                let after = self.record(table, base, start, start.add(len), index < list.reused);
                if after.is_null() {
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
}
