//! Features that only some kinds of fields may have, as far as their types do not say it: those in options are in
//! [`options`](super::options).
//!
//! Specification: <https://protobuf.dev/editions/features/>.

use super::fields::is_packable;
use super::*;
use crate::descriptor::list::numbered;
use crate::descriptor::raw::options;
use crate::descriptor::tables::{Cardinality, FieldEntry};
use crate::descriptor::{FieldPresence, Type};

/// The field of `google.protobuf.FieldOptions` with its features, and those of a FeatureSet.
const FIELD_FEATURES: u32 = 21;
const FIELD_PRESENCE: u32 = 1;
const REPEATED_FIELD_ENCODING: u32 = 3;
const UTF8_VALIDATION: u32 = 4;
const MESSAGE_ENCODING: u32 = 5;

/// `google.protobuf.FileOptions.java_string_check_utf8`.
const JAVA_STRING_CHECK_UTF8: u32 = 27;

/// Values of features.
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
            // The fields of a map entry have the features of the map.
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
