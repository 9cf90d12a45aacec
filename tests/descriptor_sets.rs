//! Real descriptor sets: everything in them links, resolves, and round-trips unchanged.

use std::path::PathBuf;

use tobu::descriptor::{FieldShape, Kind};
use tobu::{DynamicMessage, Pool, Reflect, convert, json, text};

#[test]
fn conformance_types_link() {
    let Some(pool) = load("conformance/conformance.fds") else { return };
    let message = pool.message("protobuf_test_messages.proto2.TestAllTypesProto2").unwrap();
    let group = message.field_by_name("data").unwrap();
    assert!(group.is_delimited());
    assert!(matches!(group.shape(), FieldShape::Singular(Kind::Message(_))));
    let extension = pool.extension_of(&message, 120).unwrap();
    assert_eq!(extension.full_name(), "protobuf_test_messages.proto2.extension_int32");
    assert_eq!(pool.extension("protobuf_test_messages.proto2.extension_int32"), Some(extension));
}

#[test]
fn conformance_types_decode() {
    let Some(pool) = load("conformance/conformance.fds") else { return };
    // A small generator: the same bytes at every run.
    let mut state = 1u64;
    let mut byte = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as u8
    };
    let partial = tobu::DecodeOptions::new().partial(true);
    let (mut messages, mut decoded) = (0, 0);
    for message in pool.messages() {
        let empty = tobu::DynamicMessage::decode_with(&message, b"", partial).unwrap();
        assert_eq!(empty, tobu::DynamicMessage::new(&message).unwrap());
        for round in 0..200 {
            // Every other time small bytes, which look like fields more often.
            let mask = if round % 2 == 0 { 0xff } else { 0x3f };
            let bytes: Vec<u8> = (0..byte() % 24).map(|_| byte() & mask).collect();
            let mut merged = tobu::DynamicMessage::new(&message).unwrap();
            let by_merge = merged.merge(&bytes);
            match tobu::DynamicMessage::decode_with(&message, &bytes, partial) {
                Ok(dynamic) => {
                    let options = tobu::EncodeOptions::new().partial(true).deterministic(true);
                    let encoded = options.to_vec(&dynamic).unwrap();
                    by_merge.unwrap();
                    assert_eq!(options.to_vec(&merged).unwrap(), encoded);
                    decoded += 1;
                }
                Err(error) => {
                    assert_eq!(by_merge.unwrap_err().to_string(), error.to_string(), "{bytes:02x?}")
                }
            }
        }
        messages += 1;
    }
    assert!(messages > 20 && decoded > 100, "{messages} messages, {decoded} decoded");
}

#[test]
fn benchmark_types_link() {
    let Some(pool) = load("datasets/schemas.fds") else { return };
    let options = pool.message("google.protobuf.FieldOptions").unwrap();
    let packed = options.field_by_name("packed").unwrap();
    assert_eq!((packed.number(), packed.kind(), packed.has_presence()), (2, Kind::Bool, true));
}

#[test]
fn data_sets_are_printed_alike_from_bytes_and_from_messages() {
    let Some(pool) = load("datasets/schemas.fds") else { return };
    let set_type = pool.message("benchmarks.BenchmarkDataset").unwrap();
    let [name, payload] = ["message_name", "payload"].map(|field| set_type.field_by_name(field).unwrap());
    let json = [
        json::Options::new().deterministic(true).pool(&pool),
        json::Options::new().deterministic(true).pool(&pool).emit_defaults(true).pretty(true),
    ];
    let text = [text::Options::new().pool(&pool), text::Options::new().unknown_fields(true)];
    let sets = "api_response log_record analytics_event google_message1_proto3 media_frame mesh packed_tile \
                packed_signed descriptor_set shape_tiny shape_medium shape_big shape_huge";
    for set in sets.split_whitespace() {
        let Some(bytes) = read(&format!("datasets/{set}.pb")) else { return };
        let set = DynamicMessage::decode(&set_type, &bytes).unwrap();
        let message_type = pool.message(set.get(&name).unwrap().as_str().unwrap()).unwrap();
        let payloads = set.get(&payload).unwrap();
        for payload in payloads.as_list().unwrap().iter().take(20) {
            let payload = payload.as_bytes().unwrap();
            let message = DynamicMessage::decode(&message_type, payload).unwrap();
            for options in &json {
                let mut out = Vec::new();
                convert::wire_to_json_with(&message_type, payload, &mut out, options).unwrap();
                assert!(out == options.to_vec(&message).unwrap());
            }
            for options in &text {
                let mut out = Vec::new();
                convert::wire_to_text(&message_type, payload, &mut out, options).unwrap();
                assert!(out == options.to_vec(&message).unwrap());
            }
        }
    }
}

