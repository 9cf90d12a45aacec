//! What reflection asks of a type: its members by their indices. Part of `Message`, `Oneof` and `Enumeration`.

use super::{at, private};
use crate::ast::{Enumeration, Member, Message, Oneof, Role, Variant};
use proc_macro2::TokenStream;
use quote::quote;

/// `Members` of a struct, and the struct as a member of others.
pub(super) fn message(message: &Message) -> TokenStream {
    let container = &message.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let empty = message.members.iter().map(|member| {
        let (ident, ty) = (&member.ident, &member.ty);
        let value = match member.role {
            Role::Field => at(ty, &quote!(#p::Element::empty()?)),
            Role::Oneof => quote!(::core::option::Option::None),
            Role::Unknown => quote!(#p::UnknownFields::new()),
            Role::Skipped => quote!(#p::Defaulted::<#ty>(::core::marker::PhantomData).make()?),
        };
        quote!(#ident: #value)
    });
    let skips = message.members.iter().any(|member| member.role == Role::Skipped);
    let undefaulted = skips.then(|| quote!(#[allow(unused_imports)] use #p::Undefaulted as _;));
    let fields = accessors(message, Role::Field, &quote!(member), &quote!(member_mut), &quote!(#p::Slot));
    let oneofs = accessors(
        message,
        Role::Oneof,
        &quote!(oneof_member),
        &quote!(oneof_member_mut),
        &quote!(#p::OneofSlot),
    );
    let visit = visit_members(message);
    let unknown = message.members.iter().find(|member| member.role == Role::Unknown).map(|member| {
        let ident = &member.ident;
        let unknown = quote!(#p::UnknownFields);
        quote! {
            fn unknown_member(&self) -> ::core::option::Option<&#unknown> {
                ::core::option::Option::Some(&self.#ident)
            }
            fn unknown_member_mut(&mut self) -> ::core::option::Option<&mut #unknown> {
                ::core::option::Option::Some(&mut self.#ident)
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::Members for #ident #ty_generics #where_clause {
            fn make_empty() -> ::core::option::Option<Self> {
                #undefaulted
                ::core::option::Option::Some(Self { #(#empty),* })
            }
            #fields
            #oneofs
            #visit
            #unknown
        }
        #[automatically_derived]
        impl #impl_generics #p::Slot for #ident #ty_generics #where_clause {
            fn get(&self, _: #p::At) -> ::core::option::Option<#p::ValueRef<'_>> {
                ::core::option::Option::Some(#p::get_message(self))
            }
            fn get_mut(&mut self, _: #p::At) -> #p::Outcome<#p::ValueMut<'_>> {
                ::core::result::Result::Ok(#p::get_message_mut(self))
            }
            fn set(&mut self, __at: #p::At, __value: #p::Value) -> #p::Outcome<()> {
                #p::set_message(self, __at, __value)
            }
            fn clear(&mut self, _: #p::At) {
                #p::clear_message(self)
            }
        }
        #[automatically_derived]
        impl #impl_generics #p::Element for #ident #ty_generics #where_clause {
            fn empty() -> ::core::option::Option<Self> {
                #p::Members::make_empty()
            }
        }
    }
}

/// The two methods that give the members of a role by their indices; nothing where there are none.
fn accessors(
    message: &Message,
    role: Role,
    name: &TokenStream,
    name_mut: &TokenStream,
    slot: &TokenStream,
) -> Option<TokenStream> {
    let members: Vec<(usize, &Member)> = message
        .members
        .iter()
        .filter(|member| member.role != Role::Skipped)
        .enumerate()
        .filter(|(_, member)| member.role == role)
        .collect();
    if members.is_empty() {
        return None;
    }
    let arms = |reference: TokenStream| {
        let arms = members.iter().map(|(index, member)| {
            let ident = &member.ident;
            // The cast has the span of the type, so that one without the trait is what the compiler points at.
            let value = at(&member.ty, &quote!(#reference self.#ident));
            quote!(#index => #value,)
        });
        quote!(#(#arms)*)
    };
    let (shared, exclusive) = (arms(quote!(&)), arms(quote!(&mut)));
    Some(quote! {
        fn #name(&self, __index: ::core::primitive::usize) -> ::core::option::Option<&dyn #slot> {
            ::core::option::Option::Some(match __index {
                #shared
                _ => return ::core::option::Option::None,
            })
        }
        fn #name_mut(&mut self, __index: ::core::primitive::usize) -> ::core::option::Option<&mut dyn #slot> {
            ::core::option::Option::Some(match __index {
                #exclusive
                _ => return ::core::option::Option::None,
            })
        }
    })
}

/// The method that hands out all members; nothing where there are none.
fn visit_members(message: &Message) -> Option<TokenStream> {
    let p = private(&message.container.krate);
    let steps: Vec<TokenStream> = message
        .visits()
        .into_iter()
        .filter_map(|(_, member)| {
            let ident = &member.ident;
            let step = match member.role {
                Role::Field => quote!(__visitor.field(&self.#ident)),
                Role::Oneof => quote!(__visitor.oneof(&self.#ident)),
                Role::Unknown | Role::Skipped => return None,
            };
            let step = at(&member.ty, &step);
            Some(quote!(if !#step { return; }))
        })
        .collect();
    (!steps.is_empty()).then(|| {
        quote! {
            fn visit_members<'__message>(
                &'__message self,
                __visitor: &mut #p::MemberVisitor<'_, '__message>,
            ) {
                #(#steps)*
            }
        }
    })
}

/// `Variants` of an enum.
pub(super) fn oneof(oneof: &Oneof) -> TokenStream {
    let container = &oneof.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let variants: Vec<(usize, &Variant)> =
        oneof.variants.iter().filter(|variant| !variant.skipped).enumerate().collect();
    let arms: Vec<TokenStream> = variants
        .iter()
        .map(|(index, variant)| {
            let ident = &variant.ident;
            quote!(Self::#ident(__value) => (#index, __value),)
        })
        .collect();
    let empty = variants.iter().map(|(index, variant)| {
        let ident = &variant.ident;
        let value = at(&variant.ty, &quote!(#p::Element::empty()?));
        quote!(#index => Self::#ident(#value),)
    });
    let skipped =
        (variants.len() < oneof.variants.len()).then(|| quote!(_ => return ::core::option::Option::None,));
    let pair = |slot: TokenStream| quote!(::core::option::Option<(::core::primitive::usize, #slot)>);
    let (shared, exclusive) = (pair(quote!(&dyn #p::Slot)), pair(quote!(&mut dyn #p::Slot)));
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::Variants for #ident #ty_generics #where_clause {
            fn variant(&self) -> #shared {
                ::core::option::Option::Some(match self { #(#arms)* #skipped })
            }
            fn variant_mut(&mut self) -> #exclusive {
                ::core::option::Option::Some(match self { #(#arms)* #skipped })
            }
            fn empty(__variant: ::core::primitive::usize) -> ::core::option::Option<Self> {
                ::core::option::Option::Some(match __variant {
                    #(#empty)*
                    _ => return ::core::option::Option::None,
                })
            }
        }
    }
}

/// The enumeration as a member.
pub(super) fn enumeration(enumeration: &Enumeration) -> TokenStream {
    let container = &enumeration.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::Slot for #ident #ty_generics #where_clause {
            fn get(&self, _: #p::At) -> ::core::option::Option<#p::ValueRef<'_>> {
                ::core::option::Option::Some(#p::get_enumeration(self))
            }
            fn set(&mut self, __at: #p::At, __value: #p::Value) -> #p::Outcome<()> {
                #p::set_enumeration(self, __at, __value)
            }
            fn clear(&mut self, __at: #p::At) {
                if let ::core::option::Option::Some(__value) = #p::empty_enumeration(::core::option::Option::Some(__at)) {
                    *self = __value;
                }
            }
        }
        #[automatically_derived]
        impl #impl_generics #p::Element for #ident #ty_generics #where_clause {
            fn empty() -> ::core::option::Option<Self> {
                #p::empty_enumeration(::core::option::Option::None)
            }
        }
    }
}
