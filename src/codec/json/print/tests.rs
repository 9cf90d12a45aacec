//! Compares the text of the printer with that of the verbs.

#![allow(unsafe_code)]

use super::print;
use crate::error::Result;
use crate::json::Options;
use crate::object::Typed;
use crate::types::{
    Any, BoolValue, BytesValue, DoubleValue, Duration, Empty, FieldMask, FloatValue, Int32Value, Int64Value,
    ListValue, NullValue, StringValue, Struct, Timestamp, UInt32Value, UInt64Value, Value,
};
use crate::{
    Deserialize, Encode, Enumeration, Limits, Message, Oneof, Pool, Serialize, UnknownFields, VecMap,
};
use bytes::Bytes;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

fn printed<T: Message>(value: &T, options: &Options) -> Result<String> {
    let mut buf = b"before ".to_vec();
    // SAFETY: the table is that of the type, and the value is borrowed for as long.
    let object = unsafe { Typed::new(std::ptr::from_ref(value).cast(), T::shape().table()?) };
    let done = print(object.into(), options, &mut buf);
    let text = String::from_utf8(buf).unwrap().strip_prefix("before ").unwrap().to_owned();
    assert!(done.is_ok() || text.is_empty());
    done.map(|()| text)
}

/// Options of all combinations.
fn all_options() -> impl Iterator<Item = Options> {
    (0..128).map(|bits| {
        let bit = |i: u32| bits >> i & 1 != 0;
        Options::new()
            .pretty(bit(0))
            .deterministic(bit(1))
            .emit_defaults(bit(2))
            .proto_field_names(bit(3))
            .enums_as_integers(bit(4))
            .int64_as_numbers(bit(5))
            .partial(bit(6))
    })
}

fn same_with<T: Message + Encode>(value: &T, options: &Options) {
    let summary = |error: crate::Error| format!("{:?} {error}", error.category());
    let wanted = options.to_string(value).map_err(summary);
    let found = printed(value, options).map_err(summary);
    if (options.emit_defaults || options.deterministic)
        && let (Ok(found), Ok(wanted)) = (&found, &wanted)
        && (wanted.contains("@type") || wanted.contains("[print"))
    {
        // In nested messages, the other text has defaults after all other fields, and maps in input order.
        let tree = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!((tree(found), found.len()), (tree(wanted), wanted.len()), "{options:?}");
        return;
    }
    assert_eq!(found, wanted, "{options:?}");
}

/// Expects the text or error of the verb, also for the message as content of an `Any`, whose members may be in
/// another order.
#[track_caller]
fn same<T: Message + Encode + Serialize>(value: &T) {
    for options in all_options() {
        same_with(value, &options);
    }
    let Ok(bytes) = crate::EncodeOptions::new().partial(true).to_vec(value) else { return };
    let any = Any::new(format!("a/{}", T::descriptor().full_name()), bytes);
    for options in all_options() {
        same_with(&any, &options.pool(&pool_of::<T>()));
    }
}

/// A pool that contains the type.
fn pool_of<T: Message>() -> Pool {
    let name = T::descriptor().full_name().to_owned();
    if POOL.message(&name).is_some() { POOL.clone() } else { Pool::global() }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "print.test", values(WHITE = 0, BLACK = 1, FAR = 1000))]
struct Color(pub i32);

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "print.test")]
enum Closed {
    #[default]
    Zero = 0,
    Minus = -1,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "print.test")]
