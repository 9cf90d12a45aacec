//! Repeated occurrences of fields, which types with serde's derives take only once: their messages are read grouped.

use crate::messages::{derived, plain};
use serde_json::{Value, json};
use tobu::{DynamicMessage, EncodeOptions, Message, MessageDescriptorExt};

fn by_derived<T: Message + serde::de::DeserializeOwned + serde::Serialize>(wire: &[u8]) -> Vec<u8> {
    let message: T = tobu::from_slice(wire).unwrap();
    EncodeOptions::new().deterministic(true).to_vec(&message).unwrap()
}

#[track_caller]
fn both(wire: &[u8], expected: &[u8]) {
    assert_eq!(by_derived::<derived::Parent>(wire), expected, "streamed");
    assert_eq!(by_derived::<plain::Parent>(wire), expected, "grouped");
}

#[test]
fn values_that_an_enum_does_not_have_stay_with_their_message() {
    // A packed list with a value that the enum does not have, then messages that keep unknown fields too.
    both(
        b"\x18\x01\x0a\x02\x03\x05\x12\x02\x08\x01\x2a\x02\x08\x02\x2a\x00\x18\x02",
        b"\x0a\x01\x03\x12\x02\x08\x01\x18\x02\x2a\x02\x08\x02\x2a\x00\x08\x05",
    );
    // The same in a map entry, and in the child.
    both(
        b"\x18\x01\x22\x04\x08\x01\x10\x05\x12\x07\x08\x01\x12\x03\x03\x06\x03\x12\x02\x58\x07\x18\x02\x22\x04\x08\x02\x10\x03",
        b"\x12\x0a\x08\x01\x12\x02\x03\x03\x10\x06\x58\x07\x18\x02\x22\x04\x08\x02\x10\x03\x22\x04\x08\x01\x10\x05",
    );
    // The length of such an entry is in its shortest form, in any input form.
    both(
        b"\x18\x01\x32\x85\x00\x0a\x01b\x10\x05\x32\x05\x0a\x01a\x10\x03\x18\x02",
        b"\x18\x02\x32\x05\x0a\x01a\x10\x03\x32\x05\x0a\x01b\x10\x05",
    );
    // They are in the order in which they were received.
    both(
        b"\x18\x01\x08\x05\x0a\x02\x06\x07\x58\x01\x22\x04\x08\x01\x10\x08\x08\x09\x58\x02\x18\x02",
        b"\x18\x02\x08\x05\x08\x06\x08\x07\x58\x01\x22\x04\x08\x01\x10\x08\x08\x09\x58\x02",
    );
}

#[test]
fn the_key_of_a_value_that_an_enum_does_not_have_is_text() {
    #[track_caller]
    fn check(wire: &[u8], path: &str, at: usize) {
        let message =
            |name: &str| format!("{name}.hostile.Parent.{path}: invalid UTF-8 in a string (at byte {at})");
        let error = tobu::from_slice::<derived::Parent>(wire).unwrap_err();
        assert_eq!(error.to_string(), message("derived"), "streamed");
        let error = tobu::from_slice::<plain::Parent>(wire).unwrap_err();
        assert_eq!(error.to_string(), message("plain"), "grouped");
        let error = DynamicMessage::decode(&derived::Parent::descriptor(), wire).unwrap_err();
        assert_eq!(error.to_string(), message("derived"), "dynamic");
    }
    check(b"\x32\x05\x0a\x01\xef\x10\x05", "titled[\"\"]", 4);
    check(b"\x18\x01\x18\x02\x32\x05\x0a\x01\xef\x10\x05", "titled[\"\"]", 8);
    check(b"\x32\x05\x10\x05\x0a\x01\xef", "titled[\"\"]", 6);
}

