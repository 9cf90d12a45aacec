//! Generates the derives of types, their bindings to the schema, and attributes from settings.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Attribute;
use syn::parse::Parser as _;

use super::schema::Schema;
use super::view::Flavor;
use crate::error::{Error, Result};
use crate::names::ident;
use crate::paths::PathMap;

/// The kinds of generated types to which attributes apply.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Item {
    Message,
    Oneof,
    Enum,
}

pub(super) fn of_type(
    schema: &Schema<'_>,
    full_name: &str,
    item: Item,
    flavor: Flavor,
    default: bool,
) -> Result<TokenStream> {
    let config = schema.config();
    let runtime = &schema.runtime;
    let mut derives = vec![quote!(Clone)];
    if item == Item::Enum || (flavor == Flavor::Owned && schema.lacking.has_copy(schema, full_name, item)) {
        derives.push(quote!(Copy));
    }
    if default {
        derives.push(quote!(Default));
    }
    if item == Item::Enum {
        derives.extend([quote!(PartialEq), quote!(Eq), quote!(PartialOrd), quote!(Ord), quote!(Hash)]);
    } else if config.skip_partial_eq.get(full_name).is_none() {
        derives.push(quote!(PartialEq));
        if flavor == Flavor::Owned && schema.lacking.has_eq_hash(schema, full_name) {
            derives.extend([quote!(Eq), quote!(Hash)]);
            if config.derive_ord {
                derives.extend([quote!(PartialOrd), quote!(Ord)]);
            }
        }
    }
    derives.push(match item {
        Item::Message => quote!(#runtime::Message),
        Item::Oneof => quote!(#runtime::Oneof),
        Item::Enum => quote!(#runtime::Enumeration),
    });
    if config.skip_debug.get(full_name).is_none() {
        derives.push(quote!(#runtime::Debug));
    }
    // Serde's own derive would write an enum by its variant name, so enums have tobu's derive, which writes numbers.
    let serde = config.serde_derives && item != Item::Enum;
    let serde_path = if serde { quote!(::serde) } else { quote!(#runtime) };
    derives.extend([quote!(#serde_path::Serialize), quote!(#serde_path::Deserialize)]);
    let serde_default = (serde && item == Item::Message).then(|| quote!(#[serde(default)]));
    let crate_path = (config.runtime != "::tobu").then(|| {
        let path = &config.runtime;
        quote!(#[tobu(crate = #path)])
    });
    let special = match item {
        Item::Message => &config.message_attributes,
        Item::Oneof => &config.oneof_attributes,
        Item::Enum => &config.enum_attributes,
    };
    let general = given(&config.type_attributes, [full_name])?;
    let special = given(special, [full_name])?;
    Ok(quote! {
        #[derive(#(#derives),*)]
        #serde_default
        #crate_path
        #general
        #special
    })
}

/// Generates the implementation of `Arbitrary` for a type, if the settings require it. The implementation calls the function
/// `make`.
pub(super) fn arbitrary(
    schema: &Schema<'_>,
    name: &Ident,
    make: &str,
    flavor: Flavor,
) -> Option<TokenStream> {
    let (runtime, make) = (&schema.runtime, ident(make));
    (schema.config().arbitrary && flavor == Flavor::Owned).then(|| {
        quote! {
            impl<'a> #runtime::arbitrary::Arbitrary<'a> for #name {
                fn arbitrary(
                    input: &mut #runtime::arbitrary::Unstructured<'a>,
                ) -> #runtime::arbitrary::Result<Self> {
                    #runtime::arbitrary::#make(input)
                }
            }
        }
    })
}

/// Generates the attributes of a member or a variant from settings.
pub(super) fn of_field(schema: &Schema<'_>, full_name: &str) -> Result<TokenStream> {
    given(&schema.config().field_attributes, [full_name])
}

/// Generates the attribute that binds a type to its descriptor. `key` is `message` or `enumeration`, and `flags` are further
/// arguments of the attribute.
pub(super) fn binding(
    schema: &Schema<'_>,
    modules: &[String],
    file: &str,
    key: &str,
    full_name: &str,
    is_stated: bool,
    flags: &[TokenStream],
) -> TokenStream {
    let descriptor = schema.static_path(modules, file);
    let key = ident(key);
    let stated = is_stated.then(|| {
        let slot = schema.slot_path(modules, file);
        quote!(stated = #slot,)
    });
    quote!(#[tobu(descriptor = #descriptor, #stated #key = #full_name #(, #flags)*)])
}

/// True if settings add `tobu` attributes to a type or a field, which may change its meaning.
pub(super) fn has_own(schema: &Schema<'_>, full_name: &str, item: Option<Item>) -> bool {
    let config = schema.config();
    let (first, second) = match item {
        None => (&config.field_attributes, None),
        Some(Item::Message) => (&config.type_attributes, Some(&config.message_attributes)),
        Some(Item::Oneof) => (&config.type_attributes, Some(&config.oneof_attributes)),
        Some(Item::Enum) => (&config.type_attributes, Some(&config.enum_attributes)),
    };
    std::iter::once(first)
        .chain(second)
        .any(|attributes| attributes.all([full_name]).any(|text| text.contains("tobu")))
}

pub(super) fn deprecated(is_deprecated: bool) -> Option<TokenStream> {
    is_deprecated.then(|| quote!(#[deprecated]))
}

/// Generates the attributes that settings add to an element with one of these full names.
pub(super) fn given<const N: usize>(
    attributes: &PathMap<String>,
    full_names: [&str; N],
) -> Result<TokenStream> {
    let mut tokens = TokenStream::new();
    for text in attributes.all(full_names) {
        let attributes = Attribute::parse_outer
            .parse_str(text)
            .map_err(|error| Error::option("the attribute", text, error))?;
        tokens.extend(quote!(#(#attributes)*));
    }
    Ok(tokens)
}
