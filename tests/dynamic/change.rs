//! Changes of messages, and their memory.

use crate::{decode, empty};
use std::collections::HashMap;
use tobu::reflect::{MapKey, Reflect, Value, ValueRef};
use tobu::{DynamicMessage, EncodeOptions, json};

#[test]
fn lists_are_changed_in_place() {
    let mut message = decode("v3.Lists", b"\x1a\x03\x01\x02\x03");
    let mut list = message.get_mut_by_name("f_int32").unwrap().into_list().unwrap();
    list.push(4.into()).unwrap();
    list.set(0, 10.into()).unwrap();
    list.remove(1).unwrap();
    assert_eq!(list.len(), 3);
    assert_eq!(list.get(2).unwrap().as_i32(), Some(4));
    assert!(list.get(3).is_none());
    list.push(5.into()).unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), b"\x1a\x04\x0a\x03\x04\x05");
    message.get_mut_by_name("f_int32").unwrap().into_list().unwrap().truncate(1);
    assert_eq!(message.encode_to_vec().unwrap(), b"\x1a\x01\x0a");
    message.merge(b"\x1a\x01\x0b\x18\x0c").unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), b"\x1a\x03\x0a\x0b\x0c");
    message.get_mut_by_name("f_int32").unwrap().into_list().unwrap().truncate(0);
    assert!(!message.has_by_name("f_int32").unwrap());
    assert_eq!(message.encode_to_vec().unwrap(), b"");

    message.set_by_name("f_string", vec![Value::from("a"), Value::from("b")]).unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), b"\x72\x01a\x72\x01b");
    let mut list = message.get_mut_by_name("f_leaf").unwrap().into_list().unwrap();
    list.push_message().unwrap().set_by_name("a", 1).unwrap();
    list.push_message().unwrap();
    list.get_mut(1).unwrap().set_by_name("b", "x").unwrap();
    assert_eq!(
        message.encode_to_vec().unwrap(),
        b"\x72\x01a\x72\x01b\x8a\x01\x02\x08\x01\x8a\x01\x03\x12\x01x"
    );
}

/// The elements of a list of every width are moved, overwritten and added as those of a vector, with another list behind
/// it that must not change.
#[test]
fn elements_of_every_width_are_changed_as_those_of_a_vector() {
    type Make = fn(u64) -> Value;
    let rows: [(&str, Make); 9] = [
        ("f_bool", |n| Value::from(n % 3 == 1)),
        ("f_int32", |n| Value::from(-(n as i32))),
        ("f_uint32", |n| Value::from(u32::MAX - n as u32)),
        ("f_float", |n| Value::from(n as f32 / 4.0)),
        ("f_int64", |n| Value::from(i64::MIN + n as i64)),
        ("f_fixed64", |n| Value::from(u64::MAX / (n + 1))),
        ("f_double", |n| Value::from(n as f64 / 3.0)),
        ("f_color", |n| Value::Enum(n as i32)),
        ("f_string", |n| Value::from("x".repeat(n as usize))),
    ];
    for (name, value) in rows {
        let (mut message, mut model) = (empty("v3.Lists"), Vec::new());
        for n in 0..50 {
            let mut list = message.get_mut_by_name(name).unwrap().into_list().unwrap();
            for i in 0..=n % 5 {
                list.push(value(n + i)).unwrap();
                model.push(value(n + i));
            }
            let at = (7 * n) as usize % model.len();
            list.set(at, value(2 * n)).unwrap();
            model[at] = value(2 * n);
            if n % 2 == 0 {
                list.remove(at / 2).unwrap();
                model.remove(at / 2);
            }
            if n % 11 == 10 {
                list.truncate(model.len() / 3);
                model.truncate(model.len() / 3);
            }
            let found: Vec<Value> =
                (0..list.len()).map(|i| list.get(i).unwrap().to_value().unwrap()).collect();
            assert_eq!(found, model, "{name}, {n}");
            // What is put behind it makes it move.
            let mut other = message.get_mut_by_name("f_bytes").unwrap().into_list().unwrap();
            other.push(Value::Bytes(vec![n as u8].into())).unwrap();
        }
        let other = message.get_by_name("f_bytes").unwrap();
        let bytes: Vec<u8> =
            (0..50).map(|i| other.as_list().unwrap().get(i).unwrap().as_bytes().unwrap()[0]).collect();
        assert_eq!(bytes, (0..50).collect::<Vec<u8>>(), "{name}");
        let again = decode("v3.Lists", &message.encode_to_vec().unwrap());
        assert_eq!(again, message, "{name}");
    }
}

