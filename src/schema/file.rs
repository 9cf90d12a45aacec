//! One `FileDescriptorProto` of types that refer to each other: proto3 where that can say it all, else edition 2023.
//!
//! Specification: <https://protobuf.dev/editions/features/>.

use super::decl::{Decl, EnumDecl, FieldDecl, Form, Kind, MessageDecl, Scalar};
use super::graph::Node;
use crate::descriptor::raw::{
    DescriptorProto, EnumDescriptorProto, EnumValueDescriptorProto, FieldDescriptorProto,
    FileDescriptorProto, OneofDescriptorProto, Options,
};
use std::borrow::Cow;
use std::collections::HashSet;

/// The file of a component, whose types are sorted by name and have one package.
pub(super) fn file(nodes: &[&Node], imports: Vec<String>) -> FileDescriptorProto<'static> {
    let syntax =
        if nodes.iter().all(|node| fits_proto3(node)) { Syntax::Proto3 } else { Syntax::Edition2023 };
    let mut file = FileDescriptorProto {
        name: nodes.first().map(|node| file_name(node).into()),
        package: nodes.first().map(|node| node.package).filter(|package| !package.is_empty()).map(owned),
        dependency: imports.into_iter().map(Cow::Owned).collect(),
        ..FileDescriptorProto::default()
    };
    match syntax {
        Syntax::Proto3 => file.syntax = Some("proto3".into()),
        Syntax::Edition2023 => {
            file.syntax = Some("editions".into());
            file.edition = Some(1000);
        }
    }
    for node in nodes {
        match &node.decl {
            Decl::Message(decl) => file.message_type.push(message(node, decl, syntax)),
            Decl::Enum(decl) => file.enum_type.push(enumeration(node.name, decl, syntax)),
        }
    }
    file
}

/// The name of the file whose first type is `node`: `tobu/library/v1/Shelf.proto`.
fn file_name(node: &Node) -> String {
    format!("tobu/{}.proto", node.full_name().replace('.', "/"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Proto3,
    Edition2023,
}

/// Numbers of `google.protobuf.FeatureSet`, which is field 21 of field options and field 7 of enum options.
mod feature {
    pub(super) const IN_FIELD: u32 = 21;
    pub(super) const IN_ENUM: u32 = 7;
    pub(super) const FIELD_PRESENCE: u32 = 1;
    pub(super) const IMPLICIT: u64 = 2;
    pub(super) const LEGACY_REQUIRED: u64 = 3;
    pub(super) const ENUM_TYPE: u32 = 2;
    pub(super) const CLOSED: u64 = 2;
    pub(super) const REPEATED_FIELD_ENCODING: u32 = 3;
    pub(super) const EXPANDED: u64 = 2;
    pub(super) const MESSAGE_ENCODING: u32 = 5;
    pub(super) const DELIMITED: u64 = 2;
}

/// The option `debug_redact` of a field.
const DEBUG_REDACT: u32 = 16;

const OPTIONAL: i32 = 1;
const REPEATED: i32 = 3;
const TYPE_MESSAGE: i32 = 11;
const TYPE_ENUM: i32 = 14;

fn fits_proto3(node: &Node) -> bool {
    match &node.decl {
        Decl::Enum(decl) => !decl.closed,
        Decl::Message(decl) => decl.fields.iter().all(|field| {
            let closed = matches!(&field.kind, Kind::Enum(reference) if reference.closed);
            field.form != Form::Required && !closed && field.default.is_none() && !field.delimited
        }),
    }
}

fn message(node: &Node, decl: &MessageDecl, syntax: Syntax) -> DescriptorProto<'static> {
    let full_name = node.full_name();
    let mut out = DescriptorProto { name: Some(owned(node.name)), ..DescriptorProto::default() };
    out.oneof_decl.extend(decl.oneofs.iter().map(|name| oneof(name)));
    let mut names: HashSet<String> = decl.fields.iter().map(|field| field.name.to_owned()).collect();
    names.extend(decl.oneofs.iter().map(|&name| name.to_owned()));
    for field in &decl.fields {
        let mut proto = self::field(field, syntax);
        if let Form::Map(key) = field.form {
            let entry = entry_name(field.name);
            proto.ty = Some(TYPE_MESSAGE);
            proto.type_name = Some(format!(".{full_name}.{entry}").into());
            out.nested_type.push(map_entry(entry, key, field));
        }
        if syntax == Syntax::Proto3 && field.form == Form::Explicit && !matches!(field.kind, Kind::Message(_))
        {
            // The oneof that stands for presence, named as compilers do it: `_name`, with as many `X` before it as
            // make it unique.
            let mut name = field.name.to_owned();
            if !name.starts_with('_') {
                name.insert(0, '_');
            }
            while !names.insert(name.clone()) {
                name.insert(0, 'X');
            }
            proto.proto3_optional = Some(true);
            proto.oneof_index = Some(index(out.oneof_decl.len()));
            out.oneof_decl.push(oneof(&name));
        }
        out.field.push(proto);
    }
    out
}

fn field(field: &FieldDecl, syntax: Syntax) -> FieldDescriptorProto<'static> {
    let mut out = plain(field.name, field.number, &field.kind);
    if let Some(json_name) = field.json_name {
        out.json_name = Some(owned(json_name));
    }
    out.default_value = field.default.map(owned);
    let mut features = Options::default();
    match field.form {
        Form::Implicit if syntax == Syntax::Edition2023 => {
            features.push_varint(feature::FIELD_PRESENCE, feature::IMPLICIT);
        }
        Form::Implicit | Form::Explicit => {}
        Form::Required => features.push_varint(feature::FIELD_PRESENCE, feature::LEGACY_REQUIRED),
        Form::Oneof(oneof) => out.oneof_index = Some(index(oneof)),
        Form::List(packed) => {
            out.label = Some(REPEATED);
            match (packed, syntax) {
                (Some(packed), Syntax::Proto3) => {
                    out.options.get_or_insert_default().push_varint(2, u64::from(packed));
                }
                (Some(false), Syntax::Edition2023) => {
                    features.push_varint(feature::REPEATED_FIELD_ENCODING, feature::EXPANDED);
                }
                _ => {}
            }
        }
        Form::Map(_) => out.label = Some(REPEATED),
    }
    if field.delimited {
        features.push_varint(feature::MESSAGE_ENCODING, feature::DELIMITED);
    }
    if field.redact {
        out.options.get_or_insert_default().push_varint(DEBUG_REDACT, 1);
    }
    if !features.encoded().is_empty() {
        out.options.get_or_insert_default().push_bytes(feature::IN_FIELD, features.encoded());
    }
    out
}

