//! The last step of linking messages: builds lookup tables, and checks all fields of a message.

use std::collections::HashMap;
use std::sync::Arc;

use features::{EnumType, FieldPresence, MessageEncoding, RepeatedFieldEncoding, Utf8Validation};

use crate::descriptor::features::JsonFormat;
use crate::descriptor::handle::{Names, each, numbered, numbered_from};
use crate::descriptor::link::{FieldDraft, Linker, Lookup};
use crate::descriptor::names::{json_name, printable, written};
use crate::descriptor::pool::Symbol;
use crate::descriptor::raw::options;
use crate::descriptor::tables::*;
use crate::descriptor::{Declared, DefaultValue, Edition, Type, features};
use crate::error::Result;
use crate::sort::{sort_by, sort_by_key};
use crate::wire::MAX_FIELD_NUMBER;

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

    /// Sorts the fields of each message by number, by name and by JSON name. Fields with the same key stay in the
    /// order of declaration.
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

    /// Returns the names that a message or an enum reserves, sorted. Fails if a name is reserved twice.
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

    /// Checks that JSON names are unique within a message, and that no declared name looks like an extension. If the feature
    /// `json_format` is `LEGACY_BEST_EFFORT`, two names may be equal unless the schema declares both. Messages with the option
    /// `deprecated_legacy_json_field_conflicts` are not checked.
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
                    format_args!("a real oneof must come before synthetic oneofs such as {synthetic}"),
                ));
            }
        }
        Ok(())
    }
}

/// The number of the type `group` in `FieldDescriptorProto.Type`.
const GROUP: i32 = 10;

/// The messages that a proto3 file may extend, because they are for custom options.
const OPTIONS: [&str; 9] = [
    "google.protobuf.FileOptions",
    "google.protobuf.MessageOptions",
    "google.protobuf.FieldOptions",
    "google.protobuf.OneofOptions",
    "google.protobuf.ExtensionRangeOptions",
    "google.protobuf.EnumOptions",
    "google.protobuf.EnumValueOptions",
    "google.protobuf.ServiceOptions",
    "google.protobuf.MethodOptions",
];

