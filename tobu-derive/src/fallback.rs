//! Generates impls that replace the real ones after an error, so that the compiler does not also report missing
//! traits. The impls never run, because the error stops the build.

use crate::Derive;
use crate::ast;
use crate::attr::{self, Place};
use crate::errors::Errors;
use crate::expand::{deserialize_generics, private};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields};

/// Returns the impls of the traits of `derive`. Their functions panic.
pub(crate) fn expand(derive: Derive, input: &DeriveInput) -> TokenStream {
    let place = if matches!(input.data, Data::Enum(_)) { Place::Enumeration } else { Place::Message };
    let krate = ast::krate(&attr::container(&input.attrs, place, &mut Errors::default()));
    let p = private(&krate);
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let never = quote!(::core::unreachable!());
    let target = quote!(#ident #ty_generics #where_clause);
    let filled = deserialize_generics(&input.generics, std::iter::empty());
    let (filled_generics, _, _) = filled.split_for_impl();
    let filled_from = quote!(unsafe impl #filled_generics #p::FilledFrom<'__de> for #target {});
    let body = match derive {
        Derive::Message => quote! {
            #filled_from
            unsafe impl #impl_generics #p::Member for #target {
                const STORAGE: #p::Storage = #p::Storage::Message(<Self as #p::Message>::shape);
                fn empty() -> ::core::option::Option<Self> { #never }
            }
            impl #impl_generics #p::Message for #target {
                fn shape() -> &'static #p::MessageShape { #never }
            }
        },
        Derive::Oneof => quote! {
            #filled_from
            impl #impl_generics #p::Oneof for #target {
                fn shape() -> &'static #p::OneofShape { #never }
            }
            unsafe impl #impl_generics #p::OneofLayout for #target {
                fn value(
                    &self,
                ) -> ::core::option::Option<(::core::primitive::usize, *const ::core::primitive::u8)> { #never }
                fn value_mut(
                    &mut self,
                ) -> ::core::option::Option<(::core::primitive::usize, *mut ::core::primitive::u8)> { #never }
                fn empty(_: ::core::primitive::usize) -> ::core::option::Option<Self> { #never }
            }
        },
        Derive::Enumeration => quote! {
            #filled_from
            unsafe impl #impl_generics #p::Member for #target {
                const STORAGE: #p::Storage = #p::Storage::OpenEnum(<Self as #p::Enumeration>::shape);
                fn empty() -> ::core::option::Option<Self> { #never }
            }
            impl #impl_generics #p::Enumeration for #target {
                fn shape() -> &'static #p::EnumShape { #never }
                fn number(&self) -> ::core::primitive::i32 { #never }
                fn from_number(_: ::core::primitive::i32) -> ::core::option::Option<Self> { #never }
            }
        },
        Derive::Serialize => {
            let result = quote!(::core::result::Result<__S::Ok, __S::Error>);
            quote! {
                impl #impl_generics #p::serde::Serialize for #target {
                    fn serialize<__S: #p::serde::Serializer>(&self, _: __S) -> #result { #never }
                }
            }
        }
        Derive::Debug => quote! {
            impl #impl_generics ::core::fmt::Debug for #target {
                fn fmt(&self, _: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result { #never }
            }
        },
        Derive::Deserialize => {
            let generics = deserialize_generics(&input.generics, std::iter::empty());
            let (impl_generics, _, _) = generics.split_for_impl();
            let merge = match kind(&input.data) {
                Kind::Message => quote!(unsafe impl #impl_generics #p::Merge<'__de> for #target {}),
                Kind::Oneof => quote!(unsafe impl #impl_generics #p::MergeOneof<'__de> for #target {}),
                Kind::Enumeration => TokenStream::new(),
            };
            quote! {
                #merge
                impl #impl_generics #p::serde::Deserialize<'__de> for #target {
                    fn deserialize<__D: #p::serde::Deserializer<'__de>>(
                        _: __D,
                    ) -> ::core::result::Result<Self, __D::Error> { #never }
                }
            }
        }
    };
    quote! {
        #[doc(hidden)]
        const _: () = { #body };
    }
}

/// The kind of type that the user probably intended. Only its form decides.
enum Kind {
    Message,
    Oneof,
    Enumeration,
}

fn kind(data: &Data) -> Kind {
    match data {
        Data::Struct(data) if matches!(data.fields, Fields::Unnamed(_)) => Kind::Enumeration,
        Data::Enum(data) if ast::is_enumeration(data) => Kind::Enumeration,
        Data::Enum(_) => Kind::Oneof,
        _ => Kind::Message,
    }
}
