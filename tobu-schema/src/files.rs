//! The files of `google/protobuf/`, in the form in which generated code embeds descriptors. Generated code for a schema that
//! imports one of these files refers to the `static` here.

use crate::descriptor::{FileSlot, GeneratedFile};

/// `google/protobuf/any.proto`.
pub static ANY: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/any.bin"), &[]).slot(&ANY_SLOT);

/// `google/protobuf/api.proto`.
pub static API: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/api.bin"), &[&SOURCE_CONTEXT, &TYPE]).slot(&API_SLOT);

/// `google/protobuf/descriptor.proto`.
pub static DESCRIPTOR: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/descriptor.bin"), &[]).slot(&DESCRIPTOR_SLOT);

/// `google/protobuf/duration.proto`.
pub static DURATION: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/duration.bin"), &[]).slot(&DURATION_SLOT);

/// `google/protobuf/empty.proto`.
pub static EMPTY: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/empty.bin"), &[]).slot(&EMPTY_SLOT);

/// `google/protobuf/field_mask.proto`.
pub static FIELD_MASK: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/field_mask.bin"), &[]).slot(&FIELD_MASK_SLOT);

/// `google/protobuf/compiler/plugin.proto`.
pub static PLUGIN: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/plugin.bin"), &[&DESCRIPTOR]).slot(&PLUGIN_SLOT);

/// `google/protobuf/source_context.proto`.
pub static SOURCE_CONTEXT: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/source_context.bin"), &[]).slot(&SOURCE_CONTEXT_SLOT);

/// `google/protobuf/struct.proto`.
pub static STRUCT: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/struct.bin"), &[]).slot(&STRUCT_SLOT);

/// `google/protobuf/timestamp.proto`.
pub static TIMESTAMP: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/timestamp.bin"), &[]).slot(&TIMESTAMP_SLOT);

/// `google/protobuf/type.proto`.
pub static TYPE: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/type.bin"), &[&ANY, &SOURCE_CONTEXT]).slot(&TYPE_SLOT);

/// `google/protobuf/wrappers.proto`.
pub static WRAPPERS: GeneratedFile =
    GeneratedFile::new(include_bytes!("descriptors/wrappers.bin"), &[]).slot(&WRAPPERS_SLOT);

/// All files of this module.
pub static ALL: [&GeneratedFile; 12] = [
    &ANY,
    &API,
    &DESCRIPTOR,
    &DURATION,
    &EMPTY,
    &FIELD_MASK,
    &PLUGIN,
    &SOURCE_CONTEXT,
    &STRUCT,
    &TIMESTAMP,
    &TYPE,
    &WRAPPERS,
];

/// The slot for the registered [`ANY`]. The Rust types of the file read it.
pub static ANY_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`API`]. The Rust types of the file read it.
pub static API_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`DESCRIPTOR`]. The Rust types of the file read it.
pub static DESCRIPTOR_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`DURATION`]. The Rust types of the file read it.
pub static DURATION_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`EMPTY`]. The Rust types of the file read it.
pub static EMPTY_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`FIELD_MASK`]. The Rust types of the file read it.
pub static FIELD_MASK_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`PLUGIN`]. The Rust types of the file read it.
pub static PLUGIN_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`SOURCE_CONTEXT`]. The Rust types of the file read it.
pub static SOURCE_CONTEXT_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`STRUCT`]. The Rust types of the file read it.
pub static STRUCT_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`TIMESTAMP`]. The Rust types of the file read it.
pub static TIMESTAMP_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`TYPE`]. The Rust types of the file read it.
pub static TYPE_SLOT: FileSlot = FileSlot::new();

/// The slot for the registered [`WRAPPERS`]. The Rust types of the file read it.
pub static WRAPPERS_SLOT: FileSlot = FileSlot::new();
