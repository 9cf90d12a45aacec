//! Messages that hold something when they are read into.

use crate::mutate::Syntax;
use crate::oracle::{self, Alike, agree, bounded};
use crate::subject::Case;
use crate::targets::text::has_its_names;
use tobu::{DecodeOptions, DynamicMessage, json, text};

/// The old content of a message does not show after it was refilled.
pub(super) fn refill(data: &[u8]) {
    let Some(case) = Case::pair(data, Syntax::Wire) else { return };
    let Some((first, second)) = case.halves() else { return };
    let subject = &*case;
    for path in subject.paths() {
        if let Some(refill) = path.refill {
            let fresh = (path.wire)(second, &DecodeOptions::new());
            let again = bounded(path.name, first.len() + second.len(), || refill(first, second));
            agree(subject, ("fresh", path.name), &fresh, &again, Alike::Text);
        }
    }
}

/// Merging two slices equals decoding their concatenation, and an error changes nothing.
pub(super) fn merge(data: &[u8]) {
    let Some(case) = Case::pair(data, Syntax::Wire) else { return };
    let Some((first, second)) = case.halves() else { return };
    let subject = &*case;
    let partial = DecodeOptions::new().partial(true);
    let Ok(mut message) = DynamicMessage::decode_with(&subject.descriptor, first, partial) else { return };
    let before = oracle::canonical(&message);
    let joined = oracle::dynamic(&subject.descriptor, &[first, second].concat(), &partial);
    let done = bounded("dynamic", second.len(), || message.merge(second));
    let merged = oracle::canonical(&message);
    if done.is_err() {
        assert!(merged == before, "a failed merge leaves a dynamic message as it was");
    }
    let dynamic = done.map(|()| merged);
    agree(subject, ("joined", "merged"), &joined, &dynamic, Alike::Category);
    for path in subject.paths() {
        let Some(merge) = path.merge else { continue };
        // If this type cannot hold it, there is nothing to merge into.
        let Ok(held) = (path.wire)(first, &partial) else { continue };
        let size = first.len() + second.len();
        let outcome = bounded(path.name, size, || merge(first, second)).map_err(|(error, after)| {
            assert!(after == held, "a failed merge leaves the message as it was: {}", path.name);
            error
        });
        agree(subject, ("dynamic", path.name), &dynamic, &outcome, Alike::Text);
    }
}

/// The same of JSON, which is read into messages, too.
pub(super) fn json(data: &[u8]) {
    let Some(case) = Case::pair(data, Syntax::Json) else { return };
    let Some((first, second)) = case.halves() else { return };
    let subject = &*case;
    let Ok(text) = std::str::from_utf8(second) else { return };
    let partial = DecodeOptions::new().partial(true);
    let Ok(mut message) = DynamicMessage::decode_with(&subject.descriptor, first, partial) else { return };
    let before = oracle::canonical(&message);
    let done = bounded("dynamic", text.len(), || message.merge_json(text, &json::Options::new()));
    let merged = oracle::canonical(&message);
    if done.is_err() {
        assert!(merged == before, "a failed merge leaves a dynamic message as it was");
    }
    let dynamic = done.map(|()| merged);
    for path in subject.paths() {
        if let Some(merge) = path.json_merge {
            let Ok(held) = (path.wire)(first, &partial) else { continue };
            let size = first.len() + text.len();
            let outcome = bounded(path.name, size, || merge(first, text)).map_err(|(error, after)| {
                assert!(after == held, "a failed merge leaves the message as it was: {}", path.name);
                error
            });
            agree(subject, ("dynamic", path.name), &dynamic, &outcome, Alike::Text);
        }
        if let Some(refill) = path.json_refill {
            let fresh = (path.json)(text, &json::Options::new());
            let again = bounded(path.name, first.len() + text.len(), || refill(first, text));
            agree(subject, ("fresh", path.name), &fresh, &again, Alike::Text);
        }
    }
}

/// All types merge a text alike; into an empty message it is as if it were read, and an error changes nothing.
///
/// A dynamic message has no such verb, and merging what it has read is another thing: a text that sets a field without
/// presence to its default says something.
pub(super) fn text(data: &[u8]) {
    let Some(case) = Case::pair(data, Syntax::Text) else { return };
    let Some((first, second)) = case.halves() else { return };
    let subject = &*case;
    let Ok(text) = std::str::from_utf8(second) else { return };
    let partial = DecodeOptions::new().partial(true);
    let mut expected = None;
    for path in subject.paths().iter().filter(|path| has_its_names(subject, path)) {
        let Some(merge) = path.text_merge else { continue };
        let read = (path.text)(text, &text::Options::new().partial(true));
        let merged = merge(b"", text).map_err(|(error, after)| {
            assert_eq!(after, b"", "a failed merge leaves an empty message: {}", path.name);
            error
        });
        agree(subject, ("read", path.name), &read, &merged, Alike::Text);
        let Ok(held) = (path.wire)(first, &partial) else { continue };
        let size = first.len() + text.len();
        let outcome = bounded(path.name, size, || merge(first, text)).map_err(|(error, after)| {
            assert!(after == held, "a failed merge leaves the message as it was: {}", path.name);
            error
        });
        match &expected {
            None => expected = Some((path.name, outcome)),
            Some((name, expected)) => agree(subject, (name, path.name), expected, &outcome, Alike::Text),
        }
    }
}
