//! Gives access to typed messages by their descriptors, in place.
//!
//! The functions here are not generic over message types, so each message type adds only thin methods to a program. Visits are
//! generic over their visitors.

mod list;
mod map;
mod store;

pub(super) use list::{element, visit_list};
pub(super) use map::{entry, visit_map};

use crate::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::{Error, Result};
use crate::layout::UnknownFields;
use crate::message::Message;
use crate::message::reflect::read_only::read_only_message;
use crate::message::reflect::view::{
    ListMut, ListRef, MapMut, MapRef, MessageMut, MessageRef, MessageRepr, MessageReprMut, Repr,
};
use crate::message::reflect::{FieldRef, Number, Reflect, Value, ValueMut, ValueRef, check};
use crate::object::{Object, ObjectAt, ObjectMut, Typed, TypedField, TypedMut, VisitFields};
use crate::table::{Kind, Row, Shape, Table};
use std::mem::discriminant;

/// Returns the row of a field; `None` if the Rust type has no member for it.
///
/// # Errors
/// The field belongs to another message.
pub(super) fn find<'t>(table: &'t Table, field: &FieldDescriptor) -> Result<Option<&'t Row>> {
    if !table.has_field(field) {
        return Err(check::foreign_field(&table.full_name, field));
    }
    Ok(table.row(field.number()))
}

/// Returns the row of a field, which is what the table of a message knows about the field.
///
/// # Errors
/// The field belongs to another message, or the Rust type has no member for it.
fn member<'t>(table: &'t Table, field: &FieldDescriptor) -> Result<&'t Row> {
    find(table, field)?
        .ok_or_else(|| check::no_member().in_field(field.name()).within_message(&table.full_name))
}

#[cold]
fn named(message: &Table, row: &Row, error: Error) -> Error {
    error.in_field(&row.name).within_message(&message.full_name)
}

/// Converts a value of a Rust type to the kind of its field.
#[cfg_attr(not(debug_assertions), inline(always))]
fn value_of<'a>(row: &Row, value: TypedField<'a>) -> ValueRef<'a> {
    match value {
        TypedField::Scalar(bits) => check::scalar(row.kind, bits),
        TypedField::Str(text) if row.kind == Kind::Bytes => ValueRef::Bytes(text.as_bytes()),
        TypedField::Str(text) => ValueRef::Str(text),
        TypedField::Bytes(bytes) if row.kind == Kind::String => string(bytes),
        TypedField::Bytes(bytes) => ValueRef::Bytes(bytes),
        TypedField::Message(held) => message(held),
        TypedField::List(list) => ValueRef::List(ListRef(Repr::Typed(list))),
        TypedField::Map(map) => ValueRef::Map(MapRef(Repr::Typed(map))),
    }
}

#[inline]
fn message(message: Typed<'_>) -> ValueRef<'_> {
    ValueRef::Message(MessageRef(MessageRepr::Typed(message)))
}

/// Returns the value of a string field whose Rust type holds bytes: a string, or bytes if they are not UTF-8.
fn string(bytes: &[u8]) -> ValueRef<'_> {
    match crate::wire::utf8(bytes) {
        Ok(text) => ValueRef::Str(text),
        Err(_) => ValueRef::Bytes(bytes),
    }
}

fn has(message: Typed<'_>, field: &FieldDescriptor) -> Result<bool> {
    match find(message.table(), field)? {
        Some(row) => Ok(message.has_raw(row) || message.set_value(row)?.is_some()),
        None => Ok(false),
    }
}

/// Does what [`Reflect::get`] does.
pub(super) fn get<'a>(message: Typed<'a>, field: &FieldDescriptor) -> Result<ValueRef<'a>> {
    let table = message.table();
    if let Some(row) = find(table, field)? {
        match message.value(row)? {
            Some(value) => return Ok(value_of(row, value)),
            None if row.knows_default() => return Ok(check::default_of(row)),
            None => {}
        }
    }
    match table.whole()?.row(field.number()) {
        Some(row) => Ok(check::default_of(row)),
        None => Err(check::foreign_field(&table.full_name, field)),
    }
}

