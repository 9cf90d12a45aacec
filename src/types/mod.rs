//! The well-known types of `google.protobuf`, with conversions from and to what Rust has for them.
//!
//! They are messages like any other: structs with public members that derive tobu's traits and are bound to the
//! descriptors in [`files`].
//!
//! Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/>.

mod any;
mod duration;
mod empty;
mod field_mask;
pub mod files;
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
pub use empty::Empty;
pub use field_mask::FieldMask;
pub use structure::{ListValue, NullValue, Struct, Value};
pub use timestamp::Timestamp;
pub use wrappers::{
    BoolValue, BytesValue, DoubleValue, FloatValue, Int32Value, Int64Value, StringValue, UInt32Value,
    UInt64Value,
};

/// Lists the types, each with its default instance.
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
