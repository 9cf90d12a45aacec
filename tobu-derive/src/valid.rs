//! Checks that attributes fit together, and that they fit the types, as far as the macro can understand the types.

use crate::Derive;
use crate::ast::{Container, Enumeration, Form, Input, Member, Message, Oneof, Role};
use crate::attr::{FieldAttrs, Kind};
use crate::errors::{Errors, Spanned};
use proc_macro2::Span;
use std::collections::HashMap;
use syn::spanned::Spanned as _;
use syn::{Expr, GenericArgument, PathArguments, Type};

/// Checks everything that does not depend on other types.
pub(crate) fn validate(derive: Derive, input: &Input, errors: &mut Errors) {
    schema(input, errors);
    match input {
        Input::Message(message) => self::message(derive, message, errors),
        Input::Oneof(oneof) => self::oneof(derive, oneof, errors),
        Input::Enumeration(enumeration) => self::enumeration(derive, enumeration, errors),
    }
}

fn schema(input: &Input, errors: &mut Errors) {
    let attrs = &input.container().attrs;
    if attrs.descriptor.is_some() {
        for (given, key) in [(&attrs.package, "package"), (&attrs.name, "name")] {
            if let Some(given) = given {
                errors.at(
                    given.span,
                    format!("`{key}` is for a type that declares its schema; `descriptor` binds one"),
                );
            }
        }
    } else if let Some(message) = &attrs.message {
        errors.at(
            message.span,
            "`message` names one in a `descriptor`: write `descriptor = ..., message = \"...\"`, or `name = \"...\"`",
        );
    } else if let Some(Spanned { value: Some(_), span }) = &attrs.enumeration {
        errors.at(
            *span,
            "`enumeration = ...` names one in a `descriptor`: write `descriptor = ..., enumeration = \"...\"`, or `name = \"...\"`",
        );
    }
    stated(input, errors);
    if let Some(package) = &attrs.package
        && !package.value.is_empty()
        && !package.value.split('.').all(is_identifier)
    {
        errors.at(package.span, "a package is identifiers with dots between them, as in `library.v1`");
    }
    if let Some(name) = &attrs.name {
        identifier(name, errors);
    }
}

/// Checks the attributes of a type with `stated`: a message or an enum needs the full name by which the library finds it in the
/// file, and each field needs a number. Rejects `extendable`, `lookup` and `closed` on other types.
fn stated(input: &Input, errors: &mut Errors) {
    let attrs = &input.container().attrs;
    let (name, numbers) = match input {
        Input::Message(message) => {
            let fields = message.members.iter().filter(|member| member.role == Role::Field);
            (attrs.message.is_some(), fields.map(|field| &field.attrs).all(|attrs| attrs.has_number))
        }
        Input::Enumeration(_) => (matches!(attrs.enumeration, Some(Spanned { value: Some(_), .. })), true),
        Input::Oneof(oneof) => (true, oneof.variants.iter().all(|variant| variant.attrs.has_number)),
    };
    let Some(Spanned { value: slot, span }) = &attrs.stated else {
        let others = [
            (attrs.extendable.as_ref().map(|it| it.span), "extendable"),
            (attrs.lookup.as_ref().map(|it| it.span), "lookup"),
            (attrs.closed.as_ref().map(|it| it.span), "closed"),
        ];
        for (span, key) in others {
            if let Some(span) = span {
                errors.at(span, format!("`{key}` is for a type whose schema is `stated`"));
            }
        }
        return;
    };
    if slot.is_some() && !(name && matches!(attrs.descriptor, Some(Spanned { value: Expr::Path(_), .. }))) {
        errors.at(
            *span,
            "`stated` is for a type of a generated file: it goes with `descriptor = FILE` and its full name",
        );
    }
    if !numbers {
        errors.at(*span, "a type whose schema is `stated` gives the number of each field");
    }
}

