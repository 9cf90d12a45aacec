//! Generates the getters of fields with presence. They return the default value if the field is not set, so callers
//! need not unwrap an option. Only getters of fields with a conversion return an option.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use tobu_schema::descriptor::{FieldDescriptor, FieldShape, Kind, MessageDescriptor};

use super::api::Stored;
use super::attributes::deprecated;
use super::field::{self, Context};
use super::message::{Member, Members};
use super::schema::Schema;
use super::view::Flavor;
use super::{accessor, builder, doc, enumeration, oneof, value};
use crate::config::Api;
use crate::error::Result;
use crate::names::methods::{self, MemberMethods, Methods};
use crate::names::{Scope, ident};

/// Returns the impl with the getters and the other accessors of a message; nothing if there are none.
pub(super) fn item(
    schema: &Schema<'_>,
    message: &MessageDescriptor,
    members: &Members,
    context: Context<'_>,
) -> Result<TokenStream> {
    let Some(known) = schema.name_of(message.full_name()) else { return Ok(TokenStream::new()) };
    let is_owned = context.flavor == Flavor::Owned;
    let has_builder = is_owned && schema.apis.get(message.full_name()) != Api::Open;
    let methods = methods(members);
    let mut getters = Vec::new();
    if let Some(unknown) = members.unknown.as_ref().filter(|_| has_builder) {
        getters.push(accessor::unknown_fields(schema, unknown, &methods));
    }
    for (member, methods) in members.members.iter().zip(&methods.members) {
        if let (Member::Field { field, name, stored: Some(stored) }, MemberMethods::Field(methods)) =
            (member, methods)
            && matches!(field.shape(), FieldShape::Singular(_))
        {
            getters.push(of_field(
                schema,
                field,
                name,
                (*stored, &members.presence()),
                &methods.get,
                context,
            )?);
        }
    }
    for (member, methods) in members.members.iter().zip(&methods.members) {
        if let (Member::Oneof(oneof, name), MemberMethods::Oneof(methods)) = (member, methods) {
            let variants = oneof::variant_names(oneof).into_iter().zip(&methods.fields);
            for (field, (variant, methods)) in oneof.fields().zip(variants) {
                let getter = &methods.get;
                let path = schema.path(context.modules, oneof.full_name(), context.flavor)?;
                let variant = ident(&variant);
                getters.push(of_variant(schema, &field, name, getter, &quote!(#path::#variant), context)?);
            }
        }
    }
    if !schema.config().getters && !has_builder {
        getters.clear();
    }
    let name = ident(known.of(context.flavor));
    let mut builder = None;
    let has_accessors = has_builder || schema.config().accessors && is_owned;
    if !has_accessors && schema.config().getters {
        getters.extend(accessor::of_enum_number(schema, members, &methods, context)?);
    }
    if has_accessors {
        let accessors = accessor::all(schema, members, &methods, context)?;
        getters.extend(accessors.methods);
        let has_debug = schema.config().skip_debug.get(message.full_name()).is_none();
        builder = has_builder.then(|| {
            builder::item(&name, (&methods.builder, known.builder()), &accessors.setters, has_debug)
        });
    }
    if getters.is_empty() && builder.is_none() {
        return Ok(TokenStream::new());
    }
    let generics = context.flavor.generics(schema, message.full_name());
    Ok(quote!(impl #generics #name #generics { #(#getters)* } #builder))
}

pub(super) fn methods(members: &Members) -> Methods {
    let mut scope = Scope::default();
    RESERVED.iter().for_each(|name| {
        scope.claim((*name).to_owned());
    });
    let named: Vec<_> = members
        .members
        .iter()
        .map(|member| match member {
            Member::Field { field, name, .. } => methods::Member::Field(field, name),
            Member::Oneof(oneof, _) => methods::Member::Oneof(oneof),
        })
        .collect();
    Methods::claim(&named, &mut scope)
}

/// Returns the documentation of a field's getter: a line, and the comments of the schema if no public member has these
/// comments.
pub(super) fn docs(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    context: Context<'_>,
    line: &str,
) -> TokenStream {
    let line = doc::line(&line.replace("{}", &format!("`{}`", field.name())));
    match field::visibility(schema, field.message().full_name(), context.flavor) {
        None if field.oneof().is_none() => {
            let comments = doc::comments(schema.config(), field.full_name(), &field.comments());
            let comments = doc::with_line(comments);
            quote!(#comments #line)
        }
        _ => line,
    }
}

/// Returns the impl of `DefaultInstance` for a message, which getters of fields of this type use; `None` if there are
/// no getters.
pub(super) fn default_instance(
    schema: &Schema<'_>,
    message: &MessageDescriptor,
    flavor: Flavor,
) -> Option<TokenStream> {
    let known = schema.name_of(message.full_name())?;
    if !schema.config().getters && schema.apis.all_open {
        return None;
    }
    let name = ident(known.of(flavor));
    let generics = flavor.generics(schema, message.full_name());
    let statics = (!generics.is_empty()).then(|| quote!(<'static>));
    let runtime = &schema.runtime;
    Some(quote! {
        impl #generics #runtime::DefaultInstance for #name #generics {
            #[inline]
            fn default_instance<'d>() -> &'d Self
            where
                Self: 'd,
            {
                static DEFAULT: #runtime::__private::DefaultSlot<#name #statics> = #runtime::__private::DefaultSlot::new();
                DEFAULT.get()
            }
        }
    })
}

/// Methods that a getter with the same name would hide: the methods of `Clone`, `Default`, `Message`, `Merge` and
/// `DefaultInstance`.
const RESERVED: &[&str] = &[
    "as_reflect",
    "as_reflect_mut",
    "clear",
    "clone",
    "decode",
    "decode_length_delimited",
    "default",
    "default_instance",
    "descriptor",
    "encode",
    "encode_length_delimited",
    "encode_to_vec",
    "encoded_len",
    "from_json",
    "from_text",
    "into_dynamic",
    "merge",
    "merge_from",
    "reflect",
    "shape",
    "to_json",
    "to_text",
];

fn of_field(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    member: &str,
    (stored, presence): (Stored, &Ident),
    getter: &str,
    context: Context<'_>,
) -> Result<TokenStream> {
    let doc = docs(schema, field, context, "Returns {}, or its default value if it is not set.");
    let member = ident(member);
    let getter = ident(getter);
    let deprecated = deprecated(field.is_deprecated());
    if field::with(schema, field, context).is_some() {
        let doc = docs(schema, field, context, "Returns {}, or `None` if it is not set.");
        let ty = field::value(schema, field, &field.kind(), context)?;
        return Ok(quote! {
            #doc
            #deprecated
            #[inline]
            pub fn #getter(&self) -> ::core::option::Option<&#ty> {
                self.#member.as_ref()
            }
        });
    }
    let parts = Parts::of(schema, field, context)?;
    let ty = &parts.ty;
    let default = &parts.default;
    if parts.is_message {
        let value = match stored {
            Stored::Lazy => quote!(self.#member.get()),
            _ => quote!(&self.#member),
        };
        return Ok(quote! {
            #doc
            #deprecated
            #[inline]
            pub fn #getter(&self) -> #ty {
                match #value {
                    ::core::option::Option::Some(value) => value,
                    ::core::option::Option::None => #default,
                }
            }
        });
    }
    if let Stored::Bit(bit) = stored {
        let bit = Literal::u16_unsuffixed(bit);
        let value = match (&parts.from_number, parts.derefs) {
            (Some(from_number), _) => quote!(#from_number(self.#member).unwrap_or(#default)),
            (None, true) => quote!(&self.#member),
            (None, false) => quote!(self.#member),
        };
        // A field that is not set stores the default value of its Rust type, which is not the default value that the
        // schema declares.
        let value = match field.default() {
            None => value,
            Some(_) => quote!(if self.#presence.has(#bit) { #value } else { #default }),
        };
        return Ok(quote! {
            #doc
            #deprecated
            #[inline]
            pub fn #getter(&self) -> #ty { #value }
        });
    }
    let read = match &parts.from_number {
        Some(from_number) => quote!(and_then(#from_number).),
        None if parts.derefs => quote!(as_deref().),
        None => TokenStream::new(),
    };
    Ok(quote! {
        #doc
        #deprecated
        #[inline]
        pub fn #getter(&self) -> #ty {
            self.#member.#read unwrap_or(#default)
        }
    })
}

fn of_variant(
    schema: &Schema<'_>,
    field: &FieldDescriptor,
    member: &str,
    getter: &str,
    variant: &TokenStream,
    context: Context<'_>,
) -> Result<TokenStream> {
    let doc = doc::line(&format!("Returns `{}`, or its default value if it is not set.", field.name()));
    let member = ident(member);
    let getter = ident(getter);
    let deprecated = deprecated(field.is_deprecated());
    if field::with(schema, field, context).is_some() {
        let doc = doc::line(&format!("Returns `{}`, or `None` if it is not set.", field.name()));
        let ty = field::value(schema, field, &field.kind(), context)?;
        return Ok(quote! {
            #doc
            #deprecated
            #[inline]
            pub fn #getter(&self) -> ::core::option::Option<&#ty> {
                match &self.#member {
                    ::core::option::Option::Some(#variant(value)) => ::core::option::Option::Some(value),
                    _ => ::core::option::Option::None,
                }
            }
        });
    }
    let Parts { ty, default, is_message, derefs, from_number } = Parts::of(schema, field, context)?;
    let value = match from_number {
        Some(from_number) => quote!(#from_number(*value).unwrap_or(#default)),
        None if derefs || is_message => quote!(value),
        None => quote!(*value),
    };
    Ok(quote! {
        #doc
        #deprecated
        #[inline]
        pub fn #getter(&self) -> #ty {
            match &self.#member {
                ::core::option::Option::Some(#variant(value)) => #value,
                _ => #default,
            }
        }
    })
}

/// The parts of a getter's code. They depend on the kind of the field.
struct Parts {
    /// The type that the getter returns.
    ty: TokenStream,
    default: TokenStream,
    /// True for a message. The getter returns a reference to it.
    is_message: bool,
    /// True if the value is behind a pointer, such as a `Box`.
    derefs: bool,
    /// If members store the number of the enum, the function that converts it to an option of the value.
    from_number: Option<TokenStream>,
}

impl Parts {
    fn of(schema: &Schema<'_>, field: &FieldDescriptor, context: Context<'_>) -> Result<Self> {
        let scalar = |ty| {
            Ok(Parts {
                ty,
                default: value::default(schema, field, context)?,
                is_message: false,
                derefs: false,
                from_number: None,
            })
        };
        let view = context.flavor == Flavor::View;
        match field.kind() {
            Kind::Double => scalar(quote!(f64)),
            Kind::Float => scalar(quote!(f32)),
            Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => scalar(quote!(i32)),
            Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => scalar(quote!(i64)),
            Kind::UInt32 | Kind::Fixed32 => scalar(quote!(u32)),
            Kind::UInt64 | Kind::Fixed64 => scalar(quote!(u64)),
            Kind::Bool => scalar(quote!(bool)),
            Kind::Enum(target) => {
                let path = schema.path(context.modules, target.full_name(), context.flavor)?;
                let from_number = enumeration::is_number(schema.config(), &target)
                    .then(|| value::from_number(schema, &path));
                Ok(Parts { from_number, ..scalar(path)? })
            }
            Kind::String if view => scalar(quote!(&'a str)),
            Kind::Bytes if view => scalar(quote!(&'a [u8])),
            Kind::String => Ok(Parts { derefs: true, ..scalar(quote!(&str))? }),
            Kind::Bytes => Ok(Parts { derefs: true, ..scalar(quote!(&[u8]))? }),
            Kind::Message(target) => {
                let ty = field::message_type(schema, target.full_name(), context)?;
                let path = schema.path(context.modules, target.full_name(), context.flavor)?;
                let borrows = view && schema.borrows(target.full_name());
                let lifetime = borrows.then(|| quote!(<'a>));
                let runtime = &schema.runtime;
                Ok(Parts {
                    ty: quote!(&#ty),
                    default: quote!(<#path #lifetime as #runtime::DefaultInstance>::default_instance()),
                    is_message: true,
                    derefs: false,
                    from_number: None,
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RESERVED;

    /// Reads from the runtime's source which methods the traits of generated messages have.
    #[test]
    fn the_methods_of_the_traits_are_reserved() {
        let source = include_str!("../../../src/message.rs");
        let mut methods = vec!["clone".to_owned(), "default".to_owned()];
        for item in syn::parse_file(source).unwrap().items {
            let syn::Item::Trait(item) = item else { continue };
            if !["DefaultInstance", "Merge", "Message"].contains(&item.ident.to_string().as_str()) {
                continue;
            }
            methods.extend(item.items.iter().filter_map(|item| match item {
                syn::TraitItem::Fn(method) => Some(method.sig.ident.to_string()),
                _ => None,
            }));
        }
        methods.sort_unstable();
        assert_eq!(RESERVED, methods);
    }
}
