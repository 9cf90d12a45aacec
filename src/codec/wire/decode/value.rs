//! Values from the input: varints by words, and single values by their kind.

use crate::error::Result;
use crate::layout::text::fill;
use crate::table::{Kind, Op};
use crate::wire::packed::Form;
use crate::wire::{HIGH, Reader, gather, gather_long, unzigzag32, unzigzag64};

/// The word at a cursor, of which only bytes before the limit are read; the rest is zero.
///
/// # Safety
/// The bytes between the two are readable, and the cursor is not behind the limit.
#[inline]
pub(super) unsafe fn load(at: *const u8, limit: *const u8) -> u64 {
    // SAFETY: as above.
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
    // SAFETY: as above.
    u64::from_le(unsafe { at.cast::<u64>().read_unaligned() })
}

/// The last bytes, less than eight, by loads that overlap.
///
/// # Safety
/// As for [`load`].
#[inline(never)]
pub(super) unsafe fn load_last(at: *const u8, limit: *const u8) -> u64 {
    let left = limit.addr() - at.addr();
    // SAFETY: as above; all loads are of bytes between the two.
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

/// A varint whose first bytes are in the word, and where it ends; as [`long_varint`].
///
/// # Safety
/// As for [`load`].
#[inline]
pub(super) unsafe fn varint(word: u64, at: *const u8, limit: *const u8) -> (u64, *const u8) {
    if word & 0x80 == 0 {
        (word & 0x7f, at.wrapping_add(1))
    } else if word & 0x8000 == 0 {
        (word & 0x7f | (word & 0x7f00) >> 1, at.wrapping_add(2))
    } else {
        // SAFETY: as above.
        unsafe { long_varint(at, limit) }
    }
}

/// A varint of more than two bytes, and where it ends: null if there is none, behind the limit if it is
/// truncated.
///
/// # Safety
/// As for [`load`].
#[inline(never)]
pub(super) unsafe fn long_varint(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: as above.
    unsafe { wide_varint(at, limit) }
}

/// The same in line, for numbers, of which many are long.
///
/// # Safety
/// As for [`load`].
#[inline]
pub(super) unsafe fn wide_varint(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: as above.
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

/// A length of several bytes; as [`long_varint`], but one of more than 2 GiB, which is refused, is the largest signed
/// number: it exceeds what is left of any input.
///
/// # Safety
/// As for [`load`].
#[inline(never)]
pub(super) unsafe fn long_length(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: as above.
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

/// The length at a cursor and where its content starts; `None` if there is no such length, or less content.
///
/// # Safety
/// As for [`load`].
#[inline]
pub(super) unsafe fn length(at: *const u8, end: *const u8, limit: *const u8) -> Option<(usize, *const u8)> {
    if at.addr() >= end.addr() {
        return None;
    }
    // SAFETY: as above; the end is not behind the limit, so that a byte is readable.
    let (len, start) = unsafe { short_or_long_length(at, limit) };
    // Signed: the content may start behind the end.
    let left = end.addr().wrapping_sub(start.addr()) as isize;
    (!start.is_null() && len as i64 <= left as i64).then_some((len as usize, start))
}

/// The same of a length that is known to be valid.
///
/// # Safety
/// As for [`load`]; there is a length, and as much content.
#[inline]
pub(super) unsafe fn known_length(at: *const u8, limit: *const u8) -> (usize, *const u8) {
    // SAFETY: as above.
    let (len, start) = unsafe { short_or_long_length(at, limit) };
    (len as usize, start)
}

/// A length, most of which are short; as [`long_length`].
///
/// # Safety
/// As for [`load`]; a byte is readable.
#[inline]
unsafe fn short_or_long_length(at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: as above; the second byte is before the limit where it is read.
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

/// A varint of nine or ten bytes, the first of which are the word.
///
/// # Safety
/// As for [`load`].
#[inline(never)]
unsafe fn longest_varint(word: u64, at: *const u8, limit: *const u8) -> (u64, *const u8) {
    // SAFETY: as above; a word without a zero is all of the input.
    unsafe {
        let rest = std::slice::from_raw_parts(at.add(8), limit.addr() - at.addr() - 8);
        match gather_long(word, rest) {
            Some((value, len)) => (value, at.add(len)),
            None => (0, std::ptr::null()),
        }
    }
}

/// Stores a text by its operation, a plain one.
///
/// # Safety
/// A value of the operation is at the address. The text is UTF-8 where that is one of strings, and outlives what borrows
/// it.
#[inline]
pub(super) unsafe fn put_text(op: Op, slot: *mut u8, text: &[u8]) {
    // SAFETY: as above.
    unsafe {
        let target = match op {
            Op::Str => return slot.cast::<&str>().write(str::from_utf8_unchecked(text)),
            Op::OptionStr => return slot.cast::<Option<&str>>().write(Some(str::from_utf8_unchecked(text))),
            Op::Slice => return slot.cast::<&[u8]>().write(text),
            Op::OptionSlice => return slot.cast::<Option<&[u8]>>().write(Some(text)),
            Op::String => (*slot.cast::<String>()).as_mut_vec(),
            Op::OptionString => (*slot.cast::<Option<String>>()).get_or_insert_default().as_mut_vec(),
            Op::OptionVec => (*slot.cast::<Option<Vec<u8>>>()).get_or_insert_default(),
            _ => &mut *slot.cast::<Vec<u8>>(),
        };
        fill(target, text);
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
