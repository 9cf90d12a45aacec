//! Making a message empty that is filled again.
//!
//! Values worth reusing stay until their field occurs and replaces them; those not replaced are cleared at the end.

use crate::layout::{ListFunctions, OptionFunctions, Storage, UnknownFields};
use crate::object::{ObjectMut, TypedMut};
use crate::table::{Location, Op, Row, Sub, Table};
use bytes::Bytes;

/// The functions of a row whose operation is one of options.
///
/// # Safety
/// It is.
#[inline]
pub(super) unsafe fn option(row: &Row) -> &'static OptionFunctions {
    match row.location {
        Location::Member { storage: Storage::Option(functions), .. } => functions,
        // SAFETY: the operation was chosen by the storage.
        _ => unsafe { std::hint::unreachable_unchecked() },
    }
}

/// The functions of a row whose operation is one of lists.
///
/// # Safety
/// It is.
#[inline]
pub(super) unsafe fn list(row: &Row) -> &'static ListFunctions {
    match row.location {
        Location::Member { storage: Storage::List(functions), .. } => functions,
        // SAFETY: the operation was chosen by the storage.
        _ => unsafe { std::hint::unreachable_unchecked() },
    }
}

/// The table of the messages of a row whose operation is one of messages; `None` where it cannot be built.
///
/// # Safety
/// The operation is one of them.
#[inline]
pub(super) unsafe fn message(row: &Row) -> Option<&Table> {
    match &row.sub {
        Sub::Message(link) => link.known().or_else(|| link.table().ok()),
        // SAFETY: the operation was chosen by the kind.
        _ => unsafe { std::hint::unreachable_unchecked() },
    }
}

/// Sets a number to zero.
///
/// # Safety
/// The operation is one of numbers, and such a number is at the address.
#[inline]
pub(super) unsafe fn zero(op: Op, slot: *mut u8) {
    // SAFETY: as above.
    unsafe {
        match op {
            Op::Int64 | Op::SInt64 | Op::Fixed64 => slot.cast::<u64>().write(0),
            Op::Bool => slot.cast::<bool>().write(false),
            _ => slot.cast::<u32>().write(0),
        }
    }
}

/// Empties a message but for members whose allocations the next value may use; returns the bits of
/// those.
///
/// # Safety
/// The struct that the table describes is at the address, and nothing else refers to it.
pub(super) unsafe fn reset(table: &Table, base: *mut u8) -> u64 {
    let mut pending = 0;
    // SAFETY: as above: each row's field is at its offset.
    unsafe {
        let clear = table.clear();
        for &(offset, len) in &clear.zeros {
            let (at, len) = (base.add(offset as usize), len as usize);
            match len {
                // Runs are short: two stores may overlap.
                4..=8 => {
                    at.cast::<u32>().write_unaligned(0);
                    at.add(len - 4).cast::<u32>().write_unaligned(0);
                }
                9..=16 => {
                    at.cast::<u64>().write_unaligned(0);
                    at.add(len - 8).cast::<u64>().write_unaligned(0);
                }
                _ => at.write_bytes(0, len),
            }
        }
        for &offset in &clear.strings {
            (*base.add(offset as usize).cast::<String>()).clear();
        }
        for &(offset, functions) in &clear.numbers {
            (functions.set_len)(base.add(offset as usize), 0);
        }
        for &index in &clear.rows {
            let mut row = &table.rows[usize::from(index)];
            let slot = base.add(row.offset as usize);
            let kept = match row.value_op() {
                Op::Vec => {
                    (*slot.cast::<Vec<u8>>()).clear();
                    continue;
                }
                Op::Str => {
                    slot.cast::<&str>().write("");
                    continue;
                }
                Op::OptionStr => {
                    slot.cast::<Option<&str>>().write(None);
                    continue;
                }
                Op::Slice => {
                    slot.cast::<&[u8]>().write(&[]);
                    continue;
                }
                Op::Bytes => {
                    *slot.cast::<Bytes>() = Bytes::new();
                    continue;
                }
                Op::Message => true,
                Op::OptionString => (*slot.cast::<Option<String>>()).is_some(),
                Op::Strings => !(*slot.cast::<Vec<String>>()).is_empty(),
                Op::OptionVec | Op::OptionMessage | Op::OptionBoxMessage => !option(row).get(slot).is_null(),
                Op::Vecs | Op::Messages => (list(row).elements)(slot).1 > 0,
                _ => match row.location {
                    Location::Variant { functions, .. } => match functions.get(slot) {
                        Some((set, _)) => match table.member(row, set) {
                            Some(member) => {
                                row = member;
                                true
                            }
                            // It is left out by a projection.
                            None => continue,
                        },
                        // It may be one that is skipped.
                        None => {
                            (functions.clear)(slot);
                            continue;
                        }
                    },
                    _ => false,
                },
            };
            if kept && row.bit != 0 {
                pending |= row.bit;
            } else {
                TypedMut::new(base, table).clear(row);
            }
        }
        if let Some(whole) = table.unprojected() {
            clear_left_out(TypedMut::new(base, whole), table);
        } else if let Some(offset) = table.unknown {
            (*base.add(offset as usize).cast::<UnknownFields>()).clear();
        }
    }
    pending
}

/// Clears fields that a projection leaves out, and unknown fields.
#[cold]
fn clear_left_out(mut message: TypedMut<'_, '_>, projected: &Table) {
    let rows = &ObjectMut::table(&message).rows;
    rows.iter().filter(|row| projected.numbers.get(row.number).is_none()).for_each(|row| message.clear(row));
    if let Some(unknown) = message.unknown_mut() {
        unknown.clear();
    }
}

/// Clears the members that were kept for reuse and did not occur.
///
/// # Safety
/// As for [`reset`].
#[inline(never)]
pub(super) unsafe fn finish(table: &Table, base: *mut u8, mut pending: u64) {
    while pending != 0 {
        let row = &table.rows[pending.trailing_zeros() as usize];
        // SAFETY: as above.
        unsafe { TypedMut::new(base, table) }.clear(row);
        pending &= pending - 1;
    }
}
