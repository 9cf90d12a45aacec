//! Expands `derive(Row)`: a struct whose members are bound to fields by paths.

use crate::errors::Errors;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Data, DeriveInput, Expr, Fields, GenericParam, Ident, Lifetime, LifetimeParam, LitStr, Path,
    Type,
};

/// Expands the derive. After an error, returns the errors, and then impls that prevent further errors about missing
/// traits.
pub(crate) fn derive(input: &DeriveInput) -> TokenStream {
    let mut errors = Errors::default();
    let parsed = parse(input, &mut errors);
    let krate = parsed.as_ref().map_or_else(default_crate, |row| row.krate.clone());
    let body = match (errors.finish(), parsed) {
        (Ok(()), Some(row)) => expand(input, &row),
        (Ok(()), None) => TokenStream::new(),
        (Err(error), _) => {
            let (errors, fallback) = (error.into_compile_error(), fallback(input, &krate));
            quote!(#errors #fallback)
        }
    };
    quote! {
        #[doc(hidden)]
        #[allow(deprecated, unused_qualifications, non_upper_case_globals, clippy::all, clippy::pedantic)]
        const _: () = { #body };
    }
}

fn default_crate() -> Path {
    syn::parse_quote!(::tobu)
}

/// The struct and its parsed attributes.
struct Row {
    krate: Path,
    source: Option<Source>,
    /// The path of the message whose elements are rows.
    rows: String,
    members: Vec<Member>,
}

/// The message: its Rust type, or an expression for a descriptor and the message's full name.
enum Source {
    Type(Type),
    Named(Expr, LitStr),
}

struct Member {
    ident: Ident,
    ty: Type,
    path: LitStr,
}

#[derive(Default)]
struct ContainerAttrs {
    krate: Option<Path>,
    message: Option<Expr>,
    descriptor: Option<Expr>,
    rows: Option<LitStr>,
}

fn parse(input: &DeriveInput, errors: &mut Errors) -> Option<Row> {
    let attrs = container(&input.attrs, errors);
    let lifetimes = input.generics.lifetimes().count();
    if let Some(param) =
        input.generics.params.iter().find(|param| !matches!(param, GenericParam::Lifetime(_)))
    {
        errors.at(param.span(), "a row has no type parameters: the types of its members are known");
    }
    if lifetimes > 1 {
        errors.at(input.generics.span(), "a row has one lifetime at most: that of the input");
    }
    let fields = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => fields,
            other => {
                let span = if other.is_empty() { input.ident.span() } else { other.span() };
                errors.at(span, "a row is a struct with named members");
                return None;
            }
        },
        _ => {
            errors.at(input.ident.span(), "a row is a struct with named members");
            return None;
        }
    };
    let mut members = Vec::new();
    for field in &fields.named {
        let ident = field.ident.clone()?;
        if let Some(path) = path_of(&field.attrs, &ident, errors) {
            members.push(Member { ident, ty: field.ty.clone(), path });
        }
    }
    let rows = rows_of(&members, attrs.rows.as_ref(), errors);
    for (index, member) in members.iter().enumerate() {
        let path = member.path.value();
        if let Some(other) = members[..index].iter().find(|other| other.path.value() == path) {
            errors.at(member.path.span(), format!("`{}` has this path, too", other.ident));
        }
    }
    let source = source(&attrs, errors);
    Some(Row { krate: attrs.krate.unwrap_or_else(default_crate), source, rows, members })
}

fn source(attrs: &ContainerAttrs, errors: &mut Errors) -> Option<Source> {
    let message = match (&attrs.message, &attrs.descriptor) {
        (None, None) => return None,
        (None, Some(descriptor)) => {
            errors.at(
                descriptor.span(),
                "`descriptor` needs the name of the message: `message = \"pkg.Message\"`",
            );
            return None;
        }
        (Some(message), _) => message,
    };
    match (as_text(message), &attrs.descriptor) {
        (Some(name), Some(descriptor)) => Some(Source::Named(descriptor.clone(), name)),
        (Some(name), None) => {
            let text = "a message that is given by its name needs `descriptor = ...`; or write its type";
            errors.at(name.span(), text);
            None
        }
        (None, Some(descriptor)) => {
            errors.at(descriptor.span(), "a type knows its descriptor: leave `descriptor` out");
            None
        }
        (None, None) => match syn::parse2(message.to_token_stream()) {
            Ok(ty) => Some(Source::Type(ty)),
            Err(_) => {
                errors.at(message.span(), "`message` is the type of a message");
                None
            }
        },
    }
}

