//! The types of fields, and the kinds of their values.

use std::fmt;

use crate::descriptor::{DefaultSymbolVisibility, EnumDescriptor, Features, MessageDescriptor};
use crate::wire::WireType;

/// The declared type of a field. For a message or an enum, it does not say which message or enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `double`.
    Double,
    /// `float`.
    Float,
    /// `int32`.
    Int32,
    /// `int64`.
    Int64,
    /// `uint32`.
    UInt32,
    /// `uint64`.
    UInt64,
    /// `sint32`.
    SInt32,
    /// `sint64`.
    SInt64,
    /// `fixed32`.
    Fixed32,
    /// `fixed64`.
    Fixed64,
    /// `sfixed32`.
    SFixed32,
    /// `sfixed64`.
    SFixed64,
    /// `bool`.
    Bool,
    /// `string`.
    String,
    /// `bytes`.
    Bytes,
    /// A message. It is written with a length prefix, or between two tags (delimited).
    Message,
    /// An enum.
    Enum,
}

impl Type {
    /// Returns the wire type of a single value. For a message, this is the wire type for a length prefix.
    pub const fn wire_type(self) -> WireType {
        match self {
            Type::Int32 | Type::Int64 | Type::UInt32 | Type::UInt64 => WireType::Varint,
            Type::SInt32 | Type::SInt64 | Type::Bool | Type::Enum => WireType::Varint,
            Type::Double | Type::Fixed64 | Type::SFixed64 => WireType::Fixed64,
            Type::Float | Type::Fixed32 | Type::SFixed32 => WireType::Fixed32,
            Type::String | Type::Bytes | Type::Message => WireType::Len,
        }
    }

    /// True for types that a packed list can hold: numbers, bools and enums.
    pub const fn is_packable(self) -> bool {
        !matches!(self, Type::String | Type::Bytes | Type::Message)
    }

