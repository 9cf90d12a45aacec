//! The wire format, written field by field in the order in which serde gives the members of messages.
//!
//! At the end of a message its fields are sorted by their numbers, if they came in another order. Bytes cannot take back
//! the first of two values of a field: then the caller decodes the message into an arena.

use crate::error::{Error, LimitError, Result};
use crate::table::{Kind, Row, Table};
use crate::wire::{Buffer, Reader, Tag, WireType, WriteCursor, put_varint, zigzag32, zigzag64};

/// Longer texts are copied by `Vec`.
pub(super) const LONG: usize = 4096;

/// Groups in bytes that were written here, or checked before, are not too deep.
const DEPTH: u32 = u32::MAX;

/// The bytes of a message and of those in it that are open.
#[derive(Debug)]
pub(super) struct Direct {
    out: WriteCursor<Buffer>,
    /// A bit for each field of the open messages from the 64th on: it was written.
    more_bits: Vec<u64>,
    /// How many bytes the last length took, as a guess at the next.
    reserve: u8,
}

/// A message that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// A bit for each of the first 63 fields: it was written. The highest bit: something was written that comes after
    /// these.
    bits: u64,
    /// Where the bits of the others start.
    more_bits: u32,
    /// The group that it is, or 0.
    group: u32,
    /// Where its fields start.
    start: usize,
    /// How many bytes are reserved for its length; none for the outermost message and for groups.
    reserved: u8,
    is_unsorted: bool,
    /// The row from the 64th on that was written last.
    last: u16,
}

/// The highest bit of a frame.
const LATER: u64 = 1 << 63;

/// A list of packed numbers or the entry of a map that is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    start: usize,
    /// How many bytes are reserved for its length.
    reserved: u8,
}

impl Default for Direct {
    fn default() -> Self {
        Direct { out: WriteCursor::of(Vec::new()), more_bits: Vec::new(), reserve: 1 }
    }
}

impl Frame {
    /// Notes that a field in no oneof is written next; false if it may have been written before, or something that
    /// comes after it, or if it has no bit.
    #[inline]
    pub(super) fn mark_next(&mut self, row: &Row) -> bool {
        if row.bit <= self.bits {
            return false;
        }
        self.bits |= row.bit;
        true
    }

    /// The same for a field that comes before one that was written; false if it may have been written, too.
    #[inline]
    pub(super) fn mark_before(&mut self, row: &Row) -> bool {
        if row.bit & !self.bits == 0 {
            return false;
        }
        self.bits |= row.bit;
        self.is_unsorted = true;
        true
    }

    /// The fields that were written.
    #[inline]
    pub(super) fn bits(&self) -> u64 {
        self.bits
    }

    /// A message that is not written here.
    pub(super) fn full() -> Self {
        Frame::new(0, 0).filled()
    }

    /// The same message, with all bits set.
    pub(super) fn filled(self) -> Self {
        Frame { bits: u64::MAX, ..self }
    }

    /// The same message, with all of its fields in order.
    pub(super) fn in_order(self) -> Frame {
        Frame { is_unsorted: false, ..self }
    }

    fn new(more_bits: usize, start: usize) -> Self {
        let more_bits = more_bits as u32;
        Frame { bits: 0, more_bits, group: 0, start, reserved: 0, is_unsorted: false, last: 0 }
    }
}

impl Direct {
    /// Begins the outermost message.
    #[inline]
    pub(super) fn root(&mut self, table: &Table) -> Frame {
        self.out = WriteCursor::of(Vec::with_capacity(table.learned_size()));
        self.more_bits.clear();
        self.frame(table)
    }

    /// Begins the message in a field.
    #[inline]
    pub(super) fn open(&mut self, row: &Row, table: &Table) -> Frame {
        if row.kind != Kind::Group {
            return self.open_message(row, table);
        }
        self.out.put_short(row.tag_bytes, row.tag_len);
        Frame { group: row.number, ..self.frame(table) }
    }

