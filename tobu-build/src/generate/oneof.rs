//! Generates the enum of a oneof.

use proc_macro2::TokenStream;
use quote::quote;
use tobu_schema::descriptor::OneofDescriptor;

use super::attributes::{self, Item};
use super::field::{self, Context};
use super::schema::Schema;
use super::view::Flavor;
use super::{accessor, doc};
use crate::config::Api;
use crate::error::Result;
use crate::names::{Scope, ident, type_name};

/// Returns the enum of a oneof in one flavor (owned or view).
pub(super) fn item(schema: &Schema<'_>, oneof: &OneofDescriptor, flavor: Flavor) -> Result<TokenStream> {
    let full_name = oneof.full_name();
    let Some(known) = schema.name_of(full_name) else { return Ok(TokenStream::new()) };
    let is_stated = schema.states(oneof.message().full_name());
    let context = Context { modules: &known.modules, flavor, is_stated };
    let doc = doc::comments(schema.config(), oneof.full_name(), &oneof.comments());
    let name = ident(known.of(flavor));
    if flavor.is_alias(schema, full_name) {
        let owned = ident(known.of(Flavor::Owned));
        return Ok(quote!(#doc pub type #name = #owned;));
    }
    let generics = flavor.generics(schema, full_name);
    let attributes = attributes::of_type(schema, full_name, Item::Oneof, flavor, false)?;
    let variants = oneof
        .fields()
        .zip(variant_names(oneof))
        .map(|(field, name)| field::variant(schema, &field, &name, context))
        .collect::<Result<Vec<_>>>()?;
    let accessors = schema.config().accessors || schema.apis.get(oneof.message().full_name()) != Api::Open;
    let converts = accessors && flavor == Flavor::Owned && schema.config().oneof_conversions;
    let conversions = converts.then(|| accessor::conversions(schema, oneof, &name, context)).transpose()?;
    let stated = is_stated.then(|| quote!(#[tobu(stated)]));
    Ok(quote! {
        #doc
        #attributes
        #stated
        pub enum #name #generics { #(#variants,)* }
        #conversions
    })
}

/// Returns the names of the variants, in the order of the fields.
pub(super) fn variant_names(oneof: &OneofDescriptor) -> Vec<String> {
    let fields: Vec<_> = oneof.fields().collect();
    Scope::default().claim_all(fields.iter().map(|field| field.name()), type_name)
}