struct Scalars {
    #[tobu(1)]
    an_int: i32,
    #[tobu(2, sint32)]
    sint: i32,
    #[tobu(3, sfixed32)]
    sfixed: i32,
    #[tobu(4, fixed32)]
    fixed: u32,
    #[tobu(5)]
    uint: u32,
    #[tobu(6)]
    long: i64,
    #[tobu(7, sint64)]
    sint_long: i64,
    #[tobu(8, fixed64)]
    fixed_long: u64,
    #[tobu(9)]
    unsigned_long_with_a_long_name: u64,
    #[tobu(10)]
    flag: bool,
    #[tobu(11)]
    text: String,
    #[tobu(12)]
    blob: Vec<u8>,
    #[tobu(13)]
    float: f32,
    #[tobu(14)]
    double: f64,
    #[tobu(15)]
    color: Color,
    #[tobu(16)]
    closed: Closed,
    #[tobu(17)]
    boxed: Box<str>,
    #[tobu(18)]
    shared: Bytes,
    #[tobu(19)]
    null: NullValue,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "print.test")]
struct Options_ {
    #[tobu(1)]
    an_int: Option<i32>,
    #[tobu(2)]
    long: Option<u64>,
    #[tobu(3)]
    flag: Option<bool>,
    #[tobu(4)]
    text: Option<String>,
    #[tobu(5)]
    blob: Option<Vec<u8>>,
    #[tobu(6)]
    float: Option<f32>,
    #[tobu(7)]
    color: Option<Color>,
    #[tobu(8)]
    closed: Option<Closed>,
    #[tobu(9)]
    inner: Option<Box<Options_>>,
    #[tobu(10, delimited)]
    group: Option<Scalars>,
    #[tobu(11)]
    null: Option<NullValue>,
    #[tobu(20, required)]
    needed: Option<i32>,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "print.test")]
struct Lists {
    #[tobu(1)]
    ints: Vec<i32>,
    #[tobu(2, sint64)]
    longs: Vec<i64>,
    #[tobu(3)]
    uints: Vec<u32>,
    #[tobu(4)]
    unsigned_longs: Vec<u64>,
    #[tobu(5)]
    flags: Vec<bool>,
    #[tobu(6)]
    floats: Vec<f32>,
    #[tobu(7)]
    doubles: Vec<f64>,
    #[tobu(8)]
    texts: Vec<String>,
    #[tobu(9)]
    blobs: Vec<Vec<u8>>,
    #[tobu(10)]
    colors: Vec<Color>,
    #[tobu(11)]
    closeds: Vec<Closed>,
    #[tobu(12)]
    messages: Vec<Scalars>,
    #[tobu(13, delimited)]
    groups: Vec<Lists>,
    #[tobu(14)]
    times: Vec<Timestamp>,
    #[tobu(15)]
    nulls: Vec<NullValue>,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "print.test")]
struct Maps {
    #[tobu(1)]
    of_ints: HashMap<i32, i64>,
    #[tobu(2)]
    of_longs: BTreeMap<i64, f64>,
    #[tobu(3)]
    of_uints: VecMap<u32, bool>,
    #[tobu(4)]
    of_unsigned_longs: HashMap<u64, String>,
    #[tobu(5)]
    of_flags: HashMap<bool, Vec<u8>>,
    #[tobu(6)]
    of_texts: HashMap<String, Color>,
    #[tobu(7)]
    of_messages: HashMap<String, Maps>,
    #[tobu(8)]
    of_times: HashMap<i64, Timestamp>,
}

#[derive(Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "print.test")]
struct Choice<'a> {
    #[tobu(1)]
    before: i32,
    #[serde(borrow)]
    #[tobu(oneof, name = "choice")]
    kind: Option<Kind<'a>>,
    #[tobu(9)]
    after: &'a str,
    #[tobu(10)]
    cow: Cow<'a, str>,
    #[tobu(11)]
    slice: &'a [u8],
}