    /// The same, for one that is not a group.
    #[inline]
    pub(super) fn open_message(&mut self, row: &Row, table: &Table) -> Frame {
        let reserved = self.open_length(row);
        Frame { reserved, ..self.frame(table) }
    }

    /// An empty message at the end of the bytes.
    #[inline]
    fn frame(&mut self, table: &Table) -> Frame {
        let more_bits = self.more_bits.len();
        if table.rows.len() > 63 {
            self.more_bits.resize(more_bits + more_words(table), 0);
        }
        Frame::new(more_bits, self.out.len())
    }

    /// Ends a message.
    ///
    /// # Errors
    /// It is longer than any reader accepts.
    #[inline]
    pub(super) fn close(&mut self, frame: &Frame, table: &Table) -> Result<()> {
        if !frame.is_unsorted && table.rows.len() <= 63 {
            match (frame.reserved, frame.group) {
                (1, _) => return self.close_length(frame.start, 1),
                (0, 0) => return check(self.out.len()),
                _ => {}
            }
        }
        self.close_any(frame, table)
    }

    #[inline(never)]
    fn close_any(&mut self, frame: &Frame, table: &Table) -> Result<()> {
        if frame.is_unsorted {
            self.sort(frame, table)?;
        }
        self.more_bits.truncate(frame.more_bits as usize);
        match (frame.reserved, frame.group) {
            (0, 0) => check(self.out.len()),
            (0, group) => {
                self.out.put_varint(u64::from(Tag::new(group, WireType::EndGroup).value()));
                Ok(())
            }
            (reserved, _) => self.close_length(frame.start, reserved),
        }
    }

    /// True if a field was written.
    #[inline]
    pub(super) fn is_set(&self, frame: &Frame, row: &Row) -> bool {
        match row.bit {
            0 => self.more_bits[more_bit(frame, row).0] & more_bit(frame, row).1 != 0,
            bit => frame.bits & bit != 0,
        }
    }

    /// Notes that a field is written next; false if bytes cannot say so, because it was written before, or another field
    /// of its oneof.
    #[inline(never)]
    pub(super) fn mark(&mut self, frame: &mut Frame, table: &Table, row: &Row) -> bool {
        if row.oneof.is_some() && self.has_sibling(frame, table, row) || self.is_set(frame, row) {
            return false;
        }
        if row.bit == 0 {
            let (word, bit) = more_bit(frame, row);
            self.more_bits[word] |= bit;
            frame.is_unsorted |= row.index < frame.last;
            frame.last = row.index;
            frame.bits |= LATER;
        } else {
            frame.is_unsorted |= row.bit < frame.bits;
            frame.bits |= row.bit;
        }
        true
    }

    #[inline(never)]
    fn has_sibling(&self, frame: &Frame, table: &Table, row: &Row) -> bool {
        let oneof = row.oneof.and_then(|oneof| table.oneofs.get(usize::from(oneof)));
        let rows = oneof.map_or(&[][..], |oneof| &oneof.rows);
        rows.iter().any(|&other| self.is_set(frame, &table.rows[usize::from(other)]))
    }

    /// Adds unknown fields to a message; false if one of them is not unknown, so that it would be taken for a field of the schema.
    ///
    /// # Errors
    /// All is longer than any reader accepts.
    pub(super) fn unknown(&mut self, frame: &mut Frame, table: &Table, bytes: &[u8]) -> Result<bool> {
        let mut reader = Reader::new(bytes);
        while !reader.is_empty() {
            let tag = reader.tag()?;
            reader.skip(tag, DEPTH)?;
            if table.row(tag.number()).is_some() {
                return Ok(false);
            }
        }
        (frame.last, frame.bits) = (u16::MAX, frame.bits | LATER);
        self.append(|out| out.extend_from_slice(bytes));
        check(self.out.len()).map(|()| true)
    }

