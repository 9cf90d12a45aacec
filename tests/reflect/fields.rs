//! Every kind of field: its value when unset, and the effects of setting and clearing.

use super::support::{both, get, shown};
use std::collections::HashMap;
use tobu::reflect::{MapKey, MapKeyRef, Value, ValueMut};
use tobu::{DynamicMessage, Message};
use tobu_schemas::corpus::corpus::{v2, v3};

/// The fields of `Scalars` and `Optionals`, their zeros, and another value.
fn scalars() -> Vec<(&'static str, Value, Value)> {
    vec![
        ("f_double", 0.0.into(), 1.5.into()),
        ("f_float", 0.0f32.into(), f32::INFINITY.into()),
        ("f_int32", 0.into(), i32::MIN.into()),
        ("f_int64", 0i64.into(), i64::MIN.into()),
        ("f_uint32", 0u32.into(), u32::MAX.into()),
        ("f_uint64", 0u64.into(), u64::MAX.into()),
        ("f_sint32", 0.into(), (-1).into()),
        ("f_sint64", 0i64.into(), (-1i64).into()),
        ("f_fixed32", 0u32.into(), 7u32.into()),
        ("f_fixed64", 0u64.into(), 7u64.into()),
        ("f_sfixed32", 0.into(), (-7).into()),
        ("f_sfixed64", 0i64.into(), (-7i64).into()),
        ("f_bool", false.into(), true.into()),
        ("f_string", "".into(), "text".into()),
        ("f_bytes", Vec::<u8>::new().into(), vec![0, 255].into()),
        ("f_color", Value::Enum(0), Value::Enum(99)),
    ]
}

#[test]
fn scalars_without_presence() {
    both::<v3::Scalars>(|message| {
        for (name, zero, value) in scalars() {
            assert!(!message.has_by_name(name).unwrap(), "{name}");
            assert_eq!(get(message, name), zero);
            message.set_by_name(name, value.clone()).unwrap();
            assert!(message.has_by_name(name).unwrap(), "{name}");
            assert_eq!(get(message, name), value);
            assert_eq!(message.fields().count(), 1);
            // Setting to the default is clearing.
            message.set_by_name(name, zero.clone()).unwrap();
            assert!(!message.has_by_name(name).unwrap(), "{name}");
            message.set_by_name(name, value).unwrap();
            message.clear_by_name(name).unwrap();
            assert!(!message.has_by_name(name).unwrap(), "{name}");
            assert_eq!(get(message, name), zero);
        }
        message.set_by_name("f_double", -0.0).unwrap();
        assert!(message.has_by_name("f_double").unwrap(), "minus zero is not the default");
    });
}

#[test]
fn scalars_with_presence() {
    both::<v3::Optionals>(|message| {
        for (name, zero, value) in scalars() {
            assert!(!message.has_by_name(name).unwrap(), "{name}");
            assert_eq!(get(message, name), zero);
            message.set_by_name(name, zero.clone()).unwrap();
            assert!(message.has_by_name(name).unwrap(), "{name}");
            message.set_by_name(name, value.clone()).unwrap();
            assert_eq!(get(message, name), value);
            message.clear_by_name(name).unwrap();
            assert!(!message.has_by_name(name).unwrap(), "{name}");
            assert_eq!(get(message, name), zero);
        }
    });
}

