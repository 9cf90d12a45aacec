//! Messages, enums, oneofs and fields of every kind.

use super::Context;
use super::source::{Fields, Source, Type};
use super::words::{KINDS, ONEOFS, PARTS, QUALIFIERS, VALUES};
use crate::rng::Rng;
use std::collections::BTreeSet;

const SCALARS: &[&str] = &[
    "string", "int32", "int64", "bool", "uint32", "uint64", "double", "float", "bytes", "sint32", "sint64",
    "fixed32", "fixed64", "sfixed32", "sfixed64",
];
const SCALAR_WEIGHTS: &[usize] = &[48, 10, 9, 12, 3, 3, 4, 3, 4, 1, 1, 1, 1, 1, 1];

/// Types of `google.protobuf` and their files.
const WELL_KNOWN: &[(&str, &str)] = &[
    ("Timestamp", "timestamp"),
    ("Duration", "duration"),
    ("Struct", "struct"),
    ("Any", "any"),
    ("FieldMask", "field_mask"),
    ("StringValue", "wrappers"),
    ("Int64Value", "wrappers"),
    ("BoolValue", "wrappers"),
    ("DoubleValue", "wrappers"),
    ("UInt32Value", "wrappers"),
    ("BytesValue", "wrappers"),
    ("Value", "struct"),
    ("Empty", "empty"),
];
const WELL_KNOWN_WEIGHTS: &[usize] = &[30, 18, 8, 6, 5, 6, 5, 6, 4, 2, 2, 3, 2];

const KEYS: &[&str] = &["string", "int32", "int64", "uint32", "uint64", "bool", "sint32", "fixed64"];
const KEY_WEIGHTS: &[usize] = &[60, 12, 12, 6, 4, 2, 2, 2];

/// Makes the messages of one package.
pub struct Shapes<'a> {
    context: &'a mut Context,
    messages: Vec<Type>,
    enums: Vec<Type>,
    /// Top-level names of the package.
    names: BTreeSet<String>,
}

impl<'a> Shapes<'a> {
    pub fn new(context: &'a mut Context) -> Self {
        Shapes { context, messages: Vec::new(), enums: Vec::new(), names: BTreeSet::new() }
    }

    pub fn rng(&mut self) -> &mut Rng {
        &mut self.context.rng
    }

    /// The top-level enums.
    pub fn finish(self) -> Vec<Type> {
        self.enums
    }

    /// A resource with 3 to 40 fields, and the messages and enums that it uses.
    pub fn resource(&mut self, source: &mut Source, noun: &str) -> Type {
        for _ in 0..self.rng().range(1, 2) {
            let name = self.top_level_name(noun, KINDS);
            source.line("");
            self.enumeration(source, &name);
            let ty = source.own_type(&name);
            self.enums.push(ty);
        }
        for _ in 0..self.rng().range(1, 3) {
            let name = self.top_level_name(noun, PARTS);
            self.message(source, &name, &[], (2, 9));
        }

        let ty = source.open_message(&mut self.context.rng, noun);
        let mut fields = Fields::new();
        let nested = self.nested(source, noun);
        self.field(source, &mut fields, "string", "name");
        let more = match self.rng().weighted(&[25, 45, 22, 8]) {
            0 => self.rng().range(2, 5),
            1 => self.rng().range(6, 14),
            2 => self.rng().range(15, 25),
            _ => self.rng().range(26, 36),
        };
        if more > 5 {
            self.well_known(source, &mut fields, "Timestamp", "timestamp", "create_time");
            self.field(source, &mut fields, "map<string, string>", "labels");
            self.field(source, &mut fields, "string", "etag");
        }
        for member in nested {
            let name = fields.name(self.rng());
            let repeated = if self.rng().chance(30) { "repeated " } else { "" };
            self.field(source, &mut fields, &format!("{repeated}{member}"), &name);
        }
        if self.rng().chance(20) {
            let field = *self.rng().pick(&[("", "parent_resource"), ("repeated ", "children")]);
            self.field(source, &mut fields, &format!("{}{noun}", field.0), field.1);
        }
        if self.rng().chance(15) {
            // A keyword of Rust.
            self.field(source, &mut fields, "string", "type");
        }
        if self.rng().chance(45) {
            self.oneof(source, &mut fields);
        }
        for _ in 0..more.saturating_sub(4) {
            self.any_field(source, &mut fields);
        }
        source.close();
        self.messages.push(ty.clone());
        ty
    }

    /// A top-level message: the fields that are given, and some more.
    pub fn message(&mut self, source: &mut Source, name: &str, given: &[(&str, &str)], more: (usize, usize)) {
        let ty = source.open_message(&mut self.context.rng, name);
        let mut fields = Fields::new();
        let nested = if more.1 > 6 && self.rng().chance(25) { self.nested(source, "") } else { Vec::new() };
        for (ty, name) in given {
            self.field(source, &mut fields, ty, name);
        }
        for member in nested {
            let name = fields.name(self.rng());
            self.field(source, &mut fields, &member, &name);
        }
        let count = self.rng().range(more.0, more.1);
        if count > 4 && self.rng().chance(30) {
            self.oneof(source, &mut fields);
        }
        for _ in 0..count {
            self.any_field(source, &mut fields);
        }
        source.close();
        if given.is_empty() {
            self.messages.push(ty);
        }
    }

