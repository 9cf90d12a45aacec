//! Parses the `#[tobu(...)]` attributes. This module checks each attribute on its own; `valid` checks whether the attributes
//! fit together and fit the type.

use crate::errors::{Errors, Spanned};
use proc_macro2::{Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream, Parser as _};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Expr, ExprLit, ExprUnary, Ident, Lit, LitInt, Path, Token, Type, UnOp};

/// The item to which an attribute belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Message,
    Oneof,
    Enumeration,
    Field,
    OneofVariant,
    EnumerationVariant,
    EnumerationValue,
}

/// The attributes of a struct or an enum.
#[derive(Default)]
pub(crate) struct ContainerAttrs {
    /// True if the type has the attribute `values`, even an invalid one, whose error was already reported.
    pub(crate) has_values: bool,
    pub(crate) package: Option<Spanned<String>>,
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) descriptor: Option<Spanned<Expr>>,
    pub(crate) message: Option<Spanned<String>>,
    pub(crate) enumeration: Option<Spanned<Option<String>>>,
    pub(crate) krate: Option<Spanned<Path>>,
    pub(crate) values: Option<Spanned<Vec<Value>>>,
    pub(crate) direct: Option<Spanned<()>>,
    /// Set if the attributes declare everything that the descriptor says. The value is the slot with the registered
    /// descriptor of the file; a oneof has no slot.
    pub(crate) stated: Option<Spanned<Option<Expr>>>,
    pub(crate) extendable: Option<Spanned<()>>,
    /// Set if the message can contain extensions or an `Any`. The library looks up their descriptors in the global pool.
    pub(crate) lookup: Option<Spanned<()>>,
    /// The numbers of an enum that is closed in the schema, in the order of declaration.
    pub(crate) closed: Option<Spanned<Vec<i32>>>,
    pub(crate) conversions: Option<Spanned<()>>,
    /// Set if serde skips JSON members that the schema does not have.
    pub(crate) json_ignore_unknown: Option<Spanned<()>>,
}

/// One value of `values(...)`.
pub(crate) struct Value {
    pub(crate) docs: Vec<Attribute>,
    pub(crate) ident: Ident,
    pub(crate) json_name: Option<Spanned<String>>,
    pub(crate) number: Spanned<i32>,
}

/// The attributes of a field or a variant.
#[derive(Default)]
pub(crate) struct FieldAttrs {
    /// True if the field has a number, even an invalid one, whose error was already reported.
    pub(crate) has_number: bool,
    pub(crate) number: Option<Spanned<u32>>,
    /// The number of a value of an enumeration, which may be any `i32`.
    pub(crate) value_number: Option<Spanned<i32>>,
    pub(crate) kind: Option<Spanned<Kind>>,
    pub(crate) key: Option<Spanned<Kind>>,
    pub(crate) name: Option<Spanned<String>>,
    pub(crate) json_name: Option<Spanned<String>>,
    pub(crate) packed: Option<Spanned<bool>>,
    pub(crate) default: Option<Spanned<String>>,
    pub(crate) required: Option<Spanned<()>>,
    pub(crate) delimited: Option<Spanned<()>>,
    /// True if the attribute was written as `group`, an old name of `delimited`.
    pub(crate) group: bool,
    /// Set if the schema allows strings that are not UTF-8.
    pub(crate) loose: Option<Spanned<()>>,
    pub(crate) redact: Option<Spanned<()>>,
    /// The type that converts a member whose own type the library does not know.
    pub(crate) with: Option<Spanned<Type>>,
    pub(crate) oneof: Option<Spanned<()>>,
    pub(crate) unknown: Option<Spanned<()>>,
    pub(crate) skip: Option<Spanned<()>>,
    /// Set if the member holds the presence bits of other members.
    pub(crate) presence: Option<Spanned<()>>,
    /// Set if the member keeps the proto values of other members.
    pub(crate) protos: Option<Spanned<()>>,
    pub(crate) bit: Option<Spanned<u16>>,
}

