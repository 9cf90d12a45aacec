//! Conversions from and to the types of `jiff`.

use super::{Duration, Timestamp};
use crate::error::{Error, Result};
use jiff::SignedDuration;

impl TryFrom<jiff::Timestamp> for Timestamp {
    type Error = Error;

    /// # Errors
    /// The time is not in the years from 1 to 9999.
    fn try_from(time: jiff::Timestamp) -> Result<Self> {
        Timestamp::new(time.as_second(), time.subsec_nanosecond()).normalized()
    }
}

impl TryFrom<&Timestamp> for jiff::Timestamp {
    type Error = Error;

    /// # Errors
    /// The timestamp is not valid, or is in the last hours of the year 9999, which jiff reserves for time zones.
    fn try_from(timestamp: &Timestamp) -> Result<Self> {
        timestamp.check()?;
        jiff::Timestamp::new(timestamp.seconds, timestamp.nanos)
            .map_err(|_| Error::ty(format!("jiff cannot represent the time {timestamp}")))
    }
}

impl TryFrom<Timestamp> for jiff::Timestamp {
    type Error = Error;

    /// # Errors
    /// The timestamp is not valid, or is in the last hours of the year 9999, which jiff reserves for time zones.
    fn try_from(timestamp: Timestamp) -> Result<Self> {
        (&timestamp).try_into()
    }
}

impl TryFrom<SignedDuration> for Duration {
    type Error = Error;

    /// # Errors
    /// The duration is longer than 315,576,000,000.999999999 seconds.
    fn try_from(duration: SignedDuration) -> Result<Self> {
        Duration::new(duration.as_secs(), duration.subsec_nanos()).normalized()
    }
}

impl TryFrom<&Duration> for SignedDuration {
    type Error = Error;

    /// # Errors
    /// The duration is not valid.
    fn try_from(duration: &Duration) -> Result<Self> {
        duration.check()?;
        Ok(SignedDuration::new(duration.seconds, duration.nanos))
    }
}

impl TryFrom<Duration> for SignedDuration {
    type Error = Error;

    /// # Errors
    /// The duration is not valid.
    fn try_from(duration: Duration) -> Result<Self> {
        (&duration).try_into()
    }
}
