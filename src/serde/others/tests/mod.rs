//! Compares the bridge with the code that the derives emit.

mod binary;
mod readable;
mod typed;

use crate::serde::others::{deserialize_message, serialize_message};
use crate::types::{
    Any, BoolValue, BytesValue, DoubleValue, Duration, FieldMask, Int64Value, ListValue, StringValue, Struct,
    Timestamp, UInt32Value, Value,
};
use crate::{Deserialize, Enumeration, Merge, Message, Oneof, Serialize, UnknownFields, VecMap};
use bytes::Bytes;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A message that uses the bridge.
#[derive(Clone, Debug, PartialEq)]
struct Bridged<T>(T);

impl<T: Message> Serialize for Bridged<T> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_message(&self.0, serializer)
    }
}

impl<'de, T: Message + Merge<'de>> Deserialize<'de> for Bridged<T> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserialize_message(deserializer).map(Bridged)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "bridge", values(RED = 0, GREEN = 1, BLUE = 5))]
struct Color(i32);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Enumeration, Serialize, Deserialize)]
#[tobu(package = "bridge")]
enum Size {
    #[default]
    Small = 0,
    Large = 3,
}

#[derive(Clone, Debug, PartialEq, Oneof, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename = "pick")]
enum Pick {
    #[tobu(30)]
    Words(String),
    #[tobu(31)]
    BigNumber(i64),
    #[tobu(32)]
    Nested(Box<All>),
    #[tobu(33)]
    Raw(Vec<u8>),
    #[tobu(34)]
    Shade(Color),
    #[serde(skip)]
    Local(u8),
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[tobu(package = "bridge")]
struct All {
    #[tobu(1)]
    yes: bool,
    #[tobu(2)]
    number: i32,
    #[tobu(3, fixed64)]
    large: u64,
    #[tobu(4)]
    part: f64,
    #[tobu(5)]
    small_part: f32,
    #[tobu(6)]
    text: String,
    #[tobu(7)]
    bytes: Vec<u8>,
    #[tobu(8)]
    maybe: Option<i64>,
    #[tobu(9)]
    unsigned: Option<u32>,
    #[tobu(10)]
    boxed: Box<str>,
    #[tobu(11)]
    shared: Bytes,
    #[tobu(12)]
    color: Color,
    #[tobu(13)]
    size: Option<Size>,
    #[tobu(14)]
    list: Vec<String>,
    #[tobu(15)]
    numbers: Vec<i32>,
    #[tobu(16)]
    colors: Vec<Color>,
    #[tobu(17)]
    inner: Option<Box<All>>,
    #[tobu(18)]
    inners: Vec<All>,
    #[tobu(19)]
    map: BTreeMap<String, All>,
    #[tobu(20)]
    flags: BTreeMap<bool, Vec<u8>>,
    #[tobu(21)]
    sizes: VecMap<i64, Size>,
    #[serde(skip)]
    cache: u8,
    #[serde(rename = "CHOICE")]
    #[tobu(oneof)]
    pick: Option<Pick>,
    #[tobu(40)]
    maybe_text: Option<String>,
    #[tobu(41)]
    floats: Vec<f32>,
    #[tobu(42)]
    chunks: Vec<Vec<u8>>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "bridge")]
struct Known {
    #[tobu(1)]
    time: Option<Timestamp>,
    #[tobu(2)]
    took: Option<Duration>,
    #[tobu(3)]
    mask: Option<FieldMask>,
    #[tobu(4)]
    any: Option<Any>,
    #[tobu(5)]
    tree: Option<Struct>,
    #[tobu(6)]
    value: Option<Value>,
    #[tobu(7)]
    list: Option<ListValue>,
    #[tobu(8)]
    yes: Option<BoolValue>,
    #[tobu(9)]
    long: Option<Int64Value>,
    #[tobu(10)]
    double: Option<DoubleValue>,
    #[tobu(11)]
    bytes: Option<BytesValue>,
    #[tobu(12)]
    text: Option<StringValue>,
    #[tobu(13)]
    short: Option<UInt32Value>,
    #[tobu(14)]
    values: Vec<Value>,
    #[tobu(15)]
    times: BTreeMap<String, Timestamp>,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "bridge")]
