//! Messages with arbitrary content are valid in every format, whatever their type.

use std::collections::HashSet;

use proptest::prelude::*;
use tobu::arbitrary::{self, Arbitrary, Unstructured};
use tobu::types::{self, value::Kind};
use tobu::{DynamicMessage, Message, MessageDescriptor, Pool, Reflect, json, text};
use tobu_schemas::{corpus, corpus_lazy, corpus_opaque, known};

/// All messages of the corpus and of the tests of JSON.
fn descriptors() -> Vec<MessageDescriptor> {
    let files = [
        corpus::corpus::v3::Tree::descriptor().file(),
        corpus::corpus::v2::Required::descriptor().file(),
        known::json::v1::Known::descriptor().file(),
    ];
    files
        .iter()
        .flat_map(|file| file.all_messages().filter(|message| !message.is_map_entry()).collect::<Vec<_>>())
        .collect()
}

/// Writes a message in each format and reads it back.
fn round_trips(message: &DynamicMessage) {
    let descriptor = message.message_descriptor();
    let bytes = message.encode_to_vec().unwrap();
    assert_eq!(&DynamicMessage::decode(&descriptor, &bytes).unwrap(), message);
    let written = json::to_string(message).unwrap();
    assert_eq!(&DynamicMessage::from_json(&descriptor, &written).unwrap(), message, "{written}");
    let written = text::to_string(message).unwrap();
    assert_eq!(&DynamicMessage::from_text(&descriptor, &written).unwrap(), message, "{written}");
}

proptest! {
    #[test]
    fn content_is_valid_in_every_format(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for descriptor in descriptors() {
            match arbitrary::dynamic(&descriptor, &mut Unstructured::new(&bytes)) {
                Ok(message) => round_trips(&message),
                Err(error) => prop_assert!(matches!(error, arbitrary::Error::IncorrectFormat), "{}", descriptor.full_name()),
            }
        }
    }

    #[test]
    fn structs_get_what_dynamic_messages_get(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        fn agree<M: Message + Default + tobu::Serialize>(bytes: &[u8]) {
            let typed: M = arbitrary::message(&mut Unstructured::new(bytes)).unwrap();
            let dynamic = arbitrary::dynamic(&M::descriptor(), &mut Unstructured::new(bytes)).unwrap();
            assert_eq!(typed.into_dynamic().unwrap(), dynamic);
        }
        agree::<corpus::corpus::v3::Tree>(&bytes);
        agree::<corpus::corpus::v2::Required>(&bytes);
        agree::<corpus_opaque::corpus::v3::Tree>(&bytes);
        agree::<corpus_lazy::corpus::v3::Tree>(&bytes);
        agree::<known::json::v1::Known>(&bytes);
    }

    #[test]
    fn strategies_give_messages(tree in arbitrary::messages::<corpus::corpus::v3::Tree>(), fields in arbitrary::dynamic_messages(&types::Struct::descriptor())) {
        round_trips(&tree.into_dynamic().unwrap());
        round_trips(&fields);
    }
}

/// Bytes that look random, from a seed.
fn noise(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..400).map(|_| next()).collect()
}

/// Each field of a message, each kind of a `Value` and each type of an `Any` comes up.
#[test]
fn all_there_is_comes_up() {
    let descriptor = known::json::v1::Known::descriptor();
    let (mut fields, mut kinds, mut urls) = (HashSet::new(), HashSet::new(), HashSet::new());
    for seed in 0..600 {
        let bytes = noise(seed);
        let message = arbitrary::dynamic(&descriptor, &mut Unstructured::new(&bytes)).unwrap();
        fields.extend((&message as &dyn Reflect).fields().map(|(field, _)| field.number()));
        let value = types::Value::arbitrary(&mut Unstructured::new(&bytes)).unwrap();
        kinds.insert(std::mem::discriminant(value.kind.as_ref().unwrap()));
        urls.insert(types::Any::arbitrary(&mut Unstructured::new(&bytes)).unwrap().type_url);
    }
    let missing: Vec<_> = descriptor
        .fields()
        .filter(|field| !fields.contains(&field.number()) && field.name() != "null")
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert_eq!((kinds.len(), urls.len()), (6, 3));
    assert!(kinds.contains(&std::mem::discriminant(&Kind::NullValue(types::NullValue::default()))));
}

#[test]
fn no_input_is_an_empty_message() {
    for descriptor in descriptors() {
        if let Ok(message) = arbitrary::dynamic(&descriptor, &mut Unstructured::new(&[])) {
            assert_eq!(
                (&message as &dyn Reflect).fields().filter(|(field, _)| !field.is_required()).count(),
                0
            );
        }
    }
}

/// What can never be finished is an error, and no endless descent.
#[test]
fn required_messages_without_end_are_refused() {
    let source = "syntax = 'proto2'; message Endless { required Endless next = 1; }";
    let pool = Pool::from_sources(&[("endless.proto", source)]).unwrap();
    let error = arbitrary::dynamic(&pool.message("Endless").unwrap(), &mut Unstructured::new(&[255; 99]))
        .unwrap_err();
    assert!(matches!(error, arbitrary::Error::IncorrectFormat));
}
