//! Decodes the wire format directly into an arena.
//!
//! Values of fields go to cells of the arena; strings are stored as ranges of the input. The decoder is fastest if fields are
//! in the order of their numbers. One loop reads the fields; separate functions handle lists, maps and the rare cases.

use crate::error::{Error, LimitError, Result, WireError};
use crate::limits::Limits;
use crate::object::arena::cells::{get, set, set_wide};
use crate::object::arena::scan::{expected, is_utf8, last, number, position, prefixed, range, row_of};
use crate::object::arena::words::{Arena, MAX_CELLS, Offsets, ROOT, root_cells};
use crate::table::{Kind, Op, Row, Shape, Table};
use crate::wire::{Reader, WireType, message_set, quick_varint, unzigzag32, unzigzag64};

/// Decodes a message. Its strings are ranges of the input.
///
/// # Errors
/// The bytes are malformed or exceed a limit. Or a required field is missing and `partial` is false. Even then the message may
/// be complete, because a later occurrence of the same nested message may have the field.
pub(crate) fn decode(
    table: &Table,
    input: &[u8],
    depth: u32,
    max_memory: u64,
    partial: bool,
) -> Result<Arena> {
    // Limits the input to 2 GiB, because an arena cannot store larger offsets.
    Limits::DEFAULT.check_input(input.len())?;
    let mut arena = Arena::EMPTY;
    Decoder::new(&mut arena, table, input, 0, max_memory, partial).root(table, depth)?;
    Ok(arena)
}

/// The decoder of one input.
pub(crate) struct Decoder<'a> {
    pub(crate) input: &'a [u8],
    /// The arena that the decoder fills. It stays with the caller, because moving it would cost more than reading a short
    /// message. The caller stores the input in it after decoding.
    pub(crate) arena: &'a mut Arena,
    /// The number of cells that are taken. The cells after them are zero.
    pub(super) used: usize,
    /// The number of cells that the arena has. It is at most `max_cells`.
    len: usize,
    pub(super) max_cells: usize,
    pub(crate) max_memory: u64,
    partial: bool,
    /// The number of levels that messages inside the current message may still nest.
    pub(super) depth: u32,
    /// The reason why a message could not be read. `None` after a failure means that the memory limit was exceeded.
    error: Option<Error>,
}

