//! Messages in other human-readable formats of serde: canonical ProtoJSON, whatever the syntax.
//!
//! What JSON says of a message is decided in one place, the JSON sink and source. Towards another format their text is
//! replayed as serde's data model; from another format the data model is noted down as JSON, and read by them.
//! Formats that are not human-readable never come here: the derives hand them the struct itself. Layer 4.

mod note;
mod replay;

use crate::descriptor::MessageDescriptor;
use crate::encode::{Encode, sealed};
use crate::error::Error;
use crate::json;
use crate::member::Merge;
use crate::message::Message;
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes a message to another human-readable format.
///
/// # Errors
/// The message has no form in JSON, or the format's own.
pub fn serialize<M: Encode + ?Sized, S: Serializer>(message: &M, serializer: S) -> Result<S::Ok, S::Error> {
    let mut text = Vec::new();
    sealed::Encode::append_json(message, &json::Options::default(), &mut text).map_err(S::Error::custom)?;
    let text = std::str::from_utf8(&text).map_err(S::Error::custom)?;
    replay::Replay::new(text).serialize(serializer)
}

/// Reads a message from another human-readable format and merges it into one that is there.
///
/// # Errors
/// The input is no message of the type, or the format's own.
pub fn merge<'de, M, D>(message: &mut M, deserializer: D) -> Result<(), D::Error>
where
    M: Message + for<'text> Merge<'text>,
    D: Deserializer<'de>,
{
    let text = note::Note::deserialize(deserializer)?.0;
    json::Options::default().merge_once(message, &text).map_err(custom)
}

/// Reads a message of a run-time schema from another human-readable format, as JSON that says the same.
///
/// # Errors
/// The format's own.
pub(crate) fn to_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    note::Note::deserialize(deserializer).map(|note| note.0)
}

/// An error of the JSON that was noted down, whose lines and columns nobody knows.
pub(crate) fn custom<E: serde::de::Error>(error: Error) -> E {
    E::custom(error.nowhere())
}

/// What a type that borrows says of a format that it cannot borrow from.
///
/// # Errors
/// Always.
#[cold]
pub fn refuse<E: serde::de::Error>(descriptor: MessageDescriptor) -> E {
    E::custom(format_args!(
        "a type of {} that borrows or is generic is read from JSON by tobu::json::from_str, not by other formats",
        descriptor.full_name()
    ))
}
