//! Oneofs: one variant at a time, merged or replaced.

use tobu::{Deserialize, Message, Oneof, Serialize};

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.oneof")]
struct Holder {
    #[tobu(1)]
    before: i32,
    #[tobu(oneof, name = "choice")]
    kind: Option<Kind>,
    #[tobu(9)]
    after: i32,
}

#[derive(Debug, PartialEq, Oneof, Serialize, Deserialize)]
enum Kind {
    #[tobu(2)]
    Text(String),
    #[tobu(3, sint32)]
    Number(i32),
    #[tobu(4)]
    Inner(Box<Holder>),
    #[tobu(5, name = "raw")]
    Blob(Vec<u8>),
    #[serde(skip)]
    Local(i32),
}

fn holder(kind: Kind) -> Holder {
    Holder { kind: Some(kind), ..Holder::default() }
}

#[test]
fn every_variant() {
    for (kind, bytes) in [
        (Kind::Text("hi".into()), &b"\x12\x02hi"[..]),
        (Kind::Text(String::new()), b"\x12\x00"),
        (Kind::Number(-1), b"\x18\x01"),
        (Kind::Number(0), b"\x18\x00"),
        (Kind::Inner(Box::new(holder(Kind::Number(1)))), b"\x22\x02\x18\x02"),
        (Kind::Blob(vec![1]), b"\x2a\x01\x01"),
    ] {
        let value = holder(kind);
        assert_eq!(tobu::to_vec(&value).unwrap(), bytes);
        assert_eq!(tobu::from_slice::<Holder>(bytes).unwrap(), value);
    }
    assert_eq!(tobu::to_vec(&Holder::default()).unwrap(), b"");
    let around = Holder { before: 1, kind: Some(Kind::Number(1)), after: 2 };
    assert_eq!(tobu::to_vec(&around).unwrap(), b"\x08\x01\x18\x02\x48\x02");
}

#[test]
fn the_last_variant_wins_and_a_message_is_merged() {
    let last: Holder = tobu::from_slice(b"\x12\x02hi\x18\x01").unwrap();
    assert_eq!(last, holder(Kind::Number(-1)));
    let merged: Holder = tobu::from_slice(b"\x22\x02\x08\x01\x22\x02\x48\x02").unwrap();
    let inner = Holder { before: 1, kind: None, after: 2 };
    assert_eq!(merged, holder(Kind::Inner(Box::new(inner))));
    // Another variant between the two starts the message anew.
    let anew: Holder = tobu::from_slice(b"\x22\x02\x08\x01\x18\x01\x22\x02\x48\x02").unwrap();
    assert_eq!(anew, holder(Kind::Inner(Box::new(Holder { after: 2, ..Holder::default() }))));
}

#[test]
fn a_skipped_variant_is_an_error() {
    let error = tobu::to_vec(&holder(Kind::Local(1))).unwrap_err();
    assert_eq!(error.message(), "the variant `Local` is skipped and cannot be serialized");
}

#[test]
fn the_schema_has_the_names() {
    let descriptor = Holder::descriptor();
    let names: Vec<String> = descriptor.fields().map(|field| field.name().to_owned()).collect();
    assert_eq!(names, ["before", "text", "number", "inner", "raw", "after"]);
    let oneofs: Vec<String> = descriptor.oneofs().map(|oneof| oneof.name().to_owned()).collect();
    assert_eq!(oneofs, ["choice"]);
}
