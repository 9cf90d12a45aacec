//! Properties of every message of every schema: random schemas, random messages of them, and the many wire forms of
//! one message.

mod elements;
mod encoder;
mod entropy;
mod parsed;
mod parts;
mod rebuild;
#[allow(dead_code, reason = "only the differential runs want all kinds of schemas")]
mod schema;
mod sinks;
mod streams;
mod tree;
#[allow(dead_code, reason = "the corpus needs them all")]
#[path = "../corpus/types.rs"]
mod types;
mod wire;

use entropy::Entropy;
use proptest::collection::vec;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Map, Value};
use std::collections::HashMap;
use tobu::{
    DynamicMessage, EncodeOptions, FieldShape, Merge, Message, MessageDescriptor, MessageDescriptorExt, Pool,
    convert, json, text,
};
use types::{derived, plain};
use wire::Form;

/// As many cases as are quick, or as `PROPTEST_CASES` requests.
fn config(quick: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { asked.cases } else { quick };
    ProptestConfig { cases, failure_persistence: None, ..asked }
}

fn entropy(most: usize) -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..most)
}

const DETERMINISTIC: fn() -> EncodeOptions = || EncodeOptions::new().deterministic(true);

proptest! {
    #![proptest_config(config(1500))]

    /// A tree of values over a random schema: to exactly the bytes that an encoder of the test's own gives, and back.
    #[test]
    fn random_schemas(schema in entropy(120), content in entropy(300), form in entropy(400)) {
        let descriptor = random_schema(&schema);
        let tree = tree::message(&descriptor, &mut Entropy::new(&content), 4);
        let bytes = descriptor.encode(&tree).unwrap();
        prop_assert_eq!(&bytes, &wire::encode(&descriptor, &tree, &mut Form::Plain));
        prop_assert_eq!(&descriptor.decode::<Value>(&bytes).unwrap(), &tree);
        // However the fields are ordered, split, repeated and mixed with others.
        let scrambled = wire::encode(&descriptor, &tree, &mut Form::Scrambled(Entropy::new(&form)));
        let decoded = descriptor.decode::<Value>(&scrambled);
        prop_assert_eq!(&decoded.unwrap(), &tree, "{:02x?}", scrambled);
        let by_name: HashMap<String, Value> = descriptor.decode(&scrambled).unwrap();
        prop_assert_eq!(Value::Object(Map::from_iter(by_name)), tree.clone());
        descriptor.decode::<IgnoredAny>(&scrambled).unwrap();
        dynamic_agrees(&descriptor, &scrambled, Some(&tree))?;
        // Equal trees give equal bytes, in any order of their entries.
        let sorted = descriptor.encode_with(&tree, DETERMINISTIC()).unwrap();
        let reversed = descriptor.encode_with(&wire::reverse_maps(&descriptor, &tree), DETERMINISTIC()).unwrap();
        prop_assert_eq!(sorted, reversed);
    }

    /// JSON that was tampered with, over a random schema: the same by every way of reading.
    #[test]
    fn random_schemas_and_garbled_json(schema in entropy(120), content in entropy(200), damage in entropy(24)) {
        let descriptor = random_schema(&schema);
        let tree = tree::message(&descriptor, &mut Entropy::new(&content), 4);
        let message = DynamicMessage::decode(&descriptor, &descriptor.encode(&tree).unwrap()).unwrap();
        let mut text = json::to_vec(&message).unwrap();
        entropy::tamper(&mut text, &damage);
        let text = String::from_utf8_lossy(&text);
        json_agrees(&descriptor, &text)?;
        for (from, to) in [(":", " :\n"), ("\"", "\\u0022"), ("1", "1.0"), ("0", "null"), ("a", "\\u0061")] {
            json_agrees(&descriptor, &text.replace(from, to))?;
            json_agrees(&descriptor, &text.replacen(from, to, 1))?;
        }
    }

    /// Text of the text format that was tampered with, over a random schema: the same by every way of reading.
    #[test]
    fn random_schemas_and_garbled_text(schema in entropy(120), content in entropy(200), damage in entropy(24)) {
        let descriptor = random_schema(&schema);
        let tree = tree::message(&descriptor, &mut Entropy::new(&content), 4);
        let message = DynamicMessage::decode(&descriptor, &descriptor.encode(&tree).unwrap()).unwrap();
        let mut text = text::to_vec(&message).unwrap();
        entropy::tamper(&mut text, &damage);
        let text = String::from_utf8_lossy(&text);
        text_agrees(&descriptor, &text)?;
        for (from, to) in [(":", "#\n:"), ("{", ": <"), ("1", "0x1"), ("\n", ","), ("a", "\\141"), (" ", "[")] {
            text_agrees(&descriptor, &text.replace(from, to))?;
            text_agrees(&descriptor, &text.replacen(from, to, 1))?;
        }
    }

    /// Bytes that were tampered with, over a random schema: never a panic, and the same by every way of reading.
    #[test]
    fn random_schemas_and_garbage(
        schema in entropy(120),
        content in entropy(200),
        form in entropy(200),
        damage in entropy(24),
    ) {
        let descriptor = random_schema(&schema);
        let tree = tree::message(&descriptor, &mut Entropy::new(&content), 4);
        let mut bytes = wire::encode(&descriptor, &tree, &mut Form::Scrambled(Entropy::new(&form)));
        entropy::tamper(&mut bytes, &damage);
        let by_tree = descriptor.decode::<Value>(&bytes);
        let by_name = descriptor.decode::<HashMap<String, Value>>(&bytes);
        prop_assert_eq!(by_tree.is_ok(), by_name.is_ok());
        dynamic_agrees(&descriptor, &bytes, by_tree.as_ref().ok())?;
        if let (Ok(tree), Ok(by_name)) = (by_tree, by_name) {
            prop_assert_eq!(&Value::Object(Map::from_iter(by_name)), &tree);
            // Not a number is null in a tree, which an element of a list cannot be.
            if let Ok(again) = descriptor.encode(&tree) {
                let expected = written(&descriptor, tree);
                prop_assert_eq!(written(&descriptor, descriptor.decode::<Value>(&again).unwrap()), expected);
            }
        }
    }
}

