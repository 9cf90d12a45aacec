//! serde_json with its feature `arbitrary_precision` gives numbers as text, in a map of one entry.

use serde_json::{Value as Json, json};
use std::collections::HashMap;
use tobu::prelude::*;
use tobu::types::{DoubleValue, Int64Value, ListValue, Struct, UInt64Value, Value};
use tobu::{DynamicMessage, Enumeration, Message, Oneof};

#[derive(Clone, Copy, Debug, Default, PartialEq, Enumeration, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "precise")]
enum Level {
    #[default]
    Low = 0,
    High = 1,
}

#[derive(Clone, Debug, Default, PartialEq, Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "precise")]
struct Numbers {
    #[tobu(1)]
    double: f64,
    #[tobu(2)]
    float: f32,
    #[tobu(3)]
    int: i32,
    #[tobu(4)]
    long: i64,
    #[tobu(5)]
    unsigned: u64,
    #[tobu(6)]
    level: Level,
    #[tobu(7)]
    doubles: Vec<f64>,
    #[tobu(8)]
    levels: Vec<Level>,
    #[tobu(9)]
    by_name: HashMap<String, f64>,
    #[tobu(10)]
    by_number: HashMap<i32, i32>,
    #[tobu(oneof)]
    choice: Option<Choice>,
    #[tobu(13)]
    inner: Option<Box<Numbers>>,
    #[tobu(14)]
    value: Option<Value>,
    #[tobu(15)]
    object: Option<Struct>,
    #[tobu(16)]
    list: Option<ListValue>,
    #[tobu(17)]
    wrapped: Option<DoubleValue>,
    #[tobu(18)]
    wrapped_long: Option<Int64Value>,
    #[tobu(19)]
    wrapped_unsigned: Option<UInt64Value>,
}

#[derive(Clone, Debug, PartialEq, Oneof, tobu::Serialize, tobu::Deserialize)]
enum Choice {
    #[tobu(11)]
    Ratio(f64),
    #[tobu(12)]
    Text(String),
}

const TEXT: &str = r#"{"double":1.5,"float":-0.25,"int":-7,"long":9007199254740993,"unsigned":18446744073709551615,
    "level":1,"doubles":[1,2.5,1e300],"levels":[0,1],"byName":{"a":0.1},"byNumber":{"5":6},"ratio":-0.0,
    "inner":{"double":1e2,"int":1.0},"value":1.5,"object":{"a":{"b":[1,2.5]}},"list":[1,[2]],
    "wrapped":1.5,"wrappedLong":-5,"wrappedUnsigned":18446744073709551615}"#;

/// What tobu's own parser reads, which has nothing to do with serde_json.
fn wanted() -> Numbers {
    tobu::json::from_str(TEXT).unwrap()
}

#[test]
fn from_text_and_from_trees() {
    assert_eq!(serde_json::from_str::<Numbers>(TEXT).unwrap(), wanted());
    assert_eq!(serde_json::from_slice::<Numbers>(TEXT.as_bytes()).unwrap(), wanted());
    assert_eq!(serde_json::from_reader::<_, Numbers>(TEXT.as_bytes()).unwrap(), wanted());
    let tree: Json = serde_json::from_str(TEXT).unwrap();
    assert_eq!(serde_json::from_value::<Numbers>(tree.clone()).unwrap(), wanted());
    assert_eq!(<Numbers as serde::Deserialize>::deserialize(&tree).unwrap(), wanted());
    assert!(wanted().choice == Some(Choice::Ratio(-0.0)));
}

#[test]
fn well_known_types() {
    assert_eq!(serde_json::from_str::<Value>("1.5").unwrap(), Value::from(1.5));
    assert_eq!(serde_json::from_value::<Value>(json!(-3)).unwrap(), Value::from(-3.0));
    assert_eq!(serde_json::from_str::<DoubleValue>("1e2").unwrap().value, 100.0);
    assert_eq!(serde_json::from_value::<UInt64Value>(json!(u64::MAX)).unwrap().value, u64::MAX);
    let list: ListValue = serde_json::from_str("[1,[2.5],{\"a\":3}]").unwrap();
    assert_eq!(tobu::json::to_string(&list).unwrap(), "[1,[2.5],{\"a\":3}]");
    // What only looks like one is an object.
    for text in [
        r#"{"$serde_json::private::Number":1}"#,
        r#"{"$serde_json::private::Number":"x"}"#,
        r#"{"$serde_json::private::Number":"1","a":2}"#,
        r#"{"a":2,"$serde_json::private::Number":"1"}"#,
    ] {
        if let Ok(object) = serde_json::from_str::<Struct>(text) {
            assert!(object.fields.contains_key("$serde_json::private::Number"), "{text}");
        }
    }
}

