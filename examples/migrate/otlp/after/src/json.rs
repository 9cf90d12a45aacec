//! OTLP/JSON: ProtoJSON, but with ids in hexadecimal instead of base64, and enum values as numbers.

use crate::proto::trace::v1::TracesData;
use serde::Deserialize;
use serde_json::Value;
use std::error::Error;
use tobu::types::BytesValue;

pub fn to_string(traces: &TracesData) -> Result<String, Box<dyn Error>> {
    let text = tobu::json::Options::new().enums_as_integers(true).to_string(traces)?;
    let mut value = serde_json::from_str(&text)?;
    change_ids(&mut value, to_hex)?;
    Ok(value.to_string())
}

pub fn from_str(text: &str) -> Result<TracesData, Box<dyn Error>> {
    let mut value = serde_json::from_str(text)?;
    change_ids(&mut value, from_hex)?;
    Ok(tobu::json::from_str(&value.to_string())?)
}

fn change_ids(
    value: &mut Value,
    change: fn(&Value) -> Result<Value, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    match value {
        Value::Array(items) => items.iter_mut().try_for_each(|item| change_ids(item, change)),
        Value::Object(members) => members.iter_mut().try_for_each(|(name, member)| {
            if matches!(name.as_str(), "traceId" | "spanId" | "parentSpanId") {
                *member = change(member)?;
                return Ok(());
            }
            change_ids(member, change)
        }),
        _ => Ok(()),
    }
}

/// `BytesValue` is base64 in JSON.
fn to_hex(base64: &Value) -> Result<Value, Box<dyn Error>> {
    let id = BytesValue::deserialize(base64)?.value;
    Ok(id.iter().map(|byte| format!("{byte:02x}")).collect::<String>().into())
}

fn from_hex(digits: &Value) -> Result<Value, Box<dyn Error>> {
    let digits = digits.as_str().ok_or("an id is a string")?;
    let byte = |at| u8::from_str_radix(digits.get(at..at + 2).unwrap_or_default(), 16);
    let id = (0..digits.len()).step_by(2).map(byte).collect::<Result<Vec<u8>, _>>()?;
    Ok(serde_json::to_value(BytesValue::new(id))?)
}
