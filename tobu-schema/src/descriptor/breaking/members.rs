//! Compares the members of messages, enums and services that exist in both versions.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use super::{ALL, CODE, Check, FORMATS, NAMES, Rule, WIRE_JSON};
use crate::descriptor::{
    DefaultValue, EnumDescriptor, FieldDescriptor, FileDescriptor, JsonFormat, MessageDescriptor,
    MethodDescriptor, ServiceDescriptor, Type,
};

const ENUM_SAME_TYPE: Rule = Rule("ENUM_SAME_TYPE", CODE);
const ENUM_SAME_JSON_FORMAT: Rule = Rule("ENUM_SAME_JSON_FORMAT", NAMES);
const ENUM_VALUE_NO_DELETE: Rule = Rule("ENUM_VALUE_NO_DELETE", CODE);
const ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED: Rule =
    Rule("ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED", WIRE_JSON);
const ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED: Rule =
    Rule("ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED", FORMATS);
const ENUM_VALUE_SAME_NAME: Rule = Rule("ENUM_VALUE_SAME_NAME", NAMES);
const RESERVED_ENUM_NO_DELETE: Rule = Rule("RESERVED_ENUM_NO_DELETE", ALL);

const EXTENSION_MESSAGE_NO_DELETE: Rule = Rule("EXTENSION_MESSAGE_NO_DELETE", CODE);
const FIELD_NO_DELETE: Rule = Rule("FIELD_NO_DELETE", CODE);
const FIELD_NO_DELETE_UNLESS_NAME_RESERVED: Rule = Rule("FIELD_NO_DELETE_UNLESS_NAME_RESERVED", WIRE_JSON);
const FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED: Rule = Rule("FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED", FORMATS);
const FIELD_SAME_NAME: Rule = Rule("FIELD_SAME_NAME", NAMES);
const FIELD_SAME_JSON_NAME: Rule = Rule("FIELD_SAME_JSON_NAME", NAMES);
const FIELD_SAME_DEFAULT: Rule = Rule("FIELD_SAME_DEFAULT", ALL);
const FIELD_SAME_ONEOF: Rule = Rule("FIELD_SAME_ONEOF", ALL);
const MESSAGE_SAME_REQUIRED_FIELDS: Rule = Rule("MESSAGE_SAME_REQUIRED_FIELDS", ALL);
const MESSAGE_SAME_JSON_FORMAT: Rule = Rule("MESSAGE_SAME_JSON_FORMAT", NAMES);
const MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR: Rule =
    Rule("MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR", CODE);
const ONEOF_NO_DELETE: Rule = Rule("ONEOF_NO_DELETE", CODE);
const RESERVED_MESSAGE_NO_DELETE: Rule = Rule("RESERVED_MESSAGE_NO_DELETE", ALL);

const RPC_NO_DELETE: Rule = Rule("RPC_NO_DELETE", CODE);
const RPC_SAME_CLIENT_STREAMING: Rule = Rule("RPC_SAME_CLIENT_STREAMING", ALL);
const RPC_SAME_SERVER_STREAMING: Rule = Rule("RPC_SAME_SERVER_STREAMING", ALL);
const RPC_SAME_REQUEST_TYPE: Rule = Rule("RPC_SAME_REQUEST_TYPE", ALL);
const RPC_SAME_RESPONSE_TYPE: Rule = Rule("RPC_SAME_RESPONSE_TYPE", ALL);
const RPC_SAME_IDEMPOTENCY_LEVEL: Rule = Rule("RPC_SAME_IDEMPOTENCY_LEVEL", ALL);

impl Check {
    /// Compares the elements that exist in both versions: types and services with the same name, extensions with the same
    /// number.
    pub(super) fn members(&mut self) {
        for (before, now) in pairs(&self.previous.messages, &self.current.messages) {
            self.message(&before, &now);
        }
        for (before, now) in pairs(&self.previous.enums, &self.current.enums) {
            self.enumeration(&before, &now);
        }
        for (before, now) in pairs(&self.previous.services, &self.current.services) {
            self.service(&before, &now);
        }
        for (before, now) in pairs(&self.previous.extensions, &self.current.extensions) {
            self.field(before.field(), now.field());
        }
    }

