//! The newtype of an enum, open or closed, and its associated constants.

use std::collections::HashMap;

use heck::ToShoutySnakeCase;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use tobu::descriptor::EnumDescriptor;

use super::attributes::{self, Item};
use super::doc;
use super::schema::Schema;
use super::view::Flavor;
use crate::config::Config;
use crate::error::Result;
use crate::names::{Scope, constant_name, ident, is_identifier};

/// The newtype of an enum.
pub(super) fn item(schema: &Schema<'_>, enumeration: &EnumDescriptor) -> Result<TokenStream> {
    let full_name = enumeration.full_name();
    let Some(known) = schema.name_of(full_name) else { return Ok(TokenStream::new()) };
    let config = schema.config();
    let doc = doc::comments(config, &enumeration.comments());
    let name = ident(known.of(Flavor::Owned));
    let constants = constants(config, enumeration);
    let default_is_zero = enumeration.default_value().number() == 0;
    let attributes = attributes::of_type(schema, full_name, Item::Enum, default_is_zero)?;
    let binding = attributes::binding(
        schema,
        &known.modules,
        enumeration.file().name(),
        "enumeration",
        full_name,
        false,
    );
    let values = enumeration.values().zip(&constants).map(|(value, constant)| {
        let doc = doc::comments(config, &value.comments());
        let constant = ident(constant);
        let number = Literal::i32_unsuffixed(value.number());
        quote!(#doc pub const #constant: Self = Self(#number);)
    });
    let default = (!default_is_zero).then(|| {
        let first = ident(&constants[enumeration.default_value().index()]);
        quote! {
            impl ::core::default::Default for #name {
                fn default() -> Self {
                    Self::#first
                }
            }
        }
    });
    Ok(quote! {
        #doc
        #attributes
        #binding
        #[repr(transparent)]
        pub struct #name(pub i32);

        impl #name {
            #(#values)*
        }
        #default
    })
}

/// The names of the constants, in the order of the values: without the name of the enum, unless two would then be the
/// same or one would be no identifier.
pub(super) fn constants(config: &Config, enumeration: &EnumDescriptor) -> Vec<String> {
    let values: Vec<_> = enumeration.values().collect();
    let prefix = format!("{}_", enumeration.name().to_shouty_snake_case());
    let full: Vec<String> = values.iter().map(|value| constant_name(value.name())).collect();
    let mut short = full.clone();
    if config.strip_enum_prefix {
        for (name, value) in short.iter_mut().zip(&values) {
            if let Some(rest) = name.strip_prefix(&prefix)
                && is_identifier(rest)
            {
                *name = if rest.eq_ignore_ascii_case("self") {
                    constant_name(value.name())
                } else {
                    rest.to_owned()
                };
            }
        }
        loop {
            let mut counts: HashMap<&str, usize> = HashMap::new();
            short.iter().for_each(|name| *counts.entry(name).or_default() += 1);
            let clashes: Vec<_> =
                (0..short.len()).filter(|&i| counts[short[i].as_str()] > 1 && short[i] != full[i]).collect();
            if clashes.is_empty() {
                break;
            }
            clashes.into_iter().for_each(|i| short[i].clone_from(&full[i]));
        }
    }
    let mut scope = Scope::default();
    short.into_iter().map(|name| scope.claim(name)).collect()
}