impl Linker<'_, '_, '_> {
    pub(super) fn finish_fields(&mut self) -> Result<()> {
        for i in 0..self.fields.len() {
            if let Err(error) = self.finish_field(i) {
                self.batch.report(error)?;
            }
        }
        self.batch.check()
    }

    fn finish_field(&mut self, i: usize) -> Result<()> {
        let FieldDraft { label, type_number, default, .. } = self.fields[i];
        self.infer(i, label, type_number == Some(GROUP))?;
        if let Some(text) = default {
            let value = self.default(i, text)?;
            self.tables.fields[i].default = Some(value);
        }
        match self.tables.fields[i].is_extension {
            true => self.check_extension(i),
            false => self.check_oneof_member(i),
        }
    }

    /// Registers the extensions of the file under the messages that they extend. If an extension in another file has the same
    /// number, the earlier extension stays registered, because compilers only report a warning.
    pub(super) fn declare_extensions(&mut self) -> Result<()> {
        let mut taken = Names::new();
        for (entry, i) in numbered(&self.tables.fields) {
            if !entry.is_extension {
                continue;
            }
            let (extendee, number) = (self.tables.target_name(entry.parent, Item::Message), entry.number);
            let earlier = match self.batch.extension(extendee, number, &self.tables) {
                None => {
                    self.batch.declare_extension(extendee, number, i, &self.tables);
                    continue;
                }
                Some(Symbol { file, item }) if file == self.here => item,
                // Within one file, the numbers of a message's extensions must be unique.
                Some(_) => match taken.insert(written(format_args!("{number} {extendee}")), i as usize) {
                    Some(earlier) => Item::Extension(earlier as u32),
                    None => continue,
                },
            };
            let earlier = self.tables.full_name(earlier);
            return Err(self.fail(
                Item::Extension(i),
                format_args!("extension number {number} of {extendee} is already taken by {earlier}"),
            ));
        }
        Ok(())
    }

    /// Infers the features that proto2 and proto3 express by other means. Then computes everything that depends on
    /// features.
    fn infer(&mut self, i: usize, label: Option<i32>, is_group: bool) -> Result<()> {
        let (entry, item) = (&self.tables.fields[i], Item::Field(i as u32));
        let edition = self.tables.edition;
        let mut features = entry.features;
        let packed = options::varint(self.tables.options(entry.options), 2).map(|value| value != 0);
        let label = match label {
            None | Some(1) => Cardinality::Optional,
            Some(2) => Cardinality::Required,
            Some(3) => Cardinality::Repeated,
            Some(label) => return Err(self.fail(item, format_args!("label {label} does not exist"))),
        };
        let is_repeated = label == Cardinality::Repeated;
        if let Some(packed) = packed {
            if edition.has_features() {
                let text = "the option packed is not valid from edition 2023 on";
                return Err(self.fail(item, text));
            }
            if packed && !(is_repeated && entry.ty.is_packable()) {
                let text = "the option packed is only valid for repeated fields of numbers, bools and enums";
                return Err(self.fail(item, text));
            }
            features.repeated_field_encoding =
                if packed { RepeatedFieldEncoding::Packed } else { RepeatedFieldEncoding::Expanded };
        }
        if is_group {
            if edition != Edition::Proto2 {
                return Err(self.fail(item, format_args!("groups are not valid in edition {edition}")));
            }
            if entry.ty != Type::Message {
                return Err(self.fail(item, "the type of a group must be a message"));
            }
            features.message_encoding = MessageEncoding::Delimited;
        }
        if label == Cardinality::Required {
            if edition != Edition::Proto2 {
                return Err(
                    self.fail(item, format_args!("required fields are not valid in edition {edition}"))
                );
            }
            features.field_presence = FieldPresence::LegacyRequired;
        }
        if entry.is_proto3_optional {
            if edition != Edition::Proto3 {
                return Err(self.fail(item, "proto3_optional is only valid in proto3"));
            }
            features.field_presence = FieldPresence::Explicit;
        }

        let target = (entry.ty == Type::Message).then(|| self.tables.target_message(entry.target));
        let is_entry = target.is_some_and(|target| target.is_map_entry);
        let in_entry = !entry.is_extension && self.tables.messages[entry.parent.index as usize].is_map_entry;
        let is_required = !is_repeated && features.field_presence == FieldPresence::LegacyRequired;
        if is_required && entry.is_extension {
            return Err(self.fail(item, "an extension cannot be required"));
        }
        if is_required && entry.oneof.is_some() {
            return Err(self.fail(item, "a field of a oneof cannot be required"));
        }
        let cardinality = if is_required { Cardinality::Required } else { label };
        let has_presence = !is_repeated
            && (entry.ty == Type::Message
                || entry.is_extension
                || entry.oneof.is_some()
                || features.field_presence != FieldPresence::Implicit);
        if entry.ty == Type::Enum && !is_repeated && !has_presence && (!in_entry || edition.has_features()) {
            let target = self.tables.target_enum(entry.target);
            if target.features.enum_type == EnumType::Closed {
                let name = self.tables.target_name(entry.target, Item::Enum);
                return Err(self.fail(
                    item,
                    format_args!("enum {name} is closed: a field of it cannot have implicit presence"),
                ));
            }
        }
        let is_packed = is_repeated
            && entry.ty.is_packable()
            && features.repeated_field_encoding == RepeatedFieldEncoding::Packed;
        let is_delimited = entry.ty == Type::Message
            && !is_entry
            && !in_entry
            && features.message_encoding == MessageEncoding::Delimited;
        let validates_utf8 = entry.ty == Type::String && features.utf8_validation == Utf8Validation::Verify;

        let entry = &mut self.tables.fields[i];
        entry.cardinality = cardinality;
        entry.has_presence = has_presence;
        entry.is_packed = is_packed;
        entry.is_delimited = is_delimited;
        entry.validates_utf8 = validates_utf8;
        entry.is_map = is_entry;
        entry.features = features;
        if is_entry {
            self.check_map_field(i)?;
        }
        Ok(())
    }

    /// Parses the default value that a field declares.
    fn default(&self, i: usize, text: &str) -> Result<Arc<Declared>> {
        let (entry, item) = (&self.tables.fields[i], Item::Field(i as u32));
        if entry.cardinality == Cardinality::Repeated {
            return Err(self.fail(item, "a repeated field cannot have a default"));
        }
        if self.tables.edition == Edition::Proto3 || !entry.has_presence {
            return Err(self.fail(item, "a field of implicit presence cannot have a default"));
        }
        let value = match entry.ty {
            Type::Message => return Err(self.fail(item, "a message field cannot have a default")),
            Type::Enum => {
                let target = self.tables.target(entry.target);
                let values = target.enums[entry.target.index as usize].values;
                let by_name = target.values_by(Order::Name, values);
                let value = |i: &u32| &target.values[*i as usize];
                let found = by_name.binary_search_by(|i| target.text(value(i).name.last).cmp(text)).ok();
                let value = found.map(|at| value(&by_name[at]));
                value.map(|value| Declared::new(DefaultValue::Enum(value.number)))
            }
            ty => Declared::parse(ty, text),
        };
        value.ok_or_else(|| {
            let what = match entry.ty {
                Type::Enum => self.tables.target_name(entry.target, Item::Enum).to_owned(),
                ty => ty.to_string(),
            };
            self.fail(item, format_args!("default \"{}\" is not a value of {what}", printable(text)))
        })
    }

    fn check_extension(&self, i: usize) -> Result<()> {
        let (entry, item) = (&self.tables.fields[i], Item::Field(i as u32));
        let extendee = self.tables.target_message(entry.parent);
        let full = self.tables.target_name(entry.parent, Item::Message);
        if entry.is_proto3_optional && self.tables.edition != Edition::Proto3 {
            return Err(self.fail(item, "proto3_optional is only valid in proto3"));
        }
        if entry.is_map {
            return Err(self.fail(item, "an extension cannot be a map"));
        }
        if self.tables.edition == Edition::Proto3 && !OPTIONS.contains(&full) {
            return Err(self.fail(item, "extensions in proto3 are only valid for custom options"));
        }
        let ranges = extendee.extension_ranges();
        let after = ranges.partition_point(|range| range.start <= entry.number);
        if !after.checked_sub(1).is_some_and(|at| ranges[at].contains(&entry.number)) {
            return Err(self.fail(
                item,
                format_args!("{full} declares no extension range with number {}", entry.number),
            ));
        }
        if extendee.is_message_set {
            if entry.ty != Type::Message || entry.is_delimited || entry.cardinality != Cardinality::Optional {
                return Err(self.fail(item, "an extension of a message set must be an optional message"));
            }
        } else if entry.number > MAX_FIELD_NUMBER {
            return Err(self.fail(
                item,
                format_args!("field number {} is above the maximum of {MAX_FIELD_NUMBER}", entry.number),
            ));
        }
        Ok(())
    }

    fn check_oneof_member(&self, i: usize) -> Result<()> {
        let (entry, item) = (&self.tables.fields[i], Item::Field(i as u32));
        let Some(oneof) = entry.oneof else {
            if entry.is_proto3_optional {
                return Err(self.fail(item, "a proto3 optional field must be in a oneof of its own"));
            }
            return Ok(());
        };
        let oneof_item = Item::Oneof(oneof);
        let oneof = &self.tables.oneofs[oneof as usize];
        if entry.cardinality == Cardinality::Repeated {
            return Err(self.fail(item, "a field of a oneof cannot be repeated"));
        }
        if oneof.is_synthetic && oneof.fields.len() > 1 {
            return Err(
                self.fail(oneof_item, "the oneof of a proto3 optional field must have no other field")
            );
        }
        Ok(())
    }
}
