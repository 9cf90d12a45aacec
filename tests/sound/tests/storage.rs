//! Every kind of storage once, through every verb that reads or writes it by its address: short enough for Miri.

use bytes::Bytes;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tobu::member::{Convert, JsonBytes, Protos};
use tobu::reflect::{Value, ValueMut, Visit};
use tobu::{DynamicMessage, EncodeOptions, Message, Presence, UnknownFields, VecMap, json, text};

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize,
)]
#[tobu(package = "sound", values(COLOR_NONE = 0, COLOR_RED = 1))]
struct Color(i32);

#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize,
)]
#[tobu(package = "sound")]
enum Size {
    #[default]
    Small = 0,
    Large = 5,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "sound")]
struct Point {
    #[tobu(1)]
    x: i32,
    #[tobu(2)]
    y: f32,
}

#[derive(Clone, Debug, PartialEq, tobu::Oneof, tobu::Serialize, tobu::Deserialize)]
enum Kind {
    #[tobu(30)]
    Integer(i64),
    #[tobu(31)]
    Words(String),
    #[tobu(32)]
    Place(Point),
    #[tobu(33)]
    Deep(Box<All>),
    #[tobu(34, with = Digest)]
    Hash(Digest),
    #[tobu(50, with = Pair)]
    Corner(Pair),
}

/// Bytes by a conversion: two at least.
#[derive(Clone, Debug, Default, PartialEq)]
struct Digest(Box<[u8]>);

impl Convert<Digest> for Digest {
    type Proto = [u8];
    const EXPECTED: &'static str = "two bytes";
    const JSON: Option<&'static JsonBytes> = Some(JsonBytes::HEX);

    fn as_proto(digest: &Digest) -> &[u8] {
        &digest.0
    }

    fn from_proto(bytes: &[u8]) -> Option<Digest> {
        (bytes.len() >= 2).then(|| Digest(bytes.into()))
    }
}

/// A number by a conversion.
enum Port {}

impl Convert<u16> for Port {
    type Proto = u32;
    const EXPECTED: &'static str = "a port";

    fn as_proto(port: &u16) -> u32 {
        (*port).into()
    }

    fn from_proto(port: u32) -> Option<u16> {
        port.try_into().ok()
    }
}

/// A message that a conversion makes.
#[derive(Clone, Debug, Default, PartialEq)]
struct Pair(Box<(i32, f32)>);

impl Convert<Pair> for Pair {
    type Proto = Point;
    const EXPECTED: &'static str = "a pair";

    fn as_proto(pair: &Pair) -> Point {
        Point { x: pair.0.0, y: pair.0.1 }
    }

    fn from_proto(point: Point) -> Option<Pair> {
        Some(Pair(Box::new((point.x, point.y))))
    }
}

/// A list that a conversion makes.
enum Boxed {}

impl Convert<Box<[String]>> for Boxed {
    type Proto = Vec<String>;
    const EXPECTED: &'static str = "texts";

    fn as_proto(texts: &Box<[String]>) -> Vec<String> {
        texts.to_vec()
    }

