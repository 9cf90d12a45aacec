//! Selected fields of messages: those of a mask, and elements of a repeated field or of an array of JSON.

use crate::mutate::Syntax;
use crate::oracle::{Alike, agree, bounded};
use crate::subject::Case;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use tobu::MessageDescriptorExt;
use tobu::convert::WireToJson;
use tobu::reflect::{MessageRef, ValueRef};
use tobu::wire::Reader;
use tobu::{DynamicMessage, Element, ElementDecoder, MessageDescriptor, Reflect, convert, json};

/// Reading selected fields equals trimming the whole message, and so does their JSON.
pub(super) fn project(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Wire) else { return };
    let (subject, wire) = (&*case, case.payload());
    let paths: Vec<String> = (0..1 + u32::from(case.flags % 3))
        .map(|which| path(&subject.descriptor, u32::from(case.flags) * 31 + which * 7))
        .filter(|path| !path.is_empty())
        .collect();
    let projection = subject.descriptor.project(&paths).expect("the paths are of the schema");
    let part = bounded("projection", wire.len(), || projection.decode(wire));
    let whole = DynamicMessage::decode(&subject.descriptor, wire);
    let strict = subject.descriptor.project(&paths).unwrap().validate(true).decode(wire).map(drop);
    assert_eq!(strict.is_ok(), whole.is_ok(), "validated and whole");
    let options = json::Options::new().partial(true).deterministic(true);
    let mut out = b"kept".to_vec();
    let run = || convert::wire_to_json_projected(&projection, wire, &mut out, &options);
    let printed = bounded("projection as JSON", wire.len(), run);
    if let Ok(mut whole) = whole {
        (&mut whole as &mut dyn Reflect).trim(&paths).expect("the paths are of the schema");
        let canonical = |message: &DynamicMessage| {
            tobu::EncodeOptions::new().deterministic(true).partial(true).to_vec(message).unwrap()
        };
        let part = part.as_ref().map(canonical).map_err(|error| panic!("of a whole message: {error}"));
        agree(subject, ("trimmed", "projected"), &Ok(canonical(&whole)), &part, Alike::Text);
        match (options.to_string(&whole), printed) {
            (Ok(text), Ok(())) => assert_eq!(text.as_bytes(), &out[4..], "trimmed and printed"),
            (Err(_), Err(_)) => assert_eq!(out, b"kept"),
            (text, printed) => panic!("trimmed: {text:?}, transcoded: {printed:?}"),
        }
    }
}

/// A path into a message, by a number.
fn path(descriptor: &MessageDescriptor, mut choice: u32) -> String {
    let (mut names, mut within) = (Vec::new(), Some(descriptor.clone()));
    while let Some(message) = within.filter(|message| message.fields().len() > 0 && names.len() < 4) {
        let field = message.fields().nth(choice as usize % message.fields().len()).unwrap();
        names.push(field.name().to_owned());
        choice = choice.wrapping_mul(0x9e37_79b9).rotate_left(7);
        within = field.map_value().unwrap_or(field).message_type().filter(|_| !choice.is_multiple_of(3));
    }
    names.join(".")
}

/// Elements are the same however the input is cut, and those of the whole message; so is its JSON.
pub(super) fn elements(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Wire) else { return };
    let (subject, wire) = (&*case, case.payload());
    in_pieces(&subject.descriptor, wire, 1 + usize::from(case.flags % 7), usize::from(case.flags / 7));
    let mut paths = Vec::new();
    repeated(&subject.descriptor, &mut Vec::new(), &mut paths);
    if paths.is_empty() {
        return;
    }
    let path = &paths[usize::from(case.flags) % paths.len()];
    let all =
        bounded("elements", wire.len(), || in_chunks(&subject.descriptor, path, wire, wire.len().max(1)));
    assert_eq!(in_chunks(&subject.descriptor, path, wire, 1 + usize::from(case.flags % 7)), all, "{path}");
    if let Ok(whole) = DynamicMessage::decode(&subject.descriptor, wire) {
        assert_eq!(all.1, None, "{path} of a whole message");
        if let Some(expected) = listed(&whole, path) {
            assert_eq!(all.0, expected, "{path}");
        }
    }
}

