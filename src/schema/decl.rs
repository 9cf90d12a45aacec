//! The protobuf declarations of a Rust type, before proto3 or an edition is chosen as their syntax.

use std::collections::HashMap;

use crate::descriptor::{FileDescriptor, Type};
use crate::error::{Error, Result};
use crate::layout::{
    Attributes, Declaration, EnumShape, FieldShape, MessageShape, OneofShape, Role, Schema, Storage,
    TypeShape, WireKind,
};
use crate::sort::sort_by_key;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Decl {
    Message(MessageDecl),
    Enum(EnumDecl),
}

/// The fields of a message, including the fields of its oneofs.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct MessageDecl {
    pub(super) fields: Vec<FieldDecl>,
    pub(super) oneofs: Vec<&'static str>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct FieldDecl {
    pub(super) name: &'static str,
    pub(super) json_name: Option<&'static str>,
    pub(super) number: u32,
    pub(super) form: Form,
    pub(super) kind: Kind,
    pub(super) default: Option<&'static str>,
    pub(super) delimited: bool,
    pub(super) redact: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Form {
    Implicit,
    Explicit,
    Required,
    /// A member of the oneof with this index.
    Oneof(usize),
    /// A list, with the value of its attribute `packed`, if it has this attribute.
    List(Option<bool>),
    /// A map, with the kind of its key.
    Map(Scalar),
}

/// The kind of one value.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kind {
    Scalar(Scalar),
    Enum(Reference),
    Message(Reference),
}

/// The scalar types, by their number in `FieldDescriptorProto.Type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scalar {
    Double = 1,
    Float = 2,
    Int64 = 3,
    UInt64 = 4,
    Int32 = 5,
    Fixed64 = 6,
    Fixed32 = 7,
    Bool = 8,
    String = 9,
    Bytes = 12,
    UInt32 = 13,
    SFixed32 = 15,
    SFixed64 = 16,
    SInt32 = 17,
    SInt64 = 18,
}

impl Scalar {
    /// Returns the type as descriptors store it.
    pub(super) fn ty(self) -> Type {
        Type::from_number(self as i32).expect("every scalar is a type")
    }
}

/// An enum: the name and the number of each value. If a value has the number zero, it comes first.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EnumDecl {
    pub(super) values: Vec<(&'static str, i32)>,
    /// The number and the JSON name of each value that has a separate JSON name.
    pub(super) json_names: &'static [(i32, &'static str)],
    pub(super) closed: bool,
}

impl MessageDecl {
    /// Returns the declarations of a struct.
    ///
    /// # Errors
    /// A member cannot be a field, has no number, or has the number or the name of another member. The error names the struct
    /// and the member.
    pub(super) fn of(shape: &'static MessageShape) -> Result<Self> {
        let mut decl = MessageDecl::default();
        let mut used = Used { rust_name: shape.rust_name(), ..Used::default() };
        for (index, member) in shape.members.iter().enumerate() {
            let name = shape.names()[index];
            if let Some(field) = shape.field(index) {
                decl.push(name, &field, None, &mut used)?;
            } else if let Role::Oneof(oneof) = member.role {
                decl.push_oneof(name, shape.proto_name(member), oneof(), &mut used)?;
            }
        }
        Ok(decl)
    }

    fn push_oneof(
        &mut self,
        member: &str,
        name: &'static str,
        oneof: &'static OneofShape,
        used: &mut Used,
    ) -> Result<()> {
        used.name(name, member)?;
        let index = self.oneofs.len();
        self.oneofs.push(name);
        for (variant, field) in oneof.names().iter().zip(oneof.fields()) {
            let owner = format!("{member}({}::{variant})", oneof.rust_name());
            self.push(&owner, &field, Some(index), used)?;
        }
        Ok(())
    }

    fn push(
        &mut self,
        member: &str,
        field: &FieldShape,
        oneof: Option<usize>,
        used: &mut Used,
    ) -> Result<()> {
        used.name(field.name, member)?;
        let number = used.number(field.number, member)?;
        let field = FieldDecl::of(field, number, oneof).map_err(|reason| used.error(member, &reason))?;
        self.fields.push(field);
        Ok(())
    }

