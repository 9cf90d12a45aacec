//! Which types may have `Eq`, `Hash` and `Copy`: those all of whose members have them.

use std::collections::HashSet;

use tobu::descriptor::{FieldDescriptor, FieldShape, Kind, MessageDescriptor};

use super::api::Stored;
use super::attributes::Item;
use super::field;
use super::schema::Schema;
use super::view::Flavor;
use crate::config::{BytesType, MapType, StringType};

/// The full names of the messages and oneofs that cannot have a trait.
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

    /// True for a message or a oneof that is to have `Eq` and `Hash`.
    pub(super) fn has_eq_hash(&self, schema: &Schema<'_>, full_name: &str) -> bool {
        schema.config().derive_eq_hash
            && schema.config().skip_partial_eq.get(full_name).is_none()
            && !self.eq.contains(full_name)
    }

    /// True for a message or a oneof that is to have `Copy`.
    pub(super) fn has_copy(&self, schema: &Schema<'_>, full_name: &str, item: Item) -> bool {
        let keeps_unknown = item == Item::Message && schema.config().unknown_fields;
        schema.config().derive_copy && !keeps_unknown && !self.copy.contains(full_name)
    }
}

/// The full names of the messages and oneofs with a field for which `has` says so; it knows those found so far.
pub(super) fn containing(
    messages: &[MessageDescriptor],
    has: impl Fn(&FieldDescriptor, &HashSet<String>) -> bool,
) -> HashSet<String> {
    let mut found = HashSet::new();
    loop {
        let before = found.len();
        for message in messages {
            for field in message.fields() {
                if has(&field, &found) {
                    found.insert(message.full_name().to_owned());
                    found.extend(field.oneof().map(|oneof| oneof.full_name().to_owned()));
                }
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn lacks_eq_hash(schema: &Schema<'_>, field: &FieldDescriptor, found: &HashSet<String>) -> bool {
    let config = schema.config();
    let is_own = config.with.get(field.full_name()).is_some();
    let lacks = |kind: &Kind| match kind {
        Kind::Double | Kind::Float => true,
        Kind::String | Kind::Bytes if is_own => true,
        Kind::String => matches!(config.string_types.get(field.full_name()), Some(StringType::Custom(_))),
        Kind::Bytes => matches!(config.bytes_types.get(field.full_name()), Some(BytesType::Custom(_))),
        Kind::Message(target) => lacks(schema, target.full_name(), found, &WITH_EQ_HASH),
        _ => false,
    };
    match field.shape() {
        FieldShape::Singular(kind) | FieldShape::List(kind) => lacks(&kind),
        FieldShape::Map { key, value } => {
            // The other maps have no `Hash`.
            config.map_types.get(field.full_name()) != Some(&MapType::BTreeMap)
                || lacks(&key.kind())
                || lacks(&value.kind())
        }
    }
}

fn lacks_copy(schema: &Schema<'_>, field: &FieldDescriptor, found: &HashSet<String>) -> bool {
    match field.shape() {
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

/// True where a message is found to lack a trait, or is made elsewhere and not known to have it.
fn lacks(schema: &Schema<'_>, full_name: &str, found: &HashSet<String>, with: &[&str]) -> bool {
    match schema.name_of(full_name) {
        Some(_) => found.contains(full_name),
        None => schema.config().extern_paths.prefix(full_name).is_some() || !with.contains(&full_name),
    }
}

/// The runtime's types that have `Eq` and `Hash`.
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
