//! Transcoding against decoding and printing.

use super::json::has_null_value;
use crate::mutate::Syntax;
use crate::oracle::{self, Alike, agree, bounded, stays};
use crate::subject::{Case, Subject};
use tobu::reflect::Equality;
use tobu::{DynamicMessage, Reflect, convert, json};

/// Printed straight from wire bytes, from a dynamic message, and from each type: the same text or the same error.
pub(super) fn wire_to_json(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Wire) else { return };
    let (subject, wire) = (&*case, case.payload());
    let each = [
        json::Options::new().deterministic(true),
        json::Options::new().deterministic(true).emit_defaults(true).proto_field_names(true),
        json::Options::new().deterministic(true).pretty(true).enums_as_integers(true).int64_as_numbers(true),
    ];
    let options = &each[usize::from(case.flags % 3)];
    let message = DynamicMessage::decode(&subject.descriptor, wire);
    let printed = message.and_then(|message| options.to_string(&message));
    let mut out = b"kept".to_vec();
    let run = || convert::wire_to_json_with(&subject.descriptor, wire, &mut out, options);
    let done = bounded("transcoding", wire.len(), run);
    match (&printed, done) {
        (Ok(text), Ok(())) => {
            assert_eq!(text.as_bytes(), &out[4..], "dynamic and transcoding");
            there_and_back(subject, text, options);
        }
        (Err(error), Err(other)) => {
            assert_eq!(error.to_string(), other.to_string(), "transcoding has another error");
            assert_eq!(out, b"kept");
        }
        (printed, done) => panic!("dynamic: {printed:?}, transcoding: {done:?}"),
    }
    if wire.len() > 512 {
        let tight = options.clone().limits(oracle::tight());
        let run = || convert::wire_to_json_with(&subject.descriptor, wire, &mut Vec::new(), &tight).map(drop);
        let _ = oracle::bounded_tightly("transcoding", 2 * wire.len(), run);
    }
    let partial = options.clone().partial(true);
    let expected = transcode_partial(subject, wire, &partial);
    for path in subject.paths() {
        agree(subject, ("transcoding", path.name), &expected, &(path.print)(wire, &partial), Alike::Category);
    }
}

/// The printed text is parsed and printed again.
fn there_and_back(subject: &Subject, text: &str, options: &json::Options) {
    stays(text.as_bytes(), |text| {
        let (mut wire, mut again) = (Vec::new(), Vec::new());
        convert::json_to_wire_with(&subject.descriptor, text, &mut wire, options)
            .expect("what was printed reads back");
        convert::wire_to_json_with(&subject.descriptor, &wire, &mut again, options)
            .expect("it came from JSON");
        (text.to_vec(), again)
    });
}

fn transcode_partial(subject: &Subject, wire: &[u8], options: &json::Options) -> tobu::Result<String> {
    let mut out = Vec::new();
    convert::wire_to_json_with(&subject.descriptor, wire, &mut out, options)?;
    Ok(String::from_utf8(out).expect("JSON is UTF-8"))
}

/// For any bytes: the output is valid wire bytes of the message, or unchanged.
pub(super) fn json_to_wire(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Json) else { return };
    let (subject, text) = (&*case, case.payload());
    let mut out = b"kept".to_vec();
    let done =
        bounded("transcoding", text.len(), || convert::json_to_wire(&subject.descriptor, text, &mut out));
    match done {
        Ok(()) => {
            let message =
                DynamicMessage::decode(&subject.descriptor, &out[4..]).expect("what was written is valid");
            let mut back = Vec::new();
            convert::wire_to_json(&subject.descriptor, &out[4..], &mut back).expect("it came from JSON");
            let mut again = Vec::new();
            convert::json_to_wire(&subject.descriptor, &back, &mut again)
                .expect("what was printed reads back");
            let again = DynamicMessage::decode(&subject.descriptor, &again).unwrap();
            let same = Equality::new().nan(true).unknown_fields(false);
            let same = (&again as &dyn Reflect).equals_with(&message, same);
            assert!(same || has_null_value(subject), "there and back: {subject:?}");
        }
        Err(error) => {
            assert_eq!(out, b"kept");
            let text = std::str::from_utf8(text);
            let read = text.map(|text| DynamicMessage::from_json(&subject.descriptor, text).map(drop));
            if let Ok(read) = read {
                assert_eq!(read.unwrap_err().to_string(), error.to_string());
            }
        }
    }
}
