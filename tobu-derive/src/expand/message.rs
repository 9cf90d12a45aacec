//! `derive(Message)`: the shape of a struct.

use super::{at, field_shape, private, static_type};
use crate::ast::{Message, Role};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(message: &Message) -> TokenStream {
    let container = &message.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let rust_name = container.rust_name();
    let bound_name = container.attrs.message.as_ref().map(|name| &*name.value);
    let schema = container.schema(&quote!(#p::bind_message), bound_name);
    let members = message.members.iter().filter(|member| member.role != Role::Skipped).map(|member| {
        let serde_name = &member.serde_name;
        let proto_name = member.proto_name();
        let role = match member.role {
            Role::Oneof => {
                let ty = static_type(&member.ty);
                let shape = at(&ty, &quote!(<#ty as #p::OneofMember>::shape));
                quote!(#p::Role::Oneof(#proto_name, #shape))
            }
            Role::Unknown => quote!(#p::Role::Unknown),
            Role::Field | Role::Skipped => {
                let field = field_shape(&p, &proto_name, &member.ty, &member.attrs);
                quote!(#p::Role::Field(#field))
            }
        };
        quote!(#p::MemberShape { name: #serde_name, role: #role })
    });
    let slots = super::reflect::message(message);
    // A static cannot name the lifetimes of the impl around it.
    let statics = container.generics.lifetimes().map(|_| quote!('static));
    let size = quote!(::core::mem::size_of::<#ident<#(#statics),*>>());
    let order: Vec<u16> = message.visits().iter().map(|(index, _)| *index as u16).collect();
    let visits = (!order.is_sorted()).then(|| quote!(.visits(&[#(#order),*])));
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::Member for #ident #ty_generics #where_clause {
            const TYPE: #p::TypeShape = #p::TypeShape::Message(<Self as #p::Message>::shape);
        }
        #[automatically_derived]
        impl #impl_generics #p::Message for #ident #ty_generics #where_clause {
            fn shape() -> &'static #p::MessageShape {
                static SHAPE: #p::MessageShape =
                    #p::MessageShape::new(#rust_name, #schema, &[#(#members),*]).size(#size)#visits;
                &SHAPE
            }
        }
        #slots
    }
}
