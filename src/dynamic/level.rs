//! The fields of one message as words, found in its bytes without an arena: for serde's own derives, which ask for each
//! member once.
//!
//! It is for messages as they are mostly written. Where fields are repeated or malformed, it declines: `decode`
//! knows what such bytes mean, and the errors.

use super::decode::{accept, field_of, number, of_varint, prefixed};
use super::held::{Held, MessageHeld};
use super::packed;
use crate::error::{Error, Result};
use crate::table::{OneofRow, Op, Row, Table};
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

    /// Finds the fields, if nothing is unusual about them. Only rows with the `wanted` bits will be asked for;
    /// `depth` levels of messages may be opened in the message.
    #[inline(never)]
    pub(crate) fn find(&mut self, wanted: u64, depth: u32) -> Option<()> {
        let (table, input, mut rest) = (self.message.table(), self.message.input()?, self.message.bytes()?);
        let words = match self.few.get_mut(..table.rows.len()) {
            Some(few) => few,
            None => {
                self.many = vec![0; table.rows.len()];
                &mut self.many[..]
            }
        };
        let (mut received, mut packed, mut oneofs) = (0u64, 0u64, 0u64);
        while !rest.is_empty() {
            let Some((index, tag, value)) = field_of(table, rest) else {
                rest = unknown(table, rest, depth)?;
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
            if wanted & row.bit == 0 {
                rest = unwanted(row, value)?;
                continue;
            }
            let found = found(table, input, row, tag, value)?;
            packed |= if found.packed { row.bit } else { 0 };
            *word = found.word;
            rest = found.rest;
        }
        (self.received, self.packed) = (received, packed);
        (received & table.required_bits == table.required_bits).then_some(())
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

/// The fields of a message, in the order of their numbers.
pub(crate) struct Cursor<'de> {
    input: &'de [u8],
    /// What is left of the message.
    at: usize,
    end: usize,
    /// The bits of the rows that were received.
    received: u64,
    /// The bit of the row that is next, if it is known.
    ahead: u64,
    /// Levels of messages that may be opened in the message.
    depth: u32,
    /// There was a field of a row before the last one.
    pub(crate) is_unordered: bool,
}

impl<'de> Cursor<'de> {
    /// At the start of a message.
    #[inline]
    pub(crate) fn new(message: &MessageHeld<'_, 'de>, depth: u32) -> Self {
        let (at, end) = message.range().unwrap_or_default();
        Cursor { input: message.input().unwrap_or_default(), at, end, received: 0, ahead: 0, depth, is_unordered: false }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rest(&self) -> &'de [u8] {
        self.input.get(self.at..self.end).unwrap_or_default()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    /// The value of a field, after those of the rows before it.
    ///
    /// # Errors
    /// There is one of a row before it, or it is malformed.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn take<'a>(&mut self, message: &MessageHeld<'a, 'de>, row: &'a Row) -> Result<Held<'a, 'de>> {
        if row.bit < self.ahead {
            return Ok(message.absent(row));
        }
        let rest = self.rest();
        let (tag, value) = match accept(rest, row) {
            Some(value) => (row.tag, value),
            None if self.is_at_end() => return Ok(message.absent(row)),
            None => match self.next_of(message.table(), row.bit)? {
                Some((_, tag)) => (tag, self.rest()),
                None => return Ok(message.absent(row)),
            },
        };
        self.take_value(message, row, tag, value)
    }

    /// The value of a field of a oneof, after those of the rows before all of them.
    ///
    /// # Errors
    /// As [`take`](Self::take).
    pub(crate) fn take_one<'a>(
        &mut self,
        message: &MessageHeld<'a, 'de>,
        oneof: &OneofRow,
    ) -> Result<Option<Held<'a, 'de>>> {
        let table = message.table();
        let bits = oneof.rows.iter().fold(0, |all, &row| all | table.rows[usize::from(row)].bit);
        if bits < self.ahead {
            return Ok(None);
        }
        match self.next_of(table, bits)? {
            Some((index, tag)) => self.take_value(message, &table.rows[index], tag, self.rest()).map(Some),
            None => Ok(None),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take_value<'a>(
        &mut self,
        message: &MessageHeld<'a, 'de>,
        row: &'a Row,
        tag: u32,
        value: &'de [u8],
    ) -> Result<Held<'a, 'de>> {
        match found(message.table(), self.input, row, tag, value) {
            Some(found) => {
                self.at = self.end - found.rest.len();
                self.received |= row.bit;
                Ok(message.value(row, found.word, found.packed))
            }
            None => Err(malformed()),
        }
    }

    /// Takes the tag of one of the rows with these bits, if it is next; returns its index and the tag. Nothing if the next
    /// field is of a row after them.
    #[inline(never)]
    fn next_of(&mut self, table: &Table, bits: u64) -> Result<Option<(usize, u32)>> {
        loop {
            let rest = self.rest();
            match field_of(table, rest) {
                Some((index, tag, value)) => {
                    let bit = table.rows[index].bit;
                    if bit & bits != 0 {
                        self.at = self.end - value.len();
                        return Ok(Some((index, tag)));
                    }
                    if bit > bits {
                        self.ahead = bit;
                        return Ok(None);
                    }
                    self.is_unordered = true;
                    return Err(malformed());
                }
                None if rest.is_empty() => return Ok(None),
                None => match unknown(table, rest, self.depth) {
                    Some(rest) => self.at = self.end - rest.len(),
                    None => return Err(malformed()),
                },
            }
        }
    }

    /// True if nothing is left, and no required field is missing.
    #[inline]
    pub(crate) fn is_whole(&mut self, table: &Table) -> bool {
        if !self.is_at_end() {
            self.pass(table);
        }
        self.is_unordered |= !self.is_at_end();
        self.is_at_end() && self.received & table.required_bits == table.required_bits
    }

    /// Passes over fields that the message does not have.
    #[cold]
    #[inline(never)]
    fn pass(&mut self, table: &Table) {
        while let Some(rest) = unknown(table, self.rest(), self.depth) {
            self.at = self.end - rest.len();
        }
    }
}

/// A value that was found.
struct Found<'de> {
    word: u64,
    /// It is a packed list.
    packed: bool,
    rest: &'de [u8],
}

