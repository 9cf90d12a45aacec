//! Prints options: known options by their names, custom options by the names of their extensions, and all others as
//! a comment.

use std::borrow::Cow;
use std::fmt::Write;

use BuiltinKind::{Bool, Enum, Implied, Int32, Message, Text};

use crate::descriptor::handle::{Numbers, each};
use crate::descriptor::names::written;
use crate::descriptor::print::Printer;
use crate::descriptor::raw::options::{self, RawField};
use crate::descriptor::{
    Comments, DefaultValue, Edition, ExtensionDescriptor, FieldDescriptor, MessageDescriptor,
    OneofDescriptor, OptionsRef, Type,
};
use crate::wire::{Reader, Tag, WireType, Writer, unzigzag32, unzigzag64};

/// The printed options of one element.
#[derive(Default)]
pub(super) struct Printed {
    /// The name and the value of each option.
    pub(super) options: Vec<(String, String)>,
    /// The numbers of options without a known extension.
    pub(super) unknown: Vec<u32>,
}

impl Printed {
    pub(super) fn is_empty(&self) -> bool {
        self.options.is_empty() && self.unknown.is_empty()
    }
}

impl Printer<'_> {
    /// Returns the options of an element, after the additional options in `first`.
    pub(super) fn options(&self, options: OptionsRef<'_>, first: &[(&str, String)]) -> Printed {
        let mut printed = Printed::default();
        printed.options.extend(first.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let table = builtin_options(options.message_name());
        self.each_option(options.message_name(), table, "", options.encoded(), &mut printed);
        printed
    }

    fn each_option(
        &self,
        message: &str,
        table: &[Builtin],
        prefix: &str,
        encoded: &[u8],
        printed: &mut Printed,
    ) {
        let encoded = once(encoded, &|field| match builtin_occurs(table, field) {
            Some(occurs) => (field.tag.number(), occurs),
            None => Occurs::of_extension(self.scope.extension(message, field.tag.number()), field),
        });
        for field in options::fields(&encoded) {
            self.option(message, table, prefix, field, printed);
        }
    }

    fn option(
        &self,
        message: &str,
        table: &[Builtin],
        prefix: &str,
        field: RawField<'_>,
        printed: &mut Printed,
    ) {
        let number = field.tag.number();
        if let Some(builtin) = table.iter().find(|builtin| builtin.number == number) {
            match builtin.kind {
                BuiltinKind::Implied => return,
                // Features are printed one by one, because people write them in this way.
                BuiltinKind::Message(features) if builtin.name == "features" => {
                    if let Some(set) = field.len_prefixed() {
                        self.each_option("google.protobuf.FeatureSet", features, "features.", set, printed);
                        return;
                    }
                }
                kind => {
                    let packed = field.len_prefixed().filter(|_| builtin.is_repeated());
                    let values = match (kind, packed) {
                        (BuiltinKind::Enum(names), Some(packed)) => packed_values(names, packed),
                        _ => builtin_value(kind, field).map(|value| vec![value]),
                    };
                    if let Some(values) = values {
                        let name = written(format_args!("{prefix}{}", builtin.name));
                        printed.options.extend(values.into_iter().map(|value| (name.clone(), value)));
                        return;
                    }
                }
            }
        }
        let Some(extension) = self.scope.extension(message, number) else {
            printed.unknown.push(number);
            return;
        };
        let name = written(format_args!("{prefix}({})", self.scope.type_name(extension.full_name())));
        let mut values = Vec::new();
        self.values(extension, field, DEPTH, &mut values);
        if values.is_empty() {
            printed.unknown.push(number);
        }
        printed.options.extend(values.into_iter().map(|value| (name.clone(), value)));
    }

    /// Writes options as separate statements.
    pub(super) fn option_lines(&mut self, printed: Printed) {
        for (name, value) in printed.options {
            self.line(&written(format_args!("option {name} = {value};")), &Comments::default());
        }
        self.unknown_options(&printed.unknown);
    }

    pub(super) fn unknown_options(&mut self, numbers: &[u32]) {
        for number in numbers {
            self.comment(&written(format_args!(
                " Option {number} is left out: nothing imported declares it."
            )));
        }
    }
}

