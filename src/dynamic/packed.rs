//! Packed runs, a whole one at a time.

use crate::error::Result;
use crate::plan::Kind;
use crate::wire::{Reader, unzigzag32, unzigzag64};

/// How many varints there are: every one ends with a byte below 128.
pub(super) fn count(run: &[u8]) -> usize {
    if run.len() < 32 {
        return run.iter().filter(|byte| **byte < 0x80).count();
    }
    let mut count = 0;
    for chunk in run.chunks(128) {
        // A byte is enough to count in, and more of them fit a register.
        count += usize::from(chunk.iter().map(|byte| u8::from(*byte < 0x80)).sum::<u8>());
    }
    count
}

/// Reads a run of as many elements as `out` has room for, or one that ends inside an element.
///
/// # Errors
/// The run ends inside an element, or a varint is too long; the error has the index of the element.
pub(super) fn read(kind: Kind, run: Reader<'_>, out: &mut [u64]) -> Result<()> {
    match kind {
        Kind::Int64 | Kind::UInt64 => varints(run, out, |value| value),
        Kind::SInt32 => varints(run, out, |value| u64::from(unzigzag32(value as u32) as u32)),
        Kind::SInt64 => varints(run, out, |value| unzigzag64(value) as u64),
        Kind::Bool => varints(run, out, |value| u64::from(value != 0)),
        Kind::Float | Kind::Fixed32 | Kind::SFixed32 => fixed32(run, out),
        Kind::Double | Kind::Fixed64 | Kind::SFixed64 => fixed64(run, out),
        _ => varints(run, out, |value| u64::from(value as u32)),
    }
}

fn fixed32(mut run: Reader<'_>, out: &mut [u64]) -> Result<()> {
    let (chunks, rest) = run.rest().as_chunks::<4>();
    for (word, bytes) in out.iter_mut().zip(chunks) {
        *word = u64::from(u32::from_le_bytes(*bytes));
    }
    if !rest.is_empty() {
        run.replace(rest);
        run.fixed32().map_err(|error| error.in_index(chunks.len()))?;
    }
    Ok(())
}

