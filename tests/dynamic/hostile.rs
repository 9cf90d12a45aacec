//! Inputs that want to cost more than they are worth.

use crate::{decode, descriptor};
use std::time::{Duration, Instant};
use tobu::{Category, DecodeOptions, DynamicMessage, Limits};

/// Decodes, and fails when that takes longer than linear time would.
fn quickly(name: &str, wire: &[u8]) -> DynamicMessage {
    let start = Instant::now();
    let message = decode(name, wire);
    assert!(message.encode_to_vec().is_ok());
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    message
}

/// A million, or less where nothing is optimized.
const MILLION: usize = if cfg!(debug_assertions) { 100_000 } else { 1_000_000 };

#[test]
fn a_million_fragments() {
    // Of a message, of a packed list, of two lists in turns, of unknown fields in turns, of a oneof.
    quickly("v3.Tree", &b"\x12\x03\x0a\x01x".repeat(MILLION));
    let list = quickly("v3.Lists", &b"\x1a\x01\x05".repeat(MILLION));
    assert_eq!(list.get_by_name("f_int32").unwrap().as_list().unwrap().len(), MILLION);
    let lists = quickly("v3.Lists", &b"\x1a\x01\x05\x22\x01\x06".repeat(MILLION));
    assert_eq!(lists.get_by_name("f_int64").unwrap().as_list().unwrap().len(), MILLION);
    let turns = b"\xa0\x06\x01\x12\x09\xa0\x06\x01\x0a\x01x\xa0\x06\x01\x0a\x01y".repeat(MILLION / 2);
    quickly("v3.Tree", &turns);
    quickly("v3.Choice", &b"\x2a\x02\x08\x01\x10\x01".repeat(MILLION));
    quickly("v3.Lists", &b"\x8a\x01\x00\x1a\x01\x01".repeat(MILLION / 4));
}

#[test]
fn a_million_map_entries() {
    let mut wire = Vec::new();
    for key in 0..MILLION as u32 {
        wire.extend_from_slice(&[0x3a, 10, 0x0d]);
        wire.extend_from_slice(&key.to_le_bytes());
        wire.extend_from_slice(&[0x15, 1, 0, 0, 0]);
    }
    let map = quickly("v3.Maps", &wire);
    assert_eq!(map.get_by_name("f_fixed32").unwrap().as_map().unwrap().len(), MILLION);
    // One key again and again.
    let map = quickly("v3.Maps", &b"\x0a\x04\x08\x01\x10\x02".repeat(MILLION));
    assert_eq!(map.get_by_name("f_int32").unwrap().as_map().unwrap().len(), 1);
    let map = quickly("v3.Maps", &b"\x7a\x00".repeat(MILLION));
    assert_eq!(map.get_by_name("f_leaf").unwrap().as_map().unwrap().len(), 1);
}

#[test]
fn memory_is_limited() {
    let wire = b"\x22\x00".repeat(2_000_000);
    let limits = DecodeOptions::new().limits(Limits::default().memory(1 << 20));
    let error = DynamicMessage::decode_with(&descriptor("v3.Tree"), &wire, limits).unwrap_err();
    assert_eq!(error.category(), Category::Limit);
    assert_eq!(error.message(), "the decoded message would take more than 1048576 bytes of memory");
    let packed = [&b"\x1a\xc0\x84\x3d"[..], &[1; 1_000_000]].concat();
    let error = DynamicMessage::decode_with(&descriptor("v3.Lists"), &packed, limits).unwrap_err();
    assert_eq!(error.message(), "the decoded message would take more than 1048576 bytes of memory");
    let entries = b"\x0a\x00".repeat(MILLION);
    assert!(DynamicMessage::decode_with(&descriptor("v3.Maps"), &entries, limits).is_ok(), "all the same");
    let error = DynamicMessage::decode_with(
        &descriptor("v3.Tree"),
        b"\x0a\x02ab",
        DecodeOptions::new().limits(Limits::default().input(3)),
    )
    .unwrap_err();
    assert_eq!(error.to_string(), "corpus.v3.Tree: input of 4 bytes is larger than the limit of 3 bytes");
    let before = decode("v3.Tree", b"\x0a\x01n");
    let mut message = before.clone();
    assert!(message.merge_with(&wire, limits).is_err());
    assert_eq!(message, before);
}

#[test]
fn nesting_is_limited() {
    fn nested(tag: &[u8], levels: usize) -> Vec<u8> {
        let mut wire: Vec<u8> = Vec::new();
        for _ in 1..levels {
            let mut outer = tag.to_vec();
            let mut len = wire.len();
            while len >= 0x80 {
                outer.push(len as u8 | 0x80);
                len >>= 7;
            }
            outer.push(len as u8);
            outer.extend_from_slice(&wire);
            wire = outer;
        }
        wire
    }
    for tag in [b"\x12", b"\x22"] {
        let message = decode("v3.Tree", &nested(tag, 100));
        assert_eq!(message.encode_to_vec().unwrap(), nested(tag, 100));
        let error = DynamicMessage::decode(&descriptor("v3.Tree"), &nested(tag, 101)).unwrap_err();
        assert_eq!(error.message(), "messages are nested deeper than 100 levels");
    }
    // Groups, known and not.
    let groups = |levels: usize| [b"\x0b".repeat(levels), b"\x0c".repeat(levels)].concat();
    assert!(DynamicMessage::decode(&descriptor("v2.Groups"), &groups(99)).is_ok());
    let error = DynamicMessage::decode(&descriptor("v3.Tree"), &b"\x3b".repeat(MILLION)).unwrap_err();
    assert_eq!(error.message(), "messages are nested deeper than 100 levels");
}

#[test]
fn cut_at_every_byte() {
    let wire = b"\x0a\x01n\x12\x05\x0a\x03abc\x22\x00\x2a\x07\x0a\x01k\x12\x02\x0a\x00\x32\x09\x08\x01\x12\x01b\x1a\x02\x01\x02\xa0\x06\x01";
    let whole = decode("v3.Tree", wire);
    assert_eq!(decode("v3.Tree", &whole.encode_to_vec().unwrap()), whole);
    for end in 0..wire.len() {
        let typed = tobu::from_slice::<tobu_schemas::corpus::corpus::v3::Tree>(&wire[..end]);
        let dynamic = DynamicMessage::decode(&descriptor("v3.Tree"), &wire[..end]);
        match (typed, dynamic) {
            (Ok(typed), Ok(dynamic)) => assert_eq!(dynamic.absorb::<_>().ok(), Some(typed)),
            (Err(typed), Err(dynamic)) => assert_eq!(typed.to_string(), dynamic.to_string()),
            (typed, dynamic) => panic!("{end}: {typed:?}, {dynamic:?}"),
        }
    }
}
