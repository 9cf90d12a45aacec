//! Messages in other human-readable formats of serde: canonical ProtoJSON, whatever the syntax.
//!
//! What JSON says of a message is decided in one place, the JSON sink and source. Towards another format their text is
//! replayed as serde's data model; from another format the data model is noted down as JSON, and read by them. Typed
//! messages come as what reflection sees, so that nothing of this is compiled once per type. Formats that are not
//! human-readable never come here: the derives hand them the struct itself. Layer 4.

mod note;
mod replay;

use crate::descriptor::MessageDescriptor;
use crate::dynamic::DynamicMessage;
use crate::encode::{Encode, sealed};
use crate::json;
use crate::reflect::Reflect;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a message to another human-readable format.
///
/// # Errors
/// The message has no form in JSON, or the format's own.
pub(crate) fn write<M: Encode + ?Sized, S: Serializer>(
    message: &M,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut text = Vec::new();
    sealed::Encode::append_json(message, &json::Options::default(), &mut text).map_err(S::Error::custom)?;
    let text = std::str::from_utf8(&text).map_err(S::Error::custom)?;
    replay::Replay::new(text).serialize(serializer)
}

/// Reads a message of a run-time schema from another human-readable format.
///
/// # Errors
/// The input is no message of the type, or the format's own.
pub(crate) fn read<'de, D: Deserializer<'de>>(
    descriptor: &MessageDescriptor,
    deserializer: D,
) -> Result<DynamicMessage, D::Error> {
    let note::Note(text) = note::Note::deserialize(deserializer)?;
    // Lines and columns are those of a text that nobody saw.
    DynamicMessage::from_json(descriptor, &text).map_err(|error| D::Error::custom(error.nowhere()))
}

/// Writes a typed message to another human-readable format; called by the derives.
///
/// # Errors
/// The message has no form in JSON, or the format's own.
pub fn serialize<S: Serializer>(message: &dyn Reflect, serializer: S) -> Result<S::Ok, S::Error> {
    write(message, serializer)
}

/// Reads from another human-readable format into a typed message; called by the derives.
///
/// # Errors
/// The input is no message of the type, a member borrows and cannot be set, or the format's own.
pub fn merge<'de, D: Deserializer<'de>>(message: &mut dyn Reflect, deserializer: D) -> Result<(), D::Error> {
    let read = read(&message.descriptor(), deserializer)?;
    message.merge_from(&read).map_err(D::Error::custom)
}