#[test]
fn maps_are_changed_in_place() {
    let mut message = empty("v3.Maps");
    let mut map = message.get_mut_by_name("f_string").unwrap().into_map().unwrap();
    for i in 0..100 {
        map.insert(format!("k{i}").into(), format!("v{i}").into()).unwrap();
    }
    map.insert("k7".into(), "other".into()).unwrap();
    assert_eq!(map.len(), 100);
    assert_eq!(map.get("k7".into()).unwrap().as_str(), Some("other"));
    for i in (0..100).filter(|i| i % 3 != 0) {
        assert!(map.remove(format!("k{i}").as_str().into()));
        assert!(!map.remove(format!("k{i}").as_str().into()));
    }
    assert_eq!(map.len(), 34);
    for i in 0..100 {
        let found =
            map.get(format!("k{i}").as_str().into()).and_then(|value| value.as_str().map(str::to_owned));
        assert_eq!(found, (i % 3 == 0).then(|| format!("v{i}")));
    }
    let mut seen = 0;
    map.visit(&mut |_, value| {
        seen += 1;
        matches!(value, ValueRef::Str(_)) && seen < 10
    });
    assert_eq!(seen, 10);
    for i in (0..100).step_by(3) {
        assert!(map.remove(format!("k{i}").as_str().into()));
    }
    assert!(map.is_empty());
    map.insert("again".into(), "x".into()).unwrap();
    assert_eq!(map.get("again".into()).unwrap().as_str(), Some("x"));
    map.clear();
    assert!(!message.has_by_name("f_string").unwrap());
    assert_eq!(message.encode_to_vec().unwrap(), b"");

    let entries = HashMap::from([(MapKey::I32(1), Value::I32(2))]);
    message.set_by_name("f_int32", entries).unwrap();
    let mut leaves = message.get_mut_by_name("f_leaf").unwrap().into_map().unwrap();
    leaves.get_mut("x".into()).unwrap().set_by_name("a", 1).unwrap();
    leaves.get_mut("x".into()).unwrap().set_by_name("b", "b").unwrap();
    leaves.visit_mut(&mut |key, mut leaf| {
        assert_eq!(key.to_string(), "x");
        leaf.set_by_name("a", 9).unwrap();
        true
    });
    assert_eq!(
        message.encode_to_vec().unwrap(),
        b"\x0a\x04\x08\x01\x10\x02\x7a\x0a\x0a\x01x\x12\x05\x08\x09\x12\x01b"
    );
}

#[test]
fn messages_are_copied_into_messages() {
    let mut tree = empty("v3.Tree");
    let mut leaf = decode("v3.Leaf", b"\x08\x01\x12\x01x\x1a\x02\x01\x02\xa0\x06\x01");
    tree.set_by_name("leaf", leaf.clone()).unwrap();
    leaf.set_by_name("a", 7).unwrap();
    assert_eq!(tree.encode_to_vec().unwrap(), b"\x32\x0c\x08\x01\x12\x01x\x1a\x02\x01\x02\xa0\x06\x01");
    let child = tree.clone();
    tree.set_by_name("children", vec![Value::from(child.clone()), Value::from(child)]).unwrap();
    assert_eq!(tree.get_by_name("children").unwrap().as_list().unwrap().len(), 2);
    assert_eq!(decode("v3.Tree", &tree.encode_to_vec().unwrap()), tree);
    tree.clear_all();
    assert_eq!(tree, empty("v3.Tree"));
    assert_eq!(tree.encode_to_vec().unwrap(), b"");
    // However deep.
    let mut deep = empty("v3.Tree");
    for _ in 0..2000 {
        let mut outer = empty("v3.Tree");
        outer.set_by_name("left", deep).unwrap();
        deep = outer;
    }
    assert_eq!(deep.clone(), deep);
    let error = deep.encode_to_vec().unwrap_err();
    assert_eq!(error.message(), "messages are nested deeper than 100 levels");
}

