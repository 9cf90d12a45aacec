//! Packed runs, a whole one at a time.

use crate::error::Result;
use crate::plan::Kind;
use crate::wire::{Reader, unzigzag32, unzigzag64};

/// How many varints there are: every one ends with a byte below 128.
pub(super) fn count(run: &[u8]) -> usize {
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
    for (index, word) in out.iter_mut().enumerate() {
        *word = match quick(&mut run) {
            Some(value) => of(value),
            None => of(run.varint().map_err(|error| error.in_index(index))?),
        };
    }
    if !run.is_empty() {
        run.varint().map_err(|error| error.in_index(out.len()))?;
    }
    Ok(())
}

/// Reads a varint.
///
/// # Errors
/// As [`Reader::varint`].
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn varint(r: &mut Reader<'_>) -> Result<u64> {
    match quick(r) {
        Some(value) => Ok(value),
        None => r.varint(),
    }
}

/// A varint of up to eight bytes, of which one load has all.
#[cfg_attr(not(debug_assertions), inline(always))]
fn quick(run: &mut Reader<'_>) -> Option<u64> {
    let buf = run.rest();
    if let [byte, rest @ ..] = buf
        && *byte < 0x80
    {
        run.replace(rest);
        return Some(u64::from(*byte));
    }
    let word = u64::from_le_bytes(*buf.first_chunk()?);
    let ends = !word & 0x8080_8080_8080_8080;
    if ends == 0 {
        return None;
    }
    // Everything up to the first byte below 128, without the high bits.
    let len = ends.trailing_zeros() as usize / 8 + 1;
    let x = word & (ends ^ (ends - 1)) & 0x7f7f_7f7f_7f7f_7f7f;
    let x = (x & 0x007f_007f_007f_007f) | (x & 0x7f00_7f00_7f00_7f00) >> 1;
    let x = (x & 0x0000_3fff_0000_3fff) | (x & 0x3fff_0000_3fff_0000) >> 2;
    let x = (x & 0x0000_0000_0fff_ffff) | (x & 0x0fff_ffff_0000_0000) >> 4;
    run.replace(&buf[len..]);
    Some(x)
}
