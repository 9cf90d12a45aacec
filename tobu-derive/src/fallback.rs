//! Impls that stand in for the real ones where there was an error, so that it is not followed by others about traits
//! that are not implemented. They are never run: the error stops the build.

use crate::Derive;
use crate::ast;
use crate::attr::{self, Place};
use crate::errors::Errors;
use crate::expand::{deserialize_generics, private};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields};

/// The traits of `derive`, implemented by nothing.
pub(crate) fn expand(derive: Derive, input: &DeriveInput) -> TokenStream {
    let place = if matches!(input.data, Data::Enum(_)) { Place::Enumeration } else { Place::Message };
    let krate = ast::krate(&attr::container(&input.attrs, place, &mut Errors::default()));
    let p = private(&krate);
    let ident = &input.ident;
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let never = quote!(::core::unreachable!());
    let target = quote!(#ident #ty_generics #where_clause);
    let element = quote! {
        impl #impl_generics #p::Slot for #target {
            fn get(&self, _: #p::At) -> ::core::option::Option<#p::ValueRef<'_>> { #never }
            fn set(&mut self, _: #p::At, _: #p::Value) -> #p::Outcome<()> { #never }
            fn clear(&mut self, _: #p::At) { #never }
        }
        impl #impl_generics #p::Element for #target {
            fn empty() -> ::core::option::Option<Self> { #never }
        }
    };
    let body = match derive {
        Derive::Message => quote! {
            impl #impl_generics #p::Member for #target {
                const TYPE: #p::TypeShape = #p::TypeShape::Message(<Self as #p::Message>::shape);
            }
            impl #impl_generics #p::Message for #target {
                fn shape() -> &'static #p::MessageShape { #never }
            }
            impl #impl_generics #p::Members for #target {
                fn make_empty() -> ::core::option::Option<Self> { #never }
            }
            #element
        },
        Derive::Oneof => quote! {
            impl #impl_generics #p::Oneof for #target {
                fn shape() -> &'static #p::OneofShape { #never }
            }
            impl #impl_generics #p::Variants for #target {
                fn variant(&self) -> ::core::option::Option<(::core::primitive::usize, &dyn #p::Slot)> { #never }
                fn variant_mut(
                    &mut self,
                ) -> ::core::option::Option<(::core::primitive::usize, &mut dyn #p::Slot)> { #never }
                fn empty(_: ::core::primitive::usize) -> ::core::option::Option<Self> { #never }
            }
        },
        Derive::Enumeration => quote! {
            impl #impl_generics #p::Member for #target {
                const TYPE: #p::TypeShape = #p::TypeShape::Enum(<Self as #p::Enumeration>::shape);
            }
            impl #impl_generics #p::Enumeration for #target {
                fn shape() -> &'static #p::EnumShape { #never }
                fn number(&self) -> ::core::primitive::i32 { #never }
                fn from_number(_: ::core::primitive::i32) -> ::core::option::Option<Self> { #never }
            }
            #element
        },
        Derive::Serialize => {
            let result = quote!(::core::result::Result<__S::Ok, __S::Error>);
            quote! {
                impl #impl_generics #p::serde::Serialize for #target {
                    fn serialize<__S: #p::serde::Serializer>(&self, _: __S) -> #result { #never }
                }
                impl #impl_generics #p::Emit for #target {
                    fn emit<__S: #p::serde::Serializer>(&self, _: __S) -> #result { #never }
                }
            }
        }
        Derive::Deserialize => {
            let generics = deserialize_generics(&input.generics);
            let (impl_generics, _, _) = generics.split_for_impl();
            let merge = quote! {
                impl #impl_generics #p::Merge<'__de> for #target {
                    fn empty() -> Self { #never }
                    fn merge<__D: #p::serde::Deserializer<'__de>>(
                        &mut self, _: __D,
                    ) -> ::core::result::Result<(), __D::Error> { #never }
                    fn clear(&mut self) { #never }
                }
            };
            let merge_oneof = quote! {
                impl #impl_generics #p::MergeOneof<'__de> for #target {
                    fn merge_oneof<__D: #p::serde::Deserializer<'__de>>(
                        _: &mut ::core::option::Option<Self>, _: __D,
                    ) -> ::core::result::Result<(), __D::Error> { #never }
                }
            };
            let merge = if is_oneof(&input.data) { merge_oneof } else { merge };
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

fn is_oneof(data: &Data) -> bool {
    matches!(data, Data::Enum(data) if data.variants.iter().any(|variant| !matches!(variant.fields, Fields::Unit)))
}
