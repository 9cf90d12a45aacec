//! Duration: a signed span of time.

use crate::UnknownFields;

/// A signed span of time, in seconds and nanoseconds.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#duration>.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Hash, crate::Message, crate::Serialize, crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::DURATION, message = "google.protobuf.Duration")]
pub struct Duration {
    /// Whole seconds, from -315,576,000,000 to +315,576,000,000.
    #[tobu(1)]
    pub seconds: i64,
    /// Nanoseconds, from -999,999,999 to +999,999,999, of the same sign as the seconds unless these are 0.
    #[tobu(2)]
    pub nanos: i32,
    /// Fields that this version of the message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl Duration {
    /// The duration of these members, as they are.
    pub const fn new(seconds: i64, nanos: i32) -> Self {
        Duration { seconds, nanos, unknown_fields: UnknownFields::new() }
    }
}
