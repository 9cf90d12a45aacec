//! The options that `descriptor.proto` itself declares, so that it need not be at hand.

/// An option of a message of `descriptor.proto`.
pub(super) struct Known {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) kind: KnownKind,
}

#[derive(Clone, Copy)]
pub(super) enum KnownKind {
    Bool,
    Int32,
    Text,
    Enum(&'static [(u64, &'static str)]),
    /// A message with fields of its own.
    Message(&'static [Known]),
    /// Not written as an option.
    Implied,
}

use KnownKind::{Bool, Enum, Implied, Int32, Message, Text};

/// The options of a message of `descriptor.proto`.
pub(super) fn options(message: &str) -> &'static [Known] {
    match message.strip_prefix("google.protobuf.").unwrap_or_default() {
        "FileOptions" => FILE,
        "MessageOptions" => MESSAGE,
        "FieldOptions" => FIELD,
        "OneofOptions" => ONEOF,
        "ExtensionRangeOptions" => RANGE,
        "EnumOptions" => ENUM,
        "EnumValueOptions" => VALUE,
        "ServiceOptions" => SERVICE,
        "MethodOptions" => METHOD,
        _ => &[],
    }
}

const fn known(number: u32, name: &'static str, kind: KnownKind) -> Known {
    Known { number, name, kind }
}

const FILE: &[Known] = &[
    known(1, "java_package", Text),
    known(8, "java_outer_classname", Text),
    known(9, "optimize_for", Enum(&[(1, "SPEED"), (2, "CODE_SIZE"), (3, "LITE_RUNTIME")])),
    known(10, "java_multiple_files", Bool),
    known(11, "go_package", Text),
    known(16, "cc_generic_services", Bool),
    known(17, "java_generic_services", Bool),
    known(18, "py_generic_services", Bool),
    known(20, "java_generate_equals_and_hash", Bool),
    known(23, "deprecated", Bool),
    known(27, "java_string_check_utf8", Bool),
    known(31, "cc_enable_arenas", Bool),
    known(36, "objc_class_prefix", Text),
    known(37, "csharp_namespace", Text),
    known(39, "swift_prefix", Text),
    known(40, "php_class_prefix", Text),
    known(41, "php_namespace", Text),
    known(44, "php_metadata_namespace", Text),
    known(45, "ruby_package", Text),
    known(50, "features", Message(FEATURES)),
];

const MESSAGE: &[Known] = &[
    known(1, "message_set_wire_format", Bool),
    known(2, "no_standard_descriptor_accessor", Bool),
    known(3, "deprecated", Bool),
    known(7, "map_entry", Implied),
    known(11, "deprecated_legacy_json_field_conflicts", Bool),
    known(12, "features", Message(FEATURES)),
];

const FIELD: &[Known] = &[
    known(1, "ctype", Enum(&[(0, "STRING"), (1, "CORD"), (2, "STRING_PIECE")])),
    known(2, "packed", Bool),
    known(3, "deprecated", Bool),
    known(5, "lazy", Bool),
    known(6, "jstype", Enum(&[(0, "JS_NORMAL"), (1, "JS_STRING"), (2, "JS_NUMBER")])),
    known(10, "weak", Bool),
    known(15, "unverified_lazy", Bool),
    known(16, "debug_redact", Bool),
    known(
        17,
        "retention",
        Enum(&[(0, "RETENTION_UNKNOWN"), (1, "RETENTION_RUNTIME"), (2, "RETENTION_SOURCE")]),
    ),
    known(
        19,
        "targets",
        Enum(&[
            (0, "TARGET_TYPE_UNKNOWN"),
            (1, "TARGET_TYPE_FILE"),
            (2, "TARGET_TYPE_EXTENSION_RANGE"),
            (3, "TARGET_TYPE_MESSAGE"),
            (4, "TARGET_TYPE_FIELD"),
            (5, "TARGET_TYPE_ONEOF"),
            (6, "TARGET_TYPE_ENUM"),
            (7, "TARGET_TYPE_ENUM_ENTRY"),
            (8, "TARGET_TYPE_SERVICE"),
            (9, "TARGET_TYPE_METHOD"),
        ]),
    ),
    known(20, "edition_defaults", Message(&[known(3, "edition", Enum(EDITIONS)), known(2, "value", Text)])),
    known(21, "features", Message(FEATURES)),
    known(22, "feature_support", Message(FEATURE_SUPPORT)),
];

