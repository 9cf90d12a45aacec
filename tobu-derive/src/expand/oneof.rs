//! `derive(Oneof)`: the shape of an enum of newtype variants.

use super::{field_shape, private};
use crate::ast::Oneof;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(oneof: &Oneof) -> TokenStream {
    let container = &oneof.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let rust_name = container.rust_name();
    let variants = oneof.variants.iter().filter(|variant| !variant.skipped).map(|variant| {
        let serde_name = &variant.serde_name;
        let field = field_shape(&p, &variant.proto_name(), &variant.ty, &variant.attrs);
        quote!((#serde_name, #field))
    });
    let slots = super::reflect::oneof(oneof);
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::Oneof for #ident #ty_generics #where_clause {
            fn shape() -> &'static #p::OneofShape {
                static SHAPE: #p::OneofShape = #p::OneofShape { rust_name: #rust_name, variants: &[#(#variants),*] };
                &SHAPE
            }
        }
        #slots
    }
}
