//! Decodes packed runs: converts many numbers at a time from wire bytes to their form in memory.

use super::Reader;
use super::varint::{HIGH, gather, gather_long};

/// A word with the number 1 in each byte.
const ONES: u64 = u64::MAX / 255;

/// The high bits of the last bytes of varints, for a word that holds four varints of two bytes.
const TWOS: u64 = 0x8000_8000_8000_8000;

/// The wire form of the numbers of a packed run, and their type in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A varint whose lower 32 bits are the number. The other bits are ignored.
    Varint32,
    Varint64,
    ZigZag32,
    ZigZag64,
    /// A varint that is zero for false, and any other number for true. In memory, it is one byte.
    Bool,
    Fixed32,
    Fixed64,
}

impl Form {
    /// Returns the number of wire bytes of each number, or `None` if numbers may have different lengths.
    #[inline]
    #[doc(hidden)]
    pub fn size(self) -> Option<usize> {
        match self {
            Form::Fixed32 => Some(4),
            Form::Fixed64 => Some(8),
            _ => None,
        }
    }
}

/// Counts the varints in a run. The last byte of each varint is below 128, and its other bytes are not.
pub fn count(run: &[u8]) -> usize {
    if run.len() < 32 {
        let (words, rest) = run.as_chunks::<8>();
        // Each byte of the word is 0 or 1 after the shift, so the highest byte of the product is the sum of all bytes.
        let ends = |word: u64| ((!word & HIGH) >> 7).wrapping_mul(ONES).wrapping_shr(56) as usize;
        let whole = words.iter().map(|word| ends(u64::from_le_bytes(*word))).sum::<usize>();
        // In the last word, the padding bytes have their high bit set, so they are not counted.
        return whole + ends(less_than_word(run, rest.len()));
    }
    let mut count = 0;
    for chunk in run.chunks(128) {
        // The count of 128 bytes fits into a `u8`, and a vector register holds more `u8` than `usize`.
        count += usize::from(chunk.iter().map(|byte| u8::from(*byte < 0x80)).sum::<u8>());
    }
    count
}

/// Returns a word with the last `len` bytes of a run, at most seven, in its highest bytes. The other bytes have their
/// high bit set. Overlapping loads read the bytes, without a loop.
#[inline]
fn less_than_word(run: &[u8], len: usize) -> u64 {
    let word = match run.last_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => match (run.first_chunk::<4>(), run.last_chunk::<4>()) {
            (Some(head), Some(tail)) => {
                u64::from(u32::from_le_bytes(*tail)) << 32
                    | u64::from(u32::from_le_bytes(*head)) << (8 * (8 - len))
            }
            _ => match run {
                [] => 0,
                _ => {
                    let (first, middle, last) = (run[0], run[len / 2], run[len - 1]);
                    u64::from(last) << 56
                        | u64::from(middle) << (8 * (8 - len + len / 2))
                        | u64::from(first) << (8 * (8 - len))
                }
            },
        },
    };
    word | HIGH.checked_shr(8 * len as u32).unwrap_or(0)
}

/// Reads varints until `out` is full or the input ends, and stores them with `put`, one in each slot. Returns their count.
///
/// # Errors
/// A varint is malformed. The error has the number of varints before it.
#[inline]
pub fn varints<P>(
    reader: &mut Reader<'_>,
    out: &mut [P],
    put: impl Fn(&mut P, u64),
) -> std::result::Result<usize, (usize, crate::Error)> {
    let (mut buf, mut n) = (reader.rest(), 0);
    while let Some(bytes) = buf.first_chunk::<10>() {
        let word = first_word(bytes);
        let ends = !word & HIGH;
        if ends == HIGH
            && let Some(eight) = out.get_mut(n..n + 8)
        {
            for (i, slot) in eight.iter_mut().enumerate() {
                put(slot, word >> (8 * i) & 0x7f);
            }
            (buf, n) = (&buf[8..], n + 8);
            continue;
        }
        if ends == TWOS
            && let Some(four) = out.get_mut(n..n + 4)
        {
            let both = word & 0x007f_007f_007f_007f | word >> 1 & 0x3f80_3f80_3f80_3f80;
            for (i, slot) in four.iter_mut().enumerate() {
                put(slot, both >> (16 * i) & 0x3fff);
            }
            (buf, n) = (&buf[8..], n + 4);
            continue;
        }
        let Some(slot) = out.get_mut(n) else { break };
        let Some((value, len)) = first(bytes, word, ends) else { break };
        put(slot, value);
        (buf, n) = (&buf[len..], n + 1);
    }
    while let Some(slot) = out.get_mut(n) {
        let value;
        (value, buf) = match buf {
            [] => break,
            [a, rest @ ..] if *a < 0x80 => (u64::from(*a), rest),
            [a, b, rest @ ..] if *b < 0x80 => (u64::from(*a & 0x7f) | u64::from(*b) << 7, rest),
            _ => {
                reader.replace(buf);
                let value = reader.varint().map_err(|error| (n, error))?;
                (value, reader.rest())
            }
        };
        put(slot, value);
        n += 1;
    }
    reader.replace(buf);
    Ok(n)
}