    /// Writes a number, bool or enum of a kind after as many bytes of the field's tag.
    #[inline]
    pub(super) fn scalar(&mut self, row: &Row, kind: Kind, tag_len: u8, bits: u64) {
        let varint = match kind {
            Kind::Int32 | Kind::Enum => i64::from(bits as i32) as u64,
            Kind::SInt32 => u64::from(zigzag32(bits as i32)),
            Kind::SInt64 => zigzag64(bits as i64),
            Kind::Float | Kind::Fixed32 | Kind::SFixed32 => {
                return self.out.put_short_and(row.tag_bytes, tag_len, (bits as u32).to_le_bytes());
            }
            Kind::Double | Kind::Fixed64 | Kind::SFixed64 => {
                return self.out.put_short_and(row.tag_bytes, tag_len, bits.to_le_bytes());
            }
            _ => bits,
        };
        self.out.put_short_and_varint(row.tag_bytes, tag_len, varint);
    }

    /// Writes a string or byte string after its tag.
    ///
    /// # Errors
    /// All is longer than any reader accepts.
    #[inline]
    pub(super) fn text(&mut self, row: &Row, bytes: &[u8]) -> Result<()> {
        if bytes.len() > LONG {
            return self.long_text(row, bytes);
        }
        self.short_text(row, bytes);
        Ok(())
    }

    /// The same, where it is not too long.
    #[inline]
    pub(super) fn short_text(&mut self, row: &Row, bytes: &[u8]) {
        self.out.put_short_and_slice(row.tag_bytes, row.tag_len, bytes);
    }

    #[inline(never)]
    fn long_text(&mut self, row: &Row, bytes: &[u8]) -> Result<()> {
        // Memory is not spent on what is too long.
        check(self.out.len().saturating_add(bytes.len()))?;
        self.out.put_short_and_varint(row.tag_bytes, row.tag_len, bytes.len() as u64);
        self.out.with(|buf| buf.vec().extend_from_slice(bytes));
        Ok(())
    }

    /// Begins a list of packed numbers, or the entry of a map.
    #[inline]
    pub(super) fn open_run(&mut self, row: &Row) -> Run {
        let reserved = self.open_length(row);
        Run { start: self.out.len(), reserved }
    }

    /// Ends it.
    ///
    /// # Errors
    /// As [`close`](Self::close).
    #[inline]
    pub(super) fn close_run(&mut self, run: Run) -> Result<()> {
        self.close_length(run.start, run.reserved)
    }

    /// What was written of it so far.
    pub(super) fn written(&mut self, run: Run) -> Vec<u8> {
        self.append(|out| out[run.start..].to_vec())
    }

    #[inline]
    fn open_length(&mut self, row: &Row) -> u8 {
        // The bytes that are not reserved are written over.
        let reserved = self.reserve.min(3);
        self.out.put_words([(u64::from_le_bytes(row.tag_bytes), row.tag_len), (0, reserved)]);
        reserved
    }

    #[inline]
    fn close_length(&mut self, start: usize, reserved: u8) -> Result<()> {
        let len = self.out.len() - start;
        if reserved == 1 && len < 0x80 {
            self.out.set(start - 1, len as u8);
            self.reserve = 1;
            return Ok(());
        }
        self.close_long(start, reserved)
    }

    #[inline(never)]
    fn close_long(&mut self, start: usize, reserved: u8) -> Result<()> {
        let (len, reserved) = (self.out.len() - start, usize::from(reserved));
        check(len)?;
        let mut length = [0; 10];
        let took = put_varint(&mut length, len as u64);
        let at = start - reserved;
        self.out.with(|buf| {
            let bytes = buf.vec();
            if took > reserved {
                bytes.resize(bytes.len() + took - reserved, 0);
            }
            if took != reserved {
                bytes.copy_within(start..start + len, at + took);
                bytes.truncate(at + took + len);
            }
            bytes[at..at + took].copy_from_slice(&length[..took]);
        });
        self.reserve = took as u8;
        Ok(())
    }

    /// Puts the fields of a message in the order of their numbers; unknown fields are last.
    #[inline(never)]
    fn sort(&mut self, frame: &Frame, table: &Table) -> Result<()> {
        match frame.bits < LATER {
            true => self.append(|out| sort_by_bits(out, frame, table)),
            false => self.append(|out| sort(out, frame, table)),
        }
    }

