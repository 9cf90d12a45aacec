//! Timestamp: a point in time.

use crate::UnknownFields;

/// A point in time, independent of any time zone: seconds and nanoseconds since 1970-01-01T00:00:00Z.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp>.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Hash, crate::Message, crate::Serialize, crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::TIMESTAMP, message = "google.protobuf.Timestamp")]
pub struct Timestamp {
    /// Seconds since the Unix epoch, from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    #[tobu(1)]
    pub seconds: i64,
    /// Nanoseconds after that, always forwards in time, from 0 to 999,999,999.
    #[tobu(2)]
    pub nanos: i32,
    /// Fields that this version of the message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl Timestamp {
    /// The timestamp of these members, as they are.
    pub const fn new(seconds: i64, nanos: i32) -> Self {
        Timestamp { seconds, nanos, unknown_fields: UnknownFields::new() }
    }
}
