//! Timestamp: texts, ranges, conversions.

use std::time::{Duration, SystemTime};
use tobu::types::Timestamp;

const FIRST: i64 = -62_135_596_800;
const LAST: i64 = 253_402_300_799;

/// The printed text for seconds and nanoseconds, which reads as the same.
const PRINTED: &[(i64, i32, &str)] = &[
    (0, 0, "1970-01-01T00:00:00Z"),
    (0, 1, "1970-01-01T00:00:00.000000001Z"),
    (0, 10, "1970-01-01T00:00:00.000000010Z"),
    (0, 1_000, "1970-01-01T00:00:00.000001Z"),
    (0, 10_000_000, "1970-01-01T00:00:00.010Z"),
    (0, 999_999_999, "1970-01-01T00:00:00.999999999Z"),
    (-1, 500_000_000, "1969-12-31T23:59:59.500Z"),
    (63_108_020, 21_000_000, "1972-01-01T10:00:20.021Z"),
    (951_782_399, 0, "2000-02-28T23:59:59Z"),
    (951_782_400, 0, "2000-02-29T00:00:00Z"),
    (951_868_800, 0, "2000-03-01T00:00:00Z"),
    (-2_203_891_201, 0, "1900-02-28T23:59:59Z"),
    (-2_203_891_200, 0, "1900-03-01T00:00:00Z"),
    (1_735_689_599, 0, "2024-12-31T23:59:59Z"),
    (FIRST, 0, "0001-01-01T00:00:00Z"),
    (LAST, 999_999_999, "9999-12-31T23:59:59.999999999Z"),
];

/// Accepted texts that are not printed.
const READ: &[(&str, i64, i32)] = &[
    ("1970-01-01T00:00:00.1Z", 0, 100_000_000),
    ("1970-01-01T00:00:00.12345678Z", 0, 123_456_780),
    ("1970-01-01T00:00:00+00:00", 0, 0),
    ("1970-01-01T00:00:00-00:00", 0, 0),
    ("1970-01-01T00:00:00.5+01:30", -5_400, 500_000_000),
    ("1970-01-01T00:00:00-23:59", 86_340, 0),
    ("0001-01-01T01:00:00+01:00", FIRST, 0),
    ("9999-12-31T22:59:59-01:00", LAST, 0),
];

const FORM: &str = "it is not of the form 1972-01-01T10:00:20.021Z";
const DAY: &str = "there is no such day";
const TIME: &str = "there is no such time of day";
const OFFSET: &str = "there is no such offset";
const YEAR: &str = "the year is not from 1 to 9999";

/// Rejected texts.
const WRONG: &[(&str, &str)] = &[
    ("", FORM),
    ("1970-01-01", FORM),
    ("1970-01-01T00:00:00", FORM),
    ("1970-01-01t00:00:00Z", FORM),
    ("1970-01-01 00:00:00Z", FORM),
    ("1970-01-01T00:00:00z", FORM),
    ("1970-01-01T00:00:00ZZ", FORM),
    (" 1970-01-01T00:00:00Z", FORM),
    ("1970-01-01T00:00:00Z ", FORM),
    ("+970-01-01T00:00:00Z", FORM),
    ("-001-01-01T00:00:00Z", FORM),
    ("10000-01-01T00:00:00Z", FORM),
    ("1970-1-01T00:00:00Z", FORM),
    ("1970-01-01T00:00Z", FORM),
    ("1970-01-01T00:00:00.Z", FORM),
    ("1970-01-01T00:00:00,5Z", FORM),
    ("1970-01-01T00:00:00.1234567890Z", FORM),
    ("1970-01-01T00:00:00+0100", FORM),
    ("1970-01-01T00:00:00+01", FORM),
    ("1970-01-01T00:00:00+1:00", FORM),
    ("1970-01-01T00:00:00Z+01:00", FORM),
    ("1970-01-01T00:00:0\u{660}Z", FORM),
    ("1970-00-01T00:00:00Z", DAY),
    ("1970-13-01T00:00:00Z", DAY),
    ("1970-01-00T00:00:00Z", DAY),
    ("1970-01-32T00:00:00Z", DAY),
    ("1970-04-31T00:00:00Z", DAY),
    ("1970-02-29T00:00:00Z", DAY),
    ("1900-02-29T00:00:00Z", DAY),
    ("1970-01-01T24:00:00Z", TIME),
    ("1970-01-01T00:60:00Z", TIME),
    ("2016-12-31T23:59:60Z", TIME),
    ("1970-01-01T00:00:00+24:00", OFFSET),
    ("1970-01-01T00:00:00+00:60", OFFSET),
    ("0000-01-01T00:00:00Z", YEAR),
    ("0001-01-01T00:00:00+00:01", YEAR),
    ("9999-12-31T23:59:59-00:01", YEAR),
];

