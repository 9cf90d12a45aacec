//! Writing: messages and their exact JSON.

mod any;
mod extension;
mod fields;
mod hostile;
mod known;
mod options;

use tobu::{Message, MessageDescriptorExt, Serialize, convert, json};

/// Writes a message as its type, as a tree of values over its descriptor, and from the wire; all must give the same.
#[track_caller]
fn row<T: Message + Serialize>(message: &T, wanted: &str) {
    assert_eq!(json::to_string(message).unwrap(), wanted);
    let descriptor = T::descriptor();
    let bytes = tobu::EncodeOptions::new().deterministic(true).to_vec(message).unwrap();
    let tree: serde_json::Value = descriptor.decode(&bytes).unwrap();
    assert_eq!(descriptor.encode_json(&tree).unwrap(), wanted, "as a tree");
    let mut text = Vec::new();
    convert::wire_to_json(&descriptor, &bytes, &mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), wanted, "from the wire");
}

/// As [`row`], where a tree has no room for the message.
#[track_caller]
fn typed_row<T: Message + Serialize>(message: &T, wanted: &str) {
    assert_eq!(json::to_string(message).unwrap(), wanted);
}

#[track_caller]
fn error<T: Message + Serialize>(message: &T, wanted: &str) {
    assert_eq!(json::to_string(message).unwrap_err().to_string(), wanted);
}
