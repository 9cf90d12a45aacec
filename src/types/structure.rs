//! Struct, Value, ListValue and NullValue: JSON as messages.

use super::value::Kind;
use crate::UnknownFields;
use std::collections::BTreeMap;

/// A JSON object: values by name.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#struct>.
#[derive(Clone, Debug, Default, PartialEq, crate::Message, crate::Serialize, crate::Deserialize)]
#[tobu(descriptor = crate::types::files::STRUCT, message = "google.protobuf.Struct")]
pub struct Struct {
    /// The members of the object.
    #[tobu(1)]
    pub fields: BTreeMap<String, Value>,
    /// Fields that this version of the message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

/// A JSON value of any kind.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#value>.
#[derive(Clone, Debug, Default, PartialEq, crate::Message, crate::Serialize, crate::Deserialize)]
#[tobu(descriptor = crate::types::files::STRUCT, message = "google.protobuf.Value")]
pub struct Value {
    /// The value. One without a kind is not JSON, not even null.
    #[tobu(oneof)]
    pub kind: Option<Kind>,
    /// Fields that this version of the message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

/// A JSON array.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#list-value>.
#[derive(Clone, Debug, Default, PartialEq, crate::Message, crate::Serialize, crate::Deserialize)]
#[tobu(descriptor = crate::types::files::STRUCT, message = "google.protobuf.ListValue")]
pub struct ListValue {
    /// The elements of the array.
    #[tobu(1)]
    pub values: Vec<Value>,
    /// Fields that this version of the message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

/// The JSON value null: an enum of one value.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#null-value>.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    crate::Enumeration,
    crate::Serialize,
    crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::STRUCT, enumeration = "google.protobuf.NullValue")]
#[repr(transparent)]
pub struct NullValue(pub i32);

impl NullValue {
    /// Null.
    pub const NULL_VALUE: NullValue = NullValue(0);
}