#[test]
fn texts() {
    for &(seconds, nanos, text) in PRINTED {
        let timestamp = Timestamp::new(seconds, nanos);
        assert_eq!(timestamp.to_string(), text);
        assert_eq!(text.parse::<Timestamp>().unwrap(), timestamp, "{text}");
    }
    for &(text, seconds, nanos) in READ {
        assert_eq!(text.parse::<Timestamp>().unwrap(), Timestamp::new(seconds, nanos), "{text}");
    }
    for &(text, problem) in WRONG {
        let error = text.parse::<Timestamp>().unwrap_err();
        assert_eq!(error.to_string(), format!("{text:?} is not a timestamp: {problem}"));
    }
}

#[test]
fn a_long_text_is_cut_in_the_error() {
    let error = "é".repeat(1000).parse::<Timestamp>().unwrap_err();
    assert_eq!(error.to_string(), format!("{:?}... is not a timestamp: {FORM}", "é".repeat(64)));
}

#[test]
fn days_are_read_as_they_are_printed() {
    let mut last = String::new();
    // Meets every day of the calendar, in one year or another.
    for day in (FIRST / 86_400..=LAST / 86_400).step_by(11) {
        let timestamp = Timestamp::new(day * 86_400, 0);
        let text = timestamp.to_string();
        assert!(last < text, "{last} is before {text}");
        assert_eq!(text.parse::<Timestamp>().unwrap(), timestamp);
        last = text;
    }
    assert!(last.starts_with("9999-12"));
}

#[test]
fn ranges() {
    for (seconds, nanos, error) in [
        (FIRST - 1, 0, "a timestamp of -62135596801 seconds is not in the years from 1 to 9999"),
        (LAST + 1, 0, "a timestamp of 253402300800 seconds is not in the years from 1 to 9999"),
        (
            i64::MIN,
            i32::MIN,
            "a timestamp of -9223372036854775808 seconds is not in the years from 1 to 9999",
        ),
        (0, -1, "-1 nanoseconds of a timestamp are not from 0 to 999999999"),
        (0, 1_000_000_000, "1000000000 nanoseconds of a timestamp are not from 0 to 999999999"),
    ] {
        let timestamp = Timestamp::new(seconds, nanos);
        assert_eq!(timestamp.check().unwrap_err().to_string(), error);
        assert_eq!(SystemTime::try_from(&timestamp).unwrap_err().to_string(), error);
        let printed = format!("invalid timestamp ({seconds} seconds, {nanos} nanoseconds)");
        assert_eq!(timestamp.to_string(), printed);
    }
    Timestamp::MIN.check().unwrap();
    Timestamp::MAX.check().unwrap();
}

#[test]
fn normalized() {
    for (from, to) in [
        ((1, 0), (1, 0)),
        ((1, 1_000_000_000), (2, 0)),
        ((1, -1), (0, 999_999_999)),
        ((0, i32::MIN), (-3, 852_516_352)),
        ((LAST + 1, -1), (LAST, 999_999_999)),
    ] {
        let timestamp = Timestamp::new(from.0, from.1).normalized().unwrap();
        assert_eq!((timestamp.seconds, timestamp.nanos), to);
    }
    for (seconds, nanos) in [(FIRST, -1), (LAST, 1_000_000_000), (i64::MAX, i32::MAX), (i64::MIN, i32::MIN)] {
        assert!(Timestamp::new(seconds, nanos).normalized().is_err());
    }
}

#[test]
fn system_time() {
    let epoch = SystemTime::UNIX_EPOCH;
    for (time, seconds, nanos) in [
        (epoch, 0, 0),
        (epoch + Duration::new(5, 100), 5, 100),
        (epoch - Duration::new(5, 100), -6, 999_999_900),
        (epoch - Duration::new(5, 0), -5, 0),
    ] {
        let timestamp = Timestamp::try_from(time).unwrap();
        assert_eq!(timestamp, Timestamp::new(seconds, nanos));
        assert_eq!(SystemTime::try_from(timestamp).unwrap(), time);
    }
    let late = epoch + Duration::from_secs(LAST as u64 + 1);
    assert_eq!(
        Timestamp::try_from(late).unwrap_err().to_string(),
        "a timestamp of 253402300800 seconds is not in the years from 1 to 9999"
    );
    assert!(Timestamp::now().unwrap() > Timestamp::default());
}

#[test]
fn order() {
    let mut timestamps = [(1, 0), (-1, 999_999_999), (0, 1), (-1, 0)].map(|(s, n)| Timestamp::new(s, n));
    timestamps.sort();
    assert_eq!(timestamps, [(-1, 0), (-1, 999_999_999), (0, 1), (1, 0)].map(|(s, n)| Timestamp::new(s, n)));
}
