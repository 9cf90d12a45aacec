//! Reads tags, numbers and strings of the wire format for the decoder of arenas. The reading functions return `None` if the
//! input is malformed or longer than they expect. The caller then uses a [`Reader`](crate::wire::Reader), which handles
//! every case.

use crate::table::{Op, Row, Table};
use crate::wire::{quick_varint, unzigzag32, unzigzag64};

/// Returns the bytes after the tag of `row`, if `all` begins with this tag and the tag has one byte.
#[inline(always)]
pub(super) fn expected<'a>(row: &Row, all: &'a [u8]) -> Option<&'a [u8]> {
    match all {
        [tag, rest @ ..] if u16::from(*tag) == row.short_tag => Some(rest),
        _ => None,
    }
}

/// Reads a tag of one or two bytes. Returns its row, and the bytes after the tag.
#[inline(always)]
pub(super) fn row_of<'t, 'a>(table: &'t Table, all: &'a [u8]) -> Option<(&'t Row, &'a [u8])> {
    let (tag, rest) = match all {
        [a, rest @ ..] if *a < 0x80 => (u32::from(*a), rest),
        // The second byte must not be 0, because then the tag would be longer than necessary.
        [a, b @ 1..0x80, rest @ ..] => (u32::from(*a & 0x7f) | u32::from(*b) << 7, rest),
        _ => return None,
    };
    // A field without a second tag has 0 as `other_tag`. The tag 0 cannot match it, because no field has the number 0.
    let row = table.row(tag >> 3)?;
    (row.tag == tag || row.other_tag == tag).then_some((row, rest))
}

/// Returns the bytes after the tag of `field`, if `rest` begins with this tag in its shortest form.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn accept<'a>(rest: &'a [u8], field: &Row) -> Option<&'a [u8]> {
    let [a, b, ..] = field.tag_bytes;
    match rest {
        [first, rest @ ..] if field.tag_len == 1 => (*first == a).then_some(rest),
        [first, second, rest @ ..] if field.tag_len == 2 => (*first == a && *second == b).then_some(rest),
        _ => rest.strip_prefix(field.tag_bytes()),
    }
}

/// Reads a length of one or two bytes. Returns as many bytes as the length says, and the bytes after them.
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

/// Reads a number in the common case. Returns its bits as the arena stores them, and the bytes after the number.
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

/// Returns the position of `bytes` in the input.
#[inline(always)]
pub(super) fn position(input: &[u8], bytes: &[u8]) -> usize {
    (bytes.as_ptr() as usize).wrapping_sub(input.as_ptr() as usize)
}

/// Packs the position of `bytes` in the input (lower half) and their length (upper half) into a word.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn range(input: &[u8], bytes: &[u8]) -> u64 {
    position(input, bytes) as u64 | (bytes.len() as u64) << 32
}

/// Counts the messages of a list that directly follow one another. `rest` begins after the tag of the first message. The
/// messages are not checked, and the list may go on after other fields.
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

/// True if all bytes are ASCII. Tests groups of 4, 8 or 16 bytes. The last group may overlap the group before it, so that no
/// bytes are left over.
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

#[inline(always)]
pub(super) fn is_utf8(text: &[u8]) -> bool {
    is_ascii(text) || std::str::from_utf8(text).is_ok()
}

/// Returns the last `left` bytes of `all`.
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