/// True if a message may be replaced by another field of its oneof: a replaced message is not decoded when fields are
/// grouped.
fn voids_messages(mut messages: impl Iterator<Item = MessageDescriptor>) -> bool {
    messages.any(|message| {
        message.fields().any(|field| field.oneof().is_some() && field.message_type().is_some())
    })
}

/// The same bytes as a dynamic message, by each way in and out: it has the content of the tree, or both fail.
fn dynamic_agrees(
    descriptor: &MessageDescriptor,
    bytes: &[u8],
    tree: Option<&Value>,
) -> Result<(), TestCaseError> {
    let message = match (DynamicMessage::decode(descriptor, bytes), tree) {
        (Ok(message), Some(_)) => message,
        (Err(error), None) => {
            let transcoded = convert::wire_to_json(descriptor, bytes, &mut Vec::new());
            prop_assert!(
                transcoded.is_err(),
                "{} {:02x?}\n{}",
                error,
                bytes,
                descriptor.file().to_proto_text().unwrap()
            );
            return Ok(());
        }
        // A tree takes each field once, so that it was read grouped.
        (Err(_), Some(_)) if voids_messages(descriptor.file().messages()) => return Ok(()),
        (message, _) => panic!("{:?} of {bytes:02x?}", message.map(drop)),
    };
    transcoding_agrees(descriptor, bytes, &message)?;
    // By the general walk, which merging takes, and by the short way, which decoding takes.
    let mut merged = DynamicMessage::new(descriptor).unwrap();
    merged.merge(bytes).unwrap();
    let encoded = DETERMINISTIC().to_vec(&message).unwrap();
    prop_assert_eq!(&DETERMINISTIC().to_vec(&merged).unwrap(), &encoded);
    prop_assert_eq!(message.encoded_len(), encoded.len());
    prop_assert_eq!(message.encode_to_vec().unwrap().len(), encoded.len());
    let again = DynamicMessage::decode(descriptor, &encoded).unwrap();
    prop_assert_eq!(&DETERMINISTIC().to_vec(&again).unwrap(), &encoded);
    prop_assert_eq!(&DETERMINISTIC().to_vec(&message.clone()).unwrap(), &encoded);
    let by_serde = descriptor.encode_with(&message, DETERMINISTIC()).unwrap();
    prop_assert_eq!(&by_serde, &encoded);
    if let Some(tree) = tree {
        let decoded = descriptor.decode::<Value>(&encoded).unwrap();
        prop_assert_eq!(written(descriptor, decoded), written(descriptor, tree.clone()));
    }
    Ok(())
}

