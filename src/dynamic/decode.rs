//! The wire format straight into an arena.
//!
//! This says again, for one format and one target, what the walk from a source to a sink says for all: it is about
//! twice as fast. Whatever is rare goes the same way there as here, and the tests hold the two against each other.

use super::arena::{Arena, MAX_WORDS, Place, ROOT, message_words};
use super::packed;
use crate::error::{Error, LimitError, Result, WireError};
use crate::plan::{FieldPlan, Kind, MapPlan, MessagePlan, PlanSet, Shape};
use crate::wire::{Reader, Tag, WireType, Writer, unzigzag32, unzigzag64};
use bytes::Bytes;

/// Decodes a message; its strings are ranges of the input.
///
/// # Errors
/// The bytes are malformed, go past a limit, or a required field is missing, unless `partial`: it may be in another
/// piece of its message.
pub(super) fn decode(
    plans: &PlanSet,
    input: &Bytes,
    depth: u32,
    max_memory: u64,
    partial: bool,
) -> Result<Arena> {
    let max_words = usize::try_from(max_memory / 8).unwrap_or(MAX_WORDS).saturating_add(ROOT as usize);
    let mut decoder = Decoder {
        plans,
        input,
        arena: Arena::new(plans.root(), Bytes::new(), plans.learned_words(input.len())),
        pending: Vec::new(),
        max_words: max_words.min(MAX_WORDS),
        max_memory,
        partial,
    };
    let Some(inside) = depth.checked_sub(1) else { return Err(Error::limit(LimitError::Depth(depth))) };
    decoder.room(0)?;
    decoder.message(plans.root(), ROOT, input, 0, inside)?;
    Ok(decoder.arena)
}

struct Decoder<'p, 'a> {
    plans: &'p PlanSet,
    input: &'a [u8],
    /// Without the input, which is put into it when it is done.
    arena: Arena,
    /// Elements of lists that are not whole yet.
    pending: Vec<u64>,
    max_words: usize,
    max_memory: u64,
    partial: bool,
}

/// What a tag that is no plain one turns out to be.
enum Other {
    Field(usize, u32),
    Skipped,
    End,
}

/// What is left of some bytes when so many are.
#[cfg_attr(not(debug_assertions), inline(always))]
fn last(all: &[u8], left: usize) -> &[u8] {
    &all[all.len() - left..]
}

impl<'p, 'a> Decoder<'p, 'a> {
    /// Reads a message to its end, of the input or of the group with this number, and gives how many bytes are left.
    fn message(
        &mut self,
        plan: &'p MessagePlan,
        at: u32,
        part: &'a [u8],
        group: u32,
        depth: u32,
    ) -> Result<usize> {
        let mut r = Reader::new(self.input).within(part);
        let place = Place::new(at, plan);
        loop {
            let all = r.rest();
            let (index, tag) = match r.split_byte() {
                Some((byte, after)) => match plan.tags.get(byte) {
                    Some(index) => {
                        r = after;
                        (index, u32::from(byte))
                    }
                    None => {
                        let (other, left) = self.other(plan, at, all, group, depth)?;
                        r.replace(last(all, left));
                        match other {
                            Other::Field(index, tag) => (index, tag),
                            Other::Skipped => continue,
                            Other::End => break,
                        }
                    }
                },
                None if group == 0 => break,
                None => return Err(Error::wire(WireError::OpenGroup(group), r.position())),
            };
            let field = &plan.fields[index];
            if let Err(error) = self.field(plan, place, field, tag, all.len(), &mut r, depth) {
                return Err(error.in_field(&field.name).at_byte(r.position()));
            }
        }
        if !plan.required.is_empty() && !self.partial {
            self.check_required(plan, place)?;
        }
        Ok(r.rest().len())
    }

    #[cold]
    fn check_required(&self, plan: &MessagePlan, place: Place) -> Result<()> {
        let missing = plan.required.iter().find(|&&index| !self.arena.has_bit(place, usize::from(index)));
        missing.map_or(Ok(()), |&index| Err(Error::required(&plan.fields[usize::from(index)].name)))
    }

