//! The parsed input of a derive: a message, a oneof or an enumeration, with its attributes.

use crate::Derive;
use crate::attr::{self, ContainerAttrs, FieldAttrs, Place, Value};
use crate::case::{Rule, screaming_snake, snake};
use crate::errors::{Errors, Spanned};
use crate::serde_attr;
use proc_macro2::Span;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{Data, DataEnum, DataStruct, DeriveInput, Fields, Generics, Ident, Path, Type};

/// The three kinds of types that the derives support.
pub(crate) enum Input {
    Message(Message),
    Oneof(Oneof),
    Enumeration(Enumeration),
}

/// The data that messages, oneofs and enumerations have in common.
pub(crate) struct Container {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the crate `tobu`.
    pub(crate) krate: Path,
    /// The name that serde uses for the type.
    pub(crate) serde_name: String,
    pub(crate) rename_all: Option<Rule>,
    pub(crate) attrs: ContainerAttrs,
}

pub(crate) struct Message {
    pub(crate) container: Container,
    pub(crate) members: Vec<Member>,
}

/// A field of a message struct.
pub(crate) struct Member {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) serde_name: String,
    pub(crate) role: Role,
    pub(crate) attrs: FieldAttrs,
}

/// The purpose of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Field,
    Oneof,
    Unknown,
    /// The member holds the presence bits of fields.
    Presence,
    /// The member keeps the proto values that conversions return for fields.
    Protos,
    Skipped,
}

/// An enum whose variants each hold one value.
pub(crate) struct Oneof {
    pub(crate) container: Container,
    pub(crate) variants: Vec<Variant>,
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    pub(crate) serde_name: String,
    pub(crate) skipped: bool,
    pub(crate) attrs: FieldAttrs,
}

/// A Rust enum without data, or a newtype over `i32`.
pub(crate) struct Enumeration {
    pub(crate) container: Container,
    pub(crate) form: Form,
}

pub(crate) enum Form {
    /// A Rust enum, and its variant for numbers without a name, if the enum has this variant.
    Enum(Vec<EnumValue>, Option<Ident>),
    /// A newtype over `i32`.
    Newtype,
}

/// A variant of a Rust enum that is an enumeration.
pub(crate) struct EnumValue {
    pub(crate) ident: Ident,
    pub(crate) serde_name: String,
    pub(crate) proto_name: Spanned<String>,
    pub(crate) json_name: Option<Spanned<String>>,
    pub(crate) number: i32,
    /// The location of the attribute with the number, if the variant has one.
    pub(crate) number_span: Option<Span>,
}

impl Input {
    pub(crate) fn container(&self) -> &Container {
        match self {
            Input::Message(message) => &message.container,
            Input::Oneof(oneof) => &oneof.container,
            Input::Enumeration(enumeration) => &enumeration.container,
        }
    }
}

impl Input {
    /// Returns the types of the members or variants that are part of the message.
    pub(crate) fn types(&self) -> Vec<&Type> {
        match self {
            Input::Message(message) => {
                message.members.iter().filter(|member| member.is_content()).map(|member| &member.ty).collect()
            }
            Input::Oneof(oneof) => {
                let variants = oneof.variants.iter().filter(|variant| !variant.skipped);
                variants.map(|variant| &variant.ty).collect()
            }
            Input::Enumeration(_) => Vec::new(),
        }
    }
}

impl Enumeration {
    /// True if the type cannot hold a number without a name.
    pub(crate) fn is_closed(&self) -> bool {
        matches!(self.form, Form::Enum(_, None))
    }
}

impl Container {
    /// Returns the values that the attribute `values(...)` lists.
    pub(crate) fn values(&self) -> &[Value] {
        self.attrs.values.as_ref().map_or(&[], |values| &values.value)
    }
}

impl Member {
    /// True if the member is a part of the message: a field, a oneof or the unknown fields.
    pub(crate) fn is_content(&self) -> bool {
        !matches!(self.role, Role::Presence | Role::Protos | Role::Skipped)
    }

    pub(crate) fn proto_name(&self) -> String {
        self.attrs.name.as_ref().map_or_else(|| self.ident.unraw().to_string(), |name| name.value.clone())
    }
}

impl Variant {
    pub(crate) fn proto_name(&self) -> String {
        self.attrs
            .name
            .as_ref()
            .map_or_else(|| snake(&self.ident.unraw().to_string()), |name| name.value.clone())
    }
}

/// Reports an error for a packed type, because Rust allows no references to its members.
fn refuse_packed(input: &DeriveInput, errors: &mut Errors) {
    for attr in input.attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
        let _ = attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("packed") {
                errors
                    .at(meta.path.span(), "members of a packed type cannot be referred to; remove `packed`");
            }
            // The compiler checks all other representations.
            if meta.input.peek(syn::token::Paren) {
                let content;
                syn::parenthesized!(content in meta.input);
                content.parse::<proc_macro2::TokenStream>()?;
            }
            Ok(())
        });
    }
}

