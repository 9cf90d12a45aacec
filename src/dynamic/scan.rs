//! Values in the bytes of a message, as words. What is unusual is nothing here, and left to `decode`.

use super::decode::{accept, number, prefixed};
use super::packed;
use crate::error::{Error, Result};
use crate::table::{Op, Row, Table};
use crate::wire::packed::count;
use crate::wire::{Reader, WireType};

/// A value that was found.
pub(super) struct Found<'de> {
    pub(super) word: u64,
    /// It is a packed list.
    pub(super) packed: bool,
    pub(super) rest: &'de [u8],
}

/// True for values that may be malformed though where they end is known.
#[inline]
pub(crate) fn is_unread(row: &Row) -> bool {
    matches!(row.op, Op::String | Op::Message | Op::List | Op::Map)
}

/// Finds the value of a field after its tag, and the bytes after it.
#[inline]
pub(super) fn found<'de>(
    table: &Table,
    input: &'de [u8],
    row: &Row,
    tag: u32,
    value: &'de [u8],
) -> Option<Found<'de>> {
    let (word, rest) = match row.op {
        Op::String | Op::Vec | Op::Message => {
            let (text, rest) = prefixed_of(value)?;
            (range(input, text), rest)
        }
        Op::List | Op::Map | Op::Group => {
            let (word, left, packed) = several(table, input, row, tag, value)?;
            return Some(Found { word, packed, rest: value.get(value.len() - left..)? });
        }
        op => {
            let (word, rest) = number_of(op, value)?;
            if row.closed && !row.enumeration().takes(word as i32) {
                return None;
            }
            (word, rest)
        }
    };
    Some(Found { word, packed: false, rest })
}

/// The word of a list or map, how many bytes are left after it, and whether it is packed.
#[inline(never)]
fn several(table: &Table, input: &[u8], row: &Row, tag: u32, value: &[u8]) -> Option<(u64, usize, bool)> {
    match row.op {
        Op::List if row.closed => None,
        Op::List if row.other_tag != 0 && tag & 7 == WireType::Len as u32 => {
            let (word, left) = run(input, row, value)?;
            Some((word, left, true))
        }
        Op::List => {
            let (word, left) = list(input, row, tag, value)?;
            Some((word, left, false))
        }
        // Without the required fields beside it a map cannot be decoded alone.
        Op::Map if table.required.is_empty() => {
            let left = entries(row, value)?;
            let start = range(input, value) as u32 as usize;
            // Read as a message, entries have their tags: the first one, too.
            let all = input.get(start.checked_sub(row.tag_bytes().len())?..start + value.len() - left)?;
            all.starts_with(row.tag_bytes()).then(|| (range(input, all), left, false))
        }
        _ => None,
    }
}

/// The bytes after the value of a field that will not be asked for.
#[inline(never)]
pub(super) fn unwanted<'de>(row: &Row, value: &'de [u8]) -> Option<&'de [u8]> {
    match row.op {
        Op::String => {
            let (text, rest) = prefixed_of(value)?;
            crate::wire::utf8(text).ok()?;
            Some(rest)
        }
        Op::Vec => Some(prefixed_of(value)?.1),
        Op::Message | Op::List | Op::Map | Op::Group => None,
        op => {
            let (word, rest) = number_of(op, value)?;
            row.takes_number(word as i32).then_some(rest)
        }
    }
}

/// The word of some bytes of the input.
#[inline]
fn range(input: &[u8], bytes: &[u8]) -> u64 {
    let start = (bytes.as_ptr() as usize).wrapping_sub(input.as_ptr() as usize);
    start as u64 | (bytes.len() as u64) << 32
}

/// The word of a packed run, and how many bytes are left after it.
#[inline(never)]
fn run(input: &[u8], row: &Row, value: &[u8]) -> Option<(u64, usize)> {
    let (run, rest) = prefixed_of(value)?;
    let is_whole = match row.kind.wire_type() {
        WireType::Fixed32 => run.len().is_multiple_of(4),
        WireType::Fixed64 => run.len().is_multiple_of(8),
        _ => run.last().is_some_and(|last| *last < 0x80),
    };
    (is_whole && !run.is_empty()).then(|| (range(input, run), rest.len()))
}