    #[inline(never)]
    fn other(
        &mut self,
        plan: &MessagePlan,
        at: u32,
        all: &'a [u8],
        group: u32,
        depth: u32,
    ) -> Result<(Other, usize)> {
        let mut r = Reader::new(self.input).within(all);
        let start = r;
        let tag = r.tag()?;
        if let Some(index) = plan.numbers.get(tag.number()) {
            let field = &plan.fields[index];
            if field.takes(tag)
                && (!field.closed
                    || field.shape == Shape::Map
                    || tag.wire_type() != WireType::Varint
                    || self.plans.enums[field.sub as usize].contains({ r }.varint()? as i32))
            {
                return Ok((Other::Field(index, tag.value()), r.rest().len()));
            }
        }
        if tag.wire_type() == WireType::EndGroup {
            let (number, at) = (tag.number(), start.position());
            return match group {
                _ if number == group => Ok((Other::End, r.rest().len())),
                0 => Err(Error::wire(WireError::StrayEndGroup(number), at)),
                wanted => Err(Error::wire(WireError::WrongEndGroup { wanted, found: number }, at)),
            };
        }
        r.skip(tag, depth)?;
        self.keep(at, start.position(), &r);
        Ok((Other::Skipped, r.rest().len()))
    }

    /// Keeps what is between two places as unknown fields.
    #[cold]
    fn keep(&mut self, at: u32, from: usize, end: &Reader<'a>) {
        self.arena.add_unknown_of(self.input, at, &self.input[from..end.position()]);
    }

    /// Fails when there is no room for so many more words.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn room(&self, words: usize) -> Result<()> {
        if self.arena.words.len() + words > self.max_words {
            return Err(Error::limit(LimitError::Memory(self.max_memory)));
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    #[expect(clippy::too_many_arguments, reason = "in registers, and in one place")]
    fn field(
        &mut self,
        plan: &'p MessagePlan,
        place: Place,
        field: &'p FieldPlan,
        tag: u32,
        before: usize,
        r: &mut Reader<'a>,
        depth: u32,
    ) -> Result<()> {
        let index = usize::from(field.index);
        let (word, bit) = place.bit(index);
        if field.oneof.is_some() && self.arena.words[word] & bit == 0 {
            self.arena.clear_siblings(place, plan, index);
        }
        self.arena.words[word] |= bit;
        let slot = place.slot(index);
        let all = r.rest();
        let left = match field.shape {
            Shape::Singular if field.is_message() => {
                let at = self.arena.words[slot] as u32;
                let at = self.inner(field, at, r, depth)?;
                self.arena.words[slot] = u64::from(at);
                return Ok(());
            }
            Shape::Singular => {
                self.arena.words[slot] = self.scalar(field, r)?;
                return Ok(());
            }
            Shape::List if field.other_tag != 0 && tag & 7 == WireType::Len as u32 => {
                self.packed(place.at, field, slot, all)?
            }
            Shape::List => self.list(field, tag, slot, all, depth)?,
            Shape::Map => self.map(place.at, field, slot, before - all.len(), all, depth)?,
        };
        // It is not told where the reader is, so that it can be in registers.
        r.replace(last(all, left));
        Ok(())
    }

    /// The word of a single value that is no message.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalar(&mut self, field: &FieldPlan, r: &mut Reader<'a>) -> Result<u64> {
        Ok(match field.kind {
            Kind::Int32 | Kind::UInt32 | Kind::Enum => u64::from(packed::varint(r)? as u32),
            Kind::Int64 | Kind::UInt64 => packed::varint(r)?,
            Kind::SInt32 => u64::from(unzigzag32(packed::varint(r)? as u32) as u32),
            Kind::SInt64 => unzigzag64(packed::varint(r)?) as u64,
            Kind::Bool => u64::from(packed::varint(r)? != 0),
            Kind::Float | Kind::Fixed32 | Kind::SFixed32 => u64::from(r.fixed32()?),
            Kind::Double | Kind::Fixed64 | Kind::SFixed64 => r.fixed64()?,
            Kind::String if field.utf8 => {
                let text = r.len_prefixed()?;
                if !text.is_ascii()
                    && let Err(error) = std::str::from_utf8(text)
                {
                    return Err(r.bad_utf8(text, error));
                }
                self.range(text.len(), r)
            }
            Kind::String | Kind::Bytes => {
                let len = r.len_prefixed()?.len();
                self.range(len, r)
            }
            Kind::Message | Kind::Group => 0,
        })
    }

