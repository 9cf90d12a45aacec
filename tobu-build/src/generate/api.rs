//! Finds the API of each message, and how the API changes the way in which fields are stored.

use std::collections::HashMap;

use tobu_schema::descriptor::{FieldDescriptor, FieldShape, Kind, MessageDescriptor, OneofDescriptor};

use super::field;
use super::schema::Schema;
use super::view::Flavor;
use crate::config::{Api, BytesType, MapType, StringType};
use crate::options;

/// If a message type is larger than this number of bytes, opaque messages box their single fields of this type.
const LARGE: usize = 192;

/// The APIs of the generated messages, and the estimated sizes of the messages.
#[derive(Default)]
pub(super) struct Apis {
    apis: HashMap<String, Api>,
    sizes: HashMap<String, usize>,
    pub(super) all_open: bool,
}

impl Apis {
    pub(super) fn of(messages: &[MessageDescriptor], schema: &Schema<'_>) -> Self {
        let config = schema.config();
        let apis = messages.iter().map(|message| {
            let name = message.full_name();
            let set = |whole: bool| config.apis.get_where(name, |pattern| (pattern == ".") == whole).copied();
            let api = set(false).or_else(|| options::api(message)).or_else(|| set(true)).unwrap_or_default();
            (name.to_owned(), api)
        });
        let mut found = Apis { apis: apis.collect(), ..Apis::default() };
        found.all_open = found.apis.values().all(|&api| api == Api::Open);
        if found.apis.values().any(|&api| api == Api::Opaque) {
            found.measure(messages, schema);
        }
        found
    }

    pub(super) fn get(&self, full_name: &str) -> Api {
        self.apis.get(full_name).copied().unwrap_or_default()
    }

    /// Returns the name of an opaque message, the first in alphabetical order, or `None` if no message is opaque.
    pub(super) fn opaque(&self) -> Option<&str> {
        self.apis.iter().filter(|(_, api)| **api == Api::Opaque).map(|(name, _)| name.as_str()).min()
    }

    /// True for a field of an owned type whose messages are decoded when they are first read.
    fn is_lazy(&self, schema: &Schema<'_>, field: &FieldDescriptor) -> bool {
        self.get(field.message().full_name()) == Api::Opaque
            && field.oneof().is_none()
            && !field.is_delimited()
            && matches!(
                field.shape(),
                FieldShape::Singular(Kind::Message(_)) | FieldShape::List(Kind::Message(_))
            )
            && *schema.config().lazy.get(field.full_name()).unwrap_or(&options::is_lazy(field))
    }

    /// True for a field whose message is boxed because it is large.
    pub(super) fn boxes_large(&self, field: &FieldDescriptor, target: &str) -> bool {
        self.boxes(field) && self.sizes.get(target).is_some_and(|&size| size > LARGE)
    }

    /// True for a field whose message is boxed if it is large. Fields of oneofs are not boxed, because the API does not change
    /// the variants of a oneof.
    fn boxes(&self, field: &FieldDescriptor) -> bool {
        field.oneof().is_none() && self.get(field.message().full_name()) == Api::Opaque
    }

    /// Estimates the sizes of all messages. The messages inside a message are measured before this message.
    fn measure(&mut self, messages: &[MessageDescriptor], schema: &Schema<'_>) {
        let by_name: HashMap<&str, &MessageDescriptor> =
            messages.iter().map(|message| (message.full_name(), message)).collect();
        for message in messages {
            // Each entry has a message, and true if the messages inside the message are already measured.
            let mut open = vec![(message, false)];
            while let Some((message, is_ready)) = open.pop() {
                if self.sizes.contains_key(message.full_name()) {
                    continue;
                }
                if is_ready {
                    let size = self.size(schema, message);
                    self.sizes.insert(message.full_name().to_owned(), size);
                    continue;
                }
                open.push((message, true));
                for field in message.fields() {
                    if let FieldShape::Singular(Kind::Message(target)) = field.shape()
                        && !field::is_boxed(schema, &field, Flavor::Owned)
                        && let Some(&target) = by_name.get(target.full_name())
                    {
                        open.push((target, false));
                    }
                }
            }
        }
    }

