//! Random content for a message, as a tree of values in the form in which decoding gives it.

use crate::entropy::Entropy;
use serde_json::{Map, Value, json};
use tobu::{FieldDescriptor, FieldShape, Kind, MessageDescriptor};

/// A message with up to `depth` levels; lists and maps that are empty, and values that are not written, are left out.
pub(crate) fn message(message: &MessageDescriptor, entropy: &mut Entropy<'_>, depth: usize) -> Value {
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

fn field(field: &FieldDescriptor, entropy: &mut Entropy<'_>, depth: usize) -> Option<Value> {
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
