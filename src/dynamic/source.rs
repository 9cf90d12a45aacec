//! The arena as a source: a dynamic message handed to a format, or to serde.

use super::arena::{Arena, Place};
use crate::de::{Context, Next, Source};
use crate::error::{Error, Result};
use crate::plan::{EnumPlan, FieldPlan, Kind, MapPlan, MessagePlan, PlanSet, Presence, Route, Shape};
use std::borrow::Cow;

/// Reads an arena. The fields that it tells are those of the plan that it is asked with: its own, or one of a Rust type
/// with the same descriptor, where they are found by number.
pub(super) struct Walker<'a> {
    arena: &'a Arena,
    plans: &'a PlanSet,
    /// The word of the field, element, key or value at hand; for the outermost message where its index is.
    at: usize,
    /// The outermost message.
    root: u32,
    /// Map entries come in the order of their keys.
    sorted: bool,
    /// Unknown fields that were told.
    unknown: Cow<'a, [u8]>,
}

/// A message that is being read.
pub(super) struct Message<'a> {
    place: Place,
    plan: &'a MessagePlan,
    /// The presence word at hand, and what is left of it.
    word: usize,
    bits: u64,
    unknown: bool,
}

/// A list that is being read.
pub(super) struct List {
    next: usize,
    end: usize,
}

/// A map that is being read.
#[derive(Clone)]
pub(super) struct Map {
    /// The entry at hand.
    entry: u32,
    next: u32,
    /// What is left, where the order matters; the next entry comes last.
    sorted: Option<Vec<u32>>,
    started: bool,
}

impl<'a> Walker<'a> {
    /// Reads the message at `root`.
    pub(super) fn new(arena: &'a Arena, plans: &'a PlanSet, root: u32, sorted: bool) -> Self {
        Walker { arena, plans, at: 0, root, sorted, unknown: Cow::Borrowed(&[]) }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn word(&self) -> u64 {
        self.arena.words[self.at]
    }

    /// A message value of a map entry that came without one.
    #[cold]
    fn nothing(&self) -> Message<'a> {
        let plan = self.plans.root();
        Message { place: Place::new(self.root, plan), plan, word: plan.fields.len(), bits: 0, unknown: false }
    }
}

/// The entries of a map in the order of their keys, the last one first.
#[cold]
pub(super) fn sorted_entries(arena: &Arena, word: u64, plan: &MapPlan) -> Vec<u32> {
    let mut entries = Vec::with_capacity(arena.map_len(word));
    let mut entry = arena.first_entry(word);
    while entry != 0 {
        entries.push(entry);
        entry = arena.entry_after(entry);
    }
    let key = |entry: &u32| arena.entry(*entry).0;
    match plan.key.kind {
        Kind::String => entries.sort_by(|a, b| arena.bytes(key(b)).cmp(arena.bytes(key(a)))),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => {
            entries.sort_by_key(|entry| std::cmp::Reverse(key(entry) as i32));
        }
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => {
            entries.sort_by_key(|entry| std::cmp::Reverse(key(entry) as i64));
        }
        _ => entries.sort_by_key(|entry| std::cmp::Reverse(key(entry))),
    }
    entries
}

impl Arena {
    /// True when a field that may be marked as set has something in it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_set(&self, place: Place, field: &FieldPlan) -> bool {
        let index = usize::from(field.index);
        self.has_bit(place, index) && self.is_filled(place, field)
    }

    /// The same, for a field that is marked as set.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn is_filled(&self, place: Place, field: &FieldPlan) -> bool {
        let word = self.words[place.slot(usize::from(field.index))];
        match field.shape {
            Shape::List => word >> 32 != 0,
            Shape::Map => self.map_len(word) != 0,
            Shape::Singular if field.presence != Presence::Implicit => true,
            Shape::Singular if matches!(field.kind, Kind::String | Kind::Bytes) => word >> 32 != 0,
            Shape::Singular => word != 0,
        }
    }
}