    fn size(&self, schema: &Schema<'_>, message: &MessageDescriptor) -> usize {
        let is_opaque = self.get(message.full_name()) == Api::Opaque;
        let fields = message.fields().filter(|field| field.oneof().is_none()).map(|field| {
            let size = self.field_size(schema, &field);
            let is_option = matches!(field.shape(), FieldShape::Singular(_)) && field.has_presence();
            match (is_option && !is_opaque, size) {
                // Every bit pattern of the value is valid, so the option needs additional space.
                (true, 4 | 8) => 2 * size,
                _ => size,
            }
        });
        let oneof = |oneof: OneofDescriptor| {
            8 + oneof.fields().map(|field| self.field_size(schema, &field)).max().unwrap_or_default()
        };
        let unknown_fields = 8;
        fields.sum::<usize>() + message.oneofs().map(oneof).sum::<usize>() + unknown_fields
    }

    /// Estimates the size of a field in bytes on 64-bit targets, without its presence.
    fn field_size(&self, schema: &Schema<'_>, field: &FieldDescriptor) -> usize {
        let config = schema.config();
        let path = field.full_name();
        match field.shape() {
            _ if self.is_lazy(schema, field) => 8,
            FieldShape::List(_) => 24,
            FieldShape::Map { .. } => match config.map_types.get(path).unwrap_or(&MapType::HashMap) {
                MapType::BTreeMap => 24,
                _ => 48,
            },
            FieldShape::Singular(kind) => match kind {
                Kind::Bool => 1,
                Kind::Double | Kind::Int64 | Kind::UInt64 | Kind::SInt64 | Kind::Fixed64 | Kind::SFixed64 => {
                    8
                }
                Kind::String => match config.string_types.get(path).unwrap_or(&StringType::String) {
                    StringType::String => 24,
                    _ => 16,
                },
                Kind::Bytes => match config.bytes_types.get(path).unwrap_or(&BytesType::Vec) {
                    BytesType::Vec => 24,
                    _ => 32,
                },
                Kind::Message(_) if field::is_boxed(schema, field, Flavor::Owned) => 8,
                Kind::Message(target) => match self.sizes.get(target.full_name()) {
                    Some(&size) if size > LARGE && self.boxes(field) => 8,
                    Some(&size) => size,
                    // The message is from another crate.
                    None => 48,
                },
                _ => 4,
            },
        }
    }
}

/// How a message stores a single field with presence, or a lazy list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stored {
    /// In an `Option`.
    Option,
    /// As a value with a presence bit.
    Bit(u16),
    /// In a `Lazy` or a `LazyList`.
    Lazy,
}

impl Stored {
    /// True for a field whose messages are decoded when they are first read.
    pub(super) fn is_lazy(schema: &Schema<'_>, field: &FieldDescriptor, flavor: Flavor) -> bool {
        flavor == Flavor::Owned
            && schema.apis.is_lazy(schema, field)
            && field::owned_with(schema, field).is_none()
    }

    /// True for a field that can be stored with a presence bit.
    pub(super) fn takes_bit(schema: &Schema<'_>, field: &FieldDescriptor, flavor: Flavor) -> bool {
        if schema.apis.get(field.message().full_name()) != Api::Opaque
            || flavor != Flavor::Owned
            || field::owned_with(schema, field).is_some()
            || field.oneof().is_some()
            || !field.has_presence()
        {
            return false;
        }
        match field.shape() {
            // Clearing sets the member to what `Default` returns, so this must be the default value of the enum.
            FieldShape::Singular(Kind::Enum(target)) => {
                schema.name_of(target.full_name()).is_some() && target.default_value().number() == 0
            }
            FieldShape::Singular(Kind::Message(_)) => false,
            FieldShape::Singular(_) => true,
            FieldShape::List(_) | FieldShape::Map { .. } => false,
        }
    }
}
