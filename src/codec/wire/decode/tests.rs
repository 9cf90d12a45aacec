//! Compares the decoder with that of dynamic messages: content, errors and positions, on any bytes.

mod lengths;
mod refill;
mod small;

use super::{Input, Mode, Validated, decode};
use crate::object::TypedMut;
use crate::{
    Category, DecodeOptions, Deserialize, Enumeration, Error, Limits, Merge, Message, Oneof, Pool, Serialize,
    UnknownFields, VecMap,
};
use bytes::Bytes;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::LazyLock;

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct All {
    #[tobu(1)]
    int: i32,
    #[tobu(2)]
    long: i64,
    #[tobu(3, sint32)]
    signed: i32,
    #[tobu(4, sint64)]
    long_signed: i64,
    #[tobu(5)]
    flag: bool,
    #[tobu(6)]
    float: f32,
    #[tobu(7)]
    double: f64,
    #[tobu(8, fixed32)]
    fixed: u32,
    #[tobu(9)]
    text: String,
    #[tobu(10)]
    bytes: Vec<u8>,
    #[tobu(11)]
    maybe_int: Option<i32>,
    #[tobu(12)]
    maybe_text: Option<String>,
    #[tobu(13)]
    maybe_bytes: Option<Vec<u8>>,
    #[tobu(14)]
    maybe_flag: Option<bool>,
    #[tobu(15)]
    maybe_double: Option<f64>,
    #[tobu(16)]
    numbers: Vec<i32>,
    #[tobu(17, packed = false)]
    loose: Vec<u64>,
    #[tobu(18)]
    floats: Vec<f32>,
    #[tobu(19)]
    flags: Vec<bool>,
    #[tobu(20, sint64)]
    zigzags: Vec<i64>,
    #[tobu(21)]
    texts: Vec<String>,
    #[tobu(22)]
    blobs: Vec<Vec<u8>>,
    #[tobu(23)]
    child: Option<Box<All>>,
    #[tobu(24)]
    leaf: Option<Leaf>,
    #[tobu(25)]
    bare: Leaf,
    #[tobu(26)]
    leaves: Vec<Leaf>,
    #[tobu(27)]
    children: Vec<All>,
    #[tobu(28)]
    names: BTreeMap<String, i32>,
    #[tobu(29)]
    by_id: BTreeMap<i64, All>,
    #[tobu(30)]
    named_levels: BTreeMap<bool, Level>,
    #[tobu(31)]
    level: Level,
    #[tobu(32)]
    levels: Vec<Level>,
    #[tobu(33)]
    color: Color,
    #[tobu(34)]
    colors: Vec<Color>,
    #[tobu(35, delimited)]
    group: Option<Leaf>,
    #[tobu(36, delimited)]
    groups: Vec<Leaf>,
    #[tobu(37)]
    texts_by_text: BTreeMap<String, String>,
    #[tobu(38)]
    leaves_by_text: VecMap<String, Leaf>,
    #[tobu(39)]
    bytes_by_text: BTreeMap<String, Vec<u8>>,
    #[tobu(oneof)]
    choice: Option<Choice>,
    #[tobu(46, value = "fixed64")]
    fixed_by_number: BTreeMap<u32, u64>,
    #[tobu(47, key = "sint64")]
    shared_by_number: BTreeMap<i64, Bytes>,
    #[tobu(48, key = "sfixed32", value = "sint32")]
    signed_by_fixed: VecMap<i32, i32>,
    #[tobu(49)]
    levels_by_text: BTreeMap<Box<str>, Level>,
    #[tobu(50)]
    boxed: Box<str>,
    #[tobu(51)]
    shared: Bytes,
    #[tobu(52)]
    maybe_level: Option<Level>,
    #[tobu(53)]
    spot: Option<Spot>,
    #[tobu(54)]
    spots: Vec<Spot>,
    #[tobu(55)]
    corner: Spot,
    #[tobu(56)]
    mixed: Option<Box<Mixed>>,
    #[tobu(57)]
    mixes: Vec<Mixed>,
    #[tobu(65)]
    maybe_boxed: Option<Box<str>>,
    #[tobu(66)]
    maybe_shared: Option<Bytes>,
    #[tobu(2000)]
    far: u32,
    #[tobu(536870911)]
    last: u32,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Debug, PartialEq, Oneof, Serialize, Deserialize)]
