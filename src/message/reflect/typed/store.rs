//! Stores values in typed messages.
//!
//! The caller has checked that values have the kind of their field. This module checks that they fit the Rust type, before
//! it changes anything. The storage of a type says how the type holds a value.

use crate::error::{Error, LimitError, Result};
use crate::layout::{Storage, TextFunctions};
use crate::message::reflect::algebra::{self, MAX_DEPTH};
use crate::message::reflect::{MapKey, MessageRef, Value, ValueRef, check};
use crate::object::{
    ObjectMut, TypedListMut, TypedMapMut, TypedMut, TypedSlot, access, proto_fill, refused, unmakable,
};
use crate::table::{Row, Table};
use std::collections::HashMap;

/// Checks that the Rust type of a field can hold a value.
pub(super) fn fits(row: &Row, value: &Value) -> Result<()> {
    let Some(storage) = row.storage().map(Storage::proto).map(access::bare) else { return Ok(()) };
    match (storage, value) {
        (Storage::List(functions), Value::List(values)) => {
            for (index, value) in values.iter().enumerate() {
                fits_single(row, functions.element, value).map_err(|error| error.in_index(index))?;
            }
            Ok(())
        }
        (Storage::Map(functions), Value::Map(values)) => {
            for (key, value) in values {
                fits_single(&row.map().value, functions.value, value).map_err(|error| error.in_key(key))?;
                fits_key(functions.key)?;
            }
            Ok(())
        }
        _ => fits_single(row, storage, value),
    }
}

/// Checks that a storage can hold a single value.
pub(super) fn fits_single(row: &Row, storage: Storage, value: &Value) -> Result<()> {
    value.as_ref().map_or(Ok(()), |value| single(row, storage, value, MAX_DEPTH))
}

/// Checks that keys can be added to a map: the type of its keys must not borrow.
pub(super) fn fits_key(storage: Storage) -> Result<()> {
    if is_borrowed(access::bare(storage)) {
        return Err(Error::ty("the Rust type borrows its keys from the input, so no key can be added"));
    }
    Ok(())
}

fn is_borrowed(storage: Storage) -> bool {
    matches!(storage, Storage::Str | Storage::Slice)
}

fn single(row: &Row, storage: Storage, value: ValueRef<'_>, depth: u32) -> Result<()> {
    match (access::bare(storage), value) {
        (Storage::ClosedEnum(functions), ValueRef::Enum(number)) => {
            let shape = (functions.shape)();
            if shape.values.iter().all(|value| value.number != number) {
                return Err(no_variant(shape.rust_name(), number));
            }
        }
        (storage, ValueRef::Str(_) | ValueRef::Bytes(_)) if is_borrowed(storage) => {
            return Err(refused(storage));
        }
        (storage, ValueRef::Bytes(bytes)) if storage.is_string() && std::str::from_utf8(bytes).is_err() => {
            return Err(Error::ty("the Rust type is a string, but the value is bytes that are not UTF-8"));
        }
        (storage @ Storage::Text(_), ValueRef::Str(_) | ValueRef::Bytes(_)) => {
            let bytes = match value {
                ValueRef::Str(text) => text.as_bytes(),
                ValueRef::Bytes(bytes) => bytes,
                _ => &[],
            };
            if let Storage::Text(TextFunctions { takes: Some(takes), .. }) = storage
                && !takes(bytes)
            {
                return Err(refused(storage));
            }
        }
        (storage @ Storage::Number(functions), value) if !number_bits(value).is_some_and(functions.takes) => {
            return Err(refused(storage));
        }
        (Storage::Message(_), ValueRef::Message(message)) => fits_message(row.message()?, message, depth)?,
        _ => {}
    }
    Ok(())
}

/// Returns the bits of a number or an enum value; `None` for other values.
fn number_bits(value: ValueRef<'_>) -> Option<u64> {
    Some(match value {
        ValueRef::Bool(value) => value.into(),
        ValueRef::I32(value) | ValueRef::Enum(value) => u64::from(value as u32),
        ValueRef::I64(value) => value as u64,
        ValueRef::U32(value) => value.into(),
        ValueRef::U64(value) => value,
        ValueRef::F32(value) => value.to_bits().into(),
        ValueRef::F64(value) => value.to_bits(),
        _ => return None,
    })
}

#[cold]
fn no_variant(rust_name: &str, number: i32) -> Error {
    Error::ty(format!("the Rust enum {rust_name} has no variant of number {number}"))
}

