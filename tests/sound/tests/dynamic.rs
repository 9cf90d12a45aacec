//! Strings and numbers of dynamic messages, which are read without a look at their bytes: short enough for Miri.

use bytes::Bytes;
use std::collections::BTreeMap;
use tobu::reflect::{MapKey, MessageRef, Value, ValueMut, ValueRef};
use tobu::{DynamicMessage, Message, Reflect};

#[derive(Clone, Copy, Debug, Default, PartialEq, tobu::Enumeration, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "dynamic", values(COLOR_NONE = 0, COLOR_RED = 1))]
struct Color(i32);

/// Numbers of every kind.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "dynamic")]
struct Numbers {
    #[tobu(1)]
    flag: bool,
    #[tobu(2)]
    int: i32,
    #[tobu(3, sint32)]
    sint: i32,
    #[tobu(4, sfixed32)]
    sfixed: i32,
    #[tobu(5)]
    long: i64,
    #[tobu(6, sint64)]
    slong: i64,
    #[tobu(7, sfixed64)]
    sfixed_long: i64,
    #[tobu(8)]
    uint: u32,
    #[tobu(9, fixed32)]
    fixed: u32,
    #[tobu(10)]
    ulong: u64,
    #[tobu(11, fixed64)]
    fixed_long: u64,
    #[tobu(12)]
    float: f32,
    #[tobu(13)]
    double: f64,
    #[tobu(14)]
    color: Color,
    #[tobu(15)]
    zero: Option<i32>,
}

/// Strings everywhere.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(package = "dynamic")]
struct Note {
    #[tobu(1)]
    text: String,
    #[tobu(2)]
    maybe: Option<String>,
    #[tobu(3)]
    texts: Vec<String>,
    #[tobu(4)]
    words: BTreeMap<String, String>,
    #[tobu(5)]
    inner: Option<Box<Note>>,
    #[tobu(6)]
    inners: BTreeMap<String, Note>,
    #[tobu(7)]
    numbers: Option<Numbers>,
}

fn numbers(sign: i8) -> Numbers {
    let least = i64::MIN * i64::from(sign < 0) + i64::MAX * i64::from(sign > 0);
    Numbers {
        flag: sign != 0,
        int: (least >> 32) as i32,
        sint: (least >> 32) as i32,
        sfixed: -7 * i32::from(sign),
        long: least,
        slong: least,
        sfixed_long: -8 * i64::from(sign),
        uint: u32::MAX,
        fixed: 9,
        ulong: u64::MAX,
        fixed_long: 10,
        float: f32::from(sign) * f32::MAX,
        double: f64::from(sign) * 1e300,
        color: Color(i32::from(sign)),
        zero: Some(0),
    }
}

fn note() -> Note {
    let inner = Note { text: "\u{1f980}".into(), numbers: Some(numbers(-1)), ..Note::default() };
    Note {
        text: "text of more than sixteen bytes".into(),
        maybe: Some(String::new()),
        texts: vec!["\u{e9}".into(), String::new(), "\u{4f60}\u{597d}".repeat(9)],
        words: [("k\u{e9}y".into(), "value".into()), (String::new(), "\"\n\"".into())].into(),
        inners: [("in".into(), inner.clone()), ("empty".into(), Note::default())].into(),
        inner: Some(Box::new(inner)),
        numbers: Some(numbers(1)),
    }
}

/// All numbers and strings, each with where it is: in the order of the fields, and of the keys of maps.
fn seen(message: MessageRef<'_>) -> Vec<String> {
    let mut all = Vec::new();
    see(message, "", &mut all);
    all
}

fn see(message: MessageRef<'_>, path: &str, all: &mut Vec<String>) {
    message.visit_fields(|field, value| {
        let path = format!("{path}.{}", field.number());
        match value {
            ValueRef::List(list) => list.visit(|value| show(value, &path, all)),
            ValueRef::Map(map) => {
                let mut entries = Vec::new();
                map.visit(|key, value| show(value, &format!("{path}[{key:?}]"), &mut entries));
                entries.sort();
                all.append(&mut entries);
            }
            single => return show(single, &path, all),
        }
        true
    });
}

fn show(value: ValueRef<'_>, path: &str, all: &mut Vec<String>) -> bool {
    let (variant, shown) = match value {
        ValueRef::Message(message) => {
            see(message, path, all);
            return true;
        }
        ValueRef::Str(text) => {
            assert_eq!(std::str::from_utf8(text.as_bytes()), Ok(text));
            ("Str", format!("{text:?}"))
        }
        ValueRef::Bool(value) => ("Bool", value.to_string()),
        ValueRef::I32(value) => ("I32", value.to_string()),
        ValueRef::I64(value) => ("I64", value.to_string()),
        ValueRef::U32(value) => ("U32", value.to_string()),
        ValueRef::U64(value) => ("U64", value.to_string()),
        ValueRef::F32(value) => ("F32", value.to_string()),
        ValueRef::F64(value) => ("F64", value.to_string()),
        ValueRef::Enum(value) => ("Enum", value.to_string()),
        other => panic!("{other:?} in {path}"),
    };
    all.push(format!("{path} {variant}({shown})"));
    true
}

fn decoded(note: &Note) -> DynamicMessage {
    DynamicMessage::decode(&Note::descriptor(), &tobu::to_vec(note).unwrap()).unwrap()
}