    fn message(&mut self, before: &MessageDescriptor, now: &MessageDescriptor) {
        let (file, path) = (&now.file(), now.full_name());
        let reserved = Reserved {
            names: now.reserved_names().collect(),
            numbers: joined(now.reserved_ranges().map(inclusive).collect()),
        };
        for field in before.fields() {
            match now.field_by_number(field.number()) {
                Some(other) => self.field(&field, &other),
                None => self.deleted_field(&field, file, &reserved),
            }
        }
        for field in now.fields().filter(FieldDescriptor::is_required) {
            if !before.field_by_number(field.number()).is_some_and(|field| field.is_required()) {
                let words = format_args!("is required now: older writers leave it out");
                self.add(MESSAGE_SAME_REQUIRED_FIELDS, file, field.full_name(), words);
            }
        }
        for field in before.fields().filter(FieldDescriptor::is_required) {
            if !now.field_by_number(field.number()).is_some_and(|field| field.is_required()) {
                let words =
                    format_args!("is not required any more: older readers refuse messages without it");
                self.add(MESSAGE_SAME_REQUIRED_FIELDS, file, field.full_name(), words);
            }
        }
        let oneofs: HashSet<String> = now.oneofs().map(|oneof| oneof.name().to_owned()).collect();
        for oneof in before.oneofs() {
            if !oneofs.contains(oneof.name()) {
                let words = format_args!("the oneof was deleted");
                self.add(ONEOF_NO_DELETE, file, oneof.full_name(), words);
            }
        }
        self.ranges(
            EXTENSION_MESSAGE_NO_DELETE,
            (file, path),
            "an extension range",
            [
                before.extension_ranges().map(inclusive).collect(),
                now.extension_ranges().map(inclusive).collect(),
            ],
        );
        self.ranges(
            RESERVED_MESSAGE_NO_DELETE,
            (file, path),
            "reserved",
            [
                before.reserved_ranges().map(inclusive).collect(),
                now.reserved_ranges().map(inclusive).collect(),
            ],
        );
        self.names(
            RESERVED_MESSAGE_NO_DELETE,
            (file, path),
            [before.reserved_names().collect(), now.reserved_names().collect()],
        );
        let formats = (before.features().json_format, now.features().json_format);
        self.json_format(MESSAGE_SAME_JSON_FORMAT, (file, path), formats);
        let lacks = |message: &MessageDescriptor| message.options().varint(2).is_some_and(|is| is != 0);
        if !lacks(before) && lacks(now) {
            let words = format_args!("sets no_standard_descriptor_accessor now");
            self.add(MESSAGE_NO_REMOVE_STANDARD_DESCRIPTOR_ACCESSOR, file, path, words);
        }
    }

    fn deleted_field(&mut self, field: &FieldDescriptor, file: &FileDescriptor, reserved: &Reserved<'_>) {
        let path = field.full_name();
        self.add(FIELD_NO_DELETE, file, path, format_args!("was deleted"));
        if !reserved.names.contains(field.name()) {
            let words = format_args!("was deleted, and its name is not reserved");
            self.add(FIELD_NO_DELETE_UNLESS_NAME_RESERVED, file, path, words);
        }
        if !reserved.has(field.number().into(), field.number().into()) {
            let words = format_args!("was deleted, and its number {} is not reserved", field.number());
            self.add(FIELD_NO_DELETE_UNLESS_NUMBER_RESERVED, file, path, words);
        }
    }

