//! Values that do not fit are rejected with an error, and change nothing.

use crate::{descriptor, empty};
use bytes::Bytes;
use std::collections::HashMap;
use tobu::DynamicMessage;
use tobu::reflect::{MapKey, Reflect, Value};

/// Sets a field and gives the error.
fn refusal(message: &str, field: &str, value: impl Into<Value>) -> String {
    let mut message = empty(message);
    let before = message.clone();
    let error = message.set_by_name(field, value).unwrap_err().to_string();
    assert_eq!(message, before);
    error
}

#[test]
fn a_value_of_another_kind() {
    let cases = [
        (
            refusal("v3.Scalars", "f_uint32", "x"),
            "v3.Scalars.f_uint32: the field is a uint32, but the value is a string",
        ),
        (
            refusal("v3.Scalars", "f_int32", 1i64),
            "v3.Scalars.f_int32: the field is an int32, but the value is an int64",
        ),
        (
            refusal("v3.Scalars", "f_string", 1.0),
            "v3.Scalars.f_string: the field is a string, but the value is a double",
        ),
        (
            refusal("v3.Scalars", "f_color", 1),
            "v3.Scalars.f_color: the field is an enum corpus.v3.Color, but the value is an int32",
        ),
        (
            refusal("v3.Tree", "left", empty("v3.Leaf")),
            "v3.Tree.left: the field is a message corpus.v3.Tree, but the value is a message corpus.v3.Leaf",
        ),
        (
            refusal("v3.Tree", "children", empty("v3.Tree")),
            "v3.Tree.children: the field is a repeated corpus.v3.Tree, but the value is a message corpus.v3.Tree",
        ),
        (
            refusal("v3.Lists", "f_bool", vec![Value::Bool(true), Value::I32(1)]),
            "v3.Lists.f_bool[1]: the field is a bool, but the value is an int32",
        ),
        (
            refusal("v3.Maps", "f_int32", HashMap::from([(MapKey::I32(1), Value::Bool(true))])),
            "v3.Maps.f_int32[\"1\"]: the field is an int32, but the value is a bool",
        ),
        (
            refusal("v3.Maps", "f_int32", HashMap::from([(MapKey::U32(1), Value::I32(1))])),
            "v3.Maps.f_int32: the keys are of kind int32, but the key is a uint32",
        ),
        (
            refusal("v3.Scalars", "f_string", Bytes::from_static(b"\xff")),
            "v3.Scalars.f_string: the field is a string, but the value is bytes that are not UTF-8",
        ),
        (
            refusal("v2.Closed", "level", Value::Enum(2)),
            "v2.Closed.level: the closed enum corpus.v2.Level has no value of number 2",
        ),
    ];
    for (got, wanted) in cases {
        assert_eq!(got, format!("corpus.{wanted}"));
    }
    let mut open = empty("v3.Scalars");
    open.set_by_name("f_color", Value::Enum(99)).unwrap();
    assert_eq!(open.encode_to_vec().unwrap(), b"\x80\x01\x63");
    let mut loose = empty("v2.Loose");
    loose.set_by_name("text", Bytes::from_static(b"\xff")).unwrap();
    assert_eq!(loose.get_by_name("text").unwrap().as_bytes(), Some(&b"\xff"[..]));
    assert_eq!(loose.encode_to_vec().unwrap(), b"\x0a\x01\xff");
}

/// A map of proto2 may have such a key, and JSON and text do not write another one instead.
#[test]
fn a_key_that_is_not_utf8() {
    let wire = b"\x22\x05\x0a\x01\xff\x10\x00\x22\x05\x0a\x01a\x10\x00";
    let message = DynamicMessage::decode(&descriptor("v2.Closed"), wire).unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), wire);
    let json = tobu::json::to_string(&message).unwrap_err().to_string();
    assert_eq!(json, "corpus.v2.Closed.named: the string is not valid UTF-8, which JSON requires");
    let text = tobu::text::to_string(&message).unwrap_err().to_string();
    assert_eq!(text, "corpus.v2.Closed.named: a key of the map is not valid UTF-8");
    let json = serde_json::to_string(&message).unwrap_err().to_string();
    assert_eq!(json, "corpus.v2.Closed.named: a key of the map is not valid UTF-8");
    assert_eq!(format!("{message:?}"), r#"corpus.v2.Closed { named { key: "a" value: NONE } }"#);
}

