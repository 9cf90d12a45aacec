//! Finds the messages whose `Debug` may look up descriptors by name, because the message, or a message inside it, has
//! extensions or is a `google.protobuf.Any`.

use std::collections::{HashMap, HashSet};

use tobu_schema::descriptor::{FieldShape, Kind, MessageDescriptor};

/// Returns the full names of the messages that can contain extensions or a `google.protobuf.Any`, directly or in nested
/// messages.
pub(super) fn of(messages: &[MessageDescriptor]) -> HashSet<String> {
    let mut users: HashMap<String, Vec<String>> = HashMap::new();
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let mut open = messages.to_vec();
    while let Some(message) = open.pop() {
        if !seen.insert(message.full_name().to_owned()) {
            continue;
        }
        if message.full_name() == "google.protobuf.Any" || message.extension_ranges().len() > 0 {
            found.push(message.full_name().to_owned());
        }
        for target in message.fields().filter_map(|field| target(&field.shape())) {
            users.entry(target.full_name().to_owned()).or_default().push(message.full_name().to_owned());
            open.push(target);
        }
    }
    let mut all = HashSet::new();
    while let Some(name) = found.pop() {
        found.extend(users.remove(&name).into_iter().flatten());
        all.insert(name);
    }
    all
}

/// Returns the type of the messages that a field contains, directly or in a list or a map.
fn target(shape: &FieldShape) -> Option<MessageDescriptor> {
    let kind = match shape {
        FieldShape::Singular(kind) | FieldShape::List(kind) => kind.clone(),
        FieldShape::Map { value, .. } => value.kind(),
    };
    match kind {
        Kind::Message(message) => Some(message),
        _ => None,
    }
}
