//! Enums.

use super::difference::{Severity, Walk};
use crate::descriptor::EnumDescriptor;

pub(super) fn compare(walk: &mut Walk, writer: &EnumDescriptor, reader: &EnumDescriptor) {
    if writer.full_name() != reader.full_name() {
        walk.add(
            Severity::Note,
            writer.full_name(),
            format_args!("the reader calls it {}", reader.full_name()),
        );
    }
    if !writer.is_closed() && reader.is_closed() {
        walk.add(
            Severity::Lossy,
            writer.full_name(),
            format_args!(
                "takes any number, but for the reader those that it has no name for are unknown fields"
            ),
        );
    }
    for value in writer.values() {
        match reader.value_name(value.number()) {
            // Of several names for one number the first is as good as any.
            Some(name) if name == value.name() || reader.value_by_name(value.name()).is_some() => {}
            Some(name) => {
                walk.add(Severity::Note, value.full_name(), format_args!("the reader calls it {name}"));
            }
            None if reader.is_closed() => walk.add(
                Severity::Lossy,
                value.full_name(),
                format_args!("the reader does not have it: it becomes an unknown field"),
            ),
            None => walk.add(
                Severity::Note,
                value.full_name(),
                format_args!("the reader does not have it: it is a number without a name"),
            ),
        }
    }
}
