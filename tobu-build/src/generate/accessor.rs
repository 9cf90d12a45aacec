//! Generates accessors of fields: `x`, `has_x`, `set_x`, `clear_x`, `take_x` and `x_mut`. Code that uses them need not know how
//! a message stores its fields. `getter.rs` generates the getters of fields with presence.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use tobu_schema::descriptor::{FieldDescriptor, FieldShape, Kind, OneofDescriptor};

use super::api::Stored;
use super::attributes::deprecated;
use super::field::{self, Context};
use super::getter;
use super::message::{Member, Members};
use super::schema::Schema;
use super::{doc, enumeration, oneof, value};
use crate::config::Api;
use crate::error::Result;
use crate::names::ident;
use crate::names::methods::{FieldMethods, MemberMethods, Methods, OneofMethods};

/// The accessors of a message's fields: their code, and what a builder needs to know about the setters.
pub(super) struct Accessors {
    pub(super) methods: Vec<TokenStream>,
    pub(super) setters: Vec<Setter>,
}

/// What a builder needs to know to call the method that sets a field.
pub(super) struct Setter {
    /// The name of the field or the oneof in the schema.
    pub(super) field: String,
    pub(super) method: Ident,
    pub(super) clear: Ident,
    /// The type of the method's parameter.
    pub(super) given: TokenStream,
    /// The name of the builder's method whose parameter has this type. A oneof has no such method.
    pub(super) build: Option<String>,
    /// The name of the builder's method that takes an option, and the type of the value in the option.
    pub(super) maybe: Option<(String, TokenStream)>,
    pub(super) deprecated: bool,
}

/// Generates the accessors of all fields, in the order of their members.
pub(super) fn all(
    schema: &Schema<'_>,
    members: &Members,
    methods: &Methods,
    context: Context<'_>,
) -> Result<Accessors> {
    let mut out = Accessors { methods: Vec::new(), setters: Vec::new() };
    for (member, methods) in members.members.iter().zip(&methods.members) {
        match (member, methods) {
            (Member::Field { field, name, stored }, MemberMethods::Field(methods)) => {
                let member = ident(name);
                let names = Names::new(methods, field);
                let is_whole = field::with(schema, field, context).is_some_and(|with| with.whole);
                let method = match field.shape() {
                    shape if is_whole || matches!(shape, FieldShape::Singular(_)) => {
                        let single = Single::of(schema, field, context)?;
                        match stored {
                            Some(stored) => {
                                let cell = Cell { member, stored: *stored, presence: members.presence() };
                                optional(&single, &cell, &names, &mut out.setters)
                            }
                            None => {
                                let docs = getter::docs(schema, field, context, "Returns {}.");
                                plain(&single, &member, &docs, &names, &mut out.setters)
                            }
                        }
                    }
                    shape => {
                        let docs = match shape {
                            FieldShape::List(_) => "Returns the elements of {}.",
                            _ => "Returns the entries of {}.",
                        };
                        let docs = getter::docs(schema, field, context, docs);
                        let ty = field::singular(schema, field, context)?;
                        let is_lazy = *stored == Some(Stored::Lazy);
                        collection(&ty, &member, is_lazy, &docs, &names, &mut out.setters)
                    }
                };
                out.methods.push(method);
            }
            (Member::Oneof(oneof, name), MemberMethods::Oneof(methods)) => {
                of_oneof(schema, oneof, &ident(name), methods, context, &mut out)?;
            }
            _ => {}
        }
    }
    Ok(out)
}

