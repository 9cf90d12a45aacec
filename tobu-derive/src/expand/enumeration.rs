//! Expands `derive(Enumeration)`: the shape of a Rust enum or of a newtype over `i32`, and its numbers.

use super::names::Names;
use super::{option, private};
use crate::ast::{EnumValue, Enumeration, Form};
use crate::attr::Value;
use crate::errors::Spanned;
use proc_macro2::TokenStream;
use quote::quote;
use syn::ext::IdentExt as _;

pub(super) fn expand(enumeration: &Enumeration) -> TokenStream {
    let container = &enumeration.container;
    let p = private(&container.krate);
    let ident = &container.ident;
    let (impl_generics, ty_generics, where_clause) = container.generics.split_for_impl();
    let rust_name = container.rust_name();
    let bound_name = container.attrs.enumeration.as_ref().and_then(|name| name.value.as_deref());
    let names = &mut Names::new(&rust_name);
    let schema = container.schema(&quote!(#p::bind_enum), &quote!(#p::declare_enum), bound_name, names);
    let mut shape = |number: i32, name: &str, serde_name: &str| {
        let start = names.add(name);
        let serde_start = names.add_another(serde_name, name, start);
        quote! {
            #p::ValueShape { number: #number, name: #p::Name(#start), serde_name: #p::Name(#serde_start) }
        }
    };
    let values: Vec<TokenStream> = match &enumeration.form {
        Form::Enum(values, _) => {
            let row = |value: &EnumValue| shape(value.number, &value.proto_name.value, &value.serde_name);
            values.iter().map(row).collect()
        }
        Form::Newtype => {
            let row = |value: &Value| {
                let name = value.ident.unraw().to_string();
                shape(value.number.value, &name, &name)
            };
            container.values().iter().map(row).collect()
        }
    };
    let names = names.all();
    let closed = enumeration.is_closed();
    let (number, from_number) = (number(enumeration), from_number(enumeration));
    let from_number = match closed {
        true => from_number,
        false => option(Some(from_number)),
    };
    let json_names: Vec<_> = match &enumeration.form {
        Form::Enum(values, _) => json_names(values.iter().map(|value| (&value.json_name, value.number))),
        Form::Newtype => {
            json_names(container.values().iter().map(|value| (&value.json_name, value.number.value)))
        }
    };
    let json_names = (!json_names.is_empty()).then(|| quote!(.json_names(&[#(#json_names),*])));
    let register = container.register();
    let numbers = container.attrs.closed.as_ref().map(|closed| {
        let numbers = &closed.value;
        quote!(.numbers(&[#(#numbers),*]))
    });
    let number_of = match &enumeration.form {
        Form::Newtype => quote!(self.0),
        Form::Enum(..) => quote!(#p::Enumeration::number(self)),
    };
    let storage = match &enumeration.form {
        // A newtype over `i32` contains only the number, so the library can store the number directly.
        Form::Newtype => quote! {
            const STORAGE: #p::Storage = {
                #p::open_enum_fits::<Self>();
                #p::Storage::OpenEnum(<Self as #p::Enumeration>::shape)
            };
            const IN_OPTION: ::core::option::Option<::core::primitive::u32> = #p::in_option(Self(0));
            #[inline]
            fn empty() -> ::core::option::Option<Self> {
                ::core::option::Option::Some(Self(0))
            }
        },
        Form::Enum(values, _) => {
            let first = values.iter().find(|value| value.number == 0).or(values.first());
            let first = first.map(|value| &value.ident);
            quote! {
                const STORAGE: #p::Storage = #p::Storage::ClosedEnum(#p::closed_enum_functions::<Self>());
                const IN_OPTION: ::core::option::Option<::core::primitive::u32> = #p::in_option(Self::#first);
                #[inline]
                fn empty() -> ::core::option::Option<Self> {
                    ::core::option::Option::Some(Self::#first)
                }
            }
        }
    };
    let conversions = container.attrs.conversions.is_some().then(|| conversions(enumeration));
    quote! {
        // SAFETY: An enumeration has no lifetimes, so it borrows nothing.
        #[automatically_derived]
        unsafe impl #p::FilledFrom<'_> for #ident #ty_generics #where_clause {}
        #[automatically_derived]
        unsafe impl #impl_generics #p::Member for #ident #ty_generics #where_clause {
            #register
            #storage
            #[inline]
            fn is_set(&self) -> ::core::primitive::bool {
                #number_of != 0
            }
            const IS_LEAF: ::core::primitive::bool = true;
            #[inline]
            unsafe fn write(
                &self,
                field: #p::LeafField,
                at: *mut ::core::primitive::u8,
                limit: ::core::primitive::usize,
            ) -> *mut ::core::primitive::u8 {
                // SAFETY: the caller promises that `at` is at or before `limit`, and that the memory after `limit` has enough
                // bytes for this leaf. `write` for the number writes the same bytes, so the memory is enough.
                unsafe { #p::Member::write(&#number_of, field, at, limit) }
            }
        }
        #[automatically_derived]
        impl #impl_generics #p::Enumeration for #ident #ty_generics #where_clause {
            fn shape() -> &'static #p::EnumShape {
                static SHAPE: #p::EnumShape =
                    #p::EnumShape::new(#names, #schema, &[#(#values),*], #closed) #json_names #numbers;
                &SHAPE
            }
            #[inline]
            fn number(&self) -> ::core::primitive::i32 {
                #number
            }
            #[inline]
            fn from_number(number: ::core::primitive::i32) -> ::core::option::Option<Self> {
                #from_number
            }
        }
        #conversions
    }
}

/// Returns the expression for the number of `self`.
fn number(enumeration: &Enumeration) -> TokenStream {
    let Form::Enum(values, unknown) = &enumeration.form else { return quote!(self.0) };
    let idents = values.iter().map(|value| &value.ident);
    let numbers = values.iter().map(|value| value.number);
    let unknown = unknown.iter();
    quote!(match *self { #(Self::#idents => #numbers,)* #(Self::#unknown(number) => number,)* })
}

/// Returns the expression for the value of `number`. For a closed enum the expression is an option.
fn from_number(enumeration: &Enumeration) -> TokenStream {
    let Form::Enum(values, unknown) = &enumeration.form else { return quote!(Self(number)) };
    let idents = values.iter().map(|value| &value.ident);
    let numbers = values.iter().map(|value| value.number);
    match unknown {
        Some(unknown) => {
            quote!(match number { #(#numbers => Self::#idents,)* _ => Self::#unknown(number), })
        }
        None => {
            let (found, none) = (option(Some(quote!(value))), option(None::<TokenStream>));
            quote! {
                let value = match number {
                    #(#numbers => Self::#idents,)*
                    _ => return #none,
                };
                #found
            }
        }
    }
}

/// Returns the impls of the standard traits that convert from and to names and numbers.
fn conversions(enumeration: &Enumeration) -> TokenStream {
    let container = &enumeration.container;
    let krate = &container.krate;
    let p = private(krate);
    let ident = &container.ident;
    let from_number = match enumeration.is_closed() {
        true => quote! {
            #[automatically_derived]
            impl ::core::convert::TryFrom<::core::primitive::i32> for #ident {
                type Error = #krate::Error;
                #[inline]
                fn try_from(number: ::core::primitive::i32) -> ::core::result::Result<Self, #krate::Error> {
                    #p::enum_from_number(number)
                }
            }
        },
        false => {
            let value = from_number(enumeration);
            quote! {
                #[automatically_derived]
                impl ::core::convert::From<::core::primitive::i32> for #ident {
                    #[inline]
                    fn from(number: ::core::primitive::i32) -> Self {
                        #value
                    }
                }
            }
        }
    };
    quote! {
        #from_number
        #[automatically_derived]
        impl ::core::convert::From<#ident> for ::core::primitive::i32 {
            #[inline]
            fn from(value: #ident) -> Self {
                #p::Enumeration::number(&value)
            }
        }
        #[automatically_derived]
        impl ::core::fmt::Display for #ident {
            #[inline]
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                #p::display_enumeration(self, f)
            }
        }
        #[automatically_derived]
        impl ::core::str::FromStr for #ident {
            type Err = #krate::Error;
            #[inline]
            fn from_str(text: &::core::primitive::str) -> ::core::result::Result<Self, #krate::Error> {
                #p::enum_from_text(text)
            }
        }
        #[automatically_derived]
        impl ::core::convert::TryFrom<&::core::primitive::str> for #ident {
            type Error = #krate::Error;
            #[inline]
            fn try_from(text: &::core::primitive::str) -> ::core::result::Result<Self, #krate::Error> {
                #p::enum_from_text(text)
            }
        }
    }
}

/// Returns the numbers and JSON names of the values that have a separate name in JSON.
fn json_names<'a>(values: impl Iterator<Item = (&'a Option<Spanned<String>>, i32)>) -> Vec<TokenStream> {
    let named = values.filter_map(|(name, number)| Some((&name.as_ref()?.value, number)));
    named.map(|(name, number)| quote!((#number, #name))).collect()
}

/// Returns the associated constants of a newtype that lists its values; `None` if it lists none.
pub(super) fn constants(enumeration: &Enumeration) -> Option<TokenStream> {
    let container = &enumeration.container;
    let ident = &container.ident;
    let constants: Vec<TokenStream> = container
        .values()
        .iter()
        .map(|value| {
            let (docs, name, number) = (&value.docs, &value.ident, value.number.value);
            let fallback = docs.is_empty().then(|| {
                let doc = format!("The value `{}` of number {number}.", name.unraw());
                quote!(#[doc = #doc])
            });
            quote! {
                #fallback
                #(#docs)*
                pub const #name: #ident = #ident(#number);
            }
        })
        .collect();
    (!constants.is_empty()).then(|| quote!(impl #ident { #(#constants)* }))
}
