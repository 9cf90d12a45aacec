//! Getters of fields that know whether they are set: they read without unwrapping.

use proc_macro2::TokenStream;
use quote::quote;
use tobu::descriptor::{FieldDescriptor, FieldShape, Kind, MessageDescriptor};

use super::attributes::deprecated;
use super::field::{self, Place};
use super::message::Member;
use super::schema::Schema;
use super::view::Flavor;
use super::{accessor, doc, oneof, value};
use crate::error::Result;
use crate::names::{Scope, field_name, ident};

/// The impl with the getters of a message, and its other accessors; nothing where there are none.
pub(super) fn item(
    schema: &Schema<'_>,
    message: &MessageDescriptor,
    members: &[Member],
    place: Place<'_>,
) -> Result<TokenStream> {
    let Some(known) = schema.name_of(message.full_name()) else { return Ok(TokenStream::new()) };
    let mut scope = Scope::default();
    RESERVED.iter().for_each(|name| {
        scope.claim((*name).to_owned());
    });
    let mut getters = Vec::new();
    for member in members {
        if let Member::Field(field, name) = member
            && matches!(field.shape(), FieldShape::Singular(_))
            && field.has_presence()
        {
            let getter = scope.claim(name.clone());
            getters.push(of_field(schema, field, name, &getter, place)?);
        }
    }
    for member in members {
        if let Member::Oneof(oneof, name) = member {
            for (field, variant) in oneof.fields().zip(oneof::variant_names(oneof)) {
                let getter = scope.claim(field_name(field.name()));
                let path = schema.path(place.modules, oneof.full_name(), place.flavor)?;
                let variant = ident(&variant);
                getters.push(of_variant(schema, &field, name, &getter, &quote!(#path::#variant), place)?);
            }
        }
    }
    if !schema.config().getters {
        getters.clear();
    }
    if schema.config().accessors && place.flavor == Flavor::Owned {
        getters.extend(accessor::all(schema, members, &mut scope, place)?);
    }
    if getters.is_empty() {
        return Ok(TokenStream::new());
    }
    let name = ident(known.of(place.flavor));
    let generics = place.flavor.generics(schema, message.full_name());
    Ok(quote!(impl #generics #name #generics { #(#getters)* }))
}

/// The default instance of a message, which getters of fields of its type give; nothing where there are no getters.
pub(super) fn default_instance(
    schema: &Schema<'_>,
    message: &MessageDescriptor,
    flavor: Flavor,
) -> Option<TokenStream> {
    let known = schema.name_of(message.full_name()).filter(|_| schema.config().getters)?;
    let name = ident(known.of(flavor));
    let generics = flavor.generics(schema, message.full_name());
    let statics = (!generics.is_empty()).then(|| quote!(<'static>));
    let runtime = &schema.runtime;
    Some(quote! {
        impl #generics #runtime::DefaultInstance for #name #generics {
            #[inline]
            fn default_instance<'d>() -> &'d Self
            where
                Self: 'd,
            {
                static DEFAULT: #runtime::__private::DefaultSlot<#name #statics> = #runtime::__private::DefaultSlot::new();
                DEFAULT.get()
            }
        }
    })
}

/// Methods that a getter would hide: those of `Clone`, `Default`, `Message`, `Merge` and `DefaultInstance`.
pub(super) const RESERVED: &[&str] = &[
    "as_reflect",
    "as_reflect_mut",
    "clear",
    "clone",
    "decode",
    "decode_length_delimited",
    "default",
    "default_instance",
    "descriptor",
    "encode",
    "encode_length_delimited",
    "encode_to_vec",
    "encoded_len",
    "from_json",
    "from_text",
    "into_dynamic",
    "merge",
    "merge_from",
    "reflect",
    "shape",
    "to_json",
    "to_text",
];

fn of_field(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    member: &str,
    getter: &str,
    place: Place<'_>,
) -> Result<TokenStream> {
    let doc = doc::line(&format!("`{}`, or its default where it is not set.", field.name()));
    let member = ident(member);
    let getter = ident(getter);
    let deprecated = deprecated(field.is_deprecated());
    if field::with(schema, field, place).is_some() {
        let doc = doc::line(&format!("`{}`, where it is set.", field.name()));
        let ty = field::value(schema, field, &field.kind(), place)?;
        return Ok(quote! {
            #doc
            #deprecated
            #[inline]
            pub fn #getter(&self) -> ::core::option::Option<&#ty> {
                self.#member.as_ref()
            }
        });
    }
    let parts = Parts::of(schema, field, place)?;
    let ty = &parts.ty;
    let default = &parts.default;
    if parts.is_message {
        return Ok(quote! {
            #doc
            #deprecated
            #[inline]
            pub fn #getter(&self) -> #ty {
                match &self.#member {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => #default,
                }
            }
        });
    }
    let read = if parts.derefs { quote!(as_deref().) } else { TokenStream::new() };
    Ok(quote! {
        #doc
        #deprecated
        #[inline]
        pub fn #getter(&self) -> #ty {
            self.#member.#read unwrap_or(#default)
        }
    })
}

fn of_variant(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    member: &str,
    getter: &str,
    variant: &TokenStream,
    place: Place<'_>,
) -> Result<TokenStream> {
    let doc = doc::line(&format!("`{}`, or its default where it is not set.", field.name()));
    let member = ident(member);
    let getter = ident(getter);
    let deprecated = deprecated(field.is_deprecated());
    if field::with(schema, field, place).is_some() {
        let doc = doc::line(&format!("`{}`, where it is set.", field.name()));
        let ty = field::value(schema, field, &field.kind(), place)?;
        return Ok(quote! {
            #doc
            #deprecated
            #[inline]
            pub fn #getter(&self) -> ::core::option::Option<&#ty> {
                match &self.#member {
                    ::core::option::Option::Some(#variant(value)) => ::core::option::Option::Some(value),
                    _ => ::core::option::Option::None,
                }
            }
        });
    }
    let Parts { ty, default, is_message, derefs } = Parts::of(schema, field, place)?;
    let value = if derefs || is_message { quote!(value) } else { quote!(*value) };
    Ok(quote! {
        #doc
        #deprecated
        #[inline]
        pub fn #getter(&self) -> #ty {
            match &self.#member {
                ::core::option::Option::Some(#variant(value)) => #value,
                _ => #default,
            }
        }
    })
}

