//! Decides, without decoding a message, whether the message can be decoded later without an error.
//!
//! The answer is yes only for input that is certain to decode. The answer is no for malformed bytes, strings that are not
//! UTF-8, missing required fields and exceeded limits. The decoder then reads the message at once, and finds the exact error.
//! The answer is also no for some valid forms: groups, fields with another wire type, and values that a Rust type may reject.
//! The functions that read fields return `None` if the answer is no.

use crate::table::{Form, Row, Table};
use crate::wire::{HIGH, Reader, Tag, WireType, quick_varint, utf8};
use std::any::Any;

/// The largest number of levels that the check follows. It is limited, because the check recurses. The decoder reads deeper
/// messages at once.
const LEVELS: u32 = 100;

/// The check in the form that the functions of a lazy message or list store: a [`Levels`] as `Any`.
pub(crate) const CHECK: &(dyn Any + Send + Sync) = &Levels(levels);

/// Wraps the function [`levels`], so that it can be stored as `Any`. Only lazy fields call it.
pub(super) struct Levels(pub(super) fn(&Table, &[u8], u32, &mut u64) -> Option<u32>);

/// Counts the levels of messages in a message, including the message itself. Returns `None` if only decoding can decide
/// whether the message is valid.
///
/// `left` is the largest allowed number of levels. The function subtracts the size of the structs from `memory`, unless the
/// result is `None`.
fn levels(table: &Table, bytes: &[u8], left: u32, memory: &mut u64) -> Option<u32> {
    let mut check = Check { memory: *memory };
    let levels = check.message(table, bytes, left.min(LEVELS))?;
    *memory = check.memory;
    Some(levels)
}

struct Check {
    memory: u64,
}

impl Check {
    fn message(&mut self, table: &Table, mut rest: &[u8], left: u32) -> Option<u32> {
        let left = left.checked_sub(1)?;
        self.memory = self.memory.checked_sub(u64::from(table.size))?;
        let (mut seen, mut below) = (0, 0);
        let mut expected = 0;
        while !rest.is_empty() {
            // The next field usually has the row that was last found, or the row after it.
            let found = match rest.first_chunk() {
                Some(word) => expect(table, &mut expected, u32::from_le_bytes(*word)),
                None => None,
            };
            let levels;
            (levels, rest) = match found {
                Some(row) => {
                    seen |= row.bit;
                    self.value(row, rest.get(usize::from(row.tag_len)..)?, left)?
                }
                None => {
                    let (tag, value) = tag(rest)?;
                    match table.numbers.get(tag.number()) {
                        // In a message set, a field without a row may be an item of the set.
                        None if table.message_set => return None,
                        None => (0, after(tag.wire_type(), value)?),
                        Some(index) => {
                            let row = &table.rows[index];
                            (expected, seen) = (index, seen | row.bit);
                            self.tagged(row, tag, value, left)?
                        }
                    }
                }
            };
            below = below.max(levels);
        }
        (seen & table.required_bits == table.required_bits).then_some(below + 1)
    }