#[derive(Debug, PartialEq, Oneof, Serialize, Deserialize)]
enum Kind<'a> {
    #[tobu(2)]
    Text(&'a str),
    #[tobu(3, sint64)]
    Number(i64),
    #[serde(borrow)]
    #[tobu(4)]
    Inner(Box<Choice<'a>>),
    #[tobu(5)]
    Color(Color),
    #[tobu(6)]
    Time(Timestamp),
    #[tobu(7)]
    Nothing(NullValue),
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "print.test")]
struct Known {
    #[tobu(1)]
    time: Option<Timestamp>,
    #[tobu(2)]
    span: Option<Duration>,
    #[tobu(3)]
    mask: Option<FieldMask>,
    #[tobu(4)]
    tree: Option<Struct>,
    #[tobu(5)]
    value: Option<Value>,
    #[tobu(6)]
    list: Option<ListValue>,
    #[tobu(7)]
    any: Option<Any>,
    #[tobu(8)]
    long: Option<Int64Value>,
    #[tobu(9)]
    anys: Vec<Any>,
    #[tobu(10)]
    values: HashMap<String, Value>,
}

static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let source = r#"
        syntax = "proto2";
        package print.bound;
        message Open {
            optional int32 id = 1;
            optional string text = 2;
            repeated bytes blobs = 3;
            map<string, string> names = 4;
            required string need = 5;
            optional Set set = 6;
            optional Open child = 7;
            extensions 100 to 200;
        }
        message Set { option message_set_wire_format = true; extensions 4 to 536870911; }
        message Item {
            extend Set { optional Item item = 1000; }
            optional int32 value = 5;
        }
        extend Open {
            optional int32 number = 100;
            repeated string texts = 101;
            optional Open nested = 102;
            optional int64 big_number = 103;
            repeated sint32 packed = 104 [packed = true];
        }
    "#;
    let file = protox::file::File::from_source("print.proto", source).unwrap();
    let mut pool = Pool::new();
    pool.add_file(&prost::Message::encode_to_vec(file.file_descriptor_proto())).unwrap();
    pool
});

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = POOL, message = "print.bound.Open")]
struct Open {
    #[tobu(1)]
    id: Option<i32>,
    #[tobu(2)]
    text: Option<Vec<u8>>,
    #[tobu(3)]
    blobs: Vec<String>,
    #[tobu(4)]
    names: HashMap<Vec<u8>, Vec<u8>>,
    #[tobu(5)]
    need: Option<String>,
    #[tobu(6)]
    set: Option<Set>,
    #[tobu(7)]
    child: Option<Box<Open>>,
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = POOL, message = "print.bound.Set")]
struct Set {
    #[tobu(unknown)]
    unknown_fields: UnknownFields,
}

fn scalars() -> Scalars {
    Scalars {
        an_int: -5,
        sint: 1 << 30,
        sfixed: -1,
        fixed: u32::MAX,
        uint: 7,
        long: i64::MIN,
        sint_long: 12,
        fixed_long: u64::MAX,
        unsigned_long_with_a_long_name: 99,
        flag: true,
        text: "a \"quoted\" \u{1f600} text\n".into(),
        blob: (0..100).collect(),
        float: 1.5,
        double: -0.0,
        color: Color(1),
        closed: Closed::Minus,
        boxed: "é".into(),
        shared: Bytes::from_static(b"\xff\x00"),
        null: NullValue(3),
    }
}

#[test]
fn single_values() {
    same(&Scalars::default());
    same(&scalars());
    same(&Scalars { color: Color(7), float: f32::NAN, double: f64::NEG_INFINITY, ..Scalars::default() });
    same(&Scalars { color: Color(1000), float: f32::INFINITY, double: 1e300, ..Scalars::default() });
    same(&Options_::default());
    let zeros = Options_ {
        an_int: Some(0),
        long: Some(0),
        flag: Some(false),
        text: Some(String::new()),
        blob: Some(Vec::new()),
        float: Some(0.0),
        color: Some(Color(0)),
        closed: Some(Closed::Zero),
        inner: Some(Box::default()),
        group: Some(Scalars::default()),
        null: Some(NullValue(0)),
        needed: Some(0),
    };
    same(&zeros);
    same(&Options_ { inner: Some(Box::new(zeros.clone())), ..zeros.clone() });
    same(&Options_ { inner: Some(Box::new(Options_ { needed: Some(2), ..zeros.clone() })), ..zeros });
}