#[inline]
fn first_word(bytes: &[u8; 10]) -> u64 {
    // A pattern that destructures the array would load each byte separately.
    let ([word], _) = bytes.as_chunks::<8>() else { return 0 };
    u64::from_le_bytes(*word)
}

/// Returns the first varint in ten bytes, and its length. Returns `None` if the varint is not valid.
#[inline]
fn first(bytes: &[u8; 10], word: u64, ends: u64) -> Option<(u64, usize)> {
    if ends != 0 { Some(gather(word, ends)) } else { gather_long(word, &bytes[8..]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Writer;

    /// Returns numbers of every length, in an order that mixes the lengths.
    fn numbers() -> Vec<u64> {
        let of = |i: u64| (u64::MAX >> (i * 7 % 64)) ^ (i & 1);
        (0..500).map(of).chain([1; 40]).chain([u64::MAX; 200]).chain([0, 300]).collect()
    }

    /// Reads numbers in batches of `space` numbers. Returns all valid numbers, and the error for the first invalid number.
    fn read(space: usize, bytes: &[u8]) -> (Vec<u64>, String) {
        let (mut reader, mut all) = (Reader::new(bytes), Vec::new());
        while !reader.is_empty() {
            let mut out = vec![0; space];
            match varints(&mut reader, &mut out, |place, value| *place = value) {
                Ok(read) => all.extend_from_slice(&out[..read]),
                Err((read, error)) => {
                    all.extend_from_slice(&out[..read]);
                    return (all, error.to_string());
                }
            }
        }
        (all, String::new())
    }

    #[test]
    fn varints_of_every_length() -> crate::Result<()> {
        let mut writer = Writer::new();
        numbers().into_iter().for_each(|number| writer.varint(number));
        let bytes = writer.finish()?;
        for space in [1, 7, 8, 32, 1000] {
            assert_eq!(read(space, &bytes), (numbers(), String::new()), "{space}");
        }
        Ok(())
    }

    #[test]
    fn ends_are_counted_wherever_they_are() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for len in 0..300 {
            for _ in 0..20 {
                let run: Vec<u8> = (0..len)
                    .map(|_| {
                        bits = bits.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                        (bits >> 56) as u8
                    })
                    .collect();
                assert_eq!(count(&run), run.iter().filter(|byte| **byte < 0x80).count(), "{run:?}");
            }
        }
    }

    #[test]
    fn what_is_cut_or_too_long_comes_after_the_numbers_before_it() {
        let long = [&[1u8; 20][..], &[0xff; 9], &[2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]].concat();
        let rows: [(&[u8], usize, &str); 3] = [
            (&[1, 2, 0x80], 2, "input ends inside a varint (at byte 2)"),
            (&[1; 600], 600, ""),
            (&long, 20, "varint is longer than 10 bytes or does not fit 64 bits (at byte 20)"),
        ];
        for (bytes, count, wanted) in rows {
            for space in [1, 8, 64] {
                let (numbers, error) = read(space, bytes);
                assert_eq!((numbers.len(), &*error), (count, wanted), "{space}");
            }
        }
    }
}
