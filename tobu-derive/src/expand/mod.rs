//! Expands the derives: one file for each derive, and the code that they share.

mod debug;
mod deserialize;
mod enumeration;
mod message;
mod names;
mod oneof;
mod presence;
mod serialize;
#[cfg(test)]
mod tests;

use crate::ast::{self, Container, Input};
use crate::attr::{FieldAttrs, Kind};
use crate::errors::{Errors, Spanned};
use crate::{Derive, fallback, valid};
use names::Names;
use proc_macro2::{Group, Span, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::spanned::Spanned as _;
use syn::visit_mut::VisitMut;
use syn::{DeriveInput, Expr, Generics, Lifetime, LifetimeParam, Path, Type};

/// Expands one derive. After an error, returns the errors, and then impls that prevent further errors about missing
/// traits.
pub(crate) fn derive(derive: Derive, input: &DeriveInput) -> TokenStream {
    match try_derive(derive, input) {
        Ok(tokens) => tokens,
        Err(error) => {
            let errors = error.into_compile_error();
            let fallback = fallback::expand(derive, input);
            quote!(#errors #fallback)
        }
    }
}

fn try_derive(derive: Derive, input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut errors = Errors::default();
    let parsed = ast::parse(derive, input, &mut errors);
    if let Some(parsed) = &parsed {
        valid::validate(derive, parsed, &mut errors);
    }
    errors.finish()?;
    let Some(parsed) = parsed else { return Ok(TokenStream::new()) };
    let (body, extra) = match (derive, &parsed) {
        (Derive::Message, Input::Message(message)) => (message::expand(message), None),
        (Derive::Oneof, Input::Oneof(oneof)) => (oneof::expand(oneof), None),
        (Derive::Enumeration, Input::Enumeration(enumeration)) => {
            (enumeration::expand(enumeration), enumeration::constants(enumeration))
        }
        (Derive::Debug, _) => (debug::expand(&parsed), None),
        (Derive::Serialize, _) => (serialize::expand(&parsed), None),
        (Derive::Deserialize, _) => (deserialize::expand(&parsed), None),
        _ => return Ok(TokenStream::new()),
    };
    Ok(quote! {
        #[doc(hidden)]
        #[allow(deprecated, unused_labels, unused_qualifications, non_upper_case_globals, clippy::all, clippy::pedantic)]
        const _: () = { #body };
        #extra
    })
}

/// Returns the path from derived code to the runtime.
pub(crate) fn private(krate: &Path) -> TokenStream {
    quote!(#krate::__private)
}

/// Returns the generics of the type, preceded by the lifetime `'__de`, which outlives everything that the type borrows.
pub(crate) fn deserialize_generics<'t>(
    generics: &Generics,
    types: impl Iterator<Item = &'t Type>,
) -> Generics {
    let mut out = generics.clone();
    let mut de = LifetimeParam::new(syn::parse_quote!('__de));
    de.bounds.extend(generics.lifetimes().map(|param| param.lifetime.clone()));
    for ty in types {
        FindStatic(&mut de).visit_type_mut(&mut ty.clone());
    }
    out.params.insert(0, syn::GenericParam::Lifetime(de));
    out
}

/// Returns the impl that says that a type may be filled from an input that outlives everything that the members borrow.
/// The compiler checks this for each member, because an alias may hide lifetimes.
fn filled_from<'t>(
    container: &Container,
    types: impl Iterator<Item = &'t Type>,
    checks: &TokenStream,
) -> TokenStream {
    let p = private(&container.krate);
    let ident = &container.ident;
    let generics = deserialize_generics(&container.generics, types);
    let (impl_generics, _, _) = generics.split_for_impl();
    let (_, ty_generics, where_clause) = container.generics.split_for_impl();
    let check = (!checks.is_empty()).then(|| {
        quote! {
            #[allow(dead_code)]
            fn filled_from #impl_generics () #where_clause {
                #[allow(unused_imports)]
                use #p::Unfilled as _;
                #checks
            }
        }
    });
    quote! {
        // SAFETY: each member may be filled from an input with the lifetime `'__de`. Otherwise the function `filled_from`
        // or the shape does not compile, because they require this of each member.
        #[automatically_derived]
        unsafe impl #impl_generics #p::FilledFrom<'__de> for #ident #ty_generics #where_clause {}
        #check
    }
}

/// True for a type that borrows nothing, as far as the macro can see. An alias may hide a lifetime.
fn is_owned<'t>(container: &Container, types: impl Iterator<Item = &'t Type>) -> bool {
    let generics = deserialize_generics(&container.generics, types);
    let mut lifetimes = generics.lifetimes();
    // The first lifetime is the lifetime of the input. It has no bounds if the type borrows nothing.
    lifetimes.next().is_some_and(|input| input.bounds.is_empty()) && lifetimes.next().is_none()
}

/// Bounds the lifetime of the input by `'static` if a type contains `'static`, because the type may borrow from the input for
/// `'static`.
struct FindStatic<'a>(&'a mut LifetimeParam);

impl VisitMut for FindStatic<'_> {
    fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
        if lifetime.ident == "static" && !self.0.bounds.iter().any(|bound| bound.ident == "static") {
            self.0.bounds.push(lifetime.clone());
        }
    }
}

