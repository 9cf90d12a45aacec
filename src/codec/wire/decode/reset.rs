//! Making a message empty that is filled again.
//!
//! Values worth reusing stay until their field occurs and replaces them; those not replaced are cleared at the end.

use crate::layout::{ListFunctions, OptionStorage, Storage, UnknownFields};
use crate::object::{ObjectMut, TypedMut};
use crate::table::{Clear, Location, Op, Row, Sub, Table, Zeros};

/// The option of a row whose operation is one of options.
///
/// # Safety
/// The operation of the row is one of options.
#[inline]
pub(super) unsafe fn option(row: &Row) -> OptionStorage {
    match row.location {
        Location::Member { storage: Storage::Option(option), .. } => option,
        // SAFETY: the operation was chosen by the storage.
        _ => unsafe { std::hint::unreachable_unchecked() },
    }
}

/// The functions of a row whose operation is one of lists.
///
/// # Safety
/// The operation of the row is one of lists.
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

/// Clears a number or a text.
///
/// # Safety
/// The operation is a plain one, and a value of it is at the address.
pub(super) unsafe fn clear_plain(op: Op, slot: *mut u8) {
    // SAFETY: the caller says that a live value of the operation is at the address, and that the operation is a plain
    // one. Each arm uses the type that the operation names, or for a number one of its size, of which all zeros are a
    // valid value, and numbers need no drop.
    unsafe {
        match op {
            Op::Int64 | Op::SInt64 | Op::Fixed64 => slot.cast::<u64>().write(0),
            Op::Bool => slot.cast::<bool>().write(false),
            Op::Int32 | Op::UInt32 | Op::SInt32 | Op::Fixed32 => slot.cast::<u32>().write(0),
            Op::String => (*slot.cast::<String>()).clear(),
            Op::Vec => (*slot.cast::<Vec<u8>>()).clear(),
            Op::OptionString => *slot.cast::<Option<String>>() = None,
            Op::OptionVec => *slot.cast::<Option<Vec<u8>>>() = None,
            _ => {
                let cleared = clear_value(op, slot);
                debug_assert!(cleared, "{op:?}");
            }
        }
    }
}

/// Empties a message but for members whose allocations the next value may use; returns the bits of
/// those.
///
/// # Safety
/// The struct that the table describes is at the address, and nothing else refers to it.
// All else is out of line, so that small messages save no registers.
#[inline(never)]
pub(super) unsafe fn reset(table: &Table, base: *mut u8) -> u64 {
    let clear = table.clear();
    // SAFETY: the table describes the struct at the address, to which nothing else refers, so that its offsets are
    // within the struct. `zeros` covers only numbers, words of presence bits, and the lengths of texts and of lists of
    // numbers, of all of which zero is valid. `UnknownFields` are at the offset that the table has for them.
    unsafe {
        for &zeros in &clear.zeros {
            match zeros {
                Zeros::Eights(first, last) => {
                    base.add(first as usize).cast::<u64>().write_unaligned(0);
                    base.add(last as usize).cast::<u64>().write_unaligned(0);
                }
                Zeros::Fours(first, last) => {
                    base.add(first as usize).cast::<u32>().write_unaligned(0);
                    base.add(last as usize).cast::<u32>().write_unaligned(0);
                }
                Zeros::One(at) => base.add(at as usize).write(0),
            }
        }
        let has_unknown = table
            .unknown
            .is_some_and(|offset| !(*base.add(offset as usize).cast::<UnknownFields>()).is_empty());
        match clear.only_zeros && !has_unknown {
            true => 0,
            false => reset_others(table, base, clear),
        }
    }
}

/// The same of members that zeros do not clear, and of unknown fields.
///
/// # Safety
/// The struct that the table describes is at the address, and nothing else refers to it; `clear` is what the table says
/// of it.
#[inline(never)]
unsafe fn reset_others(table: &Table, base: *mut u8, clear: &Clear) -> u64 {
    let mut pending = 0;
    // SAFETY: the table describes the struct at the address, to which nothing else refers, so that at the offset of
    // each row there is a value of the type that its operation names and with the storage of its location.
    // `unprojected` gives the table of all fields of that struct, and each reference and each view ends before the next
    // one is made.
    unsafe {
        for &index in &clear.rows {
            let mut row = &table.rows[usize::from(index)];
            let slot = base.add(row.offset as usize);
            if clear_value(row.value_op(), slot) {
                continue;
            }
            let is_filled = match row.value_op() {
                Op::Message => true,
                Op::OptionString => (*slot.cast::<Option<String>>()).is_some(),
                Op::Strings => !(*slot.cast::<Vec<String>>()).is_empty(),
                Op::OptionVec | Op::OptionMessage | Op::OptionBoxMessage => !option(row).get(slot).is_null(),
                Op::Vecs | Op::Messages => list(row).elements(slot).1 > 0,
                _ => match row.location {
                    Location::Variant { oneof, .. } => match oneof.functions.get(slot) {
                        Some((set, _)) => match table.member(row, set) {
                            Some(member) => {
                                row = member;
                                true
                            }
                            // It is left out by a projection.
                            None => false,
                        },
                        // It may be one that is skipped.
                        None => {
                            oneof.clear(slot);
                            false
                        }
                    },
                    _ => {
                        TypedMut::new(base, table).clear(row);
                        false
                    }
                },
            };
            match row.bit {
                _ if !is_filled => {}
                0 => TypedMut::new(base, table).clear(row),
                bit => pending |= bit,
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

/// Clears a value whose operation says all about it; false where it is another one.
///
/// # Safety
/// A value of the operation is at the address.
#[inline]
unsafe fn clear_value(op: Op, slot: *mut u8) -> bool {
    // SAFETY: the caller says that a live value of the operation is at the address: each write is of the type that the
    // operation names, so that it is aligned and within the member, and what it replaces needs no drop.
    unsafe {
        match op {
            Op::Str => slot.cast::<&str>().write(""),
            Op::Slice => slot.cast::<&[u8]>().write(&[]),
            Op::OptionStr => slot.cast::<Option<&str>>().write(None),
            Op::OptionSlice => slot.cast::<Option<&[u8]>>().write(None),
            Op::OptionI32 | Op::OptionSInt32 | Op::OptionFixedI32 => slot.cast::<Option<i32>>().write(None),
            Op::OptionU32 | Op::OptionFixedU32 => slot.cast::<Option<u32>>().write(None),
            Op::OptionI64 | Op::OptionSInt64 | Op::OptionFixedI64 => slot.cast::<Option<i64>>().write(None),
            Op::OptionU64 | Op::OptionFixedU64 => slot.cast::<Option<u64>>().write(None),
            Op::OptionBool => slot.cast::<Option<bool>>().write(None),
            Op::OptionF32 => slot.cast::<Option<f32>>().write(None),
            Op::OptionF64 => slot.cast::<Option<f64>>().write(None),
            _ => return false,
        }
    }
    true
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
/// The struct that the table describes is at the address, and nothing else refers to it.
#[inline(never)]
pub(super) unsafe fn finish(table: &Table, base: *mut u8, mut pending: u64) {
    while pending != 0 {
        let row = &table.rows[pending.trailing_zeros() as usize];
        // SAFETY: the caller says that the table describes the struct at the address, and that nothing else refers to
        // it: the view ends with this statement.
        unsafe { TypedMut::new(base, table) }.clear(row);
        pending &= pending - 1;
    }
}