/// A wire kind that the Rust type does not determine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    SInt32,
    SInt64,
    Fixed32,
    Fixed64,
    SFixed32,
    SFixed64,
}

impl Kind {
    /// All wire kinds, each with its name in attributes, its variant of `WireKind`, and its Rust type.
    pub(crate) const ALL: [(Kind, &'static str, &'static str, &'static str); 6] = [
        (Kind::SInt32, "sint32", "SInt32", "i32"),
        (Kind::SInt64, "sint64", "SInt64", "i64"),
        (Kind::Fixed32, "fixed32", "Fixed32", "u32"),
        (Kind::Fixed64, "fixed64", "Fixed64", "u64"),
        (Kind::SFixed32, "sfixed32", "SFixed32", "i32"),
        (Kind::SFixed64, "sfixed64", "SFixed64", "i64"),
    ];

    pub(crate) fn parse(name: &str) -> Option<Kind> {
        Self::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    fn row(self) -> &'static (Kind, &'static str, &'static str, &'static str) {
        &Self::ALL[self as usize]
    }

    pub(crate) fn name(self) -> &'static str {
        self.row().1
    }

    pub(crate) fn variant(self) -> Ident {
        Ident::new(self.row().2, Span::call_site())
    }

    pub(crate) fn rust(self) -> &'static str {
        self.row().3
    }
}

impl Place {
    const ALL: [Place; 7] = [
        Place::Message,
        Place::Oneof,
        Place::Enumeration,
        Place::Field,
        Place::OneofVariant,
        Place::EnumerationVariant,
        Place::EnumerationValue,
    ];

    fn keys(self) -> &'static [&'static str] {
        match self {
            Place::Message => &[
                "package",
                "name",
                "descriptor",
                "message",
                "crate",
                "direct",
                "stated",
                "extendable",
                "lookup",
                "json",
            ],
            Place::Oneof => &["crate", "stated"],
            Place::Enumeration => &[
                "package",
                "name",
                "descriptor",
                "enumeration",
                "values",
                "conversions",
                "crate",
                "stated",
                "closed",
            ],
            Place::Field => &[
                "number",
                "sint32",
                "sint64",
                "fixed32",
                "fixed64",
                "sfixed32",
                "sfixed64",
                "key",
                "value",
                "name",
                "json_name",
                "packed",
                "default",
                "required",
                "delimited",
                "group",
                "loose",
                "redact",
                "with",
                "oneof",
                "unknown",
                "skip",
                "presence",
                "protos",
                "bit",
            ],
            Place::OneofVariant => &[
                "number",
                "sint32",
                "sint64",
                "fixed32",
                "fixed64",
                "sfixed32",
                "sfixed64",
                "name",
                "json_name",
                "default",
                "delimited",
                "group",
                "loose",
                "redact",
                "with",
                "skip",
            ],
            Place::EnumerationVariant => &["number", "name", "json_name", "unknown"],
            Place::EnumerationValue => &["json_name"],
        }
    }

    fn what(self) -> &'static str {
        match self {
            Place::Message => "a message struct",
            Place::Oneof => "a oneof enum",
            Place::Enumeration => "an enumeration",
            Place::Field => "a field",
            Place::OneofVariant => "a oneof variant",
            Place::EnumerationVariant => "a variant of an enumeration",
            Place::EnumerationValue => "a value of an enumeration",
        }
    }
}

