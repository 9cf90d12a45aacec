//! Formats other than tobu's, and serde's own derives instead of tobu's.

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

/// The same with serde's derives: both look the same to serde.
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
