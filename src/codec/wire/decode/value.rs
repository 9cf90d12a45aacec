//! Values from the input: varints read from words, and single values by their kind.

use crate::error::Result;
use crate::table::Kind;
use crate::wire::packed::Form;
use crate::wire::{HIGH, Reader, gather, gather_long, unzigzag32, unzigzag64};

/// The word at a cursor. Only bytes before the limit are read; the others are zero.
///
/// # Safety
/// The bytes between the two are readable, and the cursor is not behind the limit.
#[inline]
pub(super) unsafe fn load(at: *const u8, limit: *const u8) -> u64 {
    // SAFETY: the caller says that the cursor is not behind the limit and that the bytes between them are readable.
    // `load_whole` is called only where there are eight of them, and `load_last` asks for no more than that.
    unsafe {
        if limit.addr() - at.addr() >= 8 {
            return load_whole(at);
        }
        load_last(at, limit)
    }
}

/// The word at a cursor.
///
/// # Safety
/// Eight bytes are readable there.
#[inline]
pub(super) unsafe fn load_whole(at: *const u8) -> u64 {
    // SAFETY: the caller says that eight bytes are readable at the cursor, and this read needs no alignment.
    u64::from_le(unsafe { at.cast::<u64>().read_unaligned() })
}

/// The last bytes, fewer than eight, read by loads that overlap.
///
/// # Safety
/// The bytes between the two are readable, and the cursor is not behind the limit.
#[inline(never)]
pub(super) unsafe fn load_last(at: *const u8, limit: *const u8) -> u64 {
    let left = limit.addr() - at.addr();
    // SAFETY: at least four bytes are left where four are read from the cursor on and four up to the limit. Else at
    // least one byte is left, and `left / 2` is below the number of bytes. So every load is of bytes between the two,
    // which the caller says are readable, and none needs alignment.
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

/// A varint whose first bytes are in the word, and its end, as [`long_varint`] returns them.
///
/// # Safety
/// The bytes between the two are readable, and the cursor is not behind the limit.
#[inline]
pub(super) unsafe fn varint(word: u64, at: *const u8, limit: *const u8) -> (u64, *const u8) {
    if word & 0x80 == 0 {
        (word & 0x7f, at.wrapping_add(1))
    } else if word & 0x8000 == 0 {
        (word & 0x7f | (word & 0x7f00) >> 1, at.wrapping_add(2))
    } else {
        // SAFETY: the caller says that the cursor is not behind the limit and that the bytes between them are readable,
        // which is what `long_varint` asks for.
        unsafe { long_varint(at, limit) }
    }
}

/// A varint of more than two bytes, and its end: null if it is malformed, behind the limit if it is truncated.
///
/// # Safety
/// The bytes between the two are readable, and the cursor is not behind the limit.
#[inline(never)]
pub(super) unsafe fn long_varint(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that the cursor is not behind the limit and that the bytes between them are readable,
    // which is what `wide_varint` asks for.
    unsafe { wide_varint(at, limit) }
}

/// Reads a varint of more than two bytes, inlined, for numbers, many of which are long.
///
/// # Safety
/// The bytes between the two are readable, and the cursor is not behind the limit.
#[inline]
pub(super) unsafe fn wide_varint(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that the cursor is not behind the limit and that the bytes between them are readable, as
    // `load` asks. `longest_varint` gets the word that `load` read there, and is called only where no byte of it ends
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

/// A length of several bytes, and its end, as [`long_varint`] returns them. A length of more than 2 GiB becomes the
/// largest signed number, which exceeds the rest of any input.
///
/// # Safety
/// The bytes between the two are readable, and the cursor is not behind the limit.
#[inline(never)]
pub(super) unsafe fn long_length(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that the cursor is not behind the limit and that the bytes between them are readable, as
    // `load` asks; `varint` gets the word that was read there.
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

/// The length at a cursor and the start of its content; `None` if the length is malformed or the content is
/// incomplete.
///
/// # Safety
/// The bytes from the cursor to the limit are readable, and neither the cursor nor the end is behind the limit.
#[inline]
pub(super) unsafe fn length(at: *const u8, end: *const u8, limit: *const u8) -> Option<(usize, *const u8)> {
    if at.addr() >= end.addr() {
        return None;
    }
    // SAFETY: the cursor is before the end, and the caller says that the end is not behind the limit and that the bytes
    // up to the limit are readable. So there is a byte at the cursor.
    let (len, start) = unsafe { short_or_long_length(at, limit) };
    // Signed, because the content may start behind the end.
    let left = end.addr().wrapping_sub(start.addr()) as isize;
    (!start.is_null() && len as i64 <= left as i64).then_some((len as usize, start))
}

/// The length at a cursor and the start of its content, if the length is known to be valid.
///
/// # Safety
/// The bytes between the two are readable, and the cursor is not behind the limit; at the cursor there is a length, and
/// after that as much content.
#[inline]
pub(super) unsafe fn known_length(at: *const u8, limit: *const u8) -> (usize, *const u8) {
    // SAFETY: the caller says that there is a length at the cursor, so that a byte is readable there, and that all
    // bytes up to the limit are.
    let (len, start) = unsafe { short_or_long_length(at, limit) };
    (len as usize, start)
}

/// A length, usually a short one, and its end, as [`long_length`] returns them.
///
/// # Safety
/// The bytes between the two are readable, and there is at least one.
#[inline]
unsafe fn short_or_long_length(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the caller says that a byte is readable at the cursor, and the second byte is read only where it is
    // before the limit. `long_length` gets a cursor before the limit, up to which all bytes are readable.
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

/// A varint of nine or ten bytes, of which the word has the first eight.
///
/// # Safety
/// The bytes between the two are readable, and the cursor is not behind the limit; the word is the one that [`load`]
/// read there, and no byte of it ends a varint.
#[inline(never)]
unsafe fn longest_varint(word: u64, at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: the highest bit is set in each byte of the word, but `load` gives zeros for bytes behind the limit. So
    // eight bytes are before the limit, the caller says that the rest up to it is readable, and `gather_long` counts
    // only bytes of both.
    unsafe {
        let rest = std::slice::from_raw_parts(at.add(8), limit.addr() - at.addr() - 8);
        match gather_long(word, rest) {
            Some((value, len)) => (value, at.add(len)),
            None => (0, std::ptr::null()),
        }
    }
}

/// Reads a single number, bool or enum, as bits.
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

/// The form of the numbers in a packed run.
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
