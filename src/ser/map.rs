//! A map as a map field.

use super::key::{KeySerializer, SortKey};
use super::length::length;
use super::value::{Place, ValueSerializer};
use super::{Handed, Sink, Walk, failed};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, Kind, MapPlan, MessagePlan};
use serde::ser::Serialize;

/// What all entries of a map have in common.
#[derive(Clone, Copy)]
struct Pairs<'p> {
    walk: Walk<'p>,
    field: &'p FieldPlan,
    plan: &'p MapPlan,
    /// Of the values, where they are messages.
    message: Option<&'p MessagePlan>,
    /// Keys and values are strings or bytes.
    of_strings: bool,
}

impl<'p> Pairs<'p> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn new(walk: Walk<'p>, field: &'p FieldPlan) -> Self {
        let plan = &walk.context.set.maps[field.sub as usize];
        let is_string = |field: &FieldPlan| matches!(field.kind, Kind::String | Kind::Bytes);
        let of_strings = is_string(&plan.key) && is_string(&plan.value);
        Pairs { walk, field, plan, message: walk.message(&plan.value), of_strings }
    }

    /// Writes an entry; `in_value` says of an error of the value where it is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn write<K: Handed, Q, T>(
        self,
        mut sink: K,
        first: bool,
        key: &Q,
        value: &T,
        in_value: impl FnOnce(Error) -> Error,
    ) -> Result<K>
    where
        Q: Serialize + ?Sized,
        T: Serialize + ?Sized,
    {
        if K::BY_HEAD
            && self.of_strings
            && let (Some(key_len), Some(value_len)) = (length(key), length(value))
            && let Some(len) = sink.begin_known_pair(self.field, key_len, value_len)
        {
            let mut sink = key.serialize(self.key(sink))?;
            sink.pair_value(&self.plan.value);
            let sink = value.serialize(self.value(sink)).map_err(in_value)?;
            return if sink.end_known_pair(len) { Ok(sink) } else { Err(changed()) };
        }
        let entry = sink.begin_pair(self.field, &self.plan.key, first);
        let mut sink = key.serialize(self.key(sink))?;
        sink.pair_value(&self.plan.value);
        let mut sink = value.serialize(self.value(sink)).map_err(in_value)?;
        sink.end_entry(entry);
        Ok(sink)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn key<K>(self, sink: K) -> ValueSerializer<'p, K> {
        ValueSerializer { sink, walk: self.walk, field: &self.plan.key, place: Place::Key }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn value<K>(self, sink: K) -> ValueSerializer<'p, K> {
        let place = Place::Value(self.message);
        ValueSerializer { sink, walk: self.walk, field: &self.plan.value, place }
    }

    /// Ends a map, which has no entries where none was `started`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn end<K: Handed>(self, mut sink: K, started: bool) -> K {
        match started {
            true => sink.end_map(self.field),
            false if self.walk.defaults::<K>() => self.walk.context.absent(&mut sink, self.field),
            false => {}
        }
        sink
    }
}

/// Writes all entries of a map in the order in which they come.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn write_all<K: Handed, Q: Serialize, T: Serialize>(
    mut sink: K,
    walk: Walk<'_>,
    field: &FieldPlan,
    entries: impl Iterator<Item = (Q, T)>,
) -> Result<K> {
    let pairs = Pairs::new(walk, field);
    let mut started = false;
    for (key, value) in entries {
        if !started {
            sink.begin_map(field);
        }
        sink = pairs.write(sink, !started, &key, &value, |error| in_entry(pairs.plan, &key, error))?;
        started = true;
    }
    Ok(pairs.end(sink, started))
}

/// A key or a value that is of one length when it is asked for, and of another when it is asked again.
#[cold]
fn changed() -> Error {
    Error::ty("a map entry changed while it was written")
}

/// Says of an error of a value which key it has.
#[cold]
fn in_entry<Q: Serialize + ?Sized>(plan: &MapPlan, key: &Q, error: Error) -> Error {
    match key.serialize(KeySerializer { kind: plan.key.kind }) {
        Ok(key) => error.in_key(key),
        Err(_) => error,
    }
}

