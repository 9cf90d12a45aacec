//! Other formats than tobu's, and serde's own derives in place of tobu's.

use tobu::Message;

#[derive(Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[tobu(package = "derive.foreign")]
struct Ours {
    #[tobu(1)]
    first_name: String,
    #[tobu(2)]
    #[serde(rename = "AGE")]
    age: u32,
    #[tobu(3)]
    r#type: Option<Vec<u8>>,
    #[serde(skip)]
    cache: u8,
    #[tobu(5)]
    others: Vec<Ours>,
    #[tobu(oneof)]
    kind: Option<OurKind>,
}

#[derive(Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
#[serde(rename_all = "camelCase")]
enum OurKind {
    #[tobu(6)]
    BigNumber(i64),
    #[tobu(7)]
    #[serde(rename = "text")]
    Words(String),
}

/// The same with serde's derives: what serde sees of the two is the same.
#[derive(Debug, Default, PartialEq, tobu::Message, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", default)]
#[tobu(package = "derive.foreign", name = "Ours")]
struct Theirs {
    #[tobu(1)]
    first_name: String,
    #[tobu(2)]
    #[serde(rename = "AGE")]
    age: u32,
    #[tobu(3)]
    #[serde(with = "serde_bytes")]
    r#type: Option<Vec<u8>>,
    #[serde(skip)]
    cache: u8,
    #[tobu(5)]
    others: Vec<Theirs>,
    #[tobu(oneof)]
    kind: Option<TheirKind>,
}

#[derive(Debug, PartialEq, tobu::Oneof, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "camelCase")]
enum TheirKind {
    #[tobu(6)]
    BigNumber(i64),
    #[tobu(7)]
    #[serde(rename = "text")]
    Words(String),
}

fn ours() -> Ours {
    Ours {
        first_name: "a".into(),
        age: 1,
        r#type: Some(vec![7]),
        cache: 9,
        others: vec![Ours::default()],
        kind: Some(OurKind::BigNumber(5)),
    }
}

fn theirs() -> Theirs {
    Theirs {
        first_name: "a".into(),
        age: 1,
        r#type: Some(vec![7]),
        cache: 9,
        others: vec![Theirs::default()],
        kind: Some(TheirKind::BigNumber(5)),
    }
}

#[test]
fn serde_names_do_not_change_the_wire() {
    let bytes = b"\x0a\x01a\x10\x01\x1a\x01\x07\x2a\x00\x30\x05";
    assert_eq!(tobu::to_vec(&ours()).unwrap(), bytes);
    assert_eq!(tobu::to_vec(&theirs()).unwrap(), bytes);
    assert_eq!(tobu::from_slice::<Ours>(bytes).unwrap(), Ours { cache: 0, ..ours() });
    assert_eq!(tobu::from_slice::<Theirs>(bytes).unwrap(), Theirs { cache: 0, ..theirs() });
    assert_eq!(Ours::descriptor(), Theirs::descriptor());
}

#[test]
fn split_fields_are_merged_by_either_derive() {
    let bytes = b"\x2a\x02\x10\x01\x10\x01\x2a\x02\x10\x02\x10\x03";
    let ours: Ours = tobu::from_slice(bytes).unwrap();
    assert_eq!((ours.age, ours.others.iter().map(|other| other.age).collect()), (3, vec![1, 2]));
    let theirs: Theirs = tobu::from_slice(bytes).unwrap();
    assert_eq!((theirs.age, theirs.others.iter().map(|other| other.age).collect()), (3, vec![1, 2]));
}

#[test]
fn other_formats_see_the_members_by_name_or_in_order() {
    let tree = serde_json::json!({
        "first-name": "a", "AGE": 1, "type": [7], "kind": {"bigNumber": 5},
        "others": [{"first-name": "", "AGE": 0, "type": null, "others": [], "kind": null}],
    });
    assert_eq!(serde_json::to_value(theirs()).unwrap(), tree);
    assert_eq!(serde_json::from_value::<Ours>(tree).unwrap(), Ours { cache: 0, ..ours() });
    // A member that is missing is empty, one that comes twice is merged, one that is not known is skipped.
    let text = r#"{"others":[{"AGE":1}],"x":[{}],"others":[{"AGE":2}]}"#;
    let merged: Ours = serde_json::from_str(text).unwrap();
    assert_eq!(merged.others.iter().map(|other| other.age).collect::<Vec<_>>(), [1, 2]);
    let ordered: Ours =
        serde_json::from_str(r#"["a", 1, [7], [["", 0, null, [], null]], {"bigNumber": 5}]"#).unwrap();
    assert_eq!(ordered, Ours { cache: 0, ..ours() });
    assert_eq!(
        serde_json::from_str::<Ours>(r#"["a", 1]"#).unwrap_err().to_string(),
        "invalid length 2, expected struct Ours with 5 members at line 1 column 8"
    );
    assert_eq!(
        serde_json::from_str::<Ours>(r#"{"kind": {"no": 1}}"#).unwrap_err().to_string(),
        "not a variant of oneof OurKind, expected `bigNumber`, `text` at line 1 column 16"
    );
}

#[test]
fn deserialize_in_place_starts_empty() {
    let mut value = ours();
    let mut json = serde_json::Deserializer::from_str(r#"{"AGE": 4}"#);
    serde::Deserialize::deserialize_in_place(&mut json, &mut value).unwrap();
    assert_eq!(value, Ours { age: 4, ..Ours::default() });
}