/// Transcoding has the result of decoding the message.
fn transcoding_agrees(
    descriptor: &MessageDescriptor,
    bytes: &[u8],
    message: &DynamicMessage,
) -> Result<(), TestCaseError> {
    let mut text = b"kept".to_vec();
    let transcoded = convert::wire_to_json(descriptor, bytes, &mut text);
    prop_assert!(
        transcoded.is_ok(),
        "{:?} {:02x?}\n{}",
        transcoded,
        bytes,
        descriptor.file().to_proto_text().unwrap()
    );
    let text = std::str::from_utf8(text.strip_prefix(b"kept").unwrap()).unwrap();
    let by_message = json::to_string(message).unwrap();
    let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    prop_assert_eq!(parse(text), parse(&by_message));
    let pretty = json::Options::new().pretty(true).proto_field_names(true).to_string(message).unwrap();
    for text in [text, &by_message, &pretty] {
        json_agrees(descriptor, text)?;
    }
    let encoded = DETERMINISTIC().to_vec(message).unwrap();
    for options in [text::Options::new(), text::Options::new().one_line(true).enums_as_integers(true)] {
        let text = options.to_string(message).unwrap();
        let mut transcoded = Vec::new();
        convert::wire_to_text(descriptor, bytes, &mut transcoded, &options).unwrap();
        prop_assert_eq!(&transcoded, text.as_bytes());
        // Unknown fields are lost, and the bits of a NaN.
        let again = DynamicMessage::from_text(descriptor, &text);
        let again = again.map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&options.to_string(&again).unwrap(), &text);
        let known = encoded.len() > again.encoded_len() || text.contains("nan");
        prop_assert!(known || DETERMINISTIC().to_vec(&again).unwrap() == encoded);
        text_agrees(descriptor, &text)?;
    }
    Ok(())
}

/// Each way of reading a text into a message says the same of it.
fn text_agrees(descriptor: &MessageDescriptor, text: &str) -> Result<(), TestCaseError> {
    let (mut wire, mut json) = (b"kept".to_vec(), Vec::new());
    let (options, to) = (text::Options::new(), json::Options::new());
    let to_wire = convert::text_to_wire(descriptor, text.as_bytes(), &mut wire, &options);
    let to_json = convert::text_to_json(descriptor, text.as_bytes(), &mut json, &options, &to);
    let tree = descriptor.decode_text::<Value>(text, &options);
    match DynamicMessage::from_text(descriptor, text) {
        Ok(message) => {
            to_wire.unwrap();
            to_json.unwrap();
            prop_assert!(tree.is_ok(), "{:?}\n{}", tree, text);
            prop_assert_eq!(&json, &json::to_vec(&message).unwrap());
            let wire = DynamicMessage::decode(descriptor, wire.strip_prefix(b"kept").unwrap()).unwrap();
            let encoded = DETERMINISTIC().to_vec(&message).unwrap();
            prop_assert_eq!(DETERMINISTIC().to_vec(&wire).unwrap(), encoded, "{}", text);
        }
        Err(error) => {
            let error = error.to_string();
            prop_assert_eq!(to_wire.unwrap_err().to_string(), &*error, "{}", text);
            prop_assert_eq!(to_json.unwrap_err().to_string(), &*error, "{}", text);
            prop_assert_eq!(tree.unwrap_err().to_string(), &*error, "{}", text);
            prop_assert!(wire == b"kept" && json.is_empty());
        }
    }
    Ok(())
}