    fn from_proto(texts: Vec<String>) -> Option<Box<[String]>> {
        Some(texts.into())
    }
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "sound")]
struct All {
    #[tobu(1)]
    flag: bool,
    #[tobu(2)]
    int: i32,
    #[tobu(3, sint64)]
    long: i64,
    #[tobu(4, fixed32)]
    fixed: u32,
    #[tobu(5)]
    double: f64,
    #[tobu(6)]
    maybe: Option<u64>,
    #[tobu(7)]
    string: String,
    #[tobu(8)]
    maybe_string: Option<String>,
    #[tobu(9)]
    small_string: Box<str>,
    #[tobu(10)]
    bytes: Vec<u8>,
    #[tobu(11)]
    shared: Bytes,
    #[tobu(12)]
    color: Color,
    #[tobu(13)]
    size: Size,
    #[tobu(14)]
    point: Option<Point>,
    #[tobu(15)]
    boxed: Option<Box<All>>,
    #[tobu(16)]
    numbers: Vec<i32>,
    #[tobu(17)]
    fixed_numbers: Vec<f64>,
    #[tobu(18)]
    strings: Vec<String>,
    #[tobu(19)]
    points: Vec<Point>,
    #[tobu(20)]
    sizes: Vec<Size>,
    #[tobu(21)]
    hashed: HashMap<String, Point>,
    #[tobu(22)]
    sorted: BTreeMap<i32, String>,
    #[tobu(23)]
    few: VecMap<u32, All>,
    #[tobu(24)]
    counted: Arc<str>,
    #[tobu(25, with = Digest)]
    digest: Digest,
    #[tobu(26, with = Digest)]
    maybe_digest: Option<Digest>,
    #[tobu(27, with = Digest)]
    digests: Vec<Digest>,
    #[tobu(28, with = Digest)]
    digest_of: BTreeMap<i32, Digest>,
    #[tobu(29, bit = 1)]
    bit_number: i64,
    #[tobu(35, bit = 2)]
    bit_string: String,
    #[tobu(36, bit = 33)]
    bit_size: Size,
    #[tobu(37)]
    maybe_shared: Option<Bytes>,
    #[tobu(38, key = "fixed64")]
    weights: HashMap<u64, f64>,
    #[tobu(39)]
    sized: BTreeMap<String, Size>,
    #[tobu(40, with = Port)]
    port: u16,
    #[tobu(41, with = Port)]
    ports: Vec<u16>,
    #[tobu(42, with = Pair)]
    pair: Option<Pair>,
    #[tobu(43, with = Pair)]
    pairs: Vec<Pair>,
    #[tobu(44, with = Pair)]
    pair_of: BTreeMap<String, Pair>,
    #[tobu(45, with = Boxed)]
    texts: Box<[String]>,
    #[tobu(protos)]
    protos: Protos,
    #[tobu(presence)]
    presence: Presence<2>,
    #[tobu(oneof)]
    kind: Option<Kind>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

/// A type that borrows, and one with a parameter.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "sound")]
struct Borrowed<'a> {
    #[tobu(1)]
    text: &'a str,
    #[tobu(2)]
    bytes: &'a [u8],
    #[tobu(3)]
    cow: Cow<'a, str>,
    #[tobu(4)]
    texts: Vec<&'a str>,
    #[tobu(5)]
    inner: Option<Box<Borrowed<'a>>>,
    #[tobu(6)]
    map: BTreeMap<&'a str, Cow<'a, [u8]>>,
    #[tobu(7)]
    words: VecMap<&'a str, &'a str>,
    #[tobu(8)]
    maybe: Option<Cow<'a, str>>,
}

fn all() -> All {
    let point = Point { x: -1, y: 0.5 };
    let inner = All { string: "inner".into(), kind: Some(Kind::Words("text".into())), ..All::default() };
    let digest = Digest([1, 2, 3].into());
    let pair = Pair(Box::new((3, -0.5)));
    let corner = All { kind: Some(Kind::Corner(pair.clone())), ..All::default() };
    All {
        flag: true,
        int: -1,
        long: i64::MIN,
        fixed: 7,
        double: -0.25,
        maybe: Some(0),
        string: "a string that is longer than a word".into(),
        maybe_string: Some(String::new()),
        small_string: "small".into(),
        bytes: vec![0, 0xff],
        shared: Bytes::from_static(b"shared"),
        color: Color(9),
        size: Size::Large,
        point: Some(point.clone()),
        boxed: Some(Box::new(inner.clone())),
        numbers: (0..40).collect(),
        fixed_numbers: vec![1.0, f64::MAX],
        strings: vec!["a".into(), String::new(), "\u{e9}".repeat(20)],
        points: vec![point.clone(), Point::default(), point.clone()],
        sizes: vec![Size::Small, Size::Large],
        hashed: [("a".to_owned(), point.clone())].into(),
        sorted: [(-1, "b".to_owned()), (1, String::new())].into(),
        few: [(1, inner.clone()), (2, All::default()), (3, corner)].into_iter().collect(),
        counted: "counted".into(),
        digest: digest.clone(),
        maybe_digest: Some(Digest::default()),
        digests: vec![digest.clone(), Digest::default()],
        digest_of: [(1, digest)].into(),
        bit_number: 0,
        bit_string: "bits".into(),
        bit_size: Size::Large,
        maybe_shared: Some(Bytes::from_static(b"maybe")),
        weights: [(u64::MAX, 0.5)].into(),
        sized: [("big".to_owned(), Size::Large), ("small".to_owned(), Size::Small)].into(),
        port: 80,
        ports: vec![1, 0],
        pair: Some(pair.clone()),
        pairs: vec![pair.clone(), Pair::default()],
        pair_of: [("p".to_owned(), pair.clone())].into(),
        texts: Box::new(["a".to_owned(), "b".repeat(30)]),
        protos: Protos::new(),
        presence: [1, 2, 33].into_iter().fold(Presence::new(), |mut presence, bit| {
            presence.set(bit);
            presence
        }),
        kind: Some(Kind::Deep(Box::new(All { kind: Some(Kind::Place(point)), ..inner }))),
        unknown_fields: UnknownFields::from_bytes(b"\xa8\x06\x01\xb3\x06\x08\x01\xb4\x06").unwrap(),
    }
}