/// Reads the `#[tobu(...)]` attributes of a struct or an enum.
pub(crate) fn container(attrs: &[Attribute], place: Place, errors: &mut Errors) -> ContainerAttrs {
    let mut out = ContainerAttrs::default();
    for item in items(attrs, place, errors).0 {
        let span = item.span;
        match &*item.key {
            "package" => set(&mut out.package, item.string(), &item, errors),
            "name" => set(&mut out.name, item.string(), &item, errors),
            "message" => set(&mut out.message, item.full_name(), &item, errors),
            "descriptor" => set(&mut out.descriptor, item.expr().cloned(), &item, errors),
            "crate" => set(&mut out.krate, item.path(), &item, errors),
            "direct" => set(&mut out.direct, item.flag(), &item, errors),
            "conversions" => set(&mut out.conversions, item.flag(), &item, errors),
            "stated" => {
                let slot = match place {
                    Place::Oneof => item.flag().map(|()| None),
                    _ => item.expr().cloned().map(Some),
                };
                set(&mut out.stated, slot, &item, errors);
            }
            "extendable" => set(&mut out.extendable, item.flag(), &item, errors),
            "lookup" => set(&mut out.lookup, item.flag(), &item, errors),
            "json" => set(&mut out.json_ignore_unknown, item.json(), &item, errors),
            "closed" => set(&mut out.closed, item.numbers(), &item, errors),
            "values" => {
                out.has_values = true;
                set(&mut out.values, item.values(errors), &item, errors);
            }
            "enumeration" => {
                let name = if matches!(item.arg, Arg::None) { Ok(None) } else { item.full_name().map(Some) };
                set(&mut out.enumeration, name, &item, errors);
            }
            "number" => errors.at(span, "a number belongs on a field, as in `#[tobu(1)]`"),
            _ => {}
        }
    }
    out
}

/// Reads the `#[tobu(...)]` attributes of a field or a variant.
pub(crate) fn field(attrs: &[Attribute], place: Place, errors: &mut Errors) -> FieldAttrs {
    let (items, complete) = items(attrs, place, errors);
    // An attribute that could not be parsed may have been the number, so no second error must say that the number is missing.
    let mut out = FieldAttrs { has_number: !complete, ..FieldAttrs::default() };
    for item in items {
        match &*item.key {
            "number" => {
                out.has_number = true;
                if place == Place::EnumerationVariant {
                    set(&mut out.value_number, item.expr().and_then(enum_number), &item, errors);
                } else {
                    set(&mut out.number, item.number(), &item, errors);
                }
            }
            "key" => set(&mut out.key, item.kind(), &item, errors),
            "value" => set(&mut out.kind, item.kind(), &item, errors),
            "name" => set(&mut out.name, item.string(), &item, errors),
            "json_name" => set(&mut out.json_name, item.string(), &item, errors),
            "packed" => set(&mut out.packed, item.boolean(), &item, errors),
            "default" => set(&mut out.default, item.default(), &item, errors),
            "required" => set(&mut out.required, item.flag(), &item, errors),
            "delimited" | "group" => {
                out.group = item.key == "group";
                set(&mut out.delimited, item.flag(), &item, errors);
            }
            "loose" => set(&mut out.loose, item.flag(), &item, errors),
            "redact" => set(&mut out.redact, item.flag(), &item, errors),
            "with" => set(&mut out.with, item.ty(), &item, errors),
            "oneof" => set(&mut out.oneof, item.flag(), &item, errors),
            "unknown" => set(&mut out.unknown, item.flag(), &item, errors),
            "skip" => set(&mut out.skip, item.flag(), &item, errors),
            "presence" => set(&mut out.presence, item.flag(), &item, errors),
            "protos" => set(&mut out.protos, item.flag(), &item, errors),
            "bit" => set(&mut out.bit, item.bit(), &item, errors),
            name => {
                if let Some(kind) = Kind::parse(name) {
                    set(&mut out.kind, item.flag().map(|()| kind), &item, errors);
                }
            }
        }
    }
    out
}

/// True if an attribute marks the variant as the variant for unknown numbers. Ignores errors in the attributes.
pub(crate) fn is_unknown(attrs: &[Attribute]) -> bool {
    let items = items(attrs, Place::EnumerationVariant, &mut Errors::default()).0;
    items.iter().any(|item| item.key == "unknown")
}

