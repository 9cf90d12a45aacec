//! The arena as a sink: what a format, or serde, hands over goes into a dynamic message.

use super::arena::{Arena, MAX_WORDS, Place, ROOT, message_words};
use crate::error::{Error, LimitError, Result};
use crate::plan::{EnumPlan, FieldPlan, Kind, MessagePlan, PlanSet, Shape};
use crate::ser::{Fork, Sink};

/// Fills an arena. The fields that it is told are those of its own plans, or where `BOUND` those of a Rust type with
/// the same descriptors, which are found by number.
pub(super) struct Filler<'p, const BOUND: bool> {
    arena: Arena,
    plans: &'p PlanSet,
    /// The message that is being filled.
    place: Place,
    plan: &'p MessagePlan,
    /// The word that the next value goes to.
    at: usize,
    /// The plan of the next message.
    sub: u32,
    list: OpenList,
    /// The elements of lists of messages that are not whole yet.
    messages: Vec<u32>,
    max_words: usize,
    max_memory: u64,
    /// There is no room for more.
    full: bool,
}

/// A list of scalars that is being filled; there is one at a time.
#[derive(Clone, Copy, Default)]
struct OpenList {
    start: usize,
    len: usize,
    room: usize,
}

/// The word that values go to that are not kept.
const NOWHERE: usize = 0;

impl<'p, const BOUND: bool> Filler<'p, BOUND> {
    /// Fills an arena that has an outermost message; it may grow by `max_memory` bytes.
    pub(super) fn new(arena: Arena, plans: &'p PlanSet, max_memory: u64) -> Self {
        let more = usize::try_from(max_memory / 8).unwrap_or(MAX_WORDS);
        let own = arena.words.len() - message_words(plans.root()).min(arena.words.len());
        let max_words = own.saturating_add(more).min(MAX_WORDS);
        Filler {
            place: Place::new(ROOT, plans.root()),
            plan: plans.root(),
            full: arena.words.len() > max_words,
            arena,
            plans,
            at: NOWHERE,
            sub: 0,
            list: OpenList::default(),
            messages: Vec::new(),
            max_words,
            max_memory,
        }
    }

    /// The arena, filled.
    pub(super) fn finish(self) -> Arena {
        self.arena
    }

    /// The index of a field among those of the arena's own plan, and its own plan's `sub`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn own(&self, field: &FieldPlan) -> (usize, u32) {
        if !BOUND {
            return (usize::from(field.index), field.sub);
        }
        // Both plans are of one descriptor, so that every number is there.
        let index = self.plan.numbers.get(field.number).unwrap_or_default();
        (index, self.plan.fields.get(index).map_or(0, |own| own.sub))
    }

    /// Marks a field as set; what another field of its oneof held goes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mark_set(&mut self, index: usize, field: &FieldPlan) -> usize {
        let (word, bit) = self.place.bit(index);
        if field.oneof.is_some() && self.arena.words[word] & bit == 0 {
            self.arena.clear_siblings(self.place, self.plan, index);
        }
        self.arena.words[word] |= bit;
        self.place.slot(index)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put(&mut self, word: u64) {
        self.arena.words[self.at] = word;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn put_bytes(&mut self, bytes: &[u8]) {
        match self.arena.within_input(bytes) {
            Some(word) => self.put(word),
            None => self.put_copy(bytes),
        }
    }

    #[inline(never)]
    fn put_copy(&mut self, bytes: &[u8]) {
        match self.arena.copy(bytes) {
            Ok(word) => self.put(word),
            Err(_) => self.full = true,
        }
    }

    /// Makes room for an element beyond those there is room for.
    #[inline(never)]
    fn grow(&mut self) {
        let OpenList { start, len, room } = self.list;
        let words = &mut self.arena.words;
        if words.len() + 2 * len > self.max_words {
            self.full = true;
            return;
        }
        self.list.room = (2 * room).max(1);
        words.push(0);
        self.list.start = words.len();
        if len == 0 {
            words.push(0);
            self.list.room = 1;
        } else {
            words.resize(self.list.start + self.list.room, 0);
            words.copy_within(start..start + len, self.list.start);
            self.arena.garbage += 8 * len;
        }
    }
}

impl Arena {
    /// Clears the other fields of the oneof that a field is in.
    #[inline(never)]
    pub(super) fn clear_siblings(&mut self, place: Place, plan: &MessagePlan, index: usize) {
        let Some(oneof) = plan.fields[index].oneof.and_then(|oneof| plan.oneofs.get(usize::from(oneof)))
        else {
            return;
        };
        for &other in oneof.fields.iter().filter(|&&other| usize::from(other) != index) {
            let (word, bit) = place.bit(usize::from(other));
            if self.words[word] & bit != 0 {
                self.words[word] &= !bit;
                let slot = place.slot(usize::from(other));
                let old = std::mem::take(&mut self.words[slot]);
                match plan.fields[usize::from(other)].kind {
                    Kind::String | Kind::Bytes => self.drop_string(old),
                    Kind::Message | Kind::Group => self.garbage += 8,
                    _ => {}
                }
            }
        }
    }
}

impl<const BOUND: bool> Fork for Filler<'_, BOUND> {
    fn fork(&self) -> Self {
        Filler::new(Arena::new(self.plan, bytes::Bytes::new(), 0), self.plans, self.max_memory)
    }

    fn append(&mut self, _: Self) -> Result<()> {
        Err(Error::ty("the entries of a dynamic message cannot be sorted"))
    }
}

