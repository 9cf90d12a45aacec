//! Finds the types that can implement `Eq`, `Hash` and `Copy`: all their members must implement the trait.

use std::collections::{HashMap, HashSet};

use tobu_schema::descriptor::{FieldDescriptor, FieldShape, Kind, MessageDescriptor};

use super::api::Stored;
use super::attributes::Item;
use super::field;
use super::schema::Schema;
use super::view::Flavor;
use crate::config::{BytesType, MapType, StringType};

/// The full names of the messages and oneofs that cannot implement `Eq` and `Hash`, or `Copy`.
#[derive(Default)]
pub(super) struct Lacking {
    eq: HashSet<String>,
    copy: HashSet<String>,
}

impl Lacking {
    pub(super) fn of(messages: &[MessageDescriptor], schema: &Schema<'_>) -> Self {
        let config = schema.config();
        let mut lacking = Lacking::default();
        if config.derive_eq_hash {
            lacking.eq = containing(messages, |field, found| {
                config.skip_partial_eq.get(field.message().full_name()).is_some()
                    || lacks_eq_hash(schema, field, found)
            });
        }
        if config.derive_copy {
            lacking.copy = containing(messages, |field, found| lacks_copy(schema, field, found));
        }
        lacking
    }

    /// True for a message or a oneof whose type implements `Eq` and `Hash`.
    pub(super) fn has_eq_hash(&self, schema: &Schema<'_>, full_name: &str) -> bool {
        schema.config().derive_eq_hash
            && schema.config().skip_partial_eq.get(full_name).is_none()
            && !self.eq.contains(full_name)
    }

    /// True for a message or a oneof whose type implements `Copy`.
    pub(super) fn has_copy(&self, schema: &Schema<'_>, full_name: &str, item: Item) -> bool {
        let keeps_unknown = item == Item::Message && schema.config().unknown_fields;
        schema.config().derive_copy && !keeps_unknown && !self.copy.contains(full_name)
    }
}

/// Returns the full names of the messages and oneofs with a field for which `has` is true. The second argument of
/// `has` is the set of the names that were found before.
pub(super) fn containing(
    messages: &[MessageDescriptor],
    has: impl Fn(&FieldDescriptor, &HashSet<String>) -> bool,
) -> HashSet<String> {
    let mut open: Vec<_> = messages.iter().flat_map(|message| message.fields().collect::<Vec<_>>()).collect();
    // The loop tests a field again only after it found the message of the field. Therefore a long chain of messages
    // does not need one pass over all fields for each message.
    let mut users: HashMap<String, Vec<FieldDescriptor>> = HashMap::new();
    for field in &open {
        if let Some(target) = target(field) {
            users.entry(target.full_name().to_owned()).or_default().push(field.clone());
        }
    }
    let mut found = HashSet::new();
    while let Some(field) = open.pop() {
        if has(&field, &found) {
            found.extend(field.oneof().map(|oneof| oneof.full_name().to_owned()));
            let message = field.message();
            if found.insert(message.full_name().to_owned()) {
                open.extend(users.remove(message.full_name()).unwrap_or_default());
            }
        }
    }
    found
}

/// Returns the message in a field, or in the values of a map.
fn target(field: &FieldDescriptor) -> Option<MessageDescriptor> {
    let kind = match field.shape() {
        FieldShape::Singular(kind) | FieldShape::List(kind) => kind,
        FieldShape::Map { value, .. } => value.kind(),
    };
    match kind {
        Kind::Message(message) => Some(message),
        _ => None,
    }
}

fn lacks_eq_hash(schema: &Schema<'_>, field: &FieldDescriptor, found: &HashSet<String>) -> bool {
    let config = schema.config();
    if field::owned_with(schema, field).is_some() {
        return true;
    }
    let lacks = |kind: &Kind| match kind {
        Kind::Double | Kind::Float => true,
        Kind::String => matches!(config.string_types.get(field.full_name()), Some(StringType::Custom(_))),
        Kind::Bytes => matches!(config.bytes_types.get(field.full_name()), Some(BytesType::Custom(_))),
        Kind::Message(target) => lacks(schema, target.full_name(), found, &WITH_EQ_HASH),
        _ => false,
    };
    match field.shape() {
        FieldShape::Singular(kind) | FieldShape::List(kind) => lacks(&kind),
        FieldShape::Map { key, value } => {
            // A `HashMap` or a map of another crate may not implement `Hash`.
            config.map_types.get(field.full_name()) != Some(&MapType::BTreeMap)
                || lacks(&key.kind())
                || lacks(&value.kind())
        }
    }
}

fn lacks_copy(schema: &Schema<'_>, field: &FieldDescriptor, found: &HashSet<String>) -> bool {
    match field.shape() {
        _ if field::owned_with(schema, field).is_some() => true,
        FieldShape::Singular(Kind::String | Kind::Bytes) => true,
        FieldShape::Singular(Kind::Message(target)) => {
            schema.config().unknown_fields
                || field::is_boxed(schema, field, Flavor::Owned)
                || Stored::is_lazy(schema, field, Flavor::Owned)
                || lacks(schema, target.full_name(), found, &[])
        }
        FieldShape::Singular(_) => false,
        FieldShape::List(_) | FieldShape::Map { .. } => true,
    }
}

/// True if a message lacks a trait. A type that is not generated here lacks the trait, except for the runtime's types in
/// `with`.
fn lacks(schema: &Schema<'_>, full_name: &str, found: &HashSet<String>, with: &[&str]) -> bool {
    match schema.name_of(full_name) {
        Some(_) => found.contains(full_name),
        None => schema.config().extern_paths.prefix(full_name).is_some() || !with.contains(&full_name),
    }
}

/// The runtime's types that implement `Eq` and `Hash`.
const WITH_EQ_HASH: [&str; 12] = [
    "google.protobuf.Any",
    "google.protobuf.BoolValue",
    "google.protobuf.BytesValue",
    "google.protobuf.Duration",
    "google.protobuf.Empty",
    "google.protobuf.FieldMask",
    "google.protobuf.Int32Value",
    "google.protobuf.Int64Value",
    "google.protobuf.StringValue",
    "google.protobuf.Timestamp",
    "google.protobuf.UInt32Value",
    "google.protobuf.UInt64Value",
];

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Returns the messages of a chain, in the order of `number`. Message 0 has a string, and each other message has a
    /// map of the message before it.
    fn chain(count: usize, number: impl Fn(usize) -> usize) -> Vec<MessageDescriptor> {
        let message = |at: usize| match at {
            0 => "message M0 { string last = 1; int32 number = 2; }\n".to_owned(),
            _ => format!("message M{at} {{ map<int32, M{}> next = 1; int32 number = 2; }}\n", at - 1),
        };
        let messages: String = (0..count).map(|at| message(number(at))).collect();
        let source = format!("syntax = 'proto3'; message None {{ int32 number = 1; }} {messages}");
        let pool = crate::load_sources(&[("a.proto", source)]).unwrap();
        let file = pool.file("a.proto").unwrap();
        file.messages().collect()
    }

    #[test]
    fn asks_each_field_once_and_once_more() {
        for messages in [chain(500, |at| at), chain(500, |at| 499 - at)] {
            let asked = Cell::new(0);
            let found = containing(&messages, |field, found| {
                asked.set(asked.get() + 1);
                match field.shape() {
                    FieldShape::Singular(kind) => kind == Kind::String,
                    _ => target(field).is_some_and(|target| found.contains(target.full_name())),
                }
            });
            assert_eq!((found.len(), found.contains("None")), (500, false));
            assert!(asked.get() <= 2 * 1001, "{}", asked.get());
        }
    }
}