fn message(derive: Derive, message: &Message, errors: &mut Errors) {
    let mut numbers = Unique::default();
    let mut proto_names = Unique::default();
    let mut serde_names = Unique::default();
    let mut bits = Unique::default();
    let mut unknown = None;
    let (mut presence, mut protos) = (None, None);
    for member in &message.members {
        let span = member.ident.span();
        if member.is_content() {
            serde_names.check(member.serde_name.clone(), span, "serde name", &member.ident, errors);
        }
        match member.role {
            Role::Skipped => only("skip", &member.attrs, errors),
            Role::Unknown => {
                only("unknown", &member.attrs, errors);
                let first = *unknown.get_or_insert(&member.ident);
                if first != &member.ident {
                    errors.at(
                        span,
                        format!("the unknown fields go to one member, but `{first}` is already this member"),
                    );
                }
            }
            Role::Presence => {
                only("presence", &member.attrs, errors);
                let first = *presence.get_or_insert(&member.ident);
                if first != &member.ident {
                    errors.at(
                        span,
                        format!("a message has one member with presence bits, but `{first}` is already this member"),
                    );
                }
            }
            Role::Protos => {
                only("protos", &member.attrs, errors);
                let first = *protos.get_or_insert(&member.ident);
                if first != &member.ident {
                    errors.at(
                        span,
                        format!(
                            "a message has one member that keeps proto values, but `{first}` is already this member"
                        ),
                    );
                }
            }
            Role::Oneof => {
                only("oneof", &member.attrs, errors);
                proto_names.check(member.proto_name(), span, "proto name", &member.ident, errors);
                if arguments(&member.ty, &["Option"]).is_none_or(|types| types.len() != 1) {
                    errors.at(
                        member.ty.span(),
                        "a oneof can be unset: write `Option<...>` of an enum that derives `Oneof`",
                    );
                }
            }
            Role::Field => {
                proto_names.check(member.proto_name(), span, "proto name", &member.ident, errors);
                field(&message.container, derive, member, &mut numbers, errors);
                if let Some(bit) = &member.attrs.bit {
                    bits.check(bit.value, bit.span, "presence bit", &member.ident, errors);
                }
            }
        }
    }
    let mut bits = message.members.iter().filter_map(|member| member.attrs.bit.as_ref());
    if let (None, Some(bit)) = (presence, bits.next_back()) {
        errors.at(
            bit.span,
            "a presence bit needs a member that holds it: write `#[tobu(presence)] presence: tobu::Presence<1>`",
        );
    }
}

fn field(
    container: &Container,
    derive: Derive,
    member: &Member,
    numbers: &mut Unique<u32>,
    errors: &mut Errors,
) {
    match &member.attrs.number {
        Some(number) => numbers.check(number.value, number.span, "field number", &member.ident, errors),
        None if derive == Derive::Message && container.attrs.descriptor.is_none() && !member.attrs.has_number => errors.at(
            member.ident.span(),
            "a field needs its number: write `#[tobu(1)]`, or `oneof`, `unknown` or `skip` if it is not a field",
        ),
        None => {}
    }
    if derive == Derive::Message {
        foreign(&member.attrs, &member.ty, errors);
    }
    single(container, &member.attrs, &member.ty, false, errors);
}

/// Reports an error for Rust's number types that protobuf does not have, and for arrays and similar types. Otherwise the
/// compiler would report such a type more than once, each time with different help.
fn foreign(attrs: &FieldAttrs, ty: &Type, errors: &mut Errors) {
    const NUMBERS: [(&str, &str); 9] = [
        ("u8", "u32"),
        ("u16", "u32"),
        ("u128", "u64"),
        ("usize", "u64"),
        ("i8", "i32"),
        ("i16", "i32"),
        ("i128", "i64"),
        ("isize", "i64"),
        ("char", "u32"),
    ];
    if attrs.with.is_some() {
        return;
    }
    let inner = Look::innermost(ty);
    if is_built_in(&inner) {
        errors.at(
            inner.span(),
            "protobuf has no type for this: write a `Vec` or a message, or name a conversion, `#[tobu(1, with = ...)]`",
        );
    }
    let known = |name: &&(&str, &str)| matches!(&inner, Type::Path(path) if path.path.is_ident(name.0));
    if let Some((number, other)) = NUMBERS.iter().find(known)
        && Look::of(ty).leaf == Leaf::Other
    {
        errors.at(
            inner.span(),
            format!(
                "protobuf has no `{number}`: write `{other}`, or name a conversion, `#[tobu(1, with = ...)]`"
            ),
        );
    }
}

/// True for a type that is built into Rust and that no field can have, such as an array or a tuple.
fn is_built_in(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => match &*reference.elem {
            Type::Slice(slice) => !is_u8(&slice.elem),
            _ => false,
        },
        Type::Slice(slice) => !is_u8(&slice.elem),
        Type::Array(_) | Type::FnPtr(_) | Type::Never(_) | Type::Ptr(_) | Type::Tuple(_) => true,
        _ => false,
    }
}

