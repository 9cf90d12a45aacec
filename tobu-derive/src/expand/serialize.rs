//! `derive(Serialize)`: serde's trait, and `Emit` on top of it.

use super::{at, inline, is_many, private};
use crate::ast::{Enumeration, Input, Message, Oneof, Role};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(input: &Input) -> TokenStream {
    let container = input.container();
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let inline = inline(input.len());
    let body = match input {
        Input::Message(message) => self::message(message),
        Input::Oneof(oneof) => self::oneof(oneof),
        Input::Enumeration(enumeration) => self::enumeration(enumeration),
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::serde::Serialize for #ident #ty_generics #where_clause {
            #inline
            fn serialize<__S: #p::serde::Serializer>(
                &self,
                __serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                #body
            }
        }
        #[automatically_derived]
        impl #impl_generics #p::Emit for #ident #ty_generics #where_clause {
            #[inline]
            fn emit<__S: #p::serde::Serializer>(
                &self,
                __serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                #p::serde::Serialize::serialize(self, __serializer)
            }
        }
    }
}

fn message(message: &Message) -> TokenStream {
    let p = private(&message.container.krate);
    let members = message.members.iter().filter(|member| member.role != Role::Skipped);
    let count = members.clone().count();
    let emitted = if is_many(count) { quote!(EmittedApart) } else { quote!(Emitted) };
    let fields = members.map(|member| {
        let (ident, name) = (&member.ident, &member.serde_name);
        at(
            &member.ty,
            &quote!(#p::serde::ser::SerializeStruct::serialize_field(&mut __struct, #name, &#p::#emitted(&self.#ident))?;),
        )
    });
    let mutable = (count > 0).then(|| quote!(mut));
    quote! {
        if #p::serde::Serializer::is_human_readable(&__serializer) {
            return #p::serialize_foreign(self, __serializer);
        }
        let #mutable __struct =
            #p::serde::Serializer::serialize_struct(__serializer, #p::MESSAGE, #count)?;
        #(#fields)*
        #p::serde::ser::SerializeStruct::end(__struct)
    }
}

fn oneof(oneof: &Oneof) -> TokenStream {
    let p = private(&oneof.container.krate);
    let name = oneof.container.name_for(&quote!(#p::serde::Serializer::is_human_readable(&__serializer)));
    let mut index = 0u32;
    let arms = oneof.variants.iter().map(|variant| {
        let (ident, name) = (&variant.ident, &variant.serde_name);
        if variant.skipped {
            let message = format!("the variant `{ident}` is skipped and cannot be serialized");
            return quote! {
                Self::#ident(_) => ::core::result::Result::Err(#p::serde::ser::Error::custom(#message)),
            };
        }
        let write = quote! {
            #p::serde::Serializer::serialize_newtype_variant(
                __serializer, __name, #index, #name, &#p::Emitted(__value),
            )
        };
        let write = at(&variant.ty, &write);
        let arm = quote!(Self::#ident(__value) => #write,);
        index += 1;
        arm
    });
    quote! {
        let __name = #name;
        match self { #(#arms)* }
    }
}

fn enumeration(enumeration: &Enumeration) -> TokenStream {
    let p = private(&enumeration.container.krate);
    quote!(#p::emit_enumeration(self, __serializer))
}