/// The entries of a map, one by one; nothing is written for an empty one.
pub(super) struct Entries<'p, K: Handed> {
    /// None after an error.
    sink: Option<K>,
    pairs: Pairs<'p>,
    state: State<K>,
    started: bool,
    /// Where the output is to be deterministic: the entries so far, each written on its own.
    sorted: Option<Vec<(SortKey, K::Piece)>>,
}

enum State<K: Sink> {
    Between,
    /// A key was written.
    Value(K::Entry),
    /// The key of an entry that will be put in its place later.
    SortedValue(SortKey),
}

impl<'p, K: Handed> Entries<'p, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(sink: K, walk: Walk<'p>, field: &'p FieldPlan) -> Self {
        let sorted = walk.context.deterministic.then(Vec::new);
        Entries {
            sink: Some(sink),
            pairs: Pairs::new(walk, field),
            state: State::Between,
            started: false,
            sorted,
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        if !matches!(self.state, State::Between) {
            return Err(Error::ty("a map key came without its value"));
        }
        if self.sorted.is_some() {
            self.state = State::SortedValue(key.serialize(KeySerializer { kind: self.pairs.plan.key.kind })?);
            return Ok(());
        }
        let Some(mut sink) = self.sink.take() else { return Err(failed()) };
        let first = self.start(&mut sink);
        let entry = sink.begin_pair(self.pairs.field, &self.pairs.plan.key, first);
        self.sink = Some(key.serialize(self.pairs.key(sink))?);
        self.state = State::Value(entry);
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match std::mem::replace(&mut self.state, State::Between) {
            State::Value(entry) => {
                let Some(mut sink) = self.sink.take() else { return Err(failed()) };
                sink.pair_value(&self.pairs.plan.value);
                let mut sink = value.serialize(self.pairs.value(sink))?;
                sink.end_entry(entry);
                self.sink = Some(sink);
                Ok(())
            }
            State::SortedValue(key) => self.sorted_value(key, value),
            State::Between => Err(Error::ty("a map value came without its key")),
        }
    }

    /// Key and value together, so that an error of the value can name the key.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn entry<Q, T>(&mut self, key: &Q, value: &T) -> Result<()>
    where
        Q: Serialize + ?Sized,
        T: Serialize + ?Sized,
    {
        if self.sorted.is_some() || !matches!(self.state, State::Between) {
            return self.key_and_value(key, value);
        }
        let Some(mut sink) = self.sink.take() else { return Err(failed()) };
        let first = self.start(&mut sink);
        let plan = self.pairs.plan;
        self.sink = Some(self.pairs.write(sink, first, key, value, |error| in_entry(plan, key, error))?);
        Ok(())
    }

    #[inline(never)]
    fn key_and_value<Q, T>(&mut self, key: &Q, value: &T) -> Result<()>
    where
        Q: Serialize + ?Sized,
        T: Serialize + ?Sized,
    {
        self.key(key)?;
        self.value(value)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn end(mut self) -> Result<K> {
        if !matches!(self.state, State::Between) {
            return Err(Error::ty("a map key came without its value"));
        }
        let Some(mut sink) = self.sink.take() else { return Err(failed()) };
        if let Some(mut entries) = self.sorted.take() {
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            for (_, piece) in entries {
                self.start(&mut sink);
                sink.append(piece)?;
            }
        }
        Ok(self.pairs.end(sink, self.started))
    }

    /// The entry is written right away, into a piece of output of its own.
    fn sorted_value<T: Serialize + ?Sized>(&mut self, key: SortKey, value: &T) -> Result<()> {
        let Some(sink) = self.sink.take() else { return Err(failed()) };
        let mut piece = sink.piece();
        let first = self.sorted.as_ref().is_none_or(Vec::is_empty);
        let written = self.pairs.write(K::over(&mut piece), first, &key, value, |error| error);
        written.map_err(|error| error.in_key(&key))?.settle();
        self.sorted.get_or_insert_default().push((key, piece));
        self.sink = Some(sink);
        Ok(())
    }

    /// Begins the map with its first entry, and tells whether this is it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start(&mut self, sink: &mut K) -> bool {
        let first = !self.started;
        if first {
            self.started = true;
            sink.begin_map(self.pairs.field);
        }
        first
    }
}
