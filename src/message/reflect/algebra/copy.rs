//! Copies messages between storages.

use crate::descriptor::FieldDescriptor;
use crate::error::{Error, LimitError, Result};
use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::algebra::MAX_DEPTH;
use crate::message::reflect::check;
use crate::message::reflect::{ListMut, MapKeyRef, MapMut, Reflect, Value, ValueMut, ValueRef};
use std::collections::HashMap;

/// How one message is merged into another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct How {
    /// The number of levels of messages that may still nest.
    depth: u32,
    /// True if a type without a member for unknown fields drops them. If false, such fields are an error.
    drops_unknown: bool,
}

impl How {
    /// Returns the rules for an exact copy: unknown fields are an error if the type has no member for them.
    pub(super) fn exact(depth: u32) -> Self {
        How { depth, drops_unknown: false }
    }

    /// Returns the rules of decoding: a type without a member for unknown fields drops them.
    pub(crate) fn as_decoded() -> Self {
        How { depth: MAX_DEPTH, drops_unknown: true }
    }

    /// Returns the rules for nested messages.
    ///
    /// # Errors
    /// The messages nest too deep.
    fn inside(self) -> Result<Self> {
        match self.depth.checked_sub(1) {
            Some(depth) => Ok(How { depth, ..self }),
            None => Err(Error::limit(LimitError::Depth(MAX_DEPTH))),
        }
    }
}

/// Copies every field of `from` into `into`, an empty message of the same full name.
///
/// # Errors
/// Messages nest too deep, or a Rust type cannot hold a field or a value.
pub(crate) fn copy(into: &mut dyn Reflect, from: &dyn Reflect) -> Result<()> {
    merge(into, from, How::exact(MAX_DEPTH))
}

pub(crate) fn to_dynamic(from: &dyn Reflect) -> Result<DynamicMessage> {
    dynamic(from, MAX_DEPTH)
}

impl ValueRef<'_> {
    /// Returns a copy of the value that owns its data. Messages become dynamic messages.
    ///
    /// # Errors
    /// A message nests too deep.
    pub fn to_value(&self) -> Result<Value> {
        owned(*self, MAX_DEPTH)
    }
}

pub(super) fn dynamic(from: &dyn Reflect, depth: u32) -> Result<DynamicMessage> {
    let mut into = DynamicMessage::new(&from.descriptor())?;
    merge(&mut into, from, How::exact(depth))?;
    Ok(into)
}

pub(super) fn owned(value: ValueRef<'_>, depth: u32) -> Result<Value> {
    Ok(match value {
        ValueRef::Bool(value) => Value::Bool(value),
        ValueRef::I32(value) => Value::I32(value),
        ValueRef::I64(value) => Value::I64(value),
        ValueRef::U32(value) => Value::U32(value),
        ValueRef::U64(value) => Value::U64(value),
        ValueRef::F32(value) => Value::F32(value),
        ValueRef::F64(value) => Value::F64(value),
        ValueRef::Str(value) => Value::String(value.to_owned()),
        ValueRef::Bytes(value) => Value::Bytes(value.to_vec().into()),
        ValueRef::Enum(value) => Value::Enum(value),
        ValueRef::Message(message) => Value::Message(dynamic(&*message, depth)?),
        ValueRef::List(list) => {
            let mut values = Vec::with_capacity(list.len());
            for value in list.iter() {
                values.push(owned(value, depth)?);
            }
            Value::List(values)
        }
        ValueRef::Map(map) => {
            let mut values = HashMap::new();
            for (key, value) in map.entries() {
                values.insert(key.to_key(), owned(value, depth)?);
            }
            Value::Map(values)
        }
    })
}