/// What getters of a kind of field are made of.
struct Parts {
    /// What the getter returns.
    ty: TokenStream,
    default: TokenStream,
    /// True for a message, which is borrowed where it lies.
    is_message: bool,
    /// True where the value is behind a pointer of its own.
    derefs: bool,
}

impl Parts {
    fn of(schema: &Schema<'_>, field: &FieldDescriptor, place: Place<'_>) -> Result<Self> {
        let scalar = |ty| {
            Ok(Parts { ty, default: value::default(schema, field, place)?, is_message: false, derefs: false })
        };
        let view = place.flavor == Flavor::View;
        match field.kind() {
            Kind::Double => scalar(quote!(f64)),
            Kind::Float => scalar(quote!(f32)),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => scalar(quote!(i32)),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => scalar(quote!(i64)),
            Kind::UInt32 | Kind::Fixed32 => scalar(quote!(u32)),
            Kind::UInt64 | Kind::Fixed64 => scalar(quote!(u64)),
            Kind::Bool => scalar(quote!(bool)),
            Kind::Enum(target) => scalar(schema.path(place.modules, target.full_name(), place.flavor)?),
            Kind::String if view => scalar(quote!(&'a str)),
            Kind::Bytes if view => scalar(quote!(&'a [u8])),
            Kind::String => Ok(Parts { derefs: true, ..scalar(quote!(&str))? }),
            Kind::Bytes => Ok(Parts { derefs: true, ..scalar(quote!(&[u8]))? }),
            Kind::Message(target) => {
                let ty = field::message_type(schema, target.full_name(), place)?;
                let path = schema.path(place.modules, target.full_name(), place.flavor)?;
                let borrows = view && schema.borrows(target.full_name());
                let lifetime = borrows.then(|| quote!(<'a>));
                let runtime = &schema.runtime;
                Ok(Parts {
                    ty: quote!(&#ty),
                    default: quote!(<#path #lifetime as #runtime::DefaultInstance>::default_instance()),
                    is_message: true,
                    derefs: false,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RESERVED;

    /// The methods of the traits that generated messages have, as the runtime declares them.
    #[test]
    fn the_methods_of_the_traits_are_reserved() {
        let source = include_str!("../../../src/message.rs");
        let mut methods = vec!["clone".to_owned(), "default".to_owned()];
        for item in syn::parse_file(source).unwrap().items {
            let syn::Item::Trait(item) = item else { continue };
            if !["DefaultInstance", "Merge", "Message"].contains(&item.ident.to_string().as_str()) {
                continue;
            }
            methods.extend(item.items.iter().filter_map(|item| match item {
                syn::TraitItem::Fn(method) => Some(method.sig.ident.to_string()),
                _ => None,
            }));
        }
        methods.sort_unstable();
        assert_eq!(RESERVED, methods);
    }
}
