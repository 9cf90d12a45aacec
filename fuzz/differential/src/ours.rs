//! What tobu makes of an input.

use crate::exchange::Format;
use crate::schema::Schema;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tobu::reflect::Equality;
use tobu::{DynamicMessage, EncodeOptions, MessageDescriptor, Reflect, json, text};

/// Reads a message, or says why not; a panic is a refusal that no row of the table knows.
pub fn read(schema: &Schema, message: usize, format: Format, input: &[u8]) -> Result<DynamicMessage, String> {
    let descriptor = &schema.messages[message];
    let read = || match format {
        Format::Wire => DynamicMessage::decode(descriptor, input),
        Format::Json => {
            DynamicMessage::from_json_with(descriptor, input, &json::Options::new().pool(&schema.pool))
        }
        Format::Text => {
            DynamicMessage::from_text_with(descriptor, input, &text::Options::new().pool(&schema.pool))
        }
    };
    let done = catch_unwind(AssertUnwindSafe(read)).map_err(|_| "tobu panics".to_owned())?;
    done.map_err(|error| error.to_string())
}

/// Writes a message, or says why not.
pub fn write(schema: &Schema, message: &DynamicMessage, format: Format) -> Result<Vec<u8>, String> {
    let write = || match format {
        Format::Wire => DETERMINISTIC().to_vec(message),
        Format::Json => json::Options::new().pool(&schema.pool).to_vec(message),
        Format::Text => text::Options::new().pool(&schema.pool).to_vec(message),
    };
    let done = catch_unwind(AssertUnwindSafe(write)).map_err(|_| "tobu panics".to_owned())?;
    done.map_err(|error| error.to_string())
}

/// The bytes of a message with all its fields in order, extensions among them.
pub fn canonical(flat: &MessageDescriptor, wire: &[u8]) -> Result<Vec<u8>, String> {
    let message = DynamicMessage::decode(flat, wire).map_err(|error| error.to_string())?;
    DETERMINISTIC().to_vec(&message).map_err(|error| error.to_string())
}

/// Whether canonical bytes mean the same but for unknown fields, for what sort of NaN a number is, and for the form in
/// which the content of an `Any` is encoded.
pub fn similar(schema: &Schema, flat: &MessageDescriptor, one: &[u8], other: &[u8]) -> bool {
    let read = |wire| DynamicMessage::decode(flat, wire);
    let (Ok(one), Ok(other)) = (read(one), read(other)) else { return false };
    let (left, right): (&dyn Reflect, &dyn Reflect) = (&one, &other);
    if left.equals_with(right, Equality::new().nan(true).unknown_fields(false)) {
        return true;
    }
    // Text has the content of an `Any` as fields.
    let text = |message| text::Options::new().pool(&schema.pool).to_vec(message);
    matches!((text(&one), text(&other)), (Ok(one), Ok(other)) if one == other)
}

const DETERMINISTIC: fn() -> EncodeOptions = || EncodeOptions::new().deterministic(true);