impl<'a> Decoder<'a> {
    /// Creates a decoder at the start of an input; [`root`](Self::root) then reads the outermost message. The decoder writes
    /// into the memory of `arena`, whose old data is lost, and leaves capacity for `room` bytes after the cells, if the memory
    /// is new and small.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(
        arena: &'a mut Arena,
        table: &Table,
        input: &'a [u8],
        room: usize,
        max_memory: u64,
        partial: bool,
    ) -> Self {
        let max_cells = usize::try_from(max_memory / 4).unwrap_or(MAX_CELLS).saturating_add(ROOT as usize);
        let max_cells = max_cells.min(MAX_CELLS);
        let root = root_cells(table);
        let len = match max_cells.checked_sub(root) {
            Some(guess) => root + table.learned_cells(input.len()).min(guess),
            None => 0,
        };
        // A message whose cells are all zero is empty.
        arena.cells.start(len, room);
        Decoder { input, len, arena, used: root, max_cells, max_memory, partial, depth: 0, error: None }
    }

    /// Decodes the outermost message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn root(&mut self, table: &Table, depth: u32) -> Result<()> {
        if self.len == 0 {
            return Err(Error::limit(LimitError::Memory(self.max_memory)));
        }
        let Some(inside) = depth.checked_sub(1) else { return Err(Error::limit(LimitError::Depth(depth))) };
        self.depth = inside;
        if self.message(table, ROOT, self.input, 0).is_none() {
            return Err(self.failure());
        }
        self.arena.cells.truncate(self.used);
        Ok(())
    }

    /// Reads the fields of a message: up to the end of `body`, or, if `group` is not 0, up to the end of the group with
    /// this number. Returns the bytes after the message. If it returns `None`, [`failure`](Self::failure) has the error.
    fn message(&mut self, table: &Table, at: u32, body: &'a [u8], group: u32) -> Option<&'a [u8]> {
        // The number of bytes of the body that are left. The loop keeps one number from field to field, because a slice
        // would be two.
        let (mut left, mut ahead) = (body.len(), table.rows.iter());
        let mut message = self.arena.cells.message_mut(at, table.cells());
        loop {
            let (row, mut rest);
            rest = last(body, left);
            if let Some(next) = ahead.as_slice().first()
                && let Some(value) = expected(next, rest)
            {
                ahead.next();
                (row, rest) = (next, value);
            } else if let Some((found, value)) = row_of(table, rest) {
                (row, rest) = (found, value);
                ahead = table.rows.get(usize::from(found.index) + 1..).unwrap_or_default().iter();
            } else if rest.is_empty() && group == 0 {
                break;
            } else {
                let (after, is_end) = self.odd(table, at, rest, group)?;
                left = after.len();
                if is_end {
                    break;
                }
                message = self.arena.cells.message_mut(at, table.cells());
                continue;
            }
            let mut op = row.op;
            let read = loop {
                break match op {
                    Op::Int32 | Op::UInt32 | Op::SInt32 | Op::Bool | Op::Enum => match quick_varint(rest) {
                        Some((bits, after)) => {
                            let bits = match op {
                                Op::SInt32 => unzigzag32(bits as u32) as u32,
                                Op::Bool => u32::from(bits != 0),
                                Op::Enum if !row.enumeration().takes(bits as i32) => break None,
                                _ => bits as u32,
                            };
                            set(message, row.offset, bits);
                            Some(after)
                        }
                        None => None,
                    },
                    Op::Int64 | Op::SInt64 => match quick_varint(rest) {
                        Some((bits, after)) => {
                            let bits = if op == Op::SInt64 { unzigzag64(bits) as u64 } else { bits };
                            set_wide(message, row.offset, bits);
                            Some(after)
                        }
                        None => None,
                    },
                    Op::Fixed32 => match rest.split_first_chunk() {
                        Some((bytes, after)) => {
                            set(message, row.offset, u32::from_le_bytes(*bytes));
                            Some(after)
                        }
                        None => None,
                    },
                    Op::Fixed64 => match rest.split_first_chunk() {
                        Some((bytes, after)) => {
                            set_wide(message, row.offset, u64::from_le_bytes(*bytes));
                            Some(after)
                        }
                        None => None,
                    },
                    Op::String | Op::Vec => match prefixed(rest) {
                        Some((text, after)) if op == Op::Vec || is_utf8(text) => {
                            set_wide(message, row.offset, range(self.input, text));
                            Some(after)
                        }
                        _ => None,
                    },
                    Op::Message => {
                        let Some(inner) = row.known_message() else { break None };
                        let Some((body, after)) = prefixed(rest) else { break None };
                        let mut to = get(message, row.offset);
                        if to == 0 {
                            let end = self.used + inner.cells() as usize;
                            if end > self.len {
                                break None;
                            }
                            to = self.used as u32;
                            self.used = end;
                            set(message, row.offset, to);
                        }
                        if self.depth == 0 {
                            break None;
                        }
                        self.depth -= 1;
                        if self.message(inner, to, body, 0).is_none() {
                            return self.failed(row, rest);
                        }
                        self.depth += 1;
                        message = self.arena.cells.message_mut(at, table.cells());
                        Some(after)
                    }
                    Op::List if !row.closed => match self.list(at, row, self.wire_type(row, rest), rest) {
                        Ok(after) => {
                            message = self.arena.cells.message_mut(at, table.cells());
                            Some(after)
                        }
                        Err(error) => {
                            self.error = Some(error);
                            return self.failed(row, rest);
                        }
                    },
                    Op::Map => match self.map(at, row, rest) {
                        Ok(after) => {
                            message = self.arena.cells.message_mut(at, table.cells());
                            Some(after)
                        }
                        Err(error) => {
                            self.error = Some(error);
                            return self.failed(row, rest);
                        }
                    },
                    Op::Variant => {
                        if get(message, row.presence_word) & row.oneof_mask & !row.presence_mask != 0 {
                            break None;
                        }
                        op = row.inner;
                        continue;
                    }
                    _ => None,
                };
            };
            match read {
                Some(after) => {
                    let bits = get(message, row.presence_word) | row.presence_mask;
                    set(message, row.presence_word, bits);
                    left = after.len();
                }
                None => {
                    left = self.other(table, at, row, rest)?.len();
                    message = self.arena.cells.message_mut(at, table.cells());
                }
            }
        }
        let rest = last(body, left);
        if !table.required.is_empty() && !self.partial {
            return self.check_required(table, at, rest);
        }
        Some(rest)
    }

    /// Handles a field that the loop over a message leaves to this function, for example a group, a list of a closed enum, a
    /// long or malformed value, or a message for which the arena must grow. For a field of a oneof that is not set, only clears
    /// the other fields and marks this field as set. Returns the bytes from which the loop goes on; in the last case they begin
    /// with the tag, so the loop reads the value.
    #[inline(never)]
    fn other(&mut self, table: &Table, at: u32, row: &Row, value: &'a [u8]) -> Option<&'a [u8]> {
        let tag_start = self.position(value) - usize::from(row.tag_len);
        let all = &self.input[tag_start..self.position(value) + value.len()];
        self.field(table, at, row, all, value)
    }

    /// Reads the value of a field after a tag of any length. `all` begins with the tag, `value` after it.
    fn field(
        &mut self,
        table: &Table,
        at: u32,
        row: &Row,
        all: &'a [u8],
        value: &'a [u8],
    ) -> Option<&'a [u8]> {
        let (offsets, wire_type) = (Offsets::new(at), u32::from(*all.first()?) & 7);
        let is_packed = row.other_tag != 0 && wire_type == WireType::Len as u32;
        if row.closed && row.shape != Shape::Map && !is_packed {
            let mut reader = Reader::new(self.input).within(all);
            let tag = reader.tag().ok()?;
            if !row.takes_value(tag, reader) {
                return self.unknown(table, at, all).map_err(|error| self.error = Some(error)).ok();
            }
        }
        if row.oneof.is_some() && !self.arena.has_bit(offsets, row) {
            self.arena.replaces |= self.arena.clear_siblings(offsets, table, row);
            self.arena.set_bit(offsets, row);
            return Some(all);
        }
        self.arena.set_bit(offsets, row);
        let slot = offsets.slot(row);
        let op = if row.oneof.is_some() { row.inner } else { row.op };
        let read = match op {
            Op::Message | Op::Group => {
                let held = self.arena.cells.get(slot);
                self.inner(row, held, value).map(|(at, after)| {
                    self.arena.cells.set(slot, at);
                    after
                })
            }
            Op::Map => self.map(at, row, value),
            Op::List => self.list(at, row, wire_type, value),
            op => self.scalar(op, value).map(|(word, after)| {
                self.arena.set_word(offsets, row, word);
                after
            }),
        };
        match read {
            Ok(after) => Some(after),
            Err(error) => {
                self.error = Some(error);
                self.failed(row, value)
            }
        }
    }

    /// Reads fields that the loop over a message does not recognize: fields without a row, with a wire type that does not fit
    /// the row, or with a long tag. Also reads the end of a group. Returns the bytes after the fields, and true if the message
    /// ended.
    #[inline(never)]
    fn odd(&mut self, table: &Table, at: u32, all: &'a [u8], group: u32) -> Option<(&'a [u8], bool)> {
        let after = table.pass_over(all);
        if after.len() < all.len() {
            return Some((after, false));
        }
        let mut r = Reader::new(self.input).within(all);
        let start = r;
        let tag = match r.tag() {
            _ if all.is_empty() => {
                self.error = Some(Error::wire(WireError::OpenGroup(group), self.position(all)));
                return None;
            }
            Ok(tag) => tag,
            Err(error) => {
                self.error = Some(error);
                return None;
            }
        };
        if let Some(row) = table.row(tag.number()).filter(|row| row.takes(tag)) {
            return Some((self.field(table, at, row, all, r.rest())?, false));
        }
        if tag.wire_type() == WireType::EndGroup {
            let (number, at) = (tag.number(), start.position());
            let error = match group {
                _ if number == group => return Some((r.rest(), true)),
                0 => WireError::StrayEndGroup(number),
                wanted => WireError::WrongEndGroup { wanted, found: number },
            };
            self.error = Some(Error::wire(error, at));
            return None;
        }
        match self.unknown(table, at, all) {
            Ok(after) => Some((after, false)),
            Err(error) => {
                self.error = Some(error);
                None
            }
        }
    }

    /// Reads a field that has no cell, and returns the bytes after the field. Keeps the field as an unknown field if the table
    /// keeps unknown fields. If a projection omits the field, drops it, and clears selected fields of the same oneof.
    #[cold]
    fn unknown(&mut self, table: &Table, at: u32, all: &'a [u8]) -> Result<&'a [u8]> {
        let mut r = Reader::new(self.input).within(all);
        let start = r;
        let tag = r.tag()?;
        if let Some(left_out) = table.left_out(tag.number()).filter(|row| row.takes_value(tag, r)) {
            r.skip(tag, self.depth)?;
            for row in table.voided(left_out) {
                let offsets = Offsets::new(at);
                self.arena.replaces |= self.arena.has_bit(offsets, row);
                self.arena.clear(offsets, row);
            }
            return Ok(r.rest());
        }
        r.skip(tag, self.depth)?;
        let fields = &self.input[start.position()..r.position()];
        if table.message_set && table.keeps_unknown() && tag.wire_type() == WireType::Len {
            let item = message_set::fields_to_items(fields)?;
            self.arena.add_unknown_of(Some(self.input), at, &item);
        } else if table.keeps_unknown() {
            self.arena.add_unknown_of(Some(self.input), at, fields);
        }
        Ok(r.rest())
    }

    /// Returns the error that stopped the decoder.
    #[cold]
    fn failure(&mut self) -> Error {
        self.error.take().unwrap_or_else(|| Error::limit(LimitError::Memory(self.max_memory)))
    }

    /// Adds the field that could not be read to the error, and the position of its value unless the error has a position.
    #[cold]
    #[inline(never)]
    fn failed(&mut self, row: &Row, value: &[u8]) -> Option<&'a [u8]> {
        let error = self.failure().in_field(&row.name).at_byte(self.position(value));
        self.error = Some(error);
        None
    }

    /// Returns the wire type of a tag from the bytes after the tag, which must be in its shortest form.
    #[inline(always)]
    fn wire_type(&self, row: &Row, value: &[u8]) -> u32 {
        let tag = self.input.get(self.position(value) - usize::from(row.tag_len));
        u32::from(*tag.unwrap_or(&0)) & 7
    }

    #[inline(always)]
    pub(super) fn position(&self, bytes: &[u8]) -> usize {
        position(self.input, bytes)
    }

    /// Checks that a message that ended has all required fields. Returns `rest`, or `None` if a field is missing.
    #[inline(never)]
    fn check_required(&mut self, table: &Table, at: u32, rest: &'a [u8]) -> Option<&'a [u8]> {
        let Some(row) = self.arena.missing(Offsets::new(at), table) else { return Some(rest) };
        let error = Error::required(&row.name);
        self.error = Some(match at {
            ROOT => error,
            _ => error.at_byte(self.position(rest)),
        });
        None
    }

    /// Takes `cells` zero cells, and returns the position of the first.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn take(&mut self, cells: usize) -> Result<u32> {
        let (at, end) = (self.used as u32, self.used + cells);
        if end > self.len {
            self.grow(end)?;
        }
        self.used = end;
        Ok(at)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: usize) -> Result<()> {
        if end > self.max_cells {
            return Err(Error::limit(LimitError::Memory(self.max_memory)));
        }
        let room = end.max(2 * self.len).min(self.max_cells);
        self.arena.cells.resize(room);
        self.len = room;
        Ok(())
    }

    /// Reads a single value that is not a message. Returns its word, and the bytes after the value.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn scalar(&self, op: Op, rest: &'a [u8]) -> Result<(u64, &'a [u8])> {
        match self.quick(op, rest) {
            Some(found) => Ok(found),
            None => {
                let (word, left) = self.slow(op, rest)?;
                Ok((word, last(rest, left)))
            }
        }
    }

    /// Reads a short, well-formed value. Returns its word, and the bytes after the value. If it returns `None`, `slow` must
    /// read the value. All parameters and results are passed by value, so that they stay in registers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn quick(&self, op: Op, rest: &'a [u8]) -> Option<(u64, &'a [u8])> {
        Some(match op {
            Op::String => {
                let (text, rest) = prefixed(rest).filter(|(text, _)| is_utf8(text))?;
                (range(self.input, text), rest)
            }
            Op::Vec => {
                let (bytes, rest) = prefixed(rest)?;
                (range(self.input, bytes), rest)
            }
            _ => return number(op, rest),
        })
    }

    /// Reads a long value, or finds the error in a malformed value. Returns the word of the value and the number of bytes
    /// after it.
    #[cold]
    #[inline(never)]
    fn slow(&self, op: Op, rest: &'a [u8]) -> Result<(u64, usize)> {
        let mut r = Reader::new(self.input).within(rest);
        let word = match op {
            Op::Int32 | Op::UInt32 | Op::Int64 | Op::SInt32 | Op::SInt64 | Op::Bool | Op::Enum => {
                r.varint().map(|value| op.of_varint(value))
            }
            Op::Fixed32 => r.fixed32().map(u64::from),
            Op::Fixed64 => r.fixed64(),
            Op::String => r.string().map(|text| range(self.input, text.as_bytes())),
            Op::Vec => r.len_prefixed().map(|bytes| range(self.input, bytes)),
            _ => Ok(0),
        };
        match word {
            Ok(word) => Ok((word, r.rest().len())),
            Err(error) => Err(error.at_byte(r.position())),
        }
    }

    /// Reads a message value, into the message at the position `at`, or into a new message if `at` is 0. Returns the
    /// position of the message, and the bytes after the value.
    #[inline(always)]
    pub(super) fn inner(&mut self, row: &Row, at: u32, rest: &'a [u8]) -> Result<(u32, &'a [u8])> {
        let table = row.sub_table();
        let Some(depth) = self.depth.checked_sub(1) else { return Err(Error::limit(LimitError::Depth(0))) };
        let at = match at {
            0 => self.take(table.cells() as usize)?,
            at => at,
        };
        let (body, after, group) = match row.kind {
            Kind::Group => (rest, rest, row.number),
            _ => {
                let (body, after) = self.prefixed(rest)?;
                (body, after, 0)
            }
        };
        self.depth = depth;
        let read = self.message(table, at, body, group);
        self.depth += 1;
        match read {
            Some(rest) if row.kind == Kind::Group => Ok((at, rest)),
            Some(_) => Ok((at, after)),
            None => Err(self.failure()),
        }
    }

    /// Reads a length. Returns as many bytes as the length says, and the bytes after them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn prefixed(&self, rest: &'a [u8]) -> Result<(&'a [u8], &'a [u8])> {
        match prefixed(rest) {
            Some(found) => Ok(found),
            None => {
                let (len, left) = self.prefixed_slow(rest)?;
                let (body, after) = last(rest, left + len).split_at(len);
                Ok((body, after))
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn prefixed_slow(&self, rest: &[u8]) -> Result<(usize, usize)> {
        let mut r = Reader::new(self.input).within(rest);
        match r.len_prefixed() {
            Ok(body) => Ok((body.len(), r.rest().len())),
            Err(error) => Err(error.at_byte(r.position())),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(all(feature = "derive", target_pointer_width = "64"))]
    fn offsets_fit_a_word() {
        use super::super::content::decode_arena;
        use crate::table::Tabled;
        use crate::{Limits, Message};
        let descriptor = crate::types::Empty::descriptor();
        let (table, limits) = (descriptor.table().unwrap(), Limits::default());
        let error = |input: &[u8]| {
            let whole = decode_arena(table, input, limits, 1, true).unwrap_err().to_string();
            assert_eq!(super::decode(table, input, 1, u64::MAX, true).unwrap_err().to_string(), whole);
            whole
        };
        // The decoder stops at the first tag, because the tag 0 is malformed. So the zeroed memory after the tag is never read.
        // The longest allowed input must fail, but not because of its length.
        assert!(!error(&vec![0; i32::MAX as usize]).contains("larger than"));
        let too_long = error(&vec![0; i32::MAX as usize + 1]);
        assert_eq!(too_long, "input of 2147483648 bytes is larger than the limit of 2147483647 bytes");
    }
}