/// The word of elements that follow each other, and how many bytes are left after them.
#[inline(never)]
fn list(input: &[u8], row: &Row, tag: u32, value: &[u8]) -> Option<(u64, usize)> {
    let (op, mut rest, mut len) = (Op::element(row), value, 0u64);
    loop {
        rest = match op {
            Op::String | Op::Vec | Op::Message => prefixed_of(rest)?.1,
            op => number_of(op, rest)?.1,
        };
        len += 1;
        match accept(rest, row) {
            // After another tag, that of the row is the tag of a packed run.
            Some(after) if tag == row.tag => rest = after,
            _ => return Some((u64::from(range(input, value) as u32) | len << 32, rest.len())),
        }
    }
}

/// How many bytes are left after the entries of a map that follow each other.
#[inline(never)]
fn entries(row: &Row, value: &[u8]) -> Option<usize> {
    let mut rest = value;
    loop {
        rest = prefixed_of(rest)?.1;
        match accept(rest, row) {
            Some(after) => rest = after,
            None => return Some(rest.len()),
        }
    }
}

/// The bytes after a field that the message does not have, where `depth` levels of groups may be opened.
#[cold]
#[inline(never)]
pub(super) fn unknown<'de>(table: &Table, bytes: &'de [u8], depth: u32) -> Option<&'de [u8]> {
    let mut reader = Reader::new(bytes);
    let tag = reader.tag().ok()?;
    table.numbers.get(tag.number()).is_none().then_some(())?;
    reader.skip(tag, depth).ok()?;
    Some(reader.rest())
}

/// The word of a number and the bytes after it.
#[inline]
fn number_of(op: Op, bytes: &[u8]) -> Option<(u64, &[u8])> {
    match number(op, bytes) {
        Some(found) => Some(found),
        None => slow_number(op, bytes),
    }
}

/// The same for a varint that is near the end of its message.
#[inline(never)]
fn slow_number(op: Op, bytes: &[u8]) -> Option<(u64, &[u8])> {
    if matches!(op, Op::Fixed32 | Op::Fixed64) {
        return None;
    }
    let mut reader = Reader::new(bytes);
    let value = reader.varint().ok()?;
    Some((op.of_varint(value), reader.rest()))
}

/// A length, that many bytes, and the bytes after them.
#[inline]
fn prefixed_of(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    match prefixed(bytes) {
        Some(found) => Some(found),
        None => long(bytes),
    }
}

#[cold]
#[inline(never)]
fn long(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut reader = Reader::new(bytes);
    let long = reader.len_prefixed().ok()?;
    Some((long, reader.rest()))
}

/// Reads a packed run into words.
///
/// # Errors
/// It is malformed.
pub(super) fn read_run(row: &Row, run: &[u8], words: &mut Vec<u64>) -> Result<()> {
    let len = match row.kind.wire_type() {
        WireType::Fixed32 => run.len() / 4,
        WireType::Fixed64 => run.len() / 8,
        _ => count(run),
    };
    if words.capacity() < len {
        *words = vec![0; len];
    } else {
        words.clear();
        words.resize(len, 0);
    }
    packed::read(row.kind, Reader::new(run), words).map_err(|(_, error)| error)
}

/// The word of an element of a list, and the bytes after it and after the tag of the next one, if there are more.
#[inline(never)]
pub(super) fn element<'de>(
    input: &'de [u8],
    row: &Row,
    bytes: &'de [u8],
    more: bool,
) -> Option<(u64, &'de [u8])> {
    let (word, rest) = match Op::element(row) {
        Op::String | Op::Vec | Op::Message => {
            let (text, rest) = prefixed_of(bytes)?;
            (range(input, text), rest)
        }
        op => number_of(op, bytes)?,
    };
    Some((word, if more { accept(rest, row)? } else { rest }))
}

/// Bytes that are malformed in some way: `decode` says in which.
#[cold]
pub(super) fn malformed() -> Error {
    Error::ty("the bytes are malformed")
}