/// Returns options in brackets with a space before them; an empty text if there are none.
pub(super) fn brackets(printed: &Printed) -> String {
    if printed.options.is_empty() {
        return String::new();
    }
    let options = each(&printed.options, |(name, value)| written(format_args!("{name} = {value}")));
    written(format_args!(" [{}]", options.join(", ")))
}

/// Returns the meaning of several occurrences of a field, if the table has the field; otherwise `None`.
fn builtin_occurs(table: &[Builtin], field: RawField<'_>) -> Option<Occurs> {
    let builtin = table.iter().find(|builtin| builtin.number == field.tag.number())?;
    Some(match builtin.kind {
        _ if builtin.is_repeated() => Occurs::Each,
        BuiltinKind::Message(_) if builtin.name == "features" && field.len_prefixed().is_some() => {
            Occurs::Merged
        }
        // The value is not valid, so it is printed as an unknown option.
        kind if builtin_value(kind, field).is_none() => Occurs::Each,
        BuiltinKind::Message(_) => Occurs::Merged,
        _ => Occurs::Last,
    })
}

/// Returns the names of the values in a packed list of enum values; `None` if a value has no name.
fn packed_values(names: &[(u64, &str)], packed: &[u8]) -> Option<Vec<String>> {
    let mut reader = Reader::new(packed);
    let mut values = Vec::new();
    while !reader.is_empty() {
        let number = reader.varint().ok()?;
        values.push(names.iter().find(|(value, _)| *value == number)?.1.to_owned());
    }
    Some(values)
}

fn builtin_value(kind: BuiltinKind, field: RawField<'_>) -> Option<String> {
    Some(match kind {
        BuiltinKind::Bool => (field.varint()? != 0).to_string(),
        BuiltinKind::Int32 => (field.varint()? as i32).to_string(),
        BuiltinKind::Text => quote(field.len_prefixed()?, true),
        BuiltinKind::Enum(values) => {
            let number = field.varint()?;
            values.iter().find(|(value, _)| *value == number)?.1.to_owned()
        }
        BuiltinKind::Message(table) => {
            let mut text = String::from("{");
            let body = once(field.len_prefixed()?, &|field| {
                (field.tag.number(), builtin_occurs(table, field).unwrap_or(Occurs::Each))
            });
            for field in options::fields(&body) {
                // Inside messages, unknown fields and unknown numbers of enums are not printed.
                if let Some(builtin) = table.iter().find(|builtin| builtin.number == field.tag.number())
                    && let Some(value) = builtin_value(builtin.kind, field)
                {
                    text.push_str(&written(format_args!(" {}: {value}", builtin.name)));
                }
            }
            text.push_str(" }");
            text
        }
        BuiltinKind::Implied => return None,
    })
}

/// The maximum depth of nested messages in an option. Deeper messages are omitted.
pub(super) const DEPTH: u32 = 100;

/// The meaning of several occurrences of a field in one message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occurs {
    /// Each occurrence is a separate value. This is also used if the meaning is unknown, so that all occurrences
    /// are kept.
    Each,
    /// The last occurrence replaces the earlier occurrences. If the field is in a oneof, the last occurrence also replaces the
    /// other fields of the oneof.
    Last,
    /// The occurrences are parts of one message.
    Merged,
}

impl Occurs {
    /// Returns the meaning of an occurrence, and a number that all occurrences of the same field or oneof have.
    pub(super) fn of(field: &FieldDescriptor, raw: RawField<'_>) -> (u32, Self) {
        let first = |oneof: OneofDescriptor| oneof.fields().next().map(|field| field.number());
        let number = field.containing_oneof().and_then(first).unwrap_or(field.number());
        let wire_type = raw.tag.wire_type();
        let occurs = match field.message_type() {
            _ if field.is_list() || field.is_map() => Occurs::Each,
            Some(_) if matches!(wire_type, WireType::Len | WireType::StartGroup) => Occurs::Merged,
            None if wire_type == field.ty().wire_type() => Occurs::Last,
            _ => Occurs::Each,
        };
        (number, occurs)
    }

    pub(super) fn of_extension(extension: Option<&ExtensionDescriptor>, raw: RawField<'_>) -> (u32, Self) {
        extension.map_or((0, Occurs::Each), |extension| Self::of(extension.field(), raw))
    }
}

