//! Expands `derive(Deserialize)`: serde's trait, whose impl calls the library, and a marker trait that allows the
//! library to fill the type in place.

use super::{deserialize_generics, private};
use crate::ast::Input;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(input: &Input) -> TokenStream {
    let container = input.container();
    let p = private(&container.krate);
    let ident = &container.ident;
    let generics = deserialize_generics(&container.generics, input.types().into_iter());
    let (impl_generics, _, _) = generics.split_for_impl();
    let (_, ty_generics, where_clause) = container.generics.split_for_impl();
    let deserialize = match input {
        Input::Message(_) => quote!(deserialize_message),
        Input::Oneof(_) => quote!(deserialize_oneof),
        Input::Enumeration(_) => quote!(deserialize_enumeration),
    };
    let merges = match input {
        Input::Message(_) => Some(quote!(Merge)),
        Input::Oneof(_) => Some(quote!(MergeOneof)),
        Input::Enumeration(_) => None,
    };
    let merge = merges.map(|merges| {
        quote! {
            // SAFETY: The generics of this impl require that `'__de` outlives everything that the type borrows.
            #[automatically_derived]
            unsafe impl #impl_generics #p::#merges<'__de> for #ident #ty_generics #where_clause {}
        }
    });
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::serde::Deserialize<'__de> for #ident #ty_generics #where_clause {
            #[inline]
            fn deserialize<__D: #p::serde::Deserializer<'__de>>(
                __deserializer: __D,
            ) -> ::core::result::Result<Self, __D::Error> {
                #p::#deserialize(__deserializer)
            }
        }
        #merge
    }
}
