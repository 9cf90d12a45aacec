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
            if ends != 0 {
                let (value, len) = gather(word, ends);
                out[index] = of(value);
                run.replace(&buf[len..]);
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
    let x = word & (ends ^ (ends - 1)) & !HIGH;
    let x = (x & 0x007f_007f_007f_007f) | (x & 0x7f00_7f00_7f00_7f00) >> 1;
    let x = (x & 0x0000_3fff_0000_3fff) | (x & 0x3fff_0000_3fff_0000) >> 2;
    ((x & 0x0000_0000_0fff_ffff) | (x & 0x0fff_ffff_0000_0000) >> 4, len)
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
    let ends = !word & HIGH;
    if ends == 0 {
        return None;
    }
    let (value, len) = gather(word, ends);
    run.replace(&buf[len..]);
    Some(value)
}
