//! Compares the types, the cardinalities and the language options of fields.

use super::{CODE, Check, Rule, WIRE, WIRE_JSON};
use crate::descriptor::raw::options;
use crate::descriptor::{Edition, EnumDescriptor, FieldDescriptor, Type, Utf8Validation};

const FIELD_SAME_TYPE: Rule = Rule("FIELD_SAME_TYPE", CODE);
const FIELD_WIRE_JSON_COMPATIBLE_TYPE: Rule = Rule("FIELD_WIRE_JSON_COMPATIBLE_TYPE", WIRE_JSON);
const FIELD_WIRE_COMPATIBLE_TYPE: Rule = Rule("FIELD_WIRE_COMPATIBLE_TYPE", WIRE);
const FIELD_SAME_CARDINALITY: Rule = Rule("FIELD_SAME_CARDINALITY", CODE);
const FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY: Rule =
    Rule("FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY", WIRE_JSON);
const FIELD_WIRE_COMPATIBLE_CARDINALITY: Rule = Rule("FIELD_WIRE_COMPATIBLE_CARDINALITY", WIRE);
const FIELD_SAME_CPP_STRING_TYPE: Rule = Rule("FIELD_SAME_CPP_STRING_TYPE", CODE);
const FIELD_SAME_JAVA_UTF8_VALIDATION: Rule = Rule("FIELD_SAME_JAVA_UTF8_VALIDATION", CODE);
const FIELD_SAME_JSTYPE: Rule = Rule("FIELD_SAME_JSTYPE", CODE);
const FIELD_SAME_UTF8_VALIDATION: Rule = Rule("FIELD_SAME_UTF8_VALIDATION", CODE);

impl Check {
    pub(super) fn types(&mut self, before: &FieldDescriptor, now: &FieldDescriptor) {
        for rule in [FIELD_SAME_TYPE, FIELD_WIRE_JSON_COMPATIBLE_TYPE, FIELD_WIRE_COMPATIBLE_TYPE] {
            if self.is_on(rule) && !is_compatible(rule, before, now) {
                let at = (&now.file(), now.full_name());
                self.changed(rule, at, "type", (type_name(before), type_name(now)));
            }
        }
        // The presence of the fields of a map entry depends on their file, but has no effect, so their cardinality is not
        // compared.
        if before.message().is_map_entry() && now.message().is_map_entry() {
            return;
        }
        let (one, other) = (Occurrence::of(before), Occurrence::of(now));
        let at = (&now.file(), now.full_name());
        let words = (one.words(), other.words());
        self.changed(FIELD_SAME_CARDINALITY, at, "cardinality", words);
        if one.in_json() != other.in_json() {
            self.changed(FIELD_WIRE_JSON_COMPATIBLE_CARDINALITY, at, "cardinality", words);
        }
        if one.on_the_wire() != other.on_the_wire() {
            self.changed(FIELD_WIRE_COMPATIBLE_CARDINALITY, at, "cardinality", words);
        }
    }

    /// Compares options that affect generated code in one language.
    pub(super) fn languages(&mut self, before: &FieldDescriptor, now: &FieldDescriptor) {
        let at = (&now.file(), now.full_name());
        let both = |is: fn(Type) -> bool| is(before.ty()) && is(now.ty());
        let is_text = |ty| matches!(ty, Type::String | Type::Bytes);
        if both(is_text) && !before.message().is_map_entry() {
            let (one, other) = (cpp_string(before), cpp_string(now));
            // In C++, code reads a string piece through the same interface as a string, so this change breaks no code.
            if !(one == "STRING_PIECE" && other == "STRING") {
                self.changed(FIELD_SAME_CPP_STRING_TYPE, at, "C++ string type", (one, other));
            }
        }
        if both(|ty| ty == Type::String) {
            let values = (java_utf8(before), java_utf8(now));
            self.changed(FIELD_SAME_JAVA_UTF8_VALIDATION, at, "UTF-8 validation in Java", values);
            let values = (utf8(before), utf8(now));
            self.changed(FIELD_SAME_UTF8_VALIDATION, at, "UTF-8 validation", values);
        }
        let is_long = |ty| {
            use Type::{Fixed64, Int64, SFixed64, SInt64, UInt64};
            matches!(ty, Int64 | SInt64 | UInt64 | Fixed64 | SFixed64)
        };
        if both(is_long) {
            let value = |field: &FieldDescriptor| match field.options().varint(6) {
                Some(1) => "JS_STRING",
                Some(2) => "JS_NUMBER",
                _ => "JS_NORMAL",
            };
            self.changed(FIELD_SAME_JSTYPE, at, "jstype", (value(before), value(now)));
        }
    }
}

fn is_compatible(rule: Rule, before: &FieldDescriptor, now: &FieldDescriptor) -> bool {
    let (from, to) = (before.ty(), now.ty());
    let is_group = (before.is_delimited(), now.is_delimited());
    let same_form = match rule.1 {
        CODE => from == to,
        WIRE_JSON => json_form(from) == json_form(to),
        _ => wire_form(from) == wire_form(to) || (from, to) == (Type::String, Type::Bytes),
    };
    if !same_form || is_group.0 != is_group.1 {
        return false;
    }
    match (before.enum_type(), now.enum_type()) {
        (Some(one), Some(other)) if rule.1 == CODE => one.full_name() == other.full_name(),
        (Some(one), Some(other)) => {
            one.full_name() == other.full_name() || one.name() == other.name() && has_values_of(&other, &one)
        }
        _ => match (before.message_type(), now.message_type()) {
            (Some(one), Some(other)) => one.full_name() == other.full_name(),
            _ => true,
        },
    }
}

