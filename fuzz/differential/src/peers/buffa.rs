//! buffa, by the types that it generated.

use super::guarded;
use crate::exchange::{Answer, Format, Message, Question};
use crate::schema::Schema;
use buffa::text::TextFormat;
use serde::Serialize;
use serde::de::DeserializeOwned;

include!(concat!(env!("OUT_DIR"), "/buffa/types.rs"));
include!(concat!(env!("OUT_DIR"), "/buffa/find.rs"));

/// Lets the content of `Any` and extensions be found.
pub(super) fn register() {
    let mut registry = buffa::type_registry::TypeRegistry::new();
    buffa_types::register_wkt_types(&mut registry);
    register_types(&mut registry);
    buffa::type_registry::set_type_registry(registry);
}

pub(super) fn answer(schema: &Schema, question: &Question) -> Answer {
    let name = schema.messages[question.message].full_name();
    let read = find(name).ok_or_else(|| format!("there is no type of {name}"))?;
    guarded(|| read(question))
}

fn read<M: buffa::Message + Serialize + DeserializeOwned + TextFormat>(question: &Question) -> Answer {
    let text = || std::str::from_utf8(&question.input).map_err(|error| error.to_string());
    let message = match question.read {
        Format::Wire => M::decode_from_slice(&question.input).map_err(|error| error.to_string())?,
        Format::Json => serde_json::from_slice::<M>(&question.input).map_err(|error| error.to_string())?,
        Format::Text => buffa::text::decode_from_str(text()?).map_err(|error| error.to_string())?,
    };
    let written = match question.write {
        Format::Wire => Ok(Vec::new()),
        Format::Json => serde_json::to_vec(&message).map_err(|error| error.to_string()),
        Format::Text => Ok(buffa::text::encode_to_string(&message).into_bytes()),
    };
    Ok(Message { wire: message.encode_to_vec(), written })
}
