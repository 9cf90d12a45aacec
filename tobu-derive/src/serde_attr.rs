//! Parses the `#[serde(...)]` attributes that change how serde sees a type: names, and skipped members.
//!
//! A user may derive serde's own traits instead of tobu's, so tobu must use the same names for members.

use crate::Derive;
use crate::attr::Place;
use crate::case::Rule;
use crate::errors::Errors;
use proc_macro2::{Span, TokenStream};
use syn::meta::ParseNestedMeta;
use syn::{Attribute, LitStr, Token};

/// The serde attributes of a container, a field or a variant.
#[derive(Default)]
pub(crate) struct SerdeAttrs {
    pub(crate) rename: Option<String>,
    pub(crate) rename_all: Option<Rule>,
    pub(crate) skip: bool,
}

pub(crate) fn parse(attrs: &[Attribute], derive: Derive, place: Place, errors: &mut Errors) -> SerdeAttrs {
    let mut out = SerdeAttrs::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        let mut half_skipped = None;
        let parsed = attr.parse_nested_meta(|meta| {
            let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            let span =
                meta.path.segments.first().map_or_else(Span::call_site, |segment| segment.ident.span());
            match &*key {
                "rename" => {
                    let name = both_ways(&meta)?;
                    if let Some(name) = name.iter().find(|name| name.value().contains('\0')) {
                        errors.at(name.span(), "a name cannot contain NUL");
                    }
                    out.rename = name.map(|name| name.value()).or(out.rename.take());
                }
                "rename_all" => {
                    if let Some(name) = both_ways(&meta)? {
                        out.rename_all = Some(Rule::parse(&name.value()).ok_or_else(|| {
                            let names: Vec<&str> = Rule::NAMES.iter().map(|(name, _)| *name).collect();
                            syn::Error::new(
                                name.span(),
                                format!("unknown case; write one of {}", names.join(", ")),
                            )
                        })?);
                    }
                }
                "skip" => out.skip = true,
                "skip_serializing" | "skip_deserializing" => match half_skipped.take() {
                    None => half_skipped = Some((span, key)),
                    Some(_) => out.skip = true,
                },
                "default" if derive == Derive::Deserialize && meta.input.peek(Token![=]) => {
                    errors.at(
                        span,
                        "`default = ...` is not known to `tobu::Deserialize`; a missing member is empty",
                    );
                    skip_argument(&meta)?;
                }
                _ => {
                    if let Some(message) = unsupported(&key, derive, place) {
                        errors.at(span, message);
                    }
                    skip_argument(&meta)?;
                }
            }
            Ok(())
        });
        errors.take(parsed);
        if let Some((span, key)) = half_skipped {
            errors.at(
                span,
                format!("a member is both serialized and deserialized, or neither: write `skip` instead of `{key}`"),
            );
        }
    }
    out
}

/// Parses `= "name"`, or `(serialize = "name", deserialize = "name")` with equal names.
fn both_ways(meta: &ParseNestedMeta<'_>) -> syn::Result<Option<LitStr>> {
    if meta.input.peek(Token![=]) {
        return meta.value()?.parse().map(Some);
    }
    let mut names: Vec<LitStr> = Vec::new();
    meta.parse_nested_meta(|inner| {
        names.push(inner.value()?.parse()?);
        Ok(())
    })?;
    match &names[..] {
        [one, other] if one.value() == other.value() => Ok(Some(one.clone())),
        _ => Err(meta
            .error("a member of a message has the same name for both directions: write `rename = \"...\"`")),
    }
}

/// Returns why tobu does not support an attribute of serde; `None` if tobu supports or ignores it.
fn unsupported(key: &str, derive: Derive, place: Place) -> Option<String> {
    if place == Place::Enumeration {
        // Conversions between an enumeration and its number do not depend on tobu, so every way that serde offers
        // works.
        return None;
    }
    match key {
        "flatten" => {
            Some("`flatten` is not supported: a message field is encoded as a message of its own".to_owned())
        }
        "transparent" | "tag" | "content" | "untagged" | "from" | "try_from" | "into" | "remote" => {
            Some(format!("`{key}` is not supported: serde must see the type as it is written"))
        }
        "with" | "serialize_with" | "getter" | "skip_serializing_if" if derive == Derive::Serialize => {
            Some(format!("`{key}` is not known to `tobu::Serialize`; derive `serde::Serialize` instead"))
        }
        "with" | "deserialize_with" | "alias" | "deny_unknown_fields" | "other"
            if derive == Derive::Deserialize =>
        {
            Some(format!("`{key}` is not known to `tobu::Deserialize`; derive `serde::Deserialize` instead"))
        }
        _ => None,
    }
}

fn skip_argument(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<syn::Expr>()?;
    } else if meta.input.peek(syn::token::Paren) {
        let content;
        syn::parenthesized!(content in meta.input);
        content.parse::<TokenStream>()?;
    }
    Ok(())
}
