//! `Timestamp`: a point in time.

use crate::UnknownFields;
use crate::error::{Error, Result};
use crate::syntax::well_known;
use crate::syntax::well_known::{NANOS_PER_SECOND, TIMESTAMP_SECONDS};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::time::{self, SystemTime};

/// A point in time, independent of any time zone: seconds and nanoseconds since 1970-01-01T00:00:00Z.
///
/// As text, a timestamp has the strict form of RFC 3339 that it has in JSON: in UTC, with zero, three, six or nine digits for
/// fractions of a second. Parsing accepts any offset from UTC and zero to nine digits.
///
/// ```
/// use std::time::SystemTime;
/// use tobu::types::Timestamp;
///
/// let timestamp: Timestamp = "1972-01-01T12:00:20.021+02:00".parse()?;
/// assert_eq!(timestamp, Timestamp::new(63_108_020, 21_000_000));
/// assert_eq!(timestamp.to_string(), "1972-01-01T10:00:20.021Z");
///
/// let time = SystemTime::try_from(&timestamp)?;
/// assert_eq!(Timestamp::try_from(time)?, timestamp);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// With the features `chrono` and `jiff`, a timestamp can be converted from and to `chrono::DateTime<Utc>` and
/// `jiff::Timestamp`. A conversion to one of these types fails unless [`check`](Self::check) accepts the timestamp.
///
/// Valid timestamps are ordered by time.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#timestamp>.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Hash, crate::Message, crate::Serialize, crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::TIMESTAMP, stated = crate::types::files::TIMESTAMP_SLOT, message = "google.protobuf.Timestamp", direct)]
pub struct Timestamp {
    /// Seconds since the Unix epoch, from 0001-01-01T00:00:00Z to 9999-12-31T23:59:59Z.
    #[tobu(1)]
    pub seconds: i64,
    /// Nanoseconds after the seconds, from 0 to 999,999,999. They count forward in time even if the seconds are negative.
    #[tobu(2)]
    pub nanos: i32,
    /// Fields that the schema of this message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl Timestamp {
    /// The first valid timestamp: 0001-01-01T00:00:00Z.
    pub const MIN: Timestamp = Timestamp::new(TIMESTAMP_SECONDS.0, 0);
    /// The last valid timestamp: 9999-12-31T23:59:59.999999999Z.
    pub const MAX: Timestamp = Timestamp::new(TIMESTAMP_SECONDS.1, NANOS_PER_SECOND - 1);

    /// Creates a timestamp with these members, without a check.
    pub const fn new(seconds: i64, nanos: i32) -> Self {
        Timestamp { seconds, nanos, unknown_fields: UnknownFields::new() }
    }

    /// Returns the current time.
    ///
    /// # Errors
    /// The clock of the system is set to a year that a timestamp cannot have.
    pub fn now() -> Result<Self> {
        SystemTime::now().try_into()
    }

    /// Checks that the timestamp is valid.
    ///
    /// ```
    /// use tobu::types::Timestamp;
    ///
    /// let error = Timestamp::new(0, -1).check().unwrap_err();
    /// assert_eq!(error.to_string(), "-1 nanoseconds of a timestamp are not from 0 to 999999999");
    /// ```
    ///
    /// # Errors
    /// The seconds are not in the years from 1 to 9999, or the nanoseconds are not from 0 to 999,999,999.
    pub fn check(&self) -> Result<()> {
        well_known::check_timestamp(self.seconds, self.nanos)
    }

    /// Returns the same point in time in the valid form, with nanoseconds from 0 to 999,999,999.
    ///
    /// ```
    /// use tobu::types::Timestamp;
    ///
    /// assert_eq!(Timestamp::new(5, -1).normalized()?, Timestamp::new(4, 999_999_999));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The timestamp is not in the years from 1 to 9999.
    pub fn normalized(mut self) -> Result<Self> {
        let carry = i64::from(self.nanos.div_euclid(NANOS_PER_SECOND));
        // If the sum saturates, it is out of range, and the check below fails.
        self.seconds = self.seconds.saturating_add(carry);
        self.nanos = self.nanos.rem_euclid(NANOS_PER_SECOND);
        self.check()?;
        Ok(self)
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |timestamp: &Self| (timestamp.seconds, timestamp.nanos);
        // Unknown fields are compared as well, so that the order is total and agrees with equality.
        let unknown = || self.unknown_fields.as_bytes().cmp(other.unknown_fields.as_bytes());
        key(self).cmp(&key(other)).then_with(unknown)
    }
}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes a valid timestamp in RFC 3339. For an invalid timestamp, writes its two numbers.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.check() {
            Ok(()) => well_known::write_timestamp(f, self.seconds, self.nanos),
            Err(_) => write!(f, "invalid timestamp ({} seconds, {} nanoseconds)", self.seconds, self.nanos),
        }
    }
}

impl FromStr for Timestamp {
    type Err = Error;

    /// Reads a timestamp in RFC 3339.
    ///
    /// # Errors
    /// The text does not have this form, or the time does not exist, such as second 60, hour 24 or year 0.
    fn from_str(text: &str) -> Result<Self> {
        let (seconds, nanos) = well_known::parse_timestamp(text)?;
        Ok(Timestamp::new(seconds, nanos))
    }
}

impl TryFrom<SystemTime> for Timestamp {
    type Error = Error;

    fn try_from(time: SystemTime) -> Result<Self> {
        let parts = |duration: time::Duration| {
            (i64::try_from(duration.as_secs()).unwrap_or(i64::MAX), duration.subsec_nanos() as i32)
        };
        let (seconds, nanos) = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => parts(after),
            Err(error) => {
                let (seconds, nanos) = parts(error.duration());
                (-seconds, -nanos)
            }
        };
        Timestamp::new(seconds, nanos).normalized()
    }
}

impl TryFrom<&Timestamp> for SystemTime {
    type Error = Error;

    fn try_from(timestamp: &Timestamp) -> Result<Self> {
        timestamp.check()?;
        let seconds = time::Duration::from_secs(timestamp.seconds.unsigned_abs());
        let second = match timestamp.seconds < 0 {
            true => SystemTime::UNIX_EPOCH.checked_sub(seconds),
            false => SystemTime::UNIX_EPOCH.checked_add(seconds),
        };
        let nanos = time::Duration::from_nanos(timestamp.nanos.unsigned_abs().into());
        second
            .and_then(|second| second.checked_add(nanos))
            .ok_or_else(|| Error::ty(format!("this system cannot represent the time {timestamp}")))
    }
}

impl TryFrom<Timestamp> for SystemTime {
    type Error = Error;

    fn try_from(timestamp: Timestamp) -> Result<Self> {
        (&timestamp).try_into()
    }
}
