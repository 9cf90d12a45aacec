//! Struct, Value, ListValue and the wrappers: construction and access.

use std::collections::BTreeMap;
use tobu::types::value::Kind;
use tobu::types::{
    BoolValue, BytesValue, Empty, Int64Value, ListValue, NullValue, StringValue, Struct, Value,
};

#[test]
fn kinds() {
    let object = Struct::from([("a", 1)]);
    let list = ListValue::from(vec!["x", "y"]);
    let rows = [
        (Value::null(), Kind::NullValue(NullValue::NULL_VALUE)),
        (().into(), Kind::NullValue(NullValue(0))),
        (NullValue(7).into(), Kind::NullValue(NullValue(7))),
        (None::<f64>.into(), Kind::NullValue(NullValue(0))),
        (Some(true).into(), Kind::BoolValue(true)),
        (1.5.into(), Kind::NumberValue(1.5)),
        (1.5_f32.into(), Kind::NumberValue(1.5)),
        (u32::MAX.into(), Kind::NumberValue(4_294_967_295.0)),
        (i32::MIN.into(), Kind::NumberValue(-2_147_483_648.0)),
        ("x".into(), Kind::StringValue("x".into())),
        (String::from("x").into(), Kind::StringValue("x".into())),
        (object.clone().into(), Kind::StructValue(object.clone())),
        (BTreeMap::from([("a".to_owned(), 1.into())]).into(), Kind::StructValue(object)),
        (list.clone().into(), Kind::ListValue(list.clone())),
        (["x", "y"].into(), Kind::ListValue(list.clone())),
        (vec!["x", "y"].into(), Kind::ListValue(list.clone())),
        (["x", "y"].into_iter().collect(), Kind::ListValue(list)),
    ];
    for (value, kind) in rows {
        assert_eq!(value, Value::new(kind));
    }
}

#[test]
fn access() {
    let object = Struct::from([("a", 1)]);
    let values = [
        Value::default(),
        Value::null(),
        true.into(),
        2.5.into(),
        "x".into(),
        object.clone().into(),
        [1, 2].into(),
    ];
    let of = |kind: &str| values.iter().position(|value| format!("{:?}", value.kind).contains(kind));
    for (i, value) in values.iter().enumerate() {
        let is = |kind| of(kind) == Some(i);
        assert_eq!(value.is_null(), is("NullValue"));
        assert_eq!(value.as_bool(), is("BoolValue").then_some(true));
        assert_eq!(value.as_f64(), is("Some(NumberValue").then_some(2.5));
        assert_eq!(value.as_str(), is("StringValue").then_some("x"));
        assert_eq!(value.as_struct(), is("StructValue").then_some(&object));
        assert_eq!(value.as_list(), is("ListValue").then_some(&[1.into(), 2.into()][..]));
    }
}

#[test]
fn changes() {
    let mut object = Struct::new();
    assert_eq!(object.insert("a", [1]), None);
    assert_eq!(object.insert("a", Struct::new()), Some([1].into()));
    let mut value = Value::from(object);
    let inner = value.as_struct_mut().unwrap().fields.get_mut("a").unwrap();
    inner.as_struct_mut().unwrap().insert("b", [true]);
    assert_eq!(inner.as_list_mut(), None);
    let list = inner.as_struct_mut().unwrap().fields.get_mut("b").unwrap();
    list.as_list_mut().unwrap().push(Value::null());
    assert_eq!(list.as_struct_mut(), None);
    assert_eq!(
        tobu::to_vec(&value).unwrap(),
        b"\x2a\x1a\x0a\x18\x0a\x01a\x12\x13\x2a\x11\x0a\x0f\x0a\x01b\x12\x0a\x32\x08\x0a\x02\x20\x01\x0a\x02\x08\x00"
    );
}

#[test]
fn collections() {
    let object: Struct = [("b", 2), ("a", 1)].into_iter().collect();
    let map: BTreeMap<String, Value> = object.clone().into();
    assert_eq!(Struct::from(map), object);
    // Members are in the order of their names.
    assert_eq!(object.fields.keys().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(object.get("b"), Some(&Value::from(2)));
    let list: ListValue = [1, 2].into_iter().collect();
    assert_eq!(Vec::<Value>::from(list), [Value::from(1), Value::from(2)]);
}

#[test]
fn nesting_has_a_limit() {
    let mut value = Value::null();
    for _ in 0..100 {
        value = [value].into();
    }
    let error = tobu::to_vec(&value).unwrap_err();
    assert_eq!(error.message(), "messages are nested deeper than 100 levels");
}

#[test]
fn wrappers() {
    assert_eq!(i64::from(Int64Value::from(-1)), -1);
    assert_eq!(String::from(StringValue::from("x")), "x");
    assert_eq!(Vec::from(BytesValue::from(vec![7])), [7]);
    assert!(bool::from(BoolValue::new(true)));
    assert_eq!(Empty::from(()), Empty::default());
}