#[test]
fn a_oneof_is_what_came_last() {
    #[track_caller]
    fn check(wire: &[u8], expected: &[u8]) {
        assert_eq!(by_derived::<derived::Deep>(wire), expected, "streamed");
        assert_eq!(by_derived::<plain::Deep>(wire), expected, "grouped");
    }
    // The same message twice is merged; with a number in between it is not.
    check(b"\x2a\x02\x38\x01\x2a\x02\x30\x02", b"\x2a\x04\x30\x02\x38\x01");
    check(b"\x2a\x02\x38\x01\x30\x07\x2a\x02\x30\x02", b"\x2a\x02\x30\x02");
    check(b"\x2a\x02\x38\x01\x30\x07\x30\x08", b"\x30\x08");
    check(b"\x30\x07\x2a\x02\x38\x01\x38\x05\x2a\x00", b"\x2a\x02\x38\x01\x38\x05");
    // The same one level in, with a oneof in two occurrences of its message.
    check(
        b"\x0a\x02\x30\x01\x0a\x04\x2a\x02\x38\x01\x0a\x04\x2a\x02\x30\x02",
        b"\x0a\x06\x2a\x04\x30\x02\x38\x01",
    );
    // Another wire type is an unknown field, which unsets nothing.
    check(b"\x30\x07\x28\x01\x30\x08", b"\x30\x08\x28\x01");
}

#[test]
fn a_oneof_of_a_tree_of_values_is_what_came_last() {
    let deep = derived::Deep::descriptor();
    let decode = |wire: &[u8]| deep.decode::<Value>(wire).unwrap();
    assert_eq!(decode(b"\x2a\x02\x38\x01\x30\x07"), json!({"number": 7}));
    assert_eq!(decode(b"\x30\x07\x38\x01\x2a\x02\x38\x01"), json!({"chosen": {"count": 1}, "count": 1}));
    assert_eq!(decode(b"\x2a\x02\x38\x01\x30\x07\x2a\x02\x30\x02"), json!({"chosen": {"number": 2}}));
    assert_eq!(decode(b"\x2a\x02\x38\x01\x2a\x02\x30\x02"), json!({"chosen": {"count": 1, "number": 2}}));
    #[derive(Debug, PartialEq, serde::Deserialize)]
    struct Members {
        number: Option<i32>,
        chosen: Option<Value>,
    }
    let members: Members = deep.decode(b"\x2a\x02\x38\x01\x30\x07").unwrap();
    assert_eq!(members, Members { number: Some(7), chosen: None });
    let members: Members = deep.decode(b"\x30\x07\x2a\x02\x38\x01").unwrap();
    assert_eq!(members, Members { number: None, chosen: Some(json!({"count": 1})) });
}

/// Many enough that quadratic time would be minutes.
const MANY: usize = 500_000;

#[test]
fn one_message_in_very_many_fragments() {
    let fragments = b"\x0a\x02\x38\x05".repeat(MANY);
    assert_eq!(by_derived::<derived::Deep>(&fragments), b"\x0a\x02\x38\x05");
    assert_eq!(by_derived::<plain::Deep>(&fragments), b"\x0a\x02\x38\x05");
    let tree: Value = derived::Deep::descriptor().decode(&fragments).unwrap();
    assert_eq!(tree, json!({"one": {"count": 5}}));
}

#[test]
fn one_group_in_very_many_fragments() {
    let fragments = b"\x23\x38\x05\x24".repeat(MANY);
    assert_eq!(by_derived::<derived::Deep>(&fragments), b"\x23\x38\x05\x24");
    assert_eq!(by_derived::<plain::Deep>(&fragments), b"\x23\x38\x05\x24");
}

#[test]
fn fragments_of_fragments() {
    // Twenty levels, each in several occurrences of the one above.
    let piece = (0..20).fold(b"\x38\x05".to_vec(), |body, _| {
        let mut writer = tobu::wire::Writer::new();
        writer.tag(tobu::wire::Tag::new(1, tobu::wire::WireType::Len));
        writer.len_prefixed(&body);
        writer.finish().unwrap()
    });
    let fragments = piece.repeat(MANY / 20);
    assert_eq!(by_derived::<derived::Deep>(&fragments), piece);
    assert_eq!(by_derived::<plain::Deep>(&fragments), piece);
}