/// One entry of a `#[tobu(...)]` list.
struct Item {
    key: String,
    span: Span,
    arg: Arg,
}

enum Arg {
    None,
    Expr(Box<Expr>),
    Type(Box<Type>),
    List(TokenStream),
}

/// Returns the entries of all `#[tobu(...)]` lists whose keys are allowed at `place`. The bool is true if all lists could be
/// parsed.
fn items(attrs: &[Attribute], place: Place, errors: &mut Errors) -> (Vec<Item>, bool) {
    let (mut out, mut complete) = (Vec::new(), true);
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("tobu")) {
        let parsed = attr.parse_args_with(Punctuated::<Item, Token![,]>::parse_terminated);
        complete &= parsed.is_ok();
        for item in errors.take(parsed).into_iter().flatten() {
            match check_key(&item, place) {
                Ok(()) => out.push(item),
                Err(error) => errors.push(error),
            }
        }
    }
    (out, complete)
}

fn check_key(item: &Item, place: Place) -> syn::Result<()> {
    let key = &*item.key;
    if place.keys().contains(&key) {
        return Ok(());
    }
    let message = if key == "number" {
        format!("{} has no number; a number belongs on a field, as in `#[tobu(1)]`", place.what())
    } else if let Some(right) = Place::ALL.iter().find(|other| other.keys().contains(&key)) {
        format!("`{key}` belongs on {}, not on {}", right.what(), place.what())
    } else {
        let keys: Vec<String> = place.keys().iter().map(|key| spell(key)).collect();
        format!("unknown attribute `{key}`; {} takes {}", place.what(), keys.join(", "))
    };
    Err(syn::Error::new(item.span, message))
}

fn spell(key: &str) -> String {
    if key == "number" { "a number".to_owned() } else { format!("`{key}`") }
}

fn set<T>(slot: &mut Option<Spanned<T>>, value: syn::Result<T>, item: &Item, errors: &mut Errors) {
    let Some(value) = errors.take(value) else { return };
    if slot.is_some() {
        errors.at(item.span, format!("`{}` is given twice", item.key));
    }
    *slot = Some(Spanned { value, span: item.span });
}

impl Parse for Item {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(LitInt) {
            let number: LitInt = input.parse()?;
            let expr = Expr::Lit(ExprLit { attrs: Vec::new(), lit: Lit::Int(number.clone()) });
            return Ok(Item {
                key: "number".to_owned(),
                span: number.span(),
                arg: Arg::Expr(Box::new(expr)),
            });
        }
        if !input.peek(Ident::peek_any) {
            return Err(
                input.error("expected a field number such as `1`, or an attribute such as `name = \"...\"`")
            );
        }
        let ident = Ident::parse_any(input)?;
        let arg = if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            match ident == "with" && !input.peek(Lit) {
                true => Arg::Type(Box::new(input.parse()?)),
                false => Arg::Expr(Box::new(input.parse()?)),
            }
        } else if input.peek(syn::token::Paren) {
            let content;
            syn::parenthesized!(content in input);
            Arg::List(content.parse()?)
        } else {
            Arg::None
        };
        Ok(Item { key: ident.unraw().to_string(), span: ident.span(), arg })
    }
}

impl Item {
    fn error(&self, message: String) -> syn::Error {
        let span = match &self.arg {
            Arg::Expr(expr) => expr.span(),
            _ => self.span,
        };
        syn::Error::new(span, message)
    }

    fn expr(&self) -> syn::Result<&Expr> {
        match &self.arg {
            Arg::Expr(expr) => Ok(ungroup(expr)),
            _ => Err(self.error(format!("`{0}` wants a value: write `{0} = ...`", self.key))),
        }
    }

