//! The wire format, decoded directly into an arena.
//!
//! Fields go to words of the arena, strings to ranges of the input.

use crate::error::{Error, LimitError, Result, WireError};
use crate::limits::Limits;
use crate::object::arena::packed;
use crate::object::arena::words::{Arena, MAX_WORDS, Offsets, ROOT, root_words};
use crate::table::{Kind, MapRows, Op, Row, Shape, Table};
use crate::wire::packed::count;
use crate::wire::{Reader, Tag, WireType, Writer, message_set, quick_varint, unzigzag32, unzigzag64};

/// Decodes a message; its strings are ranges of the input.
///
/// # Errors
/// The bytes are malformed, exceed a limit, or a required field is missing, unless `partial`: it may be in another
/// occurrence of its message.
pub(crate) fn decode(
    table: &Table,
    input: &[u8],
    depth: u32,
    max_memory: u64,
    partial: bool,
) -> Result<Arena> {
    // Offsets into what is longer than a message may be would not fit a word.
    Limits::DEFAULT.check_input(input.len())?;
    let mut decoder = Decoder::new(table, input, max_memory, partial);
    decoder.root(table, depth)?;
    Ok(decoder.arena)
}

/// The decoder of one input.
pub(crate) struct Decoder<'a> {
    pub(crate) input: &'a [u8],
    /// Without the input, which is put into it when it is done.
    pub(crate) arena: Arena,
    /// How many of its words are taken. Those after them are zero, and never more than `max_words`.
    used: usize,
    /// Elements of lists that are not whole yet.
    pub(crate) pending: Vec<u64>,
    max_words: usize,
    pub(crate) max_memory: u64,
    partial: bool,
    /// A member of a oneof replaced another, or a key of a map is not UTF-8: such a message cannot be merged into
    /// another field by field.
    replaces: bool,
}

/// The meaning of a tag on the slow path.
enum SlowTag<'t> {
    Field(&'t Row, u32),
    Skipped,
    End,
}

/// The field of a tag of one or two bytes, where no second look is needed, and the bytes after it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn quick_tag<'t, 'a>(table: &'t Table, all: &'a [u8]) -> Option<(&'t Row, u32, &'a [u8])> {
    let (row, tag, rest) = field_of(table, all)?;
    // A single number of a closed enum must be checked before it is known to be the field's.
    let sure = !row.closed || row.shape == Shape::Map || tag & 7 == WireType::Len as u32;
    sure.then_some((row, tag, rest))
}

/// The field of a tag of one or two bytes, and the bytes after it. A tag may be longer than it needs to be, so that it is
/// one that a field does not have.
#[cfg_attr(not(debug_assertions), inline(always))]
fn field_of<'t, 'a>(table: &'t Table, all: &'a [u8]) -> Option<(&'t Row, u32, &'a [u8])> {
    let (tag, rest) = match all {
        [a, rest @ ..] if *a < 0x80 => (u32::from(*a), rest),
        [a, b, rest @ ..] if *b < 0x80 => (u32::from(*a & 0x7f) | u32::from(*b) << 7, rest),
        _ => return None,
    };
    // No field has the number 0, so that 0 is not taken for the other tag of a field that has none.
    let row = table.row(tag >> 3)?;
    (row.tag == tag || row.other_tag == tag).then_some((row, tag, rest))
}

/// The bytes after a tag that is next, in its shortest form.
#[cfg_attr(not(debug_assertions), inline(always))]
fn accept<'a>(rest: &'a [u8], field: &Row) -> Option<&'a [u8]> {
    let [a, b, ..] = field.tag_bytes;
    match rest {
        [first, rest @ ..] if field.tag_len == 1 => (*first == a).then_some(rest),
        [first, second, rest @ ..] if field.tag_len == 2 => (*first == a && *second == b).then_some(rest),
        _ => rest.strip_prefix(field.tag_bytes()),
    }
}