fn get_mut<'a>(message: TypedMut<'a, 'a>, field: &FieldDescriptor) -> Result<ValueMut<'a>> {
    let table = message.table();
    let row = member(table, field)?;
    let value = match row.shape {
        _ if row.made().is_some() => Err(check::of_own_type()),
        Shape::Singular if !row.is_message() => Err(check::not_in_place(row)),
        Shape::Singular => message
            .into_slot(row)
            .and_then(|slot| slot.into_message())
            .map(|message| ValueMut::Message(MessageMut(MessageReprMut::Typed(message)))),
        Shape::List => message.into_list(row).map(|list| ValueMut::List(ListMut(Repr::Typed(list)))),
        Shape::Map => message.into_map(row).map(|map| ValueMut::Map(MapMut(Repr::Typed(map)))),
    };
    value.map_err(|error| named(table, row, error))
}

/// Does what [`Reflect::is_set_whole`] does.
fn is_set_whole(table: &Table, field: &FieldDescriptor) -> bool {
    find(table, field).is_ok_and(|row| row.is_some_and(|row| row.made().is_some()))
}

fn set(message: TypedMut<'_, '_>, field: &FieldDescriptor, value: Value) -> Result<()> {
    let table = message.table();
    let row = member(table, field)?;
    check::value(row, &value)
        .and_then(|()| store::fits(row, &value))
        .and_then(|()| store::set(message, row, value))
        .map_err(|error| named(table, row, error))
}

fn clear(mut message: TypedMut<'_, '_>, field: &FieldDescriptor) -> Result<()> {
    if let Some(row) = find(message.table(), field)? {
        message.clear(row);
    }
    Ok(())
}

fn which_oneof(message: Typed<'_>, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
    let table = message.table();
    if oneof.message() != table.handle() {
        return Err(check::foreign_oneof(&table.full_name, oneof));
    }
    for field in oneof.fields() {
        if let Some(row) = table.row(field.number())
            && message.set_value(row)?.is_some()
        {
            return Ok(Some(field));
        }
    }
    Ok(None)
}

/// Returns the set field with the lowest number above `number`, and its value; `None` if there is no such field.
pub(super) fn next(message: Typed<'_>, number: u32) -> Option<(&Row, ValueRef<'_>)> {
    message.table().rows_above(number).iter().find_map(|row| match message.set_value(row) {
        Ok(Some(value)) => Some((row, value_of(row, value))),
        _ => None,
    })
}

/// Does what [`Reflect::next_field`] does.
pub(super) fn next_field(message: Typed<'_>, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
    let (row, value) = next(message, number)?;
    Some((message.table().field(row), value))
}

/// Does what [`Reflect::visit_fields`] does.
#[inline]
pub(super) fn visit<'a>(message: Typed<'a>, visit: impl FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
    message.visit(&mut Fields { table: message.table(), visit });
}

struct Fields<'t, F> {
    table: &'t Table,
    visit: F,
}

impl<'a, F: FnMut(FieldRef<'_>, ValueRef<'a>) -> bool> VisitFields<'a> for Fields<'_, F> {
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field(&mut self, row: &'a Row, value: TypedField<'a>) -> bool {
        (self.visit)(FieldRef::new(self.table, row), value_of(row, value))
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn scalar(&mut self, row: &'a Row, bits: u64) -> bool {
        let field = FieldRef::new(self.table, row);
        debug_assert_eq!(
            discriminant(
                &Number::of(row.value).map_or(ValueRef::Bool(bits != 0), |number| number.value(bits))
            ),
            discriminant(&check::scalar(row.kind, bits)),
        );
        match Number::of(row.value) {
            Some(number) => (self.visit)(field, number.value(bits)),
            None => (self.visit)(field, ValueRef::Bool(bits != 0)),
        }
    }
}

/// Calls the visitor through a pointer, so that the visit is compiled once.
fn visit_dyn<'a>(message: Typed<'a>, visitor: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
    visit(message, visitor);
}

fn set_unknown(mut message: TypedMut<'_, '_>, fields: &[u8]) -> Result<()> {
    let checked = UnknownFields::from_bytes(fields)?;
    match message.unknown_mut() {
        Some(unknown) => *unknown = checked,
        None if fields.is_empty() => {}
        None => return Err(check::no_unknown().in_message(&message.table().full_name)),
    }
    Ok(())
}