#[test]
fn lists() {
    same(&Lists::default());
    let lists = Lists {
        ints: vec![0, -1, i32::MIN, i32::MAX, 1234],
        longs: vec![0, -1, i64::MIN, 5],
        uints: vec![0, u32::MAX],
        unsigned_longs: vec![0, u64::MAX, 17],
        flags: vec![true, false],
        floats: vec![0.0, f32::NAN, -1.25, f32::NEG_INFINITY],
        doubles: vec![0.1, f64::INFINITY, -0.0, 1e22],
        texts: vec![String::new(), "abc".into(), "a longer text \u{7f}\u{0}".into()],
        blobs: vec![vec![], vec![1, 2]],
        colors: vec![Color(0), Color(1000), Color(-4)],
        closeds: vec![Closed::Minus, Closed::Zero],
        messages: vec![Scalars::default(), scalars()],
        groups: vec![Lists::default(), Lists { ints: vec![1], ..Lists::default() }],
        times: vec![Timestamp::default(), Timestamp::new(1, 500)],
        nulls: vec![NullValue(0), NullValue(9)],
    };
    same(&lists);
    same(&Lists { times: vec![Timestamp::default(), Timestamp::new(0, -1)], ..Lists::default() });
    same(&Lists { groups: vec![lists], ..Lists::default() });
}

#[test]
fn maps() {
    same(&Maps::default());
    let mut maps = Maps {
        of_ints: (-3..20).map(|i| (i * 1000, i64::from(i))).collect(),
        of_longs: [(i64::MIN, 0.0), (0, f64::NAN), (7, -2.5)].into(),
        of_uints: [(9, true), (1, false), (u32::MAX, true)].into_iter().collect(),
        of_unsigned_longs: [(0, String::new()), (u64::MAX, "a".into()), (5, "\"".into())].into(),
        of_flags: [(true, vec![1]), (false, vec![])].into(),
        of_texts: [(String::new(), Color(1)), ("b\n".into(), Color(0)), ("a".into(), Color(9))].into(),
        of_messages: HashMap::new(),
        of_times: [(1, Timestamp::default())].into(),
    };
    same(&maps);
    maps.of_messages = [("m".into(), maps.clone()), ("".into(), Maps::default())].into();
    same(&maps);
    same(&Maps { of_times: [(-7, Timestamp::new(i64::MAX, 0))].into(), ..Maps::default() });
    let inner = Maps { of_times: [(8, Timestamp::new(0, -2))].into(), ..Maps::default() };
    same(&Maps { of_messages: [("a \"key\"".into(), inner)].into(), ..Maps::default() });
}

#[test]
fn oneofs_and_borrowed_members() {
    let kinds = [
        None,
        Some(Kind::Text("")),
        Some(Kind::Number(-1)),
        Some(Kind::Inner(Box::new(Choice { kind: Some(Kind::Text("x")), ..Choice::default() }))),
        Some(Kind::Color(Color(0))),
        Some(Kind::Time(Timestamp::default())),
        Some(Kind::Time(Timestamp::new(0, -1))),
        Some(Kind::Nothing(NullValue(0))),
    ];
    for kind in kinds {
        let choice = Choice { before: 1, kind, after: "b", cow: "c".into(), slice: b"d" };
        same(&choice);
    }
    same(&Choice::default());
}

