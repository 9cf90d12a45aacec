//! The well-known types of `google.protobuf`, with conversions from and to Rust's own types.
//!
//! The well-known types are structs with public members. Like generated messages, they derive tobu's traits and are bound to
//! descriptors, which are in [`files`].
//!
//! The feature `descriptor-types`, off by default, adds the messages that describe schemas: the modules `descriptor`,
//! `plugin` and `api`.
//!
//! Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/>.

mod any;
/// The messages of `google/protobuf/api.proto` and of the files that it imports, `type.proto` and `source_context.proto`.
#[cfg(feature = "descriptor-types")]
pub mod api;
/// The messages of `google/protobuf/descriptor.proto`, as structs that you can change and encode.
///
/// To read a schema, use [`tobu::descriptor`](crate::descriptor) instead, where names are already resolved.
///
/// ```
/// use tobu::types::descriptor::{FileDescriptorProto, field_descriptor_proto::Type};
///
/// let encoded = tobu::types::files::DURATION.descriptor().encoded();
/// let file: FileDescriptorProto = tobu::from_slice(encoded)?;
/// let seconds = &file.message_type[0].field[0];
/// assert_eq!((seconds.name(), seconds.r#type), ("seconds", Some(Type::INT64)));
/// # Ok::<(), tobu::Error>(())
/// ```
#[cfg(feature = "descriptor-types")]
pub mod descriptor;
mod duration;
mod field_mask;
pub use tobu_schema::files;
/// The messages of `google/protobuf/compiler/plugin.proto`, which plugins of protoc and buf read and write.
#[cfg(feature = "descriptor-types")]
pub mod plugin;
mod references;
mod structure;
mod timestamp;
pub mod value;
#[cfg(feature = "chrono")]
mod with_chrono;
#[cfg(feature = "jiff")]
mod with_jiff;
mod wrappers;

pub use any::Any;
pub use duration::Duration;
pub use field_mask::FieldMask;
pub use references::{
    AnyRef, BoolValueRef, BytesValueRef, DoubleValueRef, DurationRef, EmptyRef, FieldMaskRef, FloatValueRef,
    Int32ValueRef, Int64ValueRef, KindRef, ListValueRef, StringValueRef, StructRef, TimestampRef,
    UInt32ValueRef, UInt64ValueRef, ValueRef,
};
pub use structure::{ListValue, NullValue, Struct, Value};
pub use timestamp::Timestamp;
pub use wrappers::Empty;
pub use wrappers::{
    BoolValue, BytesValue, DoubleValue, FloatValue, Int32Value, Int64Value, StringValue, UInt32Value,
    UInt64Value,
};

/// Implements `DefaultInstance` for each type.
macro_rules! default_instances {
    ($($ty:ident),*) => {
        $(
            impl crate::DefaultInstance for $ty {
                fn default_instance<'d>() -> &'d Self
                where
                    Self: 'd,
                {
                    static DEFAULT: crate::layout::DefaultSlot<$ty> = crate::layout::DefaultSlot::new();
                    DEFAULT.get()
                }
            }
        )*
    };
}

default_instances!(
    Any,
    BoolValue,
    BytesValue,
    DoubleValue,
    Duration,
    Empty,
    FieldMask,
    FloatValue,
    Int32Value,
    Int64Value,
    ListValue,
    StringValue,
    Struct,
    Timestamp,
    UInt32Value,
    UInt64Value,
    Value
);