fn plain(name: &str, number: u32, kind: &Kind) -> FieldDescriptorProto<'static> {
    let (ty, type_name) = match kind {
        Kind::Scalar(scalar) => (*scalar as i32, None),
        Kind::Enum(reference) => (TYPE_ENUM, Some(format!(".{}", reference.full_name).into())),
        Kind::Message(reference) => (TYPE_MESSAGE, Some(format!(".{}", reference.full_name).into())),
    };
    FieldDescriptorProto {
        name: Some(owned(name)),
        number: i32::try_from(number).ok(),
        label: Some(OPTIONAL),
        ty: Some(ty),
        type_name,
        json_name: Some(json_name(name).into()),
        ..FieldDescriptorProto::default()
    }
}

fn map_entry(name: String, key: Scalar, field: &FieldDecl) -> DescriptorProto<'static> {
    let mut options = Options::default();
    options.push_varint(7, 1);
    DescriptorProto {
        name: Some(name.into()),
        field: vec![plain("key", 1, &Kind::Scalar(key)), plain("value", 2, &field.kind)],
        options: Some(options),
        ..DescriptorProto::default()
    }
}

fn oneof(name: &str) -> OneofDescriptorProto<'static> {
    OneofDescriptorProto { name: Some(owned(name)), ..OneofDescriptorProto::default() }
}

fn enumeration(name: &str, decl: &EnumDecl, syntax: Syntax) -> EnumDescriptorProto<'static> {
    let mut out = EnumDescriptorProto { name: Some(owned(name)), ..EnumDescriptorProto::default() };
    for &(name, number) in &decl.values {
        let json_name = decl.json_names.iter().find(|(of, _)| *of == number);
        out.value.push(EnumValueDescriptorProto {
            name: Some(owned(name)),
            number: Some(number),
            options: json_name.map(|(_, name)| json_name_option(name)),
            ..Default::default()
        });
    }
    if decl.closed && syntax == Syntax::Edition2023 {
        let mut features = Options::default();
        features.push_varint(feature::ENUM_TYPE, feature::CLOSED);
        out.options.get_or_insert_default().push_bytes(feature::IN_ENUM, features.encoded());
    }
    out
}

/// `[(pb.enumvalue.json).string = "name"]`.
fn json_name_option(name: &str) -> Options {
    let (mut json, mut options) = (Options::default(), Options::default());
    json.push_bytes(1, name.as_bytes());
    options.push_bytes(998, json.encoded());
    options
}

/// `book_count` -> `BookCountEntry`, as compilers name the message of a map's entries.
fn entry_name(field: &str) -> String {
    let mut out = camel(field, true);
    out.push_str("Entry");
    out
}

/// `book_count` -> `bookCount`, the JSON name unless another is given.
fn json_name(field: &str) -> String {
    camel(field, false)
}

fn camel(name: &str, mut up: bool) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c == '_' {
            up = true;
        } else {
            out.push(if up { c.to_ascii_uppercase() } else { c });
            up = false;
        }
    }
    out
}

fn owned(name: &str) -> Cow<'static, str> {
    Cow::Owned(name.to_owned())
}

/// An index of a list that is as long as a struct has members.
fn index(position: usize) -> i32 {
    i32::try_from(position).unwrap_or(i32::MAX)
}
