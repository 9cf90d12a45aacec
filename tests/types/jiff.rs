//! Conversions from and to the types of `jiff`.

use jiff::SignedDuration;
use tobu::types::{Duration, Timestamp};

#[test]
fn timestamps() {
    for timestamp in [Timestamp::MIN, Timestamp::new(-1, 1), Timestamp::new(0, 0), Timestamp::new(5, 7_000)] {
        let time = jiff::Timestamp::try_from(&timestamp).unwrap();
        assert_eq!(time.to_string().parse::<Timestamp>().unwrap(), timestamp);
        assert_eq!(Timestamp::try_from(time).unwrap(), timestamp);
    }
    let error = jiff::Timestamp::try_from(Timestamp::MAX).unwrap_err();
    assert_eq!(error.to_string(), "jiff cannot represent the time 9999-12-31T23:59:59.999999999Z");
    let error = jiff::Timestamp::try_from(Timestamp::new(0, -1)).unwrap_err();
    assert_eq!(error.to_string(), "-1 nanoseconds of a timestamp are not from 0 to 999999999");
    let seconds = jiff::Timestamp::MIN.as_second();
    let error = Timestamp::try_from(jiff::Timestamp::MIN).unwrap_err().to_string();
    assert_eq!(error, format!("a timestamp of {seconds} seconds is not in the years from 1 to 9999"));
}

#[test]
fn durations() {
    for (seconds, nanos) in [(0, 0), (1, 1), (-1, -1), (0, -1), (315_576_000_000, 0)] {
        let duration = Duration::new(seconds, nanos);
        let signed = SignedDuration::try_from(&duration).unwrap();
        assert_eq!(signed, SignedDuration::new(seconds, nanos));
        assert_eq!(Duration::try_from(signed).unwrap(), duration);
    }
    assert!(Duration::try_from(SignedDuration::MAX).is_err());
    assert!(Duration::try_from(SignedDuration::MIN).is_err());
    let error = SignedDuration::try_from(Duration::new(1, -1)).unwrap_err();
    assert_eq!(error.to_string(), "1 seconds and -1 nanoseconds of a duration have different signs");
}