#[test]
fn well_known_types() {
    for (seconds, nanos) in [
        (0, 0),
        (1, 1),
        (-1, 500_000_000),
        (-1, -500_000_000),
        (1, -1),
        (253_402_300_799, 999_999_999),
        (253_402_300_800, 0),
        (-62_135_596_800, 0),
        (-62_135_596_801, 0),
        (315_576_000_000, 5_000),
        (315_576_000_001, 0),
        (0, 1_000_000_000),
        (i64::MIN, i32::MIN),
    ] {
        same(&Timestamp::new(seconds, nanos));
        same(&Duration::new(seconds, nanos));
        same(&Known {
            time: Some(Timestamp::new(seconds, nanos)),
            span: Some(Duration::new(seconds, nanos)),
            ..Known::default()
        });
    }
    for paths in [&[][..], &["a"], &["a_b.c_d", "e"], &["a_B"], &["A"], &["a_"], &["a,b"], &["a", ""]] {
        let mask =
            FieldMask { paths: paths.iter().map(|path| (*path).into()).collect(), ..FieldMask::default() };
        same(&mask);
        same(&Known { mask: Some(mask), ..Known::default() });
    }
    let tree: Struct =
        [("a", Value::from(1)), ("b", Value::from("x")), ("c", Value::null())].into_iter().collect();
    let values = [
        Value::default(),
        Value::null(),
        Value::from(true),
        Value::from(-0.5),
        Value::from(f64::NAN),
        Value::from(f64::INFINITY),
        Value::from(f64::NEG_INFINITY),
        Value::from("text"),
        Value::from(tree.clone()),
        Value::from(Struct::default()),
        Value::from(ListValue::default()),
        Value::from(ListValue::from(vec![Value::from(1), Value::default()])),
        Value::from(ListValue::from(vec![Value::from(1), Value::from(f64::NAN)])),
        Value::from(ListValue::from(vec![Value::from("a"), Value::from(tree.clone()), Value::null()])),
    ];
    for value in values {
        same(&value);
        same(&ListValue::from(vec![value.clone()]));
        same(&[("k", value.clone())].into_iter().collect::<Struct>());
        let map = [("key".into(), value.clone())].into();
        same(&Known { value: Some(value), values: map, ..Known::default() });
    }
    same(&Known::default());
    same(&Known {
        tree: Some(Struct::default()),
        list: Some(ListValue::default()),
        any: Some(Any::default()),
        long: Some(Int64Value::default()),
        anys: vec![Any::default()],
        ..Known::default()
    });
    same(&tree);
    same(&ListValue::default());
    same(&Empty::default());
}

#[test]
fn wrappers() {
    same(&BoolValue::default());
    same(&BoolValue::new(true));
    same(&Int32Value::default());
    same(&Int32Value::new(-4));
    same(&UInt32Value::default());
    same(&UInt32Value::new(4));
    same(&Int64Value::default());
    same(&Int64Value::new(i64::MIN));
    same(&UInt64Value::default());
    same(&UInt64Value::new(u64::MAX));
    same(&FloatValue::default());
    same(&FloatValue::new(f32::NAN));
    same(&DoubleValue::default());
    same(&DoubleValue::new(f64::INFINITY));
    same(&StringValue::default());
    same(&StringValue::new("a\"b".into()));
    same(&BytesValue::default());
    same(&BytesValue::new(vec![1, 2]));
}

