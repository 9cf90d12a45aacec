//! Plain structs that mirror `descriptor.proto`, with nothing dropped: what has no member stays as bytes.
//!
//! Specification: <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto>.

mod encode;
pub(crate) mod options;
mod parse;

pub(crate) use options::Options;

use crate::error::Result;

/// Messages nested deeper than this are an error; compilers give up at 32.
pub(crate) const MAX_NESTING: u32 = 100;

/// A whole `.proto` file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FileDescriptorProto {
    pub(crate) name: Option<String>,
    pub(crate) package: Option<String>,
    pub(crate) dependency: Vec<String>,
    pub(crate) public_dependency: Vec<i32>,
    pub(crate) weak_dependency: Vec<i32>,
    pub(crate) option_dependency: Vec<String>,
    pub(crate) message_type: Vec<DescriptorProto>,
    pub(crate) enum_type: Vec<EnumDescriptorProto>,
    pub(crate) service: Vec<ServiceDescriptorProto>,
    pub(crate) extension: Vec<FieldDescriptorProto>,
    pub(crate) options: Option<Options>,
    /// A serialized SourceCodeInfo: it is large and seldom read.
    pub(crate) source_code_info: Option<Vec<u8>>,
    pub(crate) syntax: Option<String>,
    pub(crate) edition: Option<i32>,
    pub(crate) unknown: Vec<u8>,
}

/// A message type.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DescriptorProto {
    pub(crate) name: Option<String>,
    pub(crate) field: Vec<FieldDescriptorProto>,
    pub(crate) extension: Vec<FieldDescriptorProto>,
    pub(crate) nested_type: Vec<DescriptorProto>,
    pub(crate) enum_type: Vec<EnumDescriptorProto>,
    pub(crate) extension_range: Vec<ExtensionRange>,
    pub(crate) oneof_decl: Vec<OneofDescriptorProto>,
    pub(crate) options: Option<Options>,
    pub(crate) reserved_range: Vec<ReservedRange>,
    pub(crate) reserved_name: Vec<String>,
    pub(crate) visibility: Option<i32>,
    pub(crate) unknown: Vec<u8>,
}

/// Field numbers that other files may use for extensions.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ExtensionRange {
    pub(crate) start: Option<i32>,
    /// Exclusive.
    pub(crate) end: Option<i32>,
    pub(crate) options: Option<Options>,
    pub(crate) unknown: Vec<u8>,
}

/// Numbers that may not be used; the end is exclusive for fields and inclusive for enum values.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ReservedRange {
    pub(crate) start: Option<i32>,
    pub(crate) end: Option<i32>,
    pub(crate) unknown: Vec<u8>,
}

/// A field or an extension.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FieldDescriptorProto {
    pub(crate) name: Option<String>,
    pub(crate) extendee: Option<String>,
    pub(crate) number: Option<i32>,
    pub(crate) label: Option<i32>,
    pub(crate) ty: Option<i32>,
    pub(crate) type_name: Option<String>,
    pub(crate) default_value: Option<String>,
    pub(crate) options: Option<Options>,
    pub(crate) oneof_index: Option<i32>,
    pub(crate) json_name: Option<String>,
    pub(crate) proto3_optional: Option<bool>,
    pub(crate) unknown: Vec<u8>,
}

/// A oneof.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct OneofDescriptorProto {
    pub(crate) name: Option<String>,
    pub(crate) options: Option<Options>,
    pub(crate) unknown: Vec<u8>,
}

/// An enum.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EnumDescriptorProto {
    pub(crate) name: Option<String>,
    pub(crate) value: Vec<EnumValueDescriptorProto>,
    pub(crate) options: Option<Options>,
    pub(crate) reserved_range: Vec<ReservedRange>,
    pub(crate) reserved_name: Vec<String>,
    pub(crate) visibility: Option<i32>,
    pub(crate) unknown: Vec<u8>,
}

/// A value of an enum.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EnumValueDescriptorProto {
    pub(crate) name: Option<String>,
    pub(crate) number: Option<i32>,
    pub(crate) options: Option<Options>,
    pub(crate) unknown: Vec<u8>,
}

/// A service.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ServiceDescriptorProto {
    pub(crate) name: Option<String>,
    pub(crate) method: Vec<MethodDescriptorProto>,
    pub(crate) options: Option<Options>,
    pub(crate) unknown: Vec<u8>,
}

/// A method of a service.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct MethodDescriptorProto {
    pub(crate) name: Option<String>,
    pub(crate) input_type: Option<String>,
    pub(crate) output_type: Option<String>,
    pub(crate) options: Option<Options>,
    pub(crate) client_streaming: Option<bool>,
    pub(crate) server_streaming: Option<bool>,
    pub(crate) unknown: Vec<u8>,
}

impl FileDescriptorProto {
    /// Parses a serialized FileDescriptorProto.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self> {
        parse::file(bytes)
    }

    /// The serialized FileDescriptorProto: fields in the order of their numbers, then the unknown ones.
    pub(crate) fn encode(&self) -> Vec<u8> {
        encode::file(self)
    }
}

/// The serialized FileDescriptorProtos in a serialized FileDescriptorSet.
pub(crate) fn split_set(bytes: &[u8]) -> Result<Vec<&[u8]>> {
    parse::split_set(bytes)
}
