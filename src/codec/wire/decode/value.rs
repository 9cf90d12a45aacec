//! Reads values from the input: varints from words of eight bytes, and single values by their kind.

use crate::error::Result;
use crate::table::Kind;
use crate::wire::packed::Form;
use crate::wire::{HIGH, Reader, gather, gather_long, unzigzag32, unzigzag64};

/// Returns the word of eight bytes at `at`. Only bytes before `limit` are read; the others are zero.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not behind `limit`.
#[inline]
pub(super) unsafe fn load(at: *const u8, limit: *const u8) -> u64 {
    // SAFETY: the caller says that `at` is not behind `limit` and that the bytes between them are readable.
    // `load_whole` is called only if there are eight such bytes, and `load_last` requires no more than that.
    unsafe {
        if limit.addr() - at.addr() >= 8 {
            return load_whole(at);
        }
        load_last(at, limit)
    }
}

/// Returns the word of eight bytes at `at`.
///
/// # Safety
/// Eight bytes are readable from `at` on.
#[inline]
pub(super) unsafe fn load_whole(at: *const u8) -> u64 {
    // SAFETY: the caller says that eight bytes are readable from `at` on, and this read needs no alignment.
    u64::from_le(unsafe { at.cast::<u64>().read_unaligned() })
}

/// Returns the word of the bytes between `at` and `limit`, which are fewer than eight. The loads overlap, so that no
/// loop is needed.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not behind `limit`.
#[inline(never)]
pub(super) unsafe fn load_last(at: *const u8, limit: *const u8) -> u64 {
    let left = limit.addr() - at.addr();
    // SAFETY: if four bytes are read from `at` on and four up to `limit`, at least four bytes are left. Otherwise at
    // least one byte is left, and `left / 2` is below the number of bytes. So every load is of bytes between `at` and
    // `limit`, which the caller says are readable, and no load needs alignment.
    unsafe {
        if left >= 4 {
            let low = u32::from_le(at.cast::<u32>().read_unaligned());
            let high = u32::from_le(limit.sub(4).cast::<u32>().read_unaligned());
            return u64::from(low) | u64::from(high) << (8 * (left - 4));
        }
        if left == 0 {
            return 0;
        }
        let (first, middle, last) = (*at, *at.add(left / 2), *limit.sub(1));
        u64::from(first) | u64::from(middle) << (8 * (left / 2)) | u64::from(last) << (8 * (left - 1))
    }
}

/// Returns the varint at `at`, whose first bytes are in `word`, and its end: null if it is malformed, behind `limit` if
/// it is truncated.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not behind `limit`.
#[inline]
pub(super) unsafe fn varint(word: u64, at: *const u8, limit: *const u8) -> (u64, *const u8) {
    if word & 0x80 == 0 {
        (word & 0x7f, at.wrapping_add(1))
    } else if word & 0x8000 == 0 {
        (word & 0x7f | (word & 0x7f00) >> 1, at.wrapping_add(2))
    } else {
        // SAFETY: the caller says that `at` is not behind `limit` and that the bytes between them are readable, which
        // is what `long_varint` asks for.
        unsafe { long_varint(at, limit) }
    }
}

/// Returns the varint at `at`, which has more than two bytes, and its end: null if it is malformed, behind `limit` if
/// it is truncated.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not behind `limit`.
#[inline(never)]
pub(super) unsafe fn long_varint(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that `at` is not behind `limit` and that the bytes between them are readable, which is
    // what `wide_varint` asks for.
    unsafe { wide_varint(at, limit) }
}

/// Does what [`long_varint`] does, but is inlined, for fields of which many values are long.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not behind `limit`.
#[inline]
pub(super) unsafe fn wide_varint(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that `at` is not behind `limit` and that the bytes between them are readable, as `load`
    // asks. `longest_varint` gets the word that `load` read there, and is called only where no byte of it ends the
    // varint.
    unsafe {
        let word = load(at, limit);
        let ends = !word & HIGH;
        if ends != 0 {
            let (value, len) = gather(word, ends);
            return (value, at.wrapping_add(len));
        }
        longest_varint(word, at, limit)
    }
}

