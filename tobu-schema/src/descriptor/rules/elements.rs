//! Checks fields, enums, features, imports, JSON names, reserved names and visibility.

use crate::descriptor::features::EnumType;
use crate::descriptor::handle::{Names, numbered, numbered_from};
use crate::descriptor::names::{entry_name, is_identifier, json_name, written};
use crate::descriptor::raw::options;
use crate::descriptor::rules::*;
use crate::descriptor::tables::{
    Cardinality, EnumEntry, FieldEntry, ImportKind, MessageEntry, Order, TypeRef,
};
use crate::descriptor::{
    DefaultSymbolVisibility, Edition, Features, FieldPresence, JsonFormat, Type, Visibility,
};
use crate::wire::MAX_FIELD_NUMBER;

// The fields of `google.protobuf.FieldOptions`.
const CTYPE: u32 = 1;

const LAZY: u32 = 5;

const JSTYPE: u32 = 6;

const UNVERIFIED_LAZY: u32 = 15;

/// The maximum number of fields that compilers allow in a message.
const MOST_FIELDS: usize = 65_535;

impl Broken<'_> {
    pub(super) fn fields(&mut self) {
        let tables = self.tables;
        // For each message: true if the message is the entry of a map field.
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
            // Sources do not declare the entry message of a map, because a map field implies it.
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

    /// Checks that no other field has the entry message of a map as its type. The name of the entry message shows
    /// to which field it belongs.
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

    /// Checks that a proto3 file only uses open enums, because its fields cannot store the unknown numbers of a
    /// closed enum.
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

// The fields of `google.protobuf.EnumOptions`.
const ALLOW_ALIAS: u32 = 2;

const LEGACY_JSON_CONFLICTS: u32 = 6;

impl Broken<'_> {
    pub(super) fn enums(&mut self) {
        let tables = self.tables;
        for (enumeration, i) in numbered(&tables.enums) {
            self.names_by_case(enumeration);
            self.aliases(enumeration, Item::Enum(i));
        }
    }

    /// Checks that the names of values differ in more than case and a prefix with the name of the enum, because
    /// generators remove this prefix and change the case.
    fn names_by_case(&mut self, enumeration: &EnumEntry) {
        let tables = self.tables;
        let enum_name = tables.text(enumeration.name.last);
        let is_lenient = tables.edition == Edition::Proto2
            && options::is_set(tables.options(enumeration.options), LEGACY_JSON_CONFLICTS);
        let mut taken = Names::with_capacity(enumeration.values.len());
        for (value, i) in numbered_from(enumeration.values.of(&tables.values), enumeration.values.start) {
            let name = tables.text(value.name.last);
            let bare = pascal_case(without_prefix(name, enum_name));
            let earlier = &tables.values[*taken.entry(bare).or_insert(i as usize)];
            if earlier.number == value.number {
                continue;
            }
            let earlier = tables.text(earlier.name.last);
            let text = written(format_args!(
                "the name is that of {earlier}, except for case and the prefix that is the name of the enum"
            ));
            match is_lenient {
                true => self.warn(Item::Value(i), text),
                false => self.add(Item::Value(i), text),
            }
        }
    }

    fn aliases(&mut self, enumeration: &EnumEntry, item: Item) {
        let tables = self.tables;
        match options::varint(tables.options(enumeration.options), ALLOW_ALIAS) {
            Some(0) => self.add(item, "allow_alias = false has no effect"),
            Some(_) => {
                let by_number = tables.values_by(Order::Number, enumeration.values);
                let number = |i: u32| tables.values[i as usize].number;
                if by_number.windows(2).all(|pair| number(pair[0]) != number(pair[1])) {
                    self.add(item, "allow_alias is set, but no two values have one number");
                }
            }
            None => {}
        }
    }
}

/// Returns the name of a value without the name of its enum in front. The comparison ignores case and underscores.
/// If nothing would be left, returns the whole name.
fn without_prefix<'n>(name: &'n str, enum_name: &str) -> &'n str {
    let mut prefix = enum_name.bytes().filter(|byte| *byte != b'_').peekable();
    let mut at = 0;
    for byte in name.bytes() {
        if byte != b'_' {
            match prefix.next() {
                None => break,
                Some(expected) if expected.eq_ignore_ascii_case(&byte) => {}
                Some(_) => return name,
            }
        }
        at += 1;
    }
    if prefix.peek().is_some() || at == name.len() { name } else { &name[at..] }
}

/// Converts `FOO_BAR` to `FooBar`.
fn pascal_case(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut is_upper = true;
    for c in name.chars() {
        if c == '_' {
            is_upper = true;
        } else {
            out.push(if is_upper { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() });
            is_upper = false;
        }
    }
    out
}

/// The field of `google.protobuf.FieldOptions` that has the features, and the fields of a `FeatureSet`.
const FIELD_FEATURES: u32 = 21;

const FIELD_PRESENCE: u32 = 1;

const REPEATED_FIELD_ENCODING: u32 = 3;

const UTF8_VALIDATION: u32 = 4;