    fn field(&mut self, before: &FieldDescriptor, now: &FieldDescriptor) {
        let (file, path) = (&now.file(), now.full_name());
        let name = if now.is_extension() { FieldDescriptor::full_name } else { FieldDescriptor::name };
        if name(before) != name(now) {
            self.add(FIELD_SAME_NAME, file, path, format_args!("was named {}", name(before)));
        }
        self.types(before, now);
        self.languages(before, now);
        self.default(before, now);
        if now.is_extension() {
            return;
        }
        let names = (before.json_name(), now.json_name());
        self.changed(FIELD_SAME_JSON_NAME, (file, path), "JSON name", names);
        let words = match (before.oneof(), now.oneof()) {
            (Some(one), Some(other)) if one.name() != other.name() => {
                format!("was in oneof {}, and is in oneof {} now", one.name(), other.name())
            }
            (Some(one), None) => format!("is not in oneof {} any more", one.name()),
            (None, Some(other)) => format!("is in oneof {} now", other.name()),
            _ => return,
        };
        self.add(FIELD_SAME_ONEOF, file, path, format_args!("{words}"));
    }

    fn default(&mut self, before: &FieldDescriptor, now: &FieldDescriptor) {
        let can_have_one =
            |field: &FieldDescriptor| !field.is_list() && !field.is_map() && field.message_type().is_none();
        if !can_have_one(before) || !can_have_one(now) {
            return;
        }
        let (one, other) = (Default::of(before), Default::of(now));
        if !one.equals(&other) {
            self.changed(
                FIELD_SAME_DEFAULT,
                (&now.file(), now.full_name()),
                "default",
                (one.text, other.text),
            );
        }
    }

    fn enumeration(&mut self, before: &EnumDescriptor, now: &EnumDescriptor) {
        let (file, path) = (&now.file(), now.full_name());
        let form = |enumeration: &EnumDescriptor| if enumeration.is_closed() { "closed" } else { "open" };
        self.changed(ENUM_SAME_TYPE, (file, path), "type", (form(before), form(now)));
        let formats = (before.features().json_format, now.features().json_format);
        self.json_format(ENUM_SAME_JSON_FORMAT, (file, path), formats);

        let ends = |enumeration: &EnumDescriptor| -> Vec<(i64, i64)> {
            let ranges = enumeration.reserved_ranges();
            ranges.map(|range| ((*range.start()).into(), (*range.end()).into())).collect()
        };
        let reserved = Reserved { names: now.reserved_names().collect(), numbers: joined(ends(now)) };
        let (values, others) = (names_by_number(before), names_by_number(now));
        for (number, names) in &values {
            let written = names.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
            match others.get(number) {
                Some(kept) if kept.is_superset(names) => {}
                Some(kept) => {
                    let kept = kept.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                    let words = format_args!("value {number} was named {written}, and is named {kept} now");
                    self.add(ENUM_VALUE_SAME_NAME, file, path, words);
                }
                None => {
                    let words = format_args!("value {number} ({written}) was deleted");
                    self.add(ENUM_VALUE_NO_DELETE, file, path, words);
                    let free = names.iter().filter(|name| !reserved.names.contains(name.as_str()));
                    let free = free.map(String::as_str).collect::<Vec<_>>().join(", ");
                    if !free.is_empty() {
                        let words = format_args!("value {number} was deleted, and {free} is not reserved");
                        self.add(ENUM_VALUE_NO_DELETE_UNLESS_NAME_RESERVED, file, path, words);
                    }
                    if !reserved.has((*number).into(), (*number).into()) {
                        let words = format_args!(
                            "value {number} ({written}) was deleted, and its number is not reserved"
                        );
                        self.add(ENUM_VALUE_NO_DELETE_UNLESS_NUMBER_RESERVED, file, path, words);
                    }
                }
            }
        }
        self.ranges(RESERVED_ENUM_NO_DELETE, (file, path), "reserved", [ends(before), ends(now)]);
        self.names(
            RESERVED_ENUM_NO_DELETE,
            (file, path),
            [before.reserved_names().collect(), now.reserved_names().collect()],
        );
    }