#[tobu(crate = "crate")]
enum Choice {
    #[tobu(40)]
    Words(String),
    #[tobu(41, sint32)]
    Amount(i32),
    #[tobu(42)]
    Sprout(Leaf),
    #[tobu(43)]
    Whole(Box<All>),
    #[tobu(44)]
    Height(Level),
    #[tobu(45)]
    Place(Spot),
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Spot {
    #[tobu(1)]
    x: f32,
    #[tobu(2, fixed32)]
    y: u32,
    #[tobu(3)]
    z: f32,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Mixed {
    #[tobu(1)]
    id: i32,
    #[tobu(2)]
    score: f64,
    #[tobu(3)]
    on: bool,
    #[tobu(4, sint64)]
    delta: i64,
    #[tobu(5)]
    color: Color,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Leaf {
    #[tobu(3, sint32)]
    z: i32,
    #[tobu(1)]
    x: i32,
    #[tobu(2)]
    y: Option<f32>,
    #[tobu(5)]
    note: String,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
enum Level {
    #[default]
    Low = 0,
    High = 5,
    Below = -1,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(package = "decode", values(WHITE = 0, BLACK = 1), crate = "crate")]
struct Color(i32);

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Strict {
    #[tobu(2)]
    inner: Option<Box<Strict>>,
    #[tobu(1, required)]
    id: i32,
    #[tobu(3)]
    many: Vec<Strict>,
    #[tobu(4)]
    named: BTreeMap<String, Strict>,
    #[tobu(5, required)]
    name: Option<String>,
    #[tobu(6, delimited)]
    group: Option<Box<Strict>>,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct View<'a> {
    #[tobu(9)]
    text: &'a str,
    #[tobu(10)]
    bytes: &'a [u8],
    #[tobu(12)]
    maybe: Option<&'a str>,
    #[tobu(13)]
    maybe_bytes: Option<&'a [u8]>,
    #[tobu(58)]
    slices: Vec<&'a [u8]>,
    #[tobu(21)]
    texts: Vec<&'a str>,
    #[tobu(50)]
    either: Cow<'a, str>,
    #[tobu(22)]
    blobs: Vec<Cow<'a, [u8]>>,
    #[tobu(37)]
    map: VecMap<&'a str, &'a str>,
    #[tobu(39)]
    slices_by_text: BTreeMap<&'a str, &'a [u8]>,
    #[tobu(28)]
    numbers_by_text: VecMap<&'a str, i32>,
    #[tobu(47, key = "sint64")]
    either_by_number: BTreeMap<i64, Cow<'a, [u8]>>,
    #[tobu(65)]
    maybe_either: Option<Cow<'a, str>>,
    #[tobu(27)]
    children: Vec<View<'a>>,
}

static POOL: LazyLock<Pool> = LazyLock::new(|| {
    let source = r#"
        syntax = "proto3";
        package decode.open;
        enum Mood { GOOD = 0; BAD = 5; WORSE = -1; }
        message Day { Mood mood = 31; repeated Mood moods = 32; map<bool, Mood> named = 30; optional Mood maybe = 52;
            oneof choice { Mood chosen = 44; } Day child = 23; }
    "#;
    let file = protox::file::File::from_source("decode_open.proto", source).unwrap();
    let mut pool = Pool::new();
    pool.add_file(&prost::Message::encode_to_vec(file.file_descriptor_proto())).unwrap();
    pool
});

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, Serialize, Deserialize)]
#[tobu(descriptor = POOL, enumeration = "decode.open.Mood", crate = "crate")]
enum Mood {
    #[default]
    Good = 0,
    Bad = 5,
    Worse = -1,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(descriptor = POOL, message = "decode.open.Day", crate = "crate")]
struct Day {
    #[tobu(31)]
    mood: Mood,
    #[tobu(32)]
    moods: Vec<Mood>,
    #[tobu(30)]
    named: BTreeMap<bool, Mood>,
    #[tobu(52)]
    maybe: Option<Mood>,
    #[tobu(oneof)]
    choice: Option<Chosen>,
    #[tobu(23)]
    child: Option<Box<Day>>,
}

#[derive(Clone, Debug, PartialEq, Oneof, Serialize, Deserialize)]
#[tobu(crate = "crate")]
enum Chosen {
    #[tobu(44)]
    Mood(Mood),
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Empty {
    #[tobu(unknown)]
    unknown: UnknownFields,
}

/// Decodes by the table.
fn new<T: Message>(message: &mut T, bytes: &[u8], limits: Limits, mode: Mode) -> Result<(), Error> {
    let table = T::shape().table()?;
    // SAFETY: the table is that of the type.
    let view = unsafe { TypedMut::new(std::ptr::from_mut(message).cast(), table) };
    decode(
        view,
        Input {
            bytes,
            shared: None,
            limits: &limits,
            partial: mode == Mode::Merge,
            validated: Validated::Never,
        },
        mode,
    )
    .map(drop)
}

/// Fails if two messages differ, and shows where. NaN equals NaN here.
fn same(a: &impl Debug, b: &impl Debug, bytes: &[u8]) {
    let (a, b) = (format!("{a:?}"), format!("{b:?}"));
    if a != b {
        let at = a.bytes().zip(b.bytes()).position(|(a, b)| a != b).unwrap_or(a.len().min(b.len()));
        let near = |text: &str| text.chars().skip(at.saturating_sub(80)).take(160).collect::<String>();
        panic!("{}\n{}\n{bytes:x?}", near(&a), near(&b));
    }
}

/// Compares the decoder of a type with that of dynamic messages on any bytes, and its modes among themselves.
fn compare<'de, T>(bytes: &'de [u8], used: &T, limits: Limits) -> Result<T, Error>
where
    T: Message + Merge<'de> + Deserialize<'de> + Serialize + Clone + Debug + Default + PartialEq,
{
    let options = DecodeOptions::new().limits(limits);
    let mut message = T::default();
    let result = new(&mut message, bytes, limits, Mode::Fresh).map(|()| message);
    let descriptor = T::descriptor();
    let dynamic = crate::DynamicMessage::decode_with(&descriptor, bytes, options);
    // The two count different amounts of memory for a message.
    let memory = |error: &Error| error.message().contains("bytes of memory");
    match (&dynamic, &result) {
        (Err(a), _) | (_, Err(a)) if memory(a) => {}
        (Ok(a), Ok(b)) => {
            // One of them writes a member that is always present, and the other omits it.
            let again = a.encode_to_vec().unwrap();
            let mut message = T::default();
            new(&mut message, &again, Limits::default(), Mode::Merge).unwrap();
            let encode = crate::EncodeOptions::new().deterministic(true);
            assert_eq!(encode.to_vec(&message).unwrap(), encode.to_vec(b).unwrap(), "{bytes:x?}");
        }
        // The Rust enum does not have this value.
        (_, Err(error)) if error.category() == Category::Type => {}
        (Err(a), Err(b)) if matches!(a.category(), Category::Required | Category::Limit) => {
            assert_eq!(a.message(), b.message(), "{a} {b} {bytes:x?}");
        }
        // Of two errors in one map entry, each may find a different one first.
        (Err(a), Err(b)) if a.to_string().contains('[') || b.to_string().contains('[') => {
            assert_eq!(a.category(), b.category(), "{a} {b} {bytes:x?}");
        }
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{bytes:x?}"),
        _ => panic!("{dynamic:?}\n{result:?}\n{bytes:x?}"),
    }
    let mut refilled = used.clone();
    let again = new(&mut refilled, bytes, limits, Mode::Refill).map(|()| refilled);
    match (&result, &again) {
        (Ok(a), Ok(b)) => same(a, b, bytes),
        (Err(a), Err(b)) => assert_eq!(a.to_string(), b.to_string(), "{bytes:x?}"),
        _ => panic!("{result:?}\n{again:?}\n{bytes:x?}"),
    }
    let (mut merged, mut wanted) = (used.clone(), used.clone());
    let done = new(&mut merged, bytes, limits, Mode::Merge);
    assert_eq!(options.merge(&mut wanted, bytes).is_ok(), done.is_ok(), "{bytes:x?}");
    if done.is_ok() {
        same(&wanted, &merged, bytes);
    }
    result
}

struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % below.max(1)
    }

