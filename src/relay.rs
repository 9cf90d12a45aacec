//! From a source straight into a sink, with no message in between.
//!
//! One walk over any two formats: what a zero of implicit presence means, that a field given twice is written once, what
//! is required, is decided here. Layer 3: names `plan`, `de` and `ser`.

use crate::de::{Context, Keys, Next, Source};
use crate::error::{Category, Error, LimitError, Result};
use crate::plan::{FieldPlan, Kind, MapPlan, MessagePlan, PlanSet, Presence, Shape};
use crate::ser::{Count, Sink, Wire, write_default, write_default_value};
use std::borrow::Cow;
use std::collections::HashMap;

/// Hands what the source reads to the sink.
pub(crate) struct Relay<'a, 'p, S, K> {
    pub(crate) source: &'a mut S,
    pub(crate) sink: &'a mut K,
    pub(crate) set: &'p PlanSet,
    /// How many levels of messages may still be opened.
    pub(crate) depth: u32,
    pub(crate) max_depth: u32,
    /// Required fields may be missing.
    pub(crate) partial: bool,
    /// Fields without presence are written when they have their default.
    pub(crate) defaults: bool,
}

/// A map key, to tell entries apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Key<'de> {
    Int(i64),
    UInt(u64),
    Str(Cow<'de, str>),
}

/// The fields of one message that were handed on.
#[derive(Default)]
struct Seen {
    low: u64,
    high: Vec<u64>,
}

impl Seen {
    /// Notes a field; true when it was noted before.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn again(&mut self, index: usize) -> bool {
        let bit = 1u64 << (index % 64);
        let word = match (index / 64).checked_sub(1) {
            None => &mut self.low,
            Some(high) => self.high_word(high),
        };
        let again = *word & bit != 0;
        *word |= bit;
        again
    }

    #[cold]
    fn high_word(&mut self, index: usize) -> &mut u64 {
        if self.high.len() <= index {
            self.high.resize(index + 1, 0);
        }
        &mut self.high[index]
    }

    fn has(&self, index: usize) -> bool {
        let word = match (index / 64).checked_sub(1) {
            None => self.low,
            Some(high) => self.high.get(high).copied().unwrap_or(0),
        };
        word & (1 << (index % 64)) != 0
    }
}