    fn service(&mut self, before: &ServiceDescriptor, now: &ServiceDescriptor) {
        for method in before.methods() {
            match now.method(method.name()) {
                Some(other) => self.method(&method, &other, &now.file()),
                None => {
                    let words = format_args!("the method was deleted");
                    self.add(RPC_NO_DELETE, &now.file(), method.full_name(), words);
                }
            }
        }
    }

    fn method(&mut self, before: &MethodDescriptor, now: &MethodDescriptor, file: &FileDescriptor) {
        let at = (file, now.full_name());
        let form = |is_streaming: bool| if is_streaming { "a stream" } else { "one message" };
        let forms = (form(before.is_client_streaming()), form(now.is_client_streaming()));
        self.changed(RPC_SAME_CLIENT_STREAMING, at, "request", forms);
        let forms = (form(before.is_server_streaming()), form(now.is_server_streaming()));
        self.changed(RPC_SAME_SERVER_STREAMING, at, "response", forms);
        let (one, other) = (before.input(), now.input());
        self.changed(RPC_SAME_REQUEST_TYPE, at, "request type", (one.full_name(), other.full_name()));
        let (one, other) = (before.output(), now.output());
        self.changed(RPC_SAME_RESPONSE_TYPE, at, "response type", (one.full_name(), other.full_name()));
        let level = |method: &MethodDescriptor| match method.options().varint(34) {
            Some(1) => "NO_SIDE_EFFECTS",
            Some(2) => "IDEMPOTENT",
            _ => "IDEMPOTENCY_UNKNOWN",
        };
        self.changed(RPC_SAME_IDEMPOTENCY_LEVEL, at, "idempotency level", (level(before), level(now)));
    }

    fn json_format(
        &mut self,
        rule: Rule,
        (file, path): (&FileDescriptor, &str),
        formats: (JsonFormat, JsonFormat),
    ) {
        if formats == (JsonFormat::Allow, JsonFormat::LegacyBestEffort) {
            self.add(rule, file, path, format_args!("does not promise JSON any more"));
        }
    }

    /// Records the ranges with numbers that the current version lacks.
    fn ranges(
        &mut self,
        rule: Rule,
        (file, path): (&FileDescriptor, &str),
        what: &str,
        [before, now]: [Vec<(i64, i64)>; 2],
    ) {
        let now = Reserved { names: HashSet::new(), numbers: joined(now) };
        for (start, end) in before {
            if !now.has(start, end) {
                let words = format_args!("not all of {start} to {end} is {what} any more");
                self.add(rule, file, path, words);
            }
        }
    }

    fn names(
        &mut self,
        rule: Rule,
        (file, path): (&FileDescriptor, &str),
        [before, now]: [BTreeSet<&str>; 2],
    ) {
        for name in before.difference(&now) {
            self.add(rule, file, path, format_args!("the name {name} is not reserved any more"));
        }
    }
}

/// The numbers and names that a message or an enum reserves.
struct Reserved<'a> {
    names: HashSet<&'a str>,
    /// The reserved ranges in ascending order; adjacent ranges are merged.
    numbers: Vec<(i64, i64)>,
}

impl Reserved<'_> {
    fn has(&self, start: i64, end: i64) -> bool {
        let next = self.numbers.partition_point(|range| range.1 < start);
        self.numbers.get(next).is_some_and(|range| range.0 <= start && end <= range.1)
    }
}

/// Returns the elements that exist in both versions.
fn pairs<K: Ord, T: Clone>(previous: &BTreeMap<K, T>, current: &BTreeMap<K, T>) -> Vec<(T, T)> {
    let both = |(name, before): (&K, &T)| Some((before.clone(), current.get(name)?.clone()));
    previous.iter().filter_map(both).collect()
}

fn inclusive(range: std::ops::Range<u32>) -> (i64, i64) {
    (range.start.into(), i64::from(range.end) - 1)
}

