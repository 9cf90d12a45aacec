//! The texts of timestamps and durations, and their ranges.
//!
//! Names no message: only seconds and nanoseconds.
//!
//! Specification: <https://protobuf.dev/programming-guides/json/>.

use super::calendar;
use crate::error::{Error, Result};
use std::fmt;

pub(crate) const NANOS_PER_SECOND: i32 = 1_000_000_000;
/// 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z.
pub(crate) const TIMESTAMP_SECONDS: (i64, i64) = (-62_135_596_800, 253_402_300_799);
pub(crate) const DURATION_SECONDS: i64 = 315_576_000_000;

/// Checks the range of a timestamp.
pub(crate) fn check_timestamp(seconds: i64, nanos: i32) -> Result<()> {
    if seconds < TIMESTAMP_SECONDS.0 || seconds > TIMESTAMP_SECONDS.1 {
        return Err(Error::ty(format!(
            "a timestamp of {seconds} seconds is not in the years from 1 to 9999"
        )));
    }
    if !(0..NANOS_PER_SECOND).contains(&nanos) {
        return Err(Error::ty(format!("{nanos} nanoseconds of a timestamp are not from 0 to 999999999")));
    }
    Ok(())
}

/// Checks the range of a duration, and that seconds and nanoseconds have the same sign.
pub(crate) fn check_duration(seconds: i64, nanos: i32) -> Result<()> {
    if seconds.unsigned_abs() > DURATION_SECONDS.unsigned_abs() {
        return Err(Error::ty(format!(
            "a duration of {seconds} seconds and {nanos} nanoseconds is longer than 315576000000.999999999 seconds"
        )));
    }
    if nanos.unsigned_abs() >= NANOS_PER_SECOND.unsigned_abs() {
        return Err(Error::ty(format!(
            "{nanos} nanoseconds of a duration are not from -999999999 to 999999999"
        )));
    }
    if seconds.signum() * i64::from(nanos.signum()) < 0 {
        return Err(Error::ty(format!(
            "{seconds} seconds and {nanos} nanoseconds of a duration have different signs"
        )));
    }
    Ok(())
}

/// Writes a valid timestamp in RFC 3339.
pub(crate) fn write_timestamp(f: &mut impl fmt::Write, seconds: i64, nanos: i32) -> fmt::Result {
    let (year, month, day) = calendar::date(seconds.div_euclid(calendar::DAY));
    let second = seconds.rem_euclid(calendar::DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    // Digit by digit: the formatting of the standard library takes longer than all the rest of a message.
    let mut text = *b"0000-00-00T00:00:00";
    let numbers =
        [(0..4, year), (5..7, month), (8..10, day), (11..13, hour), (14..16, minute), (17..19, second)];
    for (places, mut number) in numbers {
        for place in text[places].iter_mut().rev() {
            *place = b'0' + (number % 10) as u8;
            number /= 10;
        }
    }
    f.write_str(std::str::from_utf8(&text).unwrap_or_default())?;
    write_fraction(f, nanos)?;
    f.write_char('Z')
}

/// Writes a valid duration.
pub(crate) fn write_duration(f: &mut impl fmt::Write, seconds: i64, nanos: i32) -> fmt::Result {
    if seconds < 0 || nanos < 0 {
        f.write_char('-')?;
    }
    write!(f, "{}", seconds.unsigned_abs())?;
    write_fraction(f, nanos.abs())?;
    f.write_char('s')
}

/// Reads a timestamp.
pub(crate) fn parse_timestamp(text: &str) -> Result<(i64, i32)> {
    let error = |problem: &str| Error::ty(format!("{} is not a timestamp: {problem}", quoted(text)));
    let form = || error("it is not of the form 1972-01-01T10:00:20.021Z");

    let (clock, rest) = text.as_bytes().split_at_checked(19).ok_or_else(form)?;
    let separators = [clock[4], clock[7], clock[10], clock[13], clock[16]];
    if separators != *b"--T::" {
        return Err(form());
    }
    let number = |range: std::ops::Range<usize>| digits(&clock[range]).ok_or_else(form);
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let (nanos, zone) = parse_fraction(rest).ok_or_else(form)?;
    let offset = match zone {
        b"Z" => 0,
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let hours = digits(&[*h1, *h2]).ok_or_else(form)?;
            let minutes = digits(&[*m1, *m2]).ok_or_else(form)?;
            if hours > 23 || minutes > 59 {
                return Err(error("there is no such offset"));
            }
            let offset = hours * 3600 + minutes * 60;
            if *sign == b'-' { -offset } else { offset }
        }
        _ => return Err(form()),
    };

    if year == 0 {
        return Err(error("the year is not from 1 to 9999"));
    }
    let days = calendar::days(year, month, day).ok_or_else(|| error("there is no such day"))?;
    if hour > 23 || minute > 59 || second > 59 {
        return Err(error("there is no such time of day"));
    }
    let seconds = days * calendar::DAY + hour * 3600 + minute * 60 + second - offset;
    if seconds < TIMESTAMP_SECONDS.0 || seconds > TIMESTAMP_SECONDS.1 {
        return Err(error("the year is not from 1 to 9999"));
    }
    Ok((seconds, nanos))
}

/// Reads a duration.
pub(crate) fn parse_duration(text: &str) -> Result<(i64, i32)> {
    let error = |problem: &str| Error::ty(format!("{} is not a duration: {problem}", quoted(text)));
    let form = || error("it is not of the form -1.5s");

    let (negative, rest) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let whole = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (whole, rest) = rest.split_at(whole);
    let (nanos, unit) = parse_fraction(rest).ok_or_else(form)?;
    if unit != b"s" || whole.is_empty() {
        return Err(form());
    }
    // Digits that are too many for the type are too many for a duration, too.
    let seconds = digits(whole).unwrap_or(i64::MAX);
    if seconds > DURATION_SECONDS {
        return Err(error("it is longer than 315576000000.999999999 seconds"));
    }
    Ok(if negative { (-seconds, -nanos) } else { (seconds, nanos) })
}

/// A text in quotes, for an error: the start of one that is long.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(64) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Writes the nanoseconds with as many digits as they take: none, three, six or nine.
fn write_fraction(f: &mut impl fmt::Write, nanos: i32) -> fmt::Result {
    match nanos {
        0 => Ok(()),
        _ if nanos % 1_000_000 == 0 => write!(f, ".{:03}", nanos / 1_000_000),
        _ if nanos % 1_000 == 0 => write!(f, ".{:06}", nanos / 1_000),
        _ => write!(f, ".{nanos:09}"),
    }
}

/// Reads a fraction of one to nine digits, if there is one, as nanoseconds; returns the bytes after
/// it.
fn parse_fraction(bytes: &[u8]) -> Option<(i32, &[u8])> {
    let Some(bytes) = bytes.strip_prefix(b".") else { return Some((0, bytes)) };
    let count = bytes.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(bytes.len());
    if !(1..=9).contains(&count) {
        return None;
    }
    let (fraction, rest) = bytes.split_at(count);
    let mut nanos = 0;
    for at in 0..9 {
        nanos = nanos * 10 + fraction.get(at).map_or(0, |digit| i32::from(digit - b'0'));
    }
    Some((nanos, rest))
}

/// The number that is written in digits; none if there is another character, or too many.
fn digits(bytes: &[u8]) -> Option<i64> {
    let mut number = 0_i64;
    for byte in bytes {
        number = match byte {
            b'0'..=b'9' => number.checked_mul(10)?.checked_add(i64::from(byte - b'0'))?,
            _ => return None,
        };
    }
    Some(number)
}
