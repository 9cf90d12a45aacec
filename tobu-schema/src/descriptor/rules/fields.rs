//! Options that only some types of fields may have, and types that only some fields may have.

use super::*;
use crate::descriptor::features::EnumType;
use crate::descriptor::list::numbered;
use crate::descriptor::names::written;
use crate::descriptor::names::{entry_name, json_name};
use crate::descriptor::raw::options;
use crate::descriptor::tables::{Cardinality, FieldEntry};
use crate::descriptor::{Edition, Type};

// The fields of `google.protobuf.FieldOptions`.
const CTYPE: u32 = 1;
const LAZY: u32 = 5;
const JSTYPE: u32 = 6;
const UNVERIFIED_LAZY: u32 = 15;

/// A message may have so many fields, by the limits of compilers.
const MOST_FIELDS: usize = 65_535;

impl Broken<'_> {
    pub(super) fn fields(&mut self) {
        let tables = self.tables;
        // The map entries that are the type of a map.
        let mut used = vec![false; tables.messages.len()];
        for (field, i) in numbered(&tables.fields) {
            let item = self.field_item(i);
            self.option_types(item, field);
            if field.is_map {
                used[field.target.index as usize] = true;
                self.map(item, field);
            }
            if tables.edition == Edition::Proto3 && field.ty == Type::Enum {
                self.closed_enum(item, field);
            }
            if field.is_extension && tables.text(field.json_name) != json_name(tables.text(field.name.last)) {
                self.add(item, "the option json_name is not valid for extensions");
            }
        }
        for (message, i) in numbered(&tables.messages) {
            if message.fields.len() > MOST_FIELDS {
                self.add(
                    Item::Message(i),
                    format_args!("{} fields are more than {MOST_FIELDS}", message.fields.len()),
                );
            }
            // The entry of a map is a message that no source declares.
            if message.is_map_entry && !used[i as usize] {
                let text = "the option map_entry is not for sources: a field of type map<..> sets it";
                self.add(Item::Message(i), text);
            }
        }
    }

    fn option_types(&mut self, item: Item, field: &FieldEntry) {
        let encoded = self.tables.options(field.options);
        if encoded.is_empty() {
            return;
        }
        if self.tables.edition >= Edition::Edition2024 && options::varint(encoded, CTYPE).is_some() {
            let text = "the option ctype is not valid from edition 2024 on: the feature (pb.cpp).string_type replaces it";
            self.add(item, text);
        }
        let is_unverified = options::is_set(encoded, UNVERIFIED_LAZY);
        if (is_unverified || options::is_set(encoded, LAZY))
            && (field.ty != Type::Message || field.is_delimited)
        {
            self.add(item, "the option lazy is only valid for messages that are not delimited");
        }
        if is_unverified && field.is_extension {
            self.add(item, "the option unverified_lazy is not valid for extensions");
        }
        let is_long =
            matches!(field.ty, Type::Int64 | Type::UInt64 | Type::SInt64 | Type::Fixed64 | Type::SFixed64);
        if !is_long && options::is_set(encoded, JSTYPE) {
            self.add(item, "the option jstype is only valid for integers of 64 bits");
        }
    }

    /// The type of a map is a message that only the field itself may use. Its name says whose it is.
    fn map(&mut self, item: Item, field: &FieldEntry) {
        let tables = self.tables;
        let entry = tables.target_message(field.target);
        let name = tables.text(field.name.last);
        if entry_name(name) != tables.text(entry.name.last) {
            let entry = tables.target_name(field.target, Item::Message);
            self.add(
                item,
                written(format_args!(
                    "{entry} is the entry of a map, which no other field can have as its type"
                )),
            );
        }
    }

    /// Files of proto3 use open enums only, because their fields have no room for numbers that an enum does not declare.
    fn closed_enum(&mut self, item: Item, field: &FieldEntry) {
        let tables = self.tables;
        if tables.target_enum(field.target).features.enum_type == EnumType::Closed {
            let name = tables.target_name(field.target, Item::Enum);
            self.add(item, format_args!("enum {name} is closed: a file of proto3 cannot use it"));
        }
    }
}

/// True for a repeated field whose values can be packed.
pub(super) fn is_packable(field: &FieldEntry) -> bool {
    field.cardinality == Cardinality::Repeated && field.ty.is_packable()
}
