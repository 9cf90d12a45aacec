//! The struct of a message.

use proc_macro2::TokenStream;
use quote::quote;
use tobu::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};

use super::attributes::{self, Item, deprecated};
use super::field::{self, Place};
use super::schema::Schema;
use super::view::Flavor;
use super::{doc, getter};
use crate::error::Result;
use crate::names::{Scope, field_name, ident};

/// A member of the struct: a field, or a oneof where the first of its fields is declared.
pub(super) enum Member {
    Field(FieldDescriptor, String),
    Oneof(OneofDescriptor, String),
}

/// The struct of a message in one flavor, and its getters.
pub(super) fn item(schema: &Schema<'_>, message: &MessageDescriptor, flavor: Flavor) -> Result<TokenStream> {
    let full_name = message.full_name();
    let Some(known) = schema.name_of(full_name) else { return Ok(TokenStream::new()) };
    let place = Place { modules: &known.modules, flavor };
    let doc = doc::comments(schema.config(), message.full_name(), &message.comments());
    let name = ident(known.of(flavor));
    if flavor.is_alias(schema, full_name) {
        let owned = ident(known.of(Flavor::Owned));
        return Ok(quote!(#doc pub type #name = #owned;));
    }
    let generics = flavor.generics(schema, full_name);
    let attributes = attributes::of_type(schema, full_name, Item::Message, flavor, true)?;
    // What has the derives of the runtime needs no question to serde.
    let direct = if schema.config().serde_derives { "" } else { "direct" };
    let binding =
        attributes::binding(schema, &known.modules, message.file().name(), "message", full_name, direct);
    let (members, unknown) = members(schema, message);
    let tokens: Vec<_> = members.iter().map(|member| member.tokens(schema, place)).collect::<Result<_>>()?;
    let unknown = unknown.map(|name| {
        let name = ident(&name);
        let runtime = &schema.runtime;
        let skip = schema.config().serde_derives.then(|| {
            let path = format!("{runtime}::UnknownFields::is_empty").replace(' ', "");
            quote!(#[serde(skip_serializing_if = #path)])
        });
        let doc = doc::line("Fields that the schema does not name, and extensions.");
        quote!(#doc #[tobu(unknown)] #skip pub #name: #runtime::UnknownFields,)
    });
    let getters = getter::item(schema, message, &members, place)?;
    let default_instance = getter::default_instance(schema, message, flavor);
    let deprecated = deprecated(message.is_deprecated());
    Ok(quote! {
        #doc
        #deprecated
        #attributes
        #binding
        pub struct #name #generics { #(#tokens,)* #unknown }
        #getters
        #default_instance
    })
}

/// The members of the struct, and the name of the one for unknown fields.
pub(super) fn members(schema: &Schema<'_>, message: &MessageDescriptor) -> (Vec<Member>, Option<String>) {
    let mut scope = Scope::default();
    let unknown = schema.config().unknown_fields.then(|| scope.claim("unknown_fields".to_owned()));
    let mut seen = Vec::new();
    let mut members = Vec::new();
    for field in message.fields() {
        match field.oneof() {
            None => members.push(Member::Field(field, String::new())),
            Some(oneof) if seen.contains(&oneof.index()) => {}
            Some(oneof) => {
                seen.push(oneof.index());
                members.push(Member::Oneof(oneof, String::new()));
            }
        }
    }
    let names = scope.claim_all(members.iter().map(Member::proto_name), field_name);
    for (member, name) in members.iter_mut().zip(names) {
        match member {
            Member::Field(_, slot) | Member::Oneof(_, slot) => *slot = name,
        }
    }
    (members, unknown)
}

impl Member {
    pub(super) fn proto_name(&self) -> &str {
        match self {
            Member::Field(field, _) => field.name(),
            Member::Oneof(oneof, _) => oneof.name(),
        }
    }

    fn tokens(&self, schema: &Schema<'_>, place: Place<'_>) -> Result<TokenStream> {
        match self {
            Member::Field(field, name) => field::member(schema, field, name, place),
            Member::Oneof(oneof, name) => {
                let doc = doc::comments(schema.config(), oneof.full_name(), &oneof.comments());
                let given = attributes::of_field(schema, oneof.full_name())?;
                let ty = field::message_type(schema, oneof.full_name(), place)?;
                let proto_name = (name != oneof.name()).then(|| {
                    let name = oneof.name();
                    quote!(, name = #name)
                });
                let borrows = place.flavor == Flavor::View && schema.borrows(oneof.full_name());
                let borrow = (schema.config().serde_derives && borrows).then(|| quote!(#[serde(borrow)]));
                let name = ident(name);
                Ok(quote! {
                    #doc #[tobu(oneof #proto_name)] #borrow #given
                    pub #name: ::core::option::Option<#ty>
                })
            }
        }
    }
}
