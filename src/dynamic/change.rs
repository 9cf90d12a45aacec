//! Messages of an arena, to be changed in place, and what changes them.

use super::arena::{Arena, Place};
use super::copy;
use super::lists::ListAtMut;
use super::maps::MapAtMut;
use super::view::{MessageAt, find, probe};
use crate::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::{Error, Result};
use crate::reflect::{
    FieldRef, ListMut, MapKey, MapMut, MessageMut, MessageReprMut, Reflect, Repr, Value, ValueMut, ValueRef,
    check,
};
use crate::table::{Kind, Row, Shape, Table};
use crate::wire::Reader;
use std::collections::HashMap;

/// A message in an arena, to be changed.
pub(crate) struct MessageAtMut<'a> {
    arena: &'a mut Arena,
    table: &'a Table,
    place: Place,
}

impl<'a> MessageAtMut<'a> {
    pub(super) fn new(arena: &'a mut Arena, table: &'a Table, at: u32) -> Self {
        MessageAtMut { place: Place::new(at, table), arena, table }
    }

    fn read(&self) -> MessageAt<'_> {
        MessageAt::new(self.arena, self.table, self.place.at)
    }

    /// As `Reflect::get_mut`, for as long as the arena is borrowed.
    pub(super) fn into_value(self, field: &FieldDescriptor) -> Result<ValueMut<'a>> {
        let field = find(self.table, field)?;
        let MessageAtMut { arena, table, place } = self;
        let named = |error: Error| named(error, table, field);
        if field.shape == Shape::Singular && !field.is_message() {
            return Err(named(check::not_in_place(field)));
        }
        arena.check_room().map_err(named)?;
        let slot = arena.mark(place, table, field);
        Ok(match field.shape {
            Shape::Singular => ValueMut::Message(arena.message_in(field, slot)),
            Shape::List => ValueMut::List(ListMut(Repr::Arena(ListAtMut { arena, table, field, slot }))),
            Shape::Map => {
                let word = arena.map_in(field, slot);
                ValueMut::Map(MapMut(Repr::Arena(MapAtMut { arena, table, field, word })))
            }
        })
    }

    pub(super) fn set_value(self, field: &FieldDescriptor, value: Value) -> Result<()> {
        let field = find(self.table, field)?;
        let MessageAtMut { arena, table, place } = self;
        let named = |error: Error| named(error, table, field);
        check::value(field, &value).map_err(named)?;
        arena.check_room().map_err(named)?;
        let slot = place.slot(usize::from(field.index));
        let old = if arena.has_bit(place, usize::from(field.index)) { arena.words[slot] } else { 0 };
        let word = match value {
            Value::List(values) => arena.new_list(field, values),
            Value::Map(entries) => arena.map_of(field, entries),
            value => arena.single(field, old, value),
        };
        let word = word.map_err(named)?;
        arena.mark(place, table, field);
        arena.words[slot] = word;
        Ok(())
    }

    pub(super) fn clear_field(self, field: &FieldDescriptor) -> Result<()> {
        let field = find(self.table, field)?;
        self.arena.clear(self.place, field);
        Ok(())
    }

    pub(super) fn replace_unknown(self, fields: &[u8]) -> Result<()> {
        let mut reader = Reader::new(fields);
        while !reader.is_empty() {
            let tag = reader.tag()?;
            reader.skip(tag, 100)?;
        }
        self.arena.set_unknown(self.place.at, fields);
        Ok(())
    }
}

/// Names the field that an error was found in, and its message.
#[cold]
pub(super) fn named(error: Error, table: &Table, field: &Row) -> Error {
    error.in_field(&field.name).in_message(&table.full_name)
}

impl Arena {
    /// Marks a field as set, clears the others of its oneof, and gives its word.
    pub(super) fn mark(&mut self, place: Place, table: &Table, field: &Row) -> usize {
        let index = usize::from(field.index);
        if field.oneof.is_some() {
            self.clear_siblings(place, table, index);
        }
        let (word, bit) = place.bit(index);
        self.words[word] |= bit;
        place.slot(index)
    }

    /// Clears a field.
    pub(super) fn clear(&mut self, place: Place, field: &Row) {
        let index = usize::from(field.index);
        if !self.has_bit(place, index) {
            return;
        }
        let (word, bit) = place.bit(index);
        self.words[word] &= !bit;
        let old = std::mem::take(&mut self.words[place.slot(index)]);
        match (field.shape, field.kind) {
            (Shape::Singular, Kind::String | Kind::Bytes) => self.drop_string(old),
            (Shape::Singular, Kind::Message | Kind::Group) | (Shape::List | Shape::Map, _) => {
                self.garbage += 8
            }
            _ => {}
        }
    }

    /// The message in a word, made where there is none.
    pub(super) fn message_in<'a>(&'a mut self, field: &'a Row, word: usize) -> MessageMut<'a> {
        let mut at = self.words[word] as u32;
        if at == 0 {
            at = self.message(field.sub_table());
            self.words[word] = u64::from(at);
        }
        MessageMut(MessageReprMut::Arena(MessageAtMut::new(self, field.sub_table(), at)))
    }