const MESSAGE_ENCODING: u32 = 5;

/// The field `java_string_check_utf8` of `google.protobuf.FileOptions`.
const JAVA_STRING_CHECK_UTF8: u32 = 27;

/// The values of features.
const IMPLICIT: u64 = 2;

const LEGACY_REQUIRED: u64 = 3;

const PACKED: u64 = 1;

impl Broken<'_> {
    pub(super) fn features(&mut self) {
        let tables = self.tables;
        if !tables.edition.has_features() {
            return;
        }
        if tables.features.field_presence == FieldPresence::LegacyRequired {
            self.add_to_file("features.field_presence = LEGACY_REQUIRED is not valid for a whole file");
        }
        if options::is_set(tables.options(tables.options), JAVA_STRING_CHECK_UTF8) {
            let text = "the option java_string_check_utf8 is not valid from edition 2023 on: \
                        the feature (pb.java).utf8_validation replaces it";
            self.add_to_file(text);
        }
        for (field, i) in numbered(&tables.fields) {
            // The fields of a map entry inherit the features of the map, so only the map is checked.
            let is_in_entry = !field.is_extension && tables.target_message(field.parent).is_map_entry;
            if !is_in_entry && field.options.len() > 0 {
                self.features_of(self.field_item(i), field);
            }
        }
    }

    fn features_of(&mut self, item: Item, field: &FieldEntry) {
        let encoded = self.tables.options(field.options);
        let own = |feature| {
            let mut last = None;
            for set in options::messages(encoded, FIELD_FEATURES) {
                last = options::varint(set, feature).or(last);
            }
            last
        };
        let is_repeated = field.cardinality == Cardinality::Repeated;
        if let Some(presence) = own(FIELD_PRESENCE) {
            let wrong = match presence {
                _ if field.oneof.is_some() => Some("a field of a oneof"),
                _ if is_repeated => Some("a repeated field"),
                _ if field.is_extension && presence != LEGACY_REQUIRED => Some("an extension"),
                _ => None,
            };
            if let Some(what) = wrong {
                self.add(item, format_args!("features.field_presence is not valid for {what}"));
            } else if field.ty == Type::Message && presence == IMPLICIT {
                self.add(item, "features.field_presence = IMPLICIT is not valid for messages");
            }
        }
        match own(REPEATED_FIELD_ENCODING) {
            Some(_) if !is_repeated => {
                self.add(item, "features.repeated_field_encoding is only valid for repeated fields");
            }
            Some(PACKED) if !is_packable(field) => {
                let text = "features.repeated_field_encoding = PACKED is only valid for repeated fields of \
                            numbers, bools and enums";
                self.add(item, text);
            }
            _ => {}
        }
        if own(UTF8_VALIDATION).is_some() && field.ty != Type::String && !self.is_map_of_strings(field) {
            self.add(item, "features.utf8_validation is only valid for strings");
        }
        if own(MESSAGE_ENCODING).is_some() && (field.ty != Type::Message || field.is_map) {
            self.add(item, "features.message_encoding is only valid for messages");
        }
    }

    fn is_map_of_strings(&self, field: &FieldEntry) -> bool {
        if !field.is_map {
            return false;
        }
        let (tables, entry) = (self.tables.target(field.target), self.tables.target_message(field.target));
        for field in entry.fields.of(&tables.fields) {
            if field.ty == Type::String {
                return true;
            }
        }
        false
    }
}

// The fields of `google.protobuf.FileOptions`.
const OPTIMIZE_FOR: u32 = 9;

const CC_GENERIC_SERVICES: u32 = 16;

const JAVA_GENERIC_SERVICES: u32 = 17;

const LITE_RUNTIME: u64 = 3;

impl Broken<'_> {
    pub(super) fn imports(&mut self) {
        let tables = self.tables;
        let has_options = tables.edition >= Edition::Edition2024;
        for import in &tables.imports {
            let name = import.file.map_or("", |file| tables.reach[file as usize].name());
            match import.kind {
                ImportKind::Option if !has_options => {
                    self.add_to_file("imports for options are not valid before edition 2024");
                }
                ImportKind::Weak if has_options => {
                    self.add_to_file(format_args!(
                        "import \"{}\" cannot be weak from edition 2024 on",
                        printable(name)
                    ));
                }
                _ => {}
            }
        }
        match is_lite(tables) {
            true => self.lite(),
            false => {
                let imports = tables.imports.iter().filter_map(|import| import.file);
                let mut files = imports.map(|file| &tables.reach[file as usize]);
                if let Some(lite) = files.find(|file| is_lite(file)) {
                    let name = printable(lite.name());
                    self.add_to_file(format_args!(
                        "import \"{name}\" is for LITE_RUNTIME, which only files for LITE_RUNTIME can import"
                    ));
                }
            }
        }
    }

    /// Checks the rules for a file with the option `optimize_for = LITE_RUNTIME`.
    fn lite(&mut self) {
        let tables = self.tables;
        for (field, i) in numbered(&tables.fields) {
            if !field.is_extension {
                continue;
            }
            if !is_lite(tables.target(field.parent)) {
                let extendee = tables.target_name(field.parent, Item::Message);
                self.add(
                    Item::Extension(i),
                    format_args!(
                        "{extendee} is not for LITE_RUNTIME, so files for LITE_RUNTIME cannot extend it"
                    ),
                );
            }
        }
        let encoded = tables.options(tables.options);
        if [CC_GENERIC_SERVICES, JAVA_GENERIC_SERVICES].iter().any(|number| options::is_set(encoded, *number))
        {
            for i in 0..tables.services.len() as u32 {
                let text = "a file for LITE_RUNTIME cannot have services with cc_generic_services or \
                            java_generic_services";
                self.add(Item::Service(i), text);
            }
        }
    }
}

