//! Parts of the wire format as the decoder of arenas reads them: tags, numbers and strings, mostly short ones. Each function
//! returns nothing for what is long or malformed, which a [`Reader`](crate::wire::Reader) then reads.

use crate::table::{Op, Row, Table};
use crate::wire::{quick_varint, unzigzag32, unzigzag64};

/// The bytes after the tag of a row, if that is next and has one byte.
#[inline(always)]
pub(super) fn expected<'a>(row: &Row, all: &'a [u8]) -> Option<&'a [u8]> {
    match all {
        [tag, rest @ ..] if u16::from(*tag) == row.short_tag => Some(rest),
        _ => None,
    }
}

/// The row of a tag of one or two bytes, and the bytes after it.
#[inline(always)]
pub(super) fn row_of<'t, 'a>(table: &'t Table, all: &'a [u8]) -> Option<(&'t Row, &'a [u8])> {
    let (tag, rest) = match all {
        [a, rest @ ..] if *a < 0x80 => (u32::from(*a), rest),
        // Not one that is longer than it needs to be.
        [a, b @ 1..0x80, rest @ ..] => (u32::from(*a & 0x7f) | u32::from(*b) << 7, rest),
        _ => return None,
    };
    // No field has the number 0, so that 0 is not taken for the other tag of a field that has none.
    let row = table.row(tag >> 3)?;
    (row.tag == tag || row.other_tag == tag).then_some((row, rest))
}

/// The bytes after a tag that is next, in its shortest form.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn accept<'a>(rest: &'a [u8], field: &Row) -> Option<&'a [u8]> {
    let [a, b, ..] = field.tag_bytes;
    match rest {
        [first, rest @ ..] if field.tag_len == 1 => (*first == a).then_some(rest),
        [first, second, rest @ ..] if field.tag_len == 2 => (*first == a && *second == b).then_some(rest),
        _ => rest.strip_prefix(field.tag_bytes()),
    }
}

/// A length of one or two bytes and that many bytes, and the bytes after them.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn prefixed(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    match rest {
        [len, rest @ ..] if *len < 0x80 => rest.split_at_checked(usize::from(*len)),
        [low, high, rest @ ..] if *high < 0x80 => {
            rest.split_at_checked(usize::from(*low & 0x7f) | usize::from(*high) << 7)
        }
        _ => None,
    }
}

/// The word of a number on the fast path, and the bytes after it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn number(op: Op, rest: &[u8]) -> Option<(u64, &[u8])> {
    Some(match op {
        Op::Int32 | Op::UInt32 | Op::Enum => {
            let (value, rest) = quick_varint(rest)?;
            (u64::from(value as u32), rest)
        }
        Op::Int64 => quick_varint(rest)?,
        Op::SInt32 => {
            let (value, rest) = quick_varint(rest)?;
            (u64::from(unzigzag32(value as u32) as u32), rest)
        }
        Op::SInt64 => {
            let (value, rest) = quick_varint(rest)?;
            (unzigzag64(value) as u64, rest)
        }
        Op::Bool => {
            let (value, rest) = quick_varint(rest)?;
            (u64::from(value != 0), rest)
        }
        Op::Fixed32 => {
            let (bytes, rest) = rest.split_first_chunk()?;
            (u64::from(u32::from_le_bytes(*bytes)), rest)
        }
        Op::Fixed64 => {
            let (bytes, rest) = rest.split_first_chunk()?;
            (u64::from_le_bytes(*bytes), rest)
        }
        _ => return None,
    })
}

/// Where some bytes of the input start.
#[inline(always)]
pub(super) fn position(input: &[u8], bytes: &[u8]) -> usize {
    (bytes.as_ptr() as usize).wrapping_sub(input.as_ptr() as usize)
}

/// The word of some bytes of the input.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn range(input: &[u8], bytes: &[u8]) -> u64 {
    position(input, bytes) as u64 | (bytes.len() as u64) << 32
}

/// How many messages of a list follow each other, each with its tag, the first of which was read. Their content may be
/// malformed, and there may be more.
#[inline(always)]
pub(super) fn count_messages(row: &Row, mut rest: &[u8]) -> usize {
    let mut count = 1;
    while let Some((_, after)) = prefixed(rest)
        && let Some(after) = accept(after, row)
    {
        (count, rest) = (count + 1, after);
    }
    count
}

/// True when all bytes are ASCII: by words and blocks, the last of which overlap others.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_ascii(text: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let four = |chunk: &[u8; 4]| u64::from(u32::from_le_bytes(*chunk));
    let eight = |chunk: &[u8; 8]| u64::from_le_bytes(*chunk);
    let bits = match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) if text.len() <= 16 => eight(first) | eight(last),
        (Some(_), _) => {
            let (blocks, _) = text.as_chunks();
            let blocks = blocks.iter().chain(text.last_chunk());
            let all = blocks.fold(0, |all, block| all | u128::from_le_bytes(*block));
            all as u64 | (all >> 64) as u64
        }
        _ => match (text.first_chunk(), text.last_chunk()) {
            (Some(first), Some(last)) => four(first) | four(last),
            _ => text.iter().fold(0, |bits, byte| bits | u64::from(*byte)),
        },
    };
    bits & HIGH == 0
}

/// True for a string that a field may hold.
#[inline(always)]
pub(super) fn is_utf8(text: &[u8]) -> bool {
    is_ascii(text) || std::str::from_utf8(text).is_ok()
}

/// The last `left` of some bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn last(all: &[u8], left: usize) -> &[u8] {
    &all[all.len() - left..]
}

#[cfg(test)]
mod tests {
    use super::is_ascii;

    #[test]
    fn no_byte_of_a_string_is_overlooked() {
        for len in 0..70 {
            let mut text = vec![b'x'; len];
            assert!(is_ascii(&text), "{len}");
            for at in 0..len {
                text[at] = 0x80;
                assert!(!is_ascii(&text), "{at} of {len}");
                text[at] = 0x7f;
            }
        }
    }
}