impl<'a, 'p, 'de, S: Source<'de>, K: Sink> Relay<'a, 'p, S, K> {
    fn cx(&self) -> Context<'p> {
        Context { set: self.set, depth: self.depth, unknown: true }
    }

    /// Hands on the message at hand: the outermost one where there is no field.
    ///
    /// # Errors
    /// The input is malformed or goes past a limit, a required field is missing, or the sink cannot write a value.
    pub(crate) fn message(&mut self, field: Option<&FieldPlan>, plan: &MessagePlan) -> Result<()> {
        self.enter()?;
        let depth = self.depth;
        let (from, to) = (self.source.mark(), self.sink.mark());
        let outer = self.source.outer();
        let mut message = self.source.open_message(self.cx(), field, plan, &plan.routes)?;
        let mut out = self.sink.begin_message(field, plan);
        if let Err(error) = self.fields(&mut message, plan) {
            if !error.is_regroup() {
                return Err(error);
            }
            // What was left inside has not been counted back.
            self.depth = depth;
            (message, out) = self.regrouped(from, to, field, plan)?;
        }
        self.source.close_message(S::closed(&message), outer);
        self.depth += 1;
        self.sink.end_message(field, plan, out).map_err(|error| self.source.locate(error))
    }

    /// Takes a message back, and hands on its fields once more, gathered.
    #[cold]
    fn regrouped(
        &mut self,
        from: S::Mark,
        to: K::Mark,
        field: Option<&FieldPlan>,
        plan: &MessagePlan,
    ) -> Result<(S::Message, K::Message)> {
        self.sink.rewind(to);
        let mut message = self.source.reopen_grouped(from, self.cx(), field, plan)?;
        let out = self.sink.begin_message(field, plan);
        self.fields_apart(&mut message, plan)?;
        Ok((message, out))
    }

    /// Hands on the fields of a message whose begin and end are another's to write.
    ///
    /// # Errors
    /// As [`message`](Self::message).
    pub(crate) fn bare_message(&mut self, plan: &MessagePlan) -> Result<()> {
        self.enter()?;
        let outer = self.source.outer();
        let mut message = self.source.open_message(self.cx(), None, plan, &plan.routes)?;
        self.fields_apart(&mut message, plan)?;
        self.source.close_message(S::closed(&message), outer);
        self.depth += 1;
        Ok(())
    }

    fn enter(&mut self) -> Result<()> {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                Ok(())
            }
            None => Err(self.source.locate(Error::limit(LimitError::Depth(self.max_depth)))),
        }
    }

    #[inline(never)]
    fn fields_apart(&mut self, message: &mut S::Message, plan: &MessagePlan) -> Result<()> {
        self.fields(message, plan)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn fields(&mut self, message: &mut S::Message, plan: &MessagePlan) -> Result<()> {
        let cx = self.cx();
        let grouped = S::UNIQUE || self.source.is_grouped(message);
        let streams = !K::MERGES && !grouped;
        let mut seen = Seen::default();
        let mut unknown: Cow<'de, [u8]> = Cow::Borrowed(&[]);
        loop {
            match self.source.next_field(cx, message, plan)? {
                Next::Field(index) => {
                    let field = &plan.fields[index];
                    if seen.again(index) && streams {
                        return Err(Error::regroup());
                    }
                    if streams && field.oneof.is_some() && voids(plan, field, &seen) {
                        return Err(Error::regroup());
                    }
                    if let Err(error) = self.field(field, grouped) {
                        if error.is_regroup() {
                            return Err(error);
                        }
                        if streams && error.category() == Category::Required {
                            // What is missing inside may be in another piece of the field.
                            return Err(Error::regroup());
                        }
                        return Err(self.source.locate(error.in_field(&field.name)));
                    }
                }
                Next::Unknown => {
                    let fields = self.source.unknown();
                    if K::MERGES {
                        self.sink.unknown(plan, &fields)?;
                    } else if plan.extendable {
                        match unknown.is_empty() {
                            true => unknown = fields,
                            false => unknown.to_mut().extend_from_slice(&fields),
                        }
                    }
                }
                Next::End => break,
            }
        }
        if !plan.required.is_empty()
            && !self.partial
            && let Some(&missing) = plan.required.iter().find(|&&index| !seen.has(usize::from(index)))
        {
            if !K::MERGES && !grouped {
                // It may be in another piece of the message.
                return Err(Error::regroup());
            }
            return Err(Error::required(&plan.fields[usize::from(missing)].name));
        }
        if self.defaults {
            for (index, field) in plan.fields.iter().enumerate() {
                // An extension that is not set is no field of the message.
                if !seen.has(index) && !field.name.starts_with('[') {
                    self.default(field);
                }
            }
        }
        if !unknown.is_empty() {
            self.sink.unknown(plan, &unknown)?;
        }
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field(&mut self, field: &FieldPlan, grouped: bool) -> Result<()> {
        match field.shape {
            Shape::Singular => self.single(field),
            Shape::List => self.list(field),
            Shape::Map => self.map(field, grouped),
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn single(&mut self, field: &FieldPlan) -> Result<()> {
        /// Writes a value unless it is a default without presence.
        macro_rules! unless {
            ($is_default:expr, $write:expr) => {
                if K::ZEROS || !$is_default || self.writes_default(field) {
                    self.sink.field(field);
                    $write;
                }
            };
        }
        match field.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                let value = self.source.i32(kind)?;
                unless!(value == 0, self.sink.i32(kind, value));
            }
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                let value = self.source.i64(kind)?;
                unless!(value == 0, self.sink.i64(kind, value));
            }
            kind @ (Kind::UInt32 | Kind::Fixed32) => {
                let value = self.source.u32(kind)?;
                unless!(value == 0, self.sink.u32(kind, value));
            }
            kind @ (Kind::UInt64 | Kind::Fixed64) => {
                let value = self.source.u64(kind)?;
                unless!(value == 0, self.sink.u64(kind, value));
            }
            Kind::Float => {
                let value = self.source.f32()?;
                unless!(value.to_bits() == 0, self.sink.f32(value));
            }
            Kind::Double => {
                let value = self.source.f64()?;
                unless!(value.to_bits() == 0, self.sink.f64(value));
            }
            Kind::Bool => {
                let value = self.source.bool()?;
                unless!(!value, self.sink.bool(value));
            }
            Kind::Enum => {
                let plan = &self.set.enums[field.sub as usize];
                let value = self.source.enumeration(plan)?;
                unless!(value == 0, self.sink.enumeration(plan, value));
            }
            Kind::Bytes => {
                let value = self.source.bytes(field)?;
                unless!(value.is_empty(), self.sink.bytes(&value));
            }
            Kind::String if field.utf8 => {
                let value = self.source.str(field)?;
                unless!(value.is_empty(), self.sink.str(&value));
            }
            Kind::String => {
                let value = self.source.bytes(field)?;
                unless!(value.is_empty(), self.text(&value)?);
            }
            Kind::Message | Kind::Group => {
                self.sink.field(field);
                return self.message(Some(field), &self.set.messages[field.sub as usize]);
            }
        }
        Ok(())
    }

    /// True for fields that are written when they have their default.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn writes_default(&self, field: &FieldPlan) -> bool {
        field.presence != Presence::Implicit || self.defaults
    }

    /// A value whose place the sink was told.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value(&mut self, field: &FieldPlan) -> Result<()> {
        match field.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => {
                self.sink.i32(kind, self.source.i32(kind)?);
            }
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => {
                self.sink.i64(kind, self.source.i64(kind)?);
            }
            kind @ (Kind::UInt32 | Kind::Fixed32) => self.sink.u32(kind, self.source.u32(kind)?),
            kind @ (Kind::UInt64 | Kind::Fixed64) => self.sink.u64(kind, self.source.u64(kind)?),
            Kind::Float => self.sink.f32(self.source.f32()?),
            Kind::Double => self.sink.f64(self.source.f64()?),
            Kind::Bool => self.sink.bool(self.source.bool()?),
            Kind::Enum => {
                let plan = &self.set.enums[field.sub as usize];
                self.sink.enumeration(plan, self.source.enumeration(plan)?);
            }
            Kind::Bytes => self.sink.bytes(&self.source.bytes(field)?),
            Kind::String if field.utf8 => self.sink.str(&self.source.str(field)?),
            Kind::String => {
                let text = self.source.bytes(field)?;
                self.text(&text)?;
            }
            Kind::Message | Kind::Group => {
                return self.message(Some(field), &self.set.messages[field.sub as usize]);
            }
        }
        Ok(())
    }

    /// The text of a field that need not be UTF-8.
    #[cold]
    fn text(&mut self, text: &[u8]) -> Result<()> {
        match std::str::from_utf8(text) {
            Ok(text) => self.sink.str(text),
            Err(_) => self.sink.text_bytes(text)?,
        }
        Ok(())
    }

    #[inline(never)]
    fn list(&mut self, field: &FieldPlan) -> Result<()> {
        let mut list = self.source.open_list(field)?;
        if !self.source.next_element(self.cx(), &mut list, field)? {
            if self.defaults {
                self.default(field);
            }
            return Ok(());
        }
        // Only what keeps the values, zeros and all, has a use for a guess at their number.
        let hint = if K::ZEROS { self.source.list_hint(&list, field) } else { None };
        let len = hint.unwrap_or(1);
        let open = self.sink.begin_list(field, len);
        /// One loop per kind: what a number is need not be asked for each.
        macro_rules! each {
            ($($($kind:ident)+ : $method:ident;)+) => {
                match field.kind {
                    $($(Kind::$kind => self.elements(&mut list, field, |relay| {
                        relay.sink.$method(Kind::$kind, relay.source.$method(Kind::$kind)?);
                        Ok(())
                    }),)+)+
                    Kind::Float => self.elements(&mut list, field, |relay| {
                        relay.sink.f32(relay.source.f32()?);
                        Ok(())
                    }),
                    Kind::Double => self.elements(&mut list, field, |relay| {
                        relay.sink.f64(relay.source.f64()?);
                        Ok(())
                    }),
                    Kind::Message | Kind::Group => {
                        let plan = &self.set.messages[field.sub as usize];
                        self.elements(&mut list, field, |relay| relay.message(Some(field), plan))
                    }
                    Kind::Bool | Kind::Enum | Kind::String | Kind::Bytes => {
                        self.elements(&mut list, field, |relay| relay.value(field))
                    }
                }
            };
        }
        each! {
            Int32 SInt32 SFixed32: i32;
            Int64 SInt64 SFixed64: i64;
            UInt32 Fixed32: u32;
            UInt64 Fixed64: u64;
        }?;
        self.sink.end_list(field, open);
        Ok(())
    }

    /// The elements of a list, of which the first one is at hand.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn elements(
        &mut self,
        list: &mut S::List,
        field: &FieldPlan,
        value: impl Fn(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let cx = self.cx();
        let mut index = 0;
        loop {
            self.sink.element(field, index == 0);
            value(self).map_err(|error| self.source.locate(error.in_index(index)))?;
            index += 1;
            if !self.source.next_element(cx, list, field)? {
                return Ok(());
            }
        }
    }

    #[inline(never)]
    fn map(&mut self, field: &FieldPlan, grouped: bool) -> Result<()> {
        let plan = &self.set.maps[field.sub as usize];
        let mut map = self.source.open_map();
        let mut entries = Entries::All;
        if !K::MERGES && !S::UNIQUE {
            entries = match grouped {
                true => Entries::Last(self.last_entries(map.clone(), field, plan)?),
                false => Entries::Once(Keys::default()),
            };
        }
        let (mut index, mut started) = (0, false);
        while self.source.next_entry(self.cx(), &mut map, field, plan)? {
            let written = match &mut entries {
                Entries::All => self.entry(&mut map, field, plan, &mut started, None),
                checked => {
                    let key = self.key(&plan.key);
                    match key {
                        Err(error) => Err(error),
                        Ok(key) if checked.takes(&key, index)? => {
                            self.entry(&mut map, field, plan, &mut started, Some(key))
                        }
                        Ok(_) => self.skip_entry(&mut map, plan),
                    }
                }
            };
            if let Err(error) = written {
                let key = self.source.describe_key(&map, &plan.key);
                return Err(if error.is_regroup() { error } else { self.source.locate(error.in_key(key)) });
            }
            self.source.end_entry(&mut map);
            index += 1;
        }
        match started {
            true => self.sink.end_map(field),
            false if self.defaults => self.default(field),
            false => {}
        }
        Ok(())
    }

    /// Hands on an entry whose key is at hand, or was read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(
        &mut self,
        map: &mut S::Map,
        field: &FieldPlan,
        plan: &MapPlan,
        started: &mut bool,
        key: Option<Key<'de>>,
    ) -> Result<()> {
        if !*started {
            self.sink.begin_map(field);
        }
        let entry = self.sink.begin_entry(field, &plan.key, !std::mem::replace(started, true));
        match key {
            None => self.value(&plan.key)?,
            Some(key) => self.put_key(plan.key.kind, &key),
        }
        self.sink.entry_value(&plan.value);
        match self.source.entry_value(map, plan) {
            true => self.value(&plan.value)?,
            false => self.default_value(&plan.value),
        }
        self.sink.end_entry(entry);
        Ok(())
    }

    /// Passes over an entry whose key comes again: its value goes nowhere, but must be well formed. Each is looked into
    /// just here, where nothing else reads it: so that maps in maps are not read once more for each level.
    fn skip_entry(&mut self, map: &mut S::Map, plan: &MapPlan) -> Result<()> {
        if self.source.entry_value(map, plan) {
            let mut nowhere = Wire(Count::default());
            let Relay { set, depth, max_depth, .. } = *self;
            let (source, sink) = (&mut *self.source, &mut nowhere);
            // What is required may be in another piece of the value's messages.
            let mut relay = Relay { source, sink, set, depth, max_depth, partial: true, defaults: false };
            relay.value(&plan.value)?;
        }
        Ok(())
    }

    /// For each key of a map the index of its last entry.
    #[cold]
    fn last_entries(
        &mut self,
        mut map: S::Map,
        field: &FieldPlan,
        plan: &MapPlan,
    ) -> Result<HashMap<Key<'de>, usize>> {
        let mut last = HashMap::new();
        let mut index = 0;
        while self.source.next_entry(self.cx(), &mut map, field, plan)? {
            last.insert(self.key(&plan.key)?, index);
            if self.source.entry_value(&mut map, plan) {
                self.source.skip_value(self.cx(), &plan.value)?;
            }
            self.source.end_entry(&mut map);
            index += 1;
        }
        Ok(last)
    }

    fn key(&mut self, key: &FieldPlan) -> Result<Key<'de>> {
        Ok(match key.kind {
            kind @ (Kind::Int32 | Kind::SInt32 | Kind::SFixed32) => Key::Int(self.source.i32(kind)?.into()),
            kind @ (Kind::Int64 | Kind::SInt64 | Kind::SFixed64) => Key::Int(self.source.i64(kind)?),
            kind @ (Kind::UInt32 | Kind::Fixed32) => Key::UInt(self.source.u32(kind)?.into()),
            kind @ (Kind::UInt64 | Kind::Fixed64) => Key::UInt(self.source.u64(kind)?),
            Kind::Bool => Key::UInt(self.source.bool()?.into()),
            _ => Key::Str(self.source.str(key)?),
        })
    }

    fn put_key(&mut self, kind: Kind, key: &Key<'_>) {
        match (kind, key) {
            (Kind::Bool, Key::UInt(key)) => self.sink.bool(*key != 0),
            (Kind::UInt32 | Kind::Fixed32, Key::UInt(key)) => self.sink.u32(kind, *key as u32),
            (_, Key::UInt(key)) => self.sink.u64(kind, *key),
            (Kind::Int32 | Kind::SInt32 | Kind::SFixed32, Key::Int(key)) => self.sink.i32(kind, *key as i32),
            (_, Key::Int(key)) => self.sink.i64(kind, *key),
            (_, Key::Str(key)) => self.sink.str(key),
        }
    }

    /// Writes a field that did not come, where it has no presence.
    #[cold]
    fn default(&mut self, field: &FieldPlan) {
        write_default(self.sink, self.set, field);
    }

    /// The default of a single value: that of a map entry without one.
    #[cold]
    fn default_value(&mut self, field: &FieldPlan) {
        write_default_value(self.sink, self.set, field);
    }
}

/// Which entries of a map are to be written, where each key must be written once.
enum Entries<'de> {
    /// All: the sink takes any, or the source gives each once.
    All,
    /// All, as long as no key comes again.
    Once(Keys<Key<'de>>),
    /// The last one of each key, by its index.
    Last(HashMap<Key<'de>, usize>),
}

impl<'de> Entries<'de> {
    /// True when the entry is to be written.
    ///
    /// # Errors
    /// The key came before: the map must be read grouped.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn takes(&mut self, key: &Key<'de>, index: usize) -> Result<bool> {
        match self {
            Entries::All => Ok(true),
            Entries::Once(keys) => match keys.note(key) {
                true => Ok(true),
                false => Err(Error::regroup()),
            },
            Entries::Last(last) => Ok(last.get(key) == Some(&index)),
        }
    }
}

/// True when another field of the same oneof was handed on: it does not count any more.
#[cold]
fn voids(plan: &MessagePlan, field: &FieldPlan, seen: &Seen) -> bool {
    let oneof = field.oneof.and_then(|oneof| plan.oneofs.get(usize::from(oneof)));
    oneof.is_some_and(|oneof| {
        oneof.fields.iter().any(|&other| other != field.index && seen.has(usize::from(other)))
    })
}
