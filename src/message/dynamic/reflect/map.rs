//! Changes maps of dynamic messages in place.

use crate::error::{Error, Result};
use crate::message::dynamic::reflect::named;
use crate::message::dynamic::reflect::read::probe;
use crate::message::reflect::{MapKey, MapKeyRef, MessageMut, ReflectMap, Value, ValueRef, check};
use crate::object::arena::change::MapAtMut;
use crate::object::arena::map::VALUE;
use crate::object::arena::view::{MapAt, key_at};
use crate::table::MapRows;

impl<'a> MapAtMut<'a> {
    fn map(&self) -> &'a MapRows {
        self.field.map()
    }

    fn read(&self) -> MapAt<'_> {
        MapAt::new(self.arena, self.map(), self.word)
    }

    fn named(&self, error: Error) -> Error {
        named(error, self.table, self.field)
    }
}

impl ReflectMap for MapAtMut<'_> {
    fn len(&self) -> usize {
        self.read().len()
    }

    fn get(&self, key: MapKeyRef<'_>) -> Option<ValueRef<'_>> {
        self.read().get_at(key)
    }

    fn get_mut(&mut self, key: MapKey) -> Result<MessageMut<'_>> {
        let map = self.map();
        if !map.value.is_message() {
            return Err(self.named(Error::ty("the values are not messages")));
        }
        check::key(map.key.kind, &key.as_ref())
            .and_then(|()| self.arena.check_room())
            .map_err(|e| self.named(e))?;
        let entry = self.arena.entry_of(self.word, &map.key, key).map_err(|error| self.named(error))?;
        Ok(self.arena.message_in(&map.value, entry + VALUE))
    }

    fn insert(&mut self, key: MapKey, value: Value) -> Result<()> {
        let map = self.map();
        check::key(map.key.kind, &key.as_ref()).map_err(|error| self.named(error))?;
        check::single(&map.value, &value)
            .and_then(|()| self.arena.check_room())
            .map_err(|error| self.named(error.in_key(&key)))?;
        let found = probe(&map.key, key.as_ref()).map_or(0, |probe| self.arena.find_entry(self.word, probe));
        let old = if found == 0 { 0 } else { self.arena.entry(found).1 };
        // The value is stored before the map changes, so that the map is unchanged if there is no room for the value.
        let new = self.arena.single(&map.value, old, value);
        let new = new.map_err(|error| self.named(error))?;
        let entry = match found {
            0 => self.arena.entry_of(self.word, &map.key, key).map_err(|error| self.named(error))?,
            found => found,
        };
        self.arena.set_value(entry, new);
        Ok(())
    }

    fn remove(&mut self, key: MapKeyRef<'_>) -> bool {
        let found = probe(&self.map().key, key).map_or(0, |probe| self.arena.find_entry(self.word, probe));
        if found != 0 {
            self.arena.unlink_entry(self.word, found);
        }
        found != 0
    }

    fn visit<'a>(&'a self, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool) {
        self.read().visit_at(visit);
    }

    fn visit_mut(&mut self, visit: &mut dyn FnMut(MapKeyRef<'_>, MessageMut<'_>) -> bool) {
        let map = self.map();
        if !map.value.is_message() {
            return;
        }
        let mut entry = self.arena.first_entry(self.word);
        while entry != 0 {
            // The key cannot be borrowed from the arena while the value is changed.
            let (word, _) = self.arena.entry(entry);
            let key = key_at(self.arena, &map.key, word).to_key();
            let value = self.arena.message_in(&map.value, entry + VALUE);
            if !visit(key.as_ref(), value) {
                return;
            }
            entry = self.arena.entry_after(entry);
        }
    }

    fn clear(&mut self) {
        self.arena.clear_map(self.word);
    }
}