impl<'a> Source<'a> for Walker<'a> {
    type Message = Message<'a>;
    type List = List;
    type Map = Map;
    type Mark = usize;
    type Front = ();
    type Outer = ();
    type Closed = ();

    const UNIQUE: bool = true;

    fn mark(&self) -> usize {
        self.at
    }

    fn reopen_grouped(
        &mut self,
        mark: usize,
        cx: Context<'_>,
        field: Option<&FieldPlan>,
        plan: &MessagePlan,
    ) -> Result<Message<'a>> {
        self.at = mark;
        self.open_message(cx, field, plan, &plan.routes)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_message(
        &mut self,
        _: Context<'_>,
        field: Option<&FieldPlan>,
        _: &MessagePlan,
        _: &[Route],
    ) -> Result<Message<'a>> {
        let at = if field.is_some() { self.word() as u32 } else { self.root };
        if at == 0 {
            return Ok(self.nothing());
        }
        let plan = &self.plans.messages[self.arena.plan_of(at) as usize];
        let place = Place::new(at, plan);
        let bits = if plan.fields.is_empty() { 0 } else { self.arena.words[at as usize + 1] };
        Ok(Message { place, plan, word: 0, bits, unknown: self.arena.words[at as usize] >> 32 != 0 })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_field(&mut self, cx: Context<'_>, message: &mut Message<'a>, plan: &MessagePlan) -> Result<Next> {
        loop {
            while message.bits == 0 {
                message.word += 1;
                if message.word * 64 >= message.plan.fields.len() {
                    if std::mem::take(&mut message.unknown) && cx.keeps_unknown(plan) {
                        self.unknown = Cow::Borrowed(self.arena.unknown(message.place.at));
                        return Ok(Next::Unknown);
                    }
                    return Ok(Next::End);
                }
                message.bits = self.arena.words[message.place.at as usize + 1 + message.word];
            }
            let index = message.word * 64 + message.bits.trailing_zeros() as usize;
            message.bits &= message.bits - 1;
            let field = &message.plan.fields[index];
            if !self.arena.is_filled(message.place, field) {
                continue;
            }
            self.at = message.place.slot(index);
            if !plan.bound {
                return Ok(Next::Field(index));
            }
            // A field that the Rust type leaves out is left out here too.
            if let Some(index) = plan.numbers.get(field.number) {
                return Ok(Next::Field(index));
            }
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn closed(_: &Message<'a>) {}

    fn close_message(&mut self, (): (), (): ()) {}

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn outer(&self) {}

    fn is_grouped(&self, _: &Message<'a>) -> bool {
        true
    }

    fn unknown(&mut self) -> Cow<'a, [u8]> {
        std::mem::take(&mut self.unknown)
    }

    fn skip_value(&mut self, _: Context<'_>, _: &FieldPlan) -> Result<()> {
        Ok(())
    }

    fn skip_element(&mut self, _: Context<'_>, _: &FieldPlan) -> Result<()> {
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn open_list(&mut self, _: &FieldPlan) -> Result<List> {
        let (start, len) = self.arena.list(self.at);
        Ok(List { next: start, end: start + len })
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_element(&mut self, _: Context<'_>, list: &mut List, _: &FieldPlan) -> Result<bool> {
        if list.next == list.end {
            return Ok(false);
        }
        self.at = list.next;
        list.next += 1;
        Ok(true)
    }

    fn list_hint(&self, list: &List, _: &FieldPlan) -> Option<usize> {
        Some(list.end - list.next + 1)
    }

    fn open_map(&mut self) -> Map {
        let word = self.word();
        Map { entry: 0, next: self.arena.first_entry(word), sorted: None, started: false }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next_entry(&mut self, _: Context<'_>, map: &mut Map, _: &FieldPlan, plan: &MapPlan) -> Result<bool> {
        if self.sorted && !std::mem::replace(&mut map.started, true) {
            map.sorted = Some(sorted_entries(self.arena, self.word(), plan));
        }
        map.entry = match &mut map.sorted {
            None => map.next,
            Some(entries) => entries.pop().unwrap_or_default(),
        };
        if map.entry == 0 {
            return Ok(false);
        }
        map.next = self.arena.entry_after(map.entry);
        self.at = map.entry as usize;
        Ok(true)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry_value(&mut self, map: &mut Map, _: &MapPlan) -> bool {
        self.at = map.entry as usize + 1;
        true
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end_entry(&mut self, _: &mut Map) {}

    fn describe_key(&self, map: &Map, key: &FieldPlan) -> String {
        self.arena.key_in_words(None, key.kind, self.arena.entry(map.entry).0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bool(&mut self) -> Result<bool> {
        Ok(self.word() != 0)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i32(&mut self, _: Kind) -> Result<i32> {
        Ok(self.word() as i32)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn i64(&mut self, _: Kind) -> Result<i64> {
        Ok(self.word() as i64)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u32(&mut self, _: Kind) -> Result<u32> {
        Ok(self.word() as u32)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn u64(&mut self, _: Kind) -> Result<u64> {
        Ok(self.word())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_bits(self.word() as u32))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn f64(&mut self) -> Result<f64> {
        Ok(f64::from_bits(self.word()))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn enumeration(&mut self, _: &EnumPlan) -> Result<i32> {
        Ok(self.word() as i32)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn str(&mut self, _: &FieldPlan) -> Result<Cow<'a, str>> {
        match std::str::from_utf8(self.arena.bytes(self.word())) {
            Ok(text) => Ok(Cow::Borrowed(text)),
            Err(_) => Err(Error::ty("the string is not UTF-8")),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn bytes(&mut self, _: &FieldPlan) -> Result<Cow<'a, [u8]>> {
        Ok(Cow::Borrowed(self.arena.bytes(self.word())))
    }

    fn locate(&self, error: Error) -> Error {
        error
    }
}
