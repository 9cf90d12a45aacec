//! `Duration`: a signed span of time.

use crate::UnknownFields;
use crate::error::{Error, Result};
use crate::syntax::well_known;
use crate::syntax::well_known::{DURATION_SECONDS, NANOS_PER_SECOND};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;
use std::time;

/// A signed span of time, in seconds and nanoseconds.
///
/// As text, a duration has the form that it has in JSON: seconds with zero, three, six or nine digits after the point, and an
/// `s`. Parsing accepts zero to nine digits.
///
/// ```
/// use tobu::types::Duration;
///
/// let duration: Duration = "-1.5s".parse()?;
/// assert_eq!(duration, Duration::new(-1, -500_000_000));
/// assert_eq!(duration.to_string(), "-1.500s");
///
/// let pause = std::time::Duration::from_millis(20);
/// assert_eq!(Duration::try_from(pause)?, Duration::new(0, 20_000_000));
/// let error = std::time::Duration::try_from(duration).unwrap_err();
/// assert_eq!(error.to_string(), "the duration -1.500s is negative");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// With the features `chrono` and `jiff`, a duration can be converted from and to `chrono::TimeDelta` and
/// `jiff::SignedDuration`. A conversion to one of these types fails unless [`check`](Self::check) accepts the duration.
///
/// Valid durations are ordered by their signed length.
///
/// Reference: <https://protobuf.dev/reference/protobuf/google.protobuf/#duration>.
#[derive(
    Clone, Debug, Default, PartialEq, Eq, Hash, crate::Message, crate::Serialize, crate::Deserialize,
)]
#[tobu(descriptor = crate::types::files::DURATION, stated = crate::types::files::DURATION_SLOT, message = "google.protobuf.Duration", direct)]
pub struct Duration {
    /// Whole seconds, from -315,576,000,000 to +315,576,000,000.
    #[tobu(1)]
    pub seconds: i64,
    /// Nanoseconds, from -999,999,999 to +999,999,999. They have the sign of the seconds, unless the seconds are 0.
    #[tobu(2)]
    pub nanos: i32,
    /// Fields that the schema of this message does not have.
    #[tobu(unknown)]
    pub unknown_fields: UnknownFields,
}

impl Duration {
    /// The most negative valid duration: about -10,000 years.
    pub const MIN: Duration = Duration::new(-DURATION_SECONDS, -999_999_999);
    /// The longest valid duration: about 10,000 years.
    pub const MAX: Duration = Duration::new(DURATION_SECONDS, 999_999_999);

    /// Creates a duration with these members, without a check.
    pub const fn new(seconds: i64, nanos: i32) -> Self {
        Duration { seconds, nanos, unknown_fields: UnknownFields::new() }
    }

    /// Checks that the duration is valid.
    ///
    /// ```
    /// use tobu::types::Duration;
    ///
    /// let error = Duration::new(1, -1).check().unwrap_err();
    /// assert_eq!(error.to_string(), "1 seconds and -1 nanoseconds of a duration have different signs");
    /// ```
    ///
    /// # Errors
    /// The duration is longer than 315,576,000,000.999999999 seconds, the nanoseconds are a second or more, or the signs
    /// differ.
    pub fn check(&self) -> Result<()> {
        well_known::check_duration(self.seconds, self.nanos)
    }

    /// Returns the same span of time in the valid form, with less than a second of nanoseconds, and with one sign for seconds
    /// and nanoseconds.
    ///
    /// ```
    /// use tobu::types::Duration;
    ///
    /// assert_eq!(Duration::new(2, -1).normalized()?, Duration::new(1, 999_999_999));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The duration is longer than 315,576,000,000.999999999 seconds.
    pub fn normalized(mut self) -> Result<Self> {
        // If the sum saturates, it is out of range, and the check below fails.
        self.seconds = self.seconds.saturating_add(i64::from(self.nanos / NANOS_PER_SECOND));
        self.nanos %= NANOS_PER_SECOND;
        if self.seconds > 0 && self.nanos < 0 {
            self.seconds -= 1;
            self.nanos += NANOS_PER_SECOND;
        } else if self.seconds < 0 && self.nanos > 0 {
            self.seconds += 1;
            self.nanos -= NANOS_PER_SECOND;
        }
        self.check()?;
        Ok(self)
    }
}

impl Ord for Duration {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |duration: &Self| (duration.seconds, duration.nanos);
        // Unknown fields are compared as well, so that the order is total and agrees with equality.
        let unknown = || self.unknown_fields.as_bytes().cmp(other.unknown_fields.as_bytes());
        key(self).cmp(&key(other)).then_with(unknown)
    }
}

impl PartialOrd for Duration {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Writes a valid duration in the form of JSON. For an invalid duration, writes its two numbers.
impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.check() {
            Ok(()) => well_known::write_duration(f, self.seconds, self.nanos),
            Err(_) => write!(f, "invalid duration ({} seconds, {} nanoseconds)", self.seconds, self.nanos),
        }
    }
}

impl FromStr for Duration {
    type Err = Error;

    /// Reads a duration such as `1.5s`.
    ///
    /// # Errors
    /// The text does not have this form, or the duration is longer than 315,576,000,000.999999999 seconds.
    fn from_str(text: &str) -> Result<Self> {
        let (seconds, nanos) = well_known::parse_duration(text)?;
        Ok(Duration::new(seconds, nanos))
    }
}

impl TryFrom<time::Duration> for Duration {
    type Error = Error;

    fn try_from(duration: time::Duration) -> Result<Self> {
        let seconds = i64::try_from(duration.as_secs()).unwrap_or(i64::MAX);
        Duration::new(seconds, duration.subsec_nanos() as i32).normalized()
    }
}

impl TryFrom<&Duration> for time::Duration {
    type Error = Error;

    fn try_from(duration: &Duration) -> Result<Self> {
        duration.check()?;
        match (u64::try_from(duration.seconds), u32::try_from(duration.nanos)) {
            (Ok(seconds), Ok(nanos)) => Ok(time::Duration::new(seconds, nanos)),
            _ => Err(Error::ty(format!("the duration {duration} is negative"))),
        }
    }
}

impl TryFrom<Duration> for time::Duration {
    type Error = Error;

    fn try_from(duration: Duration) -> Result<Self> {
        (&duration).try_into()
    }
}