#[test]
fn enums_by_numbers() {
    assert_eq!(
        serde_json::from_str::<Vec<Level>>(r#"[0, 1, "LOW"]"#).unwrap(),
        [Level::Low, Level::High, Level::Low]
    );
    assert_eq!(serde_json::from_value::<Level>(json!(1)).unwrap(), Level::High);
    for text in ["7", "1.5", "99999999999", r#"{"a":1}"#, "{}"] {
        assert!(serde_json::from_str::<Level>(text).is_err(), "{text}");
    }
}

#[derive(Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(untagged)]
enum Either {
    Message(Numbers),
    Number(f64),
}

#[derive(Debug, PartialEq, serde::Deserialize, serde::Serialize)]
struct Flat {
    id: i32,
    #[serde(flatten)]
    numbers: Numbers,
}

#[derive(Debug, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(tag = "kind")]
enum Tagged {
    Numbers(Numbers),
}

/// serde buffers such content.
#[test]
fn content_in_a_buffer() {
    assert_eq!(serde_json::from_str::<Either>(TEXT).unwrap(), Either::Message(wanted()));
    let object = TEXT.strip_prefix('{').unwrap();
    let flat: Flat = serde_json::from_str(&format!("{{\"id\":1,{object}")).unwrap();
    assert_eq!(flat, Flat { id: 1, numbers: wanted() });
    let Tagged::Numbers(numbers) = serde_json::from_str(&format!("{{\"kind\":\"Numbers\",{object}")).unwrap();
    assert_eq!(numbers, wanted());
}

#[test]
fn written() {
    let text = serde_json::to_string(&wanted()).unwrap();
    assert_eq!(serde_json::from_str::<Numbers>(&text).unwrap(), wanted());
    // serde_json writes a negative zero with a fraction.
    assert_eq!(text.replace("-0.0", "-0"), tobu::json::to_string(&wanted()).unwrap());
    let tree = serde_json::to_value(wanted()).unwrap();
    assert_eq!(serde_json::from_value::<Numbers>(tree).unwrap(), wanted());
}

#[test]
fn dynamic() {
    let descriptor = Numbers::descriptor();
    let seed = || descriptor.seed();
    let mut deserializer = serde_json::Deserializer::from_str(TEXT);
    let message: DynamicMessage = serde::de::DeserializeSeed::deserialize(seed(), &mut deserializer).unwrap();
    assert_eq!(tobu::from_slice::<Numbers>(&tobu::to_vec(&message).unwrap()).unwrap(), wanted());
    assert_eq!(
        serde_json::from_str::<Json>(&serde_json::to_string(&message).unwrap()).unwrap()["double"],
        json!(1.5)
    );
}

/// A tree of serde_json that is encoded by a schema: its numbers write themselves as structs.
#[test]
fn trees_that_are_encoded() {
    let descriptor = Numbers::descriptor();
    let tree = json!({
        "double": 1.5, "float": -0.25, "int": -7, "long": 9007199254740993_i64, "unsigned": u64::MAX, "level": 1,
        "doubles": [1, 2.5, -0.0], "by_name": {"a": 0.1}, "by_number": {"5": 6}, "inner": {"int": 3},
        "wrapped": {"value": 1.5},
    });
    let numbers: Numbers = tobu::from_slice(&descriptor.encode(&tree).unwrap()).unwrap();
    assert_eq!(
        numbers,
        Numbers {
            double: 1.5,
            float: -0.25,
            int: -7,
            long: 9007199254740993,
            unsigned: u64::MAX,
            level: Level::High,
            doubles: vec![1.0, 2.5, -0.0],
            by_name: [("a".to_owned(), 0.1)].into(),
            by_number: [(5, 6)].into(),
            inner: Some(Box::new(Numbers { int: 3, ..Numbers::default() })),
            wrapped: Some(DoubleValue { value: 1.5, ..DoubleValue::default() }),
            ..Numbers::default()
        }
    );
    assert!(numbers.doubles[2].is_sign_negative());
    // And back.
    let back: Json = descriptor.decode(&descriptor.encode(&tree).unwrap()).unwrap();
    assert_eq!(back["double"], json!(1.5));
    assert_eq!(descriptor.encode(&back).unwrap(), descriptor.encode(&tree).unwrap());
    for (tree, error) in [
        (
            json!({"int": 1.5}),
            "precise.Numbers.int: the field is a int32, which a floating-point number does not fit",
        ),
        (json!({"int": 99999999999_i64}), "precise.Numbers.int: 99999999999 is out of range for int32"),
        (json!({"inner": 1}), "precise.Numbers.inner: the field is a message, which a number does not fit"),
    ] {
        assert_eq!(descriptor.encode(&tree).unwrap_err().to_string(), error);
    }
}