/// JSON of a message received in chunks is the same for every split, and equals that of the whole if fields are in
/// order.
fn in_pieces(descriptor: &MessageDescriptor, wire: &[u8], size: usize, choice: usize) {
    let options =
        json::Options::new().partial(choice.is_multiple_of(2)).emit_defaults(choice.is_multiple_of(3));
    let options = options.pretty(choice.is_multiple_of(5));
    let convert = |wire: &[u8], size| {
        let mut converter = WireToJson::new(descriptor, options.clone()).expect("a small schema");
        let mut out = Vec::new();
        let mut done = wire.chunks(size).try_for_each(|chunk| converter.push(chunk, &mut out));
        done = done.and_then(|()| converter.finish(&mut out));
        done.map(|()| String::from_utf8(out).expect("JSON")).map_err(|error| error.to_string())
    };
    let all = bounded("JSON in pieces", wire.len(), || convert(wire, wire.len().max(1)));
    // Members are in input order where that is converted directly, which depends on what is converted at once.
    let value = |text: &String| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let cut = convert(wire, size);
    let same = match (&cut, &all) {
        (Ok(one), Ok(other)) => one == other || value(one) == value(other),
        (one, other) => one.is_err() == other.is_err(),
    };
    assert!(same, "by {size}: {cut:?}, all at once: {all:?}");
    let whole = |wire: &[u8]| {
        let mut out = Vec::new();
        let done = convert::wire_to_json_with(descriptor, wire, &mut out, &options);
        done.map(|()| String::from_utf8(out).expect("JSON")).map_err(|error| error.to_string())
    };
    let too_late = |error: &String| error.contains("the field comes a");
    // What a message lacks may come in another occurrence, and what has no form in JSON may be replaced. Without what comes
    // after it, the message is refused as a whole, too.
    let too_early = || {
        let ends = ends_of_fields(wire);
        wire.len() * ends.len() > 4 << 20 || ends.iter().any(|end| whole(&wire[..*end]).is_err())
    };
    match (whole(wire), &all) {
        (Err(error), Ok(text)) => panic!("{text} of pieces, and of the whole: {error}"),
        (Ok(text), Err(error)) if !too_late(error) && !too_early() => {
            panic!("{text} of the whole, and of pieces: {error}")
        }
        _ => {}
    }
    let Ok(message) = DynamicMessage::decode(descriptor, wire) else { return };
    let ordered = tobu::EncodeOptions::new().partial(true).to_vec(&message).expect("it was decoded");
    match (whole(&ordered), convert(&ordered, size)) {
        // The bytes of an `Any` are in any order still.
        (Ok(text), Ok(pieces)) => {
            assert!(pieces == text || value(&pieces) == value(&text), "in order: {pieces}, {text}");
        }
        (Ok(_), Err(error)) => assert!(too_late(&error), "{error}"),
        (_, pieces) => assert!(pieces.is_err()),
    }
}

/// Where the fields of a message end.
fn ends_of_fields(wire: &[u8]) -> Vec<usize> {
    let (mut reader, mut ends) = (Reader::new(wire), Vec::new());
    while !reader.is_empty() && reader.tag().and_then(|tag| reader.skip(tag, 100)).is_ok() {
        ends.push(reader.position());
    }
    ends
}

/// Paths to repeated fields, through single messages that are in no oneof.
fn repeated(message: &MessageDescriptor, above: &mut Vec<String>, paths: &mut Vec<String>) {
    for field in message.fields().take(64) {
        above.push(field.name().to_owned());
        if field.is_list() || field.is_map() {
            paths.push(above.join("."));
        } else if let Some(inner) = field.message_type()
            && above.len() < 3
            && field.oneof().is_none()
            && paths.len() < 256
        {
            repeated(&inner, above, paths);
        }
        above.pop();
    }
}

/// The elements as text, and the error that ends them.
fn in_chunks(
    descriptor: &MessageDescriptor,
    path: &str,
    wire: &[u8],
    size: usize,
) -> (Vec<String>, Option<String>) {
    let (mut decoder, mut all) = (ElementDecoder::new(descriptor, path).unwrap(), Vec::new());
    let mut chunks = wire.chunks(size);
    loop {
        match decoder.next_element::<Element>() {
            Ok(Some(element)) => all.push(format!("{element:?}")),
            Ok(None) if decoder.is_finished() => return (all, None),
            Ok(None) => match chunks.next() {
                Some(chunk) => decoder.push(chunk),
                None => decoder.finish(),
            },
            Err(error) => return (all, Some(error.to_string())),
        }
    }
}