#[test]
fn values_are_the_same_wherever_they_come_from() {
    let (note, descriptor) = (note(), Note::descriptor());
    let (bytes, dynamic) = (tobu::to_vec(&note).unwrap(), decoded(&note));
    let expected = seen(MessageRef::new(note.as_reflect()));
    assert_eq!(expected.len(), 2 + 3 + 2 + 3 * 15 + 2, "{expected:#?}");
    for value in [
        ".5.1 Str(\"\u{1f980}\")",
        ".5.7.1 Bool(true)",
        ".5.7.2 I32(-2147483648)",
        ".5.7.4 I32(7)",
        ".7.5 I64(9223372036854775807)",
        ".7.7 I64(-8)",
        ".7.8 U32(4294967295)",
        ".7.10 U64(18446744073709551615)",
        ".7.14 Enum(1)",
        ".7.15 I32(0)",
    ] {
        assert!(expected.iter().any(|line| line == value), "{value} of {expected:#?}");
    }
    let mut merged = DynamicMessage::new(&descriptor).unwrap();
    merged.merge(&bytes).unwrap();
    let mut set = DynamicMessage::new(&descriptor).unwrap();
    for (field, value) in MessageRef::from(&dynamic).fields() {
        set.set(&field, value.to_value().unwrap()).unwrap();
    }
    let ways = [
        ("decode", dynamic.clone()),
        ("decode_bytes", DynamicMessage::decode_bytes(&descriptor, Bytes::from(bytes)).unwrap()),
        ("from_json", DynamicMessage::from_json(&descriptor, &dynamic.to_json().unwrap()).unwrap()),
        ("from_text", DynamicMessage::from_text(&descriptor, &dynamic.to_text().unwrap()).unwrap()),
        ("from_message", DynamicMessage::from_message(&note).unwrap()),
        ("to_dynamic", note.as_reflect().to_dynamic().unwrap()),
        ("merge", merged),
        ("set", set),
    ];
    for (way, message) in ways {
        assert_eq!(seen(MessageRef::from(&message)), expected, "{way}");
    }
}

#[test]
fn strings_that_are_replaced_are_text() {
    let mut message = decoded(&note());
    // Longer, then in place: a shorter one, one that ends within what was a character, and none.
    for text in ["\u{1f980}".repeat(12), "\u{e9}\u{e9}".into(), "a\u{4f60}".into(), String::new()] {
        message.set_by_name("text", text.as_str()).unwrap();
        let Ok(ValueMut::List(mut texts)) = message.get_mut_by_name("texts") else { panic!("a list") };
        texts.set(1, text.as_str().into()).unwrap();
        texts.push(text.as_str().into()).unwrap();
        texts.remove(0).unwrap();
        let Ok(ValueMut::Map(mut words)) = message.get_mut_by_name("words") else { panic!("a map") };
        words.insert(MapKey::String("k\u{e9}y".into()), text.as_str().into()).unwrap();
        words.insert(MapKey::String(format!("{text}!")), text.as_str().into()).unwrap();
        let typed: Note = message.clone().absorb().unwrap();
        assert_eq!((&typed.text, &typed.texts[2]), (&text, &text));
        assert_eq!(seen(MessageRef::from(&message)), seen(MessageRef::new(typed.as_reflect())), "{text}");
    }
}

#[test]
fn bytes_that_are_not_utf8_do_not_get_in() {
    let (descriptor, valid) = (Note::descriptor(), decoded(&note()));
    let cases: [&[u8]; 7] = [
        b"\x0a\x01\xff",
        b"\x12\x02a\xc3",
        b"\x1a\x01a\x1a\x01\x80",
        b"\x22\x03\x0a\x01\xff",
        b"\x22\x06\x0a\x01a\x12\x01\xff",
        b"\x2a\x03\x0a\x01\xff",
        b"\x32\x08\x0a\x01a\x12\x03\x0a\x01\xff",
    ];
    for bytes in cases {
        assert!(DynamicMessage::decode(&descriptor, bytes).is_err(), "{bytes:x?}");
        let mut message = valid.clone();
        assert!(message.merge(bytes).is_err(), "{bytes:x?}");
        assert_eq!(message, valid, "{bytes:x?}");
    }
    let mut message = valid.clone();
    let bytes = || Value::Bytes(Bytes::from_static(b"\xff"));
    assert!(message.set_by_name("text", bytes()).is_err());
    assert!(message.set_by_name("texts", Value::List(vec![bytes()])).is_err());
    let entries = [(MapKey::String("a".into()), bytes())].into();
    assert!(message.set_by_name("words", Value::Map(entries)).is_err());
    let Ok(ValueMut::List(mut texts)) = message.get_mut_by_name("texts") else { panic!("a list") };
    assert!(texts.set(0, bytes()).is_err() && texts.push(bytes()).is_err());
    let Ok(ValueMut::Map(mut words)) = message.get_mut_by_name("words") else { panic!("a map") };
    assert!(words.insert(MapKey::String("a".into()), bytes()).is_err());
    assert_eq!(message, valid);
    assert!(DynamicMessage::from_text(&descriptor, r#"text: "\xff""#).is_err());
    assert!(DynamicMessage::from_text(&descriptor, r#"words { key: "\377" }"#).is_err());
}