/// Parses as much as possible, so that all errors are reported. Returns `None` if the derive does not support the type.
pub(crate) fn parse(derive: Derive, input: &DeriveInput, errors: &mut Errors) -> Option<Input> {
    if let Some(param) =
        input.generics.params.iter().find(|param| !matches!(param, syn::GenericParam::Lifetime(_)))
    {
        errors.at(
            param.span(),
            "type and const parameters are not supported: a message type has one schema; lifetimes may stay",
        );
        return None;
    }
    if matches!(derive, Derive::Message | Derive::Oneof | Derive::Enumeration) {
        refuse_packed(input, errors);
    }
    let place = place(derive, input, errors)?;
    let container = container(derive, place, input, errors);
    match (place, &input.data) {
        (Place::Message, Data::Struct(data)) => message(derive, container, data, errors).map(Input::Message),
        (Place::Oneof, Data::Enum(data)) => oneof(derive, container, data, errors).map(Input::Oneof),
        (Place::Enumeration, Data::Enum(data)) => {
            rust_enum(derive, container, data, errors).map(Input::Enumeration)
        }
        (Place::Enumeration, Data::Struct(_)) => {
            Some(Input::Enumeration(Enumeration { container, form: Form::Newtype }))
        }
        _ => None,
    }
}

pub(crate) fn krate(attrs: &ContainerAttrs) -> Path {
    attrs.krate.as_ref().map_or_else(|| syn::parse_quote!(::tobu), |krate| krate.value.clone())
}

/// Checks that the derive supports this kind of type. Returns the place of the type's attributes.
fn place(derive: Derive, input: &DeriveInput, errors: &mut Errors) -> Option<Place> {
    let named = matches!(&input.data, Data::Struct(data) if matches!(data.fields, Fields::Named(_)));
    let newtype = matches!(&input.data, Data::Struct(data) if matches!(&data.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1));
    let unit = matches!(&input.data, Data::Enum(data) if is_enumeration(data));
    let data = matches!(&input.data, Data::Enum(_));
    let span = input.ident.span();
    let mut refuse = |message: &str| {
        errors.at(span, message);
        None
    };
    match (derive, &input.data) {
        (_, Data::Union(_)) => refuse("a union cannot be a message; use a struct, or an enum for a oneof"),
        // All derives report the same text, so the compiler shows the error only once.
        (_, Data::Enum(data)) if data.variants.iter().any(|v| v.fields.is_empty()) && !unit => refuse(
            "an enum is a oneof, every variant like `Name(Type)`, or an enumeration, every variant like `Name = 1`",
        ),
        (_, Data::Enum(data)) if data.variants.is_empty() => refuse("an enum without variants has no values"),
        (Derive::Message, _) if named => Some(Place::Message),
        (Derive::Message, Data::Enum(_)) => refuse(
            "a message is a struct; derive `Oneof` on an enum of newtype variants, `Enumeration` on one without data",
        ),
        (Derive::Message, _) => refuse(
            "a message is a struct with named fields: write `struct Name { ... }`, `struct Name {}` if empty",
        ),
        (Derive::Oneof, _) if data => Some(Place::Oneof),
        (Derive::Oneof, _) => refuse("a oneof is an enum of newtype variants; derive `Message` on a struct"),
        (Derive::Enumeration, _) if unit || newtype => Some(Place::Enumeration),
        (Derive::Enumeration, _) => refuse(
            "an enumeration is an enum of variants without data, or a newtype: write `struct Name(pub i32);`",
        ),
        (_, Data::Struct(_)) if named => Some(Place::Message),
        (_, Data::Struct(_)) if newtype => Some(Place::Enumeration),
        // `derive(Message)` reports the same text, so the compiler shows the error only once.
        (_, Data::Struct(_)) => refuse(
            "a message is a struct with named fields: write `struct Name { ... }`, `struct Name {}` if empty",
        ),
        (_, Data::Enum(_)) if unit => Some(Place::Enumeration),
        (_, Data::Enum(_)) => Some(Place::Oneof),
    }
}

/// True if every variant has no data, or is the variant for unknown numbers.
pub(crate) fn is_enumeration(data: &DataEnum) -> bool {
    data.variants
        .iter()
        .all(|variant| matches!(variant.fields, Fields::Unit) || attr::is_unknown(&variant.attrs))
}

