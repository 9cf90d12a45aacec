//! Rows of arrays as trees, by a reader that knows nothing of how they were made; and what a decoded message has.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use serde_json::{Map, Value, json};
use tobu::reflect::{MapKeyRef, ValueRef};
use tobu::{DecodeOptions, DynamicMessage, EncodeOptions, FieldDescriptor, MessageDescriptor, Pool, Reflect};
use tobu_arrow::{Batcher, Columns};

pub(crate) fn pool(source: &str) -> Pool {
    Pool::from_sources(&[("test.proto", source)]).unwrap()
}

/// The batch of some messages.
pub(crate) fn batch(columns: &Columns, messages: &[&[u8]]) -> RecordBatch {
    let mut batcher = Batcher::new(columns);
    for message in messages {
        assert!(batcher.push(message).unwrap().is_none());
    }
    batcher.finish().unwrap().unwrap()
}

/// A row of a batch.
pub(crate) fn row(batch: &RecordBatch, row: usize) -> Value {
    let schema = batch.schema();
    let members = schema.fields().iter().zip(batch.columns());
    members.map(|(field, array)| (field.name().clone(), value(array, row))).collect::<Map<_, _>>().into()
}

/// A value of an array. Floats are their bits, bytes a list of numbers.
pub(crate) fn value(array: &ArrayRef, row: usize) -> Value {
    if array.data_type() != &DataType::Null && array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Null => Value::Null,
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Int32 => array.as_primitive::<Int32Type>().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::UInt32 => array.as_primitive::<UInt32Type>().value(row).into(),
        DataType::UInt64 => array.as_primitive::<UInt64Type>().value(row).into(),
        DataType::Float32 => array.as_primitive::<Float32Type>().value(row).to_bits().into(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).to_bits().into(),
        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::Utf8View => array.as_string_view().value(row).into(),
        DataType::Binary => array.as_binary::<i32>().value(row).into(),
        DataType::BinaryView => array.as_binary_view().value(row).into(),
        DataType::Timestamp(unit, zone) => {
            assert_eq!(zone.as_deref(), Some("UTC"));
            match unit {
                TimeUnit::Second => array.as_primitive::<TimestampSecondType>().value(row).into(),
                TimeUnit::Millisecond => array.as_primitive::<TimestampMillisecondType>().value(row).into(),
                TimeUnit::Microsecond => array.as_primitive::<TimestampMicrosecondType>().value(row).into(),
                TimeUnit::Nanosecond => array.as_primitive::<TimestampNanosecondType>().value(row).into(),
            }
        }
        DataType::Duration(TimeUnit::Nanosecond) => {
            array.as_primitive::<DurationNanosecondType>().value(row).into()
        }
        DataType::Duration(TimeUnit::Second) => array.as_primitive::<DurationSecondType>().value(row).into(),
        DataType::Dictionary(..) => {
            let dictionary = array.as_dictionary::<Int32Type>();
            value(dictionary.values(), dictionary.keys().value(row) as usize)
        }
        DataType::Struct(fields) => {
            let members = fields.iter().zip(array.as_struct().columns());
            members
                .map(|(field, array)| (field.name().clone(), value(array, row)))
                .collect::<Map<_, _>>()
                .into()
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).map(|at| value(&items, at)).collect()
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let mut all: Vec<Value> = (0..entries.len())
                .map(|at| json!([value(entries.column(0), at), value(entries.column(1), at)]))
                .collect();
            all.sort_by_key(|entry| entry[0].to_string());
            all.into()
        }
        DataType::Union(..) => {
            let union = array.as_union();
            let id = union.type_id(row);
            json!({(union.type_names()[id as usize]): value(union.child(id), union.value_offset(row))})
        }
        other => panic!("{other} has no values here"),
    }
}

/// Asserts that a row has what a decoded message has. Messages that are in as many of their type as `levels` are bytes.
pub(crate) fn check(message: &dyn Reflect, row: &Value, levels: usize) {
    let descriptor = message.message_descriptor();
    let mut open = vec![descriptor.full_name().to_owned()];
    members(message, &descriptor, row, levels, &mut open);
}

fn members(
    message: &dyn Reflect,
    descriptor: &MessageDescriptor,
    row: &Value,
    levels: usize,
    open: &mut Vec<String>,
) {
    for field in descriptor.fields() {
        let in_union = field.oneof().and_then(|oneof| row.get(oneof.name()).cloned());
        let got = match &in_union {
            Some(union) => {
                let oneof = field.oneof().unwrap();
                if message.which_oneof(&oneof).unwrap().is_none() {
                    assert_eq!(*union, json!({"none": null}));
                    continue;
                }
                if !message.has(&field).unwrap() {
                    assert!(union.get(field.name()).is_none());
                    continue;
                }
                &union[field.name()]
            }
            None => row.get(field.name()).unwrap_or_else(|| panic!("no column {}", field.name())),
        };
        let held = message.get(&field).unwrap();
        if field.is_map() {
            let (key_field, value_field) = (field.map_key().unwrap(), field.map_value().unwrap());
            let mut entries = Vec::new();
            if let Some(map) = held.as_map() {
                map.visit(&mut |key: MapKeyRef<'_>, value| {
                    entries.push((key.to_key().to_string(), value));
                    true
                });
            }
            let got = got.as_array().unwrap();
            assert_eq!(got.len(), entries.len(), "{}", field.name());
            for (key, value) in entries {
                let is_it = |entry: &&Value| match &entry[0] {
                    Value::String(text) => *text == key,
                    other => serde_json::to_string(other).unwrap() == key,
                };
                let entry = got.iter().find(is_it).unwrap_or_else(|| panic!("{key_field:?} has no {key}"));
                single(value, &value_field, &entry[1], levels, open);
            }
        } else if field.is_list() {
            let list = held.as_list().unwrap();
            let got = got.as_array().unwrap();
            assert_eq!(got.len(), list.len(), "{}", field.name());
            for (index, got) in got.iter().enumerate() {
                single(list.get(index).unwrap(), &field, got, levels, open);
            }
        } else if field.has_presence() && !message.has(&field).unwrap() {
            assert_eq!(*got, Value::Null, "{}", field.name());
        } else {
            single(held, &field, got, levels, open);
        }
    }
}

