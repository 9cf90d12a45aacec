//! The options that `descriptor.proto` itself declares, so that the file need not be in the pool.

/// An option of a message of `descriptor.proto`.
pub(super) struct Builtin {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) kind: BuiltinKind,
}

impl Builtin {
    /// True for a list: an option of its own for each value.
    pub(super) fn is_repeated(&self) -> bool {
        matches!(self.name, "targets" | "edition_defaults" | "declaration")
    }
}

#[derive(Clone, Copy)]
pub(super) enum BuiltinKind {
    Bool,
    Int32,
    Text,
    Enum(&'static [(u64, &'static str)]),
    /// A message with its own fields.
    Message(&'static [Builtin]),
    /// Not written as an option.
    Implied,
}

use BuiltinKind::{Bool, Enum, Implied, Int32, Message, Text};

/// The options of a message of `descriptor.proto`.
pub(super) fn options(message: &str) -> &'static [Builtin] {
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

const fn builtin(number: u32, name: &'static str, kind: BuiltinKind) -> Builtin {
    Builtin { number, name, kind }
}

const FILE: &[Builtin] = &[
    builtin(1, "java_package", Text),
    builtin(8, "java_outer_classname", Text),
    builtin(9, "optimize_for", Enum(&[(1, "SPEED"), (2, "CODE_SIZE"), (3, "LITE_RUNTIME")])),
    builtin(10, "java_multiple_files", Bool),
    builtin(11, "go_package", Text),
    builtin(16, "cc_generic_services", Bool),
    builtin(17, "java_generic_services", Bool),
    builtin(18, "py_generic_services", Bool),
    builtin(20, "java_generate_equals_and_hash", Bool),
    builtin(23, "deprecated", Bool),
    builtin(27, "java_string_check_utf8", Bool),
    builtin(31, "cc_enable_arenas", Bool),
    builtin(36, "objc_class_prefix", Text),
    builtin(37, "csharp_namespace", Text),
    builtin(39, "swift_prefix", Text),
    builtin(40, "php_class_prefix", Text),
    builtin(41, "php_namespace", Text),
    builtin(44, "php_metadata_namespace", Text),
    builtin(45, "ruby_package", Text),
    builtin(50, "features", Message(FEATURES)),
];

const MESSAGE: &[Builtin] = &[
    builtin(1, "message_set_wire_format", Bool),
    builtin(2, "no_standard_descriptor_accessor", Bool),
    builtin(3, "deprecated", Bool),
    builtin(7, "map_entry", Implied),
    builtin(11, "deprecated_legacy_json_field_conflicts", Bool),
    builtin(12, "features", Message(FEATURES)),
];

const FIELD: &[Builtin] = &[
    builtin(1, "ctype", Enum(&[(0, "STRING"), (1, "CORD"), (2, "STRING_PIECE")])),
    builtin(2, "packed", Bool),
    builtin(3, "deprecated", Bool),
    builtin(5, "lazy", Bool),
    builtin(6, "jstype", Enum(&[(0, "JS_NORMAL"), (1, "JS_STRING"), (2, "JS_NUMBER")])),
    builtin(10, "weak", Bool),
    builtin(15, "unverified_lazy", Bool),
    builtin(16, "debug_redact", Bool),
    builtin(
        17,
        "retention",
        Enum(&[(0, "RETENTION_UNKNOWN"), (1, "RETENTION_RUNTIME"), (2, "RETENTION_SOURCE")]),
    ),
    builtin(
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
    builtin(
        20,
        "edition_defaults",
        Message(&[builtin(3, "edition", Enum(EDITIONS)), builtin(2, "value", Text)]),
    ),
    builtin(21, "features", Message(FEATURES)),
    builtin(22, "feature_support", Message(FEATURE_SUPPORT)),
];

const ONEOF: &[Builtin] = &[builtin(1, "features", Message(FEATURES))];

const RANGE: &[Builtin] = &[
    builtin(
        2,
        "declaration",
        Message(&[
            builtin(1, "number", Int32),
            builtin(2, "full_name", Text),
            builtin(3, "type", Text),
            builtin(5, "reserved", Bool),
            builtin(6, "repeated", Bool),
        ]),
    ),
    builtin(3, "verification", Enum(&[(0, "DECLARATION"), (1, "UNVERIFIED")])),
    builtin(50, "features", Message(FEATURES)),
];

const ENUM: &[Builtin] = &[
    builtin(2, "allow_alias", Bool),
    builtin(3, "deprecated", Bool),
    builtin(6, "deprecated_legacy_json_field_conflicts", Bool),
    builtin(7, "features", Message(FEATURES)),
];

const VALUE: &[Builtin] = &[
    builtin(1, "deprecated", Bool),
    builtin(2, "features", Message(FEATURES)),
    builtin(3, "debug_redact", Bool),
    builtin(4, "feature_support", Message(FEATURE_SUPPORT)),
];

const SERVICE: &[Builtin] = &[builtin(33, "deprecated", Bool), builtin(34, "features", Message(FEATURES))];

const METHOD: &[Builtin] = &[
    builtin(33, "deprecated", Bool),
    builtin(
        34,
        "idempotency_level",
        Enum(&[(0, "IDEMPOTENCY_UNKNOWN"), (1, "NO_SIDE_EFFECTS"), (2, "IDEMPOTENT")]),
    ),
    builtin(35, "features", Message(FEATURES)),
];

const FEATURES: &[Builtin] = &[
    builtin(1, "field_presence", Enum(&[(1, "EXPLICIT"), (2, "IMPLICIT"), (3, "LEGACY_REQUIRED")])),
    builtin(2, "enum_type", Enum(&[(1, "OPEN"), (2, "CLOSED")])),
    builtin(3, "repeated_field_encoding", Enum(&[(1, "PACKED"), (2, "EXPANDED")])),
    builtin(4, "utf8_validation", Enum(&[(2, "VERIFY"), (3, "NONE")])),
    builtin(5, "message_encoding", Enum(&[(1, "LENGTH_PREFIXED"), (2, "DELIMITED")])),
    builtin(6, "json_format", Enum(&[(1, "ALLOW"), (2, "LEGACY_BEST_EFFORT")])),
    builtin(7, "enforce_naming_style", Enum(&[(1, "STYLE2024"), (2, "STYLE_LEGACY"), (3, "STYLE2026")])),
    builtin(
        8,
        "default_symbol_visibility",
        Enum(&[(1, "EXPORT_ALL"), (2, "EXPORT_TOP_LEVEL"), (3, "LOCAL_ALL"), (4, "STRICT")]),
    ),
    builtin(9, "enforce_proto_limits", Enum(&[(1, "LEGACY_NO_EXPLICIT_LIMITS"), (2, "PROTO_LIMITS2026")])),
];

const FEATURE_SUPPORT: &[Builtin] = &[
    builtin(1, "edition_introduced", Enum(EDITIONS)),
    builtin(2, "edition_deprecated", Enum(EDITIONS)),
    builtin(3, "deprecation_warning", Text),
    builtin(4, "edition_removed", Enum(EDITIONS)),
    builtin(5, "removal_error", Text),
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
