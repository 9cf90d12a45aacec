//! The fields of messages: which there are, how often they may occur, and in which oneofs they are.

use super::difference::{Severity, Walk};
use super::types;
use crate::descriptor::{DefaultValue, FieldDescriptor, MessageDescriptor, OneofDescriptor};

pub(super) fn compare(walk: &mut Walk, writer: &MessageDescriptor, reader: &MessageDescriptor) {
    let path = writer.full_name();
    // The name of the entry of a map is that of the map.
    let is_named = !(writer.is_map_entry() && reader.is_map_entry());
    if path != reader.full_name() && is_named {
        walk.add(Severity::Note, path, format_args!("the reader calls it {}", reader.full_name()));
    }
    if writer.is_message_set() != reader.is_message_set() {
        walk.add(
            Severity::Breaking,
            path,
            format_args!("is in the format of message sets only for one side: it cannot be read"),
        );
    }
    for field in writer.fields() {
        match reader.field_by_number(field.number()) {
            Some(other) => same_number(walk, &field, &other),
            None => removed(walk, &field, reader),
        }
    }
    for field in reader.fields().filter(|field| writer.field_by_number(field.number()).is_none()) {
        added(walk, &field, writer);
    }
    reader.oneofs().for_each(|oneof| joined(walk, &oneof, writer));
    writer.oneofs().for_each(|oneof| parted(walk, &oneof, reader));
}

fn same_number(walk: &mut Walk, writer: &FieldDescriptor, reader: &FieldDescriptor) {
    if writer.name() != reader.name() {
        walk.add(Severity::Note, writer.full_name(), format_args!("the reader calls it {}", reader.name()));
    }
    types::compare(walk, writer, reader);
    occurrence(walk, writer, reader);
    if reader.is_required() && !writer.is_required() {
        walk.add(
            Severity::Lossy,
            writer.full_name(),
            format_args!("is required by the reader, which refuses messages without it"),
        );
    }
    let is_single = |field: &FieldDescriptor| !field.is_list() && !field.is_map();
    if !is_single(writer) || !is_single(reader) {
        return;
    }
    match (writer.has_presence(), reader.has_presence()) {
        (true, false) => walk.add(
            Severity::Lossy,
            writer.full_name(),
            format_args!("the reader does not see whether it is set to its default"),
        ),
        (false, true) => walk.add(
            Severity::Note,
            writer.full_name(),
            format_args!("the reader sees its default as not set"),
        ),
        _ => {}
    }
    if writer.ty() == reader.ty() && default(writer) != default(reader) {
        walk.add(Severity::Lossy, writer.full_name(), format_args!("has another default for the reader"));
    }
}

fn occurrence(walk: &mut Walk, writer: &FieldDescriptor, reader: &FieldDescriptor) {
    let path = writer.full_name();
    let (from, to) = (occurs(writer), occurs(reader));
    match (from, to) {
        _ if from == to => {}
        ("a list", "a map") => walk.add(
            Severity::Lossy,
            path,
            format_args!("is a list, but a map for the reader, which keeps the last of equal keys"),
        ),
        (_, "singular") if writer.is_packed() => walk.add(
            Severity::Breaking,
            path,
            format_args!("is a packed list, but singular for the reader: it cannot be read"),
        ),
        (_, "singular") => walk.add(
            Severity::Lossy,
            path,
            format_args!("is {from}, but singular for the reader: what is last replaces what is before, or is merged into it"),
        ),
        _ => walk.add(Severity::Note, path, format_args!("is {from}, and {to} for the reader")),
    }
}

fn occurs(field: &FieldDescriptor) -> &'static str {
    match (field.is_map(), field.is_list()) {
        (true, _) => "a map",
        (_, true) => "a list",
        _ => "singular",
    }
}

/// The default as text, for one that is not a number is equal to itself here.
fn default(field: &FieldDescriptor) -> Option<String> {
    let first =
        |field: &FieldDescriptor| Some(DefaultValue::Enum(field.enum_type()?.default_value().number()));
    let default = field.default().cloned().or_else(|| first(field));
    default.map(|default| format!("{default:?}"))
}

fn removed(walk: &mut Walk, field: &FieldDescriptor, reader: &MessageDescriptor) {
    let path = field.full_name();
    match reader.field_by_name(field.name()) {
        Some(other) => walk.add(
            Severity::Breaking,
            path,
            format_args!("has number {}, but {} for the reader", field.number(), other.number()),
        ),
        None => walk.add(
            Severity::Note,
            path,
            format_args!("the reader does not have it: it becomes an unknown field"),
        ),
    }
}

fn added(walk: &mut Walk, field: &FieldDescriptor, writer: &MessageDescriptor) {
    if field.is_required() {
        walk.add(
            Severity::Breaking,
            field.full_name(),
            format_args!("is required by the reader, but the writer does not have it"),
        );
    } else if writer.field_by_name(field.name()).is_none() {
        walk.add(Severity::Note, field.full_name(), format_args!("the writer does not have it"));
    }
}

/// Fields of which the reader keeps one, while the writer may set several.
fn joined(walk: &mut Walk, oneof: &OneofDescriptor, writer: &MessageDescriptor) {
    if let Some((first, other)) = apart(oneof, writer) {
        walk.add(
            Severity::Lossy,
            oneof.full_name(),
            format_args!(
                "the writer may set both {} and {}, but the reader keeps only one",
                first.name(),
                other.name()
            ),
        );
    }
}

/// Fields of which the writer sets one at the most, while they have nothing to do with each other for the reader.
fn parted(walk: &mut Walk, oneof: &OneofDescriptor, reader: &MessageDescriptor) {
    if apart(oneof, reader).is_some() {
        walk.add(
            Severity::Note,
            oneof.full_name(),
            format_args!("its fields are not in one oneof for the reader"),
        );
    }
}

/// Two fields of a oneof that the other side has, but not in one oneof.
fn apart(oneof: &OneofDescriptor, other: &MessageDescriptor) -> Option<(FieldDescriptor, FieldDescriptor)> {
    let mut first: Option<FieldDescriptor> = None;
    for field in oneof.fields() {
        let Some(field) = other.field_by_number(field.number()) else { continue };
        match &first {
            None => first = Some(field),
            Some(first) if field.oneof().is_none() || field.oneof() != first.oneof() => {
                return Some((first.clone(), field));
            }
            Some(_) => {}
        }
    }
    None
}