fn wire(message: &All) -> Vec<u8> {
    EncodeOptions::new().deterministic(true).to_vec(message).unwrap()
}

#[test]
fn wire_bytes_go_around() {
    let (message, bytes) = (all(), wire(&all()));
    assert_eq!(tobu::encoded_len(&message).unwrap(), bytes.len());
    assert_eq!(tobu::from_slice::<All>(&bytes).unwrap(), message);
    assert_eq!(tobu::from_bytes::<All>(&Bytes::from(bytes.clone())).unwrap(), message);
    let mut used = message.clone();
    tobu::from_slice_in_place(&mut used, &bytes).unwrap();
    assert_eq!(used, message);
    tobu::merge(&mut used, &bytes).unwrap();
    assert_eq!((used.numbers.len(), used.points.len(), used.few.len()), (80, 6, 3));
    assert_eq!((used.pairs.len(), used.texts.len()), (4, 4));
    // Two occurrences of every message, and an error at each of some positions.
    let twice = [&bytes[..], &bytes].concat();
    assert_eq!(wire(&tobu::from_slice(&twice).unwrap()), wire(&used));
    for cut in (1..bytes.len()).step_by(17) {
        let mut broken = message.clone();
        if tobu::from_slice_in_place(&mut broken, &bytes[..cut]).is_err() {
            assert_eq!(broken, All::default());
        }
    }
}

#[test]
fn texts_go_around() {
    let message = All { unknown_fields: UnknownFields::new(), ..all() };
    let printed = json::to_string(&message).unwrap();
    assert_eq!(json::from_str::<All>(&printed).unwrap(), message);
    let mut used = message.clone();
    json::from_str_in_place(&mut used, &printed).unwrap();
    assert_eq!(used, message);
    json::merge(&mut used, &printed).unwrap();
    assert_eq!(used.strings.len(), 6);
    let printed = text::to_string(&message).unwrap();
    assert_eq!(text::from_str::<All>(&printed).unwrap(), message);
    assert!(json::from_str::<All>("{\"points\":[{\"x\":1},{\"x\":null},{]}").is_err());
    assert!(json::from_str::<All>("{\"digests\":[\"0102\",\"01\"]}").is_err());
}

#[test]
fn reflection_reads_and_changes() {
    let (message, mut other) = (all(), all());
    let dynamic = DynamicMessage::from_message(&message).unwrap();
    assert!(message.as_reflect().equals(&dynamic));
    assert_eq!(dynamic.clone().absorb::<All>().unwrap(), message);
    let mut values = 0;
    message
        .as_reflect()
        .visit(|_, _, _| {
            values += 1;
            Visit::Continue
        })
        .unwrap();
    assert!(values > 80, "{values}");
    other
        .as_reflect_mut()
        .visit_mut(|place| match place.value().and_then(|value| value.as_str()).map(str::to_uppercase) {
            Some(text) => place.set(text).map(|()| Visit::Continue),
            None => Ok(Visit::Continue),
        })
        .unwrap();
    assert_eq!(other.boxed.as_ref().unwrap().string, "INNER");
    other.as_reflect_mut().merge_from(message.as_reflect()).unwrap();
    assert_eq!(other.points.len(), 6);
    for field in All::descriptor().fields() {
        let value: Value = message.as_reflect().get(&field).unwrap().to_value().unwrap();
        other.as_reflect_mut().clear(&field).unwrap();
        if message.as_reflect().has(&field).unwrap() {
            other.as_reflect_mut().set(&field, value).unwrap();
        }
    }
    let unknown = message.as_reflect().unknown_fields();
    other.as_reflect_mut().set_unknown_fields(unknown).unwrap();
    assert_eq!(other, message);
    let reflect = other.as_reflect_mut();
    let Ok(ValueMut::List(mut points)) = reflect.get_mut_by_name("points") else { panic!("a list") };
    points.push_message().unwrap().set_by_name("x", 5).unwrap();
    points.remove(0).unwrap();
    points.truncate(2);
    assert_eq!(other.points, [Point::default(), Point { x: -1, y: 0.5 }]);
    other.as_reflect_mut().clear_all();
    assert_eq!(other, All::default());
}

