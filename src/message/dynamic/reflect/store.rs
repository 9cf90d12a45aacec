//! Stores values in an arena. A word is the 64 bits that represent a value: the number itself, or the position of the data. A
//! function that stores a value fails if the arena has no room for the value.

use crate::error::Result;
use crate::message::dynamic::message::DynamicMessage;
use crate::message::dynamic::reflect::read::probe;
use crate::message::reflect::{MapKey, MessageMut, MessageReprMut, Value};
use crate::object::arena::change::MessageAtMut;
use crate::object::arena::copy;
use crate::object::arena::words::{Arena, ROOT};
use crate::table::{Kind, Row, Table};
use std::collections::HashMap;

impl Arena {
    /// Returns the message whose position is in the cell `slot`. Creates an empty message if there is none.
    pub(super) fn message_in<'a>(&'a mut self, field: &'a Row, slot: u32) -> MessageMut<'a> {
        let mut at = self.cells.get(slot);
        if at == 0 {
            at = self.message(field.sub_table());
            self.cells.set(slot, at);
        }
        MessageMut(MessageReprMut::Arena(MessageAtMut::new(self, field.sub_table(), at)))
    }

    /// Stores a single value, which the caller has checked, and returns its word. `old` is the word of the value that it
    /// replaces, or 0.
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
                u64::from(adopt(self, field.sub_table(), &message)?)
            }
            // The caller has checked that a single value is neither.
            Value::List(_) | Value::Map(_) => 0,
        })
    }

    /// Stores a new list, and returns its word.
    pub(super) fn new_list(&mut self, field: &Row, values: Vec<Value>) -> Result<u64> {
        let mut words = Vec::with_capacity(values.len());
        for value in values {
            words.push(self.single(field, 0, value)?);
        }
        Ok(self.list_of(field, &words))
    }

    /// Stores a new map, and returns its word.
    pub(super) fn map_of(&mut self, field: &Row, entries: HashMap<MapKey, Value>) -> Result<u64> {
        let rows = field.map();
        let map = self.new_map(rows.key.kind == Kind::String);
        for (key, value) in entries {
            let key = self.key(key)?;
            let value = self.single(&rows.value, 0, value)?;
            let entry = self.new_entry();
            self.set_key(entry, key);
            self.set_value(entry, value);
            self.put_entry(map, entry);
        }
        Ok(map)
    }

    /// Stores a key, which the caller has checked, and returns its word.
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

    /// Returns the position of the entry of a key, which the caller has checked. Adds an entry if the map has none for the
    /// key.
    pub(super) fn entry_of(&mut self, map: u64, field: &Row, key: MapKey) -> Result<u32> {
        let found = probe(field, key.as_ref()).map_or(0, |probe| self.find_entry(map, probe));
        if found != 0 {
            return Ok(found);
        }
        let key = self.key(key)?;
        let entry = self.new_entry();
        self.set_key(entry, key);
        self.link_entry(map, entry);
        Ok(entry)
    }
}

/// Copies a dynamic message into an arena, as a message of the table `target`. Returns the position of the copy.
///
/// # Errors
/// The arena has no room for the message, or the message is from another pool and does not fit the message of this name in
/// `target`.
fn adopt(to: &mut Arena, target: &Table, message: &DynamicMessage) -> Result<u32> {
    if !target.is_of(&message.descriptor) {
        let converted = message.converted(target)?;
        return adopt(to, target, &converted);
    }
    let at = to.message(target);
    copy::copy(to, target, at, &message.arena, ROOT)?;
    Ok(at)
}
