//! Encodes a parsed file as a `google.protobuf.FileDescriptorProto`. The fields have the order in which protoc writes them.

use crate::descriptor::{
    self, FieldDescriptor, FileDescriptor, MessageDescriptor, MethodDescriptor, json_name,
};
use crate::wire::{Tag, WireType, Writer};

use super::ast::*;

const TYPE_MESSAGE: i32 = 11;
const TYPE_ENUM: i32 = 14;
const TYPE_GROUP: i32 = 10;

/// Encodes a file. If the file is linked, the names of types are full names, from `linked`. Otherwise they are the names
/// in the source.
pub(super) fn encode(file: &File, linked: Option<&FileDescriptor>) -> crate::Result<Vec<u8>> {
    let mut out = Writer::new();
    text(&mut out, 1, &file.name);
    if !file.package.is_empty() {
        text(&mut out, 2, &file.package);
    }
    let of_options = |import: &&Import| import.kind == ImportKind::Option;
    for import in file.imports.iter().filter(|import| !of_options(import)) {
        text(&mut out, 3, &import.name);
    }
    let messages: Vec<_> = linked.map(|file| file.messages().collect()).unwrap_or_default();
    for (i, raw) in file.messages.iter().enumerate() {
        nested(&mut out, 4, |out| message(out, raw, messages.get(i)));
    }
    for raw in &file.enums {
        nested(&mut out, 5, |out| enumeration(out, raw));
    }
    let services: Vec<_> = linked.map(|file| file.services().collect()).unwrap_or_default();
    for (i, raw) in file.services.iter().enumerate() {
        let methods = services.get(i).map(|service| service.methods().collect());
        nested(&mut out, 6, |out| service(out, raw, methods.unwrap_or_default()));
    }
    let extensions: Vec<_> = linked.map(|file| file.extensions().collect()).unwrap_or_default();
    for (i, raw) in file.extensions.iter().enumerate() {
        let linked = extensions.get(i);
        nested(&mut out, 7, |out| extension(out, raw, linked));
    }
    options(&mut out, 8, &file.options);
    nested(&mut out, 9, |out| {
        for location in &file.locations {
            nested(out, 1, |out| source(out, file, location));
        }
    });
    for (number, kind) in [(10, ImportKind::Public), (11, ImportKind::Weak)] {
        for (i, _) in file.imports.iter().enumerate().filter(|(_, import)| import.kind == kind) {
            varint(&mut out, number, i as i32);
        }
    }
    match file.syntax {
        Syntax::Proto2 => {}
        Syntax::Proto3 => text(&mut out, 12, "proto3"),
        Syntax::Edition(number) => {
            text(&mut out, 12, "editions");
            varint(&mut out, 14, number);
        }
    }
    for import in file.imports.iter().filter(of_options) {
        text(&mut out, 15, &import.name);
    }
    out.finish()
}

fn message(out: &mut Writer, raw: &Message, linked: Option<&MessageDescriptor>) {
    text(out, 1, &raw.name);
    for (i, raw) in raw.fields.iter().enumerate() {
        let linked = linked.and_then(|message| message.field(i));
        nested(out, 2, |out| field(out, raw, linked.as_ref(), None));
    }
    let messages: Vec<_> = linked.map(|message| message.messages().collect()).unwrap_or_default();
    for (i, raw) in raw.messages.iter().enumerate() {
        nested(out, 3, |out| message(out, raw, messages.get(i)));
    }
    for raw in &raw.enums {
        nested(out, 4, |out| enumeration(out, raw));
    }
    for range in &raw.extension_ranges {
        nested(out, 5, |out| {
            varint(out, 1, range.start);
            varint(out, 2, range.end);
            options(out, 3, &range.options);
        });
    }
    let extensions: Vec<_> = linked.map(|message| message.extensions().collect()).unwrap_or_default();
    for (i, raw) in raw.extensions.iter().enumerate() {
        nested(out, 6, |out| extension(out, raw, extensions.get(i)));
    }
    match raw.is_map_entry {
        true => nested(out, 7, |out| varint(out, 7, 1)),
        false => options(out, 7, &raw.options),
    }
    for oneof in &raw.oneofs {
        nested(out, 8, |out| {
            text(out, 1, &oneof.name);
            options(out, 2, &oneof.options);
        });
    }
    reserved(out, 9, &raw.reserved_ranges, &raw.reserved_names);
    if raw.visibility != 0 {
        varint(out, 11, raw.visibility);
    }
}

/// Writes reserved ranges as the field `number`, and reserved names as the next field.
fn reserved(out: &mut Writer, number: u32, ranges: &[(i32, i32)], names: &[String]) {
    for &(start, end) in ranges {
        nested(out, number, |out| {
            varint(out, 1, start);
            varint(out, 2, end);
        });
    }
    for name in names {
        text(out, number + 1, name);
    }
}

