//! Reading the values of a message.

use crate::{decode, descriptor, empty};
use bytes::Bytes;
use tobu::DynamicMessage;
use tobu::reflect::{MapKeyRef, Reflect, Value, ValueRef};

#[test]
fn what_is_not_set_is_the_default() {
    let message = empty("v2.Defaults");
    assert_eq!(message.get_by_name("number").unwrap().as_i32(), Some(-7));
    assert_eq!(message.get_by_name("text").unwrap().as_str(), Some("a\"b\n"));
    assert_eq!(message.get_by_name("raw").unwrap().as_bytes(), Some(&b"\x01\xff"[..]));
    assert_eq!(message.get_by_name("ratio").unwrap().as_f64(), Some(f64::INFINITY));
    assert_eq!(message.get_by_name("level").unwrap().as_enum(), Some(3));
    assert_eq!(message.get_by_name("flag").unwrap().as_bool(), Some(true));
    for field in message.descriptor().fields() {
        assert!(!message.has(&field).unwrap());
    }
    assert!(message.next_field(0).is_none());

    let message = empty("v3.Tree");
    let left = message.get_by_name("left").unwrap().as_message().unwrap();
    assert_eq!(left.descriptor(), descriptor("v3.Tree"));
    assert_eq!(
        left.get_by_name("left").unwrap().as_message().unwrap().get_by_name("name").unwrap().as_str(),
        Some("")
    );
    assert!(left.get_by_name("children").unwrap().as_list().unwrap().is_empty());
    assert_eq!(message.get_by_name("children").unwrap().as_list().unwrap().len(), 0);
    assert_eq!(message.get_by_name("named").unwrap().as_map().unwrap().len(), 0);
    assert!(message.get_by_name("named").unwrap().as_map().unwrap().get("x").is_none());
    assert_eq!(message.encode_to_vec().unwrap(), b"");
}

#[test]
fn implicit_presence_is_a_value_that_is_not_zero() {
    let mut message = empty("v3.Scalars");
    for (name, zero, other) in [
        ("f_int32", Value::I32(0), Value::I32(1)),
        ("f_double", Value::F64(0.0), Value::F64(-0.0)),
        ("f_float", Value::F32(0.0), Value::F32(-0.0)),
        ("f_bool", Value::Bool(false), Value::Bool(true)),
        ("f_string", Value::String(String::new()), Value::String("x".into())),
        ("f_bytes", Value::Bytes(Bytes::new()), Value::Bytes(Bytes::from_static(b"x"))),
        ("f_color", Value::Enum(0), Value::Enum(-1)),
    ] {
        message.set_by_name(name, other.clone()).unwrap();
        assert!(message.has_by_name(name).unwrap(), "{name}");
        message.set_by_name(name, zero).unwrap();
        assert!(!message.has_by_name(name).unwrap(), "{name}");
        assert_eq!(message.encode_to_vec().unwrap(), b"");
    }
    // The last one wins, a zero too.
    let message = decode("v3.Scalars", b"\x18\x05\x18\x00");
    assert!(!message.has_by_name("f_int32").unwrap());
    let mut message = decode("v3.Scalars", b"\x18\x05");
    message.merge(b"\x18\x00").unwrap();
    assert!(!message.has_by_name("f_int32").unwrap());
    // With presence a zero counts.
    let mut message = decode("v3.Optionals", b"\x18\x00");
    assert!(message.has_by_name("f_int32").unwrap());
    message.clear_by_name("f_int32").unwrap();
    assert!(!message.has_by_name("f_int32").unwrap());
}

#[test]
fn fields_come_in_the_order_of_their_numbers() {
    let message = decode("v3.Tree", b"\x32\x02\x08\x01\x22\x00\x0a\x01n\x2a\x03\x0a\x01k");
    let names: Vec<_> = message.fields().map(|(field, _)| field.name().to_owned()).collect();
    assert_eq!(names, ["name", "children", "named", "leaf"]);
    let (field, value) = message.next_field(4).unwrap();
    assert_eq!(field.name(), "named");
    let ValueRef::Map(named) = value else { panic!("a map") };
    let [(MapKeyRef::Str("k"), ValueRef::Message(value))] = named.entries()[..] else { panic!("one entry") };
    assert_eq!(value.descriptor(), descriptor("v3.Tree"));
}