/// Merges `from` into `into`: single values are replaced, messages are merged, lists grow, entries of maps are replaced.
pub(crate) fn merge(into: &mut dyn Reflect, from: &dyn Reflect, how: How) -> Result<()> {
    let how = how.inside()?;
    let descriptor = into.descriptor();
    let same = descriptor == from.descriptor();
    for (theirs, value) in from.fields() {
        let ours = if same { Some(theirs.clone()) } else { descriptor.field_by_number(theirs.number()) };
        let Some(field) = ours else {
            return Err(check::no_field_numbered(&descriptor, theirs.number()));
        };
        crate::message::reflect::algebra::copy::field(into, &field, value, how)?;
    }
    let unknown = from.unknown_fields();
    if !unknown.is_empty() {
        let both = [into.unknown_fields(), unknown].concat();
        match into.set_unknown_fields(&both) {
            Err(_) if how.drops_unknown => {}
            done => done?,
        }
    }
    Ok(())
}

/// Calls `change` with a message in which `change` may change the field: with `message` itself, or, if the Rust type only
/// allows setting the whole field, with a copy that has only this field. In the second case the changed field is then set
/// in `message`.
///
/// # Errors
/// `change` fails, or the Rust type cannot hold the value. The field is then unchanged.
pub(crate) fn in_place<R>(
    message: &mut dyn Reflect,
    field: &FieldDescriptor,
    change: impl FnOnce(&mut dyn Reflect) -> Result<R>,
) -> Result<R> {
    match copied_field(message, field)? {
        Some(mut copy) => {
            let done = change(&mut copy)?;
            set_from(message, field, &copy)?;
            Ok(done)
        }
        None => change(message),
    }
}

/// Returns a copy of the message with only this field, if the Rust type only allows setting the whole field; otherwise
/// `None`.
fn copied_field(message: &dyn Reflect, field: &FieldDescriptor) -> Result<Option<DynamicMessage>> {
    if !message.is_set_whole(field) {
        return Ok(None);
    }
    let mut copy = DynamicMessage::new(&message.descriptor())?;
    if message.has(field)? {
        copy.set(field, message.get(field)?.to_value()?)?;
    }
    Ok(Some(copy))
}

/// Sets a field of `message` to its value in `copy`.
fn set_from(message: &mut dyn Reflect, field: &FieldDescriptor, copy: &DynamicMessage) -> Result<()> {
    match copy.has(field)? {
        true => message.set(field, copy.get(field)?.to_value()?),
        false => message.clear(field),
    }
}

pub(super) fn field(
    into: &mut dyn Reflect,
    field: &FieldDescriptor,
    value: ValueRef<'_>,
    how: How,
) -> Result<()> {
    in_place(into, field, |into| merge_value(into, field, value, how))
}

fn merge_value(into: &mut dyn Reflect, field: &FieldDescriptor, value: ValueRef<'_>, how: How) -> Result<()> {
    match value {
        ValueRef::Message(message) => {
            if let ValueMut::Message(mut slot) = into.get_mut(field)? {
                merge(&mut *slot, &*message, how).map_err(|error| error.in_field(field.name()))?;
            }
        }
        ValueRef::List(list) => {
            if let ValueMut::List(mut slot) = into.get_mut(field)? {
                for (index, value) in list.iter().enumerate() {
                    push(&mut slot, value, how)
                        .map_err(|error| error.in_index(index).in_field(field.name()))?;
                }
            }
        }
        ValueRef::Map(map) => {
            if let ValueMut::Map(mut slot) = into.get_mut(field)? {
                for (key, value) in map.entries() {
                    insert(&mut slot, key, value, how)
                        .map_err(|error| error.in_key(key).in_field(field.name()))?;
                }
            }
        }
        single => into.set(field, owned(single, how.depth)?)?,
    }
    Ok(())
}

fn push(list: &mut ListMut<'_>, value: ValueRef<'_>, how: How) -> Result<()> {
    match value {
        ValueRef::Message(message) => merge(&mut *list.push_message()?, &*message, how),
        single => list.push(owned(single, how.depth)?),
    }
}

fn insert(map: &mut MapMut<'_>, key: MapKeyRef<'_>, value: ValueRef<'_>, how: How) -> Result<()> {
    match value {
        ValueRef::Message(message) => {
            map.remove(key);
            merge(&mut *map.get_mut(key.to_key())?, &*message, how)
        }
        single => map.insert(key.to_key(), owned(single, how.depth)?),
    }
}
