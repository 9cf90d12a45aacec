//! Generates the type of an enum: a newtype with associated constants, or a Rust enum.

use std::collections::{HashMap, HashSet};

use heck::ToShoutySnakeCase;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use tobu_schema::descriptor::EnumDescriptor;

use super::attributes::{self, Item, deprecated};
use super::schema::Schema;
use super::view::Flavor;
use super::{doc, stated};
use crate::config::{Config, EnumType};
use crate::error::Result;
use crate::names::{Scope, constant_name, ident, is_identifier, type_name, variant_proto_name};

pub(super) fn item(schema: &Schema<'_>, enumeration: &EnumDescriptor) -> Result<TokenStream> {
    let full_name = enumeration.full_name();
    let Some(known) = schema.name_of(full_name) else { return Ok(TokenStream::new()) };
    let name = ident(known.of(Flavor::Owned));
    let default_is_derived =
        is_rust_enum(schema.config(), enumeration) || enumeration.default_value().number() == 0;
    let doc = doc::comments(schema.config(), enumeration.full_name(), &enumeration.comments());
    let deprecated = deprecated(enumeration.is_deprecated());
    let attributes = attributes::of_type(schema, full_name, Item::Enum, Flavor::Owned, default_is_derived)?;
    let modules = &known.modules;
    let is_stated = stated::enumeration(schema, enumeration);
    let closed = stated::closed(enumeration).filter(|_| is_stated);
    let flags: Vec<_> = std::iter::once(quote!(conversions)).chain(closed).collect();
    let file = enumeration.file();
    let binding =
        attributes::binding(schema, modules, file.name(), "enumeration", full_name, is_stated, &flags);
    let body = match is_rust_enum(schema.config(), enumeration) {
        true => rust_enum(schema.config(), enumeration, &name),
        false => newtype(schema.config(), enumeration, &name),
    };
    let arbitrary = attributes::arbitrary(schema, &name, "enumeration", Flavor::Owned);
    Ok(quote!(#doc #deprecated #attributes #binding #body #arbitrary))
}

/// Returns a newtype, for an open or a closed enum, whose values are associated constants.
fn newtype(config: &Config, enumeration: &EnumDescriptor, name: &Ident) -> TokenStream {
    let names = value_names(config, enumeration);
    let values = enumeration.values().zip(&names).map(|(value, constant)| {
        let doc = doc::comments(config, enumeration.full_name(), &value.comments());
        let deprecated = deprecated(value.is_deprecated());
        let constant = ident(constant);
        let number = Literal::i32_unsuffixed(value.number());
        quote!(#doc #deprecated pub const #constant: Self = Self(#number);)
    });
    let first = enumeration.default_value();
    let default = (first.number() != 0).then(|| {
        let first = ident(&names[first.index()]);
        quote! {
            impl ::core::default::Default for #name {
                fn default() -> Self {
                    Self::#first
                }
            }
        }
    });
    quote! {
        #[repr(transparent)]
        pub struct #name(pub i32);

        impl #name {
            #(#values)*
        }
        #default
    }
}

/// Returns a Rust enum. If the schema's enum is open and members store the Rust enum, an additional variant holds the numbers
/// without a name. Further names of a number are constants.
fn rust_enum(config: &Config, enumeration: &EnumDescriptor, name: &Ident) -> TokenStream {
    let names = value_names(config, enumeration);
    let default = enumeration.default_value().number();
    // Members of the type `i32` also hold the numbers without a name, so the enum needs no variant for these numbers.
    let has_only_names = enumeration.is_closed() || is_number(config, enumeration);
    let (mut variants, mut aliases) = (Vec::new(), Vec::new());
    let mut by_number = HashMap::new();
    for (value, name) in enumeration.values().zip(&names) {
        let doc = doc::comments(config, enumeration.full_name(), &value.comments());
        let deprecated = deprecated(value.is_deprecated());
        let (number, name) = (value.number(), ident(name));
        if let Some(first) = by_number.get(&number) {
            aliases.push(quote!(#doc #deprecated pub const #name: Self = Self::#first;));
            continue;
        }
        let default = (number == default).then(|| quote!(#[default]));
        let attributes = quote!(#doc #deprecated #default);
        let has_its_name = variant_proto_name(&name.to_string()).to_uppercase() == value.name();
        let proto_name = (!has_its_name).then(|| value.name()).into_iter();
        let literal = Literal::i32_unsuffixed(number);
        variants.push(match has_only_names {
            true => quote!(#attributes #(#[tobu(name = #proto_name)])* #name = #literal),
            false => quote!(#attributes #[tobu(number = #literal #(, name = #proto_name)*)] #name),
        });
        by_number.insert(number, name);
    }
    let unknown = (!has_only_names).then(|| {
        let mut scope = Scope::default();
        names.iter().for_each(|name| {
            scope.claim(name.clone());
        });
        let name = ident(&scope.claim("Unknown".to_owned()));
        let doc = doc::line(&format!(
            "A number that the schema does not name. The decoder makes `{name}` only for such numbers, so `{name}({default})` matches no decoded value. Do not make it yourself."
        ));
        quote!(#doc #[tobu(unknown)] #name(i32),)
    });
    let aliases = (!aliases.is_empty()).then(|| quote!(impl #name { #(#aliases)* }));
    quote! {
        pub enum #name { #(#variants,)* #unknown }
        #aliases
    }
}

fn is_rust_enum(config: &Config, enumeration: &EnumDescriptor) -> bool {
    matches!(config.enum_types.get(enumeration.full_name()), Some(EnumType::Rust | EnumType::I32))
}

/// True if members of messages store the number of the enum's value, as an `i32`.
pub(super) fn is_number(config: &Config, enumeration: &EnumDescriptor) -> bool {
    config.enum_types.get(enumeration.full_name()) == Some(&EnumType::I32)
}

/// Returns the Rust names of the constants or variants for the values, in the order of the values.
pub(super) fn value_names(config: &Config, enumeration: &EnumDescriptor) -> Vec<String> {
    let constants = constants(config, enumeration);
    if !is_rust_enum(config, enumeration) {
        return constants;
    }
    let mut numbers = HashSet::new();
    let is_variant: Vec<bool> = enumeration.values().map(|value| numbers.insert(value.number())).collect();
    let mut scope = Scope::default();
    let mut names = vec![String::new(); constants.len()];
    // Variants take their names first, so that a constant with an equal name gets the underscore.
    for variants in [true, false] {
        for (index, constant) in
            constants.iter().enumerate().filter(|(index, _)| is_variant[*index] == variants)
        {
            let name = if variants { type_name(constant) } else { constant.clone() };
            names[index] = scope.claim(name);
        }
    }
    names
}

/// Returns the names of the constants, in the order of the values. If the settings say so, a name lacks the name of the enum,
/// unless the rest would equal another name or not be an identifier.
fn constants(config: &Config, enumeration: &EnumDescriptor) -> Vec<String> {
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