    /// Returns the types of the message and enum fields.
    pub(super) fn references(&self) -> Vec<&Reference> {
        let mut references = Vec::new();
        for field in &self.fields {
            if let Kind::Enum(reference) | Kind::Message(reference) = &field.kind {
                references.push(reference);
            }
        }
        references
    }
}

impl EnumDecl {
    /// Returns the declaration of an enumeration. Moves the value with number zero to the first position, so that it is
    /// the default, as in Rust.
    pub(super) fn of(shape: &'static EnumShape) -> Result<Self> {
        let mut values: Vec<_> = shape.named_values().collect();
        sort_by_key(&mut values, |&(_, number)| number != 0);
        match values.first() {
            None => Err(Error::schema(format!("`{}` declares an enum without values", shape.rust_name()))),
            Some(first) if first.1 != 0 && !shape.closed => Err(Error::schema(format!(
                "`{}` declares an open enum without a value of number 0",
                shape.rust_name()
            ))),
            Some(_) => Ok(EnumDecl { values, json_names: shape.json_names, closed: shape.closed }),
        }
    }
}

impl FieldDecl {
    /// Returns the declaration of a field. The error describes the problem of the member without naming the member.
    fn of(field: &FieldShape, number: u32, oneof: Option<usize>) -> Result<Self, Reason> {
        let Attributes {
            kind: wire,
            key,
            json_name,
            packed,
            default,
            required,
            delimited,
            redact,
            register,
            ..
        } = *field.attributes;
        if let Some(register) = register {
            register();
        }
        let (value, option) = match field.storage.ty() {
            TypeShape::Option(inner) => (inner.ty(), true),
            ty => (ty, false),
        };
        let (form, kind) = match (value, oneof) {
            (TypeShape::Option(_), _) => {
                return reason("an option of an option has no meaning; write `Option<T>`");
            }
            (TypeShape::List(_) | TypeShape::Map(..), _) if field.storage.boxes_many() => {
                return reason(Storage::BOXES_MANY);
            }
            (TypeShape::List(_) | TypeShape::Map(..), _) if option => {
                return reason("a list or a map is never absent, only empty; write it without `Option`");
            }
            (TypeShape::List(_) | TypeShape::Map(..), Some(_)) => {
                return reason("a oneof holds single values; put the list or the map into a message");
            }
            (_, Some(_)) if option => {
                return reason("a oneof holds values, not options; write the type without `Option`");
            }
            (_, Some(index)) => (Form::Oneof(index), single(value, wire)?),
            (TypeShape::List(element), None) => (Form::List(packed), element_kind(element, wire)?),
            (TypeShape::Map(k, v), None) => (Form::Map(map_key(k, key)?), element_kind(v, wire)?),
            (_, None) => {
                let kind = single(value, wire)?;
                let form = match kind {
                    _ if required => Form::Required,
                    _ if option => Form::Explicit,
                    Kind::Message(_) => Form::Explicit,
                    // Implicit presence requires an open enum, because an omitted value must read as zero everywhere.
                    // A plain member with a closed enum has explicit presence instead, and is always written.
                    Kind::Enum(ref reference) if reference.closed => Form::Explicit,
                    _ => Form::Implicit,
                };
                (form, kind)
            }
        };
        check(field.attributes, &form, &kind, option)?;
        Ok(FieldDecl { name: field.name, json_name, number, form, kind, default, delimited, redact })
    }
}

type Reason = std::borrow::Cow<'static, str>;

fn reason<T>(reason: impl Into<Reason>) -> Result<T, Reason> {
    Err(reason.into())
}

/// Checks the attributes that only some kinds of fields can have.
fn check(attributes: &Attributes, form: &Form, kind: &Kind, option: bool) -> Result<(), Reason> {
    let packable = matches!(kind, Kind::Enum(_) | Kind::Scalar(_))
        && !matches!(kind, Kind::Scalar(Scalar::String | Scalar::Bytes));
    let single = matches!(form, Form::Implicit | Form::Explicit | Form::Required | Form::Oneof(_));
    if attributes.key.is_some() && !matches!(form, Form::Map(_)) {
        return reason("`key` is for the key of a map");
    }
    if attributes.packed.is_some() && !(packable && matches!(form, Form::List(_))) {
        return reason("`packed` is for lists of numbers");
    }
    if attributes.required && !matches!(form, Form::Required) {
        return reason("`required` is for a single value outside a oneof");
    }
    if attributes.default.is_some() {
        if !single || matches!(kind, Kind::Message(_)) {
            return reason("`default` is for a single scalar or enum value");
        }
        // A plain member that was absent on the wire is zero or empty in Rust, whatever default the schema declares.
        if !option && !matches!(form, Form::Required | Form::Oneof(_)) {
            return reason("`default` is for a member that can be absent; write `Option<T>`");
        }
    }
    if attributes.delimited && (!matches!(kind, Kind::Message(_)) || matches!(form, Form::Map(_))) {
        return reason("`delimited` is for messages");
    }
    Ok(())
}

