//! Messages that hold something when they are read into.

use super::halves;
use crate::oracle::{self, Alike, agree};
use crate::subject::Subject;
use tobu::{DecodeOptions, DynamicMessage, json};

/// What a message held before does not show after it was filled again.
pub(super) fn refill(data: &[u8]) {
    let Some((subject, typed, payload)) = Subject::pick_typed(data) else { return };
    let Some((first, second)) = halves(payload) else { return };
    for path in &typed.paths {
        if let Some(refill) = path.refill {
            let fresh = (path.wire)(second, &DecodeOptions::new());
            agree(subject, ("fresh", path.name), &fresh, &refill(first, second), Alike::Text);
        }
    }
}

/// Merging gives what both pieces in one input give, and an error changes nothing.
pub(super) fn merge(data: &[u8]) {
    let Some((subject, typed, payload)) = Subject::pick_typed(data) else { return };
    let Some((first, second)) = halves(payload) else { return };
    let partial = DecodeOptions::new().partial(true);
    let Ok(mut message) = DynamicMessage::decode_with(&subject.descriptor, first, partial) else { return };
    let before = oracle::canonical(&message);
    let joined = oracle::dynamic(&subject.descriptor, &[first, second].concat(), &partial);
    let done = message.merge(second);
    let merged = oracle::canonical(&message);
    if done.is_err() {
        assert!(merged == before, "a failed merge leaves a dynamic message as it was");
    }
    let dynamic = done.map(|()| merged);
    agree(subject, ("joined", "merged"), &joined, &dynamic, Alike::Category);
    for path in &typed.paths {
        let Some(merge) = path.merge else { continue };
        // What this type cannot hold, there is nothing to merge into.
        let Ok(held) = (path.wire)(first, &partial) else { continue };
        let outcome = merge(first, second).map_err(|(error, after)| {
            assert!(after == held, "a failed merge leaves the message as it was: {}", path.name);
            error
        });
        agree(subject, ("dynamic", path.name), &dynamic, &outcome, Alike::Text);
    }
}

/// The same of JSON, which is read into messages, too.
pub(super) fn json(data: &[u8]) {
    let Some((subject, typed, payload)) = Subject::pick_typed(data) else { return };
    let Some((first, second)) = halves(payload) else { return };
    let Ok(text) = std::str::from_utf8(second) else { return };
    let partial = DecodeOptions::new().partial(true);
    let Ok(mut message) = DynamicMessage::decode_with(&subject.descriptor, first, partial) else { return };
    let before = oracle::canonical(&message);
    let done = message.merge_json(text, &json::Options::new());
    let merged = oracle::canonical(&message);
    if done.is_err() {
        assert!(merged == before, "a failed merge leaves a dynamic message as it was");
    }
    let dynamic = done.map(|()| merged);
    for path in &typed.paths {
        if let Some(merge) = path.json_merge {
            let Ok(held) = (path.wire)(first, &partial) else { continue };
            let outcome = merge(first, text).map_err(|(error, after)| {
                assert!(after == held, "a failed merge leaves the message as it was: {}", path.name);
                error
            });
            agree(subject, ("dynamic", path.name), &dynamic, &outcome, Alike::Text);
        }
        if let Some(refill) = path.json_refill {
            let fresh = (path.json)(text, &json::Options::new());
            agree(subject, ("fresh", path.name), &fresh, &refill(first, text), Alike::Text);
        }
    }
}