const ONEOF: &[Known] = &[known(1, "features", Message(FEATURES))];

const RANGE: &[Known] = &[
    known(
        2,
        "declaration",
        Message(&[
            known(1, "number", Int32),
            known(2, "full_name", Text),
            known(3, "type", Text),
            known(5, "reserved", Bool),
            known(6, "repeated", Bool),
        ]),
    ),
    known(3, "verification", Enum(&[(0, "DECLARATION"), (1, "UNVERIFIED")])),
    known(50, "features", Message(FEATURES)),
];

const ENUM: &[Known] = &[
    known(2, "allow_alias", Bool),
    known(3, "deprecated", Bool),
    known(6, "deprecated_legacy_json_field_conflicts", Bool),
    known(7, "features", Message(FEATURES)),
];

const VALUE: &[Known] = &[
    known(1, "deprecated", Bool),
    known(2, "features", Message(FEATURES)),
    known(3, "debug_redact", Bool),
    known(4, "feature_support", Message(FEATURE_SUPPORT)),
];

const SERVICE: &[Known] = &[known(33, "deprecated", Bool), known(34, "features", Message(FEATURES))];

const METHOD: &[Known] = &[
    known(33, "deprecated", Bool),
    known(
        34,
        "idempotency_level",
        Enum(&[(0, "IDEMPOTENCY_UNKNOWN"), (1, "NO_SIDE_EFFECTS"), (2, "IDEMPOTENT")]),
    ),
    known(35, "features", Message(FEATURES)),
];

const FEATURES: &[Known] = &[
    known(1, "field_presence", Enum(&[(1, "EXPLICIT"), (2, "IMPLICIT"), (3, "LEGACY_REQUIRED")])),
    known(2, "enum_type", Enum(&[(1, "OPEN"), (2, "CLOSED")])),
    known(3, "repeated_field_encoding", Enum(&[(1, "PACKED"), (2, "EXPANDED")])),
    known(4, "utf8_validation", Enum(&[(2, "VERIFY"), (3, "NONE")])),
    known(5, "message_encoding", Enum(&[(1, "LENGTH_PREFIXED"), (2, "DELIMITED")])),
    known(6, "json_format", Enum(&[(1, "ALLOW"), (2, "LEGACY_BEST_EFFORT")])),
    known(7, "enforce_naming_style", Enum(&[(1, "STYLE2024"), (2, "STYLE_LEGACY"), (3, "STYLE2026")])),
    known(
        8,
        "default_symbol_visibility",
        Enum(&[(1, "EXPORT_ALL"), (2, "EXPORT_TOP_LEVEL"), (3, "LOCAL_ALL"), (4, "STRICT")]),
    ),
];

const FEATURE_SUPPORT: &[Known] = &[
    known(1, "edition_introduced", Enum(EDITIONS)),
    known(2, "edition_deprecated", Enum(EDITIONS)),
    known(3, "deprecation_warning", Text),
    known(4, "edition_removed", Enum(EDITIONS)),
    known(5, "removal_error", Text),
];

const EDITIONS: &[(u64, &str)] = &[
    (1, "EDITION_1_TEST_ONLY"),
    (2, "EDITION_2_TEST_ONLY"),
    (900, "EDITION_LEGACY"),
    (998, "EDITION_PROTO2"),
    (999, "EDITION_PROTO3"),
    (1000, "EDITION_2023"),
    (1001, "EDITION_2024"),
    (1002, "EDITION_2026"),
    (9999, "EDITION_UNSTABLE"),
    (99997, "EDITION_99997_TEST_ONLY"),
    (99998, "EDITION_99998_TEST_ONLY"),
    (99999, "EDITION_99999_TEST_ONLY"),
    (0x7fff_ffff, "EDITION_MAX"),
];