/// True if `enumeration` has all values of `other`, with equal names and numbers.
fn has_values_of(enumeration: &EnumDescriptor, other: &EnumDescriptor) -> bool {
    other.values().all(|value| {
        enumeration.value_by_name(value.name()).is_some_and(|found| found.number() == value.number())
    })
}

/// Maps types that have the same encoding on the wire to one of these types.
fn wire_form(ty: Type) -> Type {
    match ty {
        Type::Int64 | Type::UInt32 | Type::UInt64 | Type::Bool => Type::Int32,
        Type::SInt64 => Type::SInt32,
        Type::SFixed32 => Type::Fixed32,
        Type::SFixed64 => Type::Fixed64,
        ty => ty,
    }
}

/// Maps types that have the same encoding both on the wire and in JSON to one of these types.
fn json_form(ty: Type) -> Type {
    match ty {
        Type::UInt32 => Type::Int32,
        Type::UInt64 => Type::Int64,
        Type::SFixed32 => Type::Fixed32,
        Type::SFixed64 => Type::Fixed64,
        ty => ty,
    }
}

fn type_name(field: &FieldDescriptor) -> String {
    let group = if field.is_delimited() { " (delimited)" } else { "" };
    match (field.message_type(), field.enum_type()) {
        (Some(message), _) => format!("{}{group}", message.full_name()),
        (_, Some(enumeration)) => enumeration.full_name().to_owned(),
        _ => field.ty().to_string(),
    }
}

/// How often a field may occur, and what its absence means.
#[derive(Clone, Copy, PartialEq)]
enum Occurrence {
    Explicit,
    Implicit,
    Required,
    List,
    Map,
}

impl Occurrence {
    fn of(field: &FieldDescriptor) -> Self {
        match () {
            _ if field.is_map() => Occurrence::Map,
            _ if field.is_list() => Occurrence::List,
            _ if field.is_required() => Occurrence::Required,
            _ if field.has_presence() => Occurrence::Explicit,
            _ => Occurrence::Implicit,
        }
    }

    /// Maps kinds of occurrence that look the same in JSON to one of them.
    fn in_json(self) -> Self {
        if self == Occurrence::Implicit { Occurrence::Explicit } else { self }
    }

    /// Maps kinds of occurrence that look the same on the wire to one of them.
    fn on_the_wire(self) -> Self {
        if self == Occurrence::Map { Occurrence::List } else { self.in_json() }
    }

    fn words(self) -> &'static str {
        match self {
            Occurrence::Explicit => "optional with explicit presence",
            Occurrence::Implicit => "optional with implicit presence",
            Occurrence::Required => "required",
            Occurrence::List => "repeated",
            Occurrence::Map => "map",
        }
    }
}

fn utf8(field: &FieldDescriptor) -> &'static str {
    match field.features().utf8_validation {
        Utf8Validation::Verify => "VERIFY",
        Utf8Validation::None => "NONE",
    }
}

/// Returns how Java validates strings: an option of the file or, in editions, a feature of Java can force the
/// validation.
fn java_utf8(field: &FieldDescriptor) -> &'static str {
    let file = field.file();
    let option = file.options().varint(27);
    let forced = match option {
        _ if file.edition().has_features() && option.is_none() => language_feature(field, 1001, 2) == Some(2),
        option => option.is_some_and(|is| is != 0),
    };
    if forced { "VERIFY" } else { utf8(field) }
}

fn cpp_string(field: &FieldDescriptor) -> &'static str {
    let edition = field.file().edition();
    if edition < Edition::Edition2024 {
        match field.options().varint(1) {
            Some(0) => return "STRING",
            Some(1) => return "CORD",
            Some(2) => return "STRING_PIECE",
            _ => {}
        }
    }
    match language_feature(field, 1000, 2) {
        Some(1) => "VIEW",
        Some(2) => "CORD",
        Some(3) => "STRING",
        _ if edition < Edition::Edition2024 => "STRING",
        _ => "VIEW",
    }
}

/// Searches the options of the field, of its oneof, of the messages around it from the inside out, and of its file. Returns the
/// first value of the feature for one language.
fn language_feature(field: &FieldDescriptor, language: u32, feature: u32) -> Option<u64> {
    let find = |encoded: &[u8], features: u32| {
        let mut value = None;
        for features in options::messages(encoded, features) {
            for set in options::messages(features, language) {
                value = options::varint(set, feature).or(value);
            }
        }
        value
    };
    let mut scope = if field.is_extension() { field.scope() } else { Some(field.message()) };
    let oneof = field.oneof();
    find(field.options().encoded(), 21)
        .or_else(|| find(oneof.as_ref()?.options().encoded(), 1))
        .or_else(|| {
            while let Some(message) = scope.take() {
                match find(message.options().encoded(), 12) {
                    Some(value) => return Some(value),
                    None => scope = message.parent(),
                }
            }
            None
        })
        .or_else(|| find(field.file().options().encoded(), 50))
}