/// True for values that may be malformed though where they end is known.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn is_unread(row: &Row) -> bool {
    matches!(row.op, Op::String | Op::Message | Op::List | Op::Map)
}

/// Finds the value of a field after its tag, and the bytes after it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn found<'de>(table: &Table, input: &'de [u8], row: &Row, tag: u32, value: &'de [u8]) -> Option<Found<'de>> {
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
            if row.closed && !row.enumeration().contains(word as i32) {
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
            let (word, left) = list(input, row, value)?;
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
fn unwanted<'de>(row: &Row, value: &'de [u8]) -> Option<&'de [u8]> {
    match row.op {
        Op::String => {
            let (text, rest) = prefixed_of(value)?;
            std::str::from_utf8(text).ok()?;
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
#[cfg_attr(not(debug_assertions), inline(always))]
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

/// The bytes after a field that the message does not have, where `depth` levels of groups may be opened.
#[cold]
#[inline(never)]
fn unknown<'de>(table: &Table, bytes: &'de [u8], depth: u32) -> Option<&'de [u8]> {
    let mut reader = Reader::new(bytes);
    let tag = reader.tag().ok()?;
    table.numbers.get(tag.number()).is_none().then_some(())?;
    reader.skip(tag, depth).ok()?;
    Some(reader.rest())
}

/// The word of a number and the bytes after it.
#[cfg_attr(not(debug_assertions), inline(always))]
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
#[cfg_attr(not(debug_assertions), inline(always))]
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
    list: &Held<'_, 'de>,
    bytes: &'de [u8],
    more: bool,
) -> Option<(u64, &'de [u8])> {
    let row = list.row();
    let (word, rest) = match Op::element(row) {
        Op::String | Op::Vec | Op::Message => {
            let (text, rest) = prefixed_of(bytes)?;
            (range(list.input()?, text), rest)
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
