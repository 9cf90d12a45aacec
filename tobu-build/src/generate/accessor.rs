//! Accessors of fields, for code that need not know how a message stores them: `x`, `has_x`, `set_x`, `clear_x`, `take_x`
//! and `x_mut`. What the getters have is left to them.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use tobu::descriptor::{FieldDescriptor, FieldShape, Kind, OneofDescriptor};

use super::attributes::deprecated;
use super::field::{self, Place};
use super::message::Member;
use super::schema::Schema;
use super::{doc, oneof, value};
use crate::error::Result;
use crate::names::{Scope, accessor_name, ident};

/// The accessors of all fields, in the order of their members.
pub(super) fn all(
    schema: &Schema<'_>,
    members: &[Member],
    scope: &mut Scope,
    place: Place<'_>,
) -> Result<Vec<TokenStream>> {
    let mut out = Vec::new();
    for member in members {
        match member {
            Member::Field(field, name) => {
                let member = ident(name);
                let mut names = Names { scope, field: field.name(), deprecated: field.is_deprecated() };
                out.push(match field.shape() {
                    FieldShape::Singular(_) if field.has_presence() => {
                        optional(&Single::of(schema, field, place)?, &member, &mut names)
                    }
                    FieldShape::Singular(_) => plain(&Single::of(schema, field, place)?, &member, &mut names),
                    _ => collection(
                        &field::singular(schema, field, place)?,
                        &field.shape(),
                        &member,
                        &mut names,
                    ),
                });
            }
            Member::Oneof(oneof, name) => out.push(of_oneof(schema, oneof, &ident(name), scope, place)?),
        }
    }
    Ok(out)
}

/// The names of the accessors of a field, each claimed when it is asked for.
struct Names<'s, 'f> {
    scope: &'s mut Scope,
    field: &'f str,
    deprecated: bool,
}