#[test]
fn a_field_of_another_message() {
    let mut message = empty("v3.Tree");
    let foreign = descriptor("v3.Leaf").field_by_name("a").unwrap();
    let wanted = "corpus.v3.Tree: the field corpus.v3.Leaf.a is not one of this message";
    assert_eq!(message.get(&foreign).map(drop).unwrap_err().to_string(), wanted);
    assert_eq!(message.has(&foreign).unwrap_err().to_string(), wanted);
    assert_eq!(message.set(&foreign, 1.into()).unwrap_err().to_string(), wanted);
    assert_eq!(message.clear(&foreign).unwrap_err().to_string(), wanted);
    assert_eq!(message.get_mut(&foreign).map(drop).unwrap_err().to_string(), wanted);
    let oneof = descriptor("v3.Choice").oneofs().next().unwrap();
    assert_eq!(
        message.which_oneof(&oneof).unwrap_err().to_string(),
        "corpus.v3.Tree: the oneof corpus.v3.Choice.kind is not one of this message"
    );
    let pool = tobu::Pool::from_descriptor_set(&tobu::Pool::global().to_descriptor_set()).unwrap();
    let other = pool.message("corpus.v3.Tree").unwrap().field_by_name("name").unwrap();
    assert_eq!(
        message.get(&other).map(drop).unwrap_err().to_string(),
        "corpus.v3.Tree: the field corpus.v3.Tree.name is from another pool than the message"
    );
    assert_eq!(
        message.get_mut_by_name("name").map(drop).unwrap_err().to_string(),
        "corpus.v3.Tree.name: the field is a string, which cannot be changed in place: set it"
    );
}

#[test]
fn elements_and_entries() {
    let mut message = empty("v3.Lists");
    let mut list = message.get_mut_by_name("f_int32").unwrap().into_list().unwrap();
    list.push(1.into()).unwrap();
    let prefix = "corpus.v3.Lists.f_int32";
    let at = |error: tobu::Error| error.to_string().strip_prefix(prefix).unwrap().to_owned();
    assert_eq!(at(list.set(1, 1.into()).unwrap_err()), ": index 1 is past the end of a list of 1 element");
    assert_eq!(at(list.remove(5).unwrap_err()), ": index 5 is past the end of a list of 1 element");
    assert_eq!(
        at(list.set(0, "x".into()).unwrap_err()),
        "[0]: the field is an int32, but the value is a string"
    );
    assert_eq!(
        at(list.push("x".into()).unwrap_err()),
        "[1]: the field is an int32, but the value is a string"
    );
    assert_eq!(at(list.get_mut(0).map(drop).unwrap_err()), ": the elements are not messages");
    assert_eq!(at(list.push_message().map(drop).unwrap_err()), ": the elements are not messages");
    assert_eq!(list.len(), 1);

    let mut message = empty("v3.Maps");
    let mut map = message.get_mut_by_name("f_int32").unwrap().into_map().unwrap();
    let at =
        |error: tobu::Error| error.to_string().strip_prefix("corpus.v3.Maps.f_int32").unwrap().to_owned();
    assert_eq!(
        at(map.insert("x".into(), 1.into()).unwrap_err()),
        ": the keys are of kind int32, but the key is a string"
    );
    assert_eq!(
        at(map.insert(1.into(), "x".into()).unwrap_err()),
        "[\"1\"]: the field is an int32, but the value is a string"
    );
    assert_eq!(at(map.get_mut(1.into()).map(drop).unwrap_err()), ": the values are not messages");
    assert!(!map.remove("x".into()));
    assert!(map.is_empty());
}

/// A type may state a schema that is not the one it names: nothing compares them.
#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(descriptor = tobu::types::files::ANY, stated = tobu::types::files::ANY_SLOT, message = "google.protobuf.Any")]
struct NumberForText {
    #[tobu(1)]
    type_url: u64,
    #[tobu(2)]
    value: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(descriptor = tobu::types::files::ANY, stated = tobu::types::files::ANY_SLOT, message = "google.protobuf.Any")]
struct ListForText {
    #[tobu(1)]
    type_url: Vec<String>,
    #[tobu(2)]
    value: Vec<u8>,
}

#[derive(Clone, Debug, Default, PartialEq, tobu::Message, tobu::Serialize, tobu::Deserialize)]
#[tobu(descriptor = tobu::types::files::ANY, stated = tobu::types::files::ANY_SLOT, message = "google.protobuf.Any")]
struct MapForBytes {
    #[tobu(1)]
    type_url: String,
    #[tobu(2)]
    value: std::collections::BTreeMap<u64, u64>,
}

#[test]
fn types_that_differ_from_the_schema_they_name_are_refused() {
    let expected =
        |field| format!("google.protobuf.Any.{field}: the table and the members of the Rust type differ");
    let numbers = NumberForText { type_url: 0x1_8000_0000, value: vec![0xff] };
    let error = DynamicMessage::from_message(&numbers).unwrap_err();
    assert_eq!(error.to_string(), expected("type_url"));
    let list = ListForText { type_url: vec!["a".into()], value: vec![0xff] };
    assert_eq!(DynamicMessage::from_message(&list).unwrap_err().to_string(), expected("type_url[0]"));
    let map = MapForBytes { type_url: String::new(), value: [(1, 2)].into() };
    assert_eq!(DynamicMessage::from_message(&map).unwrap_err().to_string(), expected("value"));
}
