//! Reads varints, length prefixes and single values. Most functions take the cursor `at` and the end of the input, `limit`.

use crate::error::Result;
use crate::table::Kind;
use crate::wire::packed::Form;
use crate::wire::{HIGH, Reader, gather, gather_long, unzigzag32, unzigzag64};

/// Returns the eight bytes at `at` as a word. The bytes after `limit` are not read, and are zero in the word.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not after `limit`.
#[inline]
pub(super) unsafe fn load(at: *const u8, limit: *const u8) -> u64 {
    // SAFETY: the caller says that `at` is not after `limit` and that the bytes between them are readable. `load_whole` is
    // called only if there are eight such bytes, and `load_last` requires no more than the caller says.
    unsafe {
        if limit.addr() - at.addr() >= 8 {
            return load_whole(at);
        }
        load_last(at, limit)
    }
}

/// Returns the eight bytes at `at` as a word.
///
/// # Safety
/// Eight bytes are readable from `at` on.
#[inline]
pub(super) unsafe fn load_whole(at: *const u8) -> u64 {
    // SAFETY: the caller says that eight bytes are readable from `at` on, and this read does not require alignment.
    u64::from_le(unsafe { at.cast::<u64>().read_unaligned() })
}

/// Returns the bytes between `at` and `limit`, which are fewer than eight, as a word. The loads overlap, so that the function
/// needs no loop.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not after `limit`.
#[inline(never)]
pub(super) unsafe fn load_last(at: *const u8, limit: *const u8) -> u64 {
    let left = limit.addr() - at.addr();
    // SAFETY: the two loads of four bytes are done only if at least four bytes are left. The loads of single bytes are done
    // only if at least one byte is left, and `left / 2` is below the number of bytes. So every load is of bytes between `at`
    // and `limit`, which the caller says are readable, and no load requires alignment.
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

/// Returns the varint at `at`, whose first bytes are in `word`, and the position after the varint. If the varint is malformed
/// or truncated, the position is null or after `limit`.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not after `limit`.
#[inline]
pub(super) unsafe fn varint(word: u64, at: *const u8, limit: *const u8) -> (u64, *const u8) {
    if word & 0x80 == 0 {
        (word & 0x7f, at.wrapping_add(1))
    } else if word & 0x8000 == 0 {
        (word & 0x7f | (word & 0x7f00) >> 1, at.wrapping_add(2))
    } else {
        // SAFETY: the caller says that `at` is not after `limit` and that the bytes between them are readable, which is all
        // that `long_varint` requires.
        unsafe { long_varint(at, limit) }
    }
}

/// Returns the varint at `at`, which usually has more than two bytes, and the position after the varint. If the varint is
/// malformed or truncated, the position is null or after `limit`.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not after `limit`.
#[inline(never)]
pub(super) unsafe fn long_varint(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that `at` is not after `limit` and that the bytes between them are readable, which is all that
    // `wide_varint` requires.
    unsafe { wide_varint(at, limit) }
}

/// Reads a varint as [`long_varint`] does, but inlined, for fields with many long values.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not after `limit`.
#[inline]
pub(super) unsafe fn wide_varint(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that `at` is not after `limit` and that the bytes between them are readable, which is all that
    // `load` requires. `longest_varint` gets the word that `load` read at `at`, and is called only if no byte of the word ends
    // the varint.
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

/// Returns the length prefix at `at`, which has several bytes, and the position after it. If the length prefix is malformed or
/// truncated, the position is null or after `limit`. For a length of more than 2 GiB, returns the largest signed number, which
/// exceeds the rest of any input.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not after `limit`.
#[inline(never)]
pub(super) unsafe fn long_length(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that `at` is not after `limit` and that the bytes between them are readable, which is all that
    // `load` requires. `varint` gets the word that `load` read at `at`.
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

/// Returns the length prefix at `at`, and the start of its payload. Returns `None` if no valid length prefix is there, or if
/// the payload ends after `end`.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and neither `at` nor `end` is after `limit`.
#[inline]
pub(super) unsafe fn length(at: *const u8, end: *const u8, limit: *const u8) -> Option<(usize, *const u8)> {
    if at.addr() >= end.addr() {
        return None;
    }
    // SAFETY: `at` is before `end`, and the caller says that `end` is not after `limit` and that the bytes up to `limit` are
    // readable. So at least one byte is readable at `at`.
    let (len, start) = unsafe { short_or_long_length(at, limit) };
    // The difference is signed, because `start` may be after `end`.
    let left = end.addr().wrapping_sub(start.addr()) as isize;
    (!start.is_null() && len as i64 <= left as i64).then_some((len as usize, start))
}

/// Returns the length prefix at `at`, which is known to be valid, and the start of its payload.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not after `limit`. At `at` there is a valid length prefix with its
/// whole payload.
#[inline]
pub(super) unsafe fn known_length(at: *const u8, limit: *const u8) -> (usize, *const u8) {
    // SAFETY: the caller says that a length prefix is at `at`, so at least one byte is readable there, and that all bytes up to
    // `limit` are readable.
    let (len, start) = unsafe { short_or_long_length(at, limit) };
    (len as usize, start)
}

/// Returns the length prefix at `at`, which usually has one or two bytes, and the position after it. If the length prefix is
/// malformed or truncated, the position is null or after `limit`.
///
/// # Safety
/// At least one byte is readable from `at` on, and all bytes from `at` to `limit` are readable.
#[inline]
unsafe fn short_or_long_length(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that a byte is readable at `at`. The second byte is read only if it is before `limit`.
    // `long_length` gets a cursor before `limit`, and the caller says that all bytes up to `limit` are readable.
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

/// Returns the varint at `at`, which has nine or ten bytes, and the position after it. The position is null if the varint is
/// malformed or truncated. `word` has the first eight bytes.
///
/// # Safety
/// The bytes from `at` to `limit` are readable, and `at` is not after `limit`. `word` is the word that [`load`] read at `at`,
/// and no byte of it ends a varint.
#[inline(never)]
unsafe fn longest_varint(word: u64, at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that the highest bit is set in each byte of `word`, but `load` sets bytes after `limit` to zero.
    // So at least eight bytes are before `limit`. The caller says that the bytes up to `limit` are readable, and `gather_long`
    // reads only these bytes.
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
