//! The fields of one message as words, found in its bytes without an arena: for serde's own derives, which ask for each
//! member once.
//!
//! It is for messages as they are mostly written. Where fields are repeated or malformed, it declines: `decode`
//! knows what such bytes mean, and the errors.

use super::decode::{accept, field_of, number, of_varint, prefixed};
use super::held::{Held, MessageHeld};
use super::packed;
use crate::error::{Error, Result};
use crate::table::{Op, Row, Table};
use crate::wire::packed::count;
use crate::wire::{Reader, WireType};

/// Messages with no more fields than this need no memory for their words.
const FEW: usize = 16;

/// The fields of a message.
pub(crate) struct Level<'a, 'de> {
    message: &'a MessageHeld<'a, 'de>,
    /// The bits of the rows that were received, and of those that were packed.
    received: u64,
    packed: u64,
    few: [u64; FEW],
    many: Vec<u64>,
}

impl<'a, 'de> Level<'a, 'de> {
    /// Nothing of a message.
    #[inline]
    pub(crate) fn new(message: &'a MessageHeld<'a, 'de>) -> Self {
        Level { message, received: 0, packed: 0, few: [0; FEW], many: Vec::new() }
    }

    /// Finds the fields, and returns how many of them are yet to be read, because they may be malformed. Only rows with the
    /// `wanted` bits will be asked for.
    #[inline(never)]
    pub(crate) fn find(&mut self, wanted: u64) -> Option<u32> {
        let (table, input, mut rest) = (self.message.table(), self.message.input()?, self.message.bytes()?);
        let words = match self.few.get_mut(..table.rows.len()) {
            Some(few) => few,
            None => {
                self.many = vec![0; table.rows.len()];
                &mut self.many[..]
            }
        };
        let (mut received, mut packed, mut oneofs, mut unread) = (0u64, 0u64, 0u64, 0u32);
        while !rest.is_empty() {
            let Some((index, tag, value)) = field_of(table, rest) else {
                rest = unknown(table, rest)?;
                continue;
            };
            let (row, word) = (&table.rows[index], words.get_mut(index)?);
            if received & row.bit != 0 {
                return None;
            }
            received |= row.bit;
            if let Some(oneof) = row.oneof {
                let bit = 1u64.checked_shl(u32::from(oneof))?;
                if oneofs & bit != 0 {
                    return None;
                }
                oneofs |= bit;
            }
            // What is not asked for must be valid all the same.
            let is_wanted = wanted & row.bit != 0;
            match row.op {
                Op::String | Op::Vec | Op::Message => {
                    let (text, after) = prefixed_of(value)?;
                    if row.op != Op::Vec {
                        let is_valid =
                            is_wanted || row.op == Op::String && std::str::from_utf8(text).is_ok();
                        is_valid.then_some(())?;
                        unread += u32::from(is_wanted);
                    }
                    *word = range(input, text);
                    rest = after;
                }
                Op::List if is_wanted && !row.closed => {
                    unread += 1;
                    let is_packed = row.other_tag != 0 && tag & 7 == WireType::Len as u32;
                    packed |= if is_packed { row.bit } else { 0 };
                    let (found, left) = if is_packed { run(input, row, value)? } else { list(input, row, value)? };
                    *word = found;
                    rest = value.get(value.len() - left..)?;
                }
                // Without the required fields beside it a map cannot be decoded alone.
                Op::Map if is_wanted && table.required.is_empty() => {
                    unread += 1;
                    let left = entries(row, value)?;
                    *word = range(input, rest.get(..rest.len() - left)?);
                    rest = value.get(value.len() - left..)?;
                }
                Op::List | Op::Map | Op::Group => return None,
                op => {
                    (*word, rest) = number_of(op, value)?;
                    if row.closed && !row.enumeration().contains(*word as i32) {
                        return None;
                    }
                }
            }
        }
        (self.received, self.packed) = (received, packed);
        (received & table.required_bits == table.required_bits).then_some(unread)
    }

    /// The value of a field.
    #[inline]
    pub(crate) fn get(&self, row: &'a Row) -> Held<'a, 'de> {
        if self.received & row.bit == 0 {
            return self.message.absent(row);
        }
        let index = usize::from(row.index);
        let words = if self.many.is_empty() { &self.few[..] } else { &self.many };
        let word = words.get(index).copied().unwrap_or_default();
        self.message.value(row, word, self.packed & row.bit != 0)
    }
}

/// The word of some bytes of the input.
#[inline(always)]
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
fn list(input: &[u8], row: &Row, value: &[u8]) -> Option<(u64, usize)> {
    let (op, mut rest, mut len) = (Op::element(row), value, 0u64);
    loop {
        rest = match op {
            Op::String | Op::Vec | Op::Message => prefixed_of(rest)?.1,
            op => number_of(op, rest)?.1,
        };
        len += 1;
        match accept(rest, row) {
            Some(after) => rest = after,
            None => return Some((range(input, value) as u32 as u64 | len << 32, rest.len())),
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

/// The bytes after a field that the message does not have.
#[cold]
#[inline(never)]
fn unknown<'de>(table: &Table, bytes: &'de [u8]) -> Option<&'de [u8]> {
    let mut reader = Reader::new(bytes);
    let tag = reader.tag().ok()?;
    let is_plain = !matches!(tag.wire_type(), WireType::StartGroup | WireType::EndGroup);
    (is_plain && table.numbers.get(tag.number()).is_none()).then_some(())?;
    reader.skip(tag, 0).ok()?;
    Some(reader.rest())
}

/// The word of a number and the bytes after it.
#[inline(always)]
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
    Some((of_varint(op, value), reader.rest()))
}

/// A length, that many bytes, and the bytes after them.
#[inline(always)]
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
    words.clear();
    words.resize(len, 0);
    packed::read(row.kind, Reader::new(run), words).map_err(|(_, error)| error)
}

/// The word of an element of a list, and the bytes after it and after the tag of the next one.
#[inline(always)]
pub(super) fn element<'de>(
    input: &'de [u8],
    bytes: &'de [u8],
    row: &Row,
    tagged: bool,
) -> Option<(u64, &'de [u8])> {
    let (word, rest) = match Op::element(row) {
        Op::String | Op::Vec | Op::Message => {
            let (text, rest) = prefixed_of(bytes)?;
            (range(input, text), rest)
        }
        op => number_of(op, bytes)?,
    };
    Some((word, if tagged { accept(rest, row)? } else { rest }))
}

/// Bytes that are malformed in some way: `decode` says in which.
#[cold]
pub(super) fn malformed() -> Error {
    Error::ty("the bytes are malformed")
}
