//! A format that knows values and no newtypes, and ignores the type that is requested: each value is given in its own
//! type.

use serde::de::value::{Error, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use std::collections::HashMap;
use tobu::{Merge, Message, UnknownFields};

#[derive(Clone, Debug)]
enum Plain {
    Nothing,
    Bool(bool),
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    Text(&'static str),
    Bytes(&'static [u8]),
    List(Vec<Plain>),
    Map(Vec<(&'static str, Plain)>),
    Some(Box<Plain>),
}

impl<'de> Deserializer<'de> for Plain {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Plain::Nothing => visitor.visit_none(),
            Plain::Bool(value) => visitor.visit_bool(value),
            Plain::Signed(value) => visitor.visit_i64(value),
            Plain::Unsigned(value) => visitor.visit_u64(value),
            Plain::Float(value) => visitor.visit_f64(value),
            Plain::Text(text) => visitor.visit_borrowed_str(text),
            Plain::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Plain::List(list) => visitor.visit_seq(SeqDeserializer::new(list.into_iter())),
            Plain::Map(map) => visitor.visit_map(MapDeserializer::new(map.into_iter())),
            Plain::Some(value) => visitor.visit_some(*value),
        }
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl IntoDeserializer<'_, Error> for Plain {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

#[derive(Clone, Debug, Default, PartialEq, Message, tobu::Deserialize)]
#[tobu(package = "plain")]
struct Inner {
    #[tobu(1, sint32)]
    x: i32,
}

#[derive(Clone, Debug, Default, PartialEq, Message, tobu::Deserialize)]
#[tobu(package = "plain")]
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
    text: String,
    #[tobu(6)]
    bytes: Vec<u8>,
    #[tobu(7)]
    list: Vec<String>,
    #[tobu(8)]
    numbers: Vec<u32>,
    #[tobu(9)]
    map: HashMap<String, Inner>,
    #[tobu(10)]
    inner: Option<Inner>,
    #[tobu(11)]
    maybe: Option<i64>,
    #[tobu(12)]
    inners: Vec<Inner>,
    #[tobu(13)]
    some: Option<bool>,
    #[tobu(14)]
    some_inner: Option<Box<Inner>>,
    #[tobu(unknown)]
    unknown: UnknownFields,
}

fn read<T: for<'de> Deserialize<'de>>(map: Vec<(&'static str, Plain)>) -> Result<T, String> {
    T::deserialize(Plain::Map(map)).map_err(|error| error.to_string())
}

#[test]
fn members_look_through_whatever_comes() {
    let inner = |x| Plain::Map(vec![("x", Plain::Signed(x))]);
    let read_all = read::<All>(vec![
        ("yes", Plain::Bool(true)),
        ("number", Plain::Signed(-7)),
        ("large", Plain::Unsigned(u64::MAX)),
        ("part", Plain::Float(0.5)),
        ("text", Plain::Text("a")),
        ("bytes", Plain::Bytes(b"\xff")),
        ("list", Plain::List(vec![Plain::Text("x"), Plain::Text("y")])),
        ("numbers", Plain::List(vec![Plain::Unsigned(1), Plain::Unsigned(300)])),
        ("map", Plain::Map(vec![("k", inner(-1))])),
        ("inner", inner(2)),
        ("maybe", Plain::Nothing),
        ("other", Plain::List(vec![Plain::Nothing])),
        ("inners", Plain::List(vec![inner(3), inner(4)])),
        ("some", Plain::Some(Box::new(Plain::Bool(true)))),
        ("some_inner", Plain::Some(Box::new(inner(5)))),
        ("unknown", Plain::Bytes(b"\xa0\x06\x01")),
    ]);
    let all = All {
        yes: true,
        number: -7,
        large: u64::MAX,
        part: 0.5,
        text: "a".into(),
        bytes: vec![0xff],
        list: vec!["x".into(), "y".into()],
        numbers: vec![1, 300],
        map: [("k".to_owned(), Inner { x: -1 })].into(),
        inner: Some(Inner { x: 2 }),
        maybe: None,
        inners: vec![Inner { x: 3 }, Inner { x: 4 }],
        some: Some(true),
        some_inner: Some(Box::new(Inner { x: 5 })),
        unknown: UnknownFields::from_bytes(b"\xa0\x06\x01").unwrap(),
    };
    assert_eq!(read_all, Ok(all));
}

#[test]
fn what_does_not_fit_is_an_error() {
    let rows = [
        ("number", Plain::Unsigned(1 << 40), "invalid value: integer `1099511627776`, expected i32"),
        ("number", Plain::Text("1"), "invalid type: string \"1\", expected i32"),
        ("yes", Plain::Signed(1), "invalid type: integer `1`, expected bool"),
        ("text", Plain::Bool(true), "invalid type: boolean `true`, expected a string"),
        ("inner", Plain::Bool(true), "invalid type: boolean `true`, expected struct Inner"),
    ];
    for (name, value, message) in rows {
        assert_eq!(read::<All>(vec![(name, value)]), Err(message.to_owned()), "{name}");
    }
}

/// The same values replace the old ones.
#[test]
fn in_place_what_does_not_come_goes() {
    let mut all =
        All { text: "before".into(), inners: vec![Inner { x: 1 }; 3], maybe: Some(1), ..All::default() };
    let map = vec![("inners", Plain::List(vec![Plain::Map(vec![])])), ("part", Plain::Float(1.0))];
    Deserialize::deserialize_in_place(Plain::Map(map), &mut all).unwrap();
    assert_eq!(all, All { part: 1.0, inners: vec![Inner::default()], ..All::default() });
    all.clear();
    assert_eq!(all, All::default());
}