    fn string(&self) -> syn::Result<String> {
        match &self.arg {
            Arg::Expr(expr) => match ungroup(expr) {
                Expr::Lit(ExprLit { lit: Lit::Str(string), .. }) => Ok(string.value()),
                _ => Err(self.error(format!("`{0}` wants a string: write `{0} = \"...\"`", self.key))),
            },
            _ => Err(self.error(format!("`{0}` wants a string: write `{0} = \"...\"`", self.key))),
        }
    }

    /// Returns the full name of a message or an enum. The name must not contain NUL, because NUL separates the names of a
    /// type in one string.
    fn full_name(&self) -> syn::Result<String> {
        match self.string()? {
            name if name.contains('\0') => Err(self.error("a name cannot contain NUL".into())),
            name => Ok(name),
        }
    }

    fn flag(&self) -> syn::Result<()> {
        match &self.arg {
            Arg::None => Ok(()),
            _ => Err(self.error(format!("`{0}` takes no value: write `{0}`", self.key))),
        }
    }

    fn boolean(&self) -> syn::Result<bool> {
        match &self.arg {
            Arg::None => Ok(true),
            Arg::Expr(expr) => match ungroup(expr) {
                Expr::Lit(ExprLit { lit: Lit::Bool(value), .. }) => Ok(value.value),
                _ => Err(self.error(format!("`{0}` wants `true` or `false`", self.key))),
            },
            _ => Err(self.error(format!("`{0}` wants `true` or `false`", self.key))),
        }
    }

    fn kind(&self) -> syn::Result<Kind> {
        let name = self.string()?;
        Kind::parse(&name).ok_or_else(|| {
            let kinds: Vec<&str> = Kind::ALL.iter().map(|row| row.1).collect();
            self.error(format!("unknown wire kind `{name}`; write one of {}", kinds.join(", ")))
        })
    }

    fn path(&self) -> syn::Result<Path> {
        match self.expr()? {
            Expr::Path(path) if path.qself.is_none() => Ok(path.path.clone()),
            Expr::Lit(ExprLit { lit: Lit::Str(string), .. }) => string.parse_with(Path::parse_mod_style),
            _ => Err(self.error(format!("`{0}` wants a path: write `{0} = \"path::to::tobu\"`", self.key))),
        }
    }

    fn ty(&self) -> syn::Result<Type> {
        if let Arg::Type(ty) = &self.arg {
            return Ok(Type::clone(ty));
        }
        match self.expr()? {
            Expr::Lit(ExprLit { lit: Lit::Str(string), .. }) => string.parse(),
            _ => Err(self.error(format!("`{0}` wants a type: write `{0} = path::to::Type`", self.key))),
        }
    }