#[test]
fn test_schemas_of_the_protobuf_project_link() {
    for name in ["datasets/descriptor_set.pb", "datasets/descriptor_set_src.pb"] {
        let Some(dataset) = read(name) else { continue };
        let mut reader = tobu::wire::Reader::new(&dataset);
        while !reader.is_empty() {
            let tag = reader.tag().unwrap();
            if tag.number() == 3 {
                check(&Pool::from_descriptor_set(reader.len_prefixed().unwrap()).unwrap());
            } else {
                reader.skip(tag, 10).unwrap();
            }
        }
    }
}

fn load(name: &str) -> Option<Pool> {
    let bytes = read(name)?;
    let pool = Pool::from_descriptor_set(&bytes).unwrap();
    check(&pool);
    assert_eq!(
        Pool::from_descriptor_set(&pool.to_descriptor_set()).unwrap().files().len(),
        pool.files().len()
    );
    Some(pool)
}

/// Looks at everything in a pool by every way there is.
fn check(pool: &Pool) {
    assert!(pool.files().len() > 0);
    for message in pool.messages() {
        assert_eq!(pool.message(message.full_name()).as_ref(), Some(&message));
        if let Some(parent) = message.parent() {
            assert_eq!(parent.messages().nth(message.index()).as_ref(), Some(&message));
        }
        for (i, field) in message.fields().enumerate() {
            assert_eq!((field.index(), field.message()), (i, message.clone()));
            assert_eq!(message.field_by_number(field.number()).as_ref(), Some(&field));
            assert_eq!(message.field_by_name(field.name()).as_ref(), Some(&field));
            assert_eq!(message.field_by_json_name(field.json_name()).as_ref(), Some(&field), "{field:?}");
            match field.shape() {
                FieldShape::Map { key, value } => assert_eq!((key.number(), value.number()), (1, 2)),
                FieldShape::List(kind) | FieldShape::Singular(kind) => assert_eq!(kind.ty(), field.ty()),
            }
        }
        assert!(message.oneofs().all(|oneof| !oneof.is_synthetic()));
    }
    for enumeration in pool.enums() {
        assert_eq!(pool.enumeration(enumeration.full_name()).as_ref(), Some(&enumeration));
        for value in enumeration.values() {
            assert_eq!(enumeration.value_by_name(value.name()).as_ref(), Some(&value));
            assert_eq!(enumeration.value_by_number(value.number()).unwrap().number(), value.number());
        }
    }
    for extension in pool.extensions() {
        assert_eq!(pool.extension_of(&extension.extendee(), extension.number()).as_ref(), Some(&extension));
        assert_eq!(pool.extension(extension.full_name()).as_ref(), Some(&extension));
    }
    for service in pool.services() {
        assert!(service.methods().all(|method| service.method(method.name()) == Some(method)));
    }
}

/// A file of the shared test data; says so where it is absent.
fn read(name: &str) -> Option<Vec<u8>> {
    let shared = std::env::var_os("TOBU_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from);
    let path = shared.join(name);
    let bytes = std::fs::read(&path).ok();
    if bytes.is_none() {
        println!("skipped: {} is absent", path.display());
    }
    bytes
}