fn extension(out: &mut Writer, raw: &Field, linked: Option<&descriptor::ExtensionDescriptor>) {
    let extendee = linked.map(|extension| format!(".{}", extension.extendee().full_name()));
    field(out, raw, linked.map(|extension| extension.field()), extendee.as_deref());
}

fn field(out: &mut Writer, raw: &Field, linked: Option<&FieldDescriptor>, extendee: Option<&str>) {
    text(out, 1, &raw.name);
    if let Some(extendee) = extendee.or(raw.extendee.as_deref()) {
        text(out, 2, extendee);
    }
    varint(out, 3, raw.number);
    varint(out, 4, raw.label as i32);
    let message =
        linked.and_then(|field| field.message_type()).map(|message| format!(".{}", message.full_name()));
    let enumeration = linked.and_then(|field| field.enum_type()).map(|it| format!(".{}", it.full_name()));
    match (&raw.ty, message, enumeration) {
        (Type::Scalar(number), ..) => varint(out, 5, *number),
        (Type::Group(name), message, _) => {
            varint(out, 5, TYPE_GROUP);
            text(out, 6, message.as_deref().unwrap_or(name));
        }
        (Type::Named(_), Some(name), _) => {
            varint(out, 5, TYPE_MESSAGE);
            text(out, 6, &name);
        }
        (Type::Named(_), None, Some(name)) => {
            varint(out, 5, TYPE_ENUM);
            text(out, 6, &name);
        }
        (Type::Named(name), None, None) => text(out, 6, name),
    }
    if let Some(default) = &raw.default {
        text(out, 7, default);
    }
    options(out, 8, &raw.options);
    if let Some(oneof) = raw.oneof {
        varint(out, 9, oneof as i32);
    }
    let json_name = raw.json_name.clone().unwrap_or_else(|| json_name(&raw.name));
    text(out, 10, &json_name);
    if raw.is_proto3_optional {
        varint(out, 17, 1);
    }
}

fn enumeration(out: &mut Writer, raw: &Enum) {
    text(out, 1, &raw.name);
    for value in &raw.values {
        nested(out, 2, |out| {
            text(out, 1, &value.name);
            varint(out, 2, value.number);
            options(out, 3, &value.options);
        });
    }
    options(out, 3, &raw.options);
    reserved(out, 4, &raw.reserved_ranges, &raw.reserved_names);
    if raw.visibility != 0 {
        varint(out, 6, raw.visibility);
    }
}

fn service(out: &mut Writer, raw: &Service, linked: Vec<MethodDescriptor>) {
    text(out, 1, &raw.name);
    for (i, method) in raw.methods.iter().enumerate() {
        let full = |message: MessageDescriptor| format!(".{}", message.full_name());
        let linked = linked.get(i);
        nested(out, 2, |out| {
            text(out, 1, &method.name);
            text(out, 2, &linked.map_or(method.input.clone(), |linked| full(linked.input())));
            text(out, 3, &linked.map_or(method.output.clone(), |linked| full(linked.output())));
            options(out, 4, &method.options);
            if method.client_streaming {
                varint(out, 5, 1);
            }
            if method.server_streaming {
                varint(out, 6, 1);
            }
        });
    }
    options(out, 3, &raw.options);
}

fn source(out: &mut Writer, file: &File, location: &Location) {
    let (start, length) = location.path;
    let path = &file.paths[start as usize..(start + length) as usize];
    if !path.is_empty() || !location.option.is_empty() {
        nested(out, 1, |out| {
            path.iter().chain(&location.option).for_each(|step| out.varint(i64::from(*step) as u64));
        });
    }
    let (start, end) = (location.start, location.end);
    nested(out, 2, |out| {
        out.varint(u64::from(start.0));
        out.varint(u64::from(start.1));
        if end.0 != start.0 {
            out.varint(u64::from(end.0));
        }
        out.varint(u64::from(end.1));
    });
    let Some(comments) = &location.comments else { return };
    for (number, comment) in [(3, &comments.leading), (4, &comments.trailing)] {
        if !comment.is_empty() {
            text(out, number, comment);
        }
    }
    for comment in &comments.detached {
        text(out, 6, comment);
    }
}

fn options(out: &mut Writer, number: u32, options: &Options) {
    if !options.encoded.is_empty() || options.is_present {
        out.tag(Tag::new(number, WireType::Len));
        out.len_prefixed(&options.encoded);
    }
}

fn nested(out: &mut Writer, number: u32, write: impl FnOnce(&mut Writer)) {
    let open = out.open(Tag::new(number, WireType::Len));
    write(out);
    out.close(open);
}

fn text(out: &mut Writer, number: u32, value: &str) {
    out.tag(Tag::new(number, WireType::Len));
    out.len_prefixed(value.as_bytes());
}

fn varint(out: &mut Writer, number: u32, value: i32) {
    out.tag(Tag::new(number, WireType::Varint));
    out.varint(i64::from(value) as u64);
}
