//! Packed runs, a whole one at a time.

use crate::error::{Error, Result};
use crate::table::Kind;
use crate::wire::{Reader, packed, unzigzag32, unzigzag64};

/// Reads a run of as many elements as `out` can hold, or one that ends inside an element.
///
/// # Errors
/// The run ends inside an element, or a varint is too long: the index of the element in the run, and why.
pub(crate) fn read(kind: Kind, run: Reader<'_>, out: &mut [u64]) -> Result<(), (usize, Error)> {
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

fn fixed32(mut run: Reader<'_>, out: &mut [u64]) -> Result<(), (usize, Error)> {
    let (chunks, rest) = run.rest().as_chunks::<4>();
    for (word, bytes) in out.iter_mut().zip(chunks) {
        *word = u64::from(u32::from_le_bytes(*bytes));
    }
    if !rest.is_empty() {
        run.replace(rest);
        run.fixed32().map_err(|error| (chunks.len(), error))?;
    }
    Ok(())
}

fn fixed64(mut run: Reader<'_>, out: &mut [u64]) -> Result<(), (usize, Error)> {
    let (chunks, rest) = run.rest().as_chunks::<8>();
    for (word, bytes) in out.iter_mut().zip(chunks) {
        *word = u64::from_le_bytes(*bytes);
    }
    if !rest.is_empty() {
        run.replace(rest);
        run.fixed64().map_err(|error| (chunks.len(), error))?;
    }
    Ok(())
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn varints(mut run: Reader<'_>, out: &mut [u64], of: impl Fn(u64) -> u64) -> Result<(), (usize, Error)> {
    if out.len() == run.rest().len() {
        // All of one byte, as many short runs are.
        for (word, byte) in out.iter_mut().zip(run.rest()) {
            *word = of(u64::from(*byte));
        }
        return Ok(());
    }
    packed::varints(&mut run, out, |word, value| *word = of(value))?;
    if !run.is_empty() {
        run.varint().map_err(|error| (out.len(), error))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::packed::count;
    use crate::wire::{put_varint, quick_varint};

    /// Compares every bit width with the plain reader on the same bytes, with and without bytes after them.
    #[test]
    fn varints_are_as_the_reader_has_them() {
        for bits in 0..=64 {
            for value in [(1u128 << bits) - 1, (1u128 << bits) / 3, 1u128 << bits >> 1].map(|v| v as u64) {
                let mut bytes = [0; 10];
                let len = put_varint(&mut bytes, value);
                for after in [&[][..], &[0xff; 12]] {
                    let input = [&bytes[..len], after].concat();
                    if let Some((found, rest)) = quick_varint(&input) {
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
            assert_eq!(quick_varint(&input), None);
            assert!(Reader::new(&input).varint().is_err());
            assert!(read(Kind::Int64, Reader::new(&input), &mut [0]).is_err());
        }
        // Longer than it needs to be, but not too long.
        let long = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00];
        assert_eq!(quick_varint(&long), Some((1, &[][..])));
    }
}