#[test]
fn what_borrows_refers_to_the_input() {
    let inner = Borrowed { text: "inner", ..Borrowed::default() };
    let message = Borrowed {
        text: "text",
        bytes: b"\xff",
        cow: "cow".into(),
        texts: vec!["a", "b"],
        inner: Some(Box::new(inner)),
        map: [("k", Cow::Borrowed(&b"v"[..]))].into(),
        words: [("dune", "a dune"), ("sea", "the sea")].into(),
        maybe: Some("maybe".into()),
    };
    let bytes = tobu::to_vec(&message).unwrap();
    let read: Borrowed<'_> = tobu::from_slice(&bytes).unwrap();
    assert_eq!(read, message);
    assert!(bytes.as_ptr_range().contains(&read.text.as_ptr()));
    let mut used = message.clone();
    tobu::from_slice_in_place(&mut used, &bytes).unwrap();
    tobu::merge(&mut used, &bytes).unwrap();
    assert_eq!(used.texts, ["a", "b", "a", "b"]);
    // Bytes in JSON are base64, and cannot be borrowed.
    let message = Borrowed { bytes: b"", ..message };
    let printed = json::to_string(&message).unwrap();
    assert_eq!(json::from_str::<Borrowed<'_>>(&printed).unwrap(), message);
}

/// Numbers and texts only: read in one pass.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "sound")]
struct Small<'a> {
    #[tobu(1)]
    name: String,
    #[tobu(2)]
    maybe: Option<String>,
    #[tobu(3)]
    data: Vec<u8>,
    #[tobu(4)]
    part: &'a str,
    #[tobu(5)]
    maybe_part: Option<&'a [u8]>,
    #[tobu(6)]
    count: i64,
    #[tobu(7)]
    ratio: Option<f32>,
    #[tobu(8)]
    weight: f64,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

/// Messages that are written and read one after the other.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "sound")]
struct Smalls<'a> {
    #[tobu(1)]
    one: Option<Small<'a>>,
    #[tobu(2)]
    list: Vec<Small<'a>>,
    #[tobu(3)]
    nested: Vec<Smalls<'a>>,
    #[tobu(4)]
    data: HashMap<String, Vec<u8>>,
}

#[test]
fn small_messages_go_around() {
    let small = Small {
        name: "a name longer than a word".into(),
        maybe: Some("maybe".into()),
        data: vec![1; 40],
        part: "part",
        maybe_part: Some(b"bytes"),
        count: -1,
        ratio: Some(0.5),
        weight: 1.5,
        unknown: UnknownFields::from_bytes(b"\xa8\x06\x01").unwrap(),
    };
    let bytes = tobu::to_vec(&small).unwrap();
    let empty = Small::default();
    for cut in 0..=bytes.len() {
        let fresh = tobu::from_slice::<Small<'_>>(&bytes[..cut]);
        let mut used = small.clone();
        let refilled = tobu::from_slice_in_place(&mut used, &bytes[..cut]);
        assert_eq!(fresh.is_ok(), refilled.is_ok());
        assert_eq!(used, fresh.unwrap_or_else(|_| empty.clone()));
    }
    // The last field first: what comes after it is read in the general way.
    let reversed = [b"\x41\0\0\0\0\0\0\xf8\x3f", &bytes[..]].concat();
    assert_eq!(tobu::from_slice::<Small<'_>>(&reversed).unwrap(), small);

    let inner =
        Smalls { one: Some(empty.clone()), list: vec![small.clone(), empty.clone()], ..Smalls::default() };
    let long = Smalls { list: vec![small.clone(); 4], ..Smalls::default() };
    let message = Smalls {
        one: Some(small.clone()),
        list: vec![small.clone(), empty, small],
        nested: vec![inner.clone(), long, Smalls::default(), inner],
        data: [("key".to_owned(), vec![7; 200])].into(),
    };
    let bytes = tobu::to_vec(&message).unwrap();
    assert_eq!(tobu::to_vec(&message).unwrap(), bytes);
    assert_eq!(tobu::from_slice::<Smalls<'_>>(&bytes).unwrap(), message);
    let mut used = message.clone();
    tobu::from_slice_in_place(&mut used, &bytes).unwrap();
    assert_eq!(used, message);
    for cut in (0..bytes.len()).step_by(29) {
        let mut broken = message.clone();
        if tobu::from_slice_in_place(&mut broken, &bytes[..cut]).is_err() {
            assert_eq!(broken, Smalls::default());
        }
    }
}
