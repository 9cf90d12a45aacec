//! Extensions and message sets.

use super::{error, typed_row};
use tobu::types::Any;
use tobu::{Message, Pool, UnknownFields, json};
use tobu_schemas::known::json::v1::Known;
use tobu_schemas::known::json::v2::{Item, Open, Set};

fn open(fields: &[u8]) -> Open {
    Open { unknown_fields: UnknownFields::from_bytes(fields).unwrap(), ..Default::default() }
}

fn set(items: &[u8]) -> Set {
    Set { unknown_fields: UnknownFields::from_bytes(items).unwrap() }
}

#[test]
fn extensions() {
    typed_row(&open(b"\xa0\x06\x05"), r#"{"[json.v2.number]":5}"#);
    typed_row(&Open { id: Some(1), ..open(b"\xa0\x06\x00") }, r#"{"id":1,"[json.v2.number]":0}"#);
    // With several occurrences, and unknown fields in between.
    let fields = b"\xaa\x06\x01a\xc8\x06\x09\xa0\x06\x01\xaa\x06\x01b\xa0\x06\x02";
    typed_row(&open(fields), r#"{"[json.v2.number]":2,"[json.v2.texts]":["a","b"]}"#);
    typed_row(&open(b"\xc8\x06\x09"), "{}");
    typed_row(&open(b"\xb8\x06\x03"), r#"{"[json.v2.big_number]":"3"}"#);
    typed_row(&open(b"\xc2\x06\x03\x0a\x01n"), r#"{"[json.v2.Scope.scope]":{"name":"n"}}"#);
    // In extensions, and in messages.
    let nested = b"\xb2\x06\x08\x08\x01\xa0\x06\x02\xb2\x06\x00";
    typed_row(&open(nested), r#"{"[json.v2.nested]":{"id":1,"[json.v2.number]":2,"[json.v2.nested]":{}}}"#);
    let parent = Open { child: Some(Box::new(open(b"\xa0\x06\x05"))), ..open(b"\xa0\x06\x06") };
    typed_row(&parent, r#"{"child":{"[json.v2.number]":5},"[json.v2.number]":6}"#);
}

#[test]
fn options_hold_for_extensions() {
    let message = open(b"\xb8\x06\x03\xb2\x06\x00");
    let options = json::Options::new().proto_field_names(true).int64_as_numbers(true).pretty(true);
    assert_eq!(
        options.to_string(&message).unwrap(),
        "{\n  \"[json.v2.nested]\": {},\n  \"[json.v2.big_number]\": 3\n}"
    );
    // An unset extension is not printed.
    let options = json::Options::new().emit_defaults(true);
    assert_eq!(options.to_string(&open(b"\xa0\x06\x05")).unwrap(), r#"{"[json.v2.number]":5}"#);
    let none = json::Options::new().pool(&Pool::new());
    assert_eq!(none.to_string(&message).unwrap(), "{}");
}

#[test]
fn malformed_extensions() {
    error(&open(b"\xb2\x06\x01\x08"), "json.v2.Open.[json.v2.nested].id: input ends inside a varint");
    // Of another wire type it is an unknown field.
    typed_row(&open(b"\xa2\x06\x01\x80"), "{}");
}

#[test]
fn message_sets() {
    Item::descriptor();
    typed_row(&set(b""), "{}");
    let items = b"\x0b\x10\xe8\x07\x1a\x02\x08\x05\x0c";
    typed_row(&set(items), r#"{"[json.v2.Item.item]":{"value":5}}"#);
    typed_row(
        &Open { set: Some(set(items)), ..Default::default() },
        r#"{"set":{"[json.v2.Item.item]":{"value":5}}}"#,
    );
    // With several occurrences, in two items, with an unknown number, and as an ordinary field.
    typed_row(
        &set(b"\x0b\x10\xe8\x07\x1a\x02\x08\x05\x1a\x02\x08\x06\x0c\x0b\x10\x05\x1a\x00\x0c\xc2\x3e\x02\x08\x07"),
        r#"{"[json.v2.Item.item]":{"value":7}}"#,
    );
    typed_row(&set(b"\xc2\x3e\x02\x08\x07"), r#"{"[json.v2.Item.item]":{"value":7}}"#);
    // And where nothing is typed.
    let bytes = tobu::to_vec(&Open { set: Some(set(items)), ..open(b"\xa0\x06\x05") }).unwrap();
    let known = Known { any: Some(Any::new("a/json.v2.Open", bytes)), ..Default::default() };
    typed_row(
        &known,
        concat!(
            r#"{"any":{"@type":"a/json.v2.Open","set":{"[json.v2.Item.item]":{"value":5}},"#,
            r#""[json.v2.number]":5}}"#
        ),
    );
}