impl<T: Message> Reflect for T {
    fn message_descriptor(&self) -> MessageDescriptor {
        <T as Message>::descriptor()
    }

    fn has(&self, field: &FieldDescriptor) -> Result<bool> {
        has(Typed::of(self)?, field)
    }

    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>> {
        get(Typed::of(self)?, field)
    }

    fn get_mut(&mut self, field: &FieldDescriptor) -> Result<ValueMut<'_>> {
        get_mut(TypedMut::of(self)?, field)
    }

    fn set(&mut self, field: &FieldDescriptor, value: Value) -> Result<()> {
        set(TypedMut::of(self)?, field, value)
    }

    fn is_set_whole(&self, field: &FieldDescriptor) -> bool {
        Typed::of(self).is_ok_and(|message| is_set_whole(message.table(), field))
    }

    fn clear(&mut self, field: &FieldDescriptor) -> Result<()> {
        clear(TypedMut::of(self)?, field)
    }

    fn which_oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        which_oneof(Typed::of(self)?, oneof)
    }

    fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
        next_field(Typed::of(self).ok()?, number)
    }

    fn visit_fields<'a>(&'a self, visitor: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        if let Ok(message) = Typed::of(self) {
            visit_dyn(message, visitor);
        }
    }

    fn as_view(&self) -> Option<MessageRef<'_>> {
        Typed::of(self).ok().map(|message| MessageRef(MessageRepr::Typed(message)))
    }

    fn unknown_fields(&self) -> &[u8] {
        Typed::of(self).map_or(&[], Typed::unknown)
    }

    fn set_unknown_fields(&mut self, fields: &[u8]) -> Result<()> {
        set_unknown(TypedMut::of(self)?, fields)
    }

    fn clear_all(&mut self) {
        if let Ok(mut message) = TypedMut::of(self) {
            message.clear_all();
        }
    }
}

/// Reflection of a nested struct.
impl Reflect for TypedMut<'_, '_> {
    fn message_descriptor(&self) -> MessageDescriptor {
        self.table().handle()
    }

    fn has(&self, field: &FieldDescriptor) -> Result<bool> {
        has(self.read(), field)
    }

    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>> {
        get(self.read(), field)
    }

    fn get_mut(&mut self, field: &FieldDescriptor) -> Result<ValueMut<'_>> {
        get_mut(self.reborrow(), field)
    }

    fn set(&mut self, field: &FieldDescriptor, value: Value) -> Result<()> {
        set(self.reborrow(), field, value)
    }

    fn is_set_whole(&self, field: &FieldDescriptor) -> bool {
        is_set_whole(self.table(), field)
    }

    fn clear(&mut self, field: &FieldDescriptor) -> Result<()> {
        clear(self.reborrow(), field)
    }

    fn which_oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        which_oneof(self.read(), oneof)
    }

    fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
        next_field(self.read(), number)
    }

    fn visit_fields<'a>(&'a self, visitor: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        visit_dyn(self.read(), visitor);
    }

    fn unknown_fields(&self) -> &[u8] {
        self.read().unknown()
    }

    fn set_unknown_fields(&mut self, fields: &[u8]) -> Result<()> {
        set_unknown(self.reborrow(), fields)
    }

    fn clear_all(&mut self) {
        TypedMut::clear_all(self);
    }
}

/// Reflection of a nested struct that can only be read.
impl Reflect for Typed<'_> {
    fn message_descriptor(&self) -> MessageDescriptor {
        self.table().handle()
    }

    fn has(&self, field: &FieldDescriptor) -> Result<bool> {
        has(*self, field)
    }

    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>> {
        get(*self, field)
    }

    fn which_oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>> {
        which_oneof(*self, oneof)
    }

    fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)> {
        next_field(*self, number)
    }

    fn visit_fields<'a>(&'a self, visitor: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        visit_dyn(*self, visitor);
    }

    fn as_view(&self) -> Option<MessageRef<'_>> {
        Some(MessageRef(MessageRepr::Typed(*self)))
    }

    fn unknown_fields(&self) -> &[u8] {
        self.unknown()
    }

    read_only_message!();
}
