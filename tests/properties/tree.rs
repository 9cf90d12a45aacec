//! Random content for a message, as a tree of values in the form that decoding returns.

use crate::entropy::Entropy;
use serde_json::{Map, Value, json};
use tobu::{FieldDescriptor, FieldShape, Kind, MessageDescriptor};

/// A message with up to `depth` levels; lists and maps that are empty, and values that are not written, are left out.
pub(crate) fn message(message: &MessageDescriptor, entropy: &mut Entropy<'_>, depth: usize) -> Value {
    if let Some(known) = well_known(message, entropy) {
        return known;
    }
    let mut members = Map::new();
    let mut taken = Vec::new();
    for field in message.fields() {
        let nested = field.message_type().is_some_and(|message| !message.is_map_entry());
        if !field.is_required() && (!entropy.chance(2) || nested && depth <= 1) {
            continue;
        }
        if let Some(oneof) = field.oneof() {
            if taken.contains(&oneof.index()) {
                continue;
            }
            taken.push(oneof.index());
        }
        if let Some(value) = self::field(&field, entropy, depth) {
            members.insert(field.name().into(), value);
        }
    }
    Value::Object(members)
}

/// The value of a field; `None` if it is not written.
pub(crate) fn field(field: &FieldDescriptor, entropy: &mut Entropy<'_>, depth: usize) -> Option<Value> {
    match field.shape() {
        FieldShape::List(_) => {
            let all: Vec<Value> = (0..1 + entropy.below(4)).map(|_| single(field, entropy, depth)).collect();
            Some(Value::Array(all))
        }
        FieldShape::Map { key, value } => {
            if value.message_type().is_some() && depth <= 1 {
                return None;
            }
            let mut entries = Map::new();
            for _ in 0..1 + entropy.below(3) {
                let key = match single(&key, entropy, depth) {
                    Value::String(key) => key,
                    key => key.to_string(),
                };
                entries.insert(key, single(&value, entropy, depth));
            }
            Some(Value::Object(entries))
        }
        FieldShape::Singular(_) => {
            let value = single(field, entropy, depth);
            (field.has_presence() || !is_default(field, &value)).then_some(value)
        }
    }
}

/// True for a value that is not written where the field has no presence.
pub(crate) fn is_default(field: &FieldDescriptor, value: &Value) -> bool {
    match value {
        Value::Bool(value) => !value,
        Value::Number(number) => number.as_f64().is_some_and(|number| number.to_bits() == 0),
        Value::String(text) => match field.enum_type() {
            Some(enumeration) => enumeration.value_by_name(text).is_some_and(|value| value.number() == 0),
            None => text.is_empty(),
        },
        Value::Array(all) => all.is_empty(),
        _ => false,
    }
}

fn single(field: &FieldDescriptor, entropy: &mut Entropy<'_>, depth: usize) -> Value {
    match field.kind() {
        Kind::Double => json!(float(entropy)),
        Kind::Float => json!(f64::from(float(entropy) as f32)),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => json!(entropy.number() as i32),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => json!(entropy.number() as i64),
        Kind::UInt32 | Kind::Fixed32 => json!(entropy.number() as u32),
        Kind::UInt64 | Kind::Fixed64 => json!(entropy.number()),
        Kind::Bool => json!(entropy.chance(2)),
        Kind::String => json!(text(entropy)),
        Kind::Bytes => (0..entropy.below(6)).map(|_| entropy.byte()).collect(),
        Kind::Enum(enumeration) => {
            let open = !enumeration.is_closed() && entropy.chance(4);
            let number = if open { entropy.number() as i32 } else { 0 };
            if open && enumeration.value_by_number(number).is_none() {
                return json!(number);
            }
            let values: Vec<_> = enumeration.values().collect();
            json!(values[entropy.below(values.len())].name())
        }
        Kind::Message(inner) => message(&inner, entropy, depth.saturating_sub(1)),
    }
}

/// A number that a tree can hold: not infinite.
fn float(entropy: &mut Entropy<'_>) -> f64 {
    let number = f64::from_bits(entropy.number());
    let fits = number.is_finite() && (number as f32).is_finite();
    if fits { number } else { f64::from(entropy.byte()) / 4.0 - 8.0 }
}

fn text(entropy: &mut Entropy<'_>) -> String {
    let long = if entropy.chance(8) { 130 } else { 7 };
    (0..entropy.below(long))
        .map(|_| ['a', '\0', 'é', '"', '\u{fffd}', '😀', 'z', '\n'][entropy.below(8)])
        .collect()
}

/// Types and values of `Any`: of well-known messages, of a random schema, and of nothing.
const ANY: [(&str, &[u8]); 8] = [
    ("type.googleapis.com/google.protobuf.Duration", b"\x08\x01\x10\x05"),
    ("type.googleapis.com/google.protobuf.StringValue", b"\x0a\x01a"),
    ("type.googleapis.com/google.protobuf.Empty", b""),
    ("x/google.protobuf.Any", b"\x0a\x1dx/google.protobuf.UInt64Value\x12\x02\x08\x07"),
    ("type.googleapis.com/random.M0", b""),
    ("x/y/random.M0.Inner", b"\x08\x05\x12\x01a\x1a\x02\x08\x01"),
    ("type.googleapis.com/unknown.Message", b"\x08\x01"),
    ("", b""),
];

/// A message whose values are restricted, mostly one that JSON can hold.
fn well_known(message: &MessageDescriptor, entropy: &mut Entropy<'_>) -> Option<Value> {
    let name = message.full_name().strip_prefix("google.protobuf.")?;
    if !["Timestamp", "Duration", "FieldMask", "Any", "Value"].contains(&name) || entropy.chance(6) {
        return None;
    }
    let mut members = Map::new();
    match name {
        "Timestamp" | "Duration" => {
            let (least, most): (i64, i64) = match name {
                "Timestamp" => (-62_135_596_800, 253_402_300_799),
                _ => (-315_576_000_000, 315_576_000_000),
            };
            let seconds = (entropy.number() as i64).clamp(least, most);
            let nanos = [0, 500_000_000, 1, 123_456_000, 999_999_999][entropy.below(5)];
            let nanos = if name == "Duration" && seconds < 0 { -nanos } else { nanos };
            members.insert("seconds".into(), seconds.into());
            members.insert("nanos".into(), nanos.into());
            members.retain(|_, value| *value != 0);
        }
        "FieldMask" => {
            let paths = ["a", "b_c", "foo_bar.baz_q", "x1"];
            let paths: Vec<_> = (0..1 + entropy.below(3)).map(|_| paths[entropy.below(4)]).collect();
            members.insert("paths".into(), paths.into());
        }
        "Any" => {
            let (url, value) = ANY[entropy.below(ANY.len())];
            if !url.is_empty() {
                members.insert("type_url".into(), url.into());
            }
            if !value.is_empty() {
                members.insert("value".into(), value.into());
            }
        }
        _ => {
            let (name, value) = match entropy.below(5) {
                0 => ("null_value", "NULL_VALUE".into()),
                1 => ("number_value", float(entropy).into()),
                2 => ("string_value", text(entropy).into()),
                3 => ("bool_value", entropy.chance(2).into()),
                _ => ("list_value", json!({"values": [{"bool_value": false}, {"struct_value": {}}]})),
            };
            members.insert(name.into(), value);
        }
    }
    Some(Value::Object(members))
}
