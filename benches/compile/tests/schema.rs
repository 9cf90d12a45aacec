//! The schema is the same everywhere, compiles, and has every shape.

use prost_types::field_descriptor_proto::Type;
use std::collections::HashSet;
use std::path::PathBuf;
use tobu_compile::protos::Protos;
use tobu_compile::schema::{self, File};

/// FNV-1a.
fn hash(files: &[File]) -> u64 {
    let texts = files.iter().flat_map(|file| [&file.name, &file.text]);
    texts.flat_map(|text| text.bytes().chain([0])).fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

fn compile(name: &str, messages: usize) -> Protos {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    Protos::compile(&schema::generate(messages), &directory).unwrap()
}

/// Figures of different schemas cannot be compared: after a change of the schema measure everything
/// again.
#[test]
fn the_schema_is_the_same_in_each_run() {
    assert_eq!(hash(&schema::generate(schema::FULL)), 0x2cd4_b03a_3dd5_5b3f);
    assert_eq!(hash(&schema::generate(schema::QUICK)), 0x6891_244b_ab35_19b7);
}

#[test]
fn the_schema_compiles_and_is_large() {
    let protos = compile("full", schema::FULL);
    assert!((700..740).contains(&protos.messages.len()), "{} messages", protos.messages.len());
    assert!((3000..5000).contains(&protos.fields), "{} fields", protos.fields);
    let paths: HashSet<_> = protos.messages.iter().map(|message| &message.path).collect();
    assert_eq!(paths.len(), protos.messages.len());
    let sizes: Vec<usize> = protos.own_files().file.iter().map(|file| file.message_type.len()).collect();
    assert!(sizes.iter().all(|size| (1..=30).contains(size)), "{sizes:?}");

    let quick = compile("quick", schema::QUICK);
    assert!((60..100).contains(&quick.messages.len()), "{} messages", quick.messages.len());
}

#[test]
fn the_service_has_twenty_messages() {
    let file = File { name: "library.proto".to_owned(), text: tobu_compile::whole::SERVICE.to_owned() };
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("service");
    let protos = Protos::compile(&[file], &directory).unwrap();
    assert_eq!(protos.messages.len(), 20);
}

#[test]
fn the_schema_has_every_type_and_shape() {
    let files = compile("shapes", schema::FULL).own_files().file;
    let mut pending: Vec<_> = files.iter().flat_map(|file| &file.message_type).collect();
    let (mut types, mut largest, mut entries, mut oneofs, mut nested) = (HashSet::new(), 0, 0, 0, 0);
    while let Some(message) = pending.pop() {
        largest = largest.max(message.field.len());
        oneofs += message.oneof_decl.len();
        nested += message.nested_type.len() + message.enum_type.len();
        entries += usize::from(message.options.as_ref().is_some_and(|options| options.map_entry()));
        types.extend(message.field.iter().map(|field| (field.r#type(), field.label())));
        pending.extend(&message.nested_type);
    }
    // Every scalar, enum and message, singular and repeated, and a required field; no groups.
    let every = (1..=18).filter_map(|number| Type::try_from(number).ok()).filter(|ty| *ty != Type::Group);
    for ty in every {
        for label in [1, 3] {
            let label = prost_types::field_descriptor_proto::Label::try_from(label).unwrap();
            assert!(types.contains(&(ty, label)), "no {label:?} {ty:?}");
        }
    }
    assert!((35..=45).contains(&largest), "{largest} fields");
    assert!(
        entries > 100 && oneofs > 100 && nested > 100,
        "{entries} maps, {oneofs} oneofs, {nested} nested"
    );
}