struct Lent<'a> {
    #[tobu(1)]
    text: &'a str,
    #[tobu(2)]
    bytes: &'a [u8],
    #[tobu(3)]
    either: Cow<'a, str>,
    #[tobu(4)]
    some: Cow<'a, [u8]>,
    #[tobu(5)]
    number: u32,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "bridge")]
struct Needs {
    #[tobu(1, required)]
    name: Option<String>,
    #[tobu(2)]
    inner: Vec<Needs>,
}

fn values() -> Vec<All> {
    let full = All {
        yes: true,
        number: -7,
        large: u64::MAX,
        part: -0.0,
        small_part: 0.1,
        text: "aé\n\"".into(),
        bytes: vec![0, 255, 251],
        maybe: Some(i64::MIN),
        unsigned: Some(0),
        boxed: "boxed".into(),
        shared: Bytes::from_static(b"shared"),
        color: Color(5),
        size: Some(Size::Large),
        list: vec!["x".into(), String::new()],
        numbers: vec![1, -2, i32::MAX],
        colors: vec![Color(0), Color(9), Color(-1)],
        map: BTreeMap::from([("k".into(), All { number: 3, ..All::default() })]),
        flags: BTreeMap::from([(true, vec![1]), (false, vec![])]),
        sizes: VecMap::from([(-5, Size::Small), (6, Size::Large)]),
        pick: Some(Pick::BigNumber(0)),
        maybe_text: Some(String::new()),
        floats: vec![1.0, 1e30, f32::MIN_POSITIVE, f32::INFINITY],
        chunks: vec![vec![], vec![1, 2, 3, 4]],
        unknown: UnknownFields::from_bytes(b"\xa0\x06\x01").unwrap(),
        ..All::default()
    };
    let picks = [
        Pick::Words("t".into()),
        Pick::Raw(vec![1]),
        Pick::Shade(Color(1)),
        Pick::Nested(Box::new(All { part: 1e21, small_part: 16_777_216.0, ..All::default() })),
    ];
    let with = |pick| All { pick: Some(pick), number: 1, part: 100.0, ..All::default() };
    let mut all = vec![
        All::default(),
        All {
            inner: Some(Box::new(full.clone())),
            inners: vec![full.clone(), All::default()],
            ..full.clone()
        },
        full,
    ];
    all.extend(picks.map(with));
    all
}

fn known() -> Vec<Known> {
    let tree: Value =
        Value::from(vec![Value::from(1.5), Value::from("x"), Value::from(true), Value::from(None::<f64>)]);
    let known = Known {
        time: Some(Timestamp::new(1_000_000_000, 5)),
        took: Some(Duration::new(-1, -500_000_000)),
        mask: Some(FieldMask::from_paths(["a.b_c", "d"])),
        any: Some(Any::pack(&Duration::new(1, 0)).unwrap()),
        value: Some(tree.clone()),
        yes: Some(BoolValue::new(false)),
        long: Some(Int64Value::new(-3)),
        double: Some(DoubleValue::new(f64::INFINITY)),
        bytes: Some(BytesValue::new(vec![1, 2])),
        text: Some(StringValue::from("x")),
        short: Some(UInt32Value::new(4)),
        values: vec![tree, Value::from(2.0)],
        times: BTreeMap::from([("k".into(), Timestamp::new(0, 0))]),
        ..Known::default()
    };
    let empty = Known {
        tree: Some(Struct::default()),
        list: Some(ListValue::default()),
        any: Some(Any::default()),
        yes: Some(BoolValue::new(true)),
        double: Some(DoubleValue::new(0.0)),
        long: Some(Int64Value::new(0)),
        text: Some(StringValue::from("")),
        ..Known::default()
    };
    vec![known, empty, Known::default()]
}
