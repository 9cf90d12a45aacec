//! Generates the types that read parsed messages: for each message a *reference*, which is a struct whose accessors
//! read the message's cells in an arena, and for each oneof an enum.

use std::collections::HashMap;

use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens as _, quote};
use tobu_schema::descriptor::cells::{FieldPlace, FieldPlaces};
use tobu_schema::descriptor::{
    DefaultValue, FieldDescriptor, FieldShape, Kind, MessageDescriptor, OneofDescriptor,
};

use super::attributes::deprecated;
use super::field::Context;
use super::message::{self, Member};
use super::schema::Schema;
use super::view::Flavor;
use super::{doc, getter, oneof, value};
use crate::error::Result;
use crate::names::methods::{FieldMethods, MemberMethods, OneofMethods};
use crate::names::{Scope, accessor_name, ident};

/// True if a reference is generated for a message. A message without an owned type has no reference.
pub(super) fn is_parsed(schema: &Schema<'_>, full_name: &str) -> bool {
    schema.config().is_parsed(full_name) && schema.name_of(full_name).is_some()
}

/// Returns the reference of a message, with its accessors.
pub(super) fn item(schema: &Schema<'_>, message: &MessageDescriptor) -> Result<TokenStream> {
    let full_name = message.full_name();
    let Some(known) = schema.name_of(full_name).filter(|_| is_parsed(schema, full_name)) else {
        return Ok(TokenStream::new());
    };
    let reference = Reference::new(schema, message, &known.modules);
    let members = message::members(schema, message, Flavor::Owned);
    let methods = getter::methods(&members);
    let mut scope = Scope::default();
    for methods in &methods.members {
        match methods {
            MemberMethods::Field(methods) => claim(&mut scope, [&methods.get, &methods.has]),
            MemberMethods::Oneof(methods) => {
                claim(&mut scope, [&methods.has, &methods.which]);
                methods.fields.iter().for_each(|field| claim(&mut scope, [&field.get, &field.has]));
            }
        }
    }
    let mut accessors = Vec::new();
    for (member, methods) in members.members.iter().zip(&methods.members) {
        match (member, methods) {
            (Member::Field { field, .. }, MemberMethods::Field(methods)) => {
                accessors.push(reference.of_field(field, methods, &mut scope)?);
            }
            (Member::Oneof(oneof, _), MemberMethods::Oneof(methods)) => {
                for (field, methods) in oneof.fields().zip(&methods.fields) {
                    accessors.push(reference.of_field(&field, methods, &mut scope)?);
                }
                accessors.push(reference.of_oneof(oneof, methods)?);
            }
            _ => {}
        }
    }
    let (owned, name) = (ident(known.of(Flavor::Owned)), ident(known.reference()));
    let runtime = &schema.runtime;
    let doc = doc::line(&format!("A [`{owned}`] in a parsed message."));
    Ok(quote! {
        #doc
        pub struct #name<'a>(#runtime::parsed::Fields<'a>);
        impl<'a> #name<'a> { #(#accessors)* }
        #runtime::__parsed_reference!(#name, #owned);
    })
}

/// Returns the enum of a oneof in a parsed message.
pub(super) fn oneof(schema: &Schema<'_>, oneof: &OneofDescriptor) -> Result<TokenStream> {
    let message = oneof.message();
    let Some(known) = schema.name_of(oneof.full_name()).filter(|_| is_parsed(schema, message.full_name()))
    else {
        return Ok(TokenStream::new());
    };
    let reference = Reference::new(schema, &message, &known.modules);
    let mut variants = Vec::new();
    for (field, variant) in oneof.fields().zip(oneof::variant_names(oneof)) {
        let (ty, variant) = (reference.single(&field)?, ident(&variant));
        let doc = doc::comments(schema.config(), field.full_name(), &field.comments());
        let deprecated = deprecated(field.is_deprecated());
        variants.push(quote!(#doc #deprecated #variant(#ty),));
    }
    let (name, generics) = (ident(known.reference()), generics(oneof));
    let owned = ident(known.of(Flavor::Owned));
    let doc = doc::line(&format!("The field of [`{owned}`] that is set in a parsed message."));
    Ok(quote! {
        #doc
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum #name #generics { #(#variants)* }
    })
}

/// Returns the lifetime parameter of a oneof's enum, if the enum borrows.
fn generics(oneof: &OneofDescriptor) -> Option<TokenStream> {
    let borrows =
        |field: FieldDescriptor| matches!(field.kind(), Kind::String | Kind::Bytes | Kind::Message(_));
    oneof.fields().any(borrows).then(|| quote!(<'a>))
}

fn claim<const N: usize>(scope: &mut Scope, names: [&String; N]) {
    for name in names.into_iter().filter(|name| !name.is_empty()) {
        scope.claim(name.clone());
    }
}

/// The line of documentation for a field without comments.
const NAME: &str = "Returns {}.";

/// The message for which a reference is generated.
struct Reference<'s> {
    schema: &'s Schema<'s>,
    context: Context<'s>,
    /// The place of each field in the arena, by the number of the field.
    places: HashMap<u32, FieldPlace>,
}

impl<'s> Reference<'s> {
    fn new(schema: &'s Schema<'s>, message: &MessageDescriptor, modules: &'s [String]) -> Self {
        let mut fields: Vec<_> = message.fields().collect();
        fields.sort_unstable_by_key(FieldDescriptor::number);
        let mut places = FieldPlaces::of(fields.len());
        let places = fields.iter().map(|field| (field.number(), places.next(field.contents()))).collect();
        let context = Context { modules, flavor: Flavor::Owned, is_stated: false };
        Reference { schema, context, places }
    }

    fn bit(&self, field: &FieldDescriptor) -> Literal {
        Literal::u32_unsuffixed(self.places[&field.number()].bit)
    }

    fn cell(&self, field: &FieldDescriptor) -> Literal {
        Literal::u32_unsuffixed(self.places[&field.number()].cell)
    }

    /// Returns the expression with which an accessor starts to read a message field, and the arguments that say where
    /// the message is. If the message has no reference, its table is found by the index of the field, in the order of
    /// the field numbers.
    fn messages(
        &self,
        field: &FieldDescriptor,
        target: &MessageDescriptor,
        is_single: bool,
    ) -> (TokenStream, TokenStream) {
        let (bit, cell) = (self.bit(field), self.cell(field));
        if !self.has_reference(target) {
            let slot = Literal::u32_unsuffixed(self.places[&field.number()].bit - 1);
            let runtime = &self.schema.runtime;
            return (quote!(#runtime::parsed::TypedRef::untyped(self)), quote!(#slot));
        }
        (quote!(self.0), if is_single { quote!(#bit, #cell) } else { quote!(#cell) })
    }

    fn has_reference(&self, message: &MessageDescriptor) -> bool {
        let full_name = message.full_name();
        is_parsed(self.schema, full_name) || self.schema.config().own_reference(full_name).is_some()
    }

    fn of_field(
        &self,
        field: &FieldDescriptor,
        methods: &FieldMethods,
        scope: &mut Scope,
    ) -> Result<TokenStream> {
        let runtime = &self.schema.runtime;
        let bit = self.bit(field);
        let get = ident(&methods.get);
        let deprecated = deprecated(field.is_deprecated());
        let comments = doc::comments(self.schema.config(), field.full_name(), &field.comments());
        let line = |text: &str| doc::line(&text.replace("{}", &format!("`{}`", field.name())));
        let documented = |text: &str| {
            // Comments say more than a line with only the name, so they replace it.
            let line = (comments.is_empty() || text != NAME).then(|| line(text));
            let comments = if line.is_some() { doc::with_line(comments.clone()) } else { comments.clone() };
            quote!(#comments #line #deprecated #[inline])
        };
        let has = (!methods.has.is_empty()).then(|| {
            let (has, doc) = (ident(&methods.has), line("Returns true if {} is set."));
            quote!(#doc #deprecated #[inline] pub fn #has(self) -> bool { self.0.has(#bit) })
        });
        let getter = match field.shape() {
            FieldShape::List(kind) => {
                let (doc, ty) = (documented("Returns the elements of {}."), self.value(&kind)?);
                let (from, place) = self.read_all(field, &kind);
                quote!(#doc pub fn #get(self) -> #runtime::parsed::List<'a, #ty> { #from.list(#place) })
            }
            FieldShape::Map { key, value } => {
                let (from, place) = self.read_all(field, &value.kind());
                let (key, value) = (self.value(&key.kind())?, self.value(&value.kind())?);
                let doc = documented("Returns the entries of {}.");
                quote!(#doc pub fn #get(self) -> #runtime::parsed::Map<'a, #key, #value> { #from.map(#place) })
            }
            FieldShape::Singular(Kind::Message(target)) => {
                let ty = self.single(field)?;
                let (from, place) = self.messages(field, &target, true);
                let doc = documented("Returns {}, or `None` if it is not set.");
                let or_default = ident(&scope.claim(accessor_name("", field.name(), "_or_default")));
                let default_doc = line("Returns {}, or an empty message if it is not set.");
                quote! {
                    #doc pub fn #get(self) -> ::core::option::Option<#ty> { #from.message(#place) }
                    #default_doc #deprecated #[inline]
                    pub fn #or_default(self) -> #ty { #from.message_or_default(#place) }
                }
            }
            FieldShape::Singular(_) => {
                let (ty, read) = (self.single(field)?, self.read(field)?);
                let doc = match methods.has.is_empty() {
                    true => documented(NAME),
                    false => documented("Returns {}, or its default value if it is not set."),
                };
                quote!(#doc pub fn #get(self) -> #ty { #read })
            }
        };
        Ok(quote!(#getter #has))
    }

    /// Returns the expression from which an accessor reads a list or a map, and the argument that says where it is.
    fn read_all(&self, field: &FieldDescriptor, kind: &Kind) -> (TokenStream, TokenStream) {
        match kind {
            Kind::Message(target) => self.messages(field, target, false),
            _ => (quote!(self.0), self.cell(field).into_token_stream()),
        }
    }

    /// Returns the expression that reads a single value, or its default value if the field is not set.
    fn read(&self, field: &FieldDescriptor) -> Result<TokenStream> {
        let (bit, cell, in_oneof) = (self.bit(field), self.cell(field), field.oneof().is_some());
        let default = match (field.default(), field.kind()) {
            (_, Kind::Message(_)) => return Ok(self.read_set(field)),
            (Some(DefaultValue::Bytes(_)), _) => {
                let default = value::default(self.schema, field, self.context)?;
                Some(quote!(&#default[..]))
            }
            (Some(_), _) => Some(value::default(self.schema, field, self.context)?),
            // Fields of a oneof may share a cell, so the cell of a field that is not set may have the value of another field.
            (None, Kind::Bytes) if in_oneof => Some(quote!(&[])),
            (None, _) if in_oneof => Some(value::default(self.schema, field, self.context)?),
            (None, Kind::Enum(target)) if target.default_value().number() != 0 => {
                Some(value::default(self.schema, field, self.context)?)
            }
            (None, _) => None,
        };
        Ok(match default {
            None => quote!(self.0.value(#cell)),
            Some(default) => quote!(self.0.value_or(#bit, #cell, #default)),
        })
    }

    /// Returns the expression that reads a single value that is set.
    fn read_set(&self, field: &FieldDescriptor) -> TokenStream {
        if let Kind::Message(target) = field.kind() {
            let (from, place) = self.messages(field, &target, true);
            return quote!(#from.message_or_default(#place));
        }
        let cell = self.cell(field);
        quote!(self.0.value(#cell))
    }

    fn of_oneof(&self, oneof: &OneofDescriptor, methods: &OneofMethods) -> Result<TokenStream> {
        let line = |text: &str| doc::line(&text.replace("{}", &format!("`{}`", oneof.name())));
        let (has, has_doc) = (ident(&methods.has), line("Returns true if a field of {} is set."));
        let (which, which_doc) =
            (ident(&methods.which), line("Returns the field of {} that is set, with its value, or `None`."));
        let comments = doc::comments(self.schema.config(), oneof.full_name(), &oneof.comments());
        let comments = doc::with_line(comments);
        let path = self.schema.reference_path(self.context.modules, oneof.full_name());
        let generics = generics(oneof);
        let bits: Vec<_> = oneof.fields().map(|field| self.bit(&field)).collect();
        let mut arms = Vec::new();
        for (index, (field, variant)) in oneof.fields().zip(oneof::variant_names(oneof)).enumerate() {
            let (index, variant) = (Literal::usize_unsuffixed(index), ident(&variant));
            let read = self.read_set(&field);
            arms.push(quote!(::core::option::Option::Some(#index) => #path::#variant(#read),));
        }
        Ok(quote! {
            #has_doc #[inline]
            pub fn #has(self) -> bool { self.0.which(&[#(#bits),*]).is_some() }
            #comments #which_doc #[inline]
            pub fn #which(self) -> ::core::option::Option<#path #generics> {
                ::core::option::Option::Some(match self.0.which(&[#(#bits),*]) {
                    #(#arms)*
                    _ => return ::core::option::Option::None,
                })
            }
        })
    }

    fn single(&self, field: &FieldDescriptor) -> Result<TokenStream> {
        self.value(&field.kind())
    }

    fn value(&self, kind: &Kind) -> Result<TokenStream> {
        let runtime = &self.schema.runtime;
        Ok(match kind {
            Kind::Double => quote!(f64),
            Kind::Float => quote!(f32),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => quote!(i32),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => quote!(i64),
            Kind::UInt32 | Kind::Fixed32 => quote!(u32),
            Kind::UInt64 | Kind::Fixed64 => quote!(u64),
            Kind::Bool => quote!(bool),
            Kind::String => quote!(&'a str),
            Kind::Bytes => quote!(&'a [u8]),
            Kind::Enum(target) => {
                self.schema.path(self.context.modules, target.full_name(), self.context.flavor)?
            }
            Kind::Message(target) if is_parsed(self.schema, target.full_name()) => {
                let path = self.schema.reference_path(self.context.modules, target.full_name());
                quote!(#path<'a>)
            }
            Kind::Message(target) => match self.schema.config().own_reference(target.full_name()) {
                Some(name) => {
                    let name = ident(&name);
                    quote!(#runtime::types::#name<'a>)
                }
                None => quote!(#runtime::parsed::Untyped<'a>),
            },
        })
    }
}
