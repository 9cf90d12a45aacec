//! Maps of typed messages.

use crate::error::{Error, Result};
use crate::message::reflect::read_only::read_only_map;
use crate::message::reflect::typed::{named, store, value_of};
use crate::message::reflect::view::{MessageMut, MessageReprMut};
use crate::message::reflect::{MapKey, MapKeyRef, ReflectMap, Value, ValueRef, check};
use crate::object::{TypedField, TypedMap, TypedMapMut, VisitEntries};
use crate::table::Row;

/// Returns the value of a key. The value lives as long as the message is borrowed.
pub(in crate::message::reflect) fn entry<'a>(map: TypedMap<'a>, key: MapKeyRef<'_>) -> Option<ValueRef<'a>> {
    map.find(key).map(|value| value_of(&map.row().map().value, value))
}

/// Visits the entries. The values live as long as the message is borrowed.
// This function is not inlined, so that functions that visit fields stay small.
#[inline(never)]
pub(in crate::message::reflect) fn visit_map<'a>(
    map: TypedMap<'a>,
    visit: impl FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool,
) {
    map.each(&mut Entries(visit));
}

struct Entries<F>(F);

impl<'a, F: FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool> VisitEntries<'a> for Entries<F> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn entry(&mut self, key: MapKeyRef<'a>, row: &'a Row, value: TypedField<'a>) -> bool {
        (self.0)(key, value_of(row, value))
    }
}

impl ReflectMap for TypedMap<'_> {
    fn len(&self) -> usize {
        TypedMap::len(*self)
    }

    fn get(&self, key: MapKeyRef<'_>) -> Option<ValueRef<'_>> {
        entry(*self, key)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        visit_map(*self, visit);
    }

    read_only_map!();
}

impl TypedMapMut<'_> {
    fn named(&self, error: Error) -> Error {
        named(self.message(), self.row(), error)
    }

    fn check_key(&self, key: &MapKey) -> Result<()> {
        check::key(self.row().map().key.kind, &key.as_ref()).map_err(|error| self.named(error))
    }

    /// Returns the message of a key. If the map has no such entry, adds an empty message first.
    fn message_under(&mut self, key: &MapKey) -> Result<MessageMut<'_>> {
        if self.slot(key.as_ref()).is_none() {
            store::fits_key(self.storage().0)?;
            TypedMapMut::insert(self, |slot, _| store::store_key(slot, key))?;
        }
        let value = self.slot(key.as_ref()).ok_or_else(|| Error::ty("the key is of another kind"))?;
        Ok(MessageMut(MessageReprMut::Typed(value.into_message()?)))
    }
}

impl ReflectMap for TypedMapMut<'_> {
    fn len(&self) -> usize {
        self.read().len()
    }

    fn get(&self, key: MapKeyRef<'_>) -> Option<ValueRef<'_>> {
        entry(self.read(), key)
    }

    fn get_mut(&mut self, key: MapKey) -> Result<MessageMut<'_>> {
        self.check_key(&key)?;
        if !self.row().map().value.is_message() {
            return Err(self.named(Error::ty("the values are not messages")));
        }
        let (message, row) = (self.message(), self.row());
        self.message_under(&key).map_err(|error| named(message, row, error))
    }

    fn insert(&mut self, key: MapKey, value: Value) -> Result<()> {
        self.check_key(&key)?;
        let (rows, (key_storage, value_storage)) = (self.row().map(), self.storage());
        if let Err(error) = check::single(&rows.value, &value) {
            return Err(self.named(error.in_key(&key)));
        }
        store::fits_key(key_storage)
            .and_then(|()| store::fits_single(&rows.value, value_storage, &value))
            .and_then(|()| store::insert(self, &key, value))
            .map_err(|error| self.named(error))
    }

    fn remove(&mut self, key: MapKeyRef<'_>) -> bool {
        TypedMapMut::remove(self, key)
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        visit_map(self.read(), visit);
    }

    fn visit_mut(&mut self, visit: &mut dyn FnMut(MapKeyRef<'_>, MessageMut<'_>) -> bool) {
        if self.row().map().value.is_message() {
            self.each_message(&mut |key, value| visit(key, MessageMut(MessageReprMut::Typed(value))));
        }
    }

    fn clear(&mut self) {
        TypedMapMut::clear(self);
    }
}