    fn of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.next(all.len())]
    }
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn tag(number: u32, wire_type: u32) -> Vec<u8> {
    varint(u64::from(number << 3 | wire_type))
}

fn prefixed(content: &[u8]) -> Vec<u8> {
    [&varint(content.len() as u64)[..], content].concat()
}

/// The numbers of the fields, by type.
const VARINTS: &[u32] =
    &[1, 2, 3, 4, 5, 11, 14, 16, 17, 19, 20, 31, 32, 33, 34, 41, 44, 52, 2000, 536_870_911, 60];
const TEXTS: &[u32] = &[9, 10, 12, 13, 21, 22, 40, 50, 51, 61, 58, 65, 66];
const RUNS: &[u32] = &[16, 17, 18, 19, 20, 32, 34];
const LEAVES: &[u32] = &[24, 25, 26, 42, 45, 53, 54, 55, 56, 57];
const NESTED: &[u32] = &[23, 27, 43, 2, 3];
const MAPS: &[u32] = &[28, 29, 30, 37, 38, 39, 4, 46, 47, 48, 49];

/// Fields of a message without sub-messages, and some that are similar.
fn leaf(random: &mut Random) -> Vec<u8> {
    let fields: [&[u8]; 9] = [
        b"\x08\x05",
        b"\x15\x00\x00\x80\x3f",
        b"\x18\x03",
        b"\x2a\x02hi",
        b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x88\x00\x07",
        b"\x0a\x01A",
        b"\x48\x01",
        b"\x2a\x00",
    ];
    (0..random.next(5)).flat_map(|_| random.of(&fields).to_vec()).collect()
}

