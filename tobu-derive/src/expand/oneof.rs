//! Expands `derive(Oneof)`: the shape of an enum of newtype variants, which describes the variants to the library.

use super::names::Names;
use super::{at, at_member, extra, extras, filled_from, inferred, member, number, private, stored};
use crate::ast::{Oneof, Variant};
use crate::valid;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

pub(super) fn expand(oneof: &Oneof) -> TokenStream {
    let container = &oneof.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let rust_name = container.rust_name();
    let container_name = &container.serde_name;
    let renamed = (*container_name != rust_name).then(|| quote!(.serde_name(#container_name)));
    // A static cannot name the lifetimes of the impl around it.
    let statics: Vec<TokenStream> = container.generics.lifetimes().map(|_| quote!('static)).collect();
    let (mut names, mut said) = (Names::new(&rust_name), Vec::new());
    let variants =
        oneof.variants.iter().filter(|variant| !variant.skipped).enumerate().map(|(index, variant)| {
            said.extend(extra(container, index, None, &variant.ty, &variant.attrs));
            let proto_name = variant.proto_name();
            let name = names.add(&proto_name);
            let serde_name = names.add_another(&variant.serde_name, &proto_name, name);
            let (variant_ident, number) = (&variant.ident, number(&variant.attrs));
            // The shape gets the constructor and not the type. If the macro repeated the type here, the type could
            // have another meaning.
            let stored = stored(&p, &variant.ty, &variant.attrs);
            let constructor = quote!(#ident::<#(#statics),*>::#variant_ident);
            let shape = quote!(#p::VariantShape::new(#constructor, #name, #serde_name, #number, #stored));
            at_member(&variant.ty, &variant.attrs, &shape)
        });
    let variants: Vec<TokenStream> = variants.collect();
    let (names, extras) = (names.all(), extras(&said));
    let layout = layout(oneof);
    let filled_from = filled(oneof);
    // Returns one call for each variant whose type may be or contain a message.
    let calls = |function: &TokenStream, arguments: &TokenStream| {
        let variants = oneof.variants.iter().filter(|variant| !variant.skipped);
        let leads =
            |variant: &&Variant| variant.attrs.with.is_some() || valid::may_have_messages(&variant.ty);
        let calls = variants.filter(leads).map(|variant| {
            let member_of = member(&p, &super::static_type(&variant.ty), &variant.attrs);
            let function = at_member(&variant.ty, &variant.attrs, &quote!(#member_of::#function));
            quote!(#function(#arguments);)
        });
        let calls: TokenStream = calls.collect();
        (!calls.is_empty()).then_some(calls)
    };
    let register =
        calls(&quote!(register), &TokenStream::new()).map(|calls| quote!(#[inline] fn register() { #calls }));
    quote! {
        #filled_from
        #[automatically_derived]
        impl #impl_generics #p::Oneof for #ident #ty_generics #where_clause {
            #[inline]
            fn shape() -> &'static #p::OneofShape {
                static CELLS: #p::OneofCells = #p::OneofCells::new();
                // The function is generic, so only crates that use the type compile it. It is not inlined, so that
                // there is one copy.
                #[inline(never)]
                fn shape<__L>() -> &'static #p::OneofShape {
                    const {
                        &#p::OneofShape::new(
                            #names,
                            &const { [#(#variants),*] },
                            #p::oneof_functions::<#ident<#(#statics),*>>(),
                            &CELLS,
                        )#extras #renamed
                    }
                }
                shape::<()>()
            }
            #register
        }
        #layout
    }
}

/// Returns the impl of `FilledFrom`, which says that decoding may fill the type from an input that the type borrows from.
fn filled(oneof: &Oneof) -> TokenStream {
    let container = &oneof.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (_, ty_generics, _) = container.generics.split_for_impl();
    let turbofish = ty_generics.as_turbofish();
    let filled = oneof.variants.iter().filter(|variant| !variant.skipped);
    // A value that a conversion returns borrows nothing. `empty` checks this.
    let checks = filled.clone().filter(|variant| variant.attrs.with.is_none()).map(|variant| {
        let variant_ident = &variant.ident;
        let constructor = quote!(#ident #turbofish::#variant_ident);
        at(&variant.ty, &quote!(#p::Fill::variant(#constructor).filled_from::<'__de>();))
    });
    filled_from(container, filled.clone().map(|variant| &variant.ty), &checks.collect())
}

/// Returns the impl of `OneofLayout`, which gives the library access to the variants by their indices.
fn layout(oneof: &Oneof) -> TokenStream {
    let container = &oneof.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let variants: Vec<_> = oneof.variants.iter().filter(|variant| !variant.skipped).enumerate().collect();
    // With this span, the pattern binds a variable even if the user has a constant named `value`.
    let value = Ident::new("value", Span::mixed_site());
    let arms = |pointer: TokenStream| {
        let arms = variants.iter().map(|(index, variant)| {
            let name = &variant.ident;
            quote! {
                Self::#name(#value) => ::core::option::Option::Some((#index, #pointer(#value).cast::<::core::primitive::u8>())),
            }
        });
        let arms = quote!(#(#arms)*);
        match oneof.variants.iter().any(|variant| variant.skipped) {
            true => quote!(#arms _ => ::core::option::Option::None,),
            false => arms,
        }
    };
    let shared = arms(quote!(::core::ptr::from_ref));
    let exclusive = arms(quote!(::core::ptr::from_mut));
    let empty = variants.iter().map(|(index, variant)| {
        let (name, ty) = (&variant.ident, &variant.ty);
        let member_of = inferred(&p, ty, &variant.attrs);
        let empty = at_member(ty, &variant.attrs, &quote!(#member_of::empty()));
        quote!(#index => Self::#name(#empty?),)
    });
    let skipped: Vec<_> = oneof.variants.iter().filter(|variant| variant.skipped).collect();
    let skipped = (!skipped.is_empty()).then(|| {
        let arms = skipped.iter().map(|variant| {
            let (ident, name) = (&variant.ident, variant.ident.to_string());
            quote!(Self::#ident(..) => ::core::option::Option::Some(#name),)
        });
        let other = variants.first().map(|_| quote!(_ => ::core::option::Option::None,));
        quote! {
            const SKIPS: ::core::primitive::bool = true;
            #[inline]
            fn skipped(&self) -> ::core::option::Option<&'static ::core::primitive::str> {
                match self { #(#arms)* #other }
            }
        }
    });
    quote! {
        // SAFETY: the functions number the variants in the order in which the shape lists them.
        #[automatically_derived]
        unsafe impl #impl_generics #p::OneofLayout for #ident #ty_generics #where_clause {
            #[inline]
            fn value(&self) -> ::core::option::Option<(::core::primitive::usize, *const ::core::primitive::u8)> {
                match self { #shared }
            }
            #[inline]
            fn value_mut(&mut self) -> ::core::option::Option<(::core::primitive::usize, *mut ::core::primitive::u8)> {
                match self { #exclusive }
            }
            #[inline]
            fn empty(variant: ::core::primitive::usize) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(match variant {
                    #(#empty)*
                    _ => return ::core::option::Option::None,
                })
            }
            #skipped
        }
    }
}
