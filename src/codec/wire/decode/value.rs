//! Values from the input: varints by words, and single values by their kind.

use crate::error::Result;
use crate::table::Kind;
use crate::wire::packed::Form;
use crate::wire::{Reader, unzigzag32, unzigzag64, wide_varint};

/// The word at a cursor, of which only what is before the limit is read; the rest is zero.
///
/// # Safety
/// What is between the two can be read, and the cursor is not behind the limit.
#[inline]
pub(super) unsafe fn load(at: *const u8, limit: *const u8) -> u64 {
    // SAFETY: as above.
    unsafe {
        if limit.addr() - at.addr() >= 8 {
            return u64::from_le(at.cast::<u64>().read_unaligned());
        }
        load_last(at, limit)
    }
}

#[inline(never)]
unsafe fn load_last(at: *const u8, limit: *const u8) -> u64 {
    let mut word = [0; 8];
    let left = (limit.addr() - at.addr()).min(8);
    // SAFETY: as for `load`.
    word[..left].copy_from_slice(unsafe { std::slice::from_raw_parts(at, left) });
    u64::from_le_bytes(word)
}

/// A varint of more than two bytes, and where it ends; null where there is none.
///
/// # Safety
/// As for [`load`].
#[inline(never)]
pub(super) unsafe fn long_varint(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: as above.
    let bytes = unsafe { std::slice::from_raw_parts(at, limit.addr() - at.addr()) };
    if let Some((value, rest)) = wide_varint(bytes) {
        return (value, rest.as_ptr());
    }
    let mut reader = Reader::new(bytes);
    match reader.varint() {
        Ok(value) => (value, reader.rest().as_ptr()),
        Err(_) => (0, std::ptr::null()),
    }
}

/// Reads a single number, bool or enum, as bits.
///
/// # Errors
/// The bytes are malformed.
pub(super) fn scalar(reader: &mut Reader<'_>, kind: Kind) -> Result<u64> {
    Ok(match kind {
        Kind::Double | Kind::Fixed64 | Kind::SFixed64 => reader.fixed64()?,
        Kind::Float | Kind::Fixed32 | Kind::SFixed32 => u64::from(reader.fixed32()?),
        Kind::SInt32 => u64::from(unzigzag32(reader.varint()? as u32) as u32),
        Kind::SInt64 => unzigzag64(reader.varint()?) as u64,
        Kind::Bool => u64::from(reader.varint()? != 0),
        Kind::Int64 | Kind::UInt64 => reader.varint()?,
        _ => u64::from(reader.varint()? as u32),
    })
}

/// How the numbers of a packed run are written.
#[inline]
pub(super) fn form(kind: Kind) -> Form {
    match kind {
        Kind::Double | Kind::Fixed64 | Kind::SFixed64 => Form::Fixed64,
        Kind::Float | Kind::Fixed32 | Kind::SFixed32 => Form::Fixed32,
        Kind::SInt32 => Form::ZigZag32,
        Kind::SInt64 => Form::ZigZag64,
        Kind::Bool => Form::Bool,
        Kind::Int64 | Kind::UInt64 => Form::Varint64,
        _ => Form::Varint32,
    }
}
