//! Transcoding to and from the text format.

use super::text::has_its_names;
use crate::mutate::Syntax;
use crate::oracle::{Alike, agree, bounded, stays};
use crate::subject::{Case, Subject};
use tobu::{DynamicMessage, Error, Result, convert, json, text};

/// The old content of an output, which must be kept.
const KEPT: &[u8] = b"kept";

/// Runs a transcoder, which adds to its output or leaves it.
#[track_caller]
fn run(size: usize, transcode: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<Vec<u8>> {
    let mut out = KEPT.to_vec();
    let done = bounded("transcoding", size, || transcode(&mut out));
    let added = out.split_off(KEPT.len());
    assert_eq!(out, KEPT);
    assert!(done.is_ok() || added.is_empty(), "an error leaves nothing");
    done.map(|()| added)
}

/// Both ways give one text, or one error in the same words.
#[track_caller]
fn same(subject: &Subject, names: (&str, &str), one: &Result<Vec<u8>>, other: &Result<Vec<u8>>) {
    agree(subject, names, one, other, Alike::Text);
    assert_eq!(one.as_ref().err().map(Error::to_string), other.as_ref().err().map(Error::to_string));
}

/// Printed from wire bytes, from a dynamic message, and from each type: the same text, which reads back.
pub(super) fn wire_to_text(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Wire) else { return };
    let (subject, wire) = (&*case, case.payload());
    let flag = |bit: u8| case.flags >> bit & 1 == 1;
    let options = text::Options::new().one_line(flag(0)).enums_as_integers(flag(1)).expand_any(flag(2));
    let options = options.unknown_fields(flag(3));
    let message = DynamicMessage::decode(&subject.descriptor, wire);
    let expected = message.and_then(|message| options.to_string(&message)).map(String::into_bytes);
    let print = |wire: &[u8], options: &text::Options| {
        run(wire.len(), |out| convert::wire_to_text(&subject.descriptor, wire, out, options))
    };
    let printed = print(wire, &options);
    same(subject, ("dynamic", "transcoding"), &expected, &printed);
    let partial = options.clone().partial(true);
    let expected = print(wire, &partial);
    for path in subject.paths().iter().filter(|path| has_its_names(subject, path)) {
        let outcome = (path.print_text)(wire, &partial).map(String::into_bytes);
        agree(subject, ("transcoding", path.name), &expected, &outcome, Alike::Category);
    }
    // Unknown fields read back as another kind of field.
    if let Ok(text) = printed
        && !flag(3)
    {
        let read = |out: &mut Vec<u8>| convert::text_to_wire(&subject.descriptor, &text, out, &options);
        let back = run(text.len(), read).expect("what was printed reads back");
        let again = print(&back, &options).expect("what was read can be printed");
        assert!(again == text, "there and back: {subject:?}\n{}", String::from_utf8_lossy(&text));
    }
}

/// For any bytes: the output is valid wire bytes of the message, or unchanged.
pub(super) fn text_to_wire(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Text) else { return };
    let (subject, input) = (&*case, case.payload());
    let options = text::Options::new().ignore_unknown(case.flags & 1 == 1);
    let read =
        |text: &[u8]| run(text.len(), |out| convert::text_to_wire(&subject.descriptor, text, out, &options));
    let wire = read(input);
    let message = DynamicMessage::from_text_with(&subject.descriptor, input, &options);
    same(subject, ("dynamic", "transcoding"), &message.and_then(|message| message.encode_to_vec()), &wire);
    if let Ok(wire) = wire {
        let print = |out: &mut Vec<u8>| convert::wire_to_text(&subject.descriptor, &wire, out, &options);
        let text = run(wire.len(), print).expect("what was written is valid");
        let again = read(&text).expect("what was printed reads back");
        let print = |out: &mut Vec<u8>| convert::wire_to_text(&subject.descriptor, &again, out, &options);
        let twice = run(again.len(), print).expect("what was written is valid");
        assert!(twice == text, "there and back: {subject:?}\n{}", String::from_utf8_lossy(&text));
    }
}

/// Straight, by way of the wire, and there and back.
pub(super) fn json_to_text(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Json) else { return };
    let (subject, input) = (&*case, case.payload());
    let descriptor = &subject.descriptor;
    let from = json::Options::new().ignore_unknown(case.flags & 1 == 1);
    let to = text::Options::new().one_line(case.flags & 2 == 2);
    let to_text =
        |json: &[u8]| run(json.len(), |out| convert::json_to_text(descriptor, json, out, &from, &to));
    let straight = to_text(input);
    let wire = run(input.len(), |out| convert::json_to_wire_with(descriptor, input, out, &from));
    let by_wire =
        wire.and_then(|wire| run(wire.len(), |out| convert::wire_to_text(descriptor, &wire, out, &to)));
    same(subject, ("straight", "by way of the wire"), &straight, &by_wire);
    if let Ok(text) = straight {
        stays(&text, |text| {
            let back = |out: &mut Vec<u8>| convert::text_to_json(descriptor, text, out, &to, &from);
            let json = run(text.len(), back).expect("what came from JSON goes back");
            let again = to_text(&json).expect("what was printed reads back");
            (json, again)
        });
    }
}

/// The same from text.
pub(super) fn text_to_json(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Text) else { return };
    let (subject, input) = (&*case, case.payload());
    let descriptor = &subject.descriptor;
    let from = text::Options::new().ignore_unknown(case.flags & 1 == 1);
    // Text has map entries in the order of their keys.
    let to = json::Options::new().deterministic(true).pretty(case.flags & 2 == 2);
    let to_json =
        |text: &[u8]| run(text.len(), |out| convert::text_to_json(descriptor, text, out, &from, &to));
    let straight = to_json(input);
    let wire = run(input.len(), |out| convert::text_to_wire(descriptor, input, out, &from));
    let by_wire =
        wire.and_then(|wire| run(wire.len(), |out| convert::wire_to_json_with(descriptor, &wire, out, &to)));
    same(subject, ("straight", "by way of the wire"), &straight, &by_wire);
    if let Ok(json) = straight {
        stays(&json, |json| {
            let back = |out: &mut Vec<u8>| convert::json_to_text(descriptor, json, out, &to, &from);
            let text = run(json.len(), back).expect("what was printed reads back");
            let again = to_json(&text).expect("what came from JSON goes back");
            (json.to_vec(), again)
        });
    }
}
