//! The builder of a message: setters that give it back, for a message in one expression.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::accessor::Setter;
use super::attributes::deprecated;
use super::doc;
use crate::names::{Scope, accessor_name, ident};

/// The builder, and the method of the message that gives one.
pub(super) fn item(message: &Ident, builder: &str, setters: &[Setter], has_debug: bool) -> TokenStream {
    let builder = ident(builder);
    let debug = has_debug.then(|| quote!(, Debug));
    let mut scope = Scope::default();
    ["build", "clone", "fmt"].into_iter().for_each(|name| {
        scope.claim(name.to_owned());
    });
    let methods: Vec<_> = setters
        .iter()
        .filter(|setter| !setter.is_oneof)
        .map(|setter| {
            let Setter { method, given, .. } = setter;
            let name = ident(&scope.claim(accessor_name("", &setter.name, "")));
            let doc = doc::line(&format!("Sets `{}`.", setter.name));
            let deprecated = deprecated(setter.deprecated);
            quote! {
                #doc #deprecated #[inline]
                pub fn #name(mut self, value: #given) -> Self {
                    self.0.#method(value);
                    self
                }
            }
        })
        .collect();
    let optional: Vec<_> = setters
        .iter()
        .filter_map(|setter| {
            let (ty, clear) = setter.optional.as_ref()?;
            let method = &setter.method;
            let name = ident(&scope.claim(accessor_name("maybe_", &setter.name, "")));
            let doc = doc::line(&format!(
                "Sets `{}` where there is a value, and clears it otherwise.",
                setter.name
            ));
            let deprecated = deprecated(setter.deprecated);
            let set = match setter.is_oneof {
                true => quote!(self.0.#method(value);),
                false => quote! {
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
        })
        .collect();
    let doc = doc::line(&format!("Builds a [`{message}`]: each method sets a field."));
    quote! {
        impl #message {
            /// A builder of the message, with no field set.
            #[inline]
            pub fn builder() -> #builder { #builder(<Self as ::core::default::Default>::default()) }
        }
        #doc
        #[derive(Clone #debug)]
        #[must_use = "a builder does nothing unless it is built"]
        pub struct #builder(#message);
        impl #builder {
            /// The message.
            #[must_use]
            #[inline]
            pub fn build(self) -> #message { self.0 }
            #(#methods)*
            #(#optional)*
        }
    }
}