impl Container {
    fn schema(
        &self,
        bind: &TokenStream,
        declare: &TokenStream,
        bound_name: Option<&str>,
        names: &mut Names,
    ) -> TokenStream {
        let p = private(&self.krate);
        let slot = self.attrs.stated.as_ref().and_then(|stated| stated.value.as_ref());
        let name = bound_name.unwrap_or_default();
        match (&self.attrs.descriptor, slot) {
            (Some(_), Some(slot)) => {
                let name = names.add(name);
                quote!(#p::Schema::Stated(#p::InStatic::new(&#slot), #p::Name(#name)))
            }
            (Some(descriptor), None) => {
                let descriptor = &descriptor.value;
                match descriptor {
                    // A static is data. A closure instead would be compiled for each type.
                    Expr::Path(_) => {
                        quote!(#p::Schema::Bound(&const { #p::Binding { source: &#descriptor, full_name: #name } }))
                    }
                    _ => quote!(#p::Schema::Given(|| #bind(&#descriptor, #name))),
                }
            }
            (None, _) => {
                let package = self.attrs.package.as_ref().map_or("", |package| &package.value);
                let name =
                    self.attrs.name.as_ref().map_or_else(|| self.rust_name(), |name| name.value.clone());
                quote! {
                    #p::Schema::Declared(&#p::Declaration { package: #package, name: #name, declare: #declare })
                }
            }
        }
    }

    /// Returns the function that registers the file of the type; `None` if the attributes do not declare the schema.
    fn register(&self) -> Option<TokenStream> {
        let descriptor = &self.attrs.stated.as_ref().and(self.attrs.descriptor.as_ref())?.value;
        Some(quote! {
            #[inline]
            fn register() {
                #descriptor.register();
            }
        })
    }

    fn declared_name(&self) -> String {
        let name = self.attrs.name.as_ref().map_or_else(|| self.rust_name(), |name| name.value.clone());
        match &self.attrs.package {
            Some(package) if !package.value.is_empty() => format!("{}.{name}", package.value),
            _ => name,
        }
    }

    fn rust_name(&self) -> String {
        syn::ext::IdentExt::unraw(&self.ident).to_string()
    }
}

/// Returns `Extra { ... }` for a member or variant: everything except its type, number and name. Most members need none.
fn extra(
    container: &Container,
    index: usize,
    serde_name: Option<&str>,
    ty: &Type,
    attrs: &FieldAttrs,
) -> Option<TokenStream> {
    let p = &private(&container.krate);
    let attributes = attributes(container, &static_type(ty), attrs);
    if serde_name.is_none() && attributes.is_none() {
        return None;
    }
    let index = u32::try_from(index).expect("a type does not have so many members");
    let (serde_name, set) = (option(serde_name), attributes.unwrap_or_default());
    Some(quote! {
        #p::Extra {
            index: #index,
            serde_name: #serde_name,
            attributes: #p::Attributes { #set ..#p::Attributes::NONE },
        }
    })
}

/// Returns `.extras(&[...])`, if the list is not empty.
fn extras(extras: &[TokenStream]) -> Option<TokenStream> {
    (!extras.is_empty()).then(|| quote!(.extras(&const { [#(#extras),*] })))
}

/// Returns the members of `Attributes` for a field: everything that the Rust type does not determine. Returns `None` if
/// there is nothing. All lifetimes in `ty` are `'static`.
fn attributes(container: &Container, ty: &Type, attrs: &FieldAttrs) -> Option<TokenStream> {
    let p = &private(&container.krate);
    let mut set = TokenStream::new();
    let mut add = |name: &str, value: TokenStream| {
        let name = quote::format_ident!("{name}");
        set.extend(quote!(#name: #value,));
    };
    if attrs.kind.is_some() {
        add("kind", wire_kind(p, &attrs.kind));
    }
    if attrs.key.is_some() {
        add("key", wire_kind(p, &attrs.key));
    }
    if let Some(name) = &attrs.json_name {
        add("json_name", option(Some(&name.value)));
    }
    if let Some(packed) = &attrs.packed {
        add("packed", option(Some(packed.value)));
    }
    if let Some(default) = &attrs.default {
        add("default", option(Some(&default.value)));
    }
    if attrs.required.is_some() {
        add("required", quote!(true));
    }
    if attrs.delimited.is_some() {
        add("delimited", quote!(true));
    }
    if attrs.group {
        add("group", quote!(true));
    }
    if attrs.loose.is_some() {
        add("loose", quote!(true));
    }
    if attrs.redact.is_some() {
        add("redact", quote!(true));
    }
    if let Some(with) = &attrs.with {
        let with = &with.value;
        let value = quote!(<#ty as #p::MemberWith<#with, _>>::Value);
        add(
            "debug",
            at(
                with,
                &quote!({
                    #[allow(unused_imports)]
                    use #p::NoDebug as _;
                    #p::DebugOf::<#with, #value>::FUNCTION
                }),
            ),
        );
    }
    // To declare the schema of a type, the library needs the schemas of its members. A type with `stated` declares its whole
    // schema in attributes.
    if container.attrs.stated.is_none() && (attrs.with.is_some() || !valid::is_scalar(ty)) {
        let member_of = member(p, ty, attrs);
        let register = at_member(ty, attrs, &quote!(#member_of::register));
        add("register", option(Some(register)));
    }
    (!set.is_empty()).then_some(set)
}

/// Returns the number of a field; zero if the library looks up the field by name.
fn number(attrs: &FieldAttrs) -> u32 {
    attrs.number.as_ref().map_or(0, |number| number.value)
}

/// Returns the type as an implementation of the trait for members: `<T as Member>`, or `<T as MemberWith<C, _>>` with a
/// conversion `C`. The compiler infers whether the conversion is for an option, a list, a map or the value itself.
fn member(p: &TokenStream, ty: &Type, attrs: &FieldAttrs) -> TokenStream {
    match &attrs.with {
        None => quote!(<#ty as #p::Member>),
        Some(with) => {
            let with = &with.value;
            at(with, &quote!(<#ty as #p::MemberWith<#with, _>>))
        }
    }
}

/// Returns the implementation of the trait for members as [`member`] does, but lets the compiler infer a type without a
/// conversion. If the macro repeated the type, the type could have another meaning there, or an error could show other names of
/// lifetimes.
fn inferred(p: &TokenStream, ty: &Type, attrs: &FieldAttrs) -> TokenStream {
    match attrs.with {
        Some(_) => member(p, ty, attrs),
        None => quote!(<_ as #p::Member>),
    }
}

/// Returns the constant that says how the library stores a member of this type. All uses of the trait have the span of
/// the type, so that the compiler reports a missing trait only once.
fn stored(p: &TokenStream, ty: &Type, attrs: &FieldAttrs) -> TokenStream {
    let member_of = inferred(p, &static_type(ty), attrs);
    at_member(ty, attrs, &quote!(#member_of::STORED))
}

/// Returns the tokens with the span of the type or of its conversion, because errors are about one of these two.
fn at_member(ty: &Type, attrs: &FieldAttrs, tokens: &TokenStream) -> TokenStream {
    at(attrs.with.as_ref().map_or(ty, |with| &with.value), tokens)
}

/// Returns `Some(WireKind::...)`, or `None` if the attributes have no wire kind.
fn wire_kind(p: &TokenStream, kind: &Option<Spanned<Kind>>) -> TokenStream {
    option(kind.as_ref().map(|kind| {
        let variant = kind.value.variant();
        quote!(#p::WireKind::#variant)
    }))
}

/// Returns `'static` for each lifetime of a type, because a static cannot name the lifetimes of the impl around it.
fn statics_of(container: &Container) -> Vec<TokenStream> {
    container.generics.lifetimes().map(|_| quote!('static)).collect()
}

/// Returns the tokens with the span of `ty`, so that the compiler points at the type if it lacks a trait.
fn at(ty: &Type, tokens: &TokenStream) -> TokenStream {
    // The span has the location of the type, but resolves names as the macro does, because `ty` may come from a
    // `macro_rules` macro.
    let span = ty.span().resolved_at(Span::call_site());
    respan(tokens.clone(), span)
}

fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    let respan_tree = |tree: TokenTree| match tree {
        TokenTree::Group(group) => {
            let mut out = Group::new(group.delimiter(), respan(group.stream(), span));
            out.set_span(span);
            TokenTree::Group(out)
        }
        mut other => {
            other.set_span(span);
            other
        }
    };
    tokens.into_iter().map(respan_tree).collect()
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// Returns the type with every lifetime replaced by `'static`, because a static can only name this lifetime.
fn static_type(ty: &Type) -> Type {
    struct Static;

    impl VisitMut for Static {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'static", lifetime.span());
        }

        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            reference.lifetime.get_or_insert_with(|| Lifetime::new("'static", reference.and_token.span));
            syn::visit_mut::visit_type_reference_mut(self, reference);
        }
    }

    let mut ty = ty.clone();
    Static.visit_type_mut(&mut ty);
    ty
}
