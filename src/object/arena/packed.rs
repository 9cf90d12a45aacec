//! Reads packed runs. Each call reads a whole run.

use crate::error::{Error, Result};
use crate::table::Kind;
use crate::wire::{Reader, packed, unzigzag32, unzigzag64};

/// Reads a packed run. The run has as many elements as `out` can hold, or ends inside the element after them.
///
/// # Errors
/// The run ends inside an element, or a varint is too long. The error has the index of the element in the run.
pub(crate) fn read(kind: Kind, run: Reader<'_>, out: &mut [u8]) -> Result<(), (usize, Error)> {
    match kind {
        Kind::Int64 | Kind::UInt64 => varints(run, eights(out), |value| value.to_le_bytes()),
        Kind::SInt64 => varints(run, eights(out), |value| unzigzag64(value).to_le_bytes()),
        Kind::SInt32 => varints(run, fours(out), |value| unzigzag32(value as u32).to_le_bytes()),
        Kind::Bool => varints(run, out, |value| u8::from(value != 0)),
        Kind::Float | Kind::Fixed32 | Kind::SFixed32 => {
            let mut rest = fixed(run, out);
            if rest.is_empty() {
                Ok(())
            } else {
                rest.fixed32().map(|_| ()).map_err(|error| (out.len() / 4, error))
            }
        }
        Kind::Double | Kind::Fixed64 | Kind::SFixed64 => {
            let mut rest = fixed(run, out);
            if rest.is_empty() {
                Ok(())
            } else {
                rest.fixed64().map(|_| ()).map_err(|error| (out.len() / 8, error))
            }
        }
        _ => varints(run, fours(out), |value| (value as u32).to_le_bytes()),
    }
}

fn fours(out: &mut [u8]) -> &mut [[u8; 4]] {
    out.as_chunks_mut().0
}

fn eights(out: &mut [u8]) -> &mut [[u8; 8]] {
    out.as_chunks_mut().0
}

/// Copies numbers whose bytes in the arena are those of the wire format. Returns a reader of the bytes after them.
fn fixed<'a>(mut run: Reader<'a>, out: &mut [u8]) -> Reader<'a> {
    let (numbers, rest) = run.rest().split_at(out.len());
    out.copy_from_slice(numbers);
    run.replace(rest);
    run
}

#[cfg_attr(not(debug_assertions), inline(always))]
fn varints<P>(mut run: Reader<'_>, out: &mut [P], of: impl Fn(u64) -> P) -> Result<(), (usize, Error)> {
    if out.len() == run.rest().len() {
        // All varints have one byte. This is common in short runs.
        for (number, byte) in out.iter_mut().zip(run.rest()) {
            *number = of(u64::from(*byte));
        }
        return Ok(());
    }
    packed::varints(&mut run, out, |number, value| *number = of(value))?;
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

    /// Checks varints of every bit width, with and without bytes after them.
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
                let mut out = [0; 24];
                assert_eq!(count(&run), 3);
                read(Kind::UInt64, Reader::new(&run), &mut out).unwrap();
                assert_eq!(out, value.to_le_bytes().repeat(3)[..]);
            }
        }
    }

    #[test]
    fn what_is_no_varint_is_left_to_the_reader() {
        for tail in [&[0xff, 0x02][..], &[0xff, 0x80, 0x01], &[0xff], &[]] {
            let input = [&[0xff; 8][..], tail].concat();
            assert_eq!(quick_varint(&input), None);
            assert!(Reader::new(&input).varint().is_err());
            assert!(read(Kind::Int64, Reader::new(&input), &mut [0; 8]).is_err());
        }
        // This varint is longer than necessary, but not too long.
        let long = [0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00];
        assert_eq!(quick_varint(&long), Some((1, &[][..])));
    }
}