/// Returns the ranges in ascending order, and merges adjacent ranges.
fn joined(mut ranges: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    ranges.sort_unstable();
    let mut joined: Vec<(i64, i64)> = Vec::new();
    for (start, end) in ranges {
        match joined.last_mut() {
            Some(last) if start <= last.1 + 1 => last.1 = last.1.max(end),
            _ => joined.push((start, end)),
        }
    }
    joined
}

fn names_by_number(enumeration: &EnumDescriptor) -> BTreeMap<i32, BTreeSet<String>> {
    let mut names: BTreeMap<i32, BTreeSet<String>> = BTreeMap::new();
    for value in enumeration.values() {
        names.entry(value.number()).or_default().insert(value.name().to_owned());
    }
    names
}

/// The value that a reader gets for a field that is not set, whether the schema declares it or not.
struct Default {
    value: Value,
    text: String,
}

#[derive(PartialEq)]
enum Value {
    Text(Vec<u8>),
    Integer(i128),
    Float(f32),
    Double(f64),
}

impl Default {
    fn of(field: &FieldDescriptor) -> Self {
        let (value, text): (Value, &dyn fmt::Display) = match field.default() {
            Some(DefaultValue::Bool(value)) => (Value::Integer((*value).into()), value),
            Some(DefaultValue::I32(value)) => (Value::Integer((*value).into()), value),
            Some(DefaultValue::I64(value)) => (Value::Integer((*value).into()), value),
            Some(DefaultValue::U32(value)) => (Value::Integer((*value).into()), value),
            Some(DefaultValue::U64(value)) => (Value::Integer((*value).into()), value),
            Some(DefaultValue::F32(value)) => (Value::Float(*value), value),
            Some(DefaultValue::F64(value)) => (Value::Double(*value), value),
            Some(DefaultValue::String(value)) => {
                (Value::Text(value.as_bytes().to_vec()), &format!("{value:?}"))
            }
            Some(DefaultValue::Bytes(value)) => (Value::Text(value.to_vec()), &format!("{value:?}")),
            Some(DefaultValue::Enum(number)) => {
                let name = field.enum_type().and_then(|of| Some(of.value_name(*number)?.to_owned()));
                (Value::Integer((*number).into()), &name.unwrap_or_else(|| number.to_string()))
            }
            None => match field.ty() {
                Type::String | Type::Bytes => (Value::Text(Vec::new()), &"empty"),
                Type::Float => (Value::Float(0.0), &"0"),
                Type::Double => (Value::Double(0.0), &"0"),
                Type::Bool => (Value::Integer(0), &"false"),
                Type::Enum => {
                    let first = field.enum_type().map(|of| of.default_value());
                    let number = first.as_ref().map_or(0, |value| value.number());
                    (
                        Value::Integer(number.into()),
                        &first.map_or(String::new(), |value| value.name().to_owned()),
                    )
                }
                _ => (Value::Integer(0), &"0"),
            },
        };
        Default { value, text: text.to_string() }
    }

    /// Compares the values alone, so that a new type of the field is not also a new default value.
    fn equals(&self, other: &Self) -> bool {
        if self.is_zero() && other.is_zero() {
            return true;
        }
        match (&self.value, &other.value) {
            (Value::Integer(one), Value::Integer(other)) => one == other,
            (Value::Text(one), Value::Text(other)) => one == other,
            (Value::Text(_), _) | (_, Value::Text(_)) => false,
            (Value::Float(one), Value::Double(other)) | (Value::Double(other), Value::Float(one)) => {
                *one == *other as f32 || one.is_nan() && other.is_nan()
            }
            (one, other) => {
                one.number() == other.number() || one.number().is_nan() && other.number().is_nan()
            }
        }
    }

    fn is_zero(&self) -> bool {
        match &self.value {
            Value::Text(text) => text.is_empty(),
            value => value.number() == 0.0,
        }
    }
}

impl Value {
    fn number(&self) -> f64 {
        match *self {
            Value::Integer(value) => value as f64,
            Value::Float(value) => value.into(),
            Value::Double(value) => value,
            Value::Text(_) => f64::NAN,
        }
    }
}
