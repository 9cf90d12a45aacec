//! Defines editions and their features. Other layers ask for features, and not for the syntax or edition of a file.
//!
//! Specification: <https://protobuf.dev/editions/features/>.

use std::fmt;

use super::names::written;
use super::raw::options;

/// The edition of a file. The syntaxes `proto2` and `proto3` count as editions, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Edition {
    /// `syntax = "proto2"`, or no syntax at all.
    Proto2,
    /// `syntax = "proto3"`.
    Proto3,
    /// `edition = "2023"`.
    Edition2023,
    /// `edition = "2024"`.
    Edition2024,
    /// `edition = "2026"`.
    Edition2026,
    /// The edition with which protobuf tests future features. It is treated as edition 2026.
    Unstable,
}

impl Edition {
    /// Returns the edition that has this number in `google.protobuf.Edition`.
    pub(crate) fn from_number(number: i32) -> Option<Self> {
        match number {
            998 => Some(Edition::Proto2),
            999 => Some(Edition::Proto3),
            1000 => Some(Edition::Edition2023),
            1001 => Some(Edition::Edition2024),
            1002 => Some(Edition::Edition2026),
            9999 => Some(Edition::Unstable),
            _ => None,
        }
    }

    /// Returns the number of the edition in `google.protobuf.Edition`.
    pub(crate) fn number(self) -> i32 {
        match self {
            Edition::Proto2 => 998,
            Edition::Proto3 => 999,
            Edition::Edition2023 => 1000,
            Edition::Edition2024 => 1001,
            Edition::Edition2026 => 1002,
            Edition::Unstable => 9999,
        }
    }

    /// True for edition 2023 and later. Files of these editions set features, while for earlier files the syntax
    /// implies them.
    pub fn has_features(self) -> bool {
        self >= Edition::Edition2023
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Edition::Proto2 => "proto2",
            Edition::Proto3 => "proto3",
            Edition::Edition2023 => "2023",
            Edition::Edition2024 => "2024",
            Edition::Edition2026 => "2026",
            Edition::Unstable => "UNSTABLE",
        })
    }
}

/// When a singular field counts as set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FieldPresence {
    /// The field is set after a value was assigned, even the default value.
    Explicit,
    /// The field is set if its value is not the default value.
    Implicit,
    /// The field has explicit presence, and a message without the field is not valid.
    LegacyRequired,
}

/// Whether an enum accepts numbers that it does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnumType {
    /// Unknown numbers are normal values of the field.
    Open,
    /// Unknown numbers are stored as unknown fields.
    Closed,
}

/// How a repeated field of numbers is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RepeatedFieldEncoding {
    /// All values are written in one field with a length prefix.
    Packed,
    /// Each value is written as a separate field.
    Expanded,
}

/// Whether strings must be UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Utf8Validation {
    /// Strings must be UTF-8.
    Verify,
    /// Strings are not checked.
    None,
}

/// How a message field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageEncoding {
    /// A length prefix is written before the message.
    LengthPrefixed,
    /// The message is written between a start-group tag and an end-group tag.
    Delimited,
}

/// Whether JSON is fully supported.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JsonFormat {
    /// JSON is supported, so JSON names must be unique.
    Allow,
    /// JSON is supported as far as possible, and JSON names may conflict.
    LegacyBestEffort,
}

/// The style that names in the schema must have.
///
/// This feature and the two features below are rules for source files. `protoc` removes them from descriptors that
/// it embeds into code. See [`FileDescriptor::broken_rules`](super::FileDescriptor::broken_rules).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EnforceNamingStyle {
    /// Names may have any style.
    StyleLegacy,
    /// Names must follow the style guide: `TitleCase`, `lower_snake_case`, `UPPER_SNAKE_CASE`.
    Style2024,
    /// Names must follow the style guide, and the name of a field must not collide with an accessor of another
    /// field.
    Style2026,
}

/// Whether other files may use a message or an enum that is declared neither `export` nor `local`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefaultSymbolVisibility {
    /// Other files may use all such messages and enums.
    ExportAll,
    /// Other files may use such a message or enum, unless it is nested.
    ExportTopLevel,
    /// Other files may not use such messages and enums.
    LocalAll,
    /// Other files may not use such messages and enums. Nested types cannot be exported at all, except for enums in
    /// a message that serves only as a namespace for enums.
    Strict,
}

/// Whether the number of members of a message or an enum is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnforceProtoLimits {
    /// The number is not limited.
    LegacyNoExplicitLimits,
    /// The limits of edition 2026: 1,500 fields and 1,000 oneofs in a message, 1,200 fields in a oneof, and 1,700
    /// values in an enum.
    ProtoLimits2026,
}

/// The features that apply to an element. They include the features that the element inherits from the file, the message and
/// the oneof around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Features {
    /// When a singular field counts as set.
    pub field_presence: FieldPresence,
    /// Whether an enum accepts numbers that it does not declare.
    pub enum_type: EnumType,
    /// How a repeated field of numbers is written.
    pub repeated_field_encoding: RepeatedFieldEncoding,
    /// Whether strings must be UTF-8.
    pub utf8_validation: Utf8Validation,
    /// How a message field is written.
    pub message_encoding: MessageEncoding,
    /// Whether JSON is fully supported.
    pub json_format: JsonFormat,
    /// The style that names in the schema must have.
    pub enforce_naming_style: EnforceNamingStyle,
    /// Whether other files may use symbols that are declared neither `export` nor `local`.
    pub default_symbol_visibility: DefaultSymbolVisibility,
    /// Whether the number of members of a message or an enum is limited.
    pub enforce_proto_limits: EnforceProtoLimits,
}

