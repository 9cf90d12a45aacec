//! Generates the struct of a message.

use std::collections::HashSet;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use tobu_schema::descriptor::{FieldDescriptor, FieldShape, MessageDescriptor, OneofDescriptor};

use super::api::Stored;
use super::attributes::{self, Item, deprecated};
use super::field::{self, Context};
use super::schema::Schema;
use super::view::Flavor;
use super::{doc, getter};
use crate::error::Result;
use crate::names::{Scope, field_name, ident};

/// A member of the struct: a field, or a oneof at the position of its first field.
pub(super) enum Member {
    Field {
        field: FieldDescriptor,
        name: String,
        /// How the struct stores the field, if the field is lazy, or is a single field with presence.
        stored: Option<Stored>,
    },
    Oneof(OneofDescriptor, String),
}

pub(super) struct Members {
    pub(super) members: Vec<Member>,
    /// The name of the member for unknown fields.
    pub(super) unknown: Option<String>,
    /// The name of the member that keeps the proto values of conversions, if a field needs it.
    protos: Option<String>,
    /// The name of the member for presence bits, and the number of bits.
    presence: (String, u16),
}

/// Returns the struct of a message in one flavor (owned or view), and its getters.
pub(super) fn item(schema: &Schema<'_>, message: &MessageDescriptor, flavor: Flavor) -> Result<TokenStream> {
    let full_name = message.full_name();
    let Some(known) = schema.name_of(full_name) else { return Ok(TokenStream::new()) };
    let is_stated = schema.states(full_name);
    let context = Context { modules: &known.modules, flavor, is_stated };
    let doc = doc::comments(schema.config(), message.full_name(), &message.comments());
    let name = ident(known.of(flavor));
    if flavor.is_alias(schema, full_name) {
        let owned = ident(known.of(Flavor::Owned));
        return Ok(quote!(#doc pub type #name = #owned;));
    }
    let generics = flavor.generics(schema, full_name);
    let attributes = attributes::of_type(schema, full_name, Item::Message, flavor, true)?;
    // With the runtime's own derives of `Serialize` and `Deserialize`, tobu's public functions need not call these traits.
    let direct = (!schema.config().serde_derives).then(|| quote!(direct));
    let is_extendable = is_stated && message.extension_ranges().len() > 0;
    let looks_up = is_stated && schema.looks_up(full_name);
    let ignores = schema.config().json_ignore_unknown.get(full_name).is_some();
    let said = [
        is_extendable.then(|| quote!(extendable)),
        looks_up.then(|| quote!(lookup)),
        ignores.then(|| quote!(json(ignore_unknown))),
    ];
    let flags: Vec<_> = direct.into_iter().chain(said.into_iter().flatten()).collect();
    let file = message.file();
    let binding =
        attributes::binding(schema, &known.modules, file.name(), "message", full_name, is_stated, &flags);
    let members = members(schema, message, flavor);
    let tokens: Vec<_> =
        members.members.iter().map(|member| member.tokens(schema, context)).collect::<Result<_>>()?;
    let visibility = field::visibility(schema, full_name, flavor);
    let presence = (members.presence.1 > 0).then(|| {
        let (runtime, name) = (&schema.runtime, members.presence());
        let words = Literal::u16_unsuffixed(members.presence.1.div_ceil(32));
        quote!(#[tobu(presence)] #name: #runtime::Presence<#words>,)
    });
    let unknown = members.unknown.as_ref().map(|name| {
        let name = ident(name);
        let runtime = &schema.runtime;
        let skip = schema.config().serde_derives.then(|| {
            let path = format!("{runtime}::UnknownFields::is_empty").replace(' ', "");
            quote!(#[serde(skip_serializing_if = #path)])
        });
        let doc = doc::line("Unknown fields, which include extensions.");
        quote!(#doc #[tobu(unknown)] #skip #visibility #name: #runtime::UnknownFields,)
    });
    let protos = members.protos.as_ref().map(|name| {
        let (name, runtime) = (ident(name), &schema.runtime);
        let skip = schema.config().serde_derives.then(|| quote!(#[serde(skip)]));
        let doc = doc::line("The protobuf values that conversions make, which reflection keeps here.");
        quote!(#doc #[tobu(protos)] #skip #visibility #name: #runtime::member::Protos,)
    });
    let getters = getter::item(schema, message, &members, context)?;
    let default_instance = getter::default_instance(schema, message, flavor);
    let arbitrary = attributes::arbitrary(schema, &name, "message", flavor);
    let prost = prost(schema, message, &name, flavor);
    let deprecated = deprecated(message.is_deprecated());
    Ok(quote! {
        #doc
        #deprecated
        #attributes
        #binding
        pub struct #name #generics { #(#tokens,)* #presence #unknown #protos }
        #getters
        #default_instance
        #arbitrary
        #prost
    })
}

/// Returns the impls of prost's traits, for an owned message that a setting selects.
fn prost(
    schema: &Schema<'_>,
    message: &MessageDescriptor,
    name: &Ident,
    flavor: Flavor,
) -> Option<TokenStream> {
    if flavor != Flavor::Owned || schema.config().prost_messages.get(message.full_name()).is_none() {
        return None;
    }
    let (runtime, file) = (&schema.runtime, message.file());
    let (package, full_name) = (file.package(), message.full_name());
    let inner = full_name.strip_prefix(package).unwrap_or(full_name).trim_start_matches('.');
    Some(quote!(#runtime::prost::message!(#name, #package, #inner);))
}

pub(super) fn members(schema: &Schema<'_>, message: &MessageDescriptor, flavor: Flavor) -> Members {
    let mut scope = Scope::default();
    let unknown = schema.config().unknown_fields.then(|| scope.claim("unknown_fields".to_owned()));
    let makes = message.fields().any(|field| field::makes_protos(schema, &field, flavor));
    let protos = makes.then(|| scope.claim("protos".to_owned()));
    let mut bits = 0;
    let mut stored = |field: &FieldDescriptor| {
        let is_lazy = Stored::is_lazy(schema, field, flavor);
        let is_whole =
            flavor == Flavor::Owned && field::owned_with(schema, field).is_some_and(|with| with.whole);
        let is_optional =
            matches!(field.shape(), FieldShape::Singular(_)) && field.has_presence() && !is_whole;
        (is_optional || is_lazy).then(|| {
            if is_lazy {
                Stored::Lazy
            } else if Stored::takes_bit(schema, field, flavor) {
                bits += 1;
                Stored::Bit(bits - 1)
            } else {
                Stored::Option
            }
        })
    };
    let mut seen = HashSet::new();
    let mut members = Vec::new();
    for field in message.fields() {
        match field.oneof() {
            None => {
                let stored = stored(&field);
                members.push(Member::Field { field, name: String::new(), stored });
            }
            Some(oneof) if !seen.insert(oneof.index()) => {}
            Some(oneof) => {
                members.push(Member::Oneof(oneof, String::new()));
            }
        }
    }
    let names = scope.claim_all(members.iter().map(Member::proto_name), field_name);
    for (member, name) in members.iter_mut().zip(names) {
        match member {
            Member::Field { name: slot, .. } | Member::Oneof(_, slot) => *slot = name,
        }
    }
    let presence = (scope.claim("presence".to_owned()), bits);
    Members { members, unknown, protos, presence }
}

impl Members {
    pub(super) fn presence(&self) -> Ident {
        ident(&self.presence.0)
    }
}

impl Member {
    pub(super) fn proto_name(&self) -> &str {
        match self {
            Member::Field { field, .. } => field.name(),
            Member::Oneof(oneof, _) => oneof.name(),
        }
    }

    fn tokens(&self, schema: &Schema<'_>, context: Context<'_>) -> Result<TokenStream> {
        match self {
            Member::Field { field, name, stored } => field::member(schema, field, name, *stored, context),
            Member::Oneof(oneof, name) => {
                let visibility = field::visibility(schema, oneof.message().full_name(), context.flavor);
                // The documentation of a private member is at its accessors, because users cannot see the member.
                let doc = visibility
                    .as_ref()
                    .map(|_| doc::comments(schema.config(), oneof.full_name(), &oneof.comments()));
                let given = attributes::of_field(schema, oneof.full_name())?;
                let ty = field::message_type(schema, oneof.full_name(), context)?;
                let proto_name = (name != oneof.name()).then(|| {
                    let name = oneof.name();
                    quote!(, name = #name)
                });
                let borrows = context.flavor == Flavor::View && schema.borrows(oneof.full_name());
                let borrow = (schema.config().serde_derives && borrows).then(|| quote!(#[serde(borrow)]));
                let name = ident(name);
                Ok(quote! {
                    #doc #[tobu(oneof #proto_name)] #borrow #given
                    #visibility #name: ::core::option::Option<#ty>
                })
            }
        }
    }
}
