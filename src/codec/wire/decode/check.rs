//! Whether a message can be decoded later without an error, found without decoding it.
//!
//! It answers yes only for what decoding surely takes: malformed bytes, text that is not UTF-8, missing required fields
//! and exceeded limits are found by decoding the message at once, which returns the exact error. So are a few forms that
//! decoding takes: groups, fields under another wire type, and values that a Rust type may refuse.

use crate::layout::Storage;
use crate::object::access;
use crate::table::{Kind, Location, Row, Shape, Table};
use crate::wire::{Reader, Tag, WireType, quick_varint, utf8};

/// Deeper messages are decoded at once: each level takes some of the stack here.
const LEVELS: u32 = 100;

/// The levels of messages in a message, itself included; `None` where only decoding can tell whether it is valid.
///
/// `left` is how many there may be. Its structs are taken off `memory`, which stays as it is where the result is `None`.
pub(super) fn levels(table: &Table, bytes: &[u8], left: u32, memory: &mut u64) -> Option<u32> {
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
        while !rest.is_empty() {
            let (tag, value) = tag(rest)?;
            rest = match table.numbers.get(tag.number()) {
                None => after(tag.wire_type(), value)?,
                Some(index) => {
                    let row = &table.rows[index];
                    seen |= row.bit;
                    let (levels, after) = self.value(row, tag, value, left)?;
                    below = below.max(levels);
                    after
                }
            };
        }
        (seen & table.required_bits == table.required_bits).then_some(below + 1)
    }

    /// The levels of messages in the value of a field, and what comes after it.
    fn value<'i>(&mut self, row: &Row, tag: Tag, value: &'i [u8], left: u32) -> Option<(u32, &'i [u8])> {
        if !row.takes(tag) || !is_plain(row) {
            return None;
        }
        if tag.wire_type() != WireType::Len {
            return Some((0, after(tag.wire_type(), value)?));
        }
        let (content, after) = content(value)?;
        let levels = match row.shape {
            Shape::Map => self.entry(row, content, left)?,
            _ if row.is_message() => self.message(row.message().ok()?, content, left)?,
            _ => {
                is_valid(row.kind, content).then_some(())?;
                0
            }
        };
        Some((levels, after))
    }

    fn entry(&mut self, row: &Row, mut rest: &[u8], left: u32) -> Option<u32> {
        let rows = row.map();
        let mut below = 0;
        while !rest.is_empty() {
            let (tag, value) = tag(rest)?;
            let row = match tag.number() {
                1 => &rows.key,
                2 => &rows.value,
                _ => return None,
            };
            if !row.takes(tag) {
                return None;
            }
            rest = match tag.wire_type() {
                WireType::Len => {
                    let (content, after) = content(value)?;
                    if row.is_message() {
                        below = below.max(self.message(row.message().ok()?, content, left)?);
                    } else if !is_valid(row.kind, content) {
                        return None;
                    }
                    after
                }
                other => after(other, value)?,
            };
        }
        // A value that is absent is an empty message.
        if rows.value.is_message() && below == 0 {
            below = self.message(rows.value.message().ok()?, &[], left)?;
        }
        Some(below)
    }
}

/// True for a field whose Rust type takes every value of the field's kind.
fn is_plain(row: &Row) -> bool {
    let storage = match row.location {
        Location::Member { storage, .. } | Location::Variant { storage, .. } => storage,
        Location::Arena => return false,
    };
    let storage = match storage.leaf() {
        Storage::Map(functions) => functions.value.leaf(),
        leaf => leaf,
    };
    match storage {
        Storage::ClosedEnum(_) => false,
        Storage::Text(functions) if functions.conversion.is_some() => false,
        _ => row.kind != Kind::Bytes || !access::is_string(storage),
    }
}

/// True for valid content of a length-delimited value that is no message: text, or a packed run.
fn is_valid(kind: Kind, mut content: &[u8]) -> bool {
    match kind {
        Kind::String => utf8(content).is_ok(),
        Kind::Bytes => true,
        Kind::Fixed32 | Kind::SFixed32 | Kind::Float => content.len().is_multiple_of(4),
        Kind::Fixed64 | Kind::SFixed64 | Kind::Double => content.len().is_multiple_of(8),
        _ => {
            while !content.is_empty() {
                match varint(content) {
                    Some((_, rest)) => content = rest,
                    None => return false,
                }
            }
            true
        }
    }
}

fn tag(bytes: &[u8]) -> Option<(Tag, &[u8])> {
    let mut reader = Reader::new(bytes);
    let tag = reader.tag().ok()?;
    Some((tag, reader.rest()))
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    if let Some(read) = quick_varint(bytes) {
        return Some(read);
    }
    let mut reader = Reader::new(bytes);
    let value = reader.varint().ok()?;
    Some((value, reader.rest()))
}

/// What comes after a length, up to that length, and the rest.
fn content(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (len, rest) = varint(bytes)?;
    rest.split_at_checked(usize::try_from(len).ok()?)
}

/// What comes after a value that is no group.
fn after(wire_type: WireType, value: &[u8]) -> Option<&[u8]> {
    match wire_type {
        WireType::Varint => varint(value).map(|(_, rest)| rest),
        WireType::Fixed64 => value.get(8..),
        WireType::Len => content(value).map(|(_, rest)| rest),
        WireType::Fixed32 => value.get(4..),
        _ => None,
    }
}