/// Returns the fields of a message so that each singular field occurs only once. `of` returns the meaning of an
/// occurrence, as [`Occurs::of`] does.
pub(super) fn once<'b>(body: &'b [u8], of: &dyn Fn(RawField<'_>) -> (u32, Occurs)) -> Cow<'b, [u8]> {
    let mut last = Numbers::new();
    let mut again = false;
    for (at, field) in options::fields(body).enumerate() {
        let (key, occurs) = of(field);
        again |= occurs != Occurs::Each && last.insert(key as usize, at).is_some();
    }
    if !again {
        return body.into();
    }
    let mut out = Writer::new();
    let (mut pieces, mut piece_of): (Vec<Vec<u8>>, _) = (Vec::new(), Numbers::new());
    for (at, field) in options::fields(body).enumerate() {
        let (key, occurs) = of(field);
        let is_last = last.get(&(key as usize)) == Some(&at);
        match occurs {
            Occurs::Each => out.raw(field.bytes),
            Occurs::Last if is_last => out.raw(field.bytes),
            Occurs::Last => {}
            Occurs::Merged => {
                let piece = *piece_of.entry(field.tag.number() as usize).or_insert(pieces.len());
                if piece == pieces.len() {
                    pieces.push(Vec::new());
                }
                let message = &mut pieces[piece];
                message.extend_from_slice(content(field));
                if is_last {
                    out.tag(Tag::new(field.tag.number(), WireType::Len));
                    out.len_prefixed(message);
                }
            }
        }
    }
    // Merging does not add bytes, so the result is not longer than a message may be, and `finish` does not fail.
    out.finish().map_or(body.into(), Cow::Owned)
}

/// Returns the payload of a field that has a message or a group.
fn content(field: RawField<'_>) -> &[u8] {
    let mut reader: Reader<'_> = field.value();
    let content = match field.tag.wire_type() {
        WireType::Len => reader.len_prefixed(),
        _ => reader.group(field.tag.number(), DEPTH),
    };
    content.unwrap_or_default()
}

impl Printer<'_> {
    /// Appends the values of one occurrence of a field. A packed occurrence has several values, and a malformed occurrence has
    /// none.
    pub(super) fn values(
        &self,
        field: &FieldDescriptor,
        raw: RawField<'_>,
        depth: u32,
        values: &mut Vec<String>,
    ) {
        let mut reader = raw.value();
        let wire_type = raw.tag.wire_type();
        match (field.message_type(), wire_type) {
            (Some(message), WireType::Len) => {
                let body = reader.len_prefixed().unwrap_or_default();
                values.extend(self.aggregate(&message, body, depth));
            }
            (Some(message), WireType::StartGroup) => {
                let body = reader.group(raw.tag.number(), DEPTH).unwrap_or_default();
                values.extend(self.aggregate(&message, body, depth));
            }
            (None, WireType::Len) if field.ty().is_packable() && field.is_list() => {
                let body = reader.len_prefixed().unwrap_or_default();
                let mut body = Reader::new(body);
                while !body.is_empty() {
                    match scalar(field, &mut body) {
                        Some(value) => values.push(value),
                        None => break,
                    }
                }
            }
            (None, _) if wire_type == field.ty().wire_type() => values.extend(scalar(field, &mut reader)),
            _ => {}
        }
    }

    /// Returns a message in the text format, in braces; `None` if it is nested too deep or has an unknown field.
    fn aggregate(&self, message: &MessageDescriptor, body: &[u8], depth: u32) -> Option<String> {
        let depth = depth.checked_sub(1)?;
        let mut text = String::from("{");
        let body = once(body, &|raw| match message.field_by_number(raw.tag.number()) {
            Some(field) => Occurs::of(&field, raw),
            None => Occurs::of_extension(self.scope.extension(message.full_name(), raw.tag.number()), raw),
        });
        for raw in options::fields(&body) {
            let number = raw.tag.number();
            let (name, field) = match message.field_by_number(number) {
                Some(field) => (text_name(&field), field),
                None => {
                    let extension = self.scope.extension(message.full_name(), number)?;
                    (written(format_args!("[{}]", extension.full_name())), extension.field().clone())
                }
            };
            let mut values = Vec::new();
            self.values(&field, raw, depth, &mut values);
            for value in values {
                // Between a name and a brace the colon is optional, and most people omit it.
                let colon = if field.ty() == Type::Message { "" } else { ":" };
                text.push_str(&written(format_args!(" {name}{colon} {value}")));
            }
        }
        text.push_str(if text.len() > 1 { " }" } else { "}" });
        Some(text)
    }
}

