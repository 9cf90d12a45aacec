//! Elements of random messages of random schemas, read one by one.

use crate::entropy::Entropy;
use crate::wire::{self, Form};
use crate::{DETERMINISTIC, config, entropy, random_schema, tree};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::iter;
use tobu::reflect::{Value, ValueRef};
use tobu::{DynamicMessage, Element, ElementDecoder, FieldDescriptor, MessageDescriptor, Reflect, json};

proptest! {
    #![proptest_config(config(600))]

    /// Elements that are read one by one equal those of the whole message, however it is cut into chunks; of a malformed one
    /// they are the same for all chunks.
    #[test]
    fn random_elements(
        schema in entropy(120),
        content in entropy(300),
        form in entropy(200),
        damage in entropy(6),
        cuts in entropy(60),
    ) {
        let descriptor = random_schema(&schema);
        let tree = tree::message(&descriptor, &mut Entropy::new(&content), 4);
        let mut bytes = wire::encode(&descriptor, &tree, &mut Form::Scrambled(Entropy::new(&form)));
        agree(&descriptor, &bytes, &cuts)?;
        entropy::tamper(&mut bytes, &damage);
        agree(&descriptor, &bytes, &cuts)?;
    }
}

fn agree(descriptor: &MessageDescriptor, bytes: &[u8], cuts: &[u8]) -> Result<(), TestCaseError> {
    let whole = DynamicMessage::decode(descriptor, bytes).ok();
    let paths = paths(descriptor);
    for path in &paths {
        let found = of_wire(descriptor, path, bytes, cuts);
        prop_assert_eq!(&found, &of_wire(descriptor, path, bytes, &[]), "{:02x?}", bytes);
        if let Some(whole) = &whole {
            prop_assert_eq!(found, (of_whole(whole, path), None), "{:02x?}", bytes);
        }
    }
    let Some(text) = whole.and_then(|whole| json::to_vec(&whole).ok()) else { return Ok(()) };
    let whole = DynamicMessage::from_json_with(descriptor, &text, &json::Options::new());
    let Ok(whole) = whole else { return Ok(()) };
    for path in paths.iter().filter(|path| has_messages(path)) {
        let found = of_json(path, &text, cuts);
        prop_assert_eq!(found, (of_whole(&whole, path), None), "{}", String::from_utf8_lossy(&text));
    }
    Ok(())
}

/// Elements as texts, and the error that ends them.
type Found = (Vec<String>, Option<String>);

/// The ways to repeated fields: through single messages which no other field of a oneof can replace.
fn paths(descriptor: &MessageDescriptor) -> Vec<Vec<FieldDescriptor>> {
    let (mut found, mut open) = (Vec::new(), vec![(descriptor.clone(), Vec::new())]);
    while let Some((message, above)) = open.pop() {
        for field in message.fields() {
            let path: Vec<_> = above.iter().cloned().chain([field.clone()]).collect();
            if field.is_list() || field.is_map() {
                found.push(path);
            } else if let Some(inner) = field.message_type()
                && field.oneof().is_none()
                && path.len() < 3
            {
                open.push((inner, path));
            }
        }
    }
    found
}

/// True for lists of messages, by names without dots.
fn has_messages(path: &[FieldDescriptor]) -> bool {
    path.last().is_some_and(|field| field.is_list() && field.message_type().is_some())
        && path.iter().all(|field| !field.json_name().contains('.'))
}

/// Chunks of random sizes, and the rest as one.
fn chunks<'a>(mut bytes: &'a [u8], cuts: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let mut entropy = Entropy::new(cuts);
    iter::from_fn(move || {
        let size = if entropy.is_empty() { bytes.len() } else { entropy.below(24).min(bytes.len()) };
        let (chunk, rest) = bytes.split_at(size);
        (!bytes.is_empty()).then(|| {
            bytes = rest;
            chunk
        })
    })
}

fn of_wire(descriptor: &MessageDescriptor, path: &[FieldDescriptor], bytes: &[u8], cuts: &[u8]) -> Found {
    let names: Vec<&str> = path.iter().map(FieldDescriptor::name).collect();
    let mut decoder = ElementDecoder::new(descriptor, &names.join(".")).unwrap();
    let (mut found, mut chunks) = (Vec::new(), chunks(bytes, cuts));
    loop {
        match decoder.next_element::<Element>() {
            Ok(Some(element)) => found.push(element),
            Ok(None) if decoder.is_finished() => return (listed(found), None),
            Ok(None) => match chunks.next() {
                Some(chunk) => decoder.push(chunk),
                None => decoder.finish(),
            },
            Err(error) => return (listed(found), Some(error.to_string())),
        }
    }
}

fn of_json(path: &[FieldDescriptor], text: &[u8], cuts: &[u8]) -> Found {
    let names: Vec<&str> = path.iter().map(FieldDescriptor::json_name).collect();
    let descriptor = path.last().and_then(FieldDescriptor::message_type).unwrap();
    let mut decoder = json::ElementDecoder::new(&names.join("."));
    let (mut found, mut chunks) = (Vec::new(), chunks(text, cuts));
    loop {
        match decoder.next_dynamic(&descriptor) {
            Ok(Some(message)) => found.push(Element::Value(Value::Message(message))),
            Ok(None) if decoder.is_finished() => return (listed(found), None),
            Ok(None) => match chunks.next() {
                Some(chunk) => decoder.push(chunk),
                None => decoder.finish(),
            },
            Err(error) => return (listed(found), Some(error.to_string())),
        }
    }
}

/// The elements that the message has as a whole.
fn of_whole(message: &dyn Reflect, path: &[FieldDescriptor]) -> Vec<String> {
    match message.get(&path[0]).unwrap() {
        ValueRef::Message(inner) => of_whole(&*inner, &path[1..]),
        ValueRef::List(list) => {
            listed(list.iter().map(|one| Element::Value(one.to_value().unwrap())).collect())
        }
        ValueRef::Map(map) => listed(
            map.iter().map(|(key, value)| Element::Entry(key.to_key(), value.to_value().unwrap())).collect(),
        ),
        value => panic!("{value:?} is not repeated"),
    }
}

/// The elements as texts; of entries with one key the last, in the order of their keys.
fn listed(elements: Vec<Element>) -> Vec<String> {
    let mut entries = BTreeMap::new();
    let mut texts = Vec::new();
    for element in elements {
        match element {
            Element::Value(value) => texts.push(shown(&value)),
            Element::Entry(key, value) => drop(entries.insert(format!("{key:?}"), shown(&value))),
        }
    }
    texts.extend(entries.into_iter().map(|(key, value)| format!("{key}: {value}")));
    texts
}

/// A text that is the same for equal values, also for NaN.
fn shown(value: &Value) -> String {
    match value {
        Value::Message(message) => {
            format!("{:02x?}", DETERMINISTIC().partial(true).to_vec(message).unwrap())
        }
        value => format!("{value:?}"),
    }
}