fn container(derive: Derive, place: Place, input: &DeriveInput, errors: &mut Errors) -> Container {
    let attrs = attr::container(&input.attrs, place, errors);
    let serde = serde_attr::parse(&input.attrs, derive, place, errors);
    Container {
        ident: input.ident.clone(),
        generics: input.generics.clone(),
        krate: krate(&attrs),
        serde_name: serde.rename.unwrap_or_else(|| input.ident.unraw().to_string()),
        rename_all: serde.rename_all,
        attrs,
    }
}

fn message(derive: Derive, container: Container, data: &DataStruct, errors: &mut Errors) -> Option<Message> {
    let mut members = Vec::new();
    for field in &data.fields {
        let attrs = attr::field(&field.attrs, Place::Field, errors);
        let serde = serde_attr::parse(&field.attrs, derive, Place::Field, errors);
        let ident = field.ident.clone()?;
        let name = ident.unraw().to_string();
        let serde_name = serde
            .rename
            .unwrap_or_else(|| container.rename_all.map_or_else(|| name.clone(), |rule| rule.field(&name)));
        let role = if attrs.protos.is_some() {
            Role::Protos
        } else if serde.skip || attrs.skip.is_some() {
            Role::Skipped
        } else if attrs.oneof.is_some() {
            Role::Oneof
        } else if attrs.unknown.is_some() {
            Role::Unknown
        } else if attrs.presence.is_some() {
            Role::Presence
        } else {
            Role::Field
        };
        members.push(Member { ident, ty: field.ty.clone(), serde_name, role, attrs });
    }
    Some(Message { container, members })
}

fn oneof(derive: Derive, container: Container, data: &DataEnum, errors: &mut Errors) -> Option<Oneof> {
    let mut variants = Vec::new();
    for variant in &data.variants {
        let attrs = attr::field(&variant.attrs, Place::OneofVariant, errors);
        let serde = serde_attr::parse(&variant.attrs, derive, Place::OneofVariant, errors);
        let ty = match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => fields.unnamed[0].ty.clone(),
            _ => {
                errors.at(
                    variant.ident.span(),
                    format!("a oneof variant holds one value: write `{}(Type)`", variant.ident),
                );
                continue;
            }
        };
        let name = variant.ident.unraw().to_string();
        let serde_name = serde
            .rename
            .unwrap_or_else(|| container.rename_all.map_or(name.clone(), |rule| rule.variant(&name)));
        let skipped = serde.skip || attrs.skip.is_some();
        variants.push(Variant { ident: variant.ident.clone(), ty, serde_name, skipped, attrs });
    }
    Some(Oneof { container, variants })
}

fn rust_enum(
    derive: Derive,
    container: Container,
    data: &DataEnum,
    errors: &mut Errors,
) -> Option<Enumeration> {
    let (mut values, mut unknown) = (Vec::new(), None);
    for variant in &data.variants {
        let attrs = attr::field(&variant.attrs, Place::EnumerationVariant, errors);
        let serde = serde_attr::parse(&variant.attrs, derive, Place::EnumerationVariant, errors);
        let ident = &variant.ident;
        if let Some(flag) = &attrs.unknown {
            if !matches!(&variant.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1) {
                errors.at(
                    flag.span,
                    format!("the variant for unknown numbers holds a number: write `{ident}(i32)`"),
                );
            } else if unknown.replace(ident.clone()).is_some() {
                errors.at(flag.span, "an enum has one variant for unknown numbers");
            }
            continue;
        }
        let number = match (&attrs.value_number, &variant.discriminant) {
            (Some(number), None) => Some(number.value),
            // The compiler checks that no two discriminants are equal.
            (None, Some((_, expr))) => errors.take(attr::enum_number(expr)),
            (Some(number), Some(_)) => {
                errors.at(number.span, format!("the number of `{ident}` is given twice"));
                None
            }
            (None, None) => {
                let example = match data.variants.iter().any(|variant| attr::is_unknown(&variant.attrs)) {
                    true => format!("#[tobu({})] {ident}", values.len()),
                    false => format!("{ident} = {}", values.len()),
                };
                errors.at(ident.span(), format!("a value needs its number: write `{example}`"));
                None
            }
        };
        let name = ident.unraw().to_string();
        let serde_name = serde
            .rename
            .unwrap_or_else(|| container.rename_all.map_or(name.clone(), |rule| rule.variant(&name)));
        let proto_name =
            attrs.name.unwrap_or_else(|| Spanned { value: screaming_snake(&name), span: ident.span() });
        values.push(EnumValue {
            ident: ident.clone(),
            serde_name,
            proto_name,
            json_name: attrs.json_name,
            number: number.unwrap_or_default(),
            number_span: attrs.value_number.map(|number| number.span),
        });
    }
    if let (true, Some(unknown)) = (values.is_empty(), &unknown) {
        errors.at(unknown.span(), "an enumeration has values: write `#[tobu(0)] Name` before it");
    }
    Some(Enumeration { container, form: Form::Enum(values, unknown) })
}
