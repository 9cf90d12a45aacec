//! Conversions from and to the types of `chrono`.

use super::{Duration, Timestamp};
use crate::error::{Error, Result};
use crate::syntax::well_known::NANOS_PER_SECOND;
use chrono::{DateTime, TimeDelta, Utc};

impl TryFrom<DateTime<Utc>> for Timestamp {
    type Error = Error;

    /// # Errors
    /// The time is not in the years from 1 to 9999.
    fn try_from(time: DateTime<Utc>) -> Result<Self> {
        // In a leap second, chrono has more than a billion nanoseconds. `normalized` moves the excess to the next second.
        let nanos = time.timestamp_subsec_nanos() as i32;
        Timestamp::new(time.timestamp(), nanos).normalized()
    }
}

impl TryFrom<&Timestamp> for DateTime<Utc> {
    type Error = Error;

    /// # Errors
    /// The timestamp is not valid.
    fn try_from(timestamp: &Timestamp) -> Result<Self> {
        timestamp.check()?;
        DateTime::from_timestamp(timestamp.seconds, timestamp.nanos.unsigned_abs())
            .ok_or_else(|| Error::ty(format!("chrono cannot represent the time {timestamp}")))
    }
}

impl TryFrom<Timestamp> for DateTime<Utc> {
    type Error = Error;

    /// # Errors
    /// The timestamp is not valid.
    fn try_from(timestamp: Timestamp) -> Result<Self> {
        (&timestamp).try_into()
    }
}

impl TryFrom<TimeDelta> for Duration {
    type Error = Error;

    /// # Errors
    /// The duration is longer than 315,576,000,000.999999999 seconds.
    fn try_from(delta: TimeDelta) -> Result<Self> {
        Duration::new(delta.num_seconds(), delta.subsec_nanos()).normalized()
    }
}

impl TryFrom<&Duration> for TimeDelta {
    type Error = Error;

    /// # Errors
    /// The duration is not valid.
    fn try_from(duration: &Duration) -> Result<Self> {
        duration.check()?;
        // The nanoseconds of chrono count forward in time, even if the seconds are negative.
        let seconds = if duration.nanos < 0 { duration.seconds - 1 } else { duration.seconds };
        TimeDelta::new(seconds, duration.nanos.rem_euclid(NANOS_PER_SECOND).unsigned_abs())
            .ok_or_else(|| Error::ty(format!("chrono cannot represent the duration {duration}")))
    }
}

impl TryFrom<Duration> for TimeDelta {
    type Error = Error;

    /// # Errors
    /// The duration is not valid.
    fn try_from(duration: Duration) -> Result<Self> {
        (&duration).try_into()
    }
}
