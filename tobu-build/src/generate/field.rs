//! Generates members of messages and variants of oneofs, with their types and attributes.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use tobu_schema::descriptor::{FieldDescriptor, FieldShape, Kind, OneofDescriptor};

use super::api::Stored;
use super::attributes::deprecated;
use super::schema::Schema;
use super::view::Flavor;
use super::{attributes, doc, enumeration, stated};
use crate::config::{Api, BytesType, MapType, StringType, With};
use crate::error::{Error, Result};
use crate::names::{ident, variant_proto_name};

/// The context of a type: the module around it, and its flavor (owned or view).
#[derive(Clone, Copy)]
pub(super) struct Context<'p> {
    pub(super) modules: &'p [String],
    pub(super) flavor: Flavor,
    /// True if the attributes of the type declare its schema.
    pub(super) is_stated: bool,
}

/// Returns `pub` for a member of a message; `None` if the type is the owned type of an opaque message.
pub(super) fn visibility(schema: &Schema<'_>, message: &str, flavor: Flavor) -> Option<TokenStream> {
    (flavor == Flavor::View || schema.apis.get(message) != Api::Opaque).then(|| quote!(pub))
}

pub(super) fn member(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    name: &str,
    stored: Option<Stored>,
    context: Context<'_>,
) -> Result<TokenStream> {
    let mut ty = singular(schema, field, context)?;
    match stored {
        Some(Stored::Option) => ty = quote!(::core::option::Option<#ty>),
        Some(Stored::Lazy) => {
            let runtime = &schema.runtime;
            ty = match field.shape() {
                FieldShape::List(kind) => {
                    let ty = element(schema, field.full_name(), &kind, context)?;
                    quote!(#runtime::lazy::LazyList<#ty>)
                }
                _ => quote!(#runtime::lazy::Lazy<#ty>),
            };
        }
        Some(Stored::Bit(_)) | None => {}
    }
    let shared = shared(schema, field, name == field.name(), context, stored)?;
    let name = ident(name);
    let visibility = visibility(schema, field.message().full_name(), context.flavor);
    Ok(quote!(#shared #visibility #name: #ty))
}

pub(super) fn variant(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    name: &str,
    context: Context<'_>,
) -> Result<TokenStream> {
    let ty = singular(schema, field, context)?;
    let shared = shared(schema, field, variant_proto_name(name) == field.name(), context, None)?;
    let name = ident(name);
    Ok(quote!(#shared #name(#ty)))
}

fn shared(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    has_its_name: bool,
    context: Context<'_>,
    stored: Option<Stored>,
) -> Result<TokenStream> {
    let is_private =
        field.oneof().is_none() && visibility(schema, field.message().full_name(), context.flavor).is_none();
    // The documentation of a private member is at its getter, because users cannot see the member.
    let doc = (!is_private).then(|| doc::comments(schema.config(), field.full_name(), &field.comments()));
    let given = attributes::of_field(schema, field.full_name())?;
    let number = Literal::u32_unsuffixed(field.number());
    let name = (!has_its_name).then(|| {
        let name = field.name();
        quote!(, name = #name)
    });
    let kind = kind(field);
    let with =
        with(schema, field, context).map(|with| conversion(schema, field, with, context)).transpose()?;
    let with = with.map(|convert| quote!(, with = #convert));
    let bit = match stored {
        Some(Stored::Bit(bit)) => {
            let bit = Literal::u16_unsuffixed(bit);
            Some(quote!(, bit = #bit))
        }
        _ => None,
    };
    let facts = context.is_stated.then(|| stated::facts(field));
    let required = field.is_required().then(|| quote!(, required));
    // The derive of a oneof does not see the message, so attributes say which fields `Debug` must hide.
    let redact = field.debug_redact().then(|| quote!(, redact));
    let borrow = (schema.config().serde_derives && context.flavor == Flavor::View && borrows(schema, field))
        .then(|| quote!(#[serde(borrow)]));
    let deprecated = deprecated(field.is_deprecated());
    Ok(
        quote!(#doc #deprecated #[tobu(#number #kind #facts #with #bit #required #redact #name)] #borrow #given),
    )
}

/// Returns the wire kind of a value or of the elements of a list, if the Rust type does not determine it. Derived code
/// that has the kind in an attribute need not read the descriptor.
fn kind(field: &FieldDescriptor) -> Option<TokenStream> {
    let (FieldShape::Singular(kind) | FieldShape::List(kind)) = field.shape() else { return None };
    let name = ident(stated::wire_kind(&kind)?);
    Some(quote!(, #name))
}

fn borrows(schema: &Schema<'_>, field: &FieldDescriptor) -> bool {
    let kind = |kind: Kind| match kind {
        Kind::String | Kind::Bytes => true,
        Kind::Message(message) => schema.borrows(message.full_name()),
        _ => false,
    };
    match field.shape() {
        FieldShape::Singular(value) | FieldShape::List(value) => kind(value),
        FieldShape::Map { key, value } => kind(key.kind()) || kind(value.kind()),
    }
}

/// Returns the type of a field without the `Option` for its presence.
pub(super) fn singular(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    context: Context<'_>,
) -> Result<TokenStream> {
    let path = field.full_name();
    if let Some(with) = with(schema, field, context).filter(|with| with.whole) {
        return custom(&with.ty);
    }
    Ok(match field.shape() {
        FieldShape::Singular(kind) => {
            let ty = value(schema, field, &kind, context)?;
            if is_boxed(schema, field, context.flavor) { quote!(::std::boxed::Box<#ty>) } else { ty }
        }
        FieldShape::List(kind) => {
            let ty = value(schema, field, &kind, context)?;
            quote!(::std::vec::Vec<#ty>)
        }
        FieldShape::Map { key, value } => {
            let key = element(schema, path, &key.kind(), context)?;
            let value = self::value(schema, field, &value.kind(), context)?;
            let usual = match context.flavor {
                Flavor::Owned => MapType::HashMap,
                Flavor::View => MapType::VecMap,
            };
            match schema.config().map_types.get(path).unwrap_or(&usual) {
                MapType::HashMap => quote!(::std::collections::HashMap<#key, #value>),
                MapType::BTreeMap => quote!(::std::collections::BTreeMap<#key, #value>),
                MapType::VecMap => {
                    let runtime = &schema.runtime;
                    quote!(#runtime::VecMap<#key, #value>)
                }
                MapType::Custom(map) => {
                    let map = custom(map)?;
                    quote!(#map<#key, #value>)
                }
            }
        }
    })
}

pub(super) fn extension(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    context: Context<'_>,
) -> Result<TokenStream> {
    let path = field.full_name();
    Ok(match field.shape() {
        FieldShape::List(kind) => {
            let ty = element(schema, path, &kind, context)?;
            quote!(::std::vec::Vec<#ty>)
        }
        _ => element(schema, path, &field.kind(), context)?,
    })
}

/// True for a single message that is stored on the heap.
pub(super) fn is_boxed(schema: &Schema<'_>, field: &FieldDescriptor, flavor: Flavor) -> bool {
    match field.shape() {
        // The message is behind a pointer anyway, or a conversion gives it another type.
        _ if Stored::is_lazy(schema, field, flavor) => false,
        _ if flavor == Flavor::Owned && owned_with(schema, field).is_some() => false,
        FieldShape::Singular(Kind::Message(target)) => {
            let message = field.message();
            schema.is_recursive(message.full_name(), target.full_name())
                || schema.config().boxed.get(field.full_name()).is_some()
                || (flavor == Flavor::Owned && schema.apis.boxes_large(field, target.full_name()))
        }
        _ => false,
    }
}

/// Returns the Rust type and the conversion that the settings give a field.
pub(super) fn with<'s>(
    schema: &'s Schema<'_>,
    field: &FieldDescriptor,
    context: Context<'_>,
) -> Option<&'s With> {
    // A view uses the owned enum of a oneof if this enum borrows nothing. So conversions apply to the fields of this oneof.
    let in_owned = |oneof: OneofDescriptor| context.flavor.is_alias(schema, oneof.full_name());
    if field.is_extension() || context.flavor != Flavor::Owned && !field.oneof().is_some_and(in_owned) {
        return None;
    }
    let (settings, path) = (&schema.config().with, field.full_name());
    let names =
        |pattern: &str, full_name: &str| pattern.strip_prefix('.').is_none_or(|name| name == full_name);
    let own = match value_kind(field) {
        Kind::String | Kind::Bytes => settings.get(path),
        // A setting for a message or a package applies only to the strings and bytes in it, so other fields need a
        // pattern that names the field or its type.
        _ => settings.get_where(path, |pattern| names(pattern, path)),
    };
    // A setting for a type of prost applies to messages only.
    let own = own.filter(|with| !with.prost);
    match value_kind(field) {
        Kind::Message(message) => {
            let target = message.full_name();
            own.or_else(|| settings.get_where(target, |pattern| names(pattern, target)))
        }
        _ => own,
    }
}

/// Returns the type that converts a field, for the attribute `with`.
pub(super) fn conversion(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    with: &With,
    context: Context<'_>,
) -> Result<TokenStream> {
    match value_kind(field) {
        Kind::Message(message) if with.prost => {
            let runtime = &schema.runtime;
            let context = Context { flavor: Flavor::Owned, ..context };
            let message = message_type(schema, message.full_name(), context)?;
            Ok(quote!(#runtime::prost::Via<#message>))
        }
        _ => custom(&with.convert),
    }
}

/// Returns the conversion that the settings give a field of an owned struct.
pub(super) fn owned_with<'s>(schema: &'s Schema<'_>, field: &FieldDescriptor) -> Option<&'s With> {
    with(schema, field, Context { modules: &[], flavor: Flavor::Owned, is_stated: false })
}

/// True for a field whose conversion may return a proto value that the message must keep. Only conversions of single numbers,
/// and the runtime's `Hex`, are known not to return such a value.
pub(super) fn makes_protos(schema: &Schema<'_>, field: &FieldDescriptor, flavor: Flavor) -> bool {
    let context = Context { modules: &[], flavor, is_stated: false };
    with(schema, field, context).is_some_and(|with| {
        let is_number = !matches!(value_kind(field), Kind::String | Kind::Bytes | Kind::Message(_));
        let is_one = !with.whole || matches!(field.shape(), FieldShape::Singular(_));
        !(is_number && is_one) && with.convert != "::tobu::member::Hex"
    })
}

/// Returns the kind of a field's values; for a map, of the values under its keys.
fn value_kind(field: &FieldDescriptor) -> Kind {
    match field.shape() {
        FieldShape::Singular(kind) | FieldShape::List(kind) => kind,
        FieldShape::Map { value, .. } => value.kind(),
    }
}

/// Returns the Rust type of the value of a field, of its elements, or of the values of its map.
pub(super) fn value(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    kind: &Kind,
    context: Context<'_>,
) -> Result<TokenStream> {
    match with(schema, field, context) {
        Some(with) => custom(&with.ty),
        None => element(schema, field.full_name(), kind, context),
    }
}

/// Returns the Rust type of a single value. `path` selects the settings of the field.
fn element(schema: &Schema<'_>, path: &str, kind: &Kind, context: Context<'_>) -> Result<TokenStream> {
    let config = schema.config();
    Ok(match kind {
        Kind::Double => quote!(f64),
        Kind::Float => quote!(f32),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => quote!(i32),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => quote!(i64),
        Kind::UInt32 | Kind::Fixed32 => quote!(u32),
        Kind::UInt64 | Kind::Fixed64 => quote!(u64),
        Kind::Bool => quote!(bool),
        Kind::String if context.flavor == Flavor::View => quote!(&'a str),
        Kind::String => match config.string_types.get(path).unwrap_or(&StringType::String) {
            StringType::String => quote!(::std::string::String),
            StringType::BoxStr => quote!(::std::boxed::Box<str>),
            StringType::Custom(string) => custom(string)?,
        },
        Kind::Bytes if context.flavor == Flavor::View => quote!(&'a [u8]),
        Kind::Bytes => match config.bytes_types.get(path).unwrap_or(&BytesType::Vec) {
            BytesType::Vec => quote!(::std::vec::Vec<u8>),
            BytesType::Bytes => quote!(::bytes::Bytes),
            BytesType::Custom(bytes) => custom(bytes)?,
        },
        Kind::Message(message) => message_type(schema, message.full_name(), context)?,
        Kind::Enum(target) if enumeration::is_number(config, target) => quote!(i32),
        Kind::Enum(target) => schema.path(context.modules, target.full_name(), context.flavor)?,
    })
}

/// Returns the Rust type of a message or a oneof, with its lifetime.
pub(super) fn message_type(
    schema: &Schema<'_>,
    full_name: &str,
    context: Context<'_>,
) -> Result<TokenStream> {
    let path = schema.path(context.modules, full_name, context.flavor)?;
    let generics = context.flavor.generics(schema, full_name);
    Ok(quote!(#path #generics))
}

fn custom(text: &str) -> Result<TokenStream> {
    let ty: syn::Type = syn::parse_str(text).map_err(|error| Error::option("the type", text, error))?;
    Ok(quote!(#ty))
}