/// A length of one or two bytes and that many bytes, and the bytes after them.
#[cfg_attr(not(debug_assertions), inline(always))]
fn prefixed(rest: &[u8]) -> Option<(&[u8], &[u8])> {
    match rest {
        [len, rest @ ..] if *len < 0x80 => rest.split_at_checked(usize::from(*len)),
        [low, high, rest @ ..] if *high < 0x80 => {
            rest.split_at_checked(usize::from(*low & 0x7f) | usize::from(*high) << 7)
        }
        _ => None,
    }
}

/// The word of a number on the fast path, and the bytes after it.
#[cfg_attr(not(debug_assertions), inline(always))]
fn number(op: Op, rest: &[u8]) -> Option<(u64, &[u8])> {
    Some(match op {
        Op::Int32 | Op::UInt32 => {
            let (value, rest) = quick_varint(rest)?;
            (u64::from(value as u32), rest)
        }
        Op::Int64 => quick_varint(rest)?,
        Op::SInt32 => {
            let (value, rest) = quick_varint(rest)?;
            (u64::from(unzigzag32(value as u32) as u32), rest)
        }
        Op::SInt64 => {
            let (value, rest) = quick_varint(rest)?;
            (unzigzag64(value) as u64, rest)
        }
        Op::Bool => {
            let (value, rest) = quick_varint(rest)?;
            (u64::from(value != 0), rest)
        }
        Op::Fixed32 => {
            let (bytes, rest) = rest.split_first_chunk()?;
            (u64::from(u32::from_le_bytes(*bytes)), rest)
        }
        Op::Fixed64 => {
            let (bytes, rest) = rest.split_first_chunk()?;
            (u64::from_le_bytes(*bytes), rest)
        }
        _ => return None,
    })
}

/// True when all bytes are ASCII: by words and blocks, the last of which overlap others.
#[cfg_attr(not(debug_assertions), inline(always))]
fn is_ascii(text: &[u8]) -> bool {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let four = |chunk: &[u8; 4]| u64::from(u32::from_le_bytes(*chunk));
    let eight = |chunk: &[u8; 8]| u64::from_le_bytes(*chunk);
    let bits = match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) if text.len() <= 16 => eight(first) | eight(last),
        (Some(_), _) => {
            let (blocks, _) = text.as_chunks();
            let blocks = blocks.iter().chain(text.last_chunk());
            let all = blocks.fold(0, |all, block| all | u128::from_le_bytes(*block));
            all as u64 | (all >> 64) as u64
        }
        _ => match (text.first_chunk(), text.last_chunk()) {
            (Some(first), Some(last)) => four(first) | four(last),
            _ => text.iter().fold(0, |bits, byte| bits | u64::from(*byte)),
        },
    };
    bits & HIGH == 0
}

/// The last `left` of some bytes.
#[cfg_attr(not(debug_assertions), inline(always))]
fn last(all: &[u8], left: usize) -> &[u8] {
    &all[all.len() - left..]
}

