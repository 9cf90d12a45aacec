//! FieldMask: a set of paths to fields.

use crate::UnknownFields;

/// A set of paths to fields, such as `author.name`: what to read, or what to change.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#field-mask>.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Hash, crate::Message, crate::Serialize, crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::FIELD_MASK, message = "google.protobuf.FieldMask")]
pub struct FieldMask {
    /// The paths: names of fields as they are in the schema, joined by dots.
    #[tobu(1)]
    pub paths: Vec<String>,
    /// Fields that this version of the message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl FieldMask {
    /// A mask of no paths.
    pub const fn new() -> Self {
        FieldMask { paths: Vec::new(), unknown_fields: UnknownFields::new() }
    }
}