#[test]
fn strings_stay_in_the_input() {
    let input = Bytes::from(b"\x0a\x05hello".to_vec());
    let message = DynamicMessage::decode_bytes(&descriptor("v3.Tree"), input.clone()).unwrap();
    let name = message.get_by_name("name").unwrap().as_str().unwrap();
    assert_eq!(name.as_ptr(), input[2..].as_ptr(), "nothing was copied");
}

#[test]
fn oneofs_hold_one_field() {
    let oneof = descriptor("v3.Choice").oneofs().next().unwrap();
    let mut message = empty("v3.Choice");
    let which =
        |message: &DynamicMessage| message.which_oneof(&oneof).unwrap().map(|field| field.name().to_owned());
    assert_eq!(which(&message), None);
    message.set_by_name("number", 0).unwrap();
    assert_eq!(which(&message).as_deref(), Some("number"));
    message.set_by_name("text", "x").unwrap();
    assert_eq!(which(&message).as_deref(), Some("text"));
    assert!(!message.has_by_name("number").unwrap());
    message.get_mut_by_name("leaf").unwrap().into_message().unwrap().set_by_name("a", 3).unwrap();
    assert_eq!(which(&message).as_deref(), Some("leaf"));
    assert_eq!(message.encode_to_vec().unwrap(), b"\x2a\x02\x08\x03");
    message.merge(b"\x2a\x03\x12\x01b").unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), b"\x2a\x05\x08\x03\x12\x01b");
    message.merge(b"\x10\x07\x2a\x03\x12\x01c").unwrap();
    assert_eq!(
        message.encode_to_vec().unwrap(),
        b"\x2a\x03\x12\x01c",
        "what came before another field is void"
    );
    message.clear_by_name("leaf").unwrap();
    assert_eq!(which(&message), None);
    message.set_by_name("color", Value::Enum(5)).unwrap();
    assert_eq!(which(&message).as_deref(), Some("color"));
}

#[test]
fn unknown_fields_are_kept_in_their_order() {
    let wire = b"\xa0\x06\x01\x0a\x01n\xa0\x06\x02\xa8\x06\x03";
    let mut message = decode("v3.Tree", wire);
    assert_eq!(message.unknown_fields(), b"\xa0\x06\x01\xa0\x06\x02\xa8\x06\x03");
    assert_eq!(message.encode_to_vec().unwrap(), b"\x0a\x01n\xa0\x06\x01\xa0\x06\x02\xa8\x06\x03");
    message.merge(b"\xa0\x06\x04").unwrap();
    assert_eq!(message.unknown_fields(), b"\xa0\x06\x01\xa0\x06\x02\xa8\x06\x03\xa0\x06\x04");
    message.set_unknown_fields(b"\xa0\x06\x05").unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), b"\x0a\x01n\xa0\x06\x05");
    let error = message.set_unknown_fields(b"\xa0").unwrap_err();
    assert_eq!(error.to_string(), "input ends inside a varint (at byte 0)");
    assert_eq!(message.unknown_fields(), b"\xa0\x06\x05");
    message.set_unknown_fields(b"").unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), b"\x0a\x01n");
}

#[test]
fn equal_is_what_says_the_same() {
    let a = decode("v3.Maps", b"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x03\x10\x04");
    let b = decode("v3.Maps", b"\x0a\x04\x08\x03\x10\x04\x0a\x04\x08\x01\x10\x07\x0a\x04\x08\x01\x10\x02");
    assert_eq!(a, b);
    assert_ne!(a, decode("v3.Maps", b"\x0a\x04\x08\x01\x10\x02\x0a\x04\x08\x05\x10\x04"));
    assert_ne!(a, decode("v3.Maps", b"\x0a\x04\x08\x01\x10\x02"));
    assert_ne!(empty("v3.Maps"), empty("v3.Tree"));
    // Negative numbers of 32 bits, wherever they come from.
    let numbers = r#"{"fInt32": -2, "fSint32": -3, "fSfixed32": -4}"#;
    let from_json = DynamicMessage::from_json(empty("v3.Scalars").descriptor(), numbers).unwrap();
    assert_eq!(from_json, decode("v3.Scalars", &from_json.encode_to_vec().unwrap()));
    // Presence counts, and so do unknown fields.
    assert_ne!(decode("v3.Optionals", b"\x18\x00"), empty("v3.Optionals"));
    assert_ne!(decode("v3.Tree", b"\xa0\x06\x01"), empty("v3.Tree"));
    // Floats as `==` has it.
    let mut nan = empty("v3.Scalars");
    nan.set_by_name("f_double", f64::NAN).unwrap();
    assert_ne!(nan, nan.clone());
    let mut negative = empty("v3.Scalars");
    negative.set_by_name("f_double", -0.0).unwrap();
    assert_eq!(negative, empty("v3.Scalars"));
    assert_eq!(empty("v3.Scalars"), negative);
}

