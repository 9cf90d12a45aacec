//! ProtoJSON by every type of a message, both ways.

use crate::mutate::Syntax;
use crate::oracle::{self, Alike, agree, bounded};
use crate::subject::{Case, Subject};
use tobu::reflect::Equality;
use tobu::{DynamicMessage, Reflect, json};

/// All types of a message read a text with the same result, and print the same; printed text reads
/// back.
pub(super) fn json(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Json) else { return };
    let (subject, payload) = (&*case, case.payload());
    let Ok(text) = std::str::from_utf8(payload) else { return };
    let lenient = case.flags & 1 == 1;
    let options = json::Options::new().deterministic(true).ignore_unknown(lenient);
    let read = || DynamicMessage::from_json_with(&subject.descriptor, payload, &options);
    let message = bounded("dynamic", text.len(), read);
    let expected = message.as_ref().map(oracle::canonical);
    if text.len() > 512 {
        let tight = options.clone().limits(oracle::tight());
        let read = || DynamicMessage::from_json_with(&subject.descriptor, payload, &tight).map(drop);
        let _ = oracle::bounded_tightly("dynamic", text.len(), read);
    }
    let mut wire = b"kept".to_vec();
    let transcode =
        || tobu::convert::json_to_wire_with(&subject.descriptor, text.as_bytes(), &mut wire, &options);
    let done = bounded("transcoding", text.len(), transcode);
    match (&expected, done) {
        (Ok(_), Ok(())) => {
            let bytes = wire.strip_prefix(b"kept").unwrap();
            let transcoded = oracle::dynamic(&subject.descriptor, bytes, &tobu::DecodeOptions::new());
            assert!(&transcoded.unwrap() == expected.as_ref().unwrap(), "transcoding differs in content");
        }
        (Err(error), Err(other)) => {
            assert_eq!(error.to_string(), other.to_string(), "transcoding has another error");
            assert_eq!(wire, b"kept");
        }
        (expected, done) => panic!("dynamic: {:?}, transcoding: {done:?}", expected.as_ref().map(drop)),
    }
    let expected = message.map(|message| (oracle::canonical(&message), message));
    let (bytes, message) = match expected {
        Ok((bytes, message)) => (Ok(bytes), Some(message)),
        Err(error) => (Err(error), None),
    };
    for path in subject.paths() {
        let outcome = bounded(path.name, text.len(), || (path.json)(text, &options));
        let alike = if path.serde { Alike::Category } else { Alike::Text };
        agree(subject, ("dynamic", path.name), &bytes, &outcome, alike);
    }
    if let (Some(message), Ok(bytes)) = (message, bytes) {
        printed(subject, &message, &bytes, &options);
    }
}

/// Printed text reads back, with any options.
fn printed(subject: &Subject, message: &DynamicMessage, bytes: &[u8], options: &json::Options) {
    let compact = match options.to_string(message) {
        Ok(text) => text,
        Err(error) => panic!("what was read cannot be printed: {error}"),
    };
    assert!(serde_json::from_str::<serde_json::Value>(&compact).is_ok(), "it is JSON");
    let pretty =
        options.clone().pretty(true).proto_field_names(true).enums_as_integers(true).int64_as_numbers(true);
    for text in [compact, pretty.to_string(message).unwrap()] {
        let again = DynamicMessage::from_json_with(&subject.descriptor, text.as_bytes(), options);
        let again =
            again.unwrap_or_else(|error| panic!("what was printed does not read back: {error}\n{text}"));
        // Unknown fields, those of closed enums among them, are not printed, but for extensions.
        let same = Equality::new().nan(true).unknown_fields(false);
        let (one, other): (&dyn Reflect, &dyn Reflect) = (message, &again);
        let equal = oracle::canonical(&again) == bytes || one.equals_with(other, same);
        assert!(equal || has_null_value(subject), "once and again differ: {subject:?}\n{text}");
    }
}

/// True of a message with fields of `NullValue`: every number of it is `null` in JSON, and `null` is 0.
pub(super) fn has_null_value(subject: &Subject) -> bool {
    let is_null = |field: tobu::FieldDescriptor| {
        let kind = field.map_value().unwrap_or(field).enum_type();
        kind.is_some_and(|kind| kind.full_name() == "google.protobuf.NullValue")
    };
    subject.descriptor.fields().any(is_null)
}
