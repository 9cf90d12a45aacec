//! Implements reflection of dynamic messages.

use crate::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::{Error, Result};
use crate::message::dynamic::message::DynamicMessage;
use crate::message::dynamic::reflect::named;
use crate::message::dynamic::reflect::read::find;
use crate::message::reflect::{
    FieldRef, ListMut, MapMut, MessageRef, MessageRepr, Reflect, Repr, Value, ValueMut, ValueRef, check,
};
use crate::object::arena::change::{ListAtMut, MapAtMut, MessageAtMut};
use crate::object::arena::words::{Arena, Input};
use crate::table::{Shape, Tabled};
use crate::wire::Reader;
use std::fmt;
use std::ops::{Deref, DerefMut};

impl<'a> MessageAtMut<'a> {
    /// Does what `Reflect::get_mut` does, with a value that lives as long as the arena is borrowed.
    pub(super) fn into_value(self, field: &FieldDescriptor) -> Result<ValueMut<'a>> {
        let field = find(self.table, field)?;
        let MessageAtMut { arena, table, offsets } = self;
        let named = |error: Error| named(error, table, field);
        if field.shape == Shape::Singular && !field.is_message() {
            return Err(named(check::not_in_place(field)));
        }
        arena.check_room().map_err(named)?;
        let slot = arena.set_presence(offsets, table, field);
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
        let MessageAtMut { arena, table, offsets } = self;
        let named = |error: Error| named(error, table, field);
        check::value(field, &value).map_err(named)?;
        arena.check_room().map_err(named)?;
        let old = if arena.has_bit(offsets, field) { arena.word(offsets, field) } else { 0 };
        let word = match value {
            Value::List(values) => arena.new_list(field, values),
            Value::Map(entries) => arena.map_of(field, entries),
            value => arena.single(field, old, value),
        };
        let word = word.map_err(named)?;
        arena.set_presence(offsets, table, field);
        arena.set_word(offsets, field, word);
        Ok(())
    }

    pub(super) fn clear_field(self, field: &FieldDescriptor) -> Result<()> {
        let field = find(self.table, field)?;
        self.arena.clear(self.offsets, field);
        Ok(())
    }

    pub(super) fn replace_unknown(self, fields: &[u8]) -> Result<()> {
        let mut reader = Reader::new(fields);
        while !reader.is_empty() {
            let tag = reader.tag()?;
            reader.skip(tag, 100)?;
        }
        self.arena.set_unknown(self.offsets.at, fields);
        Ok(())
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
            self.arena.clear(self.offsets, field);
        }
        self.arena.set_unknown(self.offsets.at, &[]);
    }
}

impl Reflect for DynamicMessage {
    fn message_descriptor(&self) -> MessageDescriptor {
        self.descriptor.clone()
    }

    fn has(&self, field: &FieldDescriptor) -> Result<bool> {
        self.read().has(field)
    }

    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>> {
        self.read().get_at(field)
    }

    fn get_mut(&mut self, field: &FieldDescriptor) -> Result<ValueMut<'_>> {
        self.change()?.into_value(field)
    }

    fn set(&mut self, field: &FieldDescriptor, value: Value) -> Result<()> {
        self.change()?.set_value(field, value)
    }

    fn clear(&mut self, field: &FieldDescriptor) -> Result<()> {
        self.change()?.clear_field(field)
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

    fn as_view(&self) -> Option<MessageRef<'_>> {
        Some(self.into())
    }

    fn unknown_fields(&self) -> &[u8] {
        self.read().unknown_at()
    }

    fn set_unknown_fields(&mut self, fields: &[u8]) -> Result<()> {
        self.change()?.replace_unknown(fields)
    }

    fn clear_all(&mut self) {
        if let Ok(table) = self.descriptor.table() {
            self.arena = Arena::new(table, Input::NONE);
            self.compact_size = self.arena.size();
        }
    }
}

/// Creates a view without a trait object, so that the compiler can inline a visit of the fields.
impl<'a> From<&'a DynamicMessage> for MessageRef<'a> {
    fn from(message: &'a DynamicMessage) -> Self {
        MessageRef(MessageRepr::Arena(message.read()))
    }
}

/// A dynamic message can be used as a [`dyn Reflect`](Reflect), whose methods find fields by name.
impl Deref for DynamicMessage {
    type Target = dyn Reflect;

    fn deref(&self) -> &Self::Target {
        self
    }
}

impl DerefMut for DynamicMessage {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self
    }
}

/// Prints the message for people: its name, and then the text format without the values of fields with
/// `debug_redact`. The text may change; [`text::to_string`](crate::text::to_string) is stable.
impl fmt::Debug for DynamicMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::codec::text::debug(
            self.descriptor.full_name(),
            self.read().into(),
            crate::codec::text::KNOWN,
            f,
        )
    }
}
