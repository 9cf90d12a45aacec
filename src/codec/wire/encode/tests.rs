//! Tests of the encoder: derived code against the steps of tables, errors, limits and orders.

mod random;

use super::{Settings, encode, encoded_len};
use crate::error::{Error, LimitError};
use crate::object::Typed;
use crate::types::StringValue;
use crate::{EncodeOptions, Enumeration, Limits, Message, Oneof, Serialize, UnknownFields, VecMap};
use bytes::Bytes;
use random::{Any, NotByte, Random};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

/// Encodes behind existing bytes.
fn new<T: Message>(message: &T, settings: Settings) -> Result<Vec<u8>, String> {
    let table = T::shape().table().unwrap();
    // SAFETY: the table is that of the type, and the message is borrowed.
    let typed = unsafe { Typed::new(std::ptr::from_ref(message).cast(), table) };
    let mut bytes = b"before".to_vec();
    let done = encode(typed, settings, &mut bytes).map_err(|error| error.to_string());
    assert_eq!(&bytes[..6], b"before");
    let len = encoded_len(typed, settings).map_err(|error| error.to_string());
    match &done {
        // Only counting finds out how long it would be.
        Err(error) if *error == Error::limit(LimitError::Message).to_string() => assert!(len.is_err()),
        done => assert_eq!(len, done.clone().map(|()| bytes.len() - 6)),
    }
    if done.is_err() {
        assert_eq!(bytes.len(), 6, "the buffer is as it was");
    }
    done.map(|()| bytes.split_off(6))
}