#[test]
fn an_entry_value_in_very_many_fragments() {
    let value = b"\x12\x02\x38\x05".repeat(MANY);
    let mut writer = tobu::wire::Writer::new();
    writer.tag(tobu::wire::Tag::new(3, tobu::wire::WireType::Len));
    writer.len_prefixed(&value);
    let wire = writer.finish().unwrap();
    assert_eq!(by_derived::<derived::Deep>(&wire), b"\x1a\x06\x08\x00\x12\x02\x38\x05");
    assert_eq!(by_derived::<plain::Deep>(&wire), b"\x1a\x06\x08\x00\x12\x02\x38\x05");
}

#[test]
fn a_list_in_very_many_runs() {
    let wire = b"\x0a\x01\x03\x18\x01".repeat(MANY);
    let message: derived::Parent = tobu::from_slice(&wire).unwrap();
    assert_eq!((message.levels.len(), message.last), (MANY, 1));
    let message: plain::Parent = tobu::from_slice(&wire).unwrap();
    assert_eq!((message.levels.len(), message.last), (MANY, 1));
}

#[test]
fn very_many_values_that_an_enum_does_not_have() {
    let wire = b"\x0a\x02\x05\x03\x18\x01\x22\x02\x10\x05".repeat(MANY / 4);
    let message: derived::Parent = tobu::from_slice(&wire).unwrap();
    assert_eq!(message.levels.len(), MANY / 4);
    assert_eq!(message.unknown_fields.as_bytes(), b"\x08\x05\x22\x02\x10\x05".repeat(MANY / 4));
    let message: plain::Parent = tobu::from_slice(&wire).unwrap();
    assert_eq!(message.levels.len(), MANY / 4);
    assert_eq!(message.unknown_fields.as_bytes(), b"\x08\x05\x22\x02\x10\x05".repeat(MANY / 4));
}

#[test]
fn a_oneof_switched_very_many_times() {
    let wire = b"\x2a\x02\x38\x05\x30\x01".repeat(MANY / 2);
    assert_eq!(by_derived::<derived::Deep>(&wire), b"\x30\x01");
    assert_eq!(by_derived::<plain::Deep>(&wire), b"\x30\x01");
}

/// The value of an entry whose key occurs again is not delivered, and must be valid nevertheless.
#[test]
fn what_a_later_entry_replaces_is_checked() {
    #[derive(Debug, Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "grouped")]
    struct Texts {
        #[tobu(1)]
        texts: std::collections::HashMap<i32, String>,
        #[tobu(2)]
        inner: std::collections::HashMap<i32, Inner>,
    }
    #[derive(Debug, Message, tobu::Serialize, tobu::Deserialize)]
    #[tobu(package = "grouped")]
    struct Inner {
        #[tobu(1)]
        text: String,
    }
    for (wire, message) in [
        (
            &b"\x0a\x05\x08\x07\x12\x01\xff\x0a\x05\x08\x07\x12\x01a"[..],
            "invalid UTF-8 in a string (at byte 6)",
        ),
        (
            b"\x12\x07\x08\x07\x12\x03\x0a\x01\xff\x12\x02\x08\x07",
            "text: invalid UTF-8 in a string (at byte 8)",
        ),
    ] {
        let field = if wire[0] == 0x0a { "texts[\"7\"]: " } else { "inner[\"7\"]." };
        let wanted = format!("{field}{message}");
        let by_type = tobu::from_slice::<Texts>(wire).unwrap_err().to_string();
        let transcoded = tobu::convert::wire_to_json(&Texts::descriptor(), wire, &mut Vec::new());
        assert!(by_type.ends_with(&wanted), "{by_type}");
        assert_eq!(transcoded.unwrap_err().to_string(), format!("grouped.Texts.{wanted}"));
    }
}