fn single(value: ValueRef<'_>, field: &FieldDescriptor, got: &Value, levels: usize, open: &mut Vec<String>) {
    let expected: Value = match value {
        ValueRef::Bool(value) => value.into(),
        ValueRef::I32(value) => value.into(),
        ValueRef::I64(value) => value.into(),
        ValueRef::U32(value) => value.into(),
        ValueRef::U64(value) => value.into(),
        ValueRef::F32(value) => value.to_bits().into(),
        ValueRef::F64(value) => value.to_bits().into(),
        ValueRef::Str(value) => value.into(),
        ValueRef::Bytes(value) => value.into(),
        ValueRef::Enum(number) if got.is_number() => number.into(),
        ValueRef::Enum(number) => match field.enum_type().unwrap().value_by_number(number) {
            Some(value) => value.name().into(),
            None => number.to_string().into(),
        },
        ValueRef::Message(message) => return nested(&*message, got, levels, open),
        _ => unreachable!("a list in a list"),
    };
    assert_eq!(*got, expected, "{}", field.full_name());
}

fn nested(message: &dyn Reflect, got: &Value, levels: usize, open: &mut Vec<String>) {
    let descriptor = message.message_descriptor();
    let (name, dynamic) = (descriptor.full_name(), message.to_dynamic().unwrap());
    let number = |number| match message.get(&descriptor.field_by_number(number).unwrap()).unwrap() {
        ValueRef::I64(value) => value,
        ValueRef::I32(value) => value.into(),
        _ => unreachable!("seconds and nanoseconds"),
    };
    match name.strip_prefix("google.protobuf.") {
        Some("Timestamp" | "Duration") => {
            assert_eq!(*got, json!(number(1) * 1_000_000_000 + number(2)), "{name}");
        }
        Some("Struct" | "Value" | "ListValue") => {
            let json: Value = serde_json::from_str(&dynamic.to_json().unwrap()).unwrap();
            assert_eq!(serde_json::from_str::<Value>(got.as_str().unwrap()).unwrap(), json);
        }
        Some(wrapper) if wrapper.ends_with("Value") && descriptor.fields().len() == 1 => {
            let field = descriptor.field_by_number(1).unwrap();
            single(message.get(&field).unwrap(), &field, got, levels, open);
        }
        _ if open.iter().filter(|open| *open == name).count() >= levels => {
            let bytes: Vec<u8> =
                got.as_array().unwrap().iter().map(|byte| byte.as_u64().unwrap() as u8).collect();
            let partial = DecodeOptions::new().partial(true);
            let again = DynamicMessage::decode_with(&descriptor, &bytes, partial).unwrap();
            // Copied as the other one, which loses keys of maps that are not UTF-8.
            let again = (&again as &dyn Reflect).to_dynamic().unwrap();
            let encode = EncodeOptions::new().deterministic(true).partial(true);
            assert_eq!(again.encode_with(encode).unwrap(), dynamic.encode_with(encode).unwrap());
        }
        _ => {
            open.push(name.to_owned());
            members(message, &descriptor, got, levels, open);
            open.pop();
        }
    }
}

/// A schema with each kind of field.
pub(crate) const KINDS: &str = r#"
edition = "2023";
package kinds;
import "google/protobuf/timestamp.proto";
import "google/protobuf/duration.proto";
import "google/protobuf/wrappers.proto";
import "google/protobuf/struct.proto";
message Root {
  string name = 1 [features.field_presence = IMPLICIT];
  sint32 zero = 2 [features.field_presence = IMPLICIT];
  uint64 maybe = 3;
  repeated Item items = 4;
  map<string, Item> by_name = 5;
  oneof choice { fixed32 count = 6; string word = 7; Item item = 8; }
  repeated sint64 numbers = 9;
  repeated Color shades = 10;
  Item group = 11 [features.message_encoding = DELIMITED];
  google.protobuf.Timestamp at = 12;
  google.protobuf.Duration took = 13;
  google.protobuf.Int64Value wrapped = 14;
  google.protobuf.StringValue text = 15;
  google.protobuf.Struct labels = 16;
  repeated google.protobuf.Timestamp times = 17;
  bytes blob = 18;
  Color color = 19 [features.field_presence = IMPLICIT];
  string loose = 20 [features.utf8_validation = NONE];
  map<int32, double> sizes = 21;
  bool flag = 22 [features.field_presence = IMPLICIT];
  extensions 100 to 200;
}
message Item { string id = 1 [features.field_presence = IMPLICIT]; repeated float ratios = 2; Empty empty = 3; }
message Empty {}
enum Color { NONE = 0; RED = 1; BLUE = 7; }
extend Root { string note = 100; }
"#;

pub(crate) fn kinds() -> MessageDescriptor {
    pool(KINDS).message("kinds.Root").unwrap()
}
