//! The kinds of values and of messages.

use crate::descriptor::{self, FieldDescriptor, Type};
use crate::wire::WireType;

/// The kind of a single value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Double,
    Float,
    Int32,
    Int64,
    UInt32,
    UInt64,
    SInt32,
    SInt64,
    Fixed32,
    Fixed64,
    SFixed32,
    SFixed64,
    Bool,
    String,
    Bytes,
    Enum,
    Message,
    Group,
}

/// The kind of a field's value in reflection. The number of a variant here is the number of the variant in `ValueRef`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum ValueKind {
    I32,
    I64,
    U32,
    U64,
    F32,
    F64,
    Enum,
    Bool,
    Str,
    Bytes,
    Message,
    List,
    Map,
}

impl ValueKind {
    /// True for numbers of 32 or 64 bits for which every bit pattern is valid.
    #[inline]
    pub(crate) fn is_number(self) -> bool {
        self <= ValueKind::Enum
    }
}

/// The message types of `google.protobuf` with a special form in some formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WellKnown {
    /// An ordinary message.
    No,
    Any,
    Timestamp,
    Duration,
    FieldMask,
    Struct,
    Value,
    ListValue,
    /// `BoolValue` and the other wrappers: one field, `value`.
    Wrapper,
}

impl Kind {
    /// Returns the name of the kind with its article, for errors.
    pub(crate) fn with_article(self) -> &'static str {
        match self {
            Kind::Int32 => "an int32",
            Kind::Int64 => "an int64",
            Kind::UInt32 => "a uint32",
            Kind::UInt64 => "a uint64",
            Kind::SInt32 => "a sint32",
            Kind::SInt64 => "a sint64",
            Kind::Fixed32 => "a fixed32",
            Kind::Fixed64 => "a fixed64",
            Kind::SFixed32 => "a sfixed32",
            Kind::SFixed64 => "a sfixed64",
            Kind::Double => "a double",
            Kind::Float => "a float",
            Kind::Bool => "a bool",
            Kind::String => "a string",
            Kind::Bytes => "bytes",
            Kind::Enum => "an enum",
            Kind::Message | Kind::Group => "a message",
        }
    }

    pub(crate) fn of(field: &FieldDescriptor) -> Kind {
        use descriptor::Kind as K;
        match field.kind() {
            K::Double => Kind::Double,
            K::Float => Kind::Float,
            K::Int32 => Kind::Int32,
            K::Int64 => Kind::Int64,
            K::UInt32 => Kind::UInt32,
            K::UInt64 => Kind::UInt64,
            K::SInt32 => Kind::SInt32,
            K::SInt64 => Kind::SInt64,
            K::Fixed32 => Kind::Fixed32,
            K::Fixed64 => Kind::Fixed64,
            K::SFixed32 => Kind::SFixed32,
            K::SFixed64 => Kind::SFixed64,
            K::Bool => Kind::Bool,
            K::String => Kind::String,
            K::Bytes => Kind::Bytes,
            K::Enum(_) => Kind::Enum,
            K::Message(_) if field.is_delimited() => Kind::Group,
            K::Message(_) => Kind::Message,
        }
    }

    /// Returns the type of the kind. A group has the type of a message.
    #[inline(always)]
    pub(crate) const fn ty(self) -> Type {
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
            Kind::Enum => Type::Enum,
            Kind::Message | Kind::Group => Type::Message,
        }
    }

    /// Returns the wire type of a single value.
    pub(crate) fn wire_type(self) -> WireType {
        if self == Kind::Group { WireType::StartGroup } else { self.ty().wire_type() }
    }

    /// Returns the name of the kind in `.proto` files.
    pub(crate) fn as_str(self) -> &'static str {
        if self == Kind::Group { "group" } else { self.ty().name() }
    }
}

impl WellKnown {
    pub(crate) fn of(full_name: &str) -> Self {
        let Some(name) = full_name.strip_prefix("google.protobuf.") else { return WellKnown::No };
        match name {
            "Any" => WellKnown::Any,
            "Timestamp" => WellKnown::Timestamp,
            "Duration" => WellKnown::Duration,
            "FieldMask" => WellKnown::FieldMask,
            "Struct" => WellKnown::Struct,
            "Value" => WellKnown::Value,
            "ListValue" => WellKnown::ListValue,
            "DoubleValue" | "FloatValue" | "Int64Value" | "UInt64Value" | "Int32Value" | "UInt32Value"
            | "BoolValue" | "StringValue" | "BytesValue" => WellKnown::Wrapper,
            _ => WellKnown::No,
        }
    }
}