fn fixed64(mut run: Reader<'_>, out: &mut [u64]) -> Result<()> {
    let (chunks, rest) = run.rest().as_chunks::<8>();
    for (word, bytes) in out.iter_mut().zip(chunks) {
        *word = u64::from_le_bytes(*bytes);
    }
    if !rest.is_empty() {
        run.replace(rest);
        run.fixed64().map_err(|error| error.in_index(chunks.len()))?;
    }
    Ok(())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn varints(mut run: Reader<'_>, out: &mut [u64], of: impl Fn(u64) -> u64) -> Result<()> {
    if out.len() == run.rest().len() {
        // All of one byte, as many short runs are.
        for (word, byte) in out.iter_mut().zip(run.rest()) {
            *word = of(u64::from(*byte));
        }
        return Ok(());
    }
    let mut index = 0;
    while index < out.len() {
        let buf = run.rest();
        if let Some(bytes) = buf.first_chunk::<8>() {
            let word = u64::from_le_bytes(*bytes);
            let ends = !word & HIGH;
            if ends == HIGH
                && let Some(eight) = out.get_mut(index..index + 8)
            {
                for (word, byte) in eight.iter_mut().zip(bytes) {
                    *word = of(u64::from(*byte));
                }
                run.replace(&buf[8..]);
                index += 8;
                continue;
            }
            let found = if ends != 0 { Some(gather(word, ends)) } else { long(word, &buf[8..]) };
            if let Some((value, len)) = found
                && let Some(rest) = buf.get(len..)
            {
                out[index] = of(value);
                run.replace(rest);
                index += 1;
                continue;
            }
        }
        out[index] = of(run.varint().map_err(|error| error.in_index(index))?);
        index += 1;
    }
    if !run.is_empty() {
        run.varint().map_err(|error| error.in_index(out.len()))?;
    }
    Ok(())
}

/// The bits that say that a varint goes on.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The first varint of eight bytes and its length; `ends` marks the bytes that are the last of one, of which there is
/// at least one.
#[cfg_attr(not(debug_assertions), inline(always))]
fn gather(word: u64, ends: u64) -> (u64, usize) {
    let len = ends.trailing_zeros() as usize / 8 + 1;
    // Everything up to the first byte below 128, without the high bits.
    (join(word & (ends ^ (ends - 1)) & !HIGH), len)
}

/// A varint of nine or ten bytes and its length: eight that go on, and those after them.
#[cfg_attr(not(debug_assertions), inline(always))]
fn long(word: u64, rest: &[u8]) -> Option<(u64, usize)> {
    let low = join(word & !HIGH);
    match *rest {
        [ninth, ..] if ninth < 0x80 => Some((low | u64::from(ninth) << 56, 9)),
        // Of the tenth byte only one bit is left.
        [ninth, tenth @ ..=1, ..] => Some((low | u64::from(ninth & 0x7f) << 56 | u64::from(tenth) << 63, 10)),
        _ => None,
    }
}

/// Eight groups of seven bits, one in each byte, side by side.
#[cfg_attr(not(debug_assertions), inline(always))]
fn join(x: u64) -> u64 {
    let x = (x & 0x007f_007f_007f_007f) | (x & 0x7f00_7f00_7f00_7f00) >> 1;
    let x = (x & 0x0000_3fff_0000_3fff) | (x & 0x3fff_0000_3fff_0000) >> 2;
    (x & 0x0000_0000_0fff_ffff) | (x & 0x0fff_ffff_0000_0000) >> 4
}

/// A varint and the bytes after it; nothing where it is malformed, or too near to the end for one load of it.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn varint(buf: &[u8]) -> Option<(u64, &[u8])> {
    match buf {
        [a, rest @ ..] if *a < 0x80 => return Some((u64::from(*a), rest)),
        [a, b, rest @ ..] if *b < 0x80 => return Some((u64::from(*a & 0x7f) | u64::from(*b) << 7, rest)),
        _ => {}
    }
    let word = u64::from_le_bytes(*buf.first_chunk()?);
    let ends = !word & HIGH;
    let (value, len) = if ends != 0 { gather(word, ends) } else { long(word, &buf[8..])? };
    Some((value, buf.get(len..)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::put_varint;

    /// Every bit width, and what the plain reader says to the same bytes, with and without bytes after them.
    #[test]
    fn varints_are_as_the_reader_has_them() {
        for bits in 0..=64 {
            for value in [(1u128 << bits) - 1, (1u128 << bits) / 3, 1u128 << bits >> 1].map(|v| v as u64) {
                let mut bytes = [0; 10];
                let len = put_varint(&mut bytes, value);
                for after in [&[][..], &[0xff; 12]] {
                    let input = [&bytes[..len], after].concat();
                    if let Some((found, rest)) = varint(&input) {
                        assert_eq!((found, rest), (value, after));
                    } else {
                        assert!(after.is_empty() && len < 10);
                    }
                }
                let run = bytes[..len].repeat(3);
                let mut out = [0; 3];
                assert_eq!(count(&run), 3);
                read(Kind::UInt64, Reader::new(&run), &mut out).unwrap();
                assert_eq!(out, [value; 3]);
            }
        }
    }

    #[test]
    fn what_is_no_varint_is_left_to_the_reader() {
        for tail in [&[0xff, 0x02][..], &[0xff, 0x80, 0x01], &[0xff], &[]] {
            let input = [&[0xff; 8][..], tail].concat();
            assert_eq!(varint(&input), None);
            assert!(Reader::new(&input).varint().is_err());
            assert!(read(Kind::Int64, Reader::new(&input), &mut [0]).is_err());
        }
        // Longer than it needs to be, but not too long.
        let long = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00];
        assert_eq!(varint(&long), Some((1, &[][..])));
    }
}
