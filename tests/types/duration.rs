//! Duration: texts, ranges, conversions.

use std::time;
use tobu::types::Duration;

const MAX: i64 = 315_576_000_000;

/// The printed text for seconds and nanoseconds, which reads as the same.
const PRINTED: &[(i64, i32, &str)] = &[
    (0, 0, "0s"),
    (1, 0, "1s"),
    (-1, 0, "-1s"),
    (1, 500_000_000, "1.500s"),
    (-1, -500_000_000, "-1.500s"),
    (0, -1, "-0.000000001s"),
    (0, 1_000, "0.000001s"),
    (0, 999_999_999, "0.999999999s"),
    (MAX, 0, "315576000000s"),
    (-MAX, 0, "-315576000000s"),
    (MAX, 999_999_999, "315576000000.999999999s"),
    (-MAX, -999_999_999, "-315576000000.999999999s"),
    (MAX - 1, 999_999_999, "315575999999.999999999s"),
];

/// Accepted texts that are not printed.
const READ: &[(&str, i64, i32)] =
    &[("1.5s", 1, 500_000_000), ("-0s", 0, 0), ("007s", 7, 0), ("-0.12345678s", 0, -123_456_780)];

const FORM: &str = "it is not of the form -1.5s";
const LONG: &str = "it is longer than 315576000000.999999999 seconds";

/// Rejected texts.
const WRONG: &[(&str, &str)] = &[
    ("", FORM),
    ("s", FORM),
    ("-s", FORM),
    ("1", FORM),
    ("1S", FORM),
    ("1ss", FORM),
    ("1 s", FORM),
    (" 1s", FORM),
    ("+1s", FORM),
    ("--1s", FORM),
    ("1.s", FORM),
    (".5s", FORM),
    ("1.-5s", FORM),
    ("1,5s", FORM),
    ("1e3s", FORM),
    ("1ms", FORM),
    ("0.1234567890s", FORM),
    ("\u{661}s", FORM),
    ("315576000001s", LONG),
    ("-315576000001s", LONG),
    ("99999999999999999999999999s", LONG),
];

#[test]
fn texts() {
    for &(seconds, nanos, text) in PRINTED {
        let duration = Duration::new(seconds, nanos);
        assert_eq!(duration.to_string(), text);
        assert_eq!(text.parse::<Duration>().unwrap(), duration, "{text}");
    }
    for &(text, seconds, nanos) in READ {
        assert_eq!(text.parse::<Duration>().unwrap(), Duration::new(seconds, nanos), "{text}");
    }
    for &(text, problem) in WRONG {
        let error = text.parse::<Duration>().unwrap_err();
        assert_eq!(error.to_string(), format!("{text:?} is not a duration: {problem}"));
    }
}

#[test]
fn ranges() {
    let long = |seconds, nanos| {
        format!(
            "a duration of {seconds} seconds and {nanos} nanoseconds is longer than 315576000000.999999999 seconds"
        )
    };
    let signs = |seconds, nanos| {
        format!("{seconds} seconds and {nanos} nanoseconds of a duration have different signs")
    };
    let nanoseconds =
        |nanos| format!("{nanos} nanoseconds of a duration are not from -999999999 to 999999999");
    for (seconds, nanos, error) in [
        (MAX + 1, 0, long(MAX + 1, 0)),
        (-MAX - 1, -1, long(-MAX - 1, -1)),
        (i64::MIN, i32::MIN, long(i64::MIN, i32::MIN)),
        (0, 1_000_000_000, nanoseconds(1_000_000_000)),
        (0, i32::MIN, nanoseconds(i32::MIN)),
        (1, -1, signs(1, -1)),
        (-1, 1, signs(-1, 1)),
    ] {
        let duration = Duration::new(seconds, nanos);
        assert_eq!(duration.check().unwrap_err().to_string(), error);
        assert_eq!(time::Duration::try_from(&duration).unwrap_err().to_string(), error);
        let printed = format!("invalid duration ({seconds} seconds, {nanos} nanoseconds)");
        assert_eq!(duration.to_string(), printed);
    }
    Duration::MIN.check().unwrap();
    Duration::MAX.check().unwrap();
}

#[test]
fn normalized() {
    for (from, to) in [
        ((1, 0), (1, 0)),
        ((1, 2_000_000_001), (3, 1)),
        ((1, -1), (0, 999_999_999)),
        ((-1, 1), (0, -999_999_999)),
        ((1, -1_000_000_001), (0, -1)),
        ((0, i32::MIN), (-2, -147_483_648)),
        ((MAX + 1, -1_000_000_000), (MAX, 0)),
    ] {
        let duration = Duration::new(from.0, from.1).normalized().unwrap();
        assert_eq!((duration.seconds, duration.nanos), to);
    }
    for (seconds, nanos) in [(MAX + 1, 0), (-MAX - 1, 0), (i64::MAX, i32::MAX), (i64::MIN, i32::MIN)] {
        assert!(Duration::new(seconds, nanos).normalized().is_err());
    }
}

#[test]
fn std_duration() {
    let std = time::Duration::new(5, 100);
    assert_eq!(Duration::try_from(std).unwrap(), Duration::new(5, 100));
    assert_eq!(time::Duration::try_from(Duration::new(5, 100)).unwrap(), std);
    let error = time::Duration::try_from(Duration::new(0, -1)).unwrap_err();
    assert_eq!(error.to_string(), "the duration -0.000000001s is negative");
    assert_eq!(
        Duration::try_from(time::Duration::MAX).unwrap_err().to_string(),
        "a duration of 9223372036854775807 seconds and 999999999 nanoseconds is longer than 315576000000.999999999 seconds"
    );
}

#[test]
fn order() {
    let mut durations = [(0, 1), (-1, 0), (0, -1), (-1, -1)].map(|(s, n)| Duration::new(s, n));
    durations.sort();
    assert_eq!(durations, [(-1, -1), (-1, 0), (0, -1), (0, 1)].map(|(s, n)| Duration::new(s, n)));
}
