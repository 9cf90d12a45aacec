//! A map as a map field.

use super::key::{KeySerializer, SortKey};
use super::value::{Place, ValueSerializer};
use super::{Encoder, Sink};
use crate::error::{Error, Result};
use crate::plan::{FieldPlan, MapPlan};
use serde::ser::Serialize;

/// The entries of a map; nothing is written for an empty one.
pub(super) struct Entries<'a, 'p, K: Sink> {
    encoder: &'a mut Encoder<'p, K>,
    field: &'p FieldPlan,
    plan: &'p MapPlan,
    state: State<K>,
    started: bool,
    /// Where the output is to be deterministic: the entries so far, each written on its own.
    sorted: Option<Vec<(SortKey, K)>>,
}

enum State<K: Sink> {
    Between,
    /// A key was written.
    Value(K::Entry),
    /// The key of an entry that will be put in its place later.
    SortedValue(SortKey),
}

impl<'a, 'p, K: Sink> Entries<'a, 'p, K> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn new(encoder: &'a mut Encoder<'p, K>, field: &'p FieldPlan) -> Self {
        let plan = &encoder.set.maps[field.sub as usize];
        let sorted = encoder.deterministic.then(Vec::new);
        Entries { encoder, field, plan, state: State::Between, started: false, sorted }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        if self.sorted.is_some() {
            self.state = State::SortedValue(key.serialize(KeySerializer { kind: self.plan.key.kind })?);
            return Ok(());
        }
        let entry = self.begin();
        key.serialize(self.inside(true))?;
        self.state = State::Value(entry);
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match std::mem::replace(&mut self.state, State::Between) {
            State::Value(entry) => {
                self.encoder.sink.entry_value(&self.plan.value);
                value.serialize(self.inside(false))?;
                self.encoder.sink.end_entry(entry);
                Ok(())
            }
            State::SortedValue(key) => self.sorted_value(key, value),
            State::Between => Err(Error::ty("a map value came without its key")),
        }
    }

    /// Key and value together, so that an error of the value can name the key.
    #[inline]
    pub(super) fn entry<Q, T>(&mut self, key: &Q, value: &T) -> Result<()>
    where
        Q: Serialize + ?Sized,
        T: Serialize + ?Sized,
    {
        self.key(key)?;
        let sorted = self.sorted.is_some();
        match self.value(value) {
            Err(error) if !sorted => Err(self.in_entry(error, key)),
            written => written,
        }
    }

    #[cold]
    fn in_entry<Q: Serialize + ?Sized>(&self, error: Error, key: &Q) -> Error {
        match key.serialize(KeySerializer { kind: self.plan.key.kind }) {
            Ok(key) => error.in_key(key),
            Err(_) => error,
        }
    }

    pub(super) fn end(mut self) -> Result<()> {
        if !matches!(self.state, State::Between) {
            return Err(Error::ty("a map key came without its value"));
        }
        if let Some(mut entries) = self.sorted.take() {
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            for (_, piece) in entries {
                self.start();
                self.encoder.sink.append(piece)?;
            }
        }
        match self.started {
            true => self.encoder.sink.end_map(self.field),
            false if self.encoder.defaults => self.encoder.absent(self.field),
            false => {}
        }
        Ok(())
    }

    /// The key is written right away, into a piece of output of the entry's own.
    fn sorted_value<T: Serialize + ?Sized>(&mut self, key: SortKey, value: &T) -> Result<()> {
        let piece = self.encoder.sink.fork();
        let outer = std::mem::replace(&mut self.encoder.sink, piece);
        let first = self.sorted.as_ref().is_none_or(Vec::is_empty);
        let entry = self.encoder.sink.begin_entry(self.field, &self.plan.key, first);
        let mut written = key.serialize(self.inside(true));
        if written.is_ok() {
            self.encoder.sink.entry_value(&self.plan.value);
            written = value.serialize(self.inside(false));
        }
        self.encoder.sink.end_entry(entry);
        // On an error, too: what was written before belongs to the caller.
        let piece = std::mem::replace(&mut self.encoder.sink, outer);
        written.map_err(|error| error.in_key(&key))?;
        self.sorted.get_or_insert_default().push((key, piece));
        Ok(())
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn begin(&mut self) -> K::Entry {
        let first = !self.started;
        self.start();
        self.encoder.sink.begin_entry(self.field, &self.plan.key, first)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn start(&mut self) {
        if !self.started {
            self.started = true;
            self.encoder.sink.begin_map(self.field);
        }
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn inside(&mut self, key: bool) -> ValueSerializer<'_, 'p, K> {
        let (field, place) =
            if key { (&self.plan.key, Place::Key) } else { (&self.plan.value, Place::Inside) };
        ValueSerializer { encoder: self.encoder, field, place }
    }
}