#[test]
fn lists() {
    both::<v3::Lists>(|message| {
        for (name, zero, value) in scalars() {
            assert!(message.get_by_name(name).unwrap().as_list().unwrap().is_empty());
            let mut list = message.get_mut_by_name(name).unwrap().into_list().unwrap();
            list.push(value.clone()).unwrap();
            list.push(zero.clone()).unwrap();
            list.set(1, value.clone()).unwrap();
            list.push(zero.clone()).unwrap();
            assert_eq!(list.len(), 3);
            list.remove(0).unwrap();
            assert_eq!(list.get(1).unwrap().to_value().unwrap(), zero);
            assert!(list.get(2).is_none());
            list.truncate(1);
            assert_eq!(get(message, name), Value::List(vec![value.clone()]));
            assert!(message.has_by_name(name).unwrap());
            message.set_by_name(name, vec![zero.clone(), value.clone()]).unwrap();
            assert_eq!(get(message, name), Value::List(vec![zero, value]));
            message.clear_by_name(name).unwrap();
            assert!(!message.has_by_name(name).unwrap());
        }
        let mut list = message.get_mut_by_name("f_leaf").unwrap().into_list().unwrap();
        list.push_message().unwrap().set_by_name("a", 1).unwrap();
        list.push_message().unwrap().set_by_name("a", 2).unwrap();
        list.get_mut(0).unwrap().set_by_name("b", "x").unwrap();
        assert_eq!(shown(message), r#"f_leaf { a: 1 b: "x" } f_leaf { a: 2 }"#);
        let leaves = message.get_by_name("f_leaf").unwrap().as_list().unwrap();
        let numbers: Vec<_> =
            leaves.iter().map(|leaf| leaf.as_message().unwrap().get_by_name("a").unwrap().as_i32()).collect();
        assert_eq!(numbers, [Some(1), Some(2)]);
    });
}

#[test]
fn maps() {
    let rows: Vec<(&str, MapKey, Value)> = vec![
        ("f_int32", (-1).into(), 1.into()),
        ("f_int64", (-1i64).into(), 1i64.into()),
        ("f_uint32", 1u32.into(), 1u32.into()),
        ("f_uint64", 1u64.into(), 1u64.into()),
        ("f_sint32", (-1).into(), (-1).into()),
        ("f_sint64", (-1i64).into(), (-1i64).into()),
        ("f_fixed32", 1u32.into(), 0u32.into()),
        ("f_fixed64", 1u64.into(), 0u64.into()),
        ("f_sfixed32", 1.into(), 1.5f32.into()),
        ("f_sfixed64", 1i64.into(), 1.5.into()),
        ("f_bool", true.into(), false.into()),
        ("f_string", "k".into(), "v".into()),
        ("f_bytes", "k".into(), vec![1].into()),
        ("f_color", "k".into(), Value::Enum(-1)),
    ];
    both::<v3::Maps>(|message| {
        for (name, key, value) in rows.clone() {
            assert!(message.get_by_name(name).unwrap().as_map().unwrap().is_empty());
            let mut map = message.get_mut_by_name(name).unwrap().into_map().unwrap();
            map.insert(key.clone(), value.clone()).unwrap();
            map.insert(key.clone(), value.clone()).unwrap();
            assert_eq!(map.len(), 1);
            assert_eq!(map.get(key.as_ref()).unwrap().to_value().unwrap(), value);
            assert!(message.has_by_name(name).unwrap());
            let entries = message.get_by_name(name).unwrap().as_map().unwrap().entries();
            assert_eq!(entries[0].0, key.as_ref());
            let mut map = message.get_mut_by_name(name).unwrap().into_map().unwrap();
            assert!(map.remove(key.as_ref()));
            assert!(!map.remove(key.as_ref()));
            assert!(!message.has_by_name(name).unwrap());
            let whole = HashMap::from([(key, value)]);
            message.set_by_name(name, whole.clone()).unwrap();
            assert_eq!(get(message, name), Value::Map(whole));
            message.clear_by_name(name).unwrap();
        }
        let mut map = message.get_mut_by_name("f_leaf").unwrap().into_map().unwrap();
        map.get_mut("x".into()).unwrap().set_by_name("a", 1).unwrap();
        map.get_mut("x".into()).unwrap().set_by_name("b", "t").unwrap();
        map.get_mut("y".into()).unwrap();
        map.visit_mut(&mut |key, mut leaf| {
            leaf.set_by_name("c", vec![Value::I32(key.to_string().len() as i32)]).unwrap();
            true
        });
        assert!(map.get(MapKeyRef::I32(1)).is_none());
        assert_eq!(
            shown(message),
            r#"f_leaf { key: "x" value { a: 1 b: "t" c: 1 } } f_leaf { key: "y" value { c: 1 } }"#
        );
        let ValueMut::Map(mut map) = message.get_mut_by_name("f_leaf").unwrap() else { panic!() };
        map.clear();
        assert!(!message.has_by_name("f_leaf").unwrap());
    });
}

#[test]
fn oneofs() {
    both::<v3::Choice>(|message| {
        let oneof = message.descriptor().oneofs().next().unwrap();
        assert_eq!(message.which_oneof(&oneof).unwrap(), None);
        let rows: Vec<(&str, Value)> = vec![
            ("number", 0.into()),
            ("text", "".into()),
            ("raw", vec![1].into()),
            ("color", Value::Enum(2)),
            ("zigzag", (-1i64).into()),
        ];
        message.set_by_name("before", "b").unwrap();
        for (name, value) in &rows {
            message.set_by_name(name, value.clone()).unwrap();
            assert_eq!(get(message, name), *value);
            assert_eq!(message.which_oneof(&oneof).unwrap().unwrap().name(), *name);
            for (other, _) in &rows {
                assert_eq!(message.has_by_name(other).unwrap(), other == name, "{name} {other}");
            }
        }
        // Reading a member that is not set does not change the oneof; changing one does.
        message.get_by_name("leaf").unwrap();
        assert!(message.has_by_name("zigzag").unwrap());
        message.clear_by_name("number").unwrap();
        assert!(message.has_by_name("zigzag").unwrap());
        let leaf = message.get_mut_by_name("leaf").unwrap().into_message();
        leaf.unwrap().set_by_name("a", 7).unwrap();
        assert!(!message.has_by_name("zigzag").unwrap());
        message.get_mut_by_name("leaf").unwrap().into_message().unwrap().set_by_name("b", "x").unwrap();
        assert_eq!(shown(message), r#"before: "b" leaf { a: 7 b: "x" }"#);
        message.clear_by_name("leaf").unwrap();
        assert_eq!(message.which_oneof(&oneof).unwrap(), None);
    });
}

#[test]
fn messages() {
    both::<v3::Tree>(|message| {
        let left = message.get_by_name("left").unwrap().as_message().unwrap();
        assert_eq!(left.descriptor().full_name(), "corpus.v3.Tree");
        let deep = left.get_by_name("right").unwrap().as_message().unwrap();
        assert_eq!(get(&*deep, "name"), "".into());
        assert!(!message.has_by_name("left").unwrap(), "reading makes nothing");

        let mut left = message.get_mut_by_name("left").unwrap().into_message().unwrap();
        left.get_mut_by_name("right").unwrap();
        assert_eq!(shown(message), "left { right {} }");

        let mut leaf = DynamicMessage::new(&<v3::Leaf as Message>::descriptor()).unwrap();
        leaf.set_by_name("c", vec![Value::I32(1), Value::I32(2)]).unwrap();
        message.set_by_name("leaf", leaf.clone()).unwrap();
        assert_eq!(get(message, "leaf"), leaf.into());
        assert_eq!(shown(message), "left { right {} } leaf { c: 1 c: 2 }");
        message.clear_all();
        assert_eq!(shown(message), "");
    });
}

#[test]
fn declared_defaults() {
    both::<v2::Defaults>(|message| {
        let rows: [(&str, Value); 6] = [
            ("number", (-7).into()),
            ("text", "a\"b\n".into()),
            ("raw", vec![1, 255].into()),
            ("ratio", f64::INFINITY.into()),
            ("level", Value::Enum(3)),
            ("flag", true.into()),
        ];
        for (name, default) in &rows {
            assert!(!message.has_by_name(name).unwrap());
            assert_eq!(get(message, name), *default);
            message.set_by_name(name, default.clone()).unwrap();
            assert!(message.has_by_name(name).unwrap());
        }
        assert_eq!(
            shown(message),
            r#"number: -7 text: "a\"b\n" raw: "\001\377" ratio: inf level: HIGH flag: true"#
        );
    });
    both::<v2::Closed>(|message| assert_eq!(get(message, "level"), Value::Enum(1)));
}

#[test]
fn groups() {
    both::<v2::Groups>(|message| {
        let mut single = message.get_mut_by_name("single").unwrap().into_message().unwrap();
        single.set_by_name("a", 1).unwrap();
        let mut many = message.get_mut_by_name("many").unwrap().into_list().unwrap();
        many.push_message().unwrap().set_by_name("b", "x").unwrap();
        assert_eq!(shown(message), r#"Single { a: 1 } Many { b: "x" }"#);
    });
}

#[test]
fn fields_come_in_the_order_of_their_numbers() {
    both::<v3::Numbers>(|message| {
        for field in message.descriptor().fields().collect::<Vec<_>>().into_iter().rev() {
            message.set(&field, 1.into()).unwrap();
        }
        let numbers: Vec<_> = message.fields().map(|(field, _)| field.number()).collect();
        assert_eq!(numbers, [1, 15, 16, 2047, 2048, 18999, 20000, 536_870_911]);
        assert_eq!(message.next_field(2048).unwrap().0.number(), 18999);
        assert!(message.next_field(536_870_911).is_none());
        assert!(message.has_by_number(16).unwrap());
        message.set_by_number(16, 5).unwrap();
        assert_eq!(message.get_by_number(16).unwrap().as_i32(), Some(5));
        message.clear_by_number(16).unwrap();
        assert_eq!(message.get_by_number(16).unwrap().as_i32(), Some(0));
    });
}

#[test]
fn json_names_are_names() {
    both::<v3::Scalars>(|message| {
        message.set_by_name("fInt32", 1).unwrap();
        assert_eq!(get(message, "f_int32"), 1.into());
    });
}

#[test]
fn unknown_fields() {
    both::<v3::Leaf>(|message| {
        assert_eq!(message.unknown_fields(), b"");
        message.set_unknown_fields(b"\xa0\x06\x01").unwrap();
        assert_eq!(message.unknown_fields(), b"\xa0\x06\x01");
        assert_eq!(shown(message), "100: UNKNOWN_VARINT [REDACTED]");
        let error = message.set_unknown_fields(b"\xa0").unwrap_err();
        assert_eq!(error.category(), tobu::Category::Malformed);
        assert_eq!(message.unknown_fields(), b"\xa0\x06\x01");
        message.clear_all();
        assert_eq!(message.unknown_fields(), b"");
    });
}

#[test]
fn reflect_and_absorb() {
    let mut leaf = v3::Leaf { a: 1, ..Default::default() }.reflect();
    leaf.set_by_name("b", "x").unwrap();
    assert_eq!(leaf.typed().a, 1);
    leaf.typed_mut().a = 2;
    assert_eq!(shown(&*leaf), r#"a: 2 b: "x""#);
    assert_eq!(leaf.absorb(), v3::Leaf { a: 2, b: "x".into(), ..Default::default() });
    assert_eq!(size_of::<tobu::Reflection<v3::Tree>>(), size_of::<v3::Tree>());

    let tree = v3::Tree { left: Some(Box::default()), ..Default::default() };
    let dynamic = tree.clone().into_dynamic().unwrap();
    assert_eq!(dynamic, tree.as_reflect().to_dynamic().unwrap());
    assert_eq!(dynamic.absorb::<v3::Tree>().unwrap(), tree);
}
