//! A map as a map field.

use super::key::{KeySerializer, SortKey};
use super::value::{Place, ValueSerializer};
use super::{Handed, Sink, Walk, failed};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MapPlan, MessagePlan};
use serde::ser::Serialize;

/// The entries of a map; nothing is written for an empty one.
pub(super) struct Entries<'p, K: Handed> {
    /// None after an error.
    sink: Option<K>,
    walk: Walk<'p>,
    field: &'p FieldPlan,
    plan: &'p MapPlan,
    /// Of the values, where they are messages.
    message: Option<&'p MessagePlan>,
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
        let plan = &walk.context.set.maps[field.sub as usize];
        let sorted = walk.context.deterministic.then(Vec::new);
        let message = walk.message(&plan.value);
        Entries {
            sink: Some(sink),
            walk,
            field,
            plan,
            message,
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
            self.state = State::SortedValue(key.serialize(KeySerializer { kind: self.plan.key.kind })?);
            return Ok(());
        }
        let Some(mut sink) = self.sink.take() else { return Err(failed()) };
        let first = self.start(&mut sink);
        let entry = sink.begin_pair(self.field, &self.plan.key, first);
        self.sink = Some(key.serialize(self.inside(sink, true))?);
        self.state = State::Value(entry);
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match std::mem::replace(&mut self.state, State::Between) {
            State::Value(entry) => {
                let Some(mut sink) = self.sink.take() else { return Err(failed()) };
                sink.pair_value(&self.plan.value);
                let mut sink = value.serialize(self.inside(sink, false))?;
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
        self.sink = Some(self.pair(sink, first, key, value, |error| self.in_entry(error, key))?);
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

    #[cold]
    fn in_entry<Q: Serialize + ?Sized>(&self, error: Error, key: &Q) -> Error {
        match key.serialize(KeySerializer { kind: self.plan.key.kind }) {
            Ok(key) => error.in_key(key),
            Err(_) => error,
        }
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
        match self.started {
            true => sink.end_map(self.field),
            false if self.walk.defaults::<K>() => self.walk.context.absent(&mut sink, self.field),
            false => {}
        }
        Ok(sink)
    }

    /// The entry is written right away, into a piece of output of its own.
    fn sorted_value<T: Serialize + ?Sized>(&mut self, key: SortKey, value: &T) -> Result<()> {
        let Some(sink) = self.sink.take() else { return Err(failed()) };
        let mut piece = sink.piece();
        let first = self.sorted.as_ref().is_none_or(Vec::is_empty);
        self.write_apart(K::over(&mut piece), first, &key, value).map_err(|error| error.in_key(&key))?;
        self.sorted.get_or_insert_default().push((key, piece));
        self.sink = Some(sink);
        Ok(())
    }

    fn write_apart<O: Handed, T: Serialize + ?Sized>(
        &self,
        sink: O,
        first: bool,
        key: &SortKey,
        value: &T,
    ) -> Result<()> {
        self.pair(sink, first, key, value, |error| error)?.settle();
        Ok(())
    }

    /// An entry by itself; `in_value` says of an error of the value where it is.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn pair<O: Handed, Q, T>(
        &self,
        mut sink: O,
        first: bool,
        key: &Q,
        value: &T,
        in_value: impl FnOnce(Error) -> Error,
    ) -> Result<O>
    where
        Q: Serialize + ?Sized,
        T: Serialize + ?Sized,
    {
        let entry = sink.begin_pair(self.field, &self.plan.key, first);
        let mut sink = key.serialize(self.inside(sink, true))?;
        sink.pair_value(&self.plan.value);
        let mut sink = value.serialize(self.inside(sink, false)).map_err(in_value)?;
        sink.end_entry(entry);
        Ok(sink)
    }

    /// Begins the map with its first entry, and tells whether this is it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start(&mut self, sink: &mut K) -> bool {
        let first = !self.started;
        if first {
            self.started = true;
            sink.begin_map(self.field);
        }
        first
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside<O>(&self, sink: O, key: bool) -> ValueSerializer<'p, O> {
        let (field, place) = match key {
            true => (&self.plan.key, Place::Key),
            false => (&self.plan.value, Place::Value(self.message)),
        };
        ValueSerializer { sink, walk: self.walk, field, place }
    }
}
