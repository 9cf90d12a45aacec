//! The files of `google/protobuf/` as generated code embeds them: schemas that import them link to these.

use crate::descriptor::GeneratedFile;

/// `google/protobuf/any.proto`.
pub static ANY: GeneratedFile = GeneratedFile::new(include_bytes!("descriptors/any.bin"), &[]);

/// `google/protobuf/api.proto`.
pub static API: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/api.bin"), &[&SOURCE_CONTEXT, &TYPE]);

/// `google/protobuf/descriptor.proto`.
pub static DESCRIPTOR: GeneratedFile = GeneratedFile::new(include_bytes!("descriptors/descriptor.bin"), &[]);

/// `google/protobuf/duration.proto`.
pub static DURATION: GeneratedFile = GeneratedFile::new(include_bytes!("descriptors/duration.bin"), &[]);

/// `google/protobuf/empty.proto`.
pub static EMPTY: GeneratedFile = GeneratedFile::new(include_bytes!("descriptors/empty.bin"), &[]);

/// `google/protobuf/field_mask.proto`.
pub static FIELD_MASK: GeneratedFile = GeneratedFile::new(include_bytes!("descriptors/field_mask.bin"), &[]);

/// `google/protobuf/compiler/plugin.proto`.
pub static PLUGIN: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/plugin.bin"), &[&DESCRIPTOR]);

/// `google/protobuf/source_context.proto`.
pub static SOURCE_CONTEXT: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/source_context.bin"), &[]);

/// `google/protobuf/struct.proto`.
pub static STRUCT: GeneratedFile = GeneratedFile::new(include_bytes!("descriptors/struct.bin"), &[]);

/// `google/protobuf/timestamp.proto`.
pub static TIMESTAMP: GeneratedFile = GeneratedFile::new(include_bytes!("descriptors/timestamp.bin"), &[]);

/// `google/protobuf/type.proto`.
pub static TYPE: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/type.bin"), &[&ANY, &SOURCE_CONTEXT]);

/// `google/protobuf/wrappers.proto`.
pub static WRAPPERS: GeneratedFile = GeneratedFile::new(include_bytes!("descriptors/wrappers.bin"), &[]);