/// Generates additional accessors for each member that stores the number of an enum, for code that moves from prost.
pub(super) fn of_enum_number(
    schema: &Schema<'_>,
    members: &Members,
    methods: &Methods,
    context: Context<'_>,
) -> Result<Vec<TokenStream>> {
    let mut out = Vec::new();
    for (member, methods) in members.members.iter().zip(&methods.members) {
        if let (Member::Field { field, name, stored }, MemberMethods::Field(methods)) = (member, methods)
            && let FieldShape::Singular(Kind::Enum(target)) = field.shape()
            && enumeration::is_number(schema.config(), &target)
        {
            let (member, names) = (ident(name), Names::new(methods, field));
            let Single { given, stored: value, read, expression, .. } = Single::of(schema, field, context)?;
            let (set_doc, set) = names.set("Sets {}.");
            let set_value = match stored {
                Some(stored) => {
                    Cell { member: member.clone(), stored: *stored, presence: members.presence() }.set(&value)
                }
                None => {
                    let (get_doc, get) = names.get(&getter::docs(schema, field, context, "Returns {}."));
                    let read_value = expression(&member);
                    out.push(quote!(#get_doc pub fn #get(&self) -> #read { #read_value }));
                    quote!(self.#member = #value;)
                }
            };
            out.push(quote!(#set_doc pub fn #set(&mut self, value: #given) { #set_value }));
        }
    }
    Ok(out)
}

pub(super) fn unknown_fields(schema: &Schema<'_>, member: &str, methods: &Methods) -> TokenStream {
    let (runtime, member) = (&schema.runtime, ident(member));
    let (get, get_mut) = (ident(&methods.unknown_fields), ident(&methods.unknown_fields_mut));
    quote! {
        /// Returns the unknown fields, which include extensions.
        #[inline]
        pub fn #get(&self) -> &#runtime::UnknownFields { &self.#member }
        /// Returns a mutable reference to the unknown fields, which include extensions.
        #[inline]
        pub fn #get_mut(&mut self) -> &mut #runtime::UnknownFields { &mut self.#member }
    }
}

/// The names of a field's accessors, with their documentation.
struct Names<'m> {
    methods: &'m FieldMethods,
    field: &'m str,
    deprecated: bool,
}

impl<'m> Names<'m> {
    fn new(methods: &'m FieldMethods, field: &'m FieldDescriptor) -> Self {
        Names { methods, field: field.name(), deprecated: field.is_deprecated() }
    }

    /// Returns the attributes and the identifier of a method.
    fn method(&self, name: &str, text: &str) -> (TokenStream, Ident) {
        let doc = doc::line(&text.replace("{}", &format!("`{}`", self.field)));
        self.documented(name, &doc)
    }

    fn documented(&self, name: &str, doc: &TokenStream) -> (TokenStream, Ident) {
        let deprecated = deprecated(self.deprecated);
        (quote!(#doc #deprecated #[inline]), ident(name))
    }

    fn get(&self, doc: &TokenStream) -> (TokenStream, Ident) {
        self.documented(&self.methods.get, doc)
    }

    fn has(&self) -> (TokenStream, Ident) {
        self.method(&self.methods.has, "Returns true if {} is set.")
    }

    fn set(&self, text: &str) -> (TokenStream, Ident) {
        self.method(&self.methods.set, text)
    }

    fn clear(&self) -> (TokenStream, Ident) {
        self.method(&self.methods.clear, "Clears {}.")
    }

    fn take(&self) -> (TokenStream, Ident) {
        self.method(&self.methods.take, "Clears {} and returns its previous value.")
    }

    fn get_mut(&self, text: &str) -> (TokenStream, Ident) {
        self.method(&self.methods.get_mut, text)
    }

    /// Returns the setter whose parameter has the type `given`. `ty` is the type of the value in the option that the `maybe`
    /// method takes.
    fn setter(&self, given: &TokenStream, ty: &TokenStream) -> Setter {
        let FieldMethods { set, clear, build, maybe, .. } = self.methods;
        Setter {
            field: self.field.to_owned(),
            method: ident(set),
            clear: ident(clear),
            given: given.clone(),
            build: Some(build.clone()),
            maybe: (!maybe.is_empty()).then(|| (maybe.clone(), ty.clone())),
            deprecated: self.deprecated,
        }
    }
}

/// The types and expressions of the accessors of a field with a single value.
struct Single {
    /// The type without its box.
    ty: TokenStream,
    is_boxed: bool,
    /// The type of a setter's parameter.
    given: TokenStream,
    /// The expression that converts `value`, a setter's parameter, to the stored form.
    stored: TokenStream,
    /// The value that `x_mut` stores first if the field is not set.
    default: TokenStream,
    /// True if the default value may differ from the `Default` of the type, because the schema declares a default value or the
    /// enum does not begin at 0. False for a field with a conversion.
    has_default: bool,
    /// The type that a getter of a member without presence returns.
    read: TokenStream,
    /// Makes the expression with which a getter reads the member.
    expression: Box<dyn Fn(&Ident) -> TokenStream>,
}

impl Single {
    fn of(schema: &Schema<'_>, field: &FieldDescriptor, context: Context<'_>) -> Result<Self> {
        let kind = field.kind();
        let ty = field::value(schema, field, &kind, context)?;
        let is_boxed = field::is_boxed(schema, field, context.flavor);
        let with = field::with(schema, field, context);
        let is_own = with.is_some();
        let target = match &kind {
            Kind::Enum(target) if enumeration::is_number(schema.config(), target) => Some(target),
            _ => None,
        };
        let converts = (matches!(kind, Kind::String | Kind::Bytes) || target.is_some()) && !is_own;
        let given = if converts { quote!(impl ::core::convert::Into<#ty>) } else { ty.clone() };
        let stored = match (converts, is_boxed) {
            (true, _) => quote!(value.into()),
            (_, true) => quote!(::std::boxed::Box::new(value)),
            _ => quote!(value),
        };
        // The first value of a closed enum may have a number other than 0, but an empty member holds 0.
        let starts_elsewhere = target.is_some_and(|target| target.default_value().number() != 0);
        let has_default = (field.default().is_some() || starts_elsewhere) && !is_own;
        let default = match (has_default, &kind) {
            (false, _) => match with {
                Some(with) => {
                    let (runtime, convert) =
                        (&schema.runtime, field::conversion(schema, field, with, context)?);
                    quote!(#runtime::__private::absent::<#ty, #convert>())
                }
                None => quote!(::core::default::Default::default()),
            },
            (true, Kind::Bytes) => {
                let value = value::default(schema, field, context)?;
                quote!((&#value[..]).into())
            }
            (true, Kind::String) => {
                let value = value::default(schema, field, context)?;
                quote!(#value.into())
            }
            (true, Kind::Enum(enumeration)) if target.is_some() => value::number_of_enum(field, enumeration),
            (true, _) => value::default(schema, field, context)?,
        };
        let borrowed = |read| {
            (read, Box::new(|member: &Ident| quote!(&self.#member)) as Box<dyn Fn(&Ident) -> TokenStream>)
        };
        let (read, expression) = match (&kind, target) {
            _ if is_own => borrowed(quote!(&#ty)),
            (Kind::String, _) => borrowed(quote!(&str)),
            (Kind::Bytes, _) => borrowed(quote!(&[u8])),
            (_, Some(target)) => {
                let path = schema.path(context.modules, target.full_name(), context.flavor)?;
                let from_number = value::from_number(schema, &path);
                let default = value::default(schema, field, context)?;
                (
                    path,
                    Box::new(move |member: &Ident| quote!(#from_number(self.#member).unwrap_or(#default)))
                        as _,
                )
            }
            _ => (ty.clone(), Box::new(|member: &Ident| quote!(self.#member)) as _),
        };
        Ok(Single { ty, is_boxed, given, stored, default, has_default, read, expression })
    }

    /// Returns an expression for an option without a box. `stored` is an expression for an option of the stored form, which may
    /// have a box.
    fn unboxed(&self, stored: &TokenStream) -> TokenStream {
        if self.is_boxed { quote!(#stored.map(|value| *value)) } else { stored.clone() }
    }
}

/// Returns a literal for a number, without the suffix of its type.
fn number(number: u16) -> Literal {
    Literal::u16_unsuffixed(number)
}

/// The member of a field with presence, and how the member is stored.
struct Cell {
    member: Ident,
    stored: Stored,
    presence: Ident,
}

impl Cell {
    fn has(&self) -> TokenStream {
        let Cell { member, presence, .. } = self;
        match self.stored {
            Stored::Option => quote!(self.#member.is_some()),
            Stored::Lazy => quote!(self.#member.is_set()),
            Stored::Bit(bit) => {
                let bit = number(bit);
                quote!(self.#presence.has(#bit))
            }
        }
    }

    fn set(&self, value: &TokenStream) -> TokenStream {
        let Cell { member, presence, .. } = self;
        match self.stored {
            Stored::Option => quote!(self.#member = ::core::option::Option::Some(#value);),
            Stored::Lazy => quote!(self.#member = ::core::convert::From::from(#value);),
            Stored::Bit(bit) => {
                let bit = number(bit);
                // The value is assigned before the bit is set, because a conversion may panic.
                quote!(self.#member = #value; self.#presence.set(#bit);)
            }
        }
    }

    fn clear(&self) -> TokenStream {
        let Cell { member, presence, .. } = self;
        match self.stored {
            Stored::Option => quote!(self.#member = ::core::option::Option::None;),
            Stored::Lazy => quote!(self.#member.clear();),
            Stored::Bit(bit) => {
                let bit = number(bit);
                quote! {
                    self.#presence.take(#bit);
                    self.#member = ::core::default::Default::default();
                }
            }
        }
    }

    fn take(&self, single: &Single) -> TokenStream {
        let Cell { member, presence, .. } = self;
        match self.stored {
            Stored::Option => single.unboxed(&quote!(self.#member.take())),
            Stored::Lazy => quote!(self.#member.take()),
            Stored::Bit(bit) => {
                let bit = number(bit);
                quote!(self.#presence.take(#bit).then(|| ::core::mem::take(&mut self.#member)))
            }
        }
    }

    fn get_mut(&self, single: &Single) -> TokenStream {
        let Cell { member, presence, .. } = self;
        let default = &single.default;
        match self.stored {
            Stored::Option => quote!(self.#member.get_or_insert_with(|| #default)),
            Stored::Lazy => quote!(self.#member.get_mut()),
            Stored::Bit(bit) => {
                let bit = number(bit);
                match single.has_default {
                    true => quote! {
                        if !self.#presence.has(#bit) {
                            self.#member = #default;
                            self.#presence.set(#bit);
                        }
                        &mut self.#member
                    },
                    false => quote!(self.#presence.set(#bit); &mut self.#member),
                }
            }
        }
    }
}

/// Generates the accessors of a field with presence.
fn optional(single: &Single, cell: &Cell, names: &Names<'_>, setters: &mut Vec<Setter>) -> TokenStream {
    let Single { ty, given, stored, .. } = single;
    let (has_doc, has) = names.has();
    let (set_doc, set) = names.set("Sets {}.");
    let (clear_doc, clear) = names.clear();
    let (take_doc, take) = names.take();
    let (mut_doc, get_mut) = names.get_mut(
        "Returns a mutable reference to {}. If the field is not set, it first gets its default value.",
    );
    setters.push(names.setter(given, ty));
    let (is_set, set_value, clear_value) = (cell.has(), cell.set(stored), cell.clear());
    let (taken, changed) = (cell.take(single), cell.get_mut(single));
    quote! {
        #has_doc pub fn #has(&self) -> bool { #is_set }
        #set_doc pub fn #set(&mut self, value: #given) { #set_value }
        #clear_doc pub fn #clear(&mut self) { #clear_value }
        #take_doc pub fn #take(&mut self) -> ::core::option::Option<#ty> { #taken }
        #mut_doc pub fn #get_mut(&mut self) -> &mut #ty { #changed }
    }
}

/// Generates the accessors of a field without presence.
fn plain(
    single: &Single,
    member: &Ident,
    docs: &TokenStream,
    names: &Names<'_>,
    setters: &mut Vec<Setter>,
) -> TokenStream {
    let Single { ty, given, stored, .. } = single;
    let (read_ty, read) = (&single.read, (single.expression)(member));
    let (get_doc, get) = names.get(docs);
    let (set_doc, set) = names.set("Sets {}.");
    let (clear_doc, clear) = names.clear();
    let (take_doc, take) = names.take();
    let (mut_doc, get_mut) = names.get_mut("Returns a mutable reference to {}.");
    setters.push(names.setter(given, ty));
    quote! {
        #get_doc pub fn #get(&self) -> #read_ty { #read }
        #set_doc pub fn #set(&mut self, value: #given) { self.#member = #stored; }
        #clear_doc pub fn #clear(&mut self) { self.#member = ::core::default::Default::default(); }
        #take_doc pub fn #take(&mut self) -> #ty { ::core::mem::take(&mut self.#member) }
        #mut_doc pub fn #get_mut(&mut self) -> &mut #ty { &mut self.#member }
    }
}

/// Generates the accessors of a list or a map.
fn collection(
    ty: &TokenStream,
    member: &Ident,
    is_lazy: bool,
    docs: &TokenStream,
    names: &Names<'_>,
    setters: &mut Vec<Setter>,
) -> TokenStream {
    let (get_doc, get) = names.get(docs);
    let (set_doc, set) = names.set("Sets {}.");
    let (clear_doc, clear) = names.clear();
    let (take_doc, take) = names.take();
    let (mut_doc, get_mut) = names.get_mut("Returns a mutable reference to {}.");
    let (read, stored, taken, changed) = match is_lazy {
        true => (
            quote!(self.#member.get()),
            quote!(::core::convert::Into::<#ty>::into(value).into()),
            quote!(self.#member.take()),
            quote!(self.#member.get_mut()),
        ),
        false => (
            quote!(&self.#member),
            quote!(value.into()),
            quote!(::core::mem::take(&mut self.#member)),
            quote!(&mut self.#member),
        ),
    };
    let given = quote!(impl ::core::convert::Into<#ty>);
    setters.push(names.setter(&given, ty));
    quote! {
        #get_doc pub fn #get(&self) -> &#ty { #read }
        #set_doc pub fn #set(&mut self, value: #given) { self.#member = #stored; }
        #clear_doc pub fn #clear(&mut self) { self.#member.clear(); }
        #take_doc pub fn #take(&mut self) -> #ty { #taken }
        #mut_doc pub fn #get_mut(&mut self) -> &mut #ty { #changed }
    }
}

fn of_oneof(
    schema: &Schema<'_>,
    oneof: &OneofDescriptor,
    member: &Ident,
    methods: &OneofMethods,
    context: Context<'_>,
    out: &mut Accessors,
) -> Result<()> {
    let path = schema.path(context.modules, oneof.full_name(), context.flavor)?;
    let is_alone = oneof.fields().len() == 1;
    let variants = oneof::variant_names(oneof).into_iter().zip(&methods.fields);
    for (field, (variant, methods)) in oneof.fields().zip(variants) {
        let single = Single::of(schema, &field, context)?;
        let variant = ident(&variant);
        let names = Names::new(methods, &field);
        let variant = quote!(#path::#variant);
        out.methods.push(of_variant(&single, member, &variant, is_alone, &names, &mut out.setters));
    }
    let line = |text: &str| doc::line(&text.replace("{}", &format!("`{}`", oneof.name())));
    let is_private = schema.apis.get(oneof.message().full_name()) == Api::Opaque;
    let comments = is_private
        .then(|| doc::with_line(doc::comments(schema.config(), oneof.full_name(), &oneof.comments())));
    let ty = field::message_type(schema, oneof.full_name(), context)?;
    let given = quote!(impl ::core::convert::Into<::core::option::Option<#ty>>);
    let (has, has_doc) = (ident(&methods.has), line("Returns true if a field of {} is set."));
    let (which, which_doc) =
        (ident(&methods.which), line("Returns the field of {} that is set, with its value, or `None`."));
    let (set, set_doc) =
        (ident(&methods.set), line("Sets one field of {}, or clears {} if the value is `None`."));
    let (clear, clear_doc) = (ident(&methods.clear), line("Clears the field of {} that is set."));
    let (take, take_doc) = (ident(&methods.take), line("Clears {} and returns its previous value."));
    let (get_mut, mut_doc) = (
        ident(&methods.get_mut),
        line("Returns a mutable reference to the value of {}, or `None` if no field of {} is set."),
    );
    out.methods.push(quote! {
        #has_doc #[inline]
        pub fn #has(&self) -> bool { self.#member.is_some() }
        #comments #which_doc #[inline]
        pub fn #which(&self) -> ::core::option::Option<&#ty> { self.#member.as_ref() }
        #set_doc #[inline]
        pub fn #set(&mut self, value: #given) { self.#member = value.into(); }
        #clear_doc #[inline]
        pub fn #clear(&mut self) { self.#member = ::core::option::Option::None; }
        #take_doc #[inline]
        pub fn #take(&mut self) -> ::core::option::Option<#ty> { self.#member.take() }
        #mut_doc #[inline]
        pub fn #get_mut(&mut self) -> ::core::option::Option<&mut #ty> { self.#member.as_mut() }
    });
    out.setters.push(Setter {
        field: oneof.name().to_owned(),
        method: set,
        clear,
        given,
        build: None,
        maybe: Some((methods.maybe.clone(), ty)),
        deprecated: false,
    });
    Ok(())
}

/// Generates the accessors of a field of a oneof. `is_alone` is true if the oneof has no other field.
fn of_variant(
    single: &Single,
    member: &Ident,
    variant: &TokenStream,
    is_alone: bool,
    names: &Names<'_>,
    setters: &mut Vec<Setter>,
) -> TokenStream {
    let Single { ty, given, stored, default, .. } = single;
    let taken = single.unboxed(&quote!(::core::option::Option::Some(value)));
    let (has_doc, has) = names.has();
    let (set_doc, set) = names.set("Sets {}, and clears the other fields of its oneof.");
    let (clear_doc, clear) = names.clear();
    let (take_doc, take) = names.take();
    let (mut_doc, get_mut) = names.get_mut(
        "Returns a mutable reference to {}. If the field is not set, it first gets its default value. The other fields of its oneof are cleared.",
    );
    setters.push(names.setter(given, ty));
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

/// Generates conversions to the enum of a oneof, for each type of value that only one variant has, except for types that are
/// generated elsewhere.
pub(super) fn conversions(
    schema: &Schema<'_>,
    oneof: &OneofDescriptor,
    name: &Ident,
    context: Context<'_>,
) -> Result<TokenStream> {
    let fields: Vec<_> = oneof.fields().zip(oneof::variant_names(oneof)).collect();
    let mut out = TokenStream::new();
    for (field, variant) in &fields {
        let same = |kind: Kind| std::mem::discriminant(&kind);
        // True if the type of the field is generated elsewhere. Such a type may be an alias of another variant's type, so it
        // gets no conversion.
        let foreign = match field.kind() {
            Kind::Message(message) => schema.name_of(message.full_name()).is_none(),
            Kind::Enum(target) => schema.name_of(target.full_name()).is_none(),
            _ => false,
        };
        let single = Single::of(schema, field, context)?;
        let ty = single.ty.to_string();
        let mut alike = 0;
        for (other, _) in &fields {
            let is_text = matches!(other.kind(), Kind::String | Kind::Bytes)
                && same(other.kind()) == same(field.kind());
            alike += usize::from(is_text || Single::of(schema, other, context)?.ty.to_string() == ty);
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
