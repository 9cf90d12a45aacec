//! Generates default values as expressions.

use proc_macro2::{Literal, TokenStream};
use quote::quote;
use tobu_schema::descriptor::{DefaultValue, EnumDescriptor, FieldDescriptor, Kind};

use super::enumeration;
use super::field::Context;
use super::schema::Schema;
use crate::error::Result;
use crate::names::ident;

/// Returns the default value of a scalar or enum field, even if the schema declares none.
pub(super) fn default(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    context: Context<'_>,
) -> Result<TokenStream> {
    Ok(match (field.default(), field.kind()) {
        (declared, Kind::Enum(target)) => {
            let number = match declared {
                Some(DefaultValue::Enum(number)) => Some(*number),
                _ => None,
            };
            enum_value(schema, &target, number, context)?
        }
        (Some(value), _) => literal(value),
        (None, Kind::Bool) => quote!(false),
        (None, Kind::String) => quote!(""),
        (None, Kind::Bytes) => quote!(b""),
        (None, Kind::Double | Kind::Float) => quote!(0.0),
        (None, _) => quote!(0),
    })
}

fn enum_value(
    schema: &Schema<'_>,
    target: &EnumDescriptor,
    number: Option<i32>,
    context: Context<'_>,
) -> Result<TokenStream> {
    let path = schema.path(context.modules, target.full_name(), context.flavor)?;
    if schema.name_of(target.full_name()).is_some() {
        let value = number
            .and_then(|number| target.value_by_number(number))
            .unwrap_or_else(|| target.default_value());
        let constant = ident(&enumeration::value_names(schema.config(), target)[value.index()]);
        return Ok(quote!(#path::#constant));
    }
    Ok(match number {
        Some(number) => {
            let number = Literal::i32_unsuffixed(number);
            let from_number = from_number(schema, &path);
            quote!(#from_number(#number).unwrap_or_default())
        }
        None => quote!(<#path as ::core::default::Default>::default()),
    })
}

/// Returns the number that an enum field has while it is not set.
pub(super) fn number_of_enum(field: &FieldDescriptor, target: &EnumDescriptor) -> TokenStream {
    let value = match field.default() {
        Some(DefaultValue::Enum(value)) => *value,
        _ => target.default_value().number(),
    };
    number(Literal::i32_unsuffixed(value))
}

/// Returns the path of the function that converts the number of an enum to an option of the enum.
pub(super) fn from_number(schema: &Schema<'_>, path: &TokenStream) -> TokenStream {
    let runtime = &schema.runtime;
    quote!(<#path as #runtime::Enumeration>::from_number)
}

/// Returns the default value that the schema declares for a scalar or enum field, in the syntax of the attribute
/// `default`.
pub(super) fn attribute(field: &FieldDescriptor) -> Option<TokenStream> {
    let special = |value: f64| {
        if value.is_nan() {
            "nan"
        } else if value < 0.0 {
            "-inf"
        } else {
            "inf"
        }
    };
    Some(match field.default()? {
        DefaultValue::F32(value) if !value.is_finite() => {
            let text = special(f64::from(*value));
            quote!(#text)
        }
        DefaultValue::F64(value) if !value.is_finite() => {
            let text = special(*value);
            quote!(#text)
        }
        DefaultValue::Enum(number) => {
            let target = field.enum_type()?;
            let value = target.value_by_number(*number)?;
            let name = value.name();
            quote!(#name)
        }
        value => literal(value),
    })
}

fn literal(value: &DefaultValue) -> TokenStream {
    match value {
        DefaultValue::Bool(value) => quote!(#value),
        DefaultValue::I32(value) => number(Literal::i32_unsuffixed(*value)),
        DefaultValue::I64(value) => number(Literal::i64_unsuffixed(*value)),
        DefaultValue::U32(value) => number(Literal::u32_unsuffixed(*value)),
        DefaultValue::U64(value) => number(Literal::u64_unsuffixed(*value)),
        DefaultValue::F32(value) if value.is_finite() => number(Literal::f32_unsuffixed(*value)),
        DefaultValue::F32(value) => special(quote!(::core::primitive::f32), f64::from(*value)),
        DefaultValue::F64(value) if value.is_finite() => number(Literal::f64_unsuffixed(*value)),
        DefaultValue::F64(value) => special(quote!(::core::primitive::f64), *value),
        DefaultValue::String(value) => {
            let value: &str = value;
            quote!(#value)
        }
        DefaultValue::Bytes(value) => {
            let value = Literal::byte_string(value);
            quote!(#value)
        }
        _ => quote!(::core::default::Default::default()),
    }
}

fn number(literal: Literal) -> TokenStream {
    quote!(#literal)
}

fn special(ty: TokenStream, value: f64) -> TokenStream {
    if value.is_nan() {
        quote!(#ty::NAN)
    } else if value > 0.0 {
        quote!(#ty::INFINITY)
    } else {
        quote!(#ty::NEG_INFINITY)
    }
}