/// Returns the name of a field in the text format. For a group of proto2, this is the name of its message.
fn text_name(field: &FieldDescriptor) -> String {
    match field.message_type() {
        Some(group) if field.is_delimited() && field.file().edition() == Edition::Proto2 => {
            group.name().to_owned()
        }
        _ => field.name().to_owned(),
    }
}

/// Returns a declared default value as a literal.
pub(super) fn default(field: &FieldDescriptor, value: &DefaultValue) -> Option<String> {
    Some(match value {
        DefaultValue::Bool(value) => value.to_string(),
        DefaultValue::I32(value) => value.to_string(),
        DefaultValue::I64(value) => value.to_string(),
        DefaultValue::U32(value) => value.to_string(),
        DefaultValue::U64(value) => value.to_string(),
        DefaultValue::F32(value) => float(&written(format_args!("{value:?}"))),
        DefaultValue::F64(value) => float(&written(format_args!("{value:?}"))),
        DefaultValue::String(value) => quote(value.as_bytes(), true),
        DefaultValue::Bytes(value) => quote(value, false),
        DefaultValue::Enum(number) => field.enum_type()?.value_by_number(*number)?.name().to_owned(),
    })
}

/// Returns a string literal. If `is_text` is true, non-ASCII characters are not escaped.
pub(super) fn quote(bytes: &[u8], is_text: bool) -> String {
    let mut out = String::with_capacity(bytes.len() + 2);
    out.push('"');
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => out.push_str("\\n"),
                '\r' => out.push_str("\\r"),
                '\t' => out.push_str("\\t"),
                '"' => out.push_str("\\\""),
                '\\' => out.push_str("\\\\"),
                ' '..='~' => out.push(c),
                _ if is_text && !c.is_control() => out.push(c),
                _ => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| octal(&mut out, byte)),
            }
        }
        chunk.invalid().iter().for_each(|&byte| octal(&mut out, byte));
    }
    out.push('"');
    out
}

fn octal(out: &mut String, byte: u8) {
    // Writing to a string does not fail.
    let _ = write!(out, "\\{byte:03o}");
}

/// Reads the next value of a field that has no messages, and returns it as a literal.
pub(super) fn scalar(field: &FieldDescriptor, reader: &mut Reader<'_>) -> Option<String> {
    let ty = field.ty();
    let bits = match ty.wire_type() {
        WireType::Len => {
            let bytes = reader.len_prefixed().ok()?;
            return if ty == Type::Message { None } else { Some(quote(bytes, ty == Type::String)) };
        }
        WireType::Fixed32 => reader.fixed32().map(u64::from),
        WireType::Fixed64 => reader.fixed64(),
        _ => reader.varint(),
    };
    let bits = bits.ok()?;
    let integer = match ty {
        Type::Bool => return Some((bits != 0).to_string()),
        Type::Float => return Some(float(&written(format_args!("{:?}", f32::from_bits(bits as u32))))),
        Type::Double => return Some(float(&written(format_args!("{:?}", f64::from_bits(bits))))),
        Type::Enum => return Some(field.enum_type()?.value_by_number(bits as i32)?.name().to_owned()),
        Type::Int32 | Type::SFixed32 => i128::from(bits as i32),
        Type::Int64 | Type::SFixed64 => i128::from(bits as i64),
        Type::UInt32 | Type::Fixed32 => i128::from(bits as u32),
        Type::SInt32 => i128::from(unzigzag32(bits as u32)),
        Type::SInt64 => i128::from(unzigzag64(bits)),
        _ => i128::from(bits),
    };
    Some(integer.to_string())
}

fn float(text: &str) -> String {
    text.replace("NaN", "nan")
}

/// A known option: a field of an options message in `descriptor.proto`.
pub(super) struct Builtin {
    pub(super) number: u32,
    pub(super) name: &'static str,
    pub(super) kind: BuiltinKind,
}

impl Builtin {
    /// True for a list. Each of its values is printed as a separate option.
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
    /// The option is a message with these fields.
    Message(&'static [Builtin]),
    /// The option is never written, because the syntax of the source implies it.
    Implied,
}

/// Returns the known options in an options message of `descriptor.proto`.
fn builtin_options(message: &str) -> &'static [Builtin] {
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
