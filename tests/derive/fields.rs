//! Fields of a message: numbers, wire kinds, presence, lists, maps, groups, omitted fields.

use std::collections::BTreeMap;
use tobu::{Deserialize, Message, Serialize, UnknownFields};

/// Encodes to these bytes, decodes from them.
fn round<T>(value: &T, bytes: &[u8])
where
    T: Message + Serialize + for<'de> Deserialize<'de> + PartialEq + std::fmt::Debug,
{
    assert_eq!(tobu::to_vec(value).unwrap(), bytes);
    assert_eq!(&tobu::from_slice::<T>(bytes).unwrap(), value);
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct Kinds {
    #[tobu(1)]
    int: i32,
    #[tobu(2, sint32)]
    sint: i32,
    #[tobu(3, sfixed32)]
    sfixed: i32,
    #[tobu(number = 4)]
    #[tobu(fixed32)]
    fixed: u32,
    #[tobu(5, sint64)]
    sint_64: i64,
    #[tobu(6, sfixed64)]
    sfixed_64: i64,
    #[tobu(7, fixed64)]
    fixed_64: u64,
    #[tobu(8)]
    flag: bool,
    #[tobu(9)]
    text: String,
    #[tobu(10)]
    blob: Vec<u8>,
    #[tobu(11)]
    float: f32,
    #[tobu(12)]
    double: f64,
}

#[test]
fn wire_kinds() {
    round(&Kinds::default(), b"");
    let value = Kinds {
        int: -1,
        sint: -1,
        sfixed: -2,
        fixed: 3,
        sint_64: -4,
        sfixed_64: -1,
        fixed_64: 6,
        flag: true,
        text: "hi".into(),
        blob: vec![0, 255],
        float: 1.0,
        double: -2.0,
    };
    round(
        &value,
        b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\
          \x10\x01\
          \x1d\xfe\xff\xff\xff\
          \x25\x03\0\0\0\
          \x28\x07\
          \x31\xff\xff\xff\xff\xff\xff\xff\xff\
          \x39\x06\0\0\0\0\0\0\0\
          \x40\x01\
          \x4a\x02hi\
          \x52\x02\x00\xff\
          \x5d\0\0\x80\x3f\
          \x61\0\0\0\0\0\0\0\xc0",
    );
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct Presence {
    #[tobu(1)]
    implicit: i32,
    #[tobu(2)]
    explicit: Option<i32>,
    #[tobu(3)]
    message: Option<Box<Presence>>,
    #[tobu(4)]
    text: Option<String>,
}

#[test]
fn presence() {
    round(&Presence::default(), b"");
    let zeros =
        Presence { implicit: 0, explicit: Some(0), message: Some(Box::default()), text: Some(String::new()) };
    round(&zeros, b"\x10\x00\x1a\x00\x22\x00");
    // The occurrences of a message are merged, the last scalar wins.
    let merged =
        tobu::from_slice::<Presence>(b"\x1a\x02\x10\x05\x1a\x04\x08\x01\x08\x02\x10\x01\x10\x02").unwrap();
    let inner = Presence { implicit: 2, explicit: Some(5), ..Presence::default() };
    assert_eq!(merged, Presence { explicit: Some(2), message: Some(Box::new(inner)), ..Presence::default() });
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct Required {
    #[tobu(1, required)]
    plain: i32,
    #[tobu(2, required)]
    option: Option<i32>,
}

#[test]
fn required() {
    round(&Required { plain: 0, option: Some(0) }, b"\x08\x00\x10\x00");
    assert_eq!(tobu::from_slice::<Required>(b"\x08\x00").unwrap_err().category(), tobu::Category::Required);
    assert_eq!(tobu::to_vec(&Required::default()).unwrap_err().category(), tobu::Category::Required);
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct Lists {
    #[tobu(1)]
    packed: Vec<i32>,
    #[tobu(2, packed = false)]
    expanded: Vec<i32>,
    #[tobu(3, sint64)]
    sint: Vec<i64>,
    #[tobu(4)]
    texts: Vec<String>,
    #[tobu(5)]
    blobs: Vec<Vec<u8>>,
    #[tobu(6)]
    messages: Vec<Lists>,
    #[tobu(7, fixed32, packed)]
    fixed: Vec<u32>,
}

#[test]
fn lists() {
    round(&Lists::default(), b"");
    let value = Lists {
        packed: vec![1, 300],
        expanded: vec![1, 2],
        sint: vec![-1],
        texts: vec!["a".into(), String::new()],
        blobs: vec![vec![7], vec![]],
        messages: vec![Lists::default(), Lists { packed: vec![1], ..Lists::default() }],
        fixed: vec![1],
    };
    round(
        &value,
        b"\x0a\x03\x01\xac\x02\x10\x01\x10\x02\x1a\x01\x01\x22\x01a\x22\x00\x2a\x01\x07\x2a\x00\
          \x32\x00\x32\x03\x0a\x01\x01\x3a\x04\x01\0\0\0",
    );
    // Either way is read.
    let other = tobu::from_slice::<Lists>(b"\x08\x01\x12\x02\x01\x02\x0a\x01\x03").unwrap();
    assert_eq!(other, Lists { packed: vec![1, 3], expanded: vec![1, 2], ..Lists::default() });
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct Maps {
    #[tobu(1)]
    plain: BTreeMap<String, i32>,
    #[tobu(2, key = "sint32", value = "fixed32")]
    kinds: BTreeMap<i32, u32>,
    #[tobu(3, sint64)]
    flag: BTreeMap<bool, i64>,
    #[tobu(4)]
    messages: BTreeMap<u64, Maps>,
}

#[test]
fn maps() {
    round(&Maps::default(), b"");
    let value = Maps {
        plain: BTreeMap::from([("a".into(), 1)]),
        kinds: BTreeMap::from([(-1, 2)]),
        flag: BTreeMap::from([(true, -1)]),
        messages: BTreeMap::from([(5, Maps::default())]),
    };
    round(
        &value,
        b"\x0a\x05\x0a\x01a\x10\x01\x12\x07\x08\x01\x15\x02\0\0\0\x1a\x04\x08\x01\x10\x01\x22\x04\x08\x05\x12\x00",
    );
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct Groups {
    #[tobu(1, delimited)]
    one: Option<Box<Groups>>,
    #[tobu(2, group)]
    many: Vec<Groups>,
    #[tobu(3)]
    number: i32,
}

#[test]
fn delimited() {
    let leaf = || Groups { number: 1, ..Groups::default() };
    let value = Groups { one: Some(Box::new(leaf())), many: vec![leaf(), Groups::default()], number: 0 };
    round(&value, b"\x0b\x18\x01\x0c\x13\x18\x01\x14\x13\x14");
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct Leftover {
    #[tobu(1)]
    known: i32,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[test]
fn unknown_fields_are_kept() {
    let bytes = b"\x08\x01\x10\x02\x1a\x01x";
    let value: Leftover = tobu::from_slice(bytes).unwrap();
    assert_eq!(value.known, 1);
    assert_eq!(tobu::to_vec(&value).unwrap(), bytes);
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct Skipped {
    #[tobu(skip)]
    before: Option<std::time::Instant>,
    #[tobu(1)]
    a: i32,
    #[serde(skip)]
    between: Vec<()>,
    #[tobu(2)]
    b: i32,
}

#[test]
fn skipped_members_are_no_fields() {
    let value = Skipped { before: Some(std::time::Instant::now()), a: 1, between: vec![()], b: 2 };
    assert_eq!(tobu::to_vec(&value).unwrap(), b"\x08\x01\x10\x02");
    let decoded: Skipped = tobu::from_slice(b"\x08\x01\x10\x02").unwrap();
    assert_eq!(decoded, Skipped { a: 1, b: 2, ..Skipped::default() });
}

/// A message may be a member without an option; it is always written.
#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct Plain {
    #[tobu(1)]
    inner: PlainInner,
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "derive.fields")]
struct PlainInner {
    #[tobu(1)]
    a: i32,
}

#[test]
fn plain_messages() {
    round(&Plain::default(), b"\x0a\x00");
    round(&Plain { inner: PlainInner { a: 1 } }, b"\x0a\x02\x08\x01");
    assert_eq!(tobu::from_slice::<Plain>(b"").unwrap(), Plain::default());
}

#[derive(Debug, PartialEq, Message, Serialize, Deserialize)]
struct Empty {}

#[test]
fn a_message_without_fields() {
    round(&Empty {}, b"");
    assert_eq!(Empty::descriptor().full_name(), "Empty");
    assert_eq!(tobu::from_slice::<Empty>(b"\x08\x01").unwrap(), Empty {});
}

/// A list in a reused message equals one in a new message, whether its elements are reused or replaced.
#[test]
fn lists_of_a_used_message() {
    #[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
    struct Used {
        #[tobu(1)]
        points: Vec<Point>,
        #[tobu(2)]
        names: Vec<Name>,
        #[tobu(3)]
        last: Option<Point>,
    }
    #[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
    struct Point {
        #[tobu(1)]
        x: i32,
        #[tobu(2)]
        y: Option<f32>,
        #[tobu(unknown)]
        unknown_fields: UnknownFields,
    }
    #[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
    struct Name {
        #[tobu(1)]
        text: String,
        #[tobu(2)]
        point: Option<Point>,
        #[tobu(unknown)]
        unknown_fields: UnknownFields,
    }
    let wires: [&[u8]; 6] = [
        b"\x0a\x09\x08\x01\x15\x00\x00\x80\x3f\x18\x07\x0a\x02\x08\x02\x0a\x00\x12\x05\x0a\x01a\x18\x07\x1a\x04\x08\x05\x18\x07",
        b"\x0a\x00\x0a\x02\x18\x09\x12\x00\x12\x04\x12\x02\x08\x03",
        b"\x1a\x02\x08\x01\x0a\x02\x08\x09\x1a\x02\x18\x08\x0a\x02\x08\x08",
        b"",
        b"\x12\x03\x0a\x01b\x0a\x02\x08\x04\x12\x03\x0a\x01c\x0a\x00",
        b"\x0a\x02\x08\x06",
    ];
    let mut used = Used::default();
    for _ in 0..2 {
        for wire in wires {
            tobu::from_slice_in_place(&mut used, wire).unwrap();
            assert_eq!(used, tobu::from_slice::<Used>(wire).unwrap(), "{wire:x?}");
        }
    }
    // Malformed input leaves the message empty.
    tobu::from_slice_in_place(&mut used, b"\x0a\x02\x08\x06\x0a\x01\x08").unwrap_err();
    assert_eq!(used, Used::default());
}