/// The elements of a list in the whole message; `None` for a map, where entries replace others.
fn listed(message: &DynamicMessage, path: &str) -> Option<Vec<String>> {
    fn go(message: MessageRef<'_>, path: &str) -> Option<Vec<String>> {
        let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
        let field = message.descriptor().field_by_name(name).unwrap();
        match (message.get(&field).unwrap(), rest) {
            (ValueRef::Message(inner), Some(rest)) => go(inner, rest),
            (ValueRef::List(list), None) => Some(
                list.iter().map(|one| format!("{:?}", Element::Value(one.to_value().unwrap()))).collect(),
            ),
            _ => None,
        }
    }
    go(MessageRef::new(message), path)
}

/// Elements of an array of a JSON text are the same however the text is cut, and those of the whole text.
pub(super) fn json_elements(data: &[u8]) {
    let Some(case) = Case::of(data, Syntax::Json) else { return };
    let Ok(text) = std::str::from_utf8(case.payload()) else { return };
    let (text, path, element) = array(&case, text);
    let options = json::Options::new().ignore_unknown(case.flags.is_multiple_of(3));
    let chunked = |size: usize| json_in_chunks(&element, &path, &text, size, &options);
    let (all, error) = bounded("elements", text.len(), || chunked(text.len().max(1)));
    assert_eq!(chunked(1 + usize::from(case.flags / 4)), (all.clone(), error.clone()), "{path}");
    let Some(raw) = raw_elements(&text, &path) else { return };
    let read = |raw: &RawValue| DynamicMessage::from_json_with(&element, raw.get().as_bytes(), &options);
    let whole: Vec<_> = raw.iter().map_while(|raw| read(raw).ok()).map(|read| format!("{read:?}")).collect();
    match error {
        None => assert!(all == whole && whole.len() == raw.len(), "{path} of {text}: {all:?}, {whole:?}"),
        // What is around the array counts as levels, and a name of the path must not occur twice.
        Some(error) => {
            let around = ["twice", "levels", "number is too long"].iter().any(|what| error.contains(what));
            assert!(whole.starts_with(&all), "{path} of {text}: {all:?}, {whole:?}");
            assert!(around || whole.len() < raw.len(), "{path} of {text}: {error}");
        }
    }
}

/// A text with an array, by the flags: the text itself, or messages in an array; where it is, and what its elements are.
fn array(case: &Case<'_>, text: &str) -> (String, String, MessageDescriptor) {
    let list = case.descriptor.fields().find(|field| field.is_list() && field.message_type().is_some());
    match (case.flags % 4, list) {
        (0, Some(list)) => (text.into(), list.json_name().into(), list.message_type().unwrap()),
        (1, _) => (format!("[{text},{text}]"), String::new(), case.descriptor.clone()),
        _ => (format!(r#"{{"a":{{"b":[{text},{text}]}}}}"#), "a.b".into(), case.descriptor.clone()),
    }
}

/// The messages as text, and the error that ends them.
fn json_in_chunks(
    element: &MessageDescriptor,
    path: &str,
    text: &str,
    size: usize,
    options: &json::Options,
) -> (Vec<String>, Option<String>) {
    let (mut decoder, mut all) = (json::ElementDecoder::with_options(path, options.clone()), Vec::new());
    let mut chunks = text.as_bytes().chunks(size);
    loop {
        match decoder.next_dynamic(element) {
            Ok(Some(message)) => all.push(format!("{message:?}")),
            Ok(None) if decoder.is_finished() => return (all, None),
            Ok(None) => match chunks.next() {
                Some(chunk) => decoder.push(chunk),
                None => decoder.finish(),
            },
            Err(error) => return (all, Some(error.to_string())),
        }
    }
}

/// The elements by another reader of JSON; `None` if it refuses the text, or finds another value than one array.
fn raw_elements<'t>(text: &'t str, path: &str) -> Option<Vec<&'t RawValue>> {
    let mut value = serde_json::from_str::<&RawValue>(text).ok()?;
    for name in path.split('.').filter(|name| !name.is_empty()) {
        let members: Members<'t> = serde_json::from_str(value.get()).ok()?;
        let mut called = members.0.iter().filter(|member| member.0 == name);
        let only = called.next().filter(|_| called.next().is_none())?;
        value = only.1;
    }
    serde_json::from_str(value.get()).ok()
}

/// The members of an object, of which several may have the same name.
struct Members<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Members<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'t> Visitor<'t> for Collect {
            type Value = Members<'t>;

            fn expecting(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
                text.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Members<'t>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}