    /// Takes back the content of a message that is open, and its bits.
    pub(super) fn take_body(&mut self, frame: &Frame) -> Vec<u8> {
        self.more_bits.truncate(frame.more_bits as usize);
        self.append(|out| out.split_off(frame.start))
    }

    /// Appends bytes to the message that is open, or changes it.
    pub(super) fn append<R>(&mut self, append: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        self.out.with(|buf| append(buf.vec()))
    }

    /// How many bytes there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.out.len()
    }

    /// Takes back what was written to a message after so many bytes: the value of a field, or a part of it.
    #[cold]
    pub(super) fn back_to(&mut self, frame: &mut Frame, table: &Table, len: usize, row: Option<&Row>) {
        let was_written = self.out.len() > len;
        self.more_bits.truncate(frame.more_bits as usize + more_words(table));
        match row {
            Some(row) if was_written && row.bit == 0 => {
                self.more_bits[more_bit(frame, row).0] &= !more_bit(frame, row).1;
            }
            Some(row) if was_written => frame.bits &= !row.bit,
            _ => {}
        }
        self.append(|out| out.truncate(len));
    }

    /// Takes the bytes of the whole message.
    #[inline]
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.append(std::mem::take)
    }
}

/// Sorts the fields of a message that has none of those from the 64th on, and no unknown ones: each is one range of bytes,
/// as all elements of a list are written together.
fn sort_by_bits(out: &mut Vec<u8>, frame: &Frame, table: &Table) -> Result<()> {
    let mut ranges = [(0, 0); 63];
    let mut reader = Reader::new(&out[frame.start..]);
    while !reader.is_empty() {
        let (start, tag) = (reader.position(), reader.tag()?);
        reader.skip(tag, DEPTH)?;
        if let Some(range) = table.numbers.get(tag.number()).and_then(|index| ranges.get_mut(index)) {
            *range = (if range.1 == 0 { start } else { range.0 }, reader.position());
        }
    }
    let end = out.len();
    let (mut bits, mut run) = (frame.bits, 0..0);
    while bits != 0 {
        let (from, to) = ranges[bits.trailing_zeros() as usize];
        bits &= bits - 1;
        // Fields that follow each other already are copied at once.
        if from == run.end {
            run.end = to;
            continue;
        }
        out.extend_from_within(frame.start + run.start..frame.start + run.end);
        run = from..to;
    }
    out.extend_from_within(frame.start + run.start..frame.start + run.end);
    out.copy_within(end.., frame.start);
    out.truncate(end);
    Ok(())
}

/// Sorts the fields of any message.
fn sort(out: &mut [u8], frame: &Frame, table: &Table) -> Result<()> {
    let bytes = &mut out[frame.start..];
    let mut fields = Vec::with_capacity(32);
    let mut reader = Reader::new(bytes);
    while !reader.is_empty() {
        let (start, tag) = (reader.position(), reader.tag()?);
        reader.skip(tag, DEPTH)?;
        let index = table.numbers.get(tag.number()).unwrap_or(usize::MAX);
        fields.push((index, start, reader.position()));
    }
    // By position too, so that the elements of a list stay in order.
    fields.sort_unstable();
    let mut sorted = Vec::with_capacity(bytes.len());
    fields.iter().for_each(|&(_, start, end)| sorted.extend_from_slice(&bytes[start..end]));
    bytes.copy_from_slice(&sorted);
    Ok(())
}

/// How many words have the bits of the fields from the 64th on.
fn more_words(table: &Table) -> usize {
    table.rows.len().saturating_sub(63).div_ceil(64)
}

/// The word and the bit of a field from the 64th on.
fn more_bit(frame: &Frame, row: &Row) -> (usize, u64) {
    let index = usize::from(row.index) - 63;
    (frame.more_bits as usize + index / 64, 1 << (index % 64))
}

/// Fails for lengths that no reader accepts.
fn check(len: usize) -> Result<()> {
    match len > i32::MAX as usize {
        true => Err(Error::limit(LimitError::Length(len as u64))),
        false => Ok(()),
    }
}
