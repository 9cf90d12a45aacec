//! Input that ends too early, at every byte.

use crate::types::{derived, plain};
use std::collections::HashMap;
use tobu::wire::Reader;
use tobu::{EncodeOptions, Message, MessageDescriptorExt, UnknownFields};

fn leaf() -> derived::Leaf {
    derived::Leaf {
        a: -1,
        b: "leaf".into(),
        c: vec![1, 300, -1],
        unknown_fields: UnknownFields::from_bytes(b"\x53\x08\x01\x5a\x01x\x54\x55\x01\x02\x03\x04").unwrap(),
    }
}

fn rich() -> derived::Tree {
    let child = derived::Tree {
        name: "a name that is longer than others".into(),
        left: Some(Box::default()),
        leaf: Some(leaf()),
        ..derived::Tree::default()
    };
    derived::Tree {
        name: "root".into(),
        left: Some(Box::new(child.clone())),
        children: vec![child.clone(), derived::Tree::default(), child.clone()],
        named: HashMap::from([("k".into(), child), (String::new(), derived::Tree::default())]),
        leaf: Some(leaf()),
        unknown_fields: UnknownFields::from_bytes(b"\x50\x96\x01\x59\x01\x02\x03\x04\x05\x06\x07\x08")
            .unwrap(),
        ..derived::Tree::default()
    }
}

/// Where the fields of a message end.
fn ends(wire: &[u8]) -> Vec<usize> {
    let mut reader = Reader::new(wire);
    let mut ends = vec![0];
    while !reader.is_empty() {
        let tag = reader.tag().unwrap();
        reader.skip(tag, 100).unwrap();
        ends.push(reader.position());
    }
    ends
}

#[test]
fn a_cut_between_fields_is_a_shorter_message_and_any_other_an_error() {
    let wire = EncodeOptions::new().deterministic(true).to_vec(&rich()).unwrap();
    // The first member again makes serde's derive read everything grouped.
    let grouped = [&b"\x0a\x00"[..], &wire].concat();
    for wire in [&wire[..], &grouped] {
        let ends = ends(wire);
        for cut in 0..=wire.len() {
            let part = &wire[..cut];
            let by_derived = tobu::from_slice::<derived::Tree>(part);
            let by_serde = tobu::from_slice::<plain::Tree>(part);
            let tree = derived::Tree::descriptor().decode::<serde_json::Value>(part);
            let mut merged = derived::Tree::default();
            let by_merge = tobu::merge(&mut merged, part);
            if ends.contains(&cut) {
                let message = by_derived.unwrap();
                assert_eq!(message, merged);
                let again = EncodeOptions::new().deterministic(true).to_vec(&message).unwrap();
                let serde_again =
                    EncodeOptions::new().deterministic(true).to_vec(&by_serde.unwrap()).unwrap();
                assert_eq!(again, serde_again, "cut at {cut}");
                assert_eq!(tobu::from_slice::<derived::Tree>(&again).unwrap(), message);
                assert!(tree.is_ok());
            } else {
                let error = by_derived.unwrap_err();
                assert_eq!(error.category(), tobu::Category::Malformed, "cut at {cut}: {error}");
                let text = error.to_string();
                assert_eq!(by_merge.unwrap_err().to_string(), text);
                for other in [by_serde.unwrap_err(), tree.unwrap_err()] {
                    // When fields are grouped, the error is found before the element is known.
                    assert_eq!((other.message(), other.position()), (error.message(), error.position()));
                    if wire.len() != grouped.len() {
                        assert_eq!(
                            other.to_string().split_once('.').unwrap().1,
                            text.split_once('.').unwrap().1
                        );
                    }
                }
                assert_eq!(merged, derived::Tree::default());
            }
        }
    }
}

#[test]
fn every_list_and_map_cut_inside() {
    for file in [include_str!("../corpus/lists.toml"), include_str!("../corpus/maps.toml")] {
        let rows: toml::Table = file.parse().unwrap();
        let wire = rows["row"][0]["wire"].as_str().unwrap();
        let wire = hex(wire);
        let lists = file.contains("v3.Lists");
        let ends = ends(&wire);
        for cut in 0..=wire.len() {
            let part = &wire[..cut];
            let outcomes = match lists {
                true => [
                    tobu::from_slice::<derived::Lists>(part).map(drop),
                    tobu::from_slice::<plain::Lists>(part).map(drop),
                    derived::Lists::descriptor().decode::<serde_json::Value>(part).map(drop),
                ],
                false => [
                    tobu::from_slice::<derived::Maps>(part).map(drop),
                    tobu::from_slice::<plain::Maps>(part).map(drop),
                    derived::Maps::descriptor().decode::<serde_json::Value>(part).map(drop),
                ],
            };
            for outcome in outcomes {
                assert_eq!(outcome.is_ok(), ends.contains(&cut), "cut at {cut}: {outcome:?}");
            }
        }
    }
}

/// Hexadecimal digits and quoted text.
fn hex(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    for (i, piece) in text.split('\'').enumerate() {
        if i % 2 == 1 {
            out.extend(piece.bytes());
            continue;
        }
        let digits: Vec<u8> = piece.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
        let value = |byte: u8| (byte as char).to_digit(16).unwrap() as u8;
        out.extend(digits.chunks(2).map(|pair| value(pair[0]) << 4 | value(pair[1])));
    }
    out
}