fn as_text(expr: &Expr) -> Option<LitStr> {
    match expr {
        Expr::Lit(literal) => match &literal.lit {
            syn::Lit::Str(text) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn container(attrs: &[Attribute], errors: &mut Errors) -> ContainerAttrs {
    let mut found = ContainerAttrs::default();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("tobu")) {
        let parsed = attr.parse_nested_meta(|meta| {
            let name = meta.path.get_ident().map(Ident::to_string).unwrap_or_default();
            let twice = match &*name {
                "message" => found.message.replace(meta.value()?.parse()?).is_some(),
                "descriptor" => found.descriptor.replace(meta.value()?.parse()?).is_some(),
                "rows" => found.rows.replace(meta.value()?.parse()?).is_some(),
                "crate" => {
                    let path: LitStr = meta.value()?.parse()?;
                    found.krate.replace(path.parse()?).is_some()
                }
                _ => return Err(meta.error("a row takes `message`, `descriptor`, `rows` and `crate`")),
            };
            if twice { Err(meta.error(format!("`{name}` is given twice"))) } else { Ok(()) }
        });
        errors.take(parsed);
    }
    found
}

/// Returns the path in the attribute of a member.
fn path_of(attrs: &[Attribute], ident: &Ident, errors: &mut Errors) -> Option<LitStr> {
    let (mut path, mut has_error) = (None::<LitStr>, false);
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("tobu")) {
        let parsed = attr.parse_nested_meta(|meta| {
            if !meta.path.is_ident("path") {
                return Err(meta.error("a member of a row takes `path`"));
            }
            match path.replace(meta.value()?.parse()?) {
                None => Ok(()),
                Some(_) => Err(meta.error("`path` is given twice")),
            }
        });
        has_error |= errors.take(parsed).is_none();
    }
    match &path {
        None if !has_error => {
            errors.at(
                ident.span(),
                "a member needs the path of its field: `#[tobu(path = \"books[].title\")]`",
            );
        }
        Some(path) => {
            if let Err(message) = check_path(&path.value()) {
                errors.at(path.span(), message);
                return None;
            }
        }
        None => {}
    }
    path
}

/// Checks the syntax of a path. The runtime parses the path later.
fn check_path(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("the path is empty");
    }
    for step in steps(path) {
        let name = match step.strip_prefix('[').filter(|_| !step.starts_with("[]")) {
            Some(inside) => match inside.split_once(']') {
                Some((name, "" | "[]")) => name,
                Some(_) => return Err("the path has no dot between two steps"),
                None => return Err("the path has a bracket that is not closed"),
            },
            None => {
                let name = step.strip_suffix("[]").unwrap_or(step);
                if name.contains(['[', ']']) {
                    return Err("a repeated field is written with `[]`, without an index");
                }
                name
            }
        };
        if name.is_empty() {
            return Err("the path has a step without a name");
        }
    }
    Ok(())
}