#[test]
fn a_part_is_cleared_by_itself() {
    let mut tree = decode("v3.Tree", b"\x0a\x01n\x12\x06\x0a\x01l\xa0\x06\x01");
    let mut left = tree.get_mut_by_name("left").unwrap().into_message().unwrap();
    left.clear_all();
    assert!(left.next_field(0).is_none());
    assert_eq!(left.unknown_fields(), b"");
    assert_eq!(tree.encode_to_vec().unwrap(), b"\x0a\x01n\x12\x00");
    let mut left = tree.get_mut_by_name("left").unwrap().into_message().unwrap();
    assert_eq!(left.get_by_name("name").unwrap().as_str(), Some(""));
    left.set_by_name("name", "new").unwrap();
    assert_eq!(tree.encode_to_vec().unwrap(), b"\x0a\x01n\x12\x05\x0a\x03new");
}

#[test]
fn a_million_changes_take_no_more_memory_than_a_few() {
    let mut message = empty("v3.Tree");
    let leaf = decode("v3.Leaf", b"\x08\x01\x12\x05xyzxy");
    let texts = ["short", "something longer than the short one", "", "between the two"];
    for i in 0..300_000 {
        message.set_by_name("name", texts[i % 4]).unwrap();
        message.set_by_name("leaf", leaf.clone()).unwrap();
        message.set_by_name("children", vec![Value::from(empty("v3.Tree"))]).unwrap();
        let mut named = message.get_mut_by_name("named").unwrap().into_map().unwrap();
        named.get_mut(format!("k{}", i % 5).into()).unwrap();
        named.remove(format!("k{}", (i + 1) % 5).as_str().into());
    }
    assert!(message.space() < 16 * 1024, "{} bytes", message.space());
    assert_eq!(message.get_by_name("name").unwrap().as_str(), Some("between the two"));
    assert_eq!(message.get_by_name("children").unwrap().as_list().unwrap().len(), 1);
}

#[test]
fn a_failed_merge_changes_nothing() {
    let before = decode("v3.Tree", b"\x0a\x01n\x22\x00");
    let mut message = before.clone();
    let error = message.merge(b"\x0a\x01m\x22\x00\x0a\x05x").unwrap_err();
    assert_eq!(
        error.to_string(),
        "corpus.v3.Tree.name: length of 5 bytes, but only 1 bytes are left (at byte 7)"
    );
    assert_eq!(message, before);
    let mut message = empty("v2.Required");
    message.merge(b"\x08\x01").unwrap();
    message.merge(b"\x12\x01n").unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), b"\x08\x01\x12\x01n");
}

#[test]
fn map_keys_that_are_not_utf8_are_merged() {
    // proto2 does not require UTF-8.
    let (first, second) = (b"\x22\x05\x0a\x01\xff\x10\x01", b"\x22\x05\x0a\x01\xfe\x10\x01");
    let mut message = decode("v2.Closed", first);
    message.merge(second).unwrap();
    let deterministic = EncodeOptions::new().deterministic(true);
    assert_eq!(deterministic.to_vec(&message).unwrap(), [&second[..], first].concat());
}

#[test]
fn defaults_in_json_replace_values() {
    let mut message = decode("v3.Tree", b"\x0a\x01n\x12\x03\x0a\x01m\x32\x02\x08\x05");
    message
        .merge_json(r#"{"name": "", "left": {"name": ""}, "leaf": {"a": 0}}"#, &json::Options::new())
        .unwrap();
    assert_eq!(message.encode_to_vec().unwrap(), b"\x12\x00\x32\x00");
}

#[test]
fn required_fields() {
    let error = empty("v2.Required").encode_to_vec().unwrap_err();
    assert_eq!(error.to_string(), "corpus.v2.Required: required field id has no value");
    let partial = tobu::EncodeOptions::new().partial(true);
    assert_eq!(partial.to_vec(&empty("v2.Required")).unwrap(), b"");
    assert_eq!(empty("v2.Required").encoded_len(), 0, "what is set is counted");
    let error = tobu::encoded_len(&empty("v2.Required")).unwrap_err();
    assert_eq!(error.to_string(), "corpus.v2.Required: required field id has no value");
    let options = tobu::DecodeOptions::new().partial(true);
    let message =
        DynamicMessage::decode_with(&crate::descriptor("v2.Required"), b"\x08\x01", options).unwrap();
    let mut bytes = b"before".to_vec();
    let error = message.append(&mut bytes, tobu::EncodeOptions::new()).unwrap_err();
    assert_eq!(error.to_string(), "corpus.v2.Required: required field name has no value");
    assert_eq!(bytes, b"before");
}
