//! The kinds of values: their types, with the message or enum that they name.

use super::{EnumDescriptor, MessageDescriptor, Type};
use crate::wire::WireType;

/// The kind of one value of a field.
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
    /// A message; its field says whether it is delimited (a group).
    Message(MessageDescriptor),
    /// An enum.
    Enum(EnumDescriptor),
}

impl Kind {
    /// The type without the message or enum.
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

    /// How one value is laid out; of a message, when it is not delimited.
    pub fn wire_type(&self) -> WireType {
        self.ty().wire_type()
    }

    /// The message, where the kind is one.
    pub fn as_message(&self) -> Option<&MessageDescriptor> {
        if let Kind::Message(message) = self { Some(message) } else { None }
    }

    /// The enum, where the kind is one.
    pub fn as_enum(&self) -> Option<&EnumDescriptor> {
        if let Kind::Enum(enumeration) = self { Some(enumeration) } else { None }
    }
}
