//! Hashes the fields of a message.

use crate::message::reflect::algebra::{MAX_DEPTH, unknown};
use crate::message::reflect::{MapKeyRef, MessageRef, Reflect, ValueRef};
use std::hash::Hasher;

impl<'a> dyn Reflect + 'a {
    /// Writes the message to a hasher. Two equal messages, typed or dynamic, write the same bytes in each process. Here all
    /// NaN values are equal.
    ///
    /// The bytes are stable. If you also need a stable hash, use a hasher that is stable; the default hasher of `HashMap`
    /// is not.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use std::hash::{DefaultHasher, Hasher};
    /// use tobu::Message;
    ///
    /// let hash = |book: &Book| {
    ///     let mut hasher = DefaultHasher::new();
    ///     book.as_reflect().stable_hash(&mut hasher);
    ///     hasher.finish()
    /// };
    /// let book = Book { title: "Dune".into(), ..Book::default() };
    /// assert_eq!(hash(&book), hash(&book.clone()));
    /// assert_ne!(hash(&book), hash(&Book::default()));
    /// ```
    pub fn stable_hash(&self, hasher: &mut dyn Hasher) {
        text(self.descriptor().full_name().as_bytes(), hasher);
        message(MessageRef::new(self), hasher, MAX_DEPTH);
    }
}

fn message(message: MessageRef<'_>, hasher: &mut dyn Hasher, depth: u32) {
    let Some(depth) = depth.checked_sub(1) else { return };
    message.visit_fields(|field, field_value| {
        hasher.write_u32(field.number());
        value(field_value, hasher, depth);
        true
    });
    // No field has this number, so it marks the end of the message.
    hasher.write_u32(0);
    unknown::hash(message.unknown_fields(), hasher);
}

fn value(field_value: ValueRef<'_>, hasher: &mut dyn Hasher, depth: u32) {
    match field_value {
        ValueRef::Bool(value) => hasher.write_u8(value.into()),
        ValueRef::I32(value) | ValueRef::Enum(value) => hasher.write_u32(value as u32),
        ValueRef::I64(value) => hasher.write_u64(value as u64),
        ValueRef::U32(value) => hasher.write_u32(value),
        ValueRef::U64(value) => hasher.write_u64(value),
        // All NaNs count as one, and both zeros are equal.
        ValueRef::F32(value) if value.is_nan() => hasher.write_u32(f32::NAN.to_bits()),
        ValueRef::F32(value) => hasher.write_u32((value + 0.0).to_bits()),
        ValueRef::F64(value) if value.is_nan() => hasher.write_u64(f64::NAN.to_bits()),
        ValueRef::F64(value) => hasher.write_u64((value + 0.0).to_bits()),
        ValueRef::Str(value) => text(value.as_bytes(), hasher),
        ValueRef::Bytes(value) => text(value, hasher),
        ValueRef::Message(value) => message(value, hasher, depth),
        ValueRef::List(list) => {
            hasher.write_u64(list.len() as u64);
            list.iter().for_each(|element| value(element, hasher, depth));
        }
        ValueRef::Map(map) => {
            hasher.write_u64(map.len() as u64);
            for (entry_key, entry_value) in map.entries() {
                key(entry_key, hasher);
                value(entry_value, hasher, depth);
            }
        }
    }
}

fn key(key: MapKeyRef<'_>, hasher: &mut dyn Hasher) {
    match key {
        MapKeyRef::Bool(key) => hasher.write_u8(key.into()),
        MapKeyRef::I32(key) => hasher.write_u32(key as u32),
        MapKeyRef::I64(key) => hasher.write_u64(key as u64),
        MapKeyRef::U32(key) => hasher.write_u32(key),
        MapKeyRef::U64(key) => hasher.write_u64(key),
        MapKeyRef::Str(key) => text(key.as_bytes(), hasher),
    }
}

fn text(bytes: &[u8], hasher: &mut dyn Hasher) {
    hasher.write_u64(bytes.len() as u64);
    hasher.write(bytes);
}
