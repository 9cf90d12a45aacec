//! What is at a front and takes more than a look at one byte.

use crate::wire::wide_varint;

/// A varint of two bytes and more, and how many it takes: none where there is none, or too near to the end.
#[inline(never)]
pub(super) fn long_varint(input: &[u8]) -> (u64, usize) {
    if let [a, b, ..] = input
        && *b < 0x80
    {
        return (u64::from(*a & 0x7f) | u64::from(*b) << 7, 2);
    }
    match wide_varint(input) {
        Some((value, rest)) => (value, input.len() - rest.len()),
        None => (0, 0),
    }
}

/// Where a part begins and ends whose length is a varint of two bytes and more; at nothing, where there is none or it is too
/// near to the end.
#[inline(never)]
pub(super) fn long_part(input: &[u8]) -> (usize, usize) {
    let (len, start) = long_varint(input);
    match usize::try_from(len) {
        Ok(len) if start > 0 && len <= (input.len() - start).min(i32::MAX as usize) => (start, start + len),
        _ => (0, 0),
    }
}