impl<'p, const BOUND: bool> Sink for Filler<'p, BOUND> {
    type Message = (Place, &'p MessagePlan);
    type List = (usize, u32);
    type Entry = (u64, u32);
    type Mark = ();

    const MERGES: bool = true;
    const ZEROS: bool = true;

    fn mark(&self) {}

    fn rewind(&mut self, (): ()) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field(&mut self, field: &FieldPlan) {
        let (index, sub) = self.own(field);
        self.at = self.mark_set(index, field);
        if BOUND {
            self.sub = sub;
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_message(&mut self, field: Option<&FieldPlan>, _: &MessagePlan) -> Self::Message {
        let outer = (self.place, self.plan);
        let Some(field) = field else { return outer };
        let sub = if BOUND { self.sub } else { field.sub };
        self.plan = &self.plans.messages[sub as usize];
        let mut at = 0;
        if field.shape != Shape::List {
            at = self.arena.words[self.at] as u32;
        }
        if at == 0 {
            at = self.arena.message(sub, self.plan);
            match field.shape {
                Shape::List => self.messages.push(at),
                _ => self.arena.words[self.at] = u64::from(at),
            }
            self.full |= self.arena.words.len() > self.max_words;
        }
        self.place = Place::new(at, self.plan);
        outer
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_message(&mut self, _: Option<&FieldPlan>, _: &MessagePlan, outer: Self::Message) -> Result<()> {
        (self.place, self.plan) = outer;
        if self.full {
            return Err(Error::limit(LimitError::Memory(self.max_memory)));
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_list(&mut self, field: &FieldPlan, len: usize) -> (usize, u32) {
        let (index, _) = self.own(field);
        let slot = self.mark_set(index, field);
        if field.is_message() {
            return (slot, self.messages.len() as u32);
        }
        let (start, held) = self.arena.list(slot);
        self.list = OpenList { start, len: held, room: self.arena.room(start) };
        if len > 1 && self.arena.words.len() + len < self.max_words {
            self.arena.words.reserve(len + 1);
        }
        (slot, 0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn element(&mut self, field: &FieldPlan, _: bool) {
        if field.is_message() {
            if BOUND {
                self.sub = self.own(field).1;
            }
            return;
        }
        let OpenList { start, len, room } = self.list;
        if len < room {
        } else if start + len == self.arena.words.len() && start + len < self.max_words {
            self.arena.words.push(0);
            self.list.room += 1;
        } else {
            self.grow();
            if self.full {
                self.at = NOWHERE;
                return;
            }
        }
        self.at = self.list.start + len;
        self.list.len += 1;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_list(&mut self, field: &FieldPlan, (slot, first): (usize, u32)) {
        if field.is_message() {
            let first = first as usize;
            let to = self.arena.grow_list(slot, self.messages.len() - first);
            for (word, at) in self.arena.words[to..].iter_mut().zip(self.messages.drain(first..)) {
                *word = u64::from(at);
            }
            return;
        }
        let OpenList { start, len, room } = self.list;
        if start != 0 {
            self.arena.words[start - 1] = room as u64;
            self.arena.words[slot] = start as u64 | (len as u64) << 32;
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_map(&mut self, field: &FieldPlan) {
        let (index, sub) = self.own(field);
        let slot = self.mark_set(index, field);
        if self.arena.words[slot] == 0 {
            let text = self.plans.maps[sub as usize].key.kind == Kind::String;
            self.arena.words[slot] = self.arena.new_map(text);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin_entry(&mut self, field: &FieldPlan, _: &FieldPlan, _: bool) -> (u64, u32) {
        let (index, sub) = self.own(field);
        if BOUND {
            self.sub = self.plans.maps[sub as usize].value.sub;
        }
        self.full |= self.arena.words.len() + 3 > self.max_words;
        let entry = if self.full { NOWHERE as u32 } else { self.arena.new_entry() };
        self.at = entry as usize;
        (self.arena.words[self.place.slot(index)], entry)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry_value(&mut self, _: &FieldPlan) {
        self.at += 1;
        // Where there is no room, another entry may have been here.
        self.arena.words[self.at] = 0;
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_entry(&mut self, (map, entry): (u64, u32)) {
        if entry as usize != NOWHERE {
            self.arena.put_entry(map, entry);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_map(&mut self, _: &FieldPlan) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bool(&mut self, value: bool) {
        self.put(u64::from(value));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i32(&mut self, _: Kind, value: i32) {
        self.put(u64::from(value as u32));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i64(&mut self, _: Kind, value: i64) {
        self.put(value as u64);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u32(&mut self, _: Kind, value: u32) {
        self.put(u64::from(value));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u64(&mut self, _: Kind, value: u64) {
        self.put(value);
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f32(&mut self, value: f32) {
        self.put(u64::from(value.to_bits()));
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f64(&mut self, value: f64) {
        self.put(value.to_bits());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn str(&mut self, value: &str) {
        self.put_bytes(value.as_bytes());
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(&mut self, value: &[u8]) {
        self.put_bytes(value);
    }

    fn text_bytes(&mut self, value: &[u8]) -> Result<()> {
        self.put_bytes(value);
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enumeration(&mut self, _: &EnumPlan, number: i32) {
        self.put(u64::from(number as u32));
    }

    fn unknown(&mut self, _: &MessagePlan, fields: &[u8]) -> Result<()> {
        self.arena.add_unknown(self.place.at, fields);
        Ok(())
    }
}