/// Returns the length at `at`, which has several bytes, and its end: null if it is malformed, behind `limit` if it is
/// truncated. A length of more than 2 GiB becomes the largest signed number, which exceeds the rest of any input.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not behind `limit`.
#[inline(never)]
pub(super) unsafe fn long_length(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that `at` is not behind `limit` and that the bytes between them are readable, as `load`
    // asks; `varint` gets the word that was read there.
    let (len, after) = unsafe {
        let word = load(at, limit);
        if word & 0x80_8000 == 0x8000 && word & 0x80 != 0 {
            let len = word & 0x7f | (word & 0x7f00) >> 1 | (word & 0x7f_0000) >> 2;
            return (len, at.wrapping_add(3));
        }
        varint(word, at, limit)
    };
    (if len > i32::MAX as u64 { i64::MAX as u64 } else { len }, after)
}

/// Returns the length at `at`, and the start of its content. Returns `None` if the length is malformed or the content
/// does not end before `end`.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and neither `at` nor `end` is behind `limit`.
#[inline]
pub(super) unsafe fn length(at: *const u8, end: *const u8, limit: *const u8) -> Option<(usize, *const u8)> {
    if at.addr() >= end.addr() {
        return None;
    }
    // SAFETY: `at` is before `end`, and the caller says that `end` is not behind `limit` and that the bytes up to
    // `limit` are readable. So there is a byte at the cursor.
    let (len, start) = unsafe { short_or_long_length(at, limit) };
    // The difference is signed, because the content may start behind `end`.
    let left = end.addr().wrapping_sub(start.addr()) as isize;
    (!start.is_null() && len as i64 <= left as i64).then_some((len as usize, start))
}

/// Returns the length at `at`, which is known to be valid, and the start of its content.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not behind `limit`; at `at` there is a valid length, and
/// after it content of this length.
#[inline]
pub(super) unsafe fn known_length(at: *const u8, limit: *const u8) -> (usize, *const u8) {
    // SAFETY: the caller says that there is a length at `at`, so that a byte is readable there, and that all bytes up
    // to `limit` are readable.
    let (len, start) = unsafe { short_or_long_length(at, limit) };
    (len as usize, start)
}

/// Returns the length at `at`, which is usually short, and its end: null if it is malformed, behind `limit` if it is
/// truncated.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and there is at least one.
#[inline]
unsafe fn short_or_long_length(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that a byte is readable at `at`, and the second byte is read only if it is before
    // `limit`. `long_length` gets a cursor before the limit, up to which all bytes are readable.
    unsafe {
        let first = u64::from(*at);
        if first < 0x80 {
            return (first, at.add(1));
        }
        if at.addr() + 1 < limit.addr() && *at.add(1) < 0x80 {
            return (first & 0x7f | u64::from(*at.add(1)) << 7, at.add(2));
        }
        long_length(at, limit)
    }
}

/// Returns the varint at `at`, which has nine or ten bytes, and its end. `word` has the first eight bytes.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not behind `limit`; `word` is the word that [`load`] read
/// at `at`, and no byte of it ends a varint.
#[inline(never)]
unsafe fn longest_varint(word: u64, at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the highest bit is set in each byte of `word`, but `load` gives zeros for bytes behind `limit`. So at
    // least eight bytes are before `limit`. The caller says that the bytes up to `limit` are readable, and
    // `gather_long` uses only these.
    unsafe {
        let rest = std::slice::from_raw_parts(at.add(8), limit.addr() - at.addr() - 8);
        match gather_long(word, rest) {
            Some((value, len)) => (value, at.add(len)),
            None => (0, std::ptr::null()),
        }
    }
}

/// Reads a single number, bool or enum value, and returns its bits.
///
/// # Errors
/// The bytes are malformed.
pub(super) fn scalar(reader: &mut Reader<'_>, kind: Kind) -> Result<u64> {
    let read = match kind {
        Kind::Double | Kind::Fixed64 | Kind::SFixed64 => return reader.fixed64(),
        Kind::Float | Kind::Fixed32 | Kind::SFixed32 => return Ok(u64::from(reader.fixed32()?)),
        _ => reader.varint()?,
    };
    Ok(match kind {
        Kind::SInt32 => u64::from(unzigzag32(read as u32) as u32),
        Kind::SInt64 => unzigzag64(read) as u64,
        Kind::Bool => u64::from(read != 0),
        Kind::Int64 | Kind::UInt64 => read,
        _ => u64::from(read as u32),
    })
}

/// Returns the wire form of the numbers in a packed run.
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