#[test]
fn maps_find_keys_of_every_kind() {
    let mut message = empty("v3.Maps");
    let mut set = |field: &str, key: Value, value: Value| {
        let key = match key {
            Value::Bool(key) => tobu::reflect::MapKey::Bool(key),
            Value::I32(key) => key.into(),
            Value::I64(key) => key.into(),
            Value::U32(key) => key.into(),
            Value::U64(key) => key.into(),
            Value::String(key) => key.into(),
            _ => panic!("no key"),
        };
        message.get_mut_by_name(field).unwrap().into_map().unwrap().insert(key, value).unwrap();
    };
    set("f_int32", Value::I32(-1), Value::I32(1));
    set("f_int64", Value::I64(-1), Value::I64(2));
    set("f_uint32", Value::U32(u32::MAX), Value::U32(3));
    set("f_uint64", Value::U64(u64::MAX), Value::U64(4));
    set("f_sfixed32", Value::I32(-5), Value::F32(5.0));
    set("f_bool", Value::Bool(true), Value::Bool(true));
    set("f_string", Value::String("k".into()), Value::String("v".into()));
    let message = decode("v3.Maps", &message.encode_to_vec().unwrap());
    let map = |name: &str| message.get_by_name(name).unwrap().as_map().unwrap();
    assert_eq!(map("f_int32").get(-1).unwrap().as_i32(), Some(1));
    assert_eq!(map("f_int64").get(-1i64).unwrap().as_i64(), Some(2));
    assert_eq!(map("f_uint32").get(u32::MAX).unwrap().as_u32(), Some(3));
    assert_eq!(map("f_uint64").get(u64::MAX).unwrap().as_u64(), Some(4));
    assert_eq!(map("f_sfixed32").get(-5).unwrap().as_f32(), Some(5.0));
    assert_eq!(map("f_bool").get(true).unwrap().as_bool(), Some(true));
    assert!(map("f_bool").get(false).is_none());
    assert_eq!(map("f_string").get("k").unwrap().as_str(), Some("v"));
    assert!(map("f_string").get(1).is_none(), "a key of another kind");
}

/// However a message was made, its keys are found: also a negative one, of 32 bits and of 64.
#[test]
fn maps_find_negative_keys_from_every_format() {
    let text = "f_int32 { key: -5 value: 1 } f_int64 { key: -5 value: 2 } f_sint32 { key: -5 value: 3 } \
                f_sfixed32 { key: -5 value: 4 }";
    let from_text = DynamicMessage::from_text(&descriptor("v3.Maps"), text).unwrap();
    let json = tobu::json::to_string(&from_text).unwrap();
    let from_json = DynamicMessage::from_json(&descriptor("v3.Maps"), &json).unwrap();
    let from_wire = decode("v3.Maps", &from_text.encode_to_vec().unwrap());
    for message in [&from_text, &from_json, &from_wire] {
        for name in ["f_int32", "f_sint32", "f_sfixed32"] {
            let map = message.get_by_name(name).unwrap().as_map().unwrap();
            assert!(map.get(-5i32).is_some(), "{name}");
        }
        assert!(message.get_by_name("f_int64").unwrap().as_map().unwrap().get(-5i64).is_some());
        assert!((message as &dyn Reflect).equals(&from_wire));
    }
}
