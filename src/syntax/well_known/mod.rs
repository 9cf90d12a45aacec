//! Reads and writes the texts of timestamps, durations and field masks.
//!
//! This module is in layer 0 (see DESIGN.md): it knows numbers and strings but no messages, so that formats and types can share
//! it.

use std::fmt;

use crate::error::{Error, Result};

pub(crate) const DAY: i64 = 86_400;

const DAYS_OF_ERA: i64 = 146_097;

/// The number of days from 0000-03-01 to 1970-01-01.
const DAYS_BEFORE_EPOCH: i64 = 719_468;

/// Returns the number of days from 1970-01-01 to a date in the years 0 to 9999, or `None` if there is no such date.
pub(crate) fn days(year: i64, month: i64, day: i64) -> Option<i64> {
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=last).contains(&day) {
        return None;
    }
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    Some(era * DAYS_OF_ERA + day_of_era - DAYS_BEFORE_EPOCH)
}

/// Returns the year, month and day that is `days` days after 1970-01-01.
pub(crate) fn date(days: i64) -> (i64, i64, i64) {
    let days = days + DAYS_BEFORE_EPOCH;
    let (era, day_of_era) = (days.div_euclid(DAYS_OF_ERA), days.rem_euclid(DAYS_OF_ERA));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    let year = year_of_era + era * 400;
    (if month <= 2 { year + 1 } else { year }, month, day)
}

/// Writes the paths of a field mask in JSON. Refuses a path that would change when it is read again.
pub(crate) fn to_json(paths: &[&str]) -> Result<String> {
    let mut text = String::new();
    for path in paths {
        let error = |problem: &str| {
            Error::ty(format!("the path {} of a field mask has no form in JSON: {problem}", quoted(path)))
        };
        if path.is_empty() {
            return Err(error("it is empty"));
        }
        if !text.is_empty() {
            text.push(',');
        }
        let mut chars = path.chars();
        while let Some(c) = chars.next() {
            match c {
                '_' => match chars.next() {
                    Some(c) if c.is_ascii_lowercase() => text.push(c.to_ascii_uppercase()),
                    _ => return Err(error("an underscore is not followed by a lower-case letter")),
                },
                'A'..='Z' => return Err(error("it has an upper-case letter")),
                ',' => return Err(error("it has a comma")),
                _ => text.push(c),
            }
        }
        if !has_names(path) {
            return Err(error(NO_NAME));
        }
    }
    Ok(text)
}

/// Reads the paths of a field mask from JSON. Refuses a path that would change when it is written again.
pub(crate) fn from_json(text: &str) -> Result<Vec<String>> {
    let mut paths = Vec::new();
    for path in split(text)? {
        if !has_names(path) {
            return Err(Error::ty(format!(
                "the path {} of a field mask is invalid: {NO_NAME}",
                quoted(path)
            )));
        }
        let mut snake = String::with_capacity(path.len() + 4);
        for c in path.chars() {
            match c {
                'A'..='Z' => {
                    snake.push('_');
                    snake.push(c.to_ascii_lowercase());
                }
                '_' => {
                    let path = quoted(path);
                    return Err(Error::ty(format!(
                        "the path {path} of a field mask has an underscore in JSON"
                    )));
                }
                _ => snake.push(c),
            }
        }
        paths.push(snake);
    }
    Ok(paths)
}

const NO_NAME: &str = "a part between dots is neither the name of a field nor `*`";

/// True for a path of field names. A name may be `*`, which APIs use for all fields.
fn has_names(path: &str) -> bool {
    path.split('.').all(|part| {
        let mut bytes = part.bytes();
        let starts = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        part == "*" || starts && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

/// Returns the paths between the commas of a text.
pub(crate) fn split(text: &str) -> Result<Vec<&str>> {
    let mut paths = Vec::new();
    if text.is_empty() {
        return Ok(paths);
    }
    for path in text.split(',') {
        if path.is_empty() {
            return Err(Error::ty(format!("{} is not a field mask: a path is empty", quoted(text))));
        }
        paths.push(path);
    }
    Ok(paths)
}

pub(crate) const NANOS_PER_SECOND: i32 = 1_000_000_000;

/// The seconds of 0001-01-01T00:00:00Z and of 9999-12-31T23:59:59Z, counted from 1970.
pub(crate) const TIMESTAMP_SECONDS: (i64, i64) = (-62_135_596_800, 253_402_300_799);

pub(crate) const DURATION_SECONDS: i64 = 315_576_000_000;

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
    let (year, month, day) = date(seconds.div_euclid(DAY));
    let second = seconds.rem_euclid(DAY);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    // The digits are written by hand, because the standard library takes longer to format them than tobu takes for the rest of
    // a message.
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
    let days = days(year, month, day).ok_or_else(|| error("there is no such day"))?;
    if hour > 23 || minute > 59 || second > 59 {
        return Err(error("there is no such time of day"));
    }
    let seconds = days * DAY + hour * 3600 + minute * 60 + second - offset;
    if seconds < TIMESTAMP_SECONDS.0 || seconds > TIMESTAMP_SECONDS.1 {
        return Err(error("the year is not from 1 to 9999"));
    }
    Ok((seconds, nanos))
}

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
    // If `whole` has too many digits for an `i64`, the duration is too long as well.
    let seconds = digits(whole).unwrap_or(i64::MAX);
    if seconds > DURATION_SECONDS {
        return Err(error("it is longer than 315576000000.999999999 seconds"));
    }
    Ok(if negative { (-seconds, -nanos) } else { (seconds, nanos) })
}

/// Returns a text in quotes for an error, or only its start if it is long.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(64) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Writes nanoseconds as a fraction of zero, three, six or nine digits, as many as necessary.
fn write_fraction(f: &mut impl fmt::Write, nanos: i32) -> fmt::Result {
    match nanos {
        0 => Ok(()),
        _ if nanos % 1_000_000 == 0 => write!(f, ".{:03}", nanos / 1_000_000),
        _ if nanos % 1_000 == 0 => write!(f, ".{:06}", nanos / 1_000),
        _ => write!(f, ".{nanos:09}"),
    }
}

/// Reads an optional fraction of one to nine digits, and returns it as nanoseconds, with the bytes after it.
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

/// Returns the number that the digits write, or `None` if another character occurs or the number does not fit.
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