/// Numbers, mostly in ascending order.
fn numbers(random: &mut Random, number: u32) -> Vec<u8> {
    let fields: &[&[u8]] = match number {
        56 | 57 => &[b"\x08\xac\x02", b"\x11\0\0\0\0\0\0\xf0\x3f", b"\x18\x01", b"\x20\x07", b"\x28\x01"],
        _ => &[b"\x0d\0\0\x80\x3f", b"\x15\x01\x02\x03\x04", b"\x1d\0\0\0\x40"],
    };
    match random.next(4) {
        0 => fields.concat(),
        1 => (0..random.next(5)).flat_map(|_| random.of(fields).to_vec()).collect(),
        2 => [&leaf(random), &fields.concat()[..]].concat(),
        _ => fields.iter().filter(|_| random.next(3) > 0).flat_map(|field| field.to_vec()).collect(),
    }
}

/// A field of any kind.
fn field(random: &mut Random, depth: u32) -> Vec<u8> {
    let number = |random: &mut Random, all: &[u32]| match random.next(40) {
        0 => random.next(70) as u32 + 1,
        _ => *random.of(all),
    };
    let value = [0, 1, 5, 6, 127, 128, 300, 1 << 20, u64::MAX, u64::MAX - 5, 1 << 35][random.next(11)];
    let texts =
        [&b""[..], b"a", b"hello", "h\u{e9}llo".as_bytes(), b"a longer text than most of them", &[b'x'; 130]];
    let text = *random.of(&texts);
    match random.next(9) {
        0 | 1 => [tag(number(random, VARINTS), 0), varint(value)].concat(),
        2 => {
            let number = number(random, TEXTS);
            (0..1 + random.next(3)).flat_map(|_| [tag(number, 2), prefixed(text)].concat()).collect()
        }
        3 => {
            let fixed64 = random.next(2) == 0;
            let numbers: &[u32] = if fixed64 { &[7, 15, 62] } else { &[6, 8, 18, 63] };
            let len = if fixed64 { 8 } else { 4 };
            [tag(number(random, numbers), if fixed64 { 1 } else { 5 }), vec![value as u8; len]].concat()
        }
        4 => {
            let number = number(random, RUNS);
            let run: Vec<u8> = match number {
                18 => vec![7; 4 * random.next(5)],
                _ => (0..random.next(90))
                    .flat_map(|_| varint([0, 1, 5, 6, 300, u64::MAX][random.next(6)]))
                    .collect(),
            };
            [tag(number, 2), prefixed(&run)].concat()
        }
        5 => {
            let number = number(random, LEAVES);
            let content = |random: &mut Random| match number {
                45 | 53..=57 => numbers(random, number),
                _ => leaf(random),
            };
            (0..1 + random.next(4))
                .flat_map(|_| [tag(number, 2), prefixed(&content(random))].concat())
                .collect()
        }
        6 => {
            let number = *random.of(&[35, 36, 64, 6]);
            [tag(number, 3), leaf(random), tag(number, 4)].concat()
        }
        7 => {
            let number = number(random, MAPS);
            let mut parts = vec![match number {
                28 | 37..=39 | 4 | 49 => [tag(1, 2), prefixed(text)].concat(),
                48 => [tag(1, 5), vec![value as u8; 4]].concat(),
                _ => [tag(1, 0), varint(value)].concat(),
            }];
            parts.push(match number {
                28 | 30 | 48 | 49 => [tag(2, 0), varint(value)].concat(),
                46 => [tag(2, 1), vec![value as u8; 8]].concat(),
                29 | 4 if depth > 0 => [tag(2, 2), prefixed(&message(random, depth - 1))].concat(),
                38 => [tag(2, 2), prefixed(&leaf(random))].concat(),
                _ => [tag(2, 2), prefixed(text)].concat(),
            });
            match random.next(8) {
                0 => parts.reverse(),
                1 => drop(parts.remove(random.next(2))),
                2 => parts.extend_from_within(..),
                3 => parts.push(b"\x18\x01".to_vec()),
                _ => {}
            }
            [tag(number, 2), prefixed(&parts.concat())].concat()
        }
        _ if depth > 0 => {
            let number = number(random, NESTED);
            (0..1 + random.next(3))
                .flat_map(|_| [tag(number, 2), prefixed(&message(random, depth - 1))].concat())
                .collect()
        }
        _ => vec![],
    }
}

