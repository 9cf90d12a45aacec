//! Any: a message of any type.

use crate::UnknownFields;

/// An encoded message of any type, with a URL that names the type.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#any>.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Hash, crate::Message, crate::Serialize, crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::ANY, message = "google.protobuf.Any")]
pub struct Any {
    /// What names the type: its full name after the last slash, as in `type.googleapis.com/google.protobuf.Duration`.
    #[tobu(1)]
    pub type_url: String,
    /// The encoded message.
    #[tobu(2)]
    pub value: Vec<u8>,
    /// Fields that this version of the message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl Any {
    /// The message of these members, as they are.
    pub fn new(type_url: impl Into<String>, value: impl Into<Vec<u8>>) -> Self {
        Any { type_url: type_url.into(), value: value.into(), unknown_fields: UnknownFields::new() }
    }
}