    /// Returns a field number: from 1 to 2^29 - 1, but not in the range that protobuf reserves.
    ///
    /// <https://protobuf.dev/programming-guides/editions/#assigning>
    fn number(&self) -> syn::Result<u32> {
        let wanted = || self.error("a field number is a literal from 1 to 536870911".to_owned());
        let Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) = self.expr()? else { return Err(wanted()) };
        let number: u32 = literal.base10_parse().map_err(|_| wanted())?;
        match number {
            0 | 0x2000_0000.. => Err(wanted()),
            19_000..=19_999 => Err(self
                .error("field numbers 19000 to 19999 are reserved by protobuf; choose another".to_owned())),
            _ => Ok(number),
        }
    }

    fn bit(&self) -> syn::Result<u16> {
        match self.expr()? {
            Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_parse().ok(),
            _ => None,
        }
        .ok_or_else(|| self.error("a presence bit is a literal from 0 to 65535".to_owned()))
    }

    /// Returns a default value in the syntax of descriptors. A name without quotes is `inf`, `nan` or a value of an enum.
    fn default(&self) -> syn::Result<String> {
        let (sign, expr) = match self.expr()? {
            Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => ("-", ungroup(expr)),
            expr => ("", expr),
        };
        match expr {
            Expr::Lit(ExprLit { lit, .. }) => match lit {
                Lit::Int(value) => return Ok(format!("{sign}{}", value.base10_digits())),
                Lit::Float(value) => return Ok(format!("{sign}{}", value.base10_digits())),
                Lit::Str(value) if sign.is_empty() => return Ok(value.value()),
                Lit::Bool(value) if sign.is_empty() => return Ok(value.value.to_string()),
                Lit::ByteStr(value) if sign.is_empty() => return Ok(c_escape(&value.value())),
                _ => {}
            },
            Expr::Path(path) => {
                if let Some(ident) = path.path.get_ident() {
                    return Ok(format!("{sign}{}", ident.unraw()));
                }
            }
            _ => {}
        }
        Err(self.error(
            "`default` wants a literal: a number, a string, a byte string, `true` or `false`".to_owned(),
        ))
    }

    /// Checks the argument of `json(...)`.
    fn json(&self) -> syn::Result<()> {
        match &self.arg {
            Arg::List(tokens) if tokens.to_string() == "ignore_unknown" => Ok(()),
            _ => Err(self.error("write `json(ignore_unknown)`".to_owned())),
        }
    }

    fn numbers(&self) -> syn::Result<Vec<i32>> {
        let Arg::List(tokens) = &self.arg else {
            return Err(self.error(format!("`{0}` wants numbers: write `{0}(0, 1)`", self.key)));
        };
        let numbers = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(tokens.clone())?;
        numbers.iter().map(enum_number).collect()
    }

    fn values(&self, errors: &mut Errors) -> syn::Result<Vec<Value>> {
        let Arg::List(tokens) = &self.arg else {
            return Err(self.error("write `values(RED = 0, GREEN = 1)`".to_owned()));
        };
        let parser = |input: ParseStream<'_>| {
            let mut out = Vec::new();
            while !input.is_empty() {
                let attrs = input.call(Attribute::parse_outer)?;
                let json_name = field(&attrs, Place::EnumerationValue, errors).json_name;
                let docs = attrs.into_iter().filter(|attr| !attr.path().is_ident("tobu")).collect();
                let ident = Ident::parse_any(input)?;
                input.parse::<Token![=]>()?;
                let expr: Expr = input.parse()?;
                match enum_number(&expr) {
                    Ok(number) => {
                        let number = Spanned { value: number, span: expr.span() };
                        out.push(Value { docs, ident, json_name, number });
                    }
                    Err(error) => errors.push(error),
                }
                if !input.is_empty() {
                    input.parse::<Token![,]>()?;
                }
            }
            Ok(out)
        };
        if tokens.is_empty() {
            return Err(self.error("write `values(RED = 0, GREEN = 1)`".to_owned()));
        }
        parser.parse2(tokens.clone())
    }
}

/// Returns the number of an enum's value, which must be a literal that fits `i32`.
pub(crate) fn enum_number(expr: &Expr) -> syn::Result<i32> {
    let (sign, literal) = match ungroup(expr) {
        Expr::Unary(ExprUnary { op: UnOp::Neg(_), expr, .. }) => ("-", ungroup(expr)),
        expr => ("", expr),
    };
    if let Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) = literal
        && let Ok(number) = format!("{sign}{}", int.base10_digits()).parse()
    {
        return Ok(number);
    }
    Err(syn::Error::new(expr.span(), "the number of a value is a literal that fits `i32`"))
}

/// Returns the expression inside invisible groups, which a macro may have added.
fn ungroup(mut expr: &Expr) -> &Expr {
    while let Expr::Group(group) = expr {
        expr = &group.expr;
    }
    expr
}

/// Escapes bytes in the syntax of descriptors: with C escapes, and octal escapes for bytes that cannot be printed.
fn c_escape(bytes: &[u8]) -> String {
    let mut out = String::new();
    for &byte in bytes {
        match byte {
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b'"' | b'\'' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            0x20..=0x7E => out.push(char::from(byte)),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out
}