fn message(random: &mut Random, depth: u32) -> Vec<u8> {
    (0..random.next(7)).flat_map(|_| field(random, depth)).collect()
}

/// Breaks some bytes.
fn broken(random: &mut Random, bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + random.next(2) {
        let at = random.next(bytes.len());
        match random.next(4) {
            _ if bytes.is_empty() => {}
            0 => bytes[at] = *random.of(&[0, 1, 0x7f, 0x80, 0xff, 7, 11, 12]),
            1 => bytes[at] ^= 1 << random.next(8),
            2 => drop(bytes.remove(at)),
            _ => bytes.insert(at, random.next(256) as u8),
        }
    }
    bytes
}

fn used() -> All {
    let mut random = Random(77);
    let mut used = All::default();
    for _ in 0..60 {
        let field = field(&mut random, 2);
        let _ = crate::merge(&mut used, &field);
    }
    used.child.get_or_insert_default().children = vec![All { int: 5, ..All::default() }; 3];
    used.leaves = vec![Leaf { x: 1, note: "used".into(), ..Leaf::default() }; 4];
    used.spots =
        vec![Spot { x: 1.5, y: 7, z: -1.0, unknown: UnknownFields::from_bytes(b"\x48\x01").unwrap() }; 3];
    used.mixes = vec![Mixed { id: 3, score: 0.5, on: true, delta: -9, color: Color::BLACK }; 2];
    used
}

const ROUNDS: u64 = 500;

#[test]
fn any_bytes_are_read_alike() {
    let (used, limits) = (used(), Limits::default());
    let strict = Strict { id: 1, many: vec![Strict::default()], ..Strict::default() };
    let day = Day { moods: vec![Mood::Bad; 3], choice: Some(Chosen::Mood(Mood::Bad)), ..Day::default() };
    let (mut good, mut bad) = (0, 0);
    for seed in 1..=ROUNDS {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let whole = message(&mut random, 3);
        let mut inputs = vec![whole.clone()];
        inputs.extend((0..4).map(|_| broken(&mut random, &whole)));
        for bytes in inputs {
            match compare(&bytes, &used, limits) {
                Ok(_) => good += 1,
                Err(_) => bad += 1,
            }
            let _ = compare(&bytes, &strict, limits);
            let _ = compare(&bytes, &day, limits);
            let _ = compare(&bytes, &Empty::default(), limits);
            let _ = compare::<View<'_>>(&bytes, &View::default(), limits);
            // Few levels, and little memory.
            let _ = compare(&bytes, &used, Limits::default().depth(2));
            let _ = compare(&bytes, &used, Limits::default().memory(3 * size_of::<All>() as u64 + 100));
        }
    }
    assert!(good > 200 && bad > 200, "{good} {bad}");
}

