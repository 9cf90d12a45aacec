//! Well-known types.

use super::{error, row, typed_row};
use serde_json::json;
use std::collections::BTreeMap;
use tobu::types::value::Kind;
use tobu::types::{
    BoolValue, BytesValue, DoubleValue, Duration, Empty, FieldMask, FloatValue, Int32Value, Int64Value,
    ListValue, NullValue, StringValue, Struct, Timestamp, UInt32Value, UInt64Value, Value,
};
use tobu::{Message, MessageDescriptorExt, json};
use tobu_schemas::known::json::v1::{Known, KnownChoice, KnownLists, KnownMaps, Wrapped, known_choice};

#[test]
fn timestamps() {
    let rows = [
        (0, 0, "1970-01-01T00:00:00Z"),
        (63_108_020, 21_000_000, "1972-01-01T10:00:20.021Z"),
        (0, 1, "1970-01-01T00:00:00.000000001Z"),
        (0, 1000, "1970-01-01T00:00:00.000001Z"),
        (-1, 999_999_999, "1969-12-31T23:59:59.999999999Z"),
        (-62_135_596_800, 0, "0001-01-01T00:00:00Z"),
        (253_402_300_799, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
        (951_782_400, 0, "2000-02-29T00:00:00Z"),
    ];
    for (seconds, nanos, wanted) in rows {
        let time = Timestamp::new(seconds, nanos);
        row(&time, &format!("\"{wanted}\""));
        row(&Known { time: Some(time), ..Default::default() }, &format!("{{\"time\":\"{wanted}\"}}"));
    }
    // In either field order.
    let descriptor = Timestamp::descriptor();
    let tree = json!({"nanos": 5_000_000, "seconds": -1});
    assert_eq!(descriptor.encode_json(&tree).unwrap(), r#""1969-12-31T23:59:59.005Z""#);

    let rows = [
        (-62_135_596_801, 0, "a timestamp of -62135596801 seconds is not in the years from 1 to 9999"),
        (253_402_300_800, 0, "a timestamp of 253402300800 seconds is not in the years from 1 to 9999"),
        (i64::MIN, 0, "a timestamp of -9223372036854775808 seconds is not in the years from 1 to 9999"),
        (0, -1, "-1 nanoseconds of a timestamp are not from 0 to 999999999"),
        (0, i32::MIN, "-2147483648 nanoseconds of a timestamp are not from 0 to 999999999"),
        (0, 1_000_000_000, "1000000000 nanoseconds of a timestamp are not from 0 to 999999999"),
    ];
    for (seconds, nanos, wanted) in rows {
        let time = Timestamp::new(seconds, nanos);
        error(&time, &format!("google.protobuf.Timestamp: {wanted}"));
        error(&Known { time: Some(time), ..Default::default() }, &format!("json.v1.Known.time: {wanted}"));
    }
}

#[test]
fn durations() {
    let rows = [
        (0, 0, "0s"),
        (1, 0, "1s"),
        (1, 500_000_000, "1.500s"),
        (0, -1, "-0.000000001s"),
        (-1, -1000, "-1.000001s"),
        (315_576_000_000, 999_999_999, "315576000000.999999999s"),
        (-315_576_000_000, -999_999_999, "-315576000000.999999999s"),
    ];
    for (seconds, nanos, wanted) in rows {
        let span = Duration::new(seconds, nanos);
        row(&span, &format!("\"{wanted}\""));
        row(&Known { span: Some(span), ..Default::default() }, &format!("{{\"span\":\"{wanted}\"}}"));
    }
    let rows = [
        (
            315_576_000_001,
            0,
            "a duration of 315576000001 seconds and 0 nanoseconds is longer than 315576000000.999999999 seconds",
        ),
        (1, -1, "1 seconds and -1 nanoseconds of a duration have different signs"),
        (0, 1_000_000_000, "1000000000 nanoseconds of a duration are not from -999999999 to 999999999"),
    ];
    for (seconds, nanos, wanted) in rows {
        error(&Duration::new(seconds, nanos), &format!("google.protobuf.Duration: {wanted}"));
    }
}

#[test]
fn field_masks() {
    let rows: [(&[&str], &str); 4] = [
        (&[], r#""""#),
        (&["a"], r#""a""#),
        (&["user.display_name", "photo"], r#""user.displayName,photo""#),
        (&["a_b_c.d_e"], r#""aBC.dE""#),
    ];
    for (paths, wanted) in rows {
        let mask = FieldMask::from_paths(paths.iter().copied());
        row(&mask, wanted);
        row(&Known { mask: Some(mask), ..Default::default() }, &format!("{{\"mask\":{wanted}}}"));
    }
    let rows = [
        ("fooBar", "it has an upper-case letter"),
        ("foo__bar", "an underscore is not followed by a lower-case letter"),
        ("foo_3", "an underscore is not followed by a lower-case letter"),
        ("foo_", "an underscore is not followed by a lower-case letter"),
        ("a,b", "it has a comma"),
        ("a\"b", "a part between dots is neither the name of a field nor `*`"),
        ("", "it is empty"),
    ];
    for (path, problem) in rows {
        let mask = FieldMask::from_paths(["good", path]);
        let wanted = format!("the path {path:?} of a field mask has no form in JSON: {problem}");
        error(&mask, &format!("google.protobuf.FieldMask: {wanted}"));
        let lists = KnownLists { masks: vec![FieldMask::new(), mask], ..Default::default() };
        error(&lists, &format!("json.v1.KnownLists.masks[1]: {wanted}"));
    }
}

#[test]
fn structs_values_and_lists() {
    let rows = [
        (Value::null(), "null"),
        (Value::from(1.5), "1.5"),
        (Value::from(-0.0), "-0"),
        (Value::from("a\"b"), r#""a\"b""#),
        (Value::from("NaN"), r#""NaN""#),
        (Value::from(true), "true"),
        (Value::from(Struct::new()), "{}"),
        (Value::from(ListValue::new()), "[]"),
        (Value::from([Value::from([1, 2]), Value::null()]), "[[1,2],null]"),
        (Value::from(Struct::from([("a", Value::from(Struct::from([("b", 1)])))])), r#"{"a":{"b":1}}"#),
    ];
    for (value, wanted) in rows {
        row(&value, wanted);
        row(&ListValue::from(vec![value.clone(), value.clone()]), &format!("[{wanted},{wanted}]"));
        row(&Struct::from([("k{", value.clone())]), &format!("{{\"k{{\":{wanted}}}"));
        row(&Known { value: Some(value), ..Default::default() }, &format!("{{\"value\":{wanted}}}"));
    }
    row(&Struct::new(), "{}");
    row(&ListValue::new(), "[]");
    let both = Known { object: Some(Struct::new()), list: Some(ListValue::new()), ..Default::default() };
    row(&both, r#"{"object":{},"list":[]}"#);
}

#[test]
fn values_without_a_form() {
    let none = "a google.protobuf.Value without a kind has no form in JSON";
    error(&Value::default(), &format!("google.protobuf.Value: {none}"));
    let known = Known { value: Some(Value::default()), ..Default::default() };
    error(&known, &format!("json.v1.Known.value: {none}"));
    let list = ListValue::from(vec![Value::null(), Value::default()]);
    error(&list, &format!("google.protobuf.ListValue.values[1]: {none}"));
    let object = Struct::from([("a", Value::default())]);
    error(&object, &format!("google.protobuf.Struct.fields[\"a\"]: {none}"));

    for (number, name) in [(f64::NAN, "NaN"), (f64::INFINITY, "Infinity"), (f64::NEG_INFINITY, "-Infinity")] {
        let problem = format!("the {name} of a google.protobuf.Value has no form in JSON");
        error(&Value::from(number), &format!("google.protobuf.Value: {problem}"));
        let list = Value::from([Value::from(name), Value::from(number)]);
        error(&list, &format!("google.protobuf.Value.list_value.values[1]: {problem}"));
        // A number elsewhere is not one of a value.
        let wrapped = Wrapped { f_double: Some(number.into()), ..Default::default() };
        typed_row(&wrapped, &format!("{{\"fDouble\":\"{name}\"}}"));
    }

    let two = json!({"number_value": 1, "string_value": "a"});
    let told = Value::descriptor().encode_json(&two).unwrap_err();
    assert_eq!(told.to_string(), "google.protobuf.Value: the oneof kind has more than one value");
}

#[test]
fn null_values() {
    row(&Known { null: NullValue::NULL_VALUE, ..Default::default() }, "{}");
    row(&Known { maybe_null: Some(NullValue::NULL_VALUE), ..Default::default() }, r#"{"maybeNull":null}"#);
    let lists = KnownLists { nulls: vec![NullValue::NULL_VALUE; 2], ..Default::default() };
    row(&lists, r#"{"nulls":[null,null]}"#);
    let maps = KnownMaps { nulls: [("a".into(), NullValue::NULL_VALUE)].into(), ..Default::default() };
    row(&maps, r#"{"nulls":{"a":null}}"#);
    let numbers = json::Options::new().enums_as_integers(true);
    assert_eq!(numbers.to_string(&lists).unwrap(), r#"{"nulls":[null,null]}"#);
}

#[test]
fn wrappers() {
    let zeros = Wrapped {
        f_double: Some(DoubleValue::default()),
        f_float: Some(FloatValue::default()),
        f_int64: Some(Int64Value::default()),
        f_uint64: Some(UInt64Value::default()),
        f_int32: Some(Int32Value::default()),
        f_uint32: Some(UInt32Value::default()),
        f_bool: Some(BoolValue::default()),
        f_string: Some(StringValue::default()),
        f_bytes: Some(BytesValue::default()),
        ..Default::default()
    };
    let wanted = concat!(
        r#"{"fDouble":0,"fFloat":0,"fInt64":"0","fUint64":"0","fInt32":0,"fUint32":0,"fBool":false,"#,
        r#""fString":"","fBytes":""}"#
    );
    row(&zeros, wanted);
    assert_eq!(json::Options::new().emit_defaults(true).to_string(&zeros).unwrap(), wanted);
    let numbers = json::Options::new().int64_as_numbers(true);
    assert_eq!(numbers.to_string(&zeros).unwrap(), wanted.replace("\"0\"", "0"));

    row(&DoubleValue::new(-0.0), "-0");
    row(&FloatValue::new(0.1), "0.1");
    row(&Int64Value::new(-1), r#""-1""#);
    row(&UInt64Value::new(u64::MAX), r#""18446744073709551615""#);
    row(&Int32Value::new(-1), "-1");
    row(&UInt32Value::new(1), "1");
    row(&BoolValue::new(true), "true");
    row(&StringValue::from("a"), r#""a""#);
    row(&BytesValue::new(vec![1]), r#""AQ==""#);
    row(&Wrapped::default(), "{}");
    row(&Empty::new(), "{}");
}

#[test]
fn in_lists_maps_and_oneofs() {
    let lists = KnownLists {
        times: vec![Timestamp::new(0, 0), Timestamp::new(1, 0)],
        spans: vec![Duration::new(0, 0), Duration::new(1, 0)],
        masks: vec![FieldMask::new(), FieldMask::from_paths(["a_b", "c"])],
        objects: vec![Struct::new(), Struct::from([("a", 1)])],
        values: vec![Value::null(), Value::from(1)],
        lists: vec![ListValue::new(), ListValue::from(vec![1])],
        numbers: vec![Int64Value::new(0), Int64Value::new(1)],
        ..Default::default()
    };
    row(
        &lists,
        concat!(
            r#"{"times":["1970-01-01T00:00:00Z","1970-01-01T00:00:01Z"],"spans":["0s","1s"],"masks":["","aB,c"],"#,
            r#""objects":[{},{"a":1}],"values":[null,1],"lists":[[],[1]],"numbers":["0","1"]}"#
        ),
    );
    let maps = KnownMaps {
        times: [("t".into(), Timestamp::new(0, 0))].into(),
        spans: [(-1, Duration::new(0, 0))].into(),
        values: [(true, Value::null())].into(),
        texts: [(1, StringValue::default())].into(),
        ..Default::default()
    };
    row(
        &maps,
        concat!(
            r#"{"times":{"t":"1970-01-01T00:00:00Z"},"spans":{"-1":"0s"},"values":{"true":null},"#,
            r#""texts":{"1":""}}"#
        ),
    );
    let rows = [
        (known_choice::Kind::Time(Timestamp::default()), r#"{"time":"1970-01-01T00:00:00Z"}"#),
        (known_choice::Kind::Value(Value::null()), r#"{"value":null}"#),
        (known_choice::Kind::Null(NullValue::NULL_VALUE), r#"{"null":null}"#),
        (known_choice::Kind::Flag(BoolValue::default()), r#"{"flag":false}"#),
    ];
    for (kind, wanted) in rows {
        row(&KnownChoice { kind: Some(kind), ..Default::default() }, wanted);
    }
}

#[test]
fn pretty() {
    let value = Value::new(Kind::StructValue(Struct::from(BTreeMap::from([
        (
            "a".to_owned(),
            Value::from([Value::from(Struct::new()), Value::from(ListValue::new()), Value::from([1])]),
        ),
        ("b".to_owned(), Value::from(Struct::from([("c", Value::null())]))),
    ]))));
    let known = Known {
        time: Some(Timestamp::default()),
        mask: Some(FieldMask::from_paths(["a", "b"])),
        value: Some(value),
        ..Default::default()
    };
    let wanted = r#"{
  "time": "1970-01-01T00:00:00Z",
  "mask": "a,b",
  "value": {
    "a": [
      {},
      [],
      [
        1
      ]
    ],
    "b": {
      "c": null
    }
  }
}"#;
    assert_eq!(json::to_string_pretty(&known).unwrap(), wanted);
    let sorted = json::Options::new().pretty(true).deterministic(true);
    assert_eq!(sorted.to_string(&known).unwrap(), wanted);
}
