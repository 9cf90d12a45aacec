//! What is at a front and takes more than a look at one byte.

use crate::wire::wide_varint;

/// A varint of two bytes and more, and how many it takes: none where there is none.
#[inline(never)]
pub(super) fn long_varint(input: &[u8]) -> (u64, usize) {
    if let [a, b, ..] = input
        && *b < 0x80
    {
        return (u64::from(*a & 0x7f) | u64::from(*b) << 7, 2);
    }
    match wide_varint(input) {
        Some((value, rest)) => (value, input.len() - rest.len()),
        None => last_varint(input),
    }
}

/// The same with less than the eight bytes after it that are looked at together: often the last of a message.
#[inline(always)]
fn last_varint(input: &[u8]) -> (u64, usize) {
    let mut value = 0;
    if input.len() < 8 {
        for (index, byte) in input.iter().enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * index);
            if *byte < 0x80 {
                return (value, index + 1);
            }
        }
    }
    (0, 0)
}

/// Where a part begins and ends whose length is a varint of two bytes and more; at nothing, where there is none.
#[inline(never)]
pub(super) fn long_part(input: &[u8]) -> (usize, usize) {
    let (len, start) = long_varint(input);
    match usize::try_from(len) {
        Ok(len) if start > 0 && len <= (input.len() - start).min(i32::MAX as usize) => (start, start + len),
        _ => (0, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Reader;

    /// Varints of every length with any number of bytes after them, whole and broken, are what a reader reads.
    #[test]
    fn varints_at_every_distance_from_the_end() {
        for len in 1..=11 {
            for after in 0..12 {
                for last in [0, 1, 2, 0x7f] {
                    let goes_on = (1..len).map(|at| 0x80 | (at * 37) as u8);
                    let input: Vec<u8> = goes_on.chain([last]).chain(vec![0xff; after]).collect();
                    for cut in 0..=len {
                        let input = &input[..input.len() - cut.min(input.len())];
                        let mut reader = Reader::new(input);
                        let read = reader.varint().map(|value| (value, input.len() - reader.rest().len()));
                        assert_eq!(long_varint(input), read.unwrap_or_default(), "{input:x?}");
                    }
                }
            }
        }
    }
}
