//! Connects messages of Rust types to serde. The code that `derive(Serialize)` and `derive(Deserialize)` generate calls
//! these functions.
//!
//! In human-readable formats a message is canonical ProtoJSON, whether its schema is proto2, proto3 or an edition. In other
//! formats a message is written as serde's derive would write the struct, except that byte strings and unknown fields are
//! written as bytes, and enums as numbers. tobu's own public functions, such as `to_vec`, handle a message as a whole: they
//! serialize into a [`TypedSerializer`], or deserialize from a [`TypedDeserializer`]. Both recognize a message by a private
//! type. The large functions are not generic over the message type, so each is compiled once per format. Only thin wrappers are
//! generic. This module is in layer 7 (see DESIGN.md).

pub(crate) mod dynamic;
mod dynamic_seed;
mod enumeration;
pub(crate) mod json_text;
mod key;
mod parse;
mod parsed;
mod read;
mod readable;
pub(crate) mod replay;
mod typed_deserializer;
mod typed_serializer;
mod unknown;
mod well_known;
mod write;

#[cfg(all(test, feature = "derive"))]
mod tests;

pub use dynamic::MessageSeed;
pub use enumeration::{deserialize_enumeration, serialize_enumeration};
use readable::readable;
pub(crate) use typed_deserializer::TypedDeserializer;
use typed_serializer::Content;
pub(crate) use typed_serializer::{TypedSerializer, handed_over};

use crate::layout::{Member, OneofLayout};
use crate::message::{Merge, MergeOneof, Message, Oneof};
use crate::object::stored::{OneofMut, Struct, StructMut, Variant};
use serde::de::DeserializeSeed;
use serde::{Deserializer, Serialize, Serializer};

/// Serializes a message. The code of `derive(Serialize)` calls this function.
///
/// # Errors
/// The errors of the serializer, and an error if the message has no form in JSON.
#[inline]
pub fn serialize_message<T: Message, S: Serializer>(message: &T, serializer: S) -> Result<S::Ok, S::Error> {
    hand_over(Struct::of(message), serializer)
}

/// Serializes a message. This function is not inlined, so that it is compiled once per format and not once per type.
#[inline(never)]
fn hand_over<S: Serializer>(message: Struct<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    match serializer.is_human_readable() {
        true => write::message(message, serializer),
        // tobu's own serializer recognizes a message by this newtype. Binary formats ignore a newtype and write its content.
        false => serializer.serialize_newtype_struct(message.shape().named(), &Content(message)),
    }
}

/// Deserializes a message. The code of `derive(Deserialize)` calls this function.
///
/// # Errors
/// The errors of the deserializer, and an error if the type has no empty value, from which decoding starts.
#[allow(unsafe_code)]
#[inline]
pub fn deserialize_message<'de, T: Message + Merge<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    let mut result = <T as Member>::empty().ok_or_else(read::unmakable);
    if let Ok(message) = &mut result {
        // SAFETY: by the contract of `Merge<'de>`, which the derive implements, `'de` outlives the data that the type
        // borrows.
        let message = unsafe { StructMut::of(message) };
        if let Err(error) = take_over(message, deserializer) {
            result = Err(error);
        }
    }
    result
}

/// Deserializes a message. This function is not inlined, so that it is compiled once per format and not once per type.
#[inline(never)]
fn take_over<'de, D: Deserializer<'de>>(
    message: StructMut<'_, 'de>,
    deserializer: D,
) -> Result<(), D::Error> {
    if deserializer.is_human_readable() {
        return read::message(message, read::DEPTH, deserializer);
    }
    let name = message.shape().named();
    let visitor = read::FillMessage { message: Some(message), depth: read::DEPTH };
    deserializer.deserialize_newtype_struct(name, visitor)
}

/// Serializes a oneof by itself. The code of `derive(Serialize)` calls this function.
///
/// # Errors
/// The errors of the serializer, and an error if serde skips the variant that is set.
pub fn serialize_oneof<T: Oneof + OneofLayout, S: Serializer>(
    oneof: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    T::register();
    write::Oneof::<true>(&Variant::of(T::shape(), oneof)).serialize(serializer)
}

/// Deserializes a oneof by itself. The code of `derive(Deserialize)` calls this function.
///
/// # Errors
/// The errors of the deserializer, and an error if the input names no variant of the oneof.
#[allow(unsafe_code)]
pub fn deserialize_oneof<'de, T: Oneof + OneofLayout + MergeOneof<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    T::register();
    let mut slot: Option<T> = None;
    // SAFETY: by the contract of `MergeOneof<'de>`, which the derive implements, `'de` outlives the data that the type
    // borrows.
    let oneof = unsafe { OneofMut::of(T::shape(), &mut slot) };
    read::FillOneof::<true> { oneof, depth: read::DEPTH }.deserialize(deserializer)?;
    slot.ok_or_else(|| read::no_variant(T::shape()))
}
