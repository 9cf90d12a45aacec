//! ProtoJSON in whatever a format that people read says, into a message.

use super::note::Note;
use crate::codec::Source;
use crate::codec::json::{ParseSettings, parse};
use crate::json::Options;
use crate::object::ObjectMut;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Reads a message and merges it into one.
pub(super) fn deserialize<'de, 't, M: ObjectMut<'t>, D: Deserializer<'de>>(
    message: &mut M,
    deserializer: D,
) -> Result<(), D::Error> {
    let Note(text) = Note::deserialize(deserializer)?;
    let settings = ParseSettings { options: &Options::new(), borrowed: false, partial: false };
    // Lines and columns are those of a text that nobody saw.
    parse(message, Source::Text(&text), settings).map_err(|error| D::Error::custom(error.nowhere()))
}