impl Names<'_, '_> {
    /// The attributes and the name of a method: the field's in snake case, with something before or after it.
    fn method(&mut self, before: &str, after: &str, text: &str) -> (TokenStream, Ident) {
        let name = ident(&self.scope.claim(accessor_name(before, self.field, after)));
        let doc = doc::line(&text.replace("{}", &format!("`{}`", self.field)));
        let deprecated = deprecated(self.deprecated);
        (quote!(#doc #deprecated #[inline]), name)
    }

    fn has(&mut self) -> (TokenStream, Ident) {
        self.method("has_", "", "True where {} is set.")
    }

    fn set(&mut self) -> (TokenStream, Ident) {
        self.method("set_", "", "Sets {}.")
    }

    fn clear(&mut self) -> (TokenStream, Ident) {
        self.method("clear_", "", "Clears {}.")
    }

    fn take(&mut self) -> (TokenStream, Ident) {
        self.method("take_", "", "Takes {} out of the message, and leaves it cleared.")
    }
}

/// A single value, as it is given and taken.
struct Single {
    /// The type without its box.
    ty: TokenStream,
    is_boxed: bool,
    /// What a setter takes.
    given: TokenStream,
    /// What is stored of `value`, which a setter was given.
    stored: TokenStream,
    /// What is stored where a value is to be changed and there is none.
    default: TokenStream,
    /// The type and the expression by which a plain member is read.
    read: (TokenStream, fn(&Ident) -> TokenStream),
}

impl Single {
    fn of(schema: &Schema<'_>, field: &FieldDescriptor, place: Place<'_>) -> Result<Self> {
        let kind = field.kind();
        let ty = field::value(schema, field, &kind, place)?;
        let is_boxed = field::is_boxed(schema, field);
        let is_own = field::with(schema, field, place).is_some();
        let converts = matches!(kind, Kind::String | Kind::Bytes) && !is_own;
        let given = if converts { quote!(impl ::core::convert::Into<#ty>) } else { ty.clone() };
        let stored = match (converts, is_boxed) {
            (true, _) => quote!(value.into()),
            (_, true) => quote!(::std::boxed::Box::new(value)),
            _ => quote!(value),
        };
        let default = match (field.default(), &kind) {
            (None, _) => quote!(::core::default::Default::default()),
            _ if is_own => quote!(::core::default::Default::default()),
            (Some(_), Kind::Bytes) => {
                let value = value::default(schema, field, place)?;
                quote!((&#value[..]).into())
            }
            (Some(_), Kind::String) => {
                let value = value::default(schema, field, place)?;
                quote!(#value.into())
            }
            (Some(_), _) => value::default(schema, field, place)?,
        };
        let read: (TokenStream, fn(&Ident) -> TokenStream) = match kind {
            _ if is_own => (quote!(&#ty), |member| quote!(&self.#member)),
            Kind::String => (quote!(&str), |member| quote!(&self.#member)),
            Kind::Bytes => (quote!(&[u8]), |member| quote!(&self.#member)),
            _ => (ty.clone(), |member| quote!(self.#member)),
        };
        Ok(Single { ty, is_boxed, given, stored, default, read })
    }

    /// An option of what is stored, as it is given back.
    fn unboxed(&self, stored: &TokenStream) -> TokenStream {
        if self.is_boxed { quote!(#stored.map(|value| *value)) } else { stored.clone() }
    }
}

/// Of a field that knows whether it is set.
fn optional(single: &Single, member: &Ident, names: &mut Names<'_, '_>) -> TokenStream {
    let Single { ty, given, stored, default, .. } = single;
    let taken = single.unboxed(&quote!(self.#member.take()));
    let (has_doc, has) = names.has();
    let (set_doc, set) = names.set();
    let (clear_doc, clear) = names.clear();
    let (take_doc, take) = names.take();
    let (mut_doc, get_mut) =
        names.method("", "_mut", "{}, to be changed; where it is not set, it gets its default first.");
    quote! {
        #has_doc pub fn #has(&self) -> bool { self.#member.is_some() }
        #set_doc pub fn #set(&mut self, value: #given) { self.#member = ::core::option::Option::Some(#stored); }
        #clear_doc pub fn #clear(&mut self) { self.#member = ::core::option::Option::None; }
        #take_doc pub fn #take(&mut self) -> ::core::option::Option<#ty> { #taken }
        #mut_doc pub fn #get_mut(&mut self) -> &mut #ty { self.#member.get_or_insert_with(|| #default) }
    }
}

/// Of a field that is set where it is not its default.
fn plain(single: &Single, member: &Ident, names: &mut Names<'_, '_>) -> TokenStream {
    let Single { ty, given, stored, .. } = single;
    let (read_ty, read) = (&single.read.0, (single.read.1)(member));
    let (get_doc, get) = names.method("", "", "{}.");
    let (set_doc, set) = names.set();
    let (clear_doc, clear) = names.clear();
    let (take_doc, take) = names.take();
    let (mut_doc, get_mut) = names.method("", "_mut", "{}, to be changed.");
    quote! {
        #get_doc pub fn #get(&self) -> #read_ty { #read }
        #set_doc pub fn #set(&mut self, value: #given) { self.#member = #stored; }
        #clear_doc pub fn #clear(&mut self) { self.#member = ::core::default::Default::default(); }
        #take_doc pub fn #take(&mut self) -> #ty { ::core::mem::take(&mut self.#member) }
        #mut_doc pub fn #get_mut(&mut self) -> &mut #ty { &mut self.#member }
    }
}

/// Of a list or a map.
fn collection(
    ty: &TokenStream,
    shape: &FieldShape,
    member: &Ident,
    names: &mut Names<'_, '_>,
) -> TokenStream {
    let is_list = matches!(shape, FieldShape::List(_));
    let (get_doc, get) =
        names.method("", "", if is_list { "The elements of {}." } else { "The entries of {}." });
    let (set_doc, set) = names.set();
    let (clear_doc, clear) = names.clear();
    let (take_doc, take) = names.take();
    let (mut_doc, get_mut) = names.method("", "_mut", "{}, to be changed.");
    quote! {
        #get_doc pub fn #get(&self) -> &#ty { &self.#member }
        #set_doc pub fn #set(&mut self, value: impl ::core::convert::Into<#ty>) { self.#member = value.into(); }
        #clear_doc pub fn #clear(&mut self) { self.#member.clear(); }
        #take_doc pub fn #take(&mut self) -> #ty { ::core::mem::take(&mut self.#member) }
        #mut_doc pub fn #get_mut(&mut self) -> &mut #ty { &mut self.#member }
    }
}

fn of_oneof(
    schema: &Schema<'_>,
    oneof: &OneofDescriptor,
    member: &Ident,
    scope: &mut Scope,
    place: Place<'_>,
) -> Result<TokenStream> {
    let path = schema.path(place.modules, oneof.full_name(), place.flavor)?;
    let is_alone = oneof.fields().len() == 1;
    let mut out = TokenStream::new();
    for (field, variant) in oneof.fields().zip(oneof::variant_names(oneof)) {
        let single = Single::of(schema, &field, place)?;
        let variant = ident(&variant);
        let mut names = Names { scope, field: field.name(), deprecated: field.is_deprecated() };
        out.extend(of_variant(&single, member, &quote!(#path::#variant), is_alone, &mut names));
    }
    let mut names = Names { scope, field: oneof.name(), deprecated: false };
    let (has_doc, has) = names.method("has_", "", "True where a field of {} is set.");
    let (clear_doc, clear) = names.method("clear_", "", "Clears the field of {} that is set.");
    Ok(quote! {
        #out
        #has_doc pub fn #has(&self) -> bool { self.#member.is_some() }
        #clear_doc pub fn #clear(&mut self) { self.#member = ::core::option::Option::None; }
    })
}

/// Of a field of a oneof; `is_alone` if there is no other.
fn of_variant(
    single: &Single,
    member: &Ident,
    variant: &TokenStream,
    is_alone: bool,
    names: &mut Names<'_, '_>,
) -> TokenStream {
    let Single { ty, given, stored, default, .. } = single;
    let taken = single.unboxed(&quote!(::core::option::Option::Some(value)));
    let (has_doc, has) = names.has();
    let (set_doc, set) = names.method("set_", "", "Sets {}, and clears the other fields of its oneof.");
    let (clear_doc, clear) = names.clear();
    let (take_doc, take) = names.take();
    let (mut_doc, get_mut) = names.method(
        "",
        "_mut",
        "{}, to be changed; where it is not set, it gets its default first, and the other fields of its oneof are cleared.",
    );
    let other = (!is_alone).then(|| quote!(_ => ::core::unreachable!(),));
    quote! {
        #has_doc pub fn #has(&self) -> bool {
            ::core::matches!(self.#member, ::core::option::Option::Some(#variant(_)))
        }
        #set_doc pub fn #set(&mut self, value: #given) {
            self.#member = ::core::option::Option::Some(#variant(#stored));
        }
        #clear_doc pub fn #clear(&mut self) {
            if let ::core::option::Option::Some(#variant(_)) = self.#member {
                self.#member = ::core::option::Option::None;
            }
        }
        #take_doc pub fn #take(&mut self) -> ::core::option::Option<#ty> {
            match self.#member.take() {
                ::core::option::Option::Some(#variant(value)) => #taken,
                other => {
                    self.#member = other;
                    ::core::option::Option::None
                }
            }
        }
        #mut_doc pub fn #get_mut(&mut self) -> &mut #ty {
            match &mut self.#member {
                ::core::option::Option::Some(#variant(value)) => value,
                other => match other.insert(#variant(#default)) {
                    #variant(value) => value,
                    #other
                },
            }
        }
    }
}

/// The conversions of values to the oneof that has one variant of their kind.
pub(super) fn conversions(
    schema: &Schema<'_>,
    oneof: &OneofDescriptor,
    name: &Ident,
    place: Place<'_>,
) -> Result<TokenStream> {
    let fields: Vec<_> = oneof.fields().zip(oneof::variant_names(oneof)).collect();
    let mut out = TokenStream::new();
    for (field, variant) in &fields {
        let same = |kind: Kind| std::mem::discriminant(&kind);
        // What is generated elsewhere may be any type.
        let foreign = match field.kind() {
            Kind::Message(message) => schema.name_of(message.full_name()).is_none(),
            Kind::Enum(target) => schema.name_of(target.full_name()).is_none(),
            _ => false,
        };
        let single = Single::of(schema, field, place)?;
        let ty = single.ty.to_string();
        let mut alike = 0;
        for (other, _) in &fields {
            let is_text = matches!(other.kind(), Kind::String | Kind::Bytes)
                && same(other.kind()) == same(field.kind());
            alike += usize::from(is_text || Single::of(schema, other, place)?.ty.to_string() == ty);
        }
        if foreign || alike > 1 {
            continue;
        }
        let (ty, stored) = (&single.ty, if single.is_boxed { &single.stored } else { &quote!(value) });
        let variant = ident(variant);
        let deprecated = field.is_deprecated().then(|| quote!(#[allow(deprecated)]));
        out.extend(quote! {
            #deprecated
            impl ::core::convert::From<#ty> for #name {
                #[inline]
                fn from(value: #ty) -> Self {
                    Self::#variant(#stored)
                }
            }
        });
    }
    Ok(out)
}