/// Checks that a Rust type can hold the fields of a message.
fn fits_message(table: &Table, message: MessageRef<'_>, depth: u32) -> Result<()> {
    let Some(depth) = depth.checked_sub(1) else {
        return Err(Error::limit(LimitError::Depth(MAX_DEPTH)));
    };
    for (field, value) in message.fields() {
        let Some(row) = table.row(field.number()) else {
            return Err(match table.whole()?.row(field.number()) {
                Some(_) => check::no_member().in_field(field.name()),
                None => check::no_field_numbered(&table.handle(), field.number()),
            });
        };
        fits_held(row, value, depth).map_err(|error| error.in_field(&row.name))?;
    }
    if table.unknown.is_none() && !message.unknown_fields().is_empty() {
        return Err(check::no_unknown());
    }
    Ok(())
}

fn fits_held(row: &Row, value: ValueRef<'_>, depth: u32) -> Result<()> {
    let Some(storage) = row.storage().map(Storage::proto).map(access::bare) else { return Ok(()) };
    match (storage, value) {
        (Storage::List(functions), ValueRef::List(list)) => {
            for (index, value) in list.iter().enumerate() {
                single(row, functions.element, value, depth).map_err(|error| error.in_index(index))?;
            }
            Ok(())
        }
        (Storage::Map(functions), ValueRef::Map(map)) => {
            for (key, value) in map.entries() {
                let fits = fits_key(functions.key)
                    .and_then(|()| single(&row.map().value, functions.value, value, depth));
                fits.map_err(|error| error.in_key(key))?;
            }
            Ok(())
        }
        _ => single(row, storage, value, depth),
    }
}

pub(super) fn set<'a>(mut message: TypedMut<'a, 'a>, row: &'a Row, value: Value) -> Result<()> {
    if row.made().is_some() {
        let mut fresh = TypedMut::fresh(row)?;
        let (inner, row_in) = proto_fill(row, &mut fresh)?;
        set(inner, row_in, value)?;
        return message.close(row, fresh);
    }
    match value {
        Value::List(values) => set_list(message.into_list(row)?, values),
        Value::Map(values) => set_map(message.into_map(row)?, values),
        value => store(message.into_slot(row)?, value),
    }
}

fn set_list(mut list: TypedListMut<'_>, values: Vec<Value>) -> Result<()> {
    if !values.is_empty() && list.row().is_message() {
        // Makes an element before the old elements are dropped, because the list must stay unchanged if no element can be made.
        list.push()?;
    }
    list.truncate(0);
    for (index, value) in values.into_iter().enumerate() {
        list.push().and_then(|slot| store(slot, value)).map_err(|error| error.in_index(index))?;
    }
    Ok(())
}

fn set_map(mut map: TypedMapMut<'_>, values: HashMap<MapKey, Value>) -> Result<()> {
    if !values.is_empty() && !map.can_grow() {
        return Err(unmakable());
    }
    map.clear();
    for (key, value) in values {
        insert(&mut map, &key, value).map_err(|error| error.in_key(&key))?;
    }
    Ok(())
}

/// Adds an entry to a map, or replaces the entry with the same key.
pub(super) fn insert(map: &mut TypedMapMut<'_>, key: &MapKey, value: Value) -> Result<()> {
    map.insert(|key_slot, value_slot| {
        store_key(key_slot, key)?;
        store(value_slot, value)
    })
}

pub(super) fn store_key(mut slot: TypedSlot<'_>, key: &MapKey) -> Result<()> {
    match key {
        MapKey::Bool(key) => slot.set_scalar(u64::from(*key)),
        MapKey::I32(key) => slot.set_scalar(u64::from(*key as u32)),
        MapKey::I64(key) => slot.set_scalar(*key as u64),
        MapKey::U32(key) => slot.set_scalar(u64::from(*key)),
        MapKey::U64(key) => slot.set_scalar(*key),
        MapKey::String(key) => slot.set_text(key.as_bytes(), None),
    }
}

pub(super) fn store(mut slot: TypedSlot<'_>, value: Value) -> Result<()> {
    match value {
        Value::Bool(value) => slot.set_scalar(u64::from(value)),
        Value::I32(value) | Value::Enum(value) => slot.set_scalar(u64::from(value as u32)),
        Value::I64(value) => slot.set_scalar(value as u64),
        Value::U32(value) => slot.set_scalar(u64::from(value)),
        Value::U64(value) => slot.set_scalar(value),
        Value::F32(value) => slot.set_scalar(u64::from(value.to_bits())),
        Value::F64(value) => slot.set_scalar(value.to_bits()),
        Value::String(value) => slot.set_text(value.as_bytes(), None),
        Value::Bytes(value) => slot.set_text(&value, Some(&value)),
        Value::Message(message) => {
            let mut into = slot.into_message()?;
            into.clear_all();
            algebra::copy(&mut into, &message)
        }
        Value::List(_) | Value::Map(_) => {
            Err(Error::ty(format!("the Rust type has no room for {}", check::given(&value))))
        }
    }
}
