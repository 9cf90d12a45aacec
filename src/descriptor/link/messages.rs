//! Last step for messages: lookup tables, and the checks over all fields of a message.

use std::collections::{HashMap, HashSet};

use super::super::Edition;
use super::super::features::JsonFormat;
use super::super::names::{is_identifier, json_name, printable};
use super::super::tables::*;
use super::Linker;
use super::ranges::Lookup;
use crate::error::Result;

impl Linker<'_, '_> {
    pub(super) fn finish_messages(&mut self) -> Result<()> {
        for i in 0..self.tables.messages.len() {
            let message = &self.tables.messages[i];
            let [by_number, by_name, by_json_name] = self.indexes(message);
            self.check_numbers(message, &by_number)?;
            self.check_reserved(message)?;
            self.check_json_names(message, &by_json_name)?;
            let real_oneofs = self.check_oneofs(message)?;
            if message.is_map_entry {
                self.check_map_entry(message)?;
            }
            if message.is_message_set && (message.fields.len() > 0 || message.oneofs.len() > 0) {
                return Err(self.fail(&message.name, "a message set can only have extensions, no fields"));
            }
            if self.tables.edition == Edition::Proto3 {
                if !message.extension_ranges.is_empty() {
                    return Err(self.fail(&message.name, "extension ranges are not valid in proto3"));
                }
                if message.is_message_set {
                    return Err(self.fail(&message.name, "message sets are not valid in proto3"));
                }
            }
            let message = &mut self.tables.messages[i];
            message.by_number = by_number;
            message.by_name = by_name;
            message.by_json_name = by_json_name;
            message.real_oneofs = real_oneofs;
        }
        Ok(())
    }

    /// The fields in the order of numbers, names and JSON names; equal ones in the order of declaration.
    fn indexes(&self, message: &MessageEntry) -> [Box<[u32]>; 3] {
        let field = |i: u32| &self.tables.fields[i as usize];
        let mut by_number: Box<[u32]> = message.fields.range().collect();
        let (mut by_name, mut by_json_name) = (by_number.clone(), by_number.clone());
        by_number.sort_by_key(|&i| field(i).number);
        by_name.sort_by(|&a, &b| field(a).name.last().cmp(field(b).name.last()));
        by_json_name.sort_by(|&a, &b| field(a).json_name.cmp(&field(b).json_name));
        [by_number, by_name, by_json_name]
    }

    fn check_numbers(&self, message: &MessageEntry, by_number: &[u32]) -> Result<()> {
        for pair in by_number.windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|i| &self.tables.fields[i as usize]);
            if a.number == b.number {
                let text = format!("field number {} is already taken by {}", b.number, a.name.last());
                return Err(self.fail(&b.name, text));
            }
        }
        let extensions = Lookup::of(&message.extension_ranges);
        let reserved = Lookup::of(&message.reserved_ranges);
        for field in message.fields.of(&self.tables.fields) {
            let number = i64::from(field.number);
            if let Some((start, end)) = extensions.find(number) {
                let text = format!("field number {number} is in the extension range {start} to {end}");
                return Err(self.fail(&field.name, text));
            }
            if let Some((start, end)) = reserved.find(number) {
                let text = format!("field number {number} is in the reserved range {start} to {end}");
                return Err(self.fail(&field.name, text));
            }
        }
        Ok(())
    }

    fn check_reserved(&self, message: &MessageEntry) -> Result<()> {
        let mut reserved = HashSet::new();
        for name in &message.reserved_names {
            if !is_identifier(name) {
                let text = format!("reserved name \"{}\" is not an identifier", printable(name));
                return Err(self.fail(&message.name, text));
            }
            if !reserved.insert(&**name) {
                return Err(self.fail(&message.name, format!("name {} is reserved twice", printable(name))));
            }
        }
        match message.fields.of(&self.tables.fields).iter().find(|field| reserved.contains(field.name.last()))
        {
            Some(field) => Err(self.fail(&field.name, "the name is reserved")),
            None => Ok(()),
        }
    }

    /// Checks that no two fields have one JSON name; where JSON is best effort only, those that were asked for.
    ///
    /// Specification: <https://protobuf.dev/editions/features/#json_format>.
    fn check_json_names(&self, message: &MessageEntry, by_json_name: &[u32]) -> Result<()> {
        let name = |i: u32| &*self.tables.fields[i as usize].json_name;
        let differ = by_json_name.windows(2).all(|pair| name(pair[0]) != name(pair[1]));
        if message.allows_json_conflicts || differ && !by_json_name.iter().any(|&i| name(i).starts_with('['))
        {
            return Ok(());
        }
        let is_lenient = message.features.json_format == JsonFormat::LegacyBestEffort;
        let mut taken: HashMap<&str, (&FieldEntry, bool)> = HashMap::new();
        for field in message.fields.of(&self.tables.fields) {
            let is_custom = *field.json_name != *json_name(field.name.last());
            if is_custom && field.json_name.starts_with('[') && field.json_name.ends_with(']') {
                let text = format!("JSON name \"{}\" looks like an extension", printable(&field.json_name));
                return Err(self.fail(&field.name, text));
            }
            match taken.get(&*field.json_name) {
                Some((earlier, earlier_is_custom)) if !is_lenient || (is_custom && *earlier_is_custom) => {
                    let text = format!(
                        "JSON name \"{}\" is already taken by {}",
                        printable(&field.json_name),
                        earlier.name.last()
                    );
                    return Err(self.fail(&field.name, text));
                }
                _ => taken.insert(&field.json_name, (field, is_custom)),
            };
        }
        Ok(())
    }

    /// Checks the oneofs of a message and counts the real ones.
    fn check_oneofs(&self, message: &MessageEntry) -> Result<u32> {
        let mut real = 0;
        let mut synthetic = None;
        for oneof in message.oneofs.of(&self.tables.oneofs) {
            if oneof.fields.is_empty() {
                return Err(self.fail(&oneof.name, "a oneof must have at least one field"));
            }
            if oneof.is_synthetic {
                synthetic.get_or_insert(oneof);
            } else if let Some(synthetic) = synthetic {
                let text =
                    format!("a real oneof must come before synthetic ones as {}", synthetic.name.last());
                return Err(self.fail(&oneof.name, text));
            } else {
                real += 1;
            }
        }
        Ok(real)
    }
}
