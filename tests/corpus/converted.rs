//! Conversions between formats, without a message of the caller.

use super::text_options;
use tobu::{DynamicMessage, EncodeOptions, Error, MessageDescriptor, convert, json, text};

/// A conversion between formats, by a descriptor.
fn converted(
    name: &str,
    convert: impl FnOnce(&MessageDescriptor, &mut Vec<u8>) -> Result<(), Error>,
) -> Result<Vec<u8>, Error> {
    let descriptor = tobu::Pool::global().message(name).expect("a descriptor");
    let mut out = b"before".to_vec();
    let done = convert(&descriptor, &mut out);
    assert!(done.is_ok() || out == b"before", "an error leaves the output as it was");
    done.map(|()| out.split_off(b"before".len()))
}

pub(super) fn wire_to_text(name: &str, wire: &[u8]) -> Result<Vec<u8>, Error> {
    converted(name, |message, out| convert::wire_to_text(message, wire, out, &text_options()))
}

/// With map keys in order.
pub(super) fn text_to_wire(name: &str, text: &[u8]) -> Result<Vec<u8>, Error> {
    let wire = converted(name, |message, out| convert::text_to_wire(message, text, out, &text_options()))?;
    let descriptor = tobu::Pool::global().message(name).expect("a descriptor");
    let message = DynamicMessage::decode(&descriptor, &wire[..]).expect("it was written so");
    EncodeOptions::new().deterministic(true).to_vec(&message)
}

pub(super) fn wire_to_json(name: &str, wire: &[u8]) -> Result<Vec<u8>, Error> {
    let options = json::Options::new().deterministic(true);
    converted(name, |message, out| convert::wire_to_json_with(message, wire, out, &options))
}

pub(super) fn text_to_json(name: &str, text: &[u8]) -> Result<Vec<u8>, Error> {
    let options = json::Options::new().deterministic(true);
    converted(name, |message, out| convert::text_to_json(message, text, out, &text_options(), &options))
}

pub(super) fn json_to_text(name: &str, json: &[u8]) -> Result<Vec<u8>, Error> {
    let options = json::Options::new();
    converted(name, |message, out| convert::json_to_text(message, json, out, &options, &text_options()))
}

/// JSON has no unknown fields.
pub(super) fn has_unknown_fields(name: &str, wire: &[u8]) -> bool {
    let descriptor = tobu::Pool::global().message(name).expect("a descriptor");
    let message = DynamicMessage::decode(&descriptor, wire).expect("a message");
    let printed = |options: text::Options| options.to_string(&message).expect("text");
    printed(text_options().unknown_fields(false)) != printed(text_options())
}