    /// The word of the bytes before the cursor.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn range(&self, len: usize, r: &Reader<'a>) -> u64 {
        (r.position() - len) as u64 | (len as u64) << 32
    }

    /// Reads a message value, into the message at `at` where there is one.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inner(&mut self, field: &FieldPlan, at: u32, r: &mut Reader<'a>, depth: u32) -> Result<u32> {
        let plan = &self.plans.messages[field.sub as usize];
        let Some(depth) = depth.checked_sub(1) else { return Err(Error::limit(LimitError::Depth(0))) };
        let at = match at {
            0 => {
                self.room(message_words(plan))?;
                self.arena.message(field.sub, plan)
            }
            at => at,
        };
        if field.kind == Kind::Group {
            let all = r.rest();
            let left = self.message(plan, at, all, field.number, depth)?;
            r.replace(&all[all.len() - left..]);
        } else {
            let part = r.len_prefixed()?;
            self.message(plan, at, part, 0, depth)?;
        }
        Ok(at)
    }

    /// Reads the elements of a list that come one after the other, each under a tag; gives how many bytes are left.
    #[inline(never)]
    fn list(
        &mut self,
        field: &'p FieldPlan,
        tag: u32,
        slot: usize,
        all: &'a [u8],
        depth: u32,
    ) -> Result<usize> {
        let mut reader = Reader::new(self.input).within(all);
        let r = &mut reader;
        let first = self.pending.len();
        if self.pending.capacity() == 0 {
            self.pending.reserve(32);
        }
        loop {
            let value = match field.is_message() {
                true => self.inner(field, 0, r, depth).map(u64::from),
                false => self.scalar(field, r),
            };
            match value {
                Ok(word) => self.pending.push(word),
                Err(error) => {
                    return Err(error.in_index(self.pending.len() - first).at_byte(r.position()));
                }
            }
            // A closed enum must look at every number.
            if field.closed || tag != field.tag || !r.accept(field.tag_bytes()) {
                break;
            }
        }
        let len = self.pending.len() - first;
        self.room(len + 1)?;
        let to = self.arena.grow_list(slot, len);
        self.arena.words[to..to + len].copy_from_slice(&self.pending[first..]);
        self.pending.truncate(first);
        Ok(r.rest().len())
    }

    /// Reads a packed run; gives how many bytes are left after it.
    #[inline(never)]
    fn packed(&mut self, at: u32, field: &FieldPlan, slot: usize, all: &'a [u8]) -> Result<usize> {
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
            _ => packed::count(run),
        };
        self.room(len + 1)?;
        if run.is_empty() {
            return Ok(left);
        }
        let to = self.arena.grow_list(slot, len);
        let out = &mut self.arena.words[to..to + len];
        packed::read(field.kind, inside, out)?;
        Ok(left)
    }

    /// Reads a packed run of an enum, numbers of which may have to be kept as unknown fields.
    #[cold]
    fn packed_closed(&mut self, at: u32, field: &FieldPlan, slot: usize, mut run: Reader<'a>) -> Result<()> {
        let plan = &self.plans.enums[field.sub as usize];
        let mut index = 0;
        while !run.is_empty() {
            let number = run.varint().map_err(|error| error.in_index(index))? as i32;
            if plan.contains(number) {
                self.room(2)?;
                let to = self.arena.grow_list(slot, 1);
                self.arena.words[to] = u64::from(number as u32);
                index += 1;
            } else {
                let mut kept = Writer::new();
                kept.tag(Tag::new(field.number, WireType::Varint));
                kept.varint(i64::from(number) as u64);
                self.arena.add_unknown_of(self.input, at, &kept.finish()?);
            }
        }
        Ok(())
    }

    /// Reads the entries of a map that come one after the other; gives how many bytes are left.
    #[inline(never)]
    fn map(
        &mut self,
        at: u32,
        field: &'p FieldPlan,
        slot: usize,
        tag_len: usize,
        all: &'a [u8],
        depth: u32,
    ) -> Result<usize> {
        let mut r = Reader::new(self.input).within(all);
        let mut start = r.position() - tag_len;
        let plan = &self.plans.maps[field.sub as usize];
        let map = self.arena.map_in(self.plans, field, slot);
        loop {
            self.room(3)?;
            let inside = r.len_prefixed()?;
            let entry = self.arena.new_entry();
            if let Err(error) = self.entry(plan, entry, r.within(inside), depth) {
                return Err(self.in_entry(plan, entry, r.within(inside), error, depth));
            }
            let value = self.arena.entry(entry).1;
            if plan.value.closed && !self.plans.enums[plan.value.sub as usize].contains(value as i32) {
                self.keep(at, start, &r);
            } else {
                self.arena.put_entry(Some(self.input), map, entry);
            }
            start = r.position();
            if !r.accept(field.tag_bytes()) {
                return Ok(r.rest().len());
            }
        }
    }

    /// Reads an entry: mostly a key and a value, in this order.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(&mut self, plan: &'p MapPlan, entry: u32, mut r: Reader<'a>, depth: u32) -> Result<()> {
        let (key, value) = (entry as usize, entry as usize + 1);
        if r.accept(plan.key.tag_bytes()) {
            self.arena.words[key] = self.scalar(&plan.key, &mut r)?;
            if r.accept(plan.value.tag_bytes()) {
                self.entry_value(plan, key, &mut r, depth)?;
                if r.is_empty() {
                    return Ok(());
                }
            }
        }
        self.entry_rest(plan, key, value, r, depth)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry_value(&mut self, plan: &'p MapPlan, key: usize, r: &mut Reader<'a>, depth: u32) -> Result<()> {
        let held = self.arena.words[key + 1] as u32;
        let read = match plan.value.is_message() {
            true => self.inner(&plan.value, held, r, depth).map(u64::from),
            false => self.scalar(&plan.value, r),
        };
        match read {
            Ok(word) => {
                self.arena.words[key + 1] = word;
                Ok(())
            }
            Err(error) => Err(error.at_byte(r.position())),
        }
    }

    /// Names the key of an entry that an error was found in, unless the entry itself is malformed.
    #[cold]
    fn in_entry(&self, plan: &MapPlan, entry: u32, mut r: Reader<'a>, error: Error, depth: u32) -> Error {
        while !r.is_empty() {
            if let Err(error) = r.tag().and_then(|tag| r.skip(tag, depth)) {
                return error;
            }
        }
        let key = self.arena.entry(entry).0;
        error.in_key(self.arena.key_in_words(Some(self.input), plan.key.kind, key)).at_byte(r.position())
    }

    /// Reads what is left of an entry whose fields come in another order, more than once, or not at all.
    #[cold]
    fn entry_rest(
        &mut self,
        plan: &'p MapPlan,
        key: usize,
        value: usize,
        mut r: Reader<'a>,
        depth: u32,
    ) -> Result<()> {
        while !r.is_empty() {
            let tag = r.tag()?;
            if tag.value() == plan.key.tag {
                self.arena.words[key] = self.scalar(&plan.key, &mut r)?;
            } else if tag.value() == plan.value.tag {
                self.entry_value(plan, key, &mut r, depth)?;
            } else {
                r.skip(tag, depth)?;
            }
        }
        if plan.value.is_message() && self.arena.words[value] == 0 {
            // An empty message, of which required fields may be missing.
            let mut empty = r;
            empty.replace(&[0]);
            self.entry_value(plan, key, &mut empty, depth).map_err(Error::nowhere)?;
        }
        Ok(())
    }
}