fn is_lite(file: &FileTables) -> bool {
    options::varint(file.options(file.options), OPTIMIZE_FOR) == Some(LITE_RUNTIME)
}

impl Broken<'_> {
    pub(super) fn json_names(&mut self) {
        let tables = self.tables;
        for message in tables.messages.iter().filter(|message| !message.allows_json_conflicts) {
            // The names are checked twice. The first check ignores declared JSON names, because field masks use the derived
            // names. The second check uses the declared names.
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
            // If neither field declares a JSON name, the first check has already compared their names.
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

    /// Reports reserved names that no field or value can have. In editions, which write reserved names without quotes, this is
    /// an error, otherwise a warning.
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

impl Broken<'_> {
    pub(super) fn visibility(&mut self) {
        let tables = self.tables;
        for (field, i) in numbered(&tables.fields) {
            let item = if field.is_extension { Item::Extension(i) } else { Item::Field(i) };
            if field.is_extension {
                self.uses(item, field.parent, Type::Message);
            }
            match field.ty {
                Type::Message => self.uses(item, field.target, Type::Message),
                Type::Enum => self.uses(item, field.target, Type::Enum),
                _ => {}
            }
        }
        for (method, i) in numbered(&tables.methods) {
            self.uses(Item::Method(i), method.input, Type::Message);
            self.uses(Item::Method(i), method.output, Type::Message);
        }
        self.nested_exports();
    }

    /// Checks that this file may use the type to which an element refers.
    fn uses(&mut self, user: Item, target: TypeRef, ty: Type) {
        if target.file == 0 {
            return;
        }
        let file = self.tables.target(target);
        let (visibility, is_nested, name) = match ty {
            Type::Enum => {
                let entry = self.tables.target_enum(target);
                (entry.visibility, entry.parent.is_some(), self.tables.target_name(target, Item::Enum))
            }
            _ => {
                let entry = self.tables.target_message(target);
                (entry.visibility, entry.parent.is_some(), self.tables.target_name(target, Item::Message))
            }
        };
        if !visibility.is_local(file.features, is_nested) {
            return;
        }
        let why = match visibility {
            Visibility::Unset => {
                written(format_args!("by features.default_symbol_visibility = {}", default_of(file.features)))
            }
            _ => "as it is declared".to_owned(),
        };
        self.add(user, format_args!("type {name} is local to {}, {why}", printable(file.name())));
    }

    /// Reports exported nested types, if the default visibility in the file is `STRICT`. An enum in a message that serves as a
    /// namespace may be exported.
    fn nested_exports(&mut self) {
        let tables = self.tables;
        if tables.features.default_symbol_visibility != DefaultSymbolVisibility::Strict {
            return;
        }
        for (message, i) in numbered(&tables.messages) {
            if message.parent.is_some() && message.visibility == Visibility::Export {
                let text =
                    "a nested message cannot be exported, by features.default_symbol_visibility = STRICT";
                self.add(Item::Message(i), text);
            }
        }
        for (enumeration, i) in numbered(&tables.enums) {
            let is_exported = enumeration.visibility == Visibility::Export && enumeration.parent.is_some();
            if is_exported && !self.is_in_namespace(enumeration) {
                let text = "a nested enum cannot be exported, by features.default_symbol_visibility = STRICT, unless its \
                            message is local and has only `reserved 1 to max;`";
                self.add(Item::Enum(i), text);
            }
        }
    }

    /// True for an enum in a local message that can have no fields, because it reserves all field numbers.
    fn is_in_namespace(&self, enumeration: &EnumEntry) -> bool {
        let Some(parent) = enumeration.parent else { return false };
        let message = &self.tables.messages[parent as usize];
        message.parent.is_none()
            && message.visibility.is_local(self.tables.features, false)
            && matches!(message.reserved_ranges(), [all] if *all == (1..MAX_FIELD_NUMBER + 1))
    }
}

fn default_of(features: Features) -> &'static str {
    match features.default_symbol_visibility {
        DefaultSymbolVisibility::ExportAll => "EXPORT_ALL",
        DefaultSymbolVisibility::ExportTopLevel => "EXPORT_TOP_LEVEL",
        DefaultSymbolVisibility::LocalAll => "LOCAL_ALL",
        DefaultSymbolVisibility::Strict => "STRICT",
    }
}
