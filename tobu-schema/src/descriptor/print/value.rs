//! Values of custom options, messages in text format.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/>.

use super::super::raw::options::{self, RawField};
use super::super::{Edition, FieldDescriptor, MessageDescriptor, Type};
use super::Printer;
use super::literal::scalar;
use super::once::{DEPTH, Occurs, once};
use crate::descriptor::names::written;
use crate::wire::{Reader, WireType};

impl Printer<'_> {
    /// The values of one occurrence of a field: several if it is packed, none if it is malformed.
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

    /// A message in braces.
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
                // Between a name and braces the colon is optional; text is usually written without it.
                let colon = if field.ty() == Type::Message { "" } else { ":" };
                text.push_str(&written(format_args!(" {name}{colon} {value}")));
            }
        }
        text.push_str(if text.len() > 1 { " }" } else { "}" });
        Some(text)
    }
}

/// The name of a field in text format: that of its message, if it is a group.
fn text_name(field: &FieldDescriptor) -> String {
    match field.message_type() {
        Some(group) if field.is_delimited() && field.file().edition() == Edition::Proto2 => {
            group.name().to_owned()
        }
        _ => field.name().to_owned(),
    }
}