/// Encodes by the steps of the table alone. A vector without capacity has no room for leaves, so each nested message
/// makes the vector grow.
fn by_steps<T: Message>(message: &T, settings: Settings) -> Result<Vec<u8>, String> {
    let table = T::shape().table().unwrap();
    // SAFETY: the table is that of the type, and the message is borrowed.
    let typed = unsafe { Typed::new(std::ptr::from_ref(message).cast(), table) };
    let mut bytes = Vec::new();
    super::encode_by_steps(typed, settings, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Encodes by the codec, by the steps and by the public verb, and returns their common result.
fn same<T: Message + Serialize>(message: &T) -> Result<Vec<u8>, String> {
    let mut out = None;
    for (deterministic, partial) in [(true, false), (false, true), (false, false)] {
        let settings = Settings { max_depth: 100, deterministic, partial };
        let verb = EncodeOptions::new().deterministic(deterministic).partial(partial).to_vec(message);
        let (steps, new) = (by_steps(message, settings), new(message, settings));
        assert!(steps == new, "{steps:02x?}\n{new:02x?}");
        // The verb adds the name of the message to an error without a path.
        let name = format!("{}: ", T::descriptor().full_name());
        assert_eq!(verb.map_err(|error| error.to_string().replacen(&name, "", 1)), new);
        out = Some(new);
    }
    out.unwrap()
}

#[test]
fn fields_are_leaves_where_the_code_of_the_type_writes_what_the_steps_do() {
    fn leaves<T: Message>() -> (usize, usize) {
        let parts = T::shape().table().unwrap().steps().parts;
        let leaves = parts.iter().map(|part| part.leaves.count_ones() as usize).sum();
        (leaves, parts.iter().map(|part| part.steps.len()).sum())
    }
    assert_eq!(leaves::<Small>(), (3, 3));
    // A closed enum is present whatever its value.
    assert_eq!([leaves::<Plain>(), leaves::<Options>(), leaves::<Boxes>()], [(17, 19), (18, 19), (0, 19)]);
    assert_eq!(leaves::<Packed>(), (2, 19), "lists of strings");
    assert_eq!(leaves::<Unordered>(), (2, 5), "whatever the order of declaration");
    assert_eq!(leaves::<Checked>().0, 0, "a string in bytes is to be checked");
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize)]
#[tobu(package = "wire.encode", values(ZERO = 0, ONE = 1))]
struct Open(i32);

impl Any for Open {
    fn any(random: &mut Random) -> Self {
        Open(i32::any(random))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize)]
#[tobu(package = "wire.encode")]
enum Closed {
    #[default]
    Nil = 0,
    Minus = -1,
    Big = 70_000,
}

impl Any for Closed {
    fn any(random: &mut Random) -> Self {
        [Closed::Nil, Closed::Minus, Closed::Big][random.below(3)]
    }
}

impl NotByte for Open {}
impl NotByte for Closed {}
impl NotByte for Small {}

macro_rules! message {
    ($name:ident { $(#[$attr:meta] $field:ident: $ty:ty,)* }) => {
        #[derive(Message, Serialize)]
        #[tobu(package = "wire.encode")]
        struct $name { $(#[$attr] $field: $ty,)* }

        impl Any for $name {
            fn any(random: &mut Random) -> Self {
                $name { $($field: Any::any(random),)* }
            }
        }
    };
}

message!(Small {
    #[tobu(1)]
    x: f32,
    #[tobu(2)]
    y: f32,
    #[tobu(3)]
    z: f32,
});

/// A message with a field of every kind, each in the same wrapper.
macro_rules! every_kind {
    ($name:ident $(<$wrap:ident>)? $(, $packed:ident = $no:literal)?) => {
        message!($name {
            #[tobu(1 $(, $packed = $no)?)] int32: every_kind!(@ $($wrap)? i32),
            #[tobu(2 $(, $packed = $no)?)] int64: every_kind!(@ $($wrap)? i64),
            #[tobu(3 $(, $packed = $no)?)] uint32: every_kind!(@ $($wrap)? u32),
            #[tobu(4 $(, $packed = $no)?)] uint64: every_kind!(@ $($wrap)? u64),
            #[tobu(5, sint32 $(, $packed = $no)?)] sint32: every_kind!(@ $($wrap)? i32),
            #[tobu(6, sint64 $(, $packed = $no)?)] sint64: every_kind!(@ $($wrap)? i64),
            #[tobu(7, fixed32 $(, $packed = $no)?)] fixed32: every_kind!(@ $($wrap)? u32),
            #[tobu(8, fixed64 $(, $packed = $no)?)] fixed64: every_kind!(@ $($wrap)? u64),
            #[tobu(9, sfixed32 $(, $packed = $no)?)] sfixed32: every_kind!(@ $($wrap)? i32),
            #[tobu(10, sfixed64 $(, $packed = $no)?)] sfixed64: every_kind!(@ $($wrap)? i64),
            #[tobu(11 $(, $packed = $no)?)] float: every_kind!(@ $($wrap)? f32),
            #[tobu(12 $(, $packed = $no)?)] double: every_kind!(@ $($wrap)? f64),
            #[tobu(13 $(, $packed = $no)?)] flag: every_kind!(@ $($wrap)? bool),
            #[tobu(14 $(, $packed = $no)?)] open: every_kind!(@ $($wrap)? Open),
            #[tobu(15 $(, $packed = $no)?)] closed: every_kind!(@ $($wrap)? Closed),
            #[tobu(16)] string: every_kind!(@ $($wrap)? String),
            #[tobu(17)] vec: every_kind!(@ $($wrap)? Vec<u8>),
            #[tobu(18)] bytes: every_kind!(@ $($wrap)? Bytes),
            #[tobu(300_000_000)] message: every_kind!(@ $($wrap)? Small),
            #[tobu(unknown)] rest: UnknownFields,
        });
    };
    (@ $ty:ty) => { $ty };
    (@ $wrap:ident $ty:ty) => { $wrap<$ty> };
}

every_kind!(Plain);
every_kind!(Options<Option>);
every_kind!(Boxes<Box>);
every_kind!(Packed<Vec>);
every_kind!(Unpacked<Vec>, packed = false);

message!(Maps {
    #[tobu(1)] a: HashMap<i32, i32>,
    #[tobu(2)] b: BTreeMap<i64, i64>,
    #[tobu(3)] c: VecMap<u32, u32>,
    #[tobu(4)] d: BTreeMap<u64, u64>,
    #[tobu(5, key = "sint32", value = "sint32")] e: BTreeMap<i32, i32>,
    #[tobu(6, key = "sint64", value = "sint64")] f: BTreeMap<i64, i64>,
    #[tobu(7, key = "fixed32", value = "fixed32")] g: BTreeMap<u32, u32>,
    #[tobu(8, key = "fixed64", value = "fixed64")] h: BTreeMap<u64, u64>,
    #[tobu(9, key = "sfixed32", value = "sfixed32")] i: BTreeMap<i32, i32>,
    #[tobu(10, key = "sfixed64", value = "sfixed64")] j: HashMap<i64, i64>,
    #[tobu(11)] k: HashMap<bool, f32>,
    #[tobu(12)] l: VecMap<String, f64>,
    #[tobu(13)] m: HashMap<String, bool>,
    #[tobu(14)] n: HashMap<String, Open>,
    #[tobu(15)] o: HashMap<String, Closed>,
    #[tobu(16)] p: HashMap<String, String>,
    #[tobu(17)] q: HashMap<Box<str>, Vec<u8>>,
    #[tobu(18)] r: HashMap<String, Bytes>,
    #[tobu(19)] s: HashMap<i32, Small>,
    #[tobu(20)] t: HashMap<String, Box<Small>>,
    #[tobu(21)] u: BTreeMap<u32, String>,
});

message!(Texts {
    #[tobu(1)] a: &'static str,
    #[tobu(2)] b: Cow<'static, str>,
    #[tobu(3)] c: Box<str>,
    #[tobu(4)] d: Cow<'static, [u8]>,
    #[tobu(5)] e: Box<[u8]>,
    #[tobu(6)] f: Option<Box<str>>,
    #[tobu(7)] g: Option<&'static str>,
    #[tobu(8)] h: Vec<&'static str>,
    #[tobu(9)] i: Box<Option<i32>>,
    #[tobu(10)] j: Option<Box<Small>>,
    #[tobu(11, required)] k: Option<String>,
    #[tobu(12, required)] l: Option<i32>,
    #[tobu(13, required)] m: Option<f64>,
    #[tobu(14, required)] n: Option<Closed>,
    #[tobu(15, required)] o: Option<Box<Small>>,
    #[tobu(16, required)] p: Option<Small>,
    #[tobu(17, required)] q: i32,
    #[tobu(18, delimited)] r: Option<Small>,
});

#[derive(Oneof, Serialize)]
enum Choice {
    #[tobu(2)]
    Int32(i32),
    #[tobu(3, sint64)]
    SInt64(i64),
    #[tobu(4)]
    Float(f32),
    #[tobu(5, fixed64)]
    Fixed64(u64),
    #[tobu(6)]
    Flag(bool),
    #[tobu(7)]
    Open(Open),
    #[tobu(8)]
    Closed(Closed),
    #[tobu(9)]
    Text(String),
    #[tobu(10)]
    Bytes(Bytes),
    #[tobu(11)]
    Deep(Box<Deep>),
    #[tobu(12)]
    Small(Small),
    #[tobu(13, delimited)]
    Grouped(Box<Deep>),
}

impl Any for Choice {
    fn any(random: &mut Random) -> Self {
        match random.below(10) {
            0 => Choice::Int32(Any::any(random)),
            1 => Choice::SInt64(Any::any(random)),
            2 => Choice::Float(Any::any(random)),
            3 => Choice::Fixed64(Any::any(random)),
            4 => Choice::Flag(Any::any(random)),
            5 => Choice::Open(Any::any(random)),
            6 => Choice::Closed(Any::any(random)),
            7 => Choice::Text(Any::any(random)),
            8 => Choice::Bytes(Any::any(random)),
            _ => Choice::Small(Any::any(random)),
        }
    }
}

#[derive(Default, Message, Serialize)]
#[tobu(package = "wire.encode")]
struct Deep {
    #[tobu(1)]
    count: i32,
    #[tobu(oneof)]
    choice: Option<Choice>,
    #[tobu(20)]
    one: Option<Box<Deep>>,
    #[tobu(21)]
    list: Vec<Deep>,
    #[tobu(22)]
    map: HashMap<i32, Deep>,
    #[tobu(23, delimited)]
    group: Option<Box<Deep>>,
    #[tobu(24)]
    named: HashMap<String, Deep>,
    #[tobu(25)]
    content: String,
    #[tobu(26)]
    strict: Option<Box<Strict>>,
    #[tobu(27, delimited)]
    groups: Vec<Deep>,
}

message!(Strict { #[tobu(1, required)] name: Option<String>, });

fn many<T: Message + Serialize + Any>() {
    let mut random = Random(7);
    for _ in 0..300 {
        let _ = same(&T::any(&mut random));
    }
}

#[test]
fn every_kind_in_every_form() {
    many::<Small>();
    many::<Plain>();
    many::<Options>();
    many::<Boxes>();
    many::<Packed>();
    many::<Unpacked>();
    many::<Maps>();
    many::<Texts>();
    let mut random = Random(3);
    for _ in 0..300 {
        let choice = Any::any(&mut random);
        same(&Deep { count: 1, choice, ..Deep::default() }).unwrap();
    }
}

#[test]
fn defaults() {
    let mut random = Random(0);
    let empty = |_: &mut Random| Plain {
        int32: 0,
        int64: 0,
        uint32: 0,
        uint64: 0,
        sint32: 0,
        sint64: 0,
        fixed32: 0,
        fixed64: 0,
        sfixed32: 0,
        sfixed64: 0,
        float: 0.0,
        double: 0.0,
        flag: false,
        open: Open(0),
        closed: Closed::Nil,
        string: String::new(),
        vec: Vec::new(),
        bytes: Bytes::new(),
        message: Small { x: 0.0, y: 0.0, z: 0.0 },
        rest: UnknownFields::new(),
    };
    // A Rust enum stands for a closed enum, which has presence, as a message has.
    assert_eq!(same(&empty(&mut random)).unwrap(), b"\x78\x00\x82\xb0\xb4\xf8\x08\x00");
    let negative = Plain { float: -0.0, double: -0.0, ..empty(&mut random) };
    assert_eq!(same(&negative).unwrap().len(), 8 + 5 + 9);
}

type Wrap = fn(Deep) -> Deep;

#[test]
fn a_hundred_levels_take_little_stack() {
    // The entry of a map is also a level.
    let wraps: [(usize, Wrap); 8] = [
        (1, |inner| Deep { one: Some(Box::new(inner)), ..Deep::default() }),
        (1, |inner| Deep { list: vec![inner], ..Deep::default() }),
        (2, |inner| Deep { map: HashMap::from([(-7, inner)]), ..Deep::default() }),
        (1, |inner| Deep { group: Some(Box::new(inner)), ..Deep::default() }),
        (2, |inner| Deep { named: HashMap::from([("a b".into(), inner)]), ..Deep::default() }),
        (1, |inner| Deep { choice: Some(Choice::Deep(Box::new(inner))), ..Deep::default() }),
        (1, |inner| Deep { choice: Some(Choice::Grouped(Box::new(inner))), ..Deep::default() }),
        (1, |inner| Deep { groups: vec![inner], ..Deep::default() }),
    ];
    let run = move || {
        for (cost, wrap) in wraps {
            let nest = |levels: usize| {
                (0..(levels - 1) / cost).fold(Deep { count: 5, ..Deep::default() }, |inner, _| wrap(inner))
            };
            same(&nest(100)).unwrap();
            assert!(same(&nest(101)).unwrap_err().ends_with("messages are nested deeper than 100 levels"));
            let options = EncodeOptions::new().limits(Limits::default().depth(3));
            let settings = Settings { max_depth: 3, deterministic: false, partial: false };
            assert_eq!(new(&nest(4), settings), options.to_vec(&nest(4)).map_err(|error| error.to_string()));
            let strict = Deep { strict: Some(Box::new(Strict { name: None })), ..Deep::default() };
            assert!(same(&wrap(wrap(strict))).is_err());
        }
    };
    // It must also work where nothing is inlined, with room for the caller's frames on the stack of a thread.
    let stack = if cfg!(debug_assertions) { 1 << 20 } else { 256 << 10 };
    std::thread::Builder::new().stack_size(stack).spawn(run).unwrap().join().unwrap();
}

/// A required field between messages.
#[derive(Default, Message, Serialize)]
#[tobu(package = "wire.encode")]
struct Mixed {
    #[tobu(1)]
    list: Vec<Deep>,
    #[tobu(2, required)]
    name: Option<String>,
    #[tobu(3)]
    one: Option<Box<Deep>>,
    #[tobu(4)]
    map: BTreeMap<i32, Deep>,
    #[tobu(5)]
    again: Vec<Deep>,
}

#[test]
fn levels_are_left_where_they_were_entered() {
    let chain = |levels| {
        (1..levels).fold(Deep { count: 1, ..Deep::default() }, |inner, level| match level % 3 {
            0 => Deep { list: vec![inner], ..Deep::default() },
            1 => Deep { map: HashMap::from([(1, inner)]), ..Deep::default() },
            _ => Deep { choice: Some(Choice::Deep(Box::new(inner))), ..Deep::default() },
        })
    };
    // The entry of a map is also a level.
    let depth = |levels: u32| 1 + (1..levels).map(|level| 1 + u32::from(level % 3 == 1)).sum::<u32>();
    for levels in 1..8 {
        for last in [levels, levels + 1] {
            let message = Mixed {
                list: vec![chain(levels), chain(levels)],
                name: Some("x".into()),
                one: Some(Box::new(chain(levels))),
                map: (1..levels).last().map(|levels| (1, chain(levels))).into_iter().collect(),
                again: vec![chain(1), chain(last)],
            };
            let settings = Settings { max_depth: 1 + depth(levels), deterministic: false, partial: false };
            assert_eq!(new(&message, settings).is_ok(), last == levels, "{levels} levels");
        }
    }
}

#[test]
fn bodies_of_all_sizes_at_all_depths() {
    let sizes = [0, 1, 100, 120, 125, 126, 127, 128, 4090, 4096, 4097, 16_000, 16_383, 16_384, 2_200_000];
    for size in sizes {
        for levels in [1, 2, 3, 60] {
            let content = || Deep { content: "x".repeat(size), ..Deep::default() };
            let message = (0..levels).fold(content(), |inner, level| match level % 5 {
                0 => Deep { list: vec![Deep::default(), inner, content()], count: 1, ..Deep::default() },
                1 => Deep { map: HashMap::from([(1, inner)]), ..Deep::default() },
                2 if size < 5000 => Deep {
                    list: vec![content(), inner, Deep::default()],
                    named: HashMap::from([("a".into(), content())]),
                    ..Deep::default()
                },
                3 => Deep { group: Some(Box::new(inner)), count: 1, ..Deep::default() },
                _ => Deep { one: Some(Box::new(inner)), count: 1, ..Deep::default() },
            });
            if size < 100_000 || levels < 4 {
                same(&message).unwrap();
            }
        }
    }
}

#[test]
fn an_error_says_where_it_is_whatever_follows() {
    let strict = |name: Option<&str>| Some(Box::new(Strict { name: name.map(str::to_string) }));
    let wrong = || Deep { strict: strict(None), ..Deep::default() };
    let whole = || Deep { strict: strict(Some("a")), ..Deep::default() };
    // All kinds of fields come after the error.
    let full = |choice, one, list, named| Deep {
        count: 1,
        choice,
        one: Some(Box::new(one)),
        list,
        map: HashMap::from([(1, whole())]),
        group: Some(Box::new(whole())),
        named: HashMap::from([("key".into(), named)]),
        content: "x".repeat(5000),
        strict: strict(Some("b")),
        groups: vec![whole(), whole()],
    };
    let nest = |inner: Deep| full(None, whole(), vec![whole(), inner, whole()], whole());
    for is_wrong in [false, true, false] {
        let inner = || if is_wrong { wrong() } else { whole() };
        let rows = [
            ("one", full(None, inner(), vec![whole()], whole())),
            ("list[1]", full(None, whole(), vec![whole(), inner()], whole())),
            ("named[\"key\"]", full(None, whole(), vec![whole()], inner())),
            ("deep", full(Some(Choice::Deep(Box::new(inner()))), whole(), vec![], whole())),
        ];
        for (path, message) in rows {
            match same(&nest(message)) {
                Ok(_) => assert!(!is_wrong),
                Err(error) => assert_eq!(
                    error,
                    format!("wire.encode.Deep.list[1].{path}.strict.name: required field name has no value")
                ),
            }
        }
    }
}

#[derive(Default, Message, Serialize)]
#[tobu(package = "wire.encode")]
struct Labels {
    #[tobu(1)]
    hashed: HashMap<String, String>,
    #[tobu(2)]
    data: HashMap<String, Vec<u8>>,
    #[tobu(17)]
    sorted: BTreeMap<String, String>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Default, Message, Serialize)]
#[tobu(package = "wire.encode")]
struct Labelled {
    #[tobu(1)]
    one: Option<Labels>,
    #[tobu(2)]
    list: Vec<Labels>,
    #[tobu(3)]
    boxed: Option<Box<Labelled>>,
}

/// A length-delimited record, built by the specification and not by the code under test.
fn delimited(tag: &[u8], body: &[u8]) -> Vec<u8> {
    let mut bytes = tag.to_vec();
    let mut len = body.len();
    while len >= 0x80 {
        bytes.push(len as u8 | 0x80);
        len >>= 7;
    }
    bytes.push(len as u8);
    bytes.extend_from_slice(body);
    bytes
}

#[test]
fn maps_of_strings_of_all_lengths() {
    let text = |len: usize| (0..len).map(|i| char::from(b'a' + (i % 26) as u8)).collect::<String>();
    let lens = (0..40).chain(58..70).chain(118..134).chain([4091, 4096, 4097, 16_384]);
    for key in lens.clone() {
        for value in lens.clone() {
            let (key, value) = (text(key), text(value));
            let entry = [delimited(&[0x0a], key.as_bytes()), delimited(&[0x12], value.as_bytes())].concat();
            let hashed = delimited(&[0x0a], &entry);
            let sorted = delimited(&[0x8a, 1], &entry);
            let mut message =
                Labels { hashed: HashMap::from([(key.clone(), value.clone())]), ..Labels::default() };
            assert_eq!(same(&message).unwrap(), hashed);
            let data =
                Labels { data: HashMap::from([(key.clone(), value.clone().into())]), ..Labels::default() };
            assert_eq!(same(&data).unwrap(), delimited(&[0x12], &entry));
            if !key.is_empty() {
                message.sorted = BTreeMap::from([(String::new(), String::new()), (key, value)]);
                let empty = delimited(&[0x8a, 1], &[0x0a, 0, 0x12, 0]);
                assert_eq!(same(&message).unwrap(), [hashed, empty, sorted].concat());
            }
        }
    }
}

#[test]
fn unknown_fields_of_nested_messages_come_last() {
    let unknown = |len: usize| delimited(&[0xfa, 7], &vec![7; len]);
    let labels = |len| Labels {
        hashed: HashMap::from([("k".into(), "v".into())]),
        unknown: UnknownFields::from_bytes(&unknown(len)).unwrap(),
        ..Labels::default()
    };
    let bytes = |len| [delimited(&[0x0a], &[0x0a, 1, b'k', 0x12, 1, b'v']), unknown(len)].concat();
    for len in [0, 1, 100, 117, 118, 119, 130, 5000, 20_000] {
        let mut message =
            Labelled { one: Some(labels(len)), list: vec![labels(3), labels(len), labels(0)], boxed: None };
        let list = [3, len, 0].map(|len| delimited(&[0x12], &bytes(len))).concat();
        let mut wanted = [delimited(&[0x0a], &bytes(len)), list].concat();
        for _ in 0..4 {
            assert_eq!(same(&message).unwrap(), wanted);
            message = Labelled { boxed: Some(Box::new(message)), ..Labelled::default() };
            wanted = delimited(&[0x1a], &wanted);
        }
    }
}

#[test]
fn packed_runs_of_all_lengths() {
    let empty = || Packed { message: vec![], string: vec![], ..Packed::any(&mut Random(2)) };
    for len in [1, 30, 127, 128, 129, 1000, 4095, 4097, 16_383, 16_384, 20_000] {
        let message = |wide: bool| Packed {
            int32: (0..len).map(|i| if wide { i } else { 1 }).collect(),
            // The first values say nothing about the others.
            uint64: (0..len as u64).map(|i| if wide == (i > 9) { u64::MAX - i } else { 0 }).collect(),
            closed: vec![Closed::Big; len as usize],
            double: vec![0.5; len as usize],
            ..empty()
        };
        same(&message(true)).unwrap();
        same(&message(false)).unwrap();
    }
    same(&Packed { int32: (0..700_000).collect(), ..empty() }).unwrap();
}

#[test]
fn lists_of_strings_of_all_lengths() {
    let of = |lens: &[usize]| Packed {
        string: lens.iter().map(|len| "x".repeat(*len)).collect(),
        message: vec![],
        ..Packed::any(&mut Random(3))
    };
    same(&of(&[0])).unwrap();
    same(&of(&(0..4100).step_by(7).collect::<Vec<_>>())).unwrap();
    same(&of(&[1, 4095, 4096, 4097, 0, 3_000_000, 5])).unwrap();
}

#[derive(Message, Serialize)]
#[tobu(package = "wire.encode")]
struct Blobs<'a> {
    #[tobu(1)]
    parts: Vec<&'a [u8]>,
    #[tobu(2)]
    inner: Option<Box<Blobs<'a>>>,
}

#[test]
fn what_is_too_long_is_not_written_first() {
    let part = vec![0; 1 << 31];
    let message = Blobs { parts: vec![b"a", &part, &part], inner: None };
    let too_long = "the message takes more than the maximum of 2147483647 bytes";
    assert_eq!(same(&message).unwrap_err(), too_long);
    let error = crate::encoded_len(&message).unwrap_err();
    assert_eq!(error.message(), "length of 4294967311 bytes is above the maximum of 2147483647");
    let nested = Blobs { parts: vec![&part[..1000]; 9], inner: Some(Box::new(message)) };
    let settings = Settings { max_depth: 100, deterministic: false, partial: false };
    assert_eq!(new(&nested, settings).unwrap_err(), too_long);
}

#[derive(Message, Serialize)]
#[tobu(descriptor = StringValue::descriptor())]
struct Checked {
    value: Vec<u8>,
}

#[derive(Message, Serialize)]
#[tobu(package = "wire.encode")]
struct Around {
    #[tobu(1)]
    list: Vec<Checked>,
    #[tobu(2)]
    map: BTreeMap<String, Checked>,
}

#[test]
fn strings_in_bytes_are_checked() {
    same(&Checked { value: vec![] }).unwrap();
    same(&Checked { value: b"text".to_vec() }).unwrap();
    let wrong = || Checked { value: vec![b'a', 0xff] };
    let error = same(&wrong()).unwrap_err();
    assert_eq!(error, "google.protobuf.StringValue.value: the bytes of a string are not valid UTF-8");
    let list = vec![Checked { value: vec![] }, wrong()];
    assert!(
        same(&Around { list, map: BTreeMap::new() })
            .unwrap_err()
            .starts_with("wire.encode.Around.list[1].value: ")
    );
    let map = BTreeMap::from([("a".into(), Checked { value: vec![] }), ("b\n".into(), wrong())]);
    same(&Around { list: vec![], map }).unwrap_err();
}

#[derive(Oneof, Serialize)]
enum Apart {
    #[tobu(2)]
    Two(i32),
    #[tobu(9)]
    Nine(String),
    #[tobu(3)]
    Three(Small),
}

#[derive(Message, Serialize)]
#[tobu(package = "wire.encode")]
struct Unordered {
    #[tobu(8)]
    eight: i32,
    #[tobu(oneof)]
    apart: Option<Apart>,
    #[tobu(1)]
    one: i32,
    #[tobu(5)]
    five: Vec<i32>,
}

#[test]
fn fields_come_in_the_order_of_their_numbers() {
    let rows: [(Option<Apart>, &[u8]); 4] = [
        (None, b"\x08\x01\x2a\x01\x05\x40\x08"),
        (Some(Apart::Two(0)), b"\x08\x01\x10\x00\x2a\x01\x05\x40\x08"),
        (Some(Apart::Nine("9".into())), b"\x08\x01\x2a\x01\x05\x40\x08\x4a\x019"),
        (Some(Apart::Three(Small { x: 0.0, y: 0.0, z: 0.0 })), b"\x08\x01\x1a\x00\x2a\x01\x05\x40\x08"),
    ];
    for (apart, wanted) in rows {
        let message = Unordered { eight: 8, apart, one: 1, five: vec![5] };
        let settings = Settings { max_depth: 100, deterministic: false, partial: false };
        assert_eq!(new(&message, settings).unwrap(), wanted);
    }
}

#[test]
fn keys_are_sorted_by_what_they_are() {
    let mut message = Maps::any(&mut Random(0));
    message.a = [(10, 1), (9, 2), (-1, 3), (i32::MIN, 4)].into_iter().collect();
    message.m = ["b", "B", "é", "aa", ""].into_iter().map(|key| (key.into(), true)).collect();
    message.k = HashMap::from([(true, 1.0), (false, 2.0)]);
    let settings = Settings { max_depth: 100, deterministic: true, partial: false };
    let old = EncodeOptions::new().deterministic(true).to_vec(&message).unwrap();
    assert_eq!(new(&message, settings).unwrap(), old);
}
