//! `derive(Serialize)`: serde's trait, and `Emit` on top of it.

use super::{at, inline, is_many, marked, private, told, wire_kind};
use crate::ast::{Enumeration, Input, Message, Oneof, Role, Variant};
use crate::valid;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(input: &Input) -> TokenStream {
    let container = input.container();
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let body = match input {
        Input::Message(_) => quote! {
            if #p::serde::Serializer::is_human_readable(&__serializer) {
                return #p::serialize_foreign(self, __serializer);
            }
            #p::emit_message(self, __serializer)
        },
        Input::Oneof(oneof) => self::oneof(oneof),
        Input::Enumeration(enumeration) => self::enumeration(enumeration),
    };
    let members = match input {
        Input::Message(message) => Some(self::members(message)),
        _ => None,
    };
    let always = quote!(#[cfg_attr(not(debug_assertions), inline(always))]);
    let inline = if matches!(input, Input::Oneof(_)) { inline(input.len()) } else { Some(always) };
    let held = match input {
        Input::Message(_) => quote!(Message),
        Input::Oneof(_) => quote!(Other),
        Input::Enumeration(_) => quote!(Enum),
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
            const HELD: #p::Held = #p::Held::#held;

            #inline
            fn emit<__S: #p::serde::Serializer>(
                &self,
                __serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                #p::serde::Serialize::serialize(self, __serializer)
            }
        }
        #members
    }
}

/// True for a message of a few numbers and a string at most: it takes hardly more code to write them than to ask for it.
fn is_small(message: &Message) -> bool {
    let (mut numbers, mut strings) = (0, 0);
    for member in message.members.iter().filter(|member| member.role != Role::Unknown) {
        match member.role {
            Role::Field if valid::is_scalar(&member.ty) => numbers += 1,
            Role::Field if valid::is_string(&member.ty) => strings += 1,
            _ => return false,
        }
    }
    strings <= 1 && numbers + strings <= 4
}

/// The members of a message.
fn members(message: &Message) -> TokenStream {
    let container = &message.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let members = message.members.iter().filter(|member| member.role != Role::Skipped);
    let count = members.clone().count();
    let emitted = if is_many(count) { quote!(EmittedApart) } else { quote!(Emitted) };
    let by = quote!(field_name);
    let names = members.clone().map(|member| told(&p, &by, member));
    let name = marked(&p, names);
    let fields = members.map(|member| {
        let (ident, name) = (&member.ident, &member.serde_name);
        let value = match (&member.role, &member.attrs.number) {
            (Role::Unknown, _) | (Role::Field, Some(_)) => {
                let told = told(&p, &by, member);
                quote!(#p::Told(&self.#ident, const { #p::name_text(&const { #told }) }))
            }
            _ => quote!(#p::#emitted(&self.#ident)),
        };
        at(
            &member.ty,
            &quote!(#p::serde::ser::SerializeStruct::serialize_field(&mut __struct, #name, &#value)?;),
        )
    });
    let mutable = (count > 0).then(|| quote!(mut));
    let inline = if is_small(message) {
        Some(quote!(#[cfg_attr(not(debug_assertions), inline(always))]))
    } else {
        inline(message.members.len())
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::EmitMembers for #ident #ty_generics #where_clause {
            const NAME: &'static ::core::primitive::str = #name;

            #inline
            fn emit_members<__S: #p::serde::Serializer>(
                &self,
                __serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                let #mutable __struct =
                    #p::serde::Serializer::serialize_struct(__serializer, Self::NAME, #count)?;
                #(#fields)*
                #p::serde::ser::SerializeStruct::end(__struct)
            }
        }
    }
}

/// What is told of a variant: the bytes of a name.
fn told_variant(p: &TokenStream, variant: &Variant) -> TokenStream {
    match &variant.attrs.number {
        Some(number) => {
            let (ty, number) = (&variant.ty, number.value);
            let kind = wire_kind(p, &variant.attrs.kind);
            at(ty, &quote!(#p::variant_name::<#ty>(#number, #kind)))
        }
        None => quote!(#p::OTHER_NAME),
    }
}

fn oneof(oneof: &Oneof) -> TokenStream {
    let p = private(&oneof.container.krate);
    let variants = oneof.variants.iter().filter(|variant| !variant.skipped);
    let mark = marked(&p, variants.map(|variant| told_variant(&p, variant)));
    let human_readable = quote!(#p::serde::Serializer::is_human_readable(&__serializer));
    let name = oneof.container.name_for(&human_readable, &mark);
    let mut index = 0u32;
    let arms = oneof.variants.iter().map(|variant| {
        let (ident, name) = (&variant.ident, &variant.serde_name);
        if variant.skipped {
            let message = format!("the variant `{ident}` is skipped and cannot be serialized");
            return quote! {
                Self::#ident(_) => ::core::result::Result::Err(#p::serde::ser::Error::custom(#message)),
            };
        }
        let ty = &variant.ty;
        let value = match &variant.attrs.number {
            Some(_) => {
                let told = told_variant(&p, variant);
                quote!(#p::Told(__value, const { #p::name_text(&const { #told }) }))
            }
            None => quote!(#p::Emitted(__value)),
        };
        let write = quote! {
            #p::serde::Serializer::serialize_newtype_variant(__serializer, __name, #index, #name, &#value)
        };
        let write = at(ty, &write);
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
