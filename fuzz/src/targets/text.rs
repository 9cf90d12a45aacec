//! The text format by every type of a message, both ways.

use crate::mutate::Syntax;
use crate::oracle::{self, Alike, agree, bounded};
use crate::subject::{Case, Subject};
use crate::typed::Path;
use tobu::reflect::Equality;
use tobu::{DynamicMessage, Reflect, text};

/// All types of a message read a text alike; the text that they print reads back.
pub(super) fn text(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Text) else { return };
    let (subject, payload) = (&*case, case.payload());
    let Ok(input) = std::str::from_utf8(payload) else { return };
    let lenient = case.flags & 1 == 1;
    let options = text::Options::new().ignore_unknown(lenient).unknown_fields(lenient);
    let read = || DynamicMessage::from_text_with(&subject.descriptor, payload, &options);
    let message = bounded("dynamic", input.len(), read);
    if input.len() > 512 {
        let tight = options.clone().limits(oracle::tight());
        let read = || DynamicMessage::from_text_with(&subject.descriptor, payload, &tight).map(drop);
        let _ = oracle::bounded_tightly("dynamic", input.len(), read);
    }
    let expected = message.as_ref().map(oracle::canonical);
    let mut wire = b"kept".to_vec();
    let transcode = || tobu::convert::text_to_wire(&subject.descriptor, payload, &mut wire, &options);
    match (&expected, bounded("transcoding", input.len(), transcode)) {
        (Ok(_), Ok(())) => {}
        (Err(error), Err(other)) => {
            assert_eq!(error.to_string(), other.to_string(), "transcoding has another error");
            assert_eq!(wire, b"kept");
        }
        (expected, done) => panic!("dynamic: {:?}, transcoding: {done:?}", expected.as_ref().map(drop)),
    }
    let (bytes, message) = match message {
        Ok(message) => (Ok(oracle::canonical(&message)), Some(message)),
        Err(error) => (Err(error), None),
    };
    for path in subject.paths().iter().filter(|path| has_its_names(subject, path)) {
        let outcome = bounded(path.name, input.len(), || (path.text)(input, &options));
        let alike = if path.serde { Alike::Category } else { Alike::Text };
        agree(subject, ("dynamic", path.name), &bytes, &outcome, alike);
    }
    if let Some(message) = message {
        printed(subject, &message);
    }
}

/// False if the messages of groups are not declared in the message around them, so that groups have the names of
/// fields.
pub(super) fn has_its_names(subject: &Subject, path: &Path) -> bool {
    subject.descriptor.name() != "Groups" || path.name == "generated"
}

/// Printed text reads back, on one line and on several, and can be shown.
fn printed(subject: &Subject, message: &DynamicMessage) {
    let options = text::Options::new();
    for options in [options.clone().one_line(true), options.clone().enums_as_integers(true).expand_any(false)]
    {
        let text = options.to_string(message).expect("what was read can be printed");
        let again = DynamicMessage::from_text_with(&subject.descriptor, text.as_bytes(), &options);
        let again =
            again.unwrap_or_else(|error| panic!("what was printed does not read back: {error}\n{text}"));
        // Unknown fields are not printed. Without those within an `Any`, its value has other bytes.
        let same = Equality::new().nan(true).unknown_fields(false);
        let (one, other): (&dyn Reflect, &dyn Reflect) = (message, &again);
        let equal =
            one.equals_with(other, same) || options.to_string(&again).is_ok_and(|twice| twice == text);
        assert!(equal, "once and again differ: {subject:?}\n{text}");
    }
    let _ = format!("{message:?}{message:#?}");
}
