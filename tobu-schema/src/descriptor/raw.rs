//! Structs that represent the messages of `descriptor.proto` without loss. Fields without a member are kept as
//! bytes. Strings borrow from the parsed bytes.
//!
//! Specification: <https://github.com/protocolbuffers/protobuf/blob/main/src/google/protobuf/descriptor.proto>.

mod codec;
pub mod options;
pub mod shallow;

pub use codec::split_set;
pub use options::{MAX_NESTING, Options};

use std::borrow::Cow;

/// A whole `.proto` file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FileDescriptorProto<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) package: Option<Cow<'a, str>>,
    pub(crate) dependency: Vec<Cow<'a, str>>,
    pub(crate) public_dependency: Vec<i32>,
    pub(crate) weak_dependency: Vec<i32>,
    pub(crate) option_dependency: Vec<Cow<'a, str>>,
    pub(crate) message_type: Vec<DescriptorProto<'a>>,
    pub(crate) enum_type: Vec<EnumDescriptorProto<'a>>,
    pub(crate) service: Vec<ServiceDescriptorProto<'a>>,
    pub(crate) extension: Vec<FieldDescriptorProto<'a>>,
    pub(crate) options: Option<Options>,
    /// A serialized `SourceCodeInfo`. It stays serialized, because it is large and rarely read.
    pub(crate) source_code_info: Option<Vec<u8>>,
    pub(crate) syntax: Option<Cow<'a, str>>,
    pub(crate) edition: Option<i32>,
    pub(crate) unknown: Vec<u8>,
}

/// A message type.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DescriptorProto<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) field: Vec<FieldDescriptorProto<'a>>,
    pub(crate) extension: Vec<FieldDescriptorProto<'a>>,
    pub(crate) nested_type: Vec<DescriptorProto<'a>>,
    pub(crate) enum_type: Vec<EnumDescriptorProto<'a>>,
    pub(crate) extension_range: Vec<ExtensionRange>,
    pub(crate) oneof_decl: Vec<OneofDescriptorProto<'a>>,
    pub(crate) options: Option<Options>,
    pub(crate) reserved_range: Vec<ReservedRange>,
    pub(crate) reserved_name: Vec<Cow<'a, str>>,
    pub(crate) visibility: Option<i32>,
    pub(crate) unknown: Vec<u8>,
}

/// A range of field numbers that other files may use for extensions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExtensionRange {
    pub(crate) start: Option<i32>,
    /// The end of the range, which is exclusive.
    pub(crate) end: Option<i32>,
    pub(crate) options: Option<Options>,
    pub(crate) unknown: Vec<u8>,
}

/// A range of numbers that fields or enum values may not use. The end is exclusive for fields and inclusive for
/// enum values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReservedRange {
    pub(crate) start: Option<i32>,
    pub(crate) end: Option<i32>,
    pub(crate) unknown: Vec<u8>,
}

/// A field or an extension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FieldDescriptorProto<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) extendee: Option<Cow<'a, str>>,
    pub(crate) number: Option<i32>,
    pub(crate) label: Option<i32>,
    pub(crate) ty: Option<i32>,
    pub(crate) type_name: Option<Cow<'a, str>>,
    pub(crate) default_value: Option<Cow<'a, str>>,
    pub(crate) options: Option<Options>,
    pub(crate) oneof_index: Option<i32>,
    pub(crate) json_name: Option<Cow<'a, str>>,
    pub(crate) proto3_optional: Option<bool>,
    pub(crate) unknown: Vec<u8>,
}

/// A oneof.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OneofDescriptorProto<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) options: Option<Options>,
    pub(crate) unknown: Vec<u8>,
}

/// An enum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnumDescriptorProto<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) value: Vec<EnumValueDescriptorProto<'a>>,
    pub(crate) options: Option<Options>,
    pub(crate) reserved_range: Vec<ReservedRange>,
    pub(crate) reserved_name: Vec<Cow<'a, str>>,
    pub(crate) visibility: Option<i32>,
    pub(crate) unknown: Vec<u8>,
}

/// A value of an enum.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EnumValueDescriptorProto<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) number: Option<i32>,
    pub(crate) options: Option<Options>,
    pub(crate) unknown: Vec<u8>,
}

/// A service.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ServiceDescriptorProto<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) method: Vec<MethodDescriptorProto<'a>>,
    pub(crate) options: Option<Options>,
    pub(crate) unknown: Vec<u8>,
}

/// A method of a service.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MethodDescriptorProto<'a> {
    pub(crate) name: Option<Cow<'a, str>>,
    pub(crate) input_type: Option<Cow<'a, str>>,
    pub(crate) output_type: Option<Cow<'a, str>>,
    pub(crate) options: Option<Options>,
    pub(crate) client_streaming: Option<bool>,
    pub(crate) server_streaming: Option<bool>,
    pub(crate) unknown: Vec<u8>,
}
