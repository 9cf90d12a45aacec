//! Finds the types whose attributes can declare their schemas. Such attributes say everything that the descriptor
//! says, so the runtime can build its tables from them, and a program that only encodes and decodes contains no
//! descriptors.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use tobu_schema::descriptor::{
    EnumDescriptor, FieldDescriptor, FieldShape, FileDescriptor, Kind, MessageDescriptor,
};

use super::attributes::{self, Item};
use super::field::owned_with;
use super::schema::Schema;
use super::{enumeration as enums, value};
use crate::config::{BytesType, StringType};
use crate::names::ident;

/// True for a message whose type declares its schema.
pub(super) fn message(schema: &Schema<'_>, message: &MessageDescriptor) -> bool {
    !message.is_message_set()
        && !attributes::has_own(schema, message.full_name(), Some(Item::Message))
        && message.oneofs().all(|oneof| !attributes::has_own(schema, oneof.full_name(), Some(Item::Oneof)))
        && message.fields().all(|field| self::field(schema, &field))
}

/// True for an enum whose type declares its schema. The enums of the runtime do.
pub(super) fn enumeration(schema: &Schema<'_>, enumeration: &EnumDescriptor) -> bool {
    !attributes::has_own(schema, enumeration.full_name(), Some(Item::Enum))
}

/// Returns the numbers of a closed enum, for the attribute `closed`.
pub(super) fn closed(enumeration: &EnumDescriptor) -> Option<TokenStream> {
    let numbers = enumeration.values().map(|value| Literal::i32_unsuffixed(value.number()));
    enumeration.is_closed().then(|| quote!(closed(#(#numbers),*)))
}

/// True if the Rust type of a field and its attributes fully describe the field.
fn field(schema: &Schema<'_>, field: &FieldDescriptor) -> bool {
    let config = schema.config();
    let path = field.full_name();
    let is_plain = |kind: &Kind| match kind {
        // The generator knows nothing about types of other crates.
        Kind::String => !matches!(config.string_types.get(path), Some(StringType::Custom(_))),
        Kind::Bytes => !matches!(config.bytes_types.get(path), Some(BytesType::Custom(_))),
        Kind::Message(message) => is_known(schema, message.full_name(), &message.file()),
        Kind::Enum(target) => {
            // A member that stores the number does not show to which enum the number belongs.
            !enums::is_number(config, target)
                && is_known(schema, target.full_name(), &target.file())
                && enumeration(schema, target)
        }
        _ => true,
    };
    let fits = match field.shape() {
        FieldShape::Singular(kind) | FieldShape::List(kind) => is_plain(&kind),
        FieldShape::Map { key, value } => is_plain(&key.kind()) && is_plain(&value.kind()),
    };
    fits && owned_with(schema, field).is_none() && !attributes::has_own(schema, path, None)
}

/// True if a type's file is registered together with the file that refers to the type. This holds for all types
/// that are generated together, and for the types of the runtime.
fn is_known(schema: &Schema<'_>, full_name: &str, file: &FileDescriptor) -> bool {
    let is_extern = schema.config().extern_paths.prefix(full_name).is_some();
    schema.name_of(full_name).is_some() || !is_extern && schema.static_of(file.name()).is_none()
}

/// Returns the part of a field's attribute that is necessary only if the type declares its schema.
pub(super) fn facts(field: &FieldDescriptor) -> TokenStream {
    let mut tokens = TokenStream::new();
    let is_loose = |field: &FieldDescriptor| field.kind() == Kind::String && !field.validates_utf8();
    let mut loose = is_loose(field);
    if let FieldShape::Map { key, value } = field.shape() {
        for (name, part) in [("key", &key), ("value", &value)] {
            if let Some(kind) = wire_kind(&part.kind()) {
                let name = ident(name);
                tokens.extend(quote!(, #name = #kind));
            }
        }
        loose = is_loose(&key) || is_loose(&value);
    }
    if loose {
        tokens.extend(quote!(, loose));
    }
    if let FieldShape::List(kind) = field.shape()
        && !matches!(kind, Kind::String | Kind::Bytes | Kind::Message(_))
        && !field.is_packed()
    {
        tokens.extend(quote!(, packed = false));
    }
    if field.is_delimited() {
        tokens.extend(if field.is_group_like() { quote!(, group) } else { quote!(, delimited) });
    }
    if let Some(default) = value::attribute(field) {
        tokens.extend(quote!(, default = #default));
    }
    if field.json_name() != tobu_schema::descriptor::json_name(field.name()) {
        let name = field.json_name();
        tokens.extend(quote!(, json_name = #name));
    }
    tokens
}

/// Returns the wire kind of a number, if the Rust type does not determine it.
pub(super) fn wire_kind(kind: &Kind) -> Option<&'static str> {
    Some(match kind {
        Kind::SInt32 => "sint32",
        Kind::SInt64 => "sint64",
        Kind::Fixed32 => "fixed32",
        Kind::Fixed64 => "fixed64",
        Kind::SFixed32 => "sfixed32",
        Kind::SFixed64 => "sfixed64",
        _ => return None,
    })
}