    /// The map in a slot, made where there is none.
    pub(super) fn map_in(&mut self, field: &Row, slot: usize) -> u64 {
        if self.words[slot] == 0 {
            let text = field.map().key.kind == Kind::String;
            self.words[slot] = self.new_map(text);
        }
        self.words[slot]
    }

    /// The word of a single value that was checked, which takes the place of an old one.
    ///
    /// # Errors
    /// There is no room for it.
    pub(super) fn single(&mut self, field: &Row, old: u64, value: Value) -> Result<u64> {
        Ok(match value {
            Value::Bool(value) => u64::from(value),
            Value::I32(value) | Value::Enum(value) => u64::from(value as u32),
            Value::I64(value) => value as u64,
            Value::U32(value) => u64::from(value),
            Value::U64(value) => value,
            Value::F32(value) => u64::from(value.to_bits()),
            Value::F64(value) => value.to_bits(),
            Value::String(value) => self.replace(old, value.as_bytes())?,
            Value::Bytes(value) => self.replace(old, &value)?,
            Value::Message(message) => {
                self.garbage += 8 * usize::from(old != 0);
                u64::from(copy::adopt(self, field.sub_table(), &message)?)
            }
            // Checked: neither is a single value.
            Value::List(_) | Value::Map(_) => 0,
        })
    }

    /// The word of a new list.
    ///
    /// # Errors
    /// There is no room for it.
    pub(super) fn new_list(&mut self, field: &Row, values: Vec<Value>) -> Result<u64> {
        let mut words = Vec::with_capacity(values.len());
        for value in values {
            words.push(self.single(field, 0, value)?);
        }
        Ok(self.list_of(&words))
    }

    /// The word of a list of elements.
    pub(super) fn list_of(&mut self, elements: &[u64]) -> u64 {
        if elements.is_empty() {
            return 0;
        }
        self.words.push(elements.len() as u64);
        let start = self.words.len();
        self.words.extend_from_slice(elements);
        start as u64 | (elements.len() as u64) << 32
    }

    /// The word of a new map.
    fn map_of(&mut self, field: &Row, entries: HashMap<MapKey, Value>) -> Result<u64> {
        let rows = field.map();
        let map = self.new_map(rows.key.kind == Kind::String);
        for (key, value) in entries {
            let key = self.key(key)?;
            let value = self.single(&rows.value, 0, value)?;
            let entry = self.new_entry();
            self.words[entry as usize] = key;
            self.words[entry as usize + 1] = value;
            self.put_entry(map, entry);
        }
        Ok(map)
    }

    /// The word of a key that was checked.
    ///
    /// # Errors
    /// There is no room for it.
    pub(super) fn key(&mut self, key: MapKey) -> Result<u64> {
        Ok(match key {
            MapKey::Bool(key) => u64::from(key),
            MapKey::I32(key) => u64::from(key as u32),
            MapKey::I64(key) => key as u64,
            MapKey::U32(key) => u64::from(key),
            MapKey::U64(key) => key,
            MapKey::String(key) => self.copy(key.as_bytes())?,
        })
    }

    /// The entry of a key that was checked, made where there is none.
    ///
    /// # Errors
    /// There is no room for it.
    pub(super) fn entry_of(&mut self, map: u64, field: &Row, key: MapKey) -> Result<u32> {
        let found = probe(field, key.as_ref()).map_or(0, |probe| self.find_entry(map, probe));
        if found != 0 {
            return Ok(found);
        }
        let key = self.key(key)?;
        let entry = self.new_entry();
        self.words[entry as usize] = key;
        self.link_entry(map, entry);
        Ok(entry)
    }
}

impl Reflect for MessageAtMut<'_> {
    fn message_descriptor(&self) -> MessageDescriptor {
        self.read().message_descriptor()
    }

    fn has(&self, field: &FieldDescriptor) -> Result<bool> {
        self.read().has(field)
    }

    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>> {
        self.read().get_at(field)
    }

    fn get_mut(&mut self, field: &FieldDescriptor) -> Result<ValueMut<'_>> {
        self.reborrow().into_value(field)
    }

    fn set(&mut self, field: &FieldDescriptor, value: Value) -> Result<()> {
        self.reborrow().set_value(field, value)
    }

    fn clear(&mut self, field: &FieldDescriptor) -> Result<()> {
        self.reborrow().clear_field(field)
    }

    fn which_oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        self.read().which_oneof(oneof)
    }

    fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
        self.read().next_field_at(number)
    }

    fn visit_fields<'a>(&'a self, visit: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        self.read().visit_at(visit);
    }

    fn unknown_fields(&self) -> &[u8] {
        self.read().unknown_at()
    }

    fn set_unknown_fields(&mut self, fields: &[u8]) -> Result<()> {
        self.reborrow().replace_unknown(fields)
    }

    fn clear_all(&mut self) {
        for field in &self.table.rows {
            self.arena.clear(self.place, field);
        }
        self.arena.set_unknown(self.place.at, &[]);
    }
}

impl MessageAtMut<'_> {
    fn reborrow(&mut self) -> MessageAtMut<'_> {
        MessageAtMut { arena: self.arena, table: self.table, place: self.place }
    }
}
