//! Names of fields in JSON.
//!
//! Specification: <https://protobuf.dev/editions/features/#json_format>.

use super::*;
use crate::descriptor::JsonFormat;
use crate::descriptor::list::{Names, numbered, numbered_from};
use crate::descriptor::names::written;
use crate::descriptor::names::{is_identifier, json_name};
use crate::descriptor::tables::MessageEntry;

impl Broken<'_> {
    pub(super) fn json_names(&mut self) {
        let tables = self.tables;
        for message in tables.messages.iter().filter(|message| !message.allows_json_conflicts) {
            // Once as if no field declared a name, which masks need, and once as they are.
            self.json_names_of(message, false);
            self.json_names_of(message, true);
        }
    }

    fn json_names_of(&mut self, message: &MessageEntry, with_custom: bool) {
        let tables = self.tables;
        let is_lenient = message.features.json_format == JsonFormat::LegacyBestEffort;
        let mut taken = Names::with_capacity(message.fields.len());
        for (field, i) in numbered_from(message.fields.of(&tables.fields), message.fields.start) {
            let name = tables.text(field.name.last);
            let (default, custom) = (json_name(name), tables.text(field.json_name));
            let is_custom = with_custom && *custom != *default;
            let json = if is_custom { custom.to_owned() } else { default };
            let Some(earlier) = taken.get(&json) else {
                taken.insert(json, i as usize);
                continue;
            };
            let field = &tables.fields[*earlier];
            let earlier = tables.text(field.name.last);
            let earlier_is_custom = with_custom && *tables.text(field.json_name) != *json_name(earlier);
            // Two names that are not declared were compared before.
            if with_custom && !is_custom && !earlier_is_custom {
                continue;
            }
            let text =
                written(format_args!("JSON name \"{}\" is already taken by {earlier}", printable(&json)));
            match is_lenient && !(is_custom && earlier_is_custom) {
                true => self.warn(Item::Field(i), text),
                false => self.add(Item::Field(i), text),
            }
        }
    }

    /// Names that are reserved, but could be that of no field or value. Editions write them without quotes.
    pub(super) fn reserved_names(&mut self) {
        let tables = self.tables;
        for (message, i) in numbered(&tables.messages) {
            message.reserved_names().iter().for_each(|name| self.reserved_name(Item::Message(i), *name));
        }
        for (enumeration, i) in numbered(&tables.enums) {
            enumeration.reserved_names().iter().for_each(|name| self.reserved_name(Item::Enum(i), *name));
        }
    }

    fn reserved_name(&mut self, item: Item, name: Span) {
        let name = self.tables.text(name);
        if is_identifier(name) {
            return;
        }
        let text = written(format_args!("reserved name \"{}\" is not an identifier", printable(name)));
        match self.tables.edition.has_features() {
            true => self.add(item, text),
            false => self.warn(item, text),
        }
    }
}