#[test]
fn every_cut_is_read_alike() {
    let (used, limits) = (used(), Limits::default());
    let mut random = Random(4711);
    let whole: Vec<u8> = (0..40).flat_map(|_| field(&mut random, 2)).collect();
    for cut in 0..=whole.len() {
        let _ = compare(&whole[..cut], &used, limits);
    }
}

#[test]
fn an_index_counts_all_elements() {
    let rows: [(&[u8], &str); 5] = [
        (
            b"\xaa\x01\x01a\x08\x01\xaa\x01\x01\xff",
            "decode.All.texts[1]: invalid UTF-8 in a string (at byte 9)",
        ),
        (
            b"\xd2\x01\x00\xd2\x01\x00\x08\x01\xd2\x01\x01\x80",
            "decode.All.leaves[2]: input ends inside a varint (at byte 11)",
        ),
        (
            b"\x82\x01\x02\x01\x02\x82\x01\x02\x01\x80",
            "decode.All.numbers[3]: input ends inside a varint (at byte 9)",
        ),
        (
            b"\x82\x01\x02\x01\x02\x80\x01\x80",
            "decode.All.numbers[2]: input ends inside a varint (at byte 7)",
        ),
        (
            b"\x88\x01\x02\x88\x01\x02\x88\x01\x80",
            "decode.All.loose[2]: input ends inside a varint (at byte 8)",
        ),
    ];
    for (bytes, wanted) in rows {
        let error = new(&mut All::default(), bytes, Limits::default(), Mode::Fresh).unwrap_err();
        assert_eq!(error.to_string(), wanted);
    }
}

#[test]
fn a_required_field_may_be_in_any_piece() {
    let rows: [(&[u8], &str); 6] = [
        (b"\x08\x01\x2a\x00", ""),
        (b"\x08\x01", "decode.Strict: required field name has no value"),
        (b"\x08\x01\x2a\x00\x12\x02\x08\x01\x12\x02\x2a\x00", ""),
        (
            b"\x08\x01\x2a\x00\x12\x02\x08\x01\x12\x02\x08\x00",
            "decode.Strict.inner: required field name has no value (at byte 12)",
        ),
        (b"\x08\x01\x2a\x00\x1a\x00", "decode.Strict.many[0]: required field id has no value (at byte 6)"),
        (
            b"\x08\x01\x2a\x00\x22\x05\x0a\x01k\x12\x00",
            "decode.Strict.named[\"k\"]: required field id has no value (at byte 11)",
        ),
    ];
    for (bytes, wanted) in rows {
        let result = compare(bytes, &Strict::default(), Limits::default()).map_err(|error| error.to_string());
        assert_eq!(result.map(drop).err().unwrap_or_default(), wanted);
    }
}

#[test]
fn a_required_field_is_missed_where_its_message_ends() {
    // The fields in any order, and an unknown one at the end.
    for inner in [b"\x2a\x01x\x48\x01", b"\x48\x01\x2a\x01x"] {
        let bytes = [b"\x08\x01\x2a\x01n\x12\x05", &inner[..]].concat();
        let typed = crate::from_slice::<Strict>(&bytes).unwrap_err().to_string();
        assert_eq!(typed, "decode.Strict.inner: required field id has no value (at byte 12)");
        let dynamic = crate::DynamicMessage::decode(&Strict::descriptor(), &bytes).unwrap_err();
        assert_eq!(dynamic.to_string(), typed);
    }
}

