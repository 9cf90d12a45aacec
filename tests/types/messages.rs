//! The bytes of every well-known type, and the schema that it is bound to.

use std::fmt::Debug;
use tobu::types::value::Kind;
use tobu::types::{
    Any, BoolValue, BytesValue, DoubleValue, Duration, Empty, FieldMask, FloatValue, Int32Value, Int64Value,
    ListValue, NullValue, StringValue, Struct, Timestamp, UInt32Value, UInt64Value, Value, files,
};
use tobu::{Enumeration, Merge, Message, Serialize};

#[track_caller]
fn row<T>(name: &str, message: T, bytes: &[u8])
where
    T: Message + Serialize + for<'de> Merge<'de> + for<'de> tobu::Deserialize<'de> + PartialEq + Debug,
{
    assert_eq!(T::descriptor().full_name(), format!("google.protobuf.{name}"));
    assert_eq!(tobu::to_vec(&message).unwrap(), bytes, "{name}");
    assert_eq!(tobu::from_slice::<T>(bytes).unwrap(), message, "{name}");
    // Field 1000 is in none of them.
    let more = [bytes, b"\xc0\x3e\x07"].concat();
    let message = tobu::from_slice::<T>(&more).unwrap();
    assert_eq!(tobu::to_vec(&message).unwrap(), more, "{name}: unknown fields");
}

fn value(kind: Kind) -> Value {
    Value { kind: Some(kind), ..Value::default() }
}

#[test]
fn bytes() {
    row("Timestamp", Timestamp::new(1, 2), b"\x08\x01\x10\x02");
    row("Timestamp", Timestamp::default(), b"");
    row(
        "Duration",
        Duration::new(-1, -1),
        b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    );
    row("Any", Any::new("a/b.C", b"\x08\x01"), b"\x0a\x05a/b.C\x12\x02\x08\x01");
    row("Empty", Empty::new(), b"");
    row(
        "FieldMask",
        FieldMask { paths: vec!["a".into(), "b.c".into()], ..FieldMask::new() },
        b"\x0a\x01a\x0a\x03b.c",
    );
    row("Value", Value::default(), b"");
    row("Value", value(Kind::NullValue(NullValue::NULL_VALUE)), b"\x08\x00");
    row("Value", value(Kind::NumberValue(1.0)), b"\x11\x00\x00\x00\x00\x00\x00\xf0\x3f");
    row("Value", value(Kind::StringValue("x".into())), b"\x1a\x01x");
    row("Value", value(Kind::BoolValue(false)), b"\x20\x00");
    row("Value", value(Kind::StructValue(Struct::default())), b"\x2a\x00");
    row("Value", value(Kind::ListValue(ListValue::default())), b"\x32\x00");
    let list = ListValue { values: vec![value(Kind::BoolValue(true))], ..ListValue::default() };
    row("ListValue", list.clone(), b"\x0a\x02\x20\x01");
    let fields = [("k".to_owned(), value(Kind::ListValue(list)))].into();
    row(
        "Struct",
        Struct { fields, ..Struct::default() },
        b"\x0a\x0b\x0a\x01k\x12\x06\x32\x04\x0a\x02\x20\x01",
    );
    row("DoubleValue", DoubleValue::new(1.0), b"\x09\x00\x00\x00\x00\x00\x00\xf0\x3f");
    row("FloatValue", FloatValue::new(1.0), b"\x0d\x00\x00\x80\x3f");
    row("Int64Value", Int64Value::new(3), b"\x08\x03");
    row("UInt64Value", UInt64Value::new(u64::MAX), b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    row("Int32Value", Int32Value::new(-1), b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    row("UInt32Value", UInt32Value::new(u32::MAX), b"\x08\xff\xff\xff\xff\x0f");
    row("BoolValue", BoolValue::new(true), b"\x08\x01");
    row("StringValue", StringValue::from("x"), b"\x0a\x01x");
    row("BytesValue", BytesValue::from(&b"x"[..]), b"\x0a\x01x");
}

#[test]
fn every_file_links() {
    let files = [
        (&files::ANY, "any"),
        (&files::API, "api"),
        (&files::DESCRIPTOR, "descriptor"),
        (&files::DURATION, "duration"),
        (&files::EMPTY, "empty"),
        (&files::FIELD_MASK, "field_mask"),
        (&files::SOURCE_CONTEXT, "source_context"),
        (&files::STRUCT, "struct"),
        (&files::TIMESTAMP, "timestamp"),
        (&files::TYPE, "type"),
        (&files::WRAPPERS, "wrappers"),
    ];
    for (file, name) in files {
        assert_eq!(file.descriptor().name(), format!("google/protobuf/{name}.proto"));
    }
    assert_eq!(NullValue::descriptor().full_name(), "google.protobuf.NullValue");
}