/// The same text as no writer writes it: nothing directly follows the name of a field.
fn spaced(text: &str) -> String {
    let is_name =
        |name: &str| name.trim_start().bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let line = |line: &str| match (line.split_once(": "), line.strip_suffix(" {")) {
        (Some((name, value)), _) if is_name(name) => format!("{name} #\n:\t{value} ;\n"),
        (_, Some(name)) => format!("{name}\t: {{ #\n"),
        _ => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

/// A typed message reads a text as a dynamic one does, and gives the same text.
fn text_of<D>(message: &D, damage: &[u8]) -> Result<(), TestCaseError>
where
    D: Message + Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    let options = text::Options::new().unknown_fields(true);
    let written = options.to_string(message).unwrap();
    let dynamic = DynamicMessage::decode(&D::descriptor(), &tobu::to_vec(message).unwrap()).unwrap();
    prop_assert_eq!(&options.to_string(&dynamic).unwrap(), &written);
    let known = text::to_string(message).unwrap();
    let again = text::from_str::<D>(&known).unwrap();
    prop_assert_eq!(text::to_string(&again).unwrap(), &*known);
    // The parser has a way of its own for values that follow the names of their fields as here.
    let again = text::from_str::<D>(&spaced(&known)).unwrap();
    prop_assert_eq!(text::to_string(&again).unwrap(), &*known);
    let mut garbled = written.into_bytes();
    entropy::tamper(&mut garbled, damage);
    let dynamic = DynamicMessage::from_text_with(&D::descriptor(), &garbled, &options);
    match (options.from_slice::<D>(&garbled), dynamic) {
        (Ok(typed), Ok(dynamic)) => {
            let (typed, dynamic) = (DETERMINISTIC().to_vec(&typed), DETERMINISTIC().to_vec(&dynamic));
            prop_assert_eq!(typed.unwrap(), dynamic.unwrap());
        }
        (Err(typed), Err(dynamic)) => prop_assert_eq!(typed.to_string(), dynamic.to_string()),
        (typed, dynamic) => {
            let garbled = String::from_utf8_lossy(&garbled);
            panic!("{:?} {:?} of {garbled}", typed.err(), dynamic.err());
        }
    }
    Ok(())
}

/// Transcoding a JSON text has the result of parsing it into a message.
fn json_agrees(descriptor: &MessageDescriptor, text: &str) -> Result<(), TestCaseError> {
    let mut wire = b"kept".to_vec();
    let done = convert::json_to_wire(descriptor, text.as_bytes(), &mut wire);
    let wire = wire.strip_prefix(b"kept").unwrap();
    match DynamicMessage::from_json(descriptor, text) {
        Ok(message) => {
            done.unwrap();
            let transcoded = DynamicMessage::decode(descriptor, wire).unwrap();
            let message = DETERMINISTIC().to_vec(&message).unwrap();
            prop_assert_eq!(DETERMINISTIC().to_vec(&transcoded).unwrap(), message, "{}", text);
        }
        Err(error) => {
            let transcoded = done.err().map(|error| error.to_string());
            prop_assert_eq!(transcoded, Some(error.to_string()), "{}", text);
            prop_assert!(wire.is_empty());
        }
    }
    Ok(())
}

/// The first message of a random schema.
fn random_schema(bytes: &[u8]) -> MessageDescriptor {
    let file = schema::file(schema::PLAIN, &mut Entropy::new(bytes));
    let mut pool = Pool::new();
    pool.add_file(&file).unwrap();
    pool.message("random.M0").unwrap()
}

/// Leaves out values that do not round-trip: NaN and infinities, and defaults of fields without presence.
fn written(message: &MessageDescriptor, tree: Value) -> Value {
    let Value::Object(members) = tree else { return tree };
    let members = members.into_iter().filter_map(|(name, value)| {
        let field = message.field_by_name(&name).unwrap();
        let value = match (field.shape(), value) {
            (_, Value::Null) => return None,
            (FieldShape::List(_), Value::Array(all)) => {
                let inner = field.message_type();
                all.into_iter().map(|one| single(inner.as_ref(), one)).collect()
            }
            (FieldShape::Map { value, .. }, Value::Object(entries)) => {
                let inner = value.message_type();
                entries.into_iter().map(|(key, one)| (key, single(inner.as_ref(), one))).collect()
            }
            (_, value) => single(field.message_type().as_ref(), value),
        };
        let empty = match &value {
            Value::Object(entries) => field.is_map() && entries.is_empty(),
            value => !field.has_presence() && tree::is_default(&field, value),
        };
        (!empty).then_some((name, value))
    });
    fn single(message: Option<&MessageDescriptor>, value: Value) -> Value {
        match message {
            Some(message) => written(message, value),
            None => value,
        }
    }
    Value::Object(members.collect())
}

/// A message of a type and of its twin with serde's derives, by all paths: all fail, or all give the same.
fn agree<D, P>(bytes: &[u8]) -> Result<Option<D>, TestCaseError>
where
    D: Message + Serialize + DeserializeOwned + for<'de> Merge<'de> + Default + PartialEq + std::fmt::Debug,
    P: Message + Serialize + DeserializeOwned,
{
    let by_derived = tobu::from_slice::<D>(bytes);
    let by_serde = tobu::from_slice::<P>(bytes);
    let tree = D::descriptor().decode::<Value>(bytes).map(drop);
    let mut in_place = D::default();
    let _ = tobu::merge(&mut in_place, bytes);
    let by_place = tobu::from_slice_in_place(&mut in_place, bytes);
    match by_derived {
        Ok(message) => {
            let encoded = DETERMINISTIC().to_vec(&message).unwrap();
            prop_assert_eq!(tobu::encoded_len(&message).unwrap(), encoded.len());
            prop_assert_eq!(tobu::to_vec(&message).unwrap().len(), encoded.len());
            prop_assert_eq!(&DETERMINISTIC().to_vec(&by_serde.unwrap()).unwrap(), &encoded, "by serde");
            prop_assert!(by_place.is_ok());
            prop_assert_eq!(&DETERMINISTIC().to_vec(&in_place).unwrap(), &encoded, "in place");
            prop_assert!(tree.is_ok(), "{:?}", tree);
            let again = tobu::from_slice::<D>(&encoded).unwrap();
            prop_assert_eq!(DETERMINISTIC().to_vec(&again).unwrap(), encoded, "a second round");
            Ok(Some(message))
        }
        Err(error) => {
            // Of several errors in one message each way of reading may report another first.
            let lenient = voids_messages(std::iter::once(D::descriptor()));
            match by_serde {
                Ok(_) => prop_assert!(lenient, "only tobu's derive fails: {}", error),
                Err(other) => prop_assert_ne!(other.message(), "a field comes again after others"),
            }
            prop_assert!(lenient || tree.is_err());
            prop_assert_eq!(by_place.unwrap_err().to_string(), error.to_string());
            prop_assert_eq!(in_place, D::default());
            Ok(None)
        }
    }
}

/// Random messages of a type; `read` checks the generated type of the same message.
fn messages_of<D, P>(
    content: &[u8],
    form: &[u8],
    damage: &[u8],
    read: fn(&[u8]) -> Result<(), TestCaseError>,
) -> Result<(), TestCaseError>
where
    D: Message + Serialize + DeserializeOwned + for<'de> Merge<'de> + Default + PartialEq + std::fmt::Debug,
    P: Message + Serialize + DeserializeOwned,
{
    let descriptor = D::descriptor();
    let tree = tree::message(&descriptor, &mut Entropy::new(content), 4);
    let bytes = wire::encode(&descriptor, &tree, &mut Form::Plain);
    let message = agree::<D, P>(&bytes)?.expect("bytes in plain form");
    read(&bytes)?;
    // A value and its bytes are the same thing.
    prop_assert_eq!(&tobu::from_slice::<D>(&tobu::to_vec(&message).unwrap()).unwrap(), &message);
    let decoded: Value = descriptor.decode(&tobu::to_vec(&message).unwrap()).unwrap();
    prop_assert_eq!(&decoded, &tree);
    text_of(&message, damage)?;
    // In another form, with unknown fields.
    let mut scrambled = wire::encode(&descriptor, &tree, &mut Form::Scrambled(Entropy::new(form)));
    let other = agree::<D, P>(&scrambled)?.expect("bytes in another form");
    read(&scrambled)?;
    let decoded: Value = descriptor.decode(&tobu::to_vec(&other).unwrap()).unwrap();
    prop_assert_eq!(&decoded, &tree);
    text_of(&other, damage)?;
    let mask = &form[..form.len().min(24)];
    parts::of_type::<D>(&scrambled, mask)?;
    sinks::agrees(&descriptor, &scrambled, mask)?;
    entropy::tamper(&mut scrambled, damage);
    agree::<D, P>(&scrambled)?;
    read(&scrambled)?;
    parts::of_type::<D>(&scrambled, mask)?;
    sinks::agrees(&descriptor, &scrambled, mask)?;
    Ok(())
}

/// Runs the properties of messages for each of the types of the corpus.
macro_rules! types {
    ($($name:ident: $version:ident $ty:ident)*) => {
        proptest! {
            #![proptest_config(config(150))]
            $(
                #[test]
                fn $name(content in entropy(300), form in entropy(300), damage in entropy(12)) {
                    let read = parsed::agrees::<tobu_schemas::corpus::corpus::$version::$ty>;
                    messages_of::<derived::$ty, plain::$ty>(&content, &form, &damage, read)?;
                }
            )*
        }

        /// Bytes that are no message of any type, most of the time.
        fn garbage(bytes: &[u8]) -> Result<(), TestCaseError> {
            $(
                agree::<derived::$ty, plain::$ty>(bytes)?;
                parsed::agrees::<tobu_schemas::corpus::corpus::$version::$ty>(bytes)?;
            )*
            Ok(())
        }
    };
}

types! {
    scalars: v3 Scalars
    optionals: v3 Optionals
    lists: v3 Lists
    maps: v3 Maps
    choice: v3 Choice
    tree_of_messages: v3 Tree
    numbers: v3 Numbers
    empty: v3 Empty
    required: v2 Required
    defaults: v2 Defaults
    closed: v2 Closed
    groups: v2 Groups
}

proptest! {
    #![proptest_config(config(1000))]

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..48)) {
        garbage(&bytes)?;
    }

    /// Bytes that look like fields more often.
    #[test]
    fn small_bytes(bytes in vec(0u8..0x40, 0..24)) {
        garbage(&bytes)?;
    }
}