fn element_kind(element: Storage, wire: Option<WireKind>) -> Result<Kind, Reason> {
    match element.ty() {
        TypeShape::Option(_) => reason("a list or a map has no absent elements; write them without `Option`"),
        TypeShape::List(_) | TypeShape::Map(..) => {
            reason("a list or a map cannot hold another; put the inner one into a message")
        }
        single => self::single(single, wire),
    }
}

fn map_key(key: Storage, wire: Option<WireKind>) -> Result<Scalar, Reason> {
    let wanted = "the key of a map is an integer, a bool or a string";
    match key.ty() {
        TypeShape::Option(_) | TypeShape::List(_) | TypeShape::Map(..) => return reason(wanted),
        _ => {}
    }
    match single(key.ty(), wire)? {
        Kind::Scalar(Scalar::Double | Scalar::Float | Scalar::Bytes) | Kind::Enum(_) | Kind::Message(_) => {
            reason(wanted)
        }
        Kind::Scalar(scalar) => Ok(scalar),
    }
}

fn single(ty: TypeShape, wire: Option<WireKind>) -> Result<Kind, Reason> {
    let scalar = match (ty, wire) {
        (TypeShape::Bool, None) => Scalar::Bool,
        (TypeShape::I32, None) => Scalar::Int32,
        (TypeShape::I32, Some(WireKind::SInt32)) => Scalar::SInt32,
        (TypeShape::I32, Some(WireKind::SFixed32)) => Scalar::SFixed32,
        (TypeShape::I64, None) => Scalar::Int64,
        (TypeShape::I64, Some(WireKind::SInt64)) => Scalar::SInt64,
        (TypeShape::I64, Some(WireKind::SFixed64)) => Scalar::SFixed64,
        (TypeShape::U32, None) => Scalar::UInt32,
        (TypeShape::U32, Some(WireKind::Fixed32)) => Scalar::Fixed32,
        (TypeShape::U64, None) => Scalar::UInt64,
        (TypeShape::U64, Some(WireKind::Fixed64)) => Scalar::Fixed64,
        (TypeShape::F32, None) => Scalar::Float,
        (TypeShape::F64, None) => Scalar::Double,
        (TypeShape::Str, None) => Scalar::String,
        (TypeShape::Bytes, None) => Scalar::Bytes,
        (TypeShape::Enum(shape), None) => {
            return Reference::to_enum(shape()).map(Kind::Enum).map_err(as_reason);
        }
        (TypeShape::Message(shape), None) => {
            return Reference::to_message(shape()).map(Kind::Message).map_err(as_reason);
        }
        (TypeShape::Option(_) | TypeShape::List(_) | TypeShape::Map(..), _) => {
            return reason("only a scalar, an enumeration or a message can stand here");
        }
        (_, Some(wire)) => {
            return reason(format!("`{}` does not fit {}", wire_name(wire), rust_name(ty)));
        }
    };
    Ok(Kind::Scalar(scalar))
}

fn as_reason(error: Error) -> Reason {
    error.to_string().into()
}

fn wire_name(wire: WireKind) -> &'static str {
    match wire {
        WireKind::SInt32 => "sint32",
        WireKind::SInt64 => "sint64",
        WireKind::Fixed32 => "fixed32",
        WireKind::Fixed64 => "fixed64",
        WireKind::SFixed32 => "sfixed32",
        WireKind::SFixed64 => "sfixed64",
    }
}