    /// Two messages that contain each other.
    pub fn mutual(&mut self, source: &mut Source, noun: &str) {
        let (rule, group) = (format!("{noun}Filter"), format!("{noun}FilterGroup"));
        source.open_message(&mut self.context.rng, &rule);
        let mut fields = Fields::new();
        self.field(source, &mut fields, "string", "expression");
        self.field(source, &mut fields, &group, "group");
        self.any_field(source, &mut fields);
        source.close();
        source.open_message(&mut self.context.rng, &group);
        let mut fields = Fields::new();
        self.field(source, &mut fields, &format!("repeated {rule}"), "filters");
        self.field(source, &mut fields, &rule, "fallback");
        self.field(source, &mut fields, &format!("map<string, {group}>"), "groups");
        source.close();
    }

    /// Nested messages and enums, down to three levels; their names, for fields.
    fn nested(&mut self, source: &mut Source, outer: &str) -> Vec<String> {
        let mut names = BTreeSet::new();
        let levels: &[usize] = if outer.is_empty() { &[60, 40] } else { &[30, 40, 20, 10] };
        for _ in 0..self.rng().weighted(levels) {
            let name = self.two_words(PARTS);
            if !names.insert(name.clone()) {
                continue;
            }
            source.open_message(&mut self.context.rng, &name);
            let mut fields = Fields::new();
            if !outer.is_empty() && self.rng().chance(25) {
                for inner in self.nested(source, "") {
                    let name = fields.name(self.rng());
                    self.field(source, &mut fields, &inner, &name);
                }
            }
            for _ in 0..self.rng().range(1, 6) {
                self.any_field(source, &mut fields);
            }
            source.close();
        }
        if self.rng().chance(50) {
            let name = self.two_words(KINDS);
            self.enumeration(source, &name);
            names.insert(name);
        }
        names.into_iter().collect()
    }

    fn enumeration(&mut self, source: &mut Source, name: &str) {
        let prefix = heck::AsShoutySnakeCase(name).to_string();
        let subject = format!("{name}, an enum");
        source.comment(&mut self.context.rng, &subject);
        source.open(&format!("enum {name}"));
        source.line(&format!("{prefix}_UNSPECIFIED = 0;"));
        let (start, count) = (self.rng().range(0, VALUES.len() - 1), self.rng().range(2, 9));
        let mut number = 0;
        for index in 0..count {
            number += if self.rng().chance(8) { self.rng().range(2, 30) } else { 1 };
            source.line(&format!("{prefix}_{} = {number};", VALUES[(start + index) % VALUES.len()]));
        }
        source.close();
    }

    fn oneof(&mut self, source: &mut Source, fields: &mut Fields) {
        let name = *self.rng().pick(ONEOFS);
        source.open(&format!("oneof {name}"));
        for _ in 0..self.rng().range(2, 5) {
            let ty = self.singular(source);
            let name = fields.name(self.rng());
            self.field(source, fields, &ty, &name);
        }
        source.close();
    }

    /// A field of any kind.
    fn any_field(&mut self, source: &mut Source, fields: &mut Fields) {
        let ty = match self.rng().weighted(&[66, 9, 17, 8]) {
            0 => self.singular(source),
            1 => format!("optional {}", self.scalar_or_enum(source)),
            2 => format!("repeated {}", self.singular(source)),
            _ => {
                let key = KEYS[self.rng().weighted(KEY_WEIGHTS)];
                let value = if self.rng().chance(40) { "string".to_owned() } else { self.singular(source) };
                format!("map<{key}, {value}>")
            }
        };
        let name = fields.name(self.rng());
        self.field(source, fields, &ty, &name);
    }

    /// The type of a field: a scalar, an enum, a message of this or another package, a well-known type.
    fn singular(&mut self, source: &mut Source) -> String {
        match self.rng().weighted(&[72, 14, 14]) {
            0 => self.scalar_or_enum(source),
            1 => {
                let own = !self.messages.is_empty() && self.context.rng.chance(70);
                let from = if own { &self.messages } else { &self.context.messages };
                source.reference(self.context.rng.pick(from))
            }
            _ => {
                let (name, file) = WELL_KNOWN[self.rng().weighted(WELL_KNOWN_WEIGHTS)];
                source.import(&format!("google/protobuf/{file}.proto"));
                format!("google.protobuf.{name}")
            }
        }
    }

    fn scalar_or_enum(&mut self, source: &mut Source) -> String {
        if self.rng().chance(88) {
            return SCALARS[self.rng().weighted(SCALAR_WEIGHTS)].to_owned();
        }
        let own = !self.enums.is_empty() && self.context.rng.chance(80);
        let from = if own { &self.enums } else { &self.context.enums };
        source.reference(self.context.rng.pick(from))
    }

    fn well_known(&mut self, source: &mut Source, fields: &mut Fields, ty: &str, file: &str, name: &str) {
        source.import(&format!("google/protobuf/{file}.proto"));
        self.field(source, fields, &format!("google.protobuf.{ty}"), name);
    }

    fn field(&mut self, source: &mut Source, fields: &mut Fields, ty: &str, name: &str) {
        source.field(&mut self.context.rng, fields, ty, name);
    }

    fn top_level_name(&mut self, noun: &str, last: &[&str]) -> String {
        loop {
            let name = format!("{noun}{}", self.two_words(last));
            if self.names.insert(name.clone()) {
                return name;
            }
        }
    }

    fn two_words(&mut self, last: &[&str]) -> String {
        let first = *self.rng().pick(QUALIFIERS);
        format!("{}{}{}", first[..1].to_uppercase(), &first[1..], self.rng().pick(last))
    }
}