fn oneof(derive: Derive, oneof: &Oneof, errors: &mut Errors) {
    let mut numbers = Unique::default();
    let mut proto_names = Unique::default();
    let mut serde_names = Unique::default();
    for variant in &oneof.variants {
        let span = variant.ident.span();
        if variant.skipped {
            only("skip", &variant.attrs, errors);
            continue;
        }
        serde_names.check(variant.serde_name.clone(), span, "serde name", &variant.ident, errors);
        proto_names.check(variant.proto_name(), span, "proto name", &variant.ident, errors);
        match &variant.attrs.number {
            Some(number) => numbers.check(number.value, number.span, "field number", &variant.ident, errors),
            None if derive == Derive::Oneof && !variant.attrs.has_number => {
                errors.at(span, "a variant needs its field number: write `#[tobu(1)]`");
            }
            None => {}
        }
        if derive == Derive::Oneof {
            foreign(&variant.attrs, &variant.ty, errors);
        }
        single(&oneof.container, &variant.attrs, &variant.ty, true, errors);
        let look = Look::of(&variant.ty);
        if look.list || look.option || look.key.is_some() {
            errors.at(
                variant.ty.span(),
                "a oneof variant holds a single value; put a list or a map into a message",
            );
        }
    }
    if oneof.variants.iter().all(|variant| variant.skipped) && !oneof.variants.is_empty() {
        errors.at(oneof.container.ident.span(), "a oneof needs a variant that is not skipped");
    }
}

fn enumeration(derive: Derive, enumeration: &Enumeration, errors: &mut Errors) {
    let container = &enumeration.container;
    let attrs = &container.attrs;
    match &enumeration.form {
        Form::Enum(values, _) => {
            if let Some(given) = &attrs.values {
                errors.at(
                    given.span,
                    "the values of an enum are its variants; `values` is for a newtype over `i32`",
                );
            }
            let (mut names, mut numbers) = (Unique::default(), Unique::default());
            for value in values {
                if let Some(span) = value.number_span {
                    numbers.check(value.number, span, "number", &value.ident, errors);
                }
                identifier(&value.proto_name, errors);
                let span = value.proto_name.span;
                names.check(value.proto_name.value.clone(), span, "proto name", &value.ident, errors);
            }
        }
        Form::Newtype => {
            let span = container.ident.span();
            let names_one = matches!(&attrs.enumeration, Some(Spanned { value: Some(_), .. }));
            if !attrs.has_values && attrs.enumeration.is_none() {
                errors.at(
                    span,
                    "a newtype is an enumeration only if it lists its values: write `#[tobu(values(ZERO = 0, ...))]`",
                );
            } else if attrs.descriptor.is_none() && !names_one && derive == Derive::Enumeration {
                match container.values().first() {
                    None if attrs.has_values => {}
                    None => {
                        errors.at(span, "an enumeration has values: write `#[tobu(values(ZERO = 0, ...))]`")
                    }
                    Some(first) if first.number.value != 0 => {
                        errors.at(
                            first.number.span,
                            "the first value of an open enumeration is its default and has number 0",
                        );
                    }
                    Some(_) => {}
                }
            }
            let mut numbers = Unique::default();
            let mut names = Unique::default();
            for value in container.values() {
                names.check(value.ident.to_string(), value.ident.span(), "name", &value.ident, errors);
                numbers.check(value.number.value, value.number.span, "number", &value.ident, errors);
            }
        }
    }
}

/// Reports an error for every attribute that `key` excludes.
fn only(key: &str, attrs: &FieldAttrs, errors: &mut Errors) {
    let name = attrs.name.as_ref().map(|name| name.span).filter(|_| key != "oneof");
    let others = [
        (attrs.number.as_ref().map(|it| it.span), "number"),
        (attrs.kind.as_ref().map(|it| it.span), "wire kind"),
        (attrs.key.as_ref().map(|it| it.span), "`key`"),
        (name, "`name`"),
        (attrs.json_name.as_ref().map(|it| it.span), "`json_name`"),
        (attrs.packed.as_ref().map(|it| it.span), "`packed`"),
        (attrs.default.as_ref().map(|it| it.span), "`default`"),
        (attrs.required.as_ref().map(|it| it.span), "`required`"),
        (attrs.delimited.as_ref().map(|it| it.span), "`delimited`"),
        (attrs.loose.as_ref().map(|it| it.span), "`loose`"),
        (attrs.redact.as_ref().map(|it| it.span), "`redact`"),
        (attrs.with.as_ref().map(|it| it.span), "`with`"),
        (attrs.oneof.as_ref().map(|it| it.span).filter(|_| key != "oneof"), "`oneof`"),
        (attrs.unknown.as_ref().map(|it| it.span).filter(|_| key != "unknown"), "`unknown`"),
        (attrs.skip.as_ref().map(|it| it.span).filter(|_| key != "skip"), "`skip`"),
        (attrs.presence.as_ref().map(|it| it.span).filter(|_| key != "presence"), "`presence`"),
        (attrs.protos.as_ref().map(|it| it.span).filter(|_| key != "protos"), "`protos`"),
        (attrs.bit.as_ref().map(|it| it.span), "`bit`"),
    ];
    for (span, other) in others {
        if let Some(span) = span {
            let hint = if key == "oneof" && other == "number" {
                "; the variants of its enum have numbers"
            } else {
                ""
            };
            errors.at(span, format!("`{key}` cannot be combined with a {other}{hint}").replace("a `", "`"));
        }
    }
    if let Some(name) = attrs.name.as_ref().filter(|_| key == "oneof") {
        identifier(name, errors);
    }
}

