//! Conversions from and to the types of `chrono`.

use chrono::{DateTime, TimeDelta, Utc};
use tobu::types::{Duration, Timestamp};

#[test]
fn timestamps() {
    for timestamp in [Timestamp::MIN, Timestamp::new(-1, 1), Timestamp::new(0, 0), Timestamp::MAX] {
        let time = DateTime::<Utc>::try_from(&timestamp).unwrap();
        assert_eq!(format!("{time:?}"), timestamp.to_string());
        assert_eq!(Timestamp::try_from(time).unwrap(), timestamp);
    }
    let leap = DateTime::from_timestamp(1_483_228_799, 1_500_000_000).unwrap();
    assert_eq!(Timestamp::try_from(leap).unwrap(), Timestamp::new(1_483_228_800, 500_000_000));
    for time in [DateTime::<Utc>::MIN_UTC, DateTime::<Utc>::MAX_UTC] {
        let error = Timestamp::try_from(time).unwrap_err().to_string();
        assert_eq!(
            error,
            format!("a timestamp of {} seconds is not in the years from 1 to 9999", time.timestamp())
        );
    }
    let error = DateTime::<Utc>::try_from(Timestamp::new(0, -1)).unwrap_err();
    assert_eq!(error.to_string(), "-1 nanoseconds of a timestamp are not from 0 to 999999999");
}

#[test]
fn durations() {
    for (seconds, nanos) in [(0, 0), (1, 1), (-1, -1), (0, -1), (0, 1), (-5, 0)] {
        let duration = Duration::new(seconds, nanos);
        let delta = TimeDelta::try_from(&duration).unwrap();
        assert_eq!(delta.num_nanoseconds(), Some(seconds * 1_000_000_000 + i64::from(nanos)));
        assert_eq!(Duration::try_from(delta).unwrap(), duration);
    }
    for duration in [Duration::MIN, Duration::MAX] {
        assert_eq!(Duration::try_from(TimeDelta::try_from(&duration).unwrap()).unwrap(), duration);
    }
    assert!(Duration::try_from(TimeDelta::MAX).is_err());
    assert!(Duration::try_from(TimeDelta::MIN).is_err());
    let error = TimeDelta::try_from(Duration::new(1, -1)).unwrap_err();
    assert_eq!(error.to_string(), "1 seconds and -1 nanoseconds of a duration have different signs");
}
