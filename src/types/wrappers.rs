//! The wrapper types: messages with one scalar field. A field of a wrapper type has presence, unlike a plain scalar field.

use crate::UnknownFields;

/// Defines the wrapper types, which differ only in the type of their scalar.
macro_rules! wrappers {
    ($($(#[$attribute:meta])* $name:ident, $full_name:literal, $anchor:literal, $inner:ty, $scalar:literal;)*) => {
        $(
            #[doc = concat!("A `", $scalar, "` in a message.")]
            ///
            #[doc = concat!("Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#", $anchor, ">.")]
            #[derive(Clone, Debug, Default, PartialEq, crate::Message, crate::Serialize, crate::Deserialize)]
            $(#[$attribute])*
            #[tobu(descriptor = crate::types::files::WRAPPERS, stated = crate::types::files::WRAPPERS_SLOT, message = $full_name, direct)]
            pub struct $name {
                /// The value.
                #[tobu(1)]
                pub value: $inner,
                /// Fields that the schema of this message does not have.
                #[tobu(unknown)]
                pub unknown_fields: UnknownFields,
            }

            impl $name {
                /// Wraps a value.
                pub const fn new(value: $inner) -> Self {
                    $name { value, unknown_fields: UnknownFields::new() }
                }
            }

            impl From<$inner> for $name {
                fn from(value: $inner) -> Self {
                    $name::new(value)
                }
            }

            impl From<$name> for $inner {
                fn from(message: $name) -> Self {
                    message.value
                }
            }
        )*
    };
}

wrappers! {
    DoubleValue, "google.protobuf.DoubleValue", "double-value", f64, "double";
    FloatValue, "google.protobuf.FloatValue", "float-value", f32, "float";
    #[derive(Eq, PartialOrd, Ord, Hash)] Int64Value, "google.protobuf.Int64Value", "int64-value", i64, "int64";
    #[derive(Eq, PartialOrd, Ord, Hash)] UInt64Value, "google.protobuf.UInt64Value", "uint64-value", u64, "uint64";
    #[derive(Eq, PartialOrd, Ord, Hash)] Int32Value, "google.protobuf.Int32Value", "int32-value", i32, "int32";
    #[derive(Eq, PartialOrd, Ord, Hash)] UInt32Value, "google.protobuf.UInt32Value", "uint32-value", u32, "uint32";
    #[derive(Eq, PartialOrd, Ord, Hash)] BoolValue, "google.protobuf.BoolValue", "bool-value", bool, "bool";
    #[derive(Eq, PartialOrd, Ord, Hash)] StringValue, "google.protobuf.StringValue", "string-value", String, "string";
    #[derive(Eq, PartialOrd, Ord, Hash)] BytesValue, "google.protobuf.BytesValue", "bytes-value", Vec<u8>, "bytes";
}

impl From<&str> for StringValue {
    fn from(value: &str) -> Self {
        StringValue::new(value.to_owned())
    }
}

impl From<&[u8]> for BytesValue {
    fn from(value: &[u8]) -> Self {
        BytesValue::new(value.to_vec())
    }
}

/// A message without fields, for RPC methods that have no input or no output.
///
/// ```
/// use tobu::types::Empty;
///
/// assert_eq!(tobu::to_vec(&Empty::new())?, b"");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#empty>.
#[derive(
    Clone,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    crate::Message,
    crate::Serialize,
    crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::EMPTY, stated = crate::types::files::EMPTY_SLOT, message = "google.protobuf.Empty", direct)]
pub struct Empty {
    /// Fields that the schema of this message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl Empty {
    /// Creates the empty message.
    pub const fn new() -> Self {
        Empty { unknown_fields: UnknownFields::new() }
    }
}

impl From<()> for Empty {
    fn from((): ()) -> Self {
        Empty::new()
    }
}