    /// Counts the levels of messages in the value after a tag. Returns the number of levels, and the bytes after the value.
    fn tagged<'i>(&mut self, row: &Row, tag: Tag, value: &'i [u8], left: u32) -> Option<(u32, &'i [u8])> {
        if tag.value() == row.tag {
            return self.value(row, value, left);
        }
        // The field is packed although the schema declares it unpacked, or the reverse.
        if row.form == Form::Any || !row.takes(tag) {
            return None;
        }
        let after = match (tag.wire_type(), row.form) {
            (WireType::Len, Form::Varint) => valid_content(value, are_varints)?,
            (WireType::Len, Form::Four) => valid_content(value, |content| content.len().is_multiple_of(4))?,
            (WireType::Len, Form::Eight) => valid_content(value, |content| content.len().is_multiple_of(8))?,
            (wire_type, _) => after(wire_type, value)?,
        };
        Some((0, after))
    }

    /// Counts the levels of messages in the value after the declared tag of a field. Returns the number of levels, and the
    /// bytes after the value.
    #[inline]
    fn value<'i>(&mut self, row: &Row, value: &'i [u8], left: u32) -> Option<(u32, &'i [u8])> {
        let after = match row.form {
            Form::Varint => varint(value)?.1,
            Form::Four => value.get(4..)?,
            Form::Eight => value.get(8..)?,
            Form::Bytes => content(value)?.1,
            Form::Text => valid_content(value, |content| utf8(content).is_ok())?,
            Form::Varints => valid_content(value, are_varints)?,
            Form::Fours => valid_content(value, |content| content.len().is_multiple_of(4))?,
            Form::Eights => valid_content(value, |content| content.len().is_multiple_of(8))?,
            Form::Message => {
                let (content, after) = content(value)?;
                return Some((self.message(row.message().ok()?, content, left)?, after));
            }
            Form::Entry => {
                let (content, after) = content(value)?;
                return Some((self.entry(row, content, left)?, after));
            }
            Form::Any => return None,
        };
        Some((0, after))
    }

    fn entry(&mut self, row: &Row, mut rest: &[u8], left: u32) -> Option<u32> {
        let rows = row.map();
        let mut below = 0;
        while !rest.is_empty() {
            let (tag, value) = tag(rest)?;
            let row = [&rows.key, &rows.value].into_iter().find(|row| row.tag == tag.value())?;
            let levels;
            (levels, rest) = self.value(row, value, left.saturating_sub(1))?;
            below = below.max(levels);
        }
        // If the entry has no value, the value is an empty message, which is one level.
        if rows.value.is_message() && below == 0 {
            below = self.message(rows.value.message().ok()?, &[], left.saturating_sub(1))?;
        }
        // The map entry is itself a message, so it counts as a level, too.
        Some(if below == 0 { 0 } else { below + 1 })
    }
}

/// Returns the row that has the tag in `word`, and sets `*expected` to its index. Returns `None` if this is neither the row
/// with the index `*expected` nor the row after it.
#[inline]
fn expect<'t>(table: &'t Table, expected: &mut usize, word: u32) -> Option<&'t Row> {
    let is_at = |index: usize| table.rows.get(index).filter(|row| word & row.tag_mask == row.tag_word);
    if let Some(row) = is_at(*expected) {
        return Some(row);
    }
    let row = is_at(*expected + 1)?;
    *expected += 1;
    Some(row)
}

/// Reads a length prefix and its payload. If `is_valid` accepts the payload, returns the bytes after it.
#[inline]
fn valid_content(value: &[u8], is_valid: impl FnOnce(&[u8]) -> bool) -> Option<&[u8]> {
    let (content, after) = content(value)?;
    is_valid(content).then_some(after)
}

fn are_varints(mut content: &[u8]) -> bool {
    while !content.is_empty() {
        content = match content.split_first_chunk() {
            // The eight bytes of the word are eight varints of one byte each.
            Some((word, rest)) if u64::from_le_bytes(*word) & HIGH == 0 => rest,
            _ => match varint(content) {
                Some((_, rest)) => rest,
                None => return false,
            },
        };
    }
    true
}

fn tag(bytes: &[u8]) -> Option<(Tag, &[u8])> {
    let mut reader = Reader::new(bytes);
    let tag = reader.tag().ok()?;
    Some((tag, reader.rest()))
}

#[inline]
fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    match quick_varint(bytes) {
        None => long_varint(bytes),
        read => read,
    }
}

/// Reads a varint of any length. This is the slow path for a varint near the end of its message.
#[cold]
fn long_varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut reader = Reader::new(bytes);
    let value = reader.varint().ok()?;
    Some((value, reader.rest()))
}

/// Reads a length prefix. Returns the payload, and the bytes after it.
#[inline]
fn content(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = varint(bytes)?;
    rest.split_at_checked(usize::try_from(len).ok()?)
}

/// Returns the bytes after a value that is not a group.
fn after(wire_type: WireType, value: &[u8]) -> Option<&[u8]> {
    match wire_type {
        WireType::Varint => varint(value).map(|(_, rest)| rest),
        WireType::Fixed64 => value.get(8..),
        WireType::Len => content(value).map(|(_, rest)| rest),
        WireType::Fixed32 => value.get(4..),
        _ => None,
    }
}