#[test]
fn a_hundred_levels_take_little_stack() {
    let nest = |levels: usize, number: u32| {
        (1..levels).fold(Vec::new(), |inner: Vec<u8>, _| {
            let content = match number {
                29 => [b"\x08\x01\x12".to_vec(), prefixed(&inner)].concat(),
                _ => inner,
            };
            [tag(number, 2), prefixed(&content)].concat()
        })
    };
    let run = move || {
        for number in [23, 27, 29, 43] {
            let limits = Limits::default();
            // The entry of a map is also a level.
            let most = if number == 29 { 50 } else { 100 };
            assert!(new(&mut All::default(), &nest(most, number), limits, Mode::Fresh).is_ok());
            let error = new(&mut All::default(), &nest(most + 1, number), limits, Mode::Fresh).unwrap_err();
            assert_eq!(error.message(), "messages are nested deeper than 100 levels");
        }
    };
    let stack = if cfg!(debug_assertions) { 1 << 20 } else { 256 << 10 };
    std::thread::Builder::new().stack_size(stack).spawn(run).unwrap().join().unwrap();
}

#[test]
fn bytes_share_the_input() {
    let input = Bytes::from_static(b"\x9a\x03\x03rgb");
    let mut message = All::default();
    let table = All::shape().table().unwrap();
    // SAFETY: the table is that of the type.
    let view = unsafe { TypedMut::new(std::ptr::from_mut(&mut message).cast(), table) };
    let whole = Input {
        bytes: &input,
        shared: Some(&input),
        limits: &Limits::default(),
        partial: false,
        validated: Validated::Never,
    };
    decode(view, whole, Mode::Fresh).unwrap();
    assert_eq!(message.shared.as_ptr(), input[3..].as_ptr());
}

#[test]
fn allocations_are_kept() {
    let wire = crate::to_vec(&All {
        text: "some text".into(),
        texts: vec!["one".into(), "two".into()],
        leaves: vec![Leaf { note: "a note".into(), ..Leaf::default() }; 2],
        maybe_text: Some("maybe".into()),
        ..All::default()
    })
    .unwrap();
    let mut message: All = crate::from_slice(&wire).unwrap();
    let places = |message: &All| {
        [
            message.text.as_ptr(),
            message.texts[1].as_ptr(),
            message.leaves[1].note.as_ptr(),
            message.maybe_text.as_ref().unwrap().as_ptr(),
        ]
    };
    let (before, copy) = (places(&message), message.clone());
    new(&mut message, &wire, Limits::default(), Mode::Refill).unwrap();
    assert_eq!((places(&message), &message), (before, &copy));
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Edge {
    #[tobu(1)]
    from: Option<Spot>,
    #[tobu(2)]
    weight: Option<f64>,
    #[tobu(3)]
    to: Option<Spot>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

#[derive(Clone, Debug, Default, PartialEq, Message, Serialize, Deserialize)]
#[tobu(package = "decode", crate = "crate")]
struct Net {
    #[tobu(1)]
    edges: Vec<Edge>,
    #[tobu(2)]
    name: String,
}

#[test]
fn elements_without_allocations_are_emptied() {
    let spot = Edge::shape().table().unwrap().row(1).unwrap().message().unwrap();
    assert_eq!(spot.fixed_len, 15, "its messages are read in one pass where all numbers are there");
    let pieces: [&[u8]; 7] = [
        b"\x0a\x00",
        b"\x0a\x11\x0a\x0f\x0d\0\0\x80\x3f\x15\x07\0\0\0\x1d\0\0\0\x40",
        b"\x0a\x09\x11\0\0\0\0\0\0\xf0\x3f",
        b"\x0a\x02\x0a\x00",
        b"\x0a\x03\xf8\x01\x07",
        b"\x12\x01n",
        b"\x0a\x05\x1a\x03\xf8\x01\x07",
    ];
    let mut used = Net::default();
    for index in 0..pieces.len().pow(3) {
        let chosen = [index, index / pieces.len(), index / pieces.len().pow(2)];
        let bytes = chosen.map(|index| pieces[index % pieces.len()]).concat();
        for cut in 0..=bytes.len() {
            // The used message contains the previous result.
            if let Ok(net) = compare(&bytes[..cut], &used, Limits::default()) {
                used = net;
            }
        }
    }
}