/// Splits a path into its steps. A dot in brackets does not end a step, because it belongs to the name of an
/// extension.
fn steps(path: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    path.split(move |c| {
        match c {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        c == '.' && depth == 0
    })
}

/// Returns the start of a path, up to the last repeated message before the field.
fn way(path: &str) -> &str {
    let (mut end, mut at) = (0, 0);
    for step in steps(path) {
        at += step.len();
        if step.ends_with("[]") && at < path.len() {
            end = at;
        }
        at += 1;
    }
    &path[..end]
}

/// True if `path` starts with the steps of `way`.
fn leads(way: &str, path: &str) -> bool {
    way.is_empty() || path.strip_prefix(way).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the path of the repeated message whose elements are rows: the path in the attribute `rows`, or else the longest path
/// of a repeated message in the members' paths.
fn rows_of(members: &[Member], given: Option<&LitStr>, errors: &mut Errors) -> String {
    let longest = members.iter().map(|member| way(&member.path.value()).to_owned()).max_by_key(String::len);
    let rows = match given {
        Some(rows) => {
            let text = rows.value();
            if let Err(message) = check_path(&text) {
                errors.at(rows.span(), message);
                return text;
            }
            if !text.ends_with("[]") {
                errors
                    .at(rows.span(), "the elements of a repeated message are rows: its path ends with `[]`");
            }
            text
        }
        None => longest.unwrap_or_default(),
    };
    for member in members {
        let path = member.path.value();
        let way = way(&path);
        if !leads(way, &rows) {
            let text =
                format!("rows are the elements of `{rows}`, which are not inside the elements of `{way}`");
            errors.at(member.path.span(), text);
        }
    }
    rows
}

/// Returns the generics of the impl, and the lifetime of the input.
fn lifetimes(input: &DeriveInput) -> (TokenStream, Lifetime) {
    match input.generics.lifetimes().next() {
        Some(param) => (input.generics.params.to_token_stream(), param.lifetime.clone()),
        None => {
            let lifetime = Lifetime::new("'__input", Span::call_site());
            (LifetimeParam::new(lifetime.clone()).to_token_stream(), lifetime)
        }
    }
}

fn expand(input: &DeriveInput, row: &Row) -> TokenStream {
    let krate = &row.krate;
    let derived = quote!(#krate::sink::derived);
    let ident = &input.ident;
    let (_, ty_generics, where_clause) = input.generics.split_for_impl();
    let (params, lifetime) = lifetimes(input);
    let (name, rows) = (ident.to_string(), &row.rows);
    let idents: Vec<&Ident> = row.members.iter().map(|member| &member.ident).collect();
    let types: Vec<&Type> = row.members.iter().map(|member| &member.ty).collect();
    let value = quote!(#krate::sink::Value<#lifetime>);
    let indices = 0..row.members.len() as u32;
    let (puts, resets) = (indices.clone(), indices);
    let shapes = row.members.iter().map(|member| {
        let Member { ident, ty, path } = member;
        let (name, text) = (plain(ident), type_text(ty));
        let call = quote!(#derived::Member::new::<#ty>(#name, #path, #text));
        respan(call, ty.span())
    });
    let names = row.members.iter().map(|member| format!("{name}.{}", plain(&member.ident)));
    let taken = row.members.iter().map(|member| {
        let Member { ident, ty, path } = member;
        match way(&path.value()) == *rows {
            true => quote!(#ident: ::core::mem::replace(&mut self.#ident, <#ty as #value>::empty())),
            // The value also belongs to the next rows, so each row gets a clone.
            false => quote!(#ident: ::core::clone::Clone::clone(&self.#ident)),
        }
    });
    let known = row.source.as_ref().map(|source| {
        let descriptor = match source {
            Source::Type(ty) => quote!(::core::result::Result::Ok(<#ty as #krate::Message>::descriptor())),
            Source::Named(expr, name) => quote!(#krate::__private::bind_message(#expr, #name)),
        };
        quote! {
            #[automatically_derived]
            impl<#params> #krate::sink::KnownRow<#lifetime> for #ident #ty_generics #where_clause {
                fn plan() -> #krate::Result<&'static #krate::sink::RowPlan> {
                    static PLAN: #derived::PlanSlot = #derived::PlanSlot::new();
                    PLAN.get::<Self>(|| #descriptor)
                }
            }
        }
    });
    quote! {
        #[automatically_derived]
        impl<#params> #krate::sink::Row<#lifetime> for #ident #ty_generics #where_clause {
            const NAME: &'static ::core::primitive::str = #name;
            const ROWS: &'static ::core::primitive::str = #rows;
            const MEMBERS: &'static [#derived::Member] = &[#(#shapes),*];

            #[inline]
            fn empty() -> Self {
                #ident { #(#idents: <#types as #value>::empty(),)* }
            }

            #[inline(always)]
            fn put(
                &mut self,
                member: ::core::primitive::u32,
                value: #derived::Scalar<#lifetime>,
                shared: ::core::option::Option<&#lifetime #derived::Bytes>,
            ) -> #krate::sink::Flow {
                match member {
                    #(#puts => #derived::put(&mut self.#idents, value, shared, #names),)*
                    _ => ::core::result::Result::Ok(()),
                }
            }

            fn reset(&mut self, member: ::core::primitive::u32) {
                match member {
                    #(#resets => self.#idents = <#types as #value>::empty(),)*
                    _ => {}
                }
            }

            #[inline(always)]
            fn take(&mut self) -> Self {
                #ident { #(#taken,)* }
            }
        }
        #known
    }
}

/// Returns the name of a member, without `r#`.
fn plain(ident: &Ident) -> String {
    use syn::ext::IdentExt as _;
    ident.unraw().to_string()
}

/// Returns a type as source text, for errors.
fn type_text(ty: &Type) -> String {
    let mut text = String::new();
    add_text(ty.to_token_stream(), &mut text);
    text
}

fn add_text(tokens: TokenStream, text: &mut String) {
    for token in tokens {
        if let TokenTree::Group(group) = &token
            && group.delimiter() == Delimiter::None
        {
            // A `macro_rules` macro put the tokens into an invisible group.
            add_text(group.stream(), text);
            continue;
        }
        let token = token.to_string();
        let apart = text.ends_with(|c: char| c.is_alphanumeric() || c == ',')
            && token.starts_with(|c: char| c.is_alphanumeric() || c == '&');
        if apart {
            text.push(' ');
        }
        text.push_str(&token);
    }
}

/// Gives tokens the span of a type, so that errors point at the type.
fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let at = |mut token: TokenTree| {
        if let TokenTree::Group(group) = &token {
            let mut whole = Group::new(group.delimiter(), respan(group.stream(), span));
            whole.set_span(span.resolved_at(group.span()));
            return TokenTree::Group(whole);
        }
        token.set_span(span.resolved_at(token.span()));
        token
    };
    tokens.into_iter().map(at).collect()
}

/// Returns the impls that replace the real ones after an error.
fn fallback(input: &DeriveInput, krate: &Path) -> TokenStream {
    let derived = quote!(#krate::sink::derived);
    let ident = &input.ident;
    let (_, ty_generics, where_clause) = input.generics.split_for_impl();
    let (mut generics, lifetime) = (input.generics.clone(), lifetimes(input).1);
    if input.generics.lifetimes().next().is_none() {
        generics.params.insert(0, GenericParam::Lifetime(LifetimeParam::new(lifetime.clone())));
    }
    let (impl_generics, _, _) = generics.split_for_impl();
    let never = quote!(::core::unreachable!());
    quote! {
        impl #impl_generics #krate::sink::Row<#lifetime> for #ident #ty_generics #where_clause {
            const NAME: &'static ::core::primitive::str = "";
            const ROWS: &'static ::core::primitive::str = "";
            const MEMBERS: &'static [#derived::Member] = &[];
            fn empty() -> Self { #never }
            fn put(
                &mut self,
                _: ::core::primitive::u32,
                _: #derived::Scalar<#lifetime>,
                _: ::core::option::Option<&#lifetime #derived::Bytes>,
            ) -> #krate::sink::Flow { #never }
            fn reset(&mut self, _: ::core::primitive::u32) { #never }
            fn take(&mut self) -> Self { #never }
        }
        impl #impl_generics #krate::sink::KnownRow<#lifetime> for #ident #ty_generics #where_clause {
            fn plan() -> #krate::Result<&'static #krate::sink::RowPlan> { #never }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_of_a_path() {
        let rows = [
            ("a", ""),
            ("a[]", ""),
            ("a[].b", "a[]"),
            ("a[].b.c[].d.e[]", "a[].b.c[]"),
            ("a.[p.x][].b", "a.[p.x][]"),
            ("[p.x][]", ""),
        ];
        for (path, expected) in rows {
            assert_eq!(way(path), expected, "{path}");
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
    }
}