impl<'a> Decoder<'a> {
    /// A decoder at the start of an input, of which [`root`](Self::root) reads the outermost message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn new(table: &Table, input: &'a [u8], max_memory: u64, partial: bool) -> Self {
        let max_words = usize::try_from(max_memory / 8).unwrap_or(MAX_WORDS).saturating_add(ROOT as usize);
        let max_words = max_words.min(MAX_WORDS);
        let root = root_words(table);
        let arena = match max_words.checked_sub(root) {
            Some(guess) => Arena::zeroed(table, table.learned_words(input.len()).min(guess)),
            None => Arena::EMPTY,
        };
        Decoder {
            input,
            arena,
            used: root,
            pending: Vec::new(),
            max_words,
            max_memory,
            partial,
            replaces: false,
        }
    }

    /// Decodes the outermost message.
    ///
    /// # Errors
    /// As [`decode`].
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn root(&mut self, table: &Table, depth: u32) -> Result<()> {
        if self.arena.words.is_empty() {
            return Err(Error::limit(LimitError::Memory(self.max_memory)));
        }
        let Some(inside) = depth.checked_sub(1) else { return Err(Error::limit(LimitError::Depth(depth))) };
        self.message(table, ROOT, self.input, 0, inside)?;
        self.arena.words.truncate(self.used);
        self.arena.replaces = self.replaces;
        Ok(())
    }

    /// Reads a message to its end, of the input or of the group with this number, and returns how many bytes are
    /// left.
    fn message(&mut self, table: &Table, at: u32, body: &'a [u8], group: u32, depth: u32) -> Result<usize> {
        let mut rest = body;
        let offsets = Offsets::new(at, table);
        loop {
            let (field, tag) = match quick_tag(table, rest) {
                Some((field, tag, after)) => {
                    rest = after;
                    (field, tag)
                }
                None if rest.is_empty() => match group {
                    0 => break,
                    _ => return Err(Error::wire(WireError::OpenGroup(group), self.position(rest))),
                },
                None => {
                    let (slow_tag, left) = self.slow_tag(table, at, rest, group, depth)?;
                    rest = last(rest, left);
                    match slow_tag {
                        SlowTag::Field(field, tag) => (field, tag),
                        SlowTag::Skipped => continue,
                        SlowTag::End => break,
                    }
                }
            };
            let (word, bit) = offsets.bit(usize::from(field.slot));
            let slot = offsets.slot(usize::from(field.slot));
            if field.oneof.is_some() && self.arena.words[word] & bit == 0 {
                self.replaces |= self.arena.clear_siblings(offsets, table, field);
            }
            if let Some((value, after)) = self.quick(field.op, rest) {
                let words = &mut self.arena.words[..];
                words[word] |= bit;
                words[slot] = value;
                rest = after;
                continue;
            }
            match field.op {
                Op::Message => {
                    self.arena.words[word] |= bit;
                    let held = self.arena.words[slot] as u32;
                    match self.inner(field, held, rest, depth) {
                        Ok((at, after)) => {
                            self.arena.words[slot] = u64::from(at);
                            rest = after;
                        }
                        Err(error) => return Err(self.named(error, field, rest)),
                    }
                }
                op => {
                    self.arena.words[word] |= bit;
                    let left = match op {
                        Op::Group => self.group(field, slot, rest, depth),
                        Op::Map => self.map(offsets.at, field, slot, rest, depth),
                        Op::List if field.other_tag != 0 && tag & 7 == WireType::Len as u32 => {
                            self.packed(offsets.at, field, slot, rest)
                        }
                        Op::List => self.list(field, tag, slot, rest, depth),
                        _ => self.slow(op, rest).map(|(value, left)| {
                            self.arena.words[slot] = value;
                            left
                        }),
                    };
                    match left {
                        Ok(left) => rest = last(rest, left),
                        Err(error) => return Err(self.named(error, field, rest)),
                    }
                }
            }
        }
        if !table.required.is_empty() && !self.partial {
            self.check_required(table, offsets).map_err(|error| match offsets.at {
                ROOT => error,
                _ => error.at_byte(self.position(rest)),
            })?;
        }
        Ok(rest.len())
    }

    /// The position in the input where some of its bytes start.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn position(&self, rest: &[u8]) -> usize {
        (rest.as_ptr() as usize).wrapping_sub(self.input.as_ptr() as usize)
    }

    /// Names the field of an error, and where its value starts unless the error knows better.
    #[cold]
    #[inline(never)]
    fn named(&self, error: Error, field: &Row, rest: &[u8]) -> Error {
        error.in_field(&field.name).at_byte(self.position(rest))
    }

    #[cold]
    fn check_required(&self, table: &Table, offsets: Offsets) -> Result<()> {
        match self.arena.missing(offsets, table) {
            Some(row) => Err(Error::required(&row.name)),
            None => Ok(()),
        }
    }

    #[inline(never)]
    fn slow_tag<'t>(
        &mut self,
        table: &'t Table,
        at: u32,
        all: &'a [u8],
        group: u32,
        depth: u32,
    ) -> Result<(SlowTag<'t>, usize)> {
        let left = table.pass_over(all).len();
        if left < all.len() {
            return Ok((SlowTag::Skipped, left));
        }
        let mut r = Reader::new(self.input).within(all);
        let start = r;
        let tag = r.tag()?;
        if let Some(field) = table.row(tag.number()).filter(|field| field.takes_value(tag, r)) {
            return Ok((SlowTag::Field(field, tag.value()), r.rest().len()));
        }
        if let Some(field) = table.left_out(tag.number()).filter(|field| field.takes_value(tag, r)) {
            r.skip(tag, depth)?;
            for field in table.voided(field) {
                let offsets = Offsets::new(at, table);
                self.replaces |= self.arena.has_bit(offsets, usize::from(field.slot));
                self.arena.clear(offsets, field);
            }
            return Ok((SlowTag::Skipped, r.rest().len()));
        }
        if tag.wire_type() == WireType::EndGroup {
            let (number, at) = (tag.number(), start.position());
            return match group {
                _ if number == group => Ok((SlowTag::End, r.rest().len())),
                0 => Err(Error::wire(WireError::StrayEndGroup(number), at)),
                wanted => Err(Error::wire(WireError::WrongEndGroup { wanted, found: number }, at)),
            };
        }
        r.skip(tag, depth)?;
        if table.message_set && table.keeps_unknown() && tag.wire_type() == WireType::Len {
            let item = message_set::fields_to_items(&self.input[start.position()..r.position()])?;
            self.arena.add_unknown_of(self.input, at, &item);
        } else if table.keeps_unknown() {
            self.keep(at, start.position(), &r);
        }
        Ok((SlowTag::Skipped, r.rest().len()))
    }

    /// Keeps the bytes between two positions as unknown fields.
    #[cold]
    fn keep(&mut self, at: u32, from: usize, end: &Reader<'a>) {
        self.arena.add_unknown_of(self.input, at, &self.input[from..end.position()]);
    }

    /// Takes `words` zero words, and returns where they start.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn take(&mut self, words: usize) -> Result<usize> {
        let (at, end) = (self.used, self.used + words);
        if end > self.arena.words.len() {
            self.grow(end)?;
        }
        self.used = end;
        Ok(at)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, end: usize) -> Result<()> {
        if end > self.max_words {
            return Err(Error::limit(LimitError::Memory(self.max_memory)));
        }
        let room = end.max(2 * self.arena.words.len()).min(self.max_words);
        self.arena.words.resize(room, 0);
        Ok(())
    }

    /// Takes words for `more` elements at the end of the list in a slot, and returns the position of the first of
    /// them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn elements(&mut self, slot: usize, more: usize) -> Result<usize> {
        if self.arena.words[slot] != 0 {
            return self.more_elements(slot, more);
        }
        let room = self.take(more + 1)?;
        self.arena.words[room] = more as u64;
        self.arena.words[slot] = (room as u64 + 1) | (more as u64) << 32;
        Ok(room + 1)
    }

    #[inline(never)]
    fn more_elements(&mut self, slot: usize, more: usize) -> Result<usize> {
        let (start, len) = self.arena.list(slot);
        let (room, wanted) = (self.arena.room(start), len + more);
        let mut to = start;
        if wanted > room {
            if start + room == self.used {
                // The last run of words: it grows in place.
                self.take(wanted - room)?;
                self.arena.words[start - 1] = wanted as u64;
            } else {
                let doubled = wanted.max(2 * room);
                let room = if self.used + doubled < self.max_words { doubled } else { wanted };
                to = self.take(room + 1)? + 1;
                self.arena.words[to - 1] = room as u64;
                self.arena.words.copy_within(start..start + len, to);
                self.arena.garbage += 8 * len;
            }
        }
        self.arena.words[slot] = to as u64 | (wanted as u64) << 32;
        Ok(to + len)
    }

    /// The word of a single value that is not a message, and the bytes after it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalar(&self, op: Op, rest: &'a [u8]) -> Result<(u64, &'a [u8])> {
        match self.quick(op, rest) {
            Some(found) => Ok(found),
            None => {
                let (word, left) = self.slow(op, rest)?;
                Ok((word, last(rest, left)))
            }
        }
    }

    /// The same on the fast path. All is passed by value, so that it stays in registers.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn quick(&self, op: Op, rest: &'a [u8]) -> Option<(u64, &'a [u8])> {
        Some(match op {
            Op::String => {
                let (text, rest) = prefixed(rest)?;
                if !is_ascii(text) && std::str::from_utf8(text).is_err() {
                    return None;
                }
                (self.range(text), rest)
            }
            Op::Vec => {
                let (bytes, rest) = prefixed(rest)?;
                (self.range(bytes), rest)
            }
            _ => return number(op, rest),
        })
    }

    /// The same for rare or malformed input; returns how many bytes are left.
    #[cold]
    #[inline(never)]
    fn slow(&self, op: Op, rest: &'a [u8]) -> Result<(u64, usize)> {
        let mut r = Reader::new(self.input).within(rest);
        let word = match op {
            Op::Int32 | Op::UInt32 | Op::Int64 | Op::SInt32 | Op::SInt64 | Op::Bool => {
                r.varint().map(|value| op.of_varint(value))
            }
            Op::Fixed32 => r.fixed32().map(u64::from),
            Op::Fixed64 => r.fixed64(),
            Op::String => r.string().map(|text| self.range(text.as_bytes())),
            Op::Vec => r.len_prefixed().map(|bytes| self.range(bytes)),
            _ => Ok(0),
        };
        match word {
            Ok(word) => Ok((word, r.rest().len())),
            Err(error) => Err(error.at_byte(r.position())),
        }
    }

    /// The word of some bytes of the input.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn range(&self, bytes: &[u8]) -> u64 {
        self.position(bytes) as u64 | (bytes.len() as u64) << 32
    }

    /// Reads a message value, into the message at `at` if there is one; returns its position and the bytes after
    /// it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inner(&mut self, field: &Row, at: u32, rest: &'a [u8], depth: u32) -> Result<(u32, &'a [u8])> {
        let table = field.sub_table();
        let Some(depth) = depth.checked_sub(1) else { return Err(Error::limit(LimitError::Depth(0))) };
        let at = match at {
            0 => self.take(table.words())? as u32,
            at => at,
        };
        if field.kind == Kind::Group {
            let left = self.message(table, at, rest, field.number, depth)?;
            return Ok((at, last(rest, left)));
        }
        let (body, after) = self.prefixed(rest)?;
        self.message(table, at, body, 0, depth)?;
        Ok((at, after))
    }

    /// A length and that many bytes, and the bytes after them.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn prefixed(&self, rest: &'a [u8]) -> Result<(&'a [u8], &'a [u8])> {
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

    /// Reads a group; returns how many bytes are left.
    #[inline(never)]
    fn group(&mut self, field: &Row, slot: usize, all: &'a [u8], depth: u32) -> Result<usize> {
        let at = self.arena.words[slot] as u32;
        let (at, rest) = self.inner(field, at, all, depth)?;
        self.arena.words[slot] = u64::from(at);
        Ok(rest.len())
    }

    /// Reads the elements of a list that directly follow each other, each with a tag; returns how many bytes are
    /// left.
    #[inline(never)]
    fn list(&mut self, field: &Row, tag: u32, slot: usize, all: &'a [u8], depth: u32) -> Result<usize> {
        let mut rest = all;
        let first = self.pending.len();
        if self.pending.capacity() == 0 {
            self.pending.reserve(32);
        }
        let op = Op::element(field);
        loop {
            let value = match op {
                Op::Message | Op::Group => {
                    self.inner(field, 0, rest, depth).map(|(at, rest)| (u64::from(at), rest))
                }
                _ => self.scalar(op, rest),
            };
            match value {
                Ok((word, after)) => {
                    self.pending.push(word);
                    rest = after;
                }
                Err(error) => {
                    let index = self.arena.list(slot).1 + self.pending.len() - first;
                    // The enclosing list computes its index from the pending elements that are
                    // left.
                    self.pending.truncate(first);
                    return Err(error.in_index(index).at_byte(self.position(rest)));
                }
            }
            // Every number of a closed enum must be checked.
            if field.closed || tag != field.tag {
                break;
            }
            match accept(rest, field) {
                Some(after) => rest = after,
                None => break,
            }
        }
        let len = self.pending.len() - first;
        let to = self.elements(slot, len)?;
        self.arena.words[to..to + len].copy_from_slice(&self.pending[first..]);
        self.pending.truncate(first);
        Ok(rest.len())
    }

    /// Reads a packed run; returns how many bytes are left after it.
    #[inline(never)]
    fn packed(&mut self, at: u32, field: &Row, slot: usize, all: &'a [u8]) -> Result<usize> {
        let mut r = Reader::new(self.input).within(all);
        let run = r.len_prefixed()?;
        let left = r.rest().len();
        if field.closed {
            self.packed_closed(at, field, slot, r.within(run))?;
            return Ok(left);
        }
        let inside = r.within(run);
        let len = match field.kind.wire_type() {
            WireType::Fixed32 => run.len() / 4,
            WireType::Fixed64 => run.len() / 8,
            _ => count(run),
        };
        if run.is_empty() {
            return Ok(left);
        }
        let held = self.arena.list(slot).1;
        let to = self.elements(slot, len)?;
        let out = &mut self.arena.words[to..to + len];
        packed::read(field.kind, inside, out).map_err(|(index, error)| error.in_index(held + index))?;
        Ok(left)
    }

    /// Reads a packed run of an enum, numbers of which may have to be kept as unknown fields.
    #[cold]
    fn packed_closed(&mut self, at: u32, field: &Row, slot: usize, mut run: Reader<'a>) -> Result<()> {
        let known = field.enumeration();
        while !run.is_empty() {
            let held = self.arena.list(slot).1;
            let number = run.varint().map_err(|error| error.in_index(held))? as i32;
            if known.takes(number) {
                let to = self.elements(slot, 1)?;
                self.arena.words[to] = u64::from(number as u32);
            } else if !field.lossy {
                let mut kept = Writer::new();
                kept.tag(Tag::new(field.number, WireType::Varint));
                kept.varint(i64::from(number) as u64);
                self.arena.add_unknown_of(self.input, at, &kept.finish()?);
            }
        }
        Ok(())
    }

    /// Reads the entries of a map that directly follow each other; returns how many bytes are left.
    #[inline(never)]
    fn map(&mut self, at: u32, field: &Row, slot: usize, all: &'a [u8], depth: u32) -> Result<usize> {
        let mut rest = all;
        let rows = field.map();
        let loose = rows.key.kind == Kind::String && !rows.key.utf8;
        let map = self.arena.map_in(field, slot);
        loop {
            let (inside, after) = self.prefixed(rest)?;
            let entry = self.take(3)? as u32;
            if let Err(error) = self.entry(rows, entry, inside, depth) {
                return Err(self.in_entry(rows, inside, error, depth));
            }
            rest = after;
            let (key, value) = self.arena.entry(entry);
            if loose && crate::wire::utf8(self.arena.bytes_of(Some(self.input), key)).is_err() {
                self.replaces = true;
            }
            if !rows.value.takes_number(value as i32) {
                if field.lossy {
                    self.untake(entry as usize);
                    match accept(rest, field) {
                        Some(after) => rest = after,
                        None => return Ok(rest.len()),
                    }
                    continue;
                }
                let mut kept = Writer::new();
                kept.tag(Tag::new(field.number, WireType::Len));
                kept.len_prefixed(inside);
                self.arena.add_unknown_of(self.input, at, &kept.finish()?);
            } else if !self.arena.put_entry_of(Some(self.input), map, entry) {
                self.untake(entry as usize);
            }
            match accept(rest, field) {
                Some(after) => rest = after,
                None => return Ok(rest.len()),
            }
        }
    }

    /// Frees an entry, if it is the last words taken.
    #[cold]
    fn untake(&mut self, entry: usize) {
        if entry + 3 == self.used {
            self.arena.words[entry..entry + 3].fill(0);
            self.used = entry;
        } else {
            self.arena.garbage += 24;
        }
    }

    /// Reads an entry: mostly a key and a value, in this order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(&mut self, rows: &MapRows, entry: u32, all: &'a [u8], depth: u32) -> Result<()> {
        let (key, value) = (entry as usize, entry as usize + 1);
        let mut left = all;
        if let Some(rest) = accept(all, &rows.key)
            && let Some((word, rest)) = self.quick(rows.key.op, rest)
        {
            self.arena.words[key] = word;
            left = rest;
            if let Some(rest) = accept(rest, &rows.value) {
                left = self.entry_value(rows, key, rest, depth)?;
                if left.is_empty() {
                    return Ok(());
                }
            }
        }
        self.entry_rest(rows, key, value, left, depth)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry_value(&mut self, rows: &MapRows, key: usize, rest: &'a [u8], depth: u32) -> Result<&'a [u8]> {
        let held = self.arena.words[key + 1] as u32;
        let read = match rows.value.op {
            Op::Message | Op::Group => self
                .inner(&rows.value, held, rest, depth.saturating_sub(1))
                .map(|(at, rest)| (u64::from(at), rest)),
            op => self.scalar(op, rest),
        };
        match read {
            Ok((word, rest)) => {
                self.arena.words[key + 1] = word;
                Ok(rest)
            }
            Err(error) => Err(error.at_byte(self.position(rest))),
        }
    }

    /// Names the key of an entry that an error was found in, the last that it has, unless the entry itself is malformed.
    #[cold]
    fn in_entry(&self, rows: &MapRows, inside: &'a [u8], error: Error, depth: u32) -> Error {
        let mut r = Reader::new(self.input).within(inside);
        // A key that is not UTF-8 cannot be named in an error path, for any other fields of the
        // entry.
        let mut key = Some(0);
        while !r.is_empty() {
            let mut start = r;
            if let Err(error) = r.tag().and_then(|tag| r.skip(tag, depth)) {
                return error;
            }
            if start.tag().is_ok_and(|tag| tag.value() == rows.key.tag) {
                let read = self.scalar(rows.key.op, start.rest());
                key = key.and(read.ok().map(|(word, _)| word));
            }
        }
        let key = self.arena.key_in_words(Some(self.input), rows.key.kind, key.unwrap_or(0));
        error.in_key(key).at_byte(r.position())
    }

    /// Reads the rest of an entry whose fields are in another order, repeated, or absent.
    #[cold]
    fn entry_rest(
        &mut self,
        rows: &MapRows,
        key: usize,
        value: usize,
        mut rest: &'a [u8],
        depth: u32,
    ) -> Result<()> {
        while !rest.is_empty() {
            let mut r = Reader::new(self.input).within(rest);
            let tag = r.tag()?;
            rest = r.rest();
            if tag.value() == rows.key.tag {
                (self.arena.words[key], rest) = self.scalar(rows.key.op, rest)?;
            } else if tag.value() == rows.value.tag {
                rest = self.entry_value(rows, key, rest, depth)?;
            } else {
                r.skip(tag, depth)?;
                rest = r.rest();
            }
        }
        if rows.value.is_message() && self.arena.words[value] == 0 {
            // An empty message, of which required fields may be missing.
            self.entry_value(rows, key, &[0], depth).map_err(Error::nowhere)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::is_ascii;

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
        // Zeros that nobody reads take no memory. The tag 0 is the error of the longest that may be read.
        assert!(!error(&vec![0; i32::MAX as usize]).contains("larger than"));
        let too_long = error(&vec![0; i32::MAX as usize + 1]);
        assert_eq!(too_long, "input of 2147483648 bytes is larger than the limit of 2147483647 bytes");
    }

    #[test]
    fn no_byte_of_a_string_is_overlooked() {
        for len in 0..70 {
            let mut text = vec![b'x'; len];
            assert!(is_ascii(&text), "{len}");
            for at in 0..len {
                text[at] = 0x80;
                assert!(!is_ascii(&text), "{at} of {len}");
                text[at] = 0x7f;
            }
        }
    }
}