#[test]
fn any() {
    Scalars::descriptor();
    let packed = |name: &str, bytes: &[u8]| Any::new(format!("type.googleapis.com/{name}"), bytes);
    let anys = [
        Any::default(),
        Any::new("", b"\x08\x01"),
        Any::new("print.test.Scalars", []),
        Any::new("a/", []),
        Any::new("a/no.Such", []),
        Any::new("https://a.b/\"c/print.test.Scalars", []),
        packed("print.test.Scalars", b"\x08"),
        packed("print.test.Scalars", b"\x08\x01\x08\x02\x5a\x01a"),
        packed("print.test.Scalars", b"\x5a\x01\xff"),
        packed("print.test.Known", b"\x0a\x02\x10\x01\x0a\x02\x08\x01\x12\x02\x08\x07"),
        packed("print.test.Known", b"\x0a\x0b\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
        packed(
            "print.test.Maps",
            b"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x01\x10\x03\x0a\x00\x3a\x03\x0a\x01a",
        ),
        packed("print.test.Choice", b"\x12\x01a\x18\x01"),
        packed("print.test.Options_", b"\x08\x01"),
        packed("print.test.Options_", b"\x08\x01\x4a\x03\xa0\x01\x02\x4a\x02\x08\x02\xa0\x01\x01"),
        packed("google.protobuf.Any", b""),
        packed("google.protobuf.Value", b""),
        packed("google.protobuf.Empty", b""),
    ];
    Known::descriptor();
    Maps::descriptor();
    Choice::descriptor();
    Options_::descriptor();
    for any in anys {
        for options in all_options() {
            same_with(&any, &options);
        }
        same(&Known { any: Some(any.clone()), ..Known::default() });
        same(&Known { anys: vec![Any::default(), any], ..Known::default() });
    }
}

#[test]
fn any_of_every_cut_and_many_changes() {
    let lists = Lists {
        ints: vec![1, 300],
        texts: vec!["ab".into()],
        messages: vec![Scalars { text: "é".into(), ..Scalars::default() }],
        groups: vec![Lists { floats: vec![1.5], ..Lists::default() }],
        times: vec![Timestamp::new(5, 6)],
        ..Lists::default()
    };
    let bytes = crate::to_vec(&lists).unwrap();
    let check = |bytes: &[u8]| {
        let any = Any::new("a/print.test.Lists", bytes);
        // If there are several problems, the two may report different ones.
        let summary = |error: crate::Error| (error.category(), error.position());
        let wanted = crate::json::to_string(&any).map_err(summary);
        assert_eq!(printed(&any, &Options::new()).map_err(summary), wanted, "{bytes:?}");
    };
    for cut in 0..bytes.len() {
        check(&bytes[..cut]);
    }
    for at in 0..bytes.len() {
        for change in [0x01, 0x02, 0x07, 0x08, 0x10, 0x80, 0xff] {
            let mut bytes = bytes.clone();
            bytes[at] ^= change;
            check(&bytes);
        }
    }
}

fn open(fields: &[u8]) -> Open {
    Open {
        need: Some("n".into()),
        unknown_fields: UnknownFields::from_bytes(fields).unwrap(),
        ..Open::default()
    }
}

fn same_open(value: &Open) {
    for options in all_options() {
        same_with(value, &options.clone().pool(&POOL));
        same_with(value, &options);
    }
    let bytes = crate::EncodeOptions::new().partial(true).to_vec(value).unwrap();
    for options in all_options() {
        same_with(&Any::new("a/print.bound.Open", bytes.clone()), &options.pool(&POOL));
    }
}

#[test]
fn extensions_and_message_sets() {
    let set = |items: &[u8]| Set { unknown_fields: UnknownFields::from_bytes(items).unwrap() };
    let rows: [&[u8]; 10] = [
        b"",
        b"\xa0\x06\x05",
        b"\xa0\x06\x00",
        b"\xaa\x06\x01a\xc8\x07\x09\xa0\x06\x01\xaa\x06\x01b\xa0\x06\x02",
        b"\xb8\x06\x03",
        b"\xb2\x06\x0b\x2a\x01m\x08\x01\xa0\x06\x02\xb2\x06\x00",
        b"\xb2\x06\x0e\x2a\x01m\x08\x01\xa0\x06\x02\xb2\x06\x03\x2a\x01q",
        b"\xb2\x06\x01\x08",
        b"\xa2\x06\x01\x80",
        b"\xc2\x06\x03\x01\x02\x03",
    ];
    for fields in rows {
        let value = open(fields);
        same_open(&value);
        same_open(&Open { child: Some(Box::new(value.clone())), ..value });
    }
    let items: [&[u8]; 4] = [
        b"\x0b\x10\xe8\x07\x1a\x02\x28\x05\x0c",
        b"\x0b\x10\xe8\x07\x1a\x02\x28\x05\x1a\x02\x28\x06\x0c\x0b\x10\x05\x1a\x00\x0c",
        b"\xc2\x3e\x02\x28\x07",
        b"",
    ];
    for items in items {
        same_open(&Open { set: Some(set(items)), ..open(b"\xa0\x06\x05") });
    }
}

#[test]
fn strings_in_byte_strings() {
    let value = |text: &[u8]| Open { text: Some(text.to_vec()), blobs: vec!["é".into()], ..open(b"") };
    same_open(&value(b""));
    same_open(&value("é".as_bytes()));
    same_open(&value(b"\xff"));
    let names =
        |key: &[u8], value: &[u8]| Open { names: [(key.to_vec(), value.to_vec())].into(), ..open(b"") };
    assert_eq!(
        printed(&names(b"a", b"\xff"), &Options::new()).unwrap_err().to_string(),
        "print.bound.Open.names[\"a\"]: the string is not valid UTF-8, which JSON requires"
    );
    for (key, value) in [(&b"a"[..], &b"b"[..]), (b"\xff", b"b"), (b"", b"")] {
        for options in all_options().filter(|options| !options.deterministic) {
            same_with(&names(key, value), &options);
        }
    }
    same_open(&Open { need: None, ..open(b"") });
    same_open(&Open { child: Some(Box::default()), ..open(b"") });
}

#[test]
fn depth() {
    let mut inner = Options_ { needed: Some(1), ..Options_::default() };
    for _ in 0..5 {
        inner = Options_ { inner: Some(Box::new(inner)), needed: Some(1), ..Options_::default() };
    }
    let mut value = Value::null();
    let mut any = Any::new("a/google.protobuf.BytesValue", []);
    for _ in 0..4 {
        value = ListValue::from(vec![value]).into();
        any = Any::new("a/google.protobuf.Any", crate::to_vec(&any).unwrap());
    }
    let known = Known { any: Some(any.clone()), value: Some(value.clone()), ..Known::default() };
    let packed = Any::new("a/print.test.Known", crate::to_vec(&known).unwrap());
    let mut fields = Vec::new();
    for _ in 0..4 {
        let mut outer = crate::wire::Writer::new();
        outer.tag(crate::wire::Tag::new(102, crate::wire::WireType::Len));
        outer.len_prefixed(&fields);
        fields = outer.finish().unwrap();
    }
    let open = open(&fields);
    for depth in 0..20 {
        let options = Options::new().limits(Limits::default().depth(depth));
        same_with(&inner, &options);
        same_with(&value, &options);
        same_with(&any, &options);
        same_with(&known, &options);
        same_with(&packed, &options);
        same_with(&open, &options.pool(&POOL).partial(true));
    }
}

#[test]
fn a_chain_takes_linear_time() {
    let mut any = Any::new("a/google.protobuf.BytesValue", {
        crate::to_vec(&BytesValue::new(vec![0; 1 << 20])).unwrap()
    });
    for _ in 1..99 {
        any = Any::new("a/google.protobuf.Any", crate::to_vec(&any).unwrap());
    }
    let start = std::time::Instant::now();
    assert!(printed(&any, &Options::new()).unwrap().len() > 1 << 20);
    assert!(start.elapsed() < std::time::Duration::from_secs(2));
    // A message field that occurs many times at each level must not be read one more time per level.
    let mut content = Vec::new();
    for _ in 0..90 {
        let mut outer = crate::wire::Writer::new();
        for content in [&b"\x08\x01"[..], &content] {
            outer.tag(crate::wire::Tag::new(9, crate::wire::WireType::Len));
            outer.len_prefixed(content);
        }
        content = outer.finish().unwrap();
    }
    Options_::descriptor();
    let any = Any::new("a/print.test.Options_", content);
    printed(&any, &Options::new().partial(true)).unwrap();
    printed(&any, &Options::new()).unwrap_err();
    assert!(start.elapsed() < std::time::Duration::from_secs(4));
}