impl Features {
    /// Returns the features of a file that sets no features.
    ///
    /// Specification: <https://protobuf.dev/editions/features/#preserve-proto2-proto3-behavior>.
    pub fn of_edition(edition: Edition) -> Self {
        let editions = Features {
            field_presence: FieldPresence::Explicit,
            enum_type: EnumType::Open,
            repeated_field_encoding: RepeatedFieldEncoding::Packed,
            utf8_validation: Utf8Validation::Verify,
            message_encoding: MessageEncoding::LengthPrefixed,
            json_format: JsonFormat::Allow,
            enforce_naming_style: EnforceNamingStyle::StyleLegacy,
            default_symbol_visibility: DefaultSymbolVisibility::ExportAll,
            enforce_proto_limits: EnforceProtoLimits::LegacyNoExplicitLimits,
        };
        match edition {
            Edition::Proto2 => Features {
                enum_type: EnumType::Closed,
                repeated_field_encoding: RepeatedFieldEncoding::Expanded,
                utf8_validation: Utf8Validation::None,
                json_format: JsonFormat::LegacyBestEffort,
                ..editions
            },
            Edition::Proto3 => Features { field_presence: FieldPresence::Implicit, ..editions },
            Edition::Edition2023 => editions,
            Edition::Edition2024 => Features {
                enforce_naming_style: EnforceNamingStyle::Style2024,
                default_symbol_visibility: DefaultSymbolVisibility::ExportTopLevel,
                ..editions
            },
            Edition::Edition2026 | Edition::Unstable => Features {
                enforce_naming_style: EnforceNamingStyle::Style2026,
                default_symbol_visibility: DefaultSymbolVisibility::Strict,
                enforce_proto_limits: EnforceProtoLimits::ProtoLimits2026,
                ..editions
            },
        }
    }

    /// Returns these features with changes. The changes are the FeatureSets in field `number` of a serialized
    /// options message.
    ///
    /// Returns a description of the problem if a feature is set to a value that does not exist.
    pub(crate) fn inherit(mut self, encoded: &[u8], number: u32) -> Result<Self, String> {
        for set in options::messages(encoded, number) {
            for field in options::fields(set) {
                if let Some(value) = field.varint() {
                    self.set(field.tag.number(), value)?;
                }
            }
        }
        Ok(self)
    }

    fn set(&mut self, number: u32, value: u64) -> Result<(), String> {
        match (number, value) {
            (1, 1) => self.field_presence = FieldPresence::Explicit,
            (1, 2) => self.field_presence = FieldPresence::Implicit,
            (1, 3) => self.field_presence = FieldPresence::LegacyRequired,
            (2, 1) => self.enum_type = EnumType::Open,
            (2, 2) => self.enum_type = EnumType::Closed,
            (3, 1) => self.repeated_field_encoding = RepeatedFieldEncoding::Packed,
            (3, 2) => self.repeated_field_encoding = RepeatedFieldEncoding::Expanded,
            (4, 2) => self.utf8_validation = Utf8Validation::Verify,
            (4, 3) => self.utf8_validation = Utf8Validation::None,
            (5, 1) => self.message_encoding = MessageEncoding::LengthPrefixed,
            (5, 2) => self.message_encoding = MessageEncoding::Delimited,
            (6, 1) => self.json_format = JsonFormat::Allow,
            (6, 2) => self.json_format = JsonFormat::LegacyBestEffort,
            (7, 1) => self.enforce_naming_style = EnforceNamingStyle::Style2024,
            (7, 2) => self.enforce_naming_style = EnforceNamingStyle::StyleLegacy,
            (7, 3) => self.enforce_naming_style = EnforceNamingStyle::Style2026,
            (8, 1) => self.default_symbol_visibility = DefaultSymbolVisibility::ExportAll,
            (8, 2) => self.default_symbol_visibility = DefaultSymbolVisibility::ExportTopLevel,
            (8, 3) => self.default_symbol_visibility = DefaultSymbolVisibility::LocalAll,
            (8, 4) => self.default_symbol_visibility = DefaultSymbolVisibility::Strict,
            (9, 1) => self.enforce_proto_limits = EnforceProtoLimits::LegacyNoExplicitLimits,
            (9, 2) => self.enforce_proto_limits = EnforceProtoLimits::ProtoLimits2026,
            (1..=9, _) => {
                return Err(written(format_args!(
                    "feature {} has no value {value}",
                    NAMES[number as usize - 1]
                )));
            }
            // This is a feature for one language, or a feature of a later edition.
            _ => {}
        }
        Ok(())
    }
}

const NAMES: [&str; 9] = [
    "field_presence",
    "enum_type",
    "repeated_field_encoding",
    "utf8_validation",
    "message_encoding",
    "json_format",
    "enforce_naming_style",
    "default_symbol_visibility",
    "enforce_proto_limits",
];