fn rust_name(ty: TypeShape) -> &'static str {
    match ty {
        TypeShape::Bool => "bool",
        TypeShape::I32 => "i32",
        TypeShape::I64 => "i64",
        TypeShape::U32 => "u32",
        TypeShape::U64 => "u64",
        TypeShape::F32 => "f32",
        TypeShape::F64 => "f64",
        TypeShape::Str => "a string",
        TypeShape::Bytes => "bytes",
        TypeShape::Enum(_) => "an enumeration",
        TypeShape::Message(_) => "a message",
        TypeShape::Option(_) => "an option",
        TypeShape::List(_) => "a list",
        TypeShape::Map(..) => "a map",
    }
}

/// The numbers and names that a struct has used so far, each with the member that uses it.
#[derive(Default)]
struct Used {
    rust_name: &'static str,
    numbers: HashMap<String, String>,
    names: HashMap<String, String>,
}

impl Used {
    fn number(&mut self, number: Option<u32>, member: &str) -> Result<u32> {
        let Some(number) = number else {
            return Err(self.error(member, "a field that is declared needs a number"));
        };
        match self.numbers.insert(number.to_string(), member.to_owned()) {
            None => Ok(number),
            Some(first) => {
                Err(self.error(member, &format!("field number {number} is taken by `{first}` already")))
            }
        }
    }

    /// Records the name of a field or oneof. Fields and oneofs share one set of names.
    fn name(&mut self, name: &'static str, member: &str) -> Result<()> {
        match self.names.insert(name.to_owned(), member.to_owned()) {
            None => Ok(()),
            Some(first) => {
                Err(self.error(member, &format!("the name `{name}` is taken by `{first}` already")))
            }
        }
    }

    fn error(&self, member: &str, reason: &str) -> Error {
        Error::schema(format!("member `{member}` of `{}`: {reason}", self.rust_name))
    }
}

#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// The full name of the type, without a leading dot.
    pub(super) full_name: String,
    pub(super) target: ReferredType,
    /// The file of a type that is bound to a descriptor.
    pub(super) file: Option<FileDescriptor>,
    /// True for a closed enum, which proto3 cannot use.
    pub(super) closed: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ReferredType {
    Message(&'static MessageShape),
    Enum(&'static EnumShape),
}

impl Reference {
    pub(super) fn to_message(shape: &'static MessageShape) -> Result<Self> {
        let (full_name, file) = match shape.schema {
            Schema::Declared(&Declaration { package, name, .. }) => (full_name(package, name), None),
            Schema::Bound(_) | Schema::Given(_) | Schema::Stated(..) => {
                let descriptor = shape.descriptor()?;
                (descriptor.full_name().to_owned(), Some(descriptor.file()))
            }
        };
        Ok(Reference { full_name, target: ReferredType::Message(shape), file, closed: false })
    }

    pub(super) fn to_enum(shape: &'static EnumShape) -> Result<Self> {
        let (full_name, file, closed) = match shape.schema {
            Schema::Declared(&Declaration { package, name, .. }) => {
                (full_name(package, name), None, shape.closed)
            }
            Schema::Bound(_) | Schema::Given(_) | Schema::Stated(..) => {
                let descriptor = shape.descriptor()?;
                (descriptor.full_name().to_owned(), Some(descriptor.file()), descriptor.is_closed())
            }
        };
        Ok(Reference { full_name, target: ReferredType::Enum(shape), file, closed })
    }
}

/// Does not compare the targets, because types with the same name are one type. `Graph::of` checks that their declarations
/// agree.
impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        self.full_name == other.full_name && self.file == other.file && self.closed == other.closed
    }
}

impl ReferredType {
    /// Returns an address that identifies the type. For a message, this is the address of its cached data, because the
    /// shape itself may have copies.
    pub(super) fn address(self) -> usize {
        match self {
            ReferredType::Message(shape) => std::ptr::from_ref(shape.cells()).addr(),
            ReferredType::Enum(shape) => std::ptr::from_ref(shape).addr(),
        }
    }

    pub(super) fn declares(self) -> bool {
        match self {
            ReferredType::Message(shape) => matches!(shape.schema, Schema::Declared(_)),
            ReferredType::Enum(shape) => matches!(shape.schema, Schema::Declared(_)),
        }
    }
}

pub(super) fn full_name(package: &str, name: &str) -> String {
    if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") }
}
