//! One file of types that refer to each other: proto3 where that can say it all, else edition 2023.
//!
//! Specification: <https://protobuf.dev/editions/features/>.

use super::decl::{Decl, EnumDecl, FieldDecl, Form, Kind, MessageDecl};
use super::graph::Node;
use super::reference::Reference;
use crate::descriptor::{Edition, EnumBuilder, FieldBuilder, FileBuilder, MessageBuilder};

/// The file of a component, whose types are sorted by name and have one package.
pub(super) fn file(nodes: &[&Node], imports: Vec<String>) -> FileBuilder {
    let is_proto3 = nodes.iter().all(|node| fits_proto3(node));
    let edition = if is_proto3 { Edition::Proto3 } else { Edition::Edition2023 };
    let first = nodes.first();
    let mut file = FileBuilder::new(first.map(|node| file_name(node)).unwrap_or_default())
        .package(first.map_or("", |node| node.package))
        .edition(edition);
    for import in imports {
        file = file.import(import);
    }
    for node in nodes {
        file = match &node.decl {
            Decl::Message(decl) => file.message(message(node.name, decl)),
            Decl::Enum(decl) => file.enumeration(enumeration(node.name, decl)),
        };
    }
    file
}

/// The name of the file whose first type is `node`: `tobu/library/v1/Shelf.proto`.
fn file_name(node: &Node) -> String {
    format!("tobu/{}.proto", node.full_name().replace('.', "/"))
}

fn fits_proto3(node: &Node) -> bool {
    match &node.decl {
        Decl::Enum(decl) => !decl.closed,
        Decl::Message(decl) => decl.fields.iter().all(|field| {
            let closed = matches!(&field.kind, Kind::Enum(reference) if reference.closed);
            field.form != Form::Required && !closed && field.default.is_none() && !field.delimited
        }),
    }
}

fn message(name: &str, decl: &MessageDecl) -> MessageBuilder {
    let mut message = MessageBuilder::new(name);
    for name in &decl.oneofs {
        message = message.oneof(*name, []);
    }
    for decl in &decl.fields {
        message = match decl.form {
            Form::Oneof(index) => message.field_in_oneof(index, field(decl)),
            _ => message.field(field(decl)),
        };
    }
    message
}

fn enumeration(name: &str, decl: &EnumDecl) -> EnumBuilder {
    let mut out = EnumBuilder::new(name);
    for &(name, number) in &decl.values {
        out = match decl.json_names.iter().find(|(of, _)| *of == number) {
            Some((_, json_name)) => out.value_with_json_name(name, number, json_name),
            None => out.value(name, number),
        };
    }
    if decl.closed { out.closed() } else { out }
}

fn field(decl: &FieldDecl) -> FieldBuilder {
    let type_name = |reference: &Reference| format!(".{}", reference.full_name);
    let mut field = match &decl.kind {
        Kind::Scalar(scalar) => FieldBuilder::new(decl.name, scalar.ty()),
        Kind::Enum(reference) => FieldBuilder::enumeration(decl.name, type_name(reference)),
        Kind::Message(reference) => FieldBuilder::message(decl.name, type_name(reference)),
    };
    field = field.number(decl.number);
    field = match decl.form {
        Form::Implicit => field.implicit(),
        // Messages know whether they are set anyway.
        Form::Explicit if matches!(decl.kind, Kind::Message(_)) => field,
        Form::Explicit => field.optional(),
        Form::Required => field.required(),
        Form::Oneof(_) => field,
        Form::List(None) => field.repeated(),
        Form::List(Some(packed)) => field.repeated().packed(packed),
        Form::Map(key) => field.keyed_by(key.ty()),
    };
    if let Some(json_name) = decl.json_name {
        field = field.json_name(json_name);
    }
    if let Some(default) = decl.default {
        field = field.default(default);
    }
    if decl.delimited {
        field = field.delimited();
    }
    if decl.redact { field.debug_redact() } else { field }
}
