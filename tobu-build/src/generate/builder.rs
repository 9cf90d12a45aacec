//! Generates the builder of a message. Its setters return the builder, so a message can be built in one expression.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::accessor::Setter;
use super::attributes::deprecated;
use super::doc;
use crate::names::ident;

/// Generates the builder, and the function of the message that returns a builder. `names` are the names of the function and of
/// the builder.
pub(super) fn item(message: &Ident, names: (&str, &str), setters: &[Setter], has_debug: bool) -> TokenStream {
    let (method, builder) = (ident(names.0), ident(names.1));
    let debug = has_debug.then(|| quote!(, Debug));
    let setters = setters.iter().flat_map(|setter| [plain(setter), optional(setter)]).flatten();
    let doc = doc::line(&format!("A builder of [`{message}`]. Each method sets one field."));
    quote! {
        impl #message {
            /// Creates a builder of the message with no field set.
            #[inline]
            pub fn #method() -> #builder { #builder(<Self as ::core::default::Default>::default()) }
        }
        #doc
        #[derive(Clone #debug)]
        #[must_use = "a builder does nothing unless it is built"]
        pub struct #builder(#message);
        impl #builder {
            /// Returns the message.
            #[must_use]
            #[inline]
            pub fn build(self) -> #message { self.0 }
            #(#setters)*
        }
    }
}

/// Generates the method that takes a value. A oneof has no such method, because each of its fields has one.
fn plain(setter: &Setter) -> Option<TokenStream> {
    let Setter { field, method, given, .. } = setter;
    let name = ident(setter.build.as_ref()?);
    let doc = doc::line(&format!("Sets `{field}`."));
    let deprecated = deprecated(setter.deprecated);
    Some(quote! {
        #doc #deprecated #[inline]
        pub fn #name(mut self, value: #given) -> Self {
            self.0.#method(value);
            self
        }
    })
}

/// Generates the method that takes an option.
fn optional(setter: &Setter) -> Option<TokenStream> {
    let Setter { field, method, clear, .. } = setter;
    let (name, ty) = setter.maybe.as_ref()?;
    let name = ident(name);
    let doc = doc::line(&format!("Sets `{field}`, or clears `{field}` if the value is `None`."));
    let deprecated = deprecated(setter.deprecated);
    let set = match setter.build {
        // The setter of a oneof itself takes an option.
        None => quote!(self.0.#method(value);),
        Some(_) => quote! {
            match value {
                ::core::option::Option::Some(value) => self.0.#method(value),
                ::core::option::Option::None => self.0.#clear(),
            }
        },
    };
    Some(quote! {
        #doc #deprecated #[inline]
        pub fn #name(mut self, value: ::core::option::Option<#ty>) -> Self {
            #set
            self
        }
    })
}
