//! Compact strings of another crate as members, by a conversion.

use smol_str::SmolStr;
use std::collections::BTreeMap;
use tobu::member::Convert;
use tobu::{DynamicMessage, Message, json, text};

enum Smol {}

impl Convert<SmolStr> for Smol {
    type Proto = str;
    const EXPECTED: &'static str = "a string";

    fn as_proto(text: &SmolStr) -> &str {
        text
    }

    fn from_proto(text: &str) -> Option<SmolStr> {
        Some(text.into())
    }
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "derive.compact")]
struct Label {
    #[tobu(1, with = Smol)]
    name: SmolStr,
    #[tobu(2, with = Smol)]
    owner: Option<SmolStr>,
    #[tobu(3, with = Smol)]
    values: Vec<SmolStr>,
    #[tobu(4, with = Smol)]
    by_number: BTreeMap<u32, SmolStr>,
    #[tobu(oneof)]
    kind: Option<Kind>,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Kind {
    #[tobu(5, with = Smol)]
    Named(SmolStr),
    #[tobu(6)]
    Numbered(u32),
}

/// A string that is longer than the type holds without an allocation.
const LONG: &str = "a text of more than twenty-three bytes";

#[test]
fn every_kind_of_member_in_every_format() {
    let label = Label {
        name: "region".into(),
        owner: Some(SmolStr::default()),
        values: vec!["eu".into(), SmolStr::default(), LONG.into()],
        by_number: BTreeMap::from([(7, "seven".into())]),
        kind: Some(Kind::Named("k".into())),
    };
    let wire = [
        &b"\x0a\x06region\x12\x00\x1a\x02eu\x1a\x00\x1a\x26"[..],
        LONG.as_bytes(),
        b"\x22\x09\x08\x07\x12\x05seven\x2a\x01k",
    ]
    .concat();
    assert_eq!(tobu::to_vec(&label).unwrap(), wire);
    assert_eq!(tobu::encoded_len(&label).unwrap(), wire.len());
    assert_eq!(tobu::from_slice::<Label>(&wire).unwrap(), label);
    assert_eq!(DynamicMessage::from_message(&label).unwrap().encode_to_vec().unwrap(), wire);

    let in_json = format!(
        r#"{{"name":"region","owner":"","values":["eu","","{LONG}"],"byNumber":{{"7":"seven"}},"named":"k"}}"#
    );
    assert_eq!(json::to_string(&label).unwrap(), in_json);
    assert_eq!(json::from_str::<Label>(&in_json).unwrap(), label);
    let in_text = text::to_string(&label).unwrap();
    assert_eq!(text::from_str::<Label>(&in_text).unwrap(), label);

    let mut used = Label { values: vec!["old".into()], kind: Some(Kind::Numbered(1)), ..label.clone() };
    tobu::from_slice_in_place(&mut used, &wire).unwrap();
    assert_eq!(used, label);
    tobu::merge(&mut used, b"\x0a\x00\x1a\x03new\x30\x02").unwrap();
    assert_eq!((used.name.as_str(), used.values.len(), used.kind), ("", 4, Some(Kind::Numbered(2))));
}

#[test]
fn the_schema_has_strings() {
    let schema = Label::descriptor().file().to_proto_text().unwrap();
    for line in ["string name = 1;", "optional string owner = 2;", "map<uint32, string> by_number = 4;"] {
        assert!(schema.contains(line), "{line} is missing in\n{schema}");
    }
}

#[test]
fn text_that_is_no_utf8() {
    let error = tobu::from_slice::<Label>(b"\x1a\x01a\x1a\x02\xc3\x28").unwrap_err();
    assert_eq!(error.to_string(), "derive.compact.Label.values[1]: invalid UTF-8 in a string (at byte 5)");
}
