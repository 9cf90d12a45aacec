//! Empty: no fields.

use crate::UnknownFields;

/// A message without fields, for methods that take or return nothing.
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
    Clone, Debug, Default, PartialEq, Eq, Hash, crate::Message, crate::Serialize, crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::EMPTY, stated = crate::types::files::EMPTY_SLOT, message = "google.protobuf.Empty", direct)]
pub struct Empty {
    /// Fields that this version of the message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl Empty {
    /// The message without fields.
    pub const fn new() -> Self {
        Empty { unknown_fields: UnknownFields::new() }
    }
}

impl From<()> for Empty {
    fn from((): ()) -> Self {
        Empty::new()
    }
}
