//! Last step for messages: lookup tables, and the checks over all fields of a message.

use std::collections::HashMap;

use super::super::Edition;
use super::super::features::JsonFormat;
use super::super::list::{each, numbered, numbered_from};
use super::super::names::{json_name, printable};
use super::super::tables::*;
use super::Linker;
use super::ranges::Lookup;
use crate::error::Result;
use crate::sort::{sort_by, sort_by_key};

impl Linker<'_, '_, '_> {
    pub(super) fn finish_messages(&mut self) -> Result<()> {
        self.sort_fields();
        for i in 0..self.tables.messages.len() {
            let (message, item) = (&self.tables.messages[i], Item::Message(i as u32));
            if message.is_map_entry {
                self.check_map_entry(message, item)?;
            }
            let mut real = 0;
            for oneof in message.oneofs.of(&self.tables.oneofs) {
                real += u32::from(!oneof.is_synthetic);
            }
            self.tables.messages[i].real_oneofs = real;
        }
        Ok(())
    }

    pub(super) fn check_messages(&mut self) -> Result<()> {
        for (message, i) in numbered(&self.tables.messages) {
            if let Err(error) = self.check_message(message, Item::Message(i)) {
                self.batch.report(error)?;
            }
        }
        Ok(())
    }

    fn check_message(&self, message: &MessageEntry, item: Item) -> Result<()> {
        self.check_numbers(message)?;
        self.check_reserved(message, item)?;
        self.check_json_names(message)?;
        self.check_oneofs(message)?;
        if message.is_message_set && (message.fields.len() > 0 || message.oneofs.len() > 0) {
            return Err(self.fail(item, "a message set can only have extensions, no fields"));
        }
        if self.tables.edition == Edition::Proto3 {
            if !message.extension_ranges().is_empty() {
                return Err(self.fail(item, "extension ranges are not valid in proto3"));
            }
            if message.is_message_set {
                return Err(self.fail(item, "message sets are not valid in proto3"));
            }
        }
        Ok(())
    }

    /// Sorts the fields of each message by number, name and JSON name; equal ones in the order of declaration.
    fn sort_fields(&mut self) {
        let count = self.tables.fields.len();
        let mut orders = Vec::with_capacity(3 * count);
        for _ in 0..3 {
            orders.extend(0..count as u32);
        }
        let (by_number, rest) = orders.split_at_mut(count);
        let (by_name, by_json_name) = rest.split_at_mut(count);
        let field = |i: u32| &self.tables.fields[i as usize];
        let name = |i: u32| self.tables.text(field(i).name.last);
        let json_name = |i: u32| self.tables.text(field(i).json_name);
        for message in &self.tables.messages {
            let fields = message.fields.start as usize..message.fields.end as usize;
            sort_by_key(&mut by_number[fields.clone()], |&i| field(i).number);
            sort_by(&mut by_name[fields.clone()], |&a, &b| name(a).cmp(name(b)));
            sort_by(&mut by_json_name[fields], |&a, &b| json_name(a).cmp(json_name(b)));
        }
        self.tables.field_orders = orders;
    }

    fn check_numbers(&self, message: &MessageEntry) -> Result<()> {
        for pair in self.tables.fields_by(Order::Number, message.fields).windows(2) {
            let [a, b] = [pair[0], pair[1]].map(|i| &self.tables.fields[i as usize]);
            if a.number == b.number {
                return Err(self.fail(
                    Item::Field(pair[1]),
                    format_args!(
                        "field number {} is already taken by {}",
                        b.number,
                        self.tables.text(a.name.last)
                    ),
                ));
            }
        }
        let extensions = Lookup::of(message.extension_ranges());
        let reserved = Lookup::of(message.reserved_ranges());
        for (field, i) in numbered_from(message.fields.of(&self.tables.fields), message.fields.start) {
            let number = i64::from(field.number);
            if let Some((start, end)) = extensions.find(number) {
                return Err(self.fail(
                    Item::Field(i),
                    format_args!("field number {number} is in the extension range {start} to {end}"),
                ));
            }
            if let Some((start, end)) = reserved.find(number) {
                return Err(self.fail(
                    Item::Field(i),
                    format_args!("field number {number} is in the reserved range {start} to {end}"),
                ));
            }
        }
        Ok(())
    }

    fn check_reserved(&self, message: &MessageEntry, item: Item) -> Result<()> {
        let reserved = self.reserved(message.reserved_names(), item)?;
        for i in message.fields.range() {
            if reserved.binary_search(&self.tables.text(self.tables.fields[i as usize].name.last)).is_ok() {
                return Err(self.fail(Item::Field(i), "the name is reserved"));
            }
        }
        Ok(())
    }

    /// The names that a message or an enum reserves, sorted.
    pub(super) fn reserved(&self, names: &[Span], item: Item) -> Result<Vec<&str>> {
        let mut reserved = each(names, |name| self.tables.text(*name));
        sort_by(&mut reserved, |a, b| a.cmp(b));
        for pair in reserved.windows(2) {
            if pair[0] == pair[1] {
                let name = printable(pair[0]);
                return Err(self.fail(item, format_args!("name {name} is reserved twice")));
            }
        }
        Ok(reserved)
    }

    /// Checks that no two fields have one JSON name; where JSON is best effort only, only explicit ones are
    /// checked.
    ///
    /// Specification: <https://protobuf.dev/editions/features/#json_format>.
    fn check_json_names(&self, message: &MessageEntry) -> Result<()> {
        let by_json_name = self.tables.fields_by(Order::JsonName, message.fields);
        let name = |i: u32| self.tables.text(self.tables.fields[i as usize].json_name);
        let differ = by_json_name.windows(2).all(|pair| name(pair[0]) != name(pair[1]));
        if message.allows_json_conflicts || differ && !by_json_name.iter().any(|&i| name(i).starts_with('['))
        {
            return Ok(());
        }
        let is_lenient = message.features.json_format == JsonFormat::LegacyBestEffort;
        let is_custom = |field: &FieldEntry| {
            *self.tables.text(field.json_name) != *json_name(self.tables.text(field.name.last))
        };
        let mut taken: HashMap<&str, usize> = HashMap::new();
        for (field, i) in numbered_from(message.fields.of(&self.tables.fields), message.fields.start) {
            let json = name(i);
            if json.starts_with('[') && json.ends_with(']') && is_custom(field) {
                let json = printable(json);
                return Err(
                    self.fail(Item::Field(i), format_args!("JSON name \"{json}\" looks like an extension"))
                );
            }
            if let Some(earlier) = taken.insert(json, i as usize) {
                let earlier = &self.tables.fields[earlier];
                if !is_lenient || is_custom(field) && is_custom(earlier) {
                    let (json, earlier) = (printable(json), self.tables.text(earlier.name.last));
                    return Err(self.fail(
                        Item::Field(i),
                        format_args!("JSON name \"{json}\" is already taken by {earlier}"),
                    ));
                }
            }
        }
        Ok(())
    }

    fn check_oneofs(&self, message: &MessageEntry) -> Result<()> {
        let mut synthetic = None;
        for i in message.oneofs.range() {
            let oneof = &self.tables.oneofs[i as usize];
            if oneof.fields.is_empty() {
                return Err(self.fail(Item::Oneof(i), "a oneof must have at least one field"));
            }
            if oneof.is_synthetic {
                synthetic.get_or_insert(oneof);
            } else if let Some(synthetic) = synthetic {
                let synthetic = self.tables.text(synthetic.name.last);
                return Err(self.fail(
                    Item::Oneof(i),
                    format_args!("a real oneof must come before synthetic ones as {synthetic}"),
                ));
            }
        }
        Ok(())
    }
}