/// Checks the attributes of one field against the type of the field.
fn single(container: &Container, attrs: &FieldAttrs, ty: &Type, in_oneof: bool, errors: &mut Errors) {
    if let Some(name) = &attrs.name {
        identifier(name, errors);
    }
    let look = Look::of(ty);
    let several = look.list || look.key.is_some();
    for (given, key) in [
        (attrs.required.as_ref().map(|it| it.span), "required"),
        (attrs.default.as_ref().map(|it| it.span), "default"),
    ] {
        if let Some(span) = given.filter(|_| several) {
            errors.at(span, format!("`{key}` is for a single value, not for a list or a map"));
        }
    }
    if let Some(bit) = &attrs.bit
        && (several || look.option || attrs.with.is_some())
    {
        errors
            .at(bit.span, "`bit` is for a number, a string, bytes or an enumeration that is not an `Option`");
    }
    if let Some(loose) = &attrs.loose
        && container.attrs.stated.is_none()
    {
        errors.at(loose.span, "`loose` is for a type whose schema is `stated`");
    }
    if attrs.with.is_some() {
        // Only the conversion knows the kind of the field, so the library checks the other attributes when it builds the
        // table.
        return;
    }
    if let Some(kind) = &attrs.kind {
        fits(kind, look.leaf, errors);
    }
    if let Some(key) = &attrs.key {
        match look.key {
            Some(leaf) => fits(key, leaf, errors),
            None if look.leaf != Leaf::Other => errors.at(key.span, "`key` is for the key of a map"),
            None => {}
        }
    }
    if let Some(packed) = &attrs.packed
        && (look.key.is_some()
            || matches!(look.leaf, Leaf::Str { .. } | Leaf::Bytes)
            || look.leaf != Leaf::Other && !look.list)
    {
        errors.at(packed.span, "`packed` is for lists of numbers");
    }
    if let Some(default) = &attrs.default
        && look.leaf != Leaf::Other
        && !(several || look.option || attrs.bit.is_some() || attrs.required.is_some() || in_oneof)
    {
        errors.at(
            default.span,
            "`default` is for a member that can be absent: write `Option<...>`, or `required`",
        );
    }
    if let Some(delimited) = &attrs.delimited
        && (look.leaf != Leaf::Other || look.key.is_some())
    {
        errors.at(delimited.span, "`delimited` is for messages");
    }
}

fn fits(kind: &Spanned<Kind>, leaf: Leaf, errors: &mut Errors) {
    let rust = match leaf {
        Leaf::Other => return,
        Leaf::Scalar(rust) if rust == kind.value.rust() => return,
        Leaf::Scalar(rust) => rust,
        Leaf::Str { .. } => "a string",
        Leaf::Bytes => "bytes",
    };
    let better: Vec<String> =
        Kind::ALL.iter().filter(|row| row.3 == rust).map(|row| format!("`{}`", row.1)).collect();
    let hint = if better.is_empty() {
        format!("{rust} has one wire kind; leave it out")
    } else {
        format!("{rust} takes {}, or none", better.join(", "))
    };
    errors.at(kind.span, format!("`{}` is a kind of {}; {hint}", kind.value.name(), kind.value.rust()));
}

/// True if a type looks like a number, a string, bytes, or a list or map of these.
pub(crate) fn is_scalar(ty: &Type) -> bool {
    Look::of(ty).leaf != Leaf::Other
}

/// True if a type may be a map, or may be or contain a message. A type named `String` may be a message, too.
pub(crate) fn may_have_messages(ty: &Type) -> bool {
    let look = Look::of(ty);
    look.key.is_some() || matches!(look.leaf, Leaf::Other | Leaf::Str { by_path: false })
}

