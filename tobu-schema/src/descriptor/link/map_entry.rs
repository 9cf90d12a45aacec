//! Map entries: synthesized messages of exactly one shape.
//!
//! Specification: <https://protobuf.dev/programming-guides/proto3/#maps>.

use super::super::Type;
use super::super::tables::*;
use super::Linker;
use crate::descriptor::names::written;
use crate::error::Result;

impl Linker<'_, '_, '_> {
    /// Checks that a field whose type is a map entry is a map.
    pub(super) fn check_map_field(&self, i: usize) -> Result<()> {
        let entry = &self.tables.fields[i];
        let is_own = !entry.is_extension
            && entry.target.file == 0
            && self.tables.target_message(entry.target).parent == Some(entry.parent.index);
        if entry.cardinality != Cardinality::Repeated || !is_own {
            let text = "a map entry may only be the type of a repeated field of the message it is nested in";
            return Err(self.fail(Item::Field(i as u32), text));
        }
        Ok(())
    }

    /// Checks the shape of a map entry: an optional key of number 1 and an optional value of number 2.
    pub(super) fn check_map_entry(&self, message: &MessageEntry, item: Item) -> Result<()> {
        let malformed = |text: &str| self.fail(item, format_args!("malformed map entry: {text}"));
        if message.parent.is_none() {
            return Err(malformed("it must be nested in a message"));
        }
        let [key, value] = message.fields.of(&self.tables.fields) else {
            return Err(malformed("it must have two fields, key and value"));
        };
        for (field, name, number) in [(key, "key", 1), (value, "value", 2)] {
            if self.tables.text(field.name.last) != name || field.number != number {
                return Err(malformed("its fields must be key = 1 and value = 2"));
            }
            if field.cardinality != Cardinality::Optional {
                return Err(malformed("key and value must be optional"));
            }
            if field.default.is_some() {
                return Err(malformed("key and value cannot have defaults"));
            }
        }
        let is_empty = message.oneofs.len() == 0
            && message.messages.len() == 0
            && message.enums.len() == 0
            && message.extensions.len() == 0
            && message.extension_ranges().is_empty();
        if !is_empty {
            return Err(malformed("it may declare nothing but key and value"));
        }
        if matches!(key.ty, Type::Double | Type::Float | Type::Bytes | Type::Message | Type::Enum) {
            return Err(malformed(&written(format_args!("{} is no type for a key", key.ty))));
        }
        if value.ty == Type::Enum {
            let target = self.tables.target(value.target);
            let first = target.enums[value.target.index as usize].values.of(&target.values).first();
            if first.is_none_or(|first| first.number != 0) {
                return Err(malformed("the first value of an enum in a map must be 0"));
            }
        }
        if value.is_map {
            return Err(malformed("the value cannot be a map"));
        }
        Ok(())
    }
}
