//! The fields of one message as words, found in its bytes without an arena: for serde's own derives, which ask for each
//! member once.
//!
//! It is for messages as they are mostly written. Where fields are repeated or malformed, it declines: `decode`
//! knows what such bytes mean, and the errors.

use super::decode::{accept, field_of};
use super::held::{Held, MessageHeld};
use super::scan::{found, malformed, unknown, unwanted};
use crate::error::Result;
use crate::table::{OneofRow, Row, Table};

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
            let Some((row, tag, value)) = field_of(table, rest) else {
                rest = unknown(table, rest, depth)?;
                continue;
            };
            let word = words.get_mut(usize::from(row.index))?;
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
        Cursor {
            input: message.input().unwrap_or_default(),
            at,
            end,
            received: 0,
            ahead: 0,
            depth,
            is_unordered: false,
        }
    }

    #[inline]
    fn rest(&self) -> &'de [u8] {
        self.input.get(self.at..self.end).unwrap_or_default()
    }

    #[inline]
    fn is_at_end(&self) -> bool {
        self.at >= self.end
    }

    /// The value of a field, after those of the rows before it.
    ///
    /// # Errors
    /// There is one of a row before it, or it is malformed.
    #[inline]
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

    #[inline]
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
                Some((row, tag, value)) => {
                    let bit = row.bit;
                    if bit & bits != 0 {
                        self.at = self.end - value.len();
                        return Ok(Some((usize::from(row.index), tag)));
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
            self.skip(table);
        }
        self.is_unordered |= !self.is_at_end();
        self.is_at_end() && self.received & table.required_bits == table.required_bits
    }

    /// Skips fields that the message does not have.
    #[cold]
    #[inline(never)]
    fn skip(&mut self, table: &Table) {
        while let Some(rest) = unknown(table, self.rest(), self.depth) {
            self.at = self.end - rest.len();
        }
    }
}