/// The form of a type, judged by its names alone, because a macro cannot resolve names.
#[derive(Clone, Copy)]
struct Look {
    option: bool,
    list: bool,
    key: Option<Leaf>,
    leaf: Leaf,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Leaf {
    Scalar(&'static str),
    /// `String` or `str`. `by_path` is true if the type is written `std::string::String`, as generated code writes it.
    Str {
        by_path: bool,
    },
    Bytes,
    /// Any other type: a message, an enum or an alias.
    Other,
}

impl Look {
    /// Returns the type of the values inside options, lists, boxes and maps.
    fn innermost(ty: &Type) -> Type {
        let containers = ["Option", "Vec", "Box", "HashMap", "BTreeMap", "VecMap"];
        match arguments(ty, &containers).as_deref() {
            Some([inner] | [_, inner, ..]) => Look::innermost(inner),
            _ => ty.clone(),
        }
    }

    fn of(ty: &Type) -> Look {
        let leaf = Leaf::of(ty);
        if leaf != Leaf::Other {
            return Look { option: false, list: false, key: None, leaf };
        }
        if let Some([inner]) = arguments(ty, &["Option"]).as_deref() {
            return Look { option: true, ..Look::of(inner) };
        }
        if let Some([inner]) = arguments(ty, &["Vec"]).as_deref() {
            return Look { list: true, ..Look::of(inner) };
        }
        if let Some([inner]) = arguments(ty, &["Box"]).as_deref() {
            return Look::of(inner);
        }
        if let Some([key, value, ..]) = arguments(ty, &["HashMap", "BTreeMap", "VecMap"]).as_deref() {
            return Look { key: Some(Leaf::of(key)), ..Look::of(value) };
        }
        Look { option: false, list: false, key: None, leaf }
    }
}

impl Leaf {
    fn of(ty: &Type) -> Leaf {
        match ty {
            Type::Group(group) => return Leaf::of(&group.elem),
            Type::Paren(paren) => return Leaf::of(&paren.elem),
            Type::Reference(reference) => match &*reference.elem {
                Type::Slice(slice) if is_u8(&slice.elem) => return Leaf::Bytes,
                inner => return Leaf::of(inner),
            },
            _ => {}
        }
        if let Some([inner]) = arguments(ty, &["Vec"]).as_deref() {
            return if is_u8(inner) { Leaf::Bytes } else { Leaf::Other };
        }
        let Type::Path(path) = ty else { return Leaf::Other };
        let segments: Vec<String> =
            path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let (name, by_path) = match &segments[..] {
            [name] => (name, false),
            // Only generated code writes this path.
            [library, module, name] if library == "std" && module == "string" => (name, true),
            _ => return Leaf::Other,
        };
        const SCALARS: [&str; 7] = ["bool", "i32", "i64", "u32", "u64", "f32", "f64"];
        match SCALARS.iter().find(|scalar| *scalar == name) {
            Some(scalar) => Leaf::Scalar(scalar),
            None if name == "String" || name == "str" => Leaf::Str { by_path },
            None => Leaf::Other,
        }
    }
}

/// Returns the type arguments of `ty` if the last segment of its path is one of `names`.
fn arguments(ty: &Type, names: &[&str]) -> Option<Vec<Type>> {
    let path = match ty {
        Type::Path(path) if path.qself.is_none() => &path.path,
        Type::Group(group) => return arguments(&group.elem, names),
        Type::Paren(paren) => return arguments(&paren.elem, names),
        _ => return None,
    };
    let segment = path.segments.last()?;
    if !names.iter().any(|name| segment.ident == name) {
        return None;
    }
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    Some(types.collect())
}

fn is_u8(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.is_ident("u8"))
}

fn is_identifier(name: &str) -> bool {
    let mut letters = name.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn identifier(name: &Spanned<String>, errors: &mut Errors) {
    if !is_identifier(&name.value) {
        errors.at(
            name.span,
            format!("`{}` is not a proto identifier: letters, digits and underscores", name.value),
        );
    }
}

/// The names and numbers that earlier members have, each with the name of its member.
struct Unique<K>(HashMap<K, String>);

impl<K> Default for Unique<K> {
    fn default() -> Self {
        Unique(HashMap::new())
    }
}

impl<K: std::hash::Hash + Eq + std::fmt::Display + Clone> Unique<K> {
    fn check(&mut self, key: K, span: Span, what: &str, owner: &syn::Ident, errors: &mut Errors) {
        if let Some(first) = self.0.get(&key) {
            errors.at(span, format!("{what} {key} is taken by `{first}` already"));
        } else {
            self.0.insert(key, owner.to_string());
        }
    }
}
