//! Checks options that do not fit their kind of element or the edition, and finds unused imports.

use super::declarations::{of_message, ranges_of};
use super::*;
use crate::descriptor::handle::{Names, numbered};
use crate::descriptor::names::written;
use crate::descriptor::raw::options;
use crate::descriptor::tables::{ImportKind, TypeRef};
use crate::descriptor::{Edition, FieldDescriptor, MessageDescriptor, Type};

/// A kind of element: its number in `google.protobuf.FieldOptions.OptionTargetType`, and its name for errors.
type Target = (u64, &'static str);

/// The fields `targets` and `feature_support` of `google.protobuf.FieldOptions`, and `feature_support` of
/// `google.protobuf.EnumValueOptions`.
const TARGETS: u32 = 19;
const FEATURE_SUPPORT: u32 = 22;
const VALUE_FEATURE_SUPPORT: u32 = 4;

// The fields of `google.protobuf.FieldOptions.FeatureSupport`.
const INTRODUCED: u32 = 1;
const DEPRECATED: u32 = 2;
const DEPRECATION_WARNING: u32 = 3;
const REMOVED: u32 = 4;
const REMOVAL_ERROR: u32 = 5;

impl Broken<'_> {
    pub(super) fn options(&mut self) {
        // The names of the files whose elements this file uses.
        let mut used = Names::new();
        self.each_options(&mut used);
        self.extension_numbers();
        self.unused_imports(used);
    }

    fn each_options(&mut self, used: &mut Names) {
        let tables = self.tables;
        let mut check = |item, name: &str, target, options| {
            let encoded = tables.options(options);
            if !encoded.is_empty()
                && let Some(message) = self.options_message(name)
            {
                // An element with options uses the file that declares the options message. Options of a map entry do not count,
                // because compilers set them.
                let is_entry =
                    matches!(item, Some(Item::Message(i)) if tables.messages[i as usize].is_map_entry);
                if !is_entry && !used.contains_key(message.file().name()) {
                    used.insert(message.file().name().to_owned(), 0);
                }
                self.options_of(item, &message, target, encoded, used);
            }
        };
        check(None, "FileOptions", (1, "a file"), tables.options);
        for (message, i) in numbered(&tables.messages) {
            check(Some(Item::Message(i)), "MessageOptions", (3, "a message"), message.options);
        }
        for (field, i) in numbered(&tables.fields) {
            let item = if field.is_extension { Item::Extension(i) } else { Item::Field(i) };
            check(Some(item), "FieldOptions", (4, "a field"), field.options);
        }
        for (oneof, i) in numbered(&tables.oneofs) {
            check(Some(Item::Oneof(i)), "OneofOptions", (5, "a oneof"), oneof.options);
        }
        for (enumeration, i) in numbered(&tables.enums) {
            check(Some(Item::Enum(i)), "EnumOptions", (6, "an enum"), enumeration.options);
        }
        for (value, i) in numbered(&tables.values) {
            check(Some(Item::Value(i)), "EnumValueOptions", (7, "an enum value"), value.options);
        }
        for (service, i) in numbered(&tables.services) {
            check(Some(Item::Service(i)), "ServiceOptions", (8, "a service"), service.options);
        }
        for (method, i) in numbered(&tables.methods) {
            check(Some(Item::Method(i)), "MethodOptions", (9, "a method"), method.options);
        }
        let Some(message) = self.options_message("ExtensionRangeOptions") else { return };
        let ranges = ranges_of(tables);
        for i in 0..tables.messages.len() as u32 {
            let item = Item::Message(i);
            for range in of_message(&ranges, tables.full_name(item)) {
                let target = (2, "an extension range");
                self.options_of(Some(item), &message, target, &range.options, used);
            }
        }
    }

    fn options_message(&self, name: &str) -> Option<MessageDescriptor> {
        let name = written(format_args!("google.protobuf.{name}"));
        self.pool.message(&name).or_else(|| self.base.message(&name))
    }

    /// Checks the fields of an options message, and of the messages in it. The recursion is not too deep, because
    /// linking limits the nesting.
    fn options_of(
        &mut self,
        item: Option<Item>,
        message: &MessageDescriptor,
        target: Target,
        encoded: &[u8],
        used: &mut Names,
    ) {
        for field in options::fields(encoded) {
            let number = field.tag.number();
            let known = match message.field_by_number(number) {
                Some(known) => known,
                None => match self.pool.extension_of(message, number) {
                    Some(extension) => {
                        used.insert(extension.file().name().to_owned(), 0);
                        FieldDescriptor::clone(&extension)
                    }
                    None => continue,
                },
            };
            let of_field = known.options();
            let targets = options::numbers(of_field.encoded(), TARGETS);
            if !targets.is_empty() && !targets.contains(&target.0) {
                self.add_or(
                    item,
                    written(format_args!("option {} is not valid for {}", known.full_name(), target.1)),
                );
            }
            self.lifetime(item, known.full_name(), of_field.encoded(), FEATURE_SUPPORT);
            if let Some(value) = known.enum_type()
                && let Some(number) = field.varint()
                && let Some(value) = value.value_by_number(number as i32)
            {
                self.lifetime(item, value.full_name(), value.options().encoded(), VALUE_FEATURE_SUPPORT);
            }
            if let (Some(message), Some(encoded)) = (known.message_type(), field.len_prefixed()) {
                self.options_of(item, &message, target, encoded, used);
            }
        }
    }

    /// Checks that the edition of the file supports an option, or a value of an option.
    fn lifetime(&mut self, item: Option<Item>, name: &str, encoded: &[u8], number: u32) {
        let Some(support) = options::last_message(encoded, number) else { return };
        let own = self.tables.edition.number();
        let edition = |number| options::varint(support, number).map(|edition| edition as i32);
        let reason = |number| {
            let text = options::last_message(support, number).unwrap_or_default();
            if text.is_empty() {
                String::new()
            } else {
                written(format_args!(": {}", String::from_utf8_lossy(text)))
            }
        };
        if let Some(introduced) = edition(INTRODUCED).filter(|introduced| own < *introduced) {
            self.add_or(
                item,
                written(format_args!("{name} is not valid before edition {}", show(introduced))),
            );
        }
        if let Some(removed) = edition(REMOVED).filter(|removed| own >= *removed) {
            let reason = reason(REMOVAL_ERROR);
            self.add_or(
                item,
                written(format_args!("{name} is not valid from edition {} on{reason}", show(removed))),
            );
        } else if let Some(deprecated) = edition(DEPRECATED).filter(|deprecated| own >= *deprecated) {
            let reason = reason(DEPRECATION_WARNING);
            let text =
                written(format_args!("{name} is deprecated from edition {} on{reason}", show(deprecated)));
            match item {
                Some(item) => self.warn(item, text),
                None => self.warn_of_file(text),
            }
        }
    }

    /// Warns if two files extend a message with the same number. Both extensions can be used, but only one can be
    /// found by its number.
    fn extension_numbers(&mut self) {
        let tables = self.tables;
        for (field, i) in numbered(&tables.fields) {
            if !field.is_extension {
                continue;
            }
            let extendee = tables.target_name(field.parent, Item::Message);
            let found = self
                .pool
                .message(extendee)
                .and_then(|message| self.pool.extension_of(&message, field.number));
            if let Some(found) =
                found.filter(|found| found.full_name() != tables.full_name(Item::Extension(i)))
            {
                let (number, name, file) = (field.number, found.full_name(), found.file());
                let file = printable(file.name());
                self.warn(
                    Item::Extension(i),
                    format_args!(
                        "extension number {number} of {extendee} is already taken by {name} in {file}"
                    ),
                );
            }
        }
    }

    fn unused_imports(&mut self, mut used: Names) {
        let tables = self.tables;
        let mut uses = |target: TypeRef| {
            used.insert(tables.target(target).name().to_owned(), 0);
        };
        for field in &tables.fields {
            if field.is_extension {
                uses(field.parent);
            }
            if matches!(field.ty, Type::Message | Type::Enum) {
                uses(field.target);
            }
        }
        for method in &tables.methods {
            uses(method.input);
            uses(method.output);
        }
        for import in &tables.imports {
            let Some(file) = import.file.map(|file| &tables.reach[file as usize]) else { continue };
            if import.kind == ImportKind::Public {
                continue;
            }
            // A file with public imports may be imported because of these imports, so there is no warning.
            let mut stands_for_others = false;
            for import in &file.imports {
                stands_for_others |= import.kind == ImportKind::Public;
            }
            if !stands_for_others && !used.contains_key(file.name()) {
                self.warn_of_file(format_args!("import \"{}\" is not used", printable(file.name())));
            }
        }
    }

    fn add_or(&mut self, item: Option<Item>, text: String) {
        match item {
            Some(item) => self.add(item, text),
            None => self.add_to_file(text),
        }
    }

    fn warn_of_file(&mut self, text: impl fmt::Display) {
        self.findings.warnings.push(error_at(self.tables.name(), None, text));
    }
}

fn show(edition: i32) -> String {
    Edition::from_number(edition).map_or(edition.to_string(), |edition| edition.to_string())
}
