//! Parses ProtoJSON from any human-readable format into a message.

use crate::codec::json::{ParseSettings, parse};
use crate::codec::{AnyObjectMut, Source};
use crate::json::Options;
use crate::object::ObjectMut;
use crate::serde::others::json_text::JsonText;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// Reads a message and merges it into `message`.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    message: AnyObjectMut<'_, '_>,
    deserializer: D,
) -> Result<(), D::Error> {
    let JsonText(text) = JsonText::deserialize(deserializer)?;
    // The setting comes from the type, because a format has no options of tobu.
    let ignores = message.table().shape.is_some_and(|shape| shape.ignores_unknown_json());
    let options = Options::new().ignore_unknown(ignores);
    let settings = ParseSettings { options: &options, borrowed: false, partial: false };
    // Lines and columns would refer to the generated JSON text.
    parse(message, Source::Text(&text), settings).map_err(|error| D::Error::custom(error.nowhere()))
}
