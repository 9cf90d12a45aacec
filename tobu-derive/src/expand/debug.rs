//! Expands `derive(Debug)`. Messages are printed by reflection, which hides redacted fields.

use super::private;
use crate::ast::{Input, Oneof};
use proc_macro2::TokenStream;
use quote::quote;

pub(super) fn expand(input: &Input) -> TokenStream {
    let container = input.container();
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    // The slot with the registered descriptor of the file, if the type declares its schema.
    let noted =
        container.attrs.stated.as_ref().and(container.attrs.descriptor.as_ref()).map(|file| &file.value);
    let body = match input {
        Input::Message(_) => match noted.filter(|_| container.attrs.lookup.is_none()) {
            Some(file) => quote!(#p::debug_noted_message(self, &#file, f)),
            None => quote!(#p::debug_message(self, f)),
        },
        Input::Enumeration(_) => match noted {
            Some(file) => quote!(#p::debug_noted_enumeration(
                <Self as #p::Enumeration>::shape(),
                #p::Enumeration::number(self),
                &#file,
                f,
            )),
            None => quote!(#p::debug_enumeration(self, f)),
        },
        Input::Oneof(oneof) => variants(oneof),
    };
    quote! {
        #[automatically_derived]
        impl #impl_generics ::core::fmt::Debug for #ident #ty_generics #where_clause {
            // The function is inline, so only crates that print the type compile it and the code that it calls.
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #body
            }
        }
    }
}

/// Returns the match that prints the variant with its value. A oneof cannot use reflection, because the type does not know
/// which message contains it.
fn variants(oneof: &Oneof) -> TokenStream {
    let p = private(&oneof.container.krate);
    let arms = oneof.variants.iter().map(|variant| {
        let ident = &variant.ident;
        let name = syn::ext::IdentExt::unraw(ident).to_string();
        match (variant.attrs.redact.is_some(), variant.skipped) {
            (true, _) => {
                quote!(Self::#ident(..) => #p::debug_variant(f, #name, &::core::format_args!("[REDACTED]")),)
            }
            (false, true) => quote!(Self::#ident(..) => f.write_str(#name),),
            (false, false) => quote!(Self::#ident(value) => #p::debug_variant(f, #name, value),),
        }
    });
    match oneof.variants.is_empty() {
        true => quote!(match *self {}),
        false => quote!(match self { #(#arms)* }),
    }
}