    /// Returns the name of the type in `.proto` source. For a message or an enum, this is `message` or `enum`.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Double => "double",
            Type::Float => "float",
            Type::Int32 => "int32",
            Type::Int64 => "int64",
            Type::UInt32 => "uint32",
            Type::UInt64 => "uint64",
            Type::SInt32 => "sint32",
            Type::SInt64 => "sint64",
            Type::Fixed32 => "fixed32",
            Type::Fixed64 => "fixed64",
            Type::SFixed32 => "sfixed32",
            Type::SFixed64 => "sfixed64",
            Type::Bool => "bool",
            Type::String => "string",
            Type::Bytes => "bytes",
            Type::Message => "message",
            Type::Enum => "enum",
        }
    }

    /// Returns the number of the type in `FieldDescriptorProto.Type`.
    pub(crate) fn number(self) -> i32 {
        match self {
            Type::Double => 1,
            Type::Float => 2,
            Type::Int64 => 3,
            Type::UInt64 => 4,
            Type::Int32 => 5,
            Type::Fixed64 => 6,
            Type::Fixed32 => 7,
            Type::Bool => 8,
            Type::String => 9,
            Type::Message => 11,
            Type::Bytes => 12,
            Type::UInt32 => 13,
            Type::Enum => 14,
            Type::SFixed32 => 15,
            Type::SFixed64 => 16,
            Type::SInt32 => 17,
            Type::SInt64 => 18,
        }
    }

    /// Returns the type with a number in `FieldDescriptorProto.Type`. Number 10 is a group, which is also a
    /// message.
    #[doc(hidden)]
    pub fn from_number(number: i32) -> Option<Self> {
        Some(match number {
            1 => Type::Double,
            2 => Type::Float,
            3 => Type::Int64,
            4 => Type::UInt64,
            5 => Type::Int32,
            6 => Type::Fixed64,
            7 => Type::Fixed32,
            8 => Type::Bool,
            9 => Type::String,
            10 | 11 => Type::Message,
            12 => Type::Bytes,
            13 => Type::UInt32,
            14 => Type::Enum,
            15 => Type::SFixed32,
            16 => Type::SFixed64,
            17 => Type::SInt32,
            18 => Type::SInt64,
            _ => return None,
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The kind of a single value of a field. For a message or an enum, it has the descriptor.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `double`.
    Double,
    /// `float`.
    Float,
    /// `int32`.
    Int32,
    /// `int64`.
    Int64,
    /// `uint32`.
    UInt32,
    /// `uint64`.
    UInt64,
    /// `sint32`.
    SInt32,
    /// `sint64`.
    SInt64,
    /// `fixed32`.
    Fixed32,
    /// `fixed64`.
    Fixed64,
    /// `sfixed32`.
    SFixed32,
    /// `sfixed64`.
    SFixed64,
    /// `bool`.
    Bool,
    /// `string`.
    String,
    /// `bytes`.
    Bytes,
    /// A message. The field says whether the message is delimited (a group).
    Message(MessageDescriptor),
    /// An enum.
    Enum(EnumDescriptor),
}

impl Kind {
    /// Returns the type, without the descriptor of a message or an enum.
    pub fn ty(&self) -> Type {
        match self {
            Kind::Double => Type::Double,
            Kind::Float => Type::Float,
            Kind::Int32 => Type::Int32,
            Kind::Int64 => Type::Int64,
            Kind::UInt32 => Type::UInt32,
            Kind::UInt64 => Type::UInt64,
            Kind::SInt32 => Type::SInt32,
            Kind::SInt64 => Type::SInt64,
            Kind::Fixed32 => Type::Fixed32,
            Kind::Fixed64 => Type::Fixed64,
            Kind::SFixed32 => Type::SFixed32,
            Kind::SFixed64 => Type::SFixed64,
            Kind::Bool => Type::Bool,
            Kind::String => Type::String,
            Kind::Bytes => Type::Bytes,
            Kind::Message(_) => Type::Message,
            Kind::Enum(_) => Type::Enum,
        }
    }

    /// Returns the wire type of a single value. For a message, this is the wire type for a length prefix.
    pub fn wire_type(&self) -> WireType {
        self.ty().wire_type()
    }

    /// Returns the descriptor of the message; `None` for other kinds.
    pub fn as_message(&self) -> Option<&MessageDescriptor> {
        if let Kind::Message(message) = self { Some(message) } else { None }
    }

    /// Returns the descriptor of the enum; `None` for other kinds.
    pub fn as_enum(&self) -> Option<&EnumDescriptor> {
        if let Kind::Enum(enumeration) = self { Some(enumeration) } else { None }
    }
}

/// What the declaration of a message or an enum says about its use in other files: `export`, `local` or nothing.
///
/// Specification: <https://protobuf.dev/editions/features/#symbol-vis>.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Visibility {
    /// The declaration says neither `local` nor `export`. The feature [`DefaultSymbolVisibility`] decides whether other files
    /// may use the type.
    #[default]
    Unset,
    /// The declaration says `local`: other files may not use the type.
    Local,
    /// The declaration says `export`: other files may use the type.
    Export,
}

impl Visibility {
    /// Returns the visibility that has this number in `google.protobuf.SymbolVisibility`.
    pub(super) fn from_number(number: i32) -> Self {
        match number {
            1 => Visibility::Local,
            2 => Visibility::Export,
            _ => Visibility::Unset,
        }
    }

    /// True if only the file that declares the element may use it.
    pub(super) fn is_local(self, features: Features, is_nested: bool) -> bool {
        match (self, features.default_symbol_visibility) {
            (Visibility::Local, _) => true,
            (Visibility::Export, _) | (Visibility::Unset, DefaultSymbolVisibility::ExportAll) => false,
            (Visibility::Unset, DefaultSymbolVisibility::ExportTopLevel) => is_nested,
            (Visibility::Unset, DefaultSymbolVisibility::LocalAll | DefaultSymbolVisibility::Strict) => true,
        }
    }
}
