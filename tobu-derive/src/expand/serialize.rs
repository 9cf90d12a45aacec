//! Expands `derive(Serialize)`: serde's trait, whose impl calls the library.

use super::private;
use crate::ast::Input;
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(input: &Input) -> TokenStream {
    let container = input.container();
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let serialize = match input {
        Input::Message(_) => quote!(serialize_message),
        Input::Oneof(_) => quote!(serialize_oneof),
        Input::Enumeration(_) => quote!(serialize_enumeration),
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics #p::serde::Serialize for #ident #ty_generics #where_clause {
            #[inline]
            fn serialize<__S: #p::serde::Serializer>(
                &self,
                __serializer: __S,
            ) -> ::core::result::Result<__S::Ok, __S::Error> {
                #p::#serialize(self, __serializer)
            }
        }
    }
}
