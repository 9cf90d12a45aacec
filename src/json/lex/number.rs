//! Numbers.

use super::Cursor;
use crate::error::Result;

/// A number as it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number<'de> {
    pub(crate) raw: &'de str,
}

/// The magnitude of a number as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    Is(u64),
    /// It has a fraction.
    Fraction,
    /// It is beyond 64 bits.
    Large,
}

impl Number<'_> {
    pub(crate) fn is_negative(&self) -> bool {
        self.raw.starts_with('-')
    }

    /// The number, or the start of a long one, for an error.
    pub(crate) fn shown(&self) -> String {
        match self.raw.get(..64) {
            Some(start) if self.raw.len() > 64 => format!("{start}..."),
            _ => self.raw.to_owned(),
        }
    }

    /// The magnitude as an integer, exactly; in linear time whatever the exponent.
    pub(crate) fn whole(&self) -> Whole {
        let digits = self.raw.trim_start_matches('-');
        let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)),
            None => (digits, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let fraction = fraction.trim_end_matches('0');
        // All significant digits stand before the point when the exponent is this much lower.
        let mut zeros = exponent.saturating_sub(fraction.len() as i64);
        let mut significant = whole.bytes().chain(fraction.bytes()).skip_while(|digit| *digit == b'0');
        let mut value = 0u64;
        let mut pending = 0u32;
        for digit in significant.by_ref() {
            // Zeros wait for a digit after them: the last ones may belong behind the point.
            if digit == b'0' {
                pending = pending.saturating_add(1);
                continue;
            }
            let Some(scaled) = scale(value, i64::from(pending) + 1) else { return Whole::Large };
            let Some(next) = scaled.checked_add(u64::from(digit - b'0')) else { return Whole::Large };
            (value, pending) = (next, 0);
        }
        zeros = zeros.saturating_add(i64::from(pending));
        match zeros {
            _ if value == 0 => Whole::Is(0),
            0.. => scale(value, zeros).map_or(Whole::Large, Whole::Is),
            _ => Whole::Fraction,
        }
    }
}

/// Adds zeros to the digits of a number.
fn scale(value: u64, zeros: i64) -> Option<u64> {
    match u32::try_from(zeros) {
        _ if value == 0 => Some(0),
        Ok(zeros) => value.checked_mul(10u64.checked_pow(zeros)?),
        Err(_) => None,
    }
}

/// An exponent; one that is too long to matter stays as large as can be.
fn exponent_of(text: &str) -> i64 {
    let digits = text.trim_start_matches(['+', '-']);
    let add = |exponent: i64, digit: u8| exponent.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    let exponent = digits.bytes().fold(0, add);
    if text.starts_with('-') { -exponent } else { exponent }
}

/// The powers of ten that are exact.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Adds the digits from `at` on to a number, which may overflow; gives the place after them.
#[cfg_attr(not(debug_assertions), inline(always))]
fn read_digits(bytes: &[u8], mut at: usize, number: &mut u64) -> usize {
    while let Some(&byte) = bytes.get(at) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        at += 1;
    }
    at
}

impl<'de> Cursor<'de> {
    /// Goes past an integer of up to 19 digits, in quotes or not: true when it is negative, and its magnitude. Where
    /// something else stands there, the cursor stays.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn short_integer(&mut self) -> Option<(bool, u64)> {
        let bytes = self.bytes();
        let mut at = self.at;
        let quoted = bytes.get(at) == Some(&b'"');
        at += usize::from(quoted);
        let negative = bytes.get(at) == Some(&b'-');
        at += usize::from(negative);
        let start = at;
        let mut value = 0u64;
        at = read_digits(bytes, at, &mut value);
        let next = bytes.get(at).copied();
        let ends = match quoted {
            true => next == Some(b'"'),
            false => !matches!(next, Some(b'.' | b'e' | b'E')),
        };
        let len = at - start;
        if !ends || len == 0 || len > 19 || (len > 1 && bytes[start] == b'0') {
            return None;
        }
        self.at = at + usize::from(quoted);
        Some((negative, value))
    }

    /// Reads a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
    ///
    /// # Errors
    /// There is something else.
    #[inline]
    pub(crate) fn number(&mut self) -> Result<Number<'de>> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => {
                self.at += 1;
                if matches!(self.peek(), Some(b'0'..=b'9')) {
                    return Err(self.error(start, "a number starts with a zero"));
                }
            }
            _ => self.digits()?,
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(Number { raw: &self.text[start..self.at] })
    }

    /// Goes past a number that is at most 2^53 but for a power of ten of up to 22, which floating-point arithmetic
    /// gives exactly rounded. Where something else stands there, the cursor stays.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn short_float(&mut self) -> Option<f64> {
        let bytes = self.bytes();
        let mut at = self.at;
        let negative = bytes.get(at) == Some(&b'-');
        at += usize::from(negative);
        let mut mantissa = 0u64;
        let start = at;
        at = read_digits(bytes, at, &mut mantissa);
        let whole = at - start;
        if whole == 0 || (whole > 1 && bytes[start] == b'0') {
            return None;
        }
        let mut fraction = 0;
        if bytes.get(at) == Some(&b'.') {
            let start = at + 1;
            at = read_digits(bytes, start, &mut mantissa);
            fraction = at - start;
            if fraction == 0 {
                return None;
            }
        }
        // Nineteen digits cannot have overflown.
        if whole + fraction > 19 || mantissa > 1 << 53 || matches!(bytes.get(at), Some(b'e' | b'E')) {
            return None;
        }
        let value = mantissa as f64 / POWERS.get(fraction)?;
        self.at = at;
        Some(if negative { -value } else { value })
    }

    /// Goes past one digit or more.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    /// The number that a text is from start to end.
    pub(crate) fn number_of(text: &str) -> Option<Number<'_>> {
        let mut cursor = Cursor::new(text);
        let number = cursor.number().ok()?;
        (number.raw.len() == text.len()).then_some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_exact_whatever_they_look_like() {
        use Whole::{Fraction, Is, Large};
        let max = u64::MAX;
        let rows = [
            ("0", Is(0)),
            ("-0", Is(0)),
            ("0.000", Is(0)),
            ("0e999999999999999999999", Is(0)),
            ("1", Is(1)),
            ("-17", Is(17)),
            ("1.0", Is(1)),
            ("1.50e1", Is(15)),
            ("1e3", Is(1000)),
            ("1E+03", Is(1000)),
            ("1000e-3", Is(1)),
            ("1000.0e-3", Is(1)),
            ("0.001e3", Is(1)),
            ("10.010e3", Is(10010)),
            ("100e-3", Fraction),
            ("1.5", Fraction),
            ("0.5", Fraction),
            ("1e-1", Fraction),
            ("1e-536870000", Fraction),
            ("18446744073709551615", Is(max)),
            ("18446744073709551615.0", Is(max)),
            ("1844674407370955161.5e1", Is(max)),
            ("1844674407370955161500e-2", Is(18446744073709551615 / 10 * 10 + 5)),
            ("18446744073709551616", Large),
            ("1e19", Is(10_000_000_000_000_000_000)),
            ("1e20", Large),
            ("1e536870000", Large),
            ("1e99999999999999999999", Large),
            ("9007199254740993", Is(9007199254740993)),
        ];
        for (text, wanted) in rows {
            assert_eq!(Cursor::number_of(text).unwrap().whole(), wanted, "{text}");
        }
        let long = "1".repeat(1_000_000);
        assert_eq!(Cursor::number_of(&long).unwrap().whole(), Large);
        let zeros = format!("1{}e-1000000", "0".repeat(1_000_000));
        assert_eq!(Cursor::number_of(&zeros).unwrap().whole(), Is(1));
    }

    #[test]
    fn what_is_no_number_is_refused() {
        for text in
            ["", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", " 1", "1 ", "0x1", "1,0", "NaN", "Infinity"]
        {
            assert!(Cursor::number_of(text).is_none(), "{text}");
        }
    }

    #[test]
    fn short_floats_are_those_of_the_standard_library() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            state >> 11
        };
        let mut read = 0;
        for _ in 0..100_000 {
            let (whole, fraction) = (random() >> (random() % 53), random() >> (random() % 53));
            let sign = if random() % 2 == 0 { "-" } else { "" };
            let text = format!("{sign}{whole}.{fraction}");
            let mut cursor = Cursor::new(&text);
            if let Some(value) = cursor.short_float() {
                assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
                assert_eq!(cursor.position(), text.len());
                read += 1;
            }
        }
        assert!(read > 10_000);
        for text in
            ["1e5", "1.", ".5", "01.5", "-", "", "9007199254740993", "0.12345678901234567890", "NaN", "\"1\""]
        {
            let mut cursor = Cursor::new(text);
            assert_eq!((cursor.short_float(), cursor.position()), (None, 0), "{text}");
        }
        assert!(Cursor::new("-0").short_float().unwrap().is_sign_negative());
    }

    #[test]
    fn short_integers_are_read_in_one_go() {
        let rows = [
            ("1,", Some((false, 1)), 1),
            ("-0", Some((true, 0)), 2),
            ("\"-12\"}", Some((true, 12)), 5),
            ("123456789012345678", Some((false, 123456789012345678)), 18),
            ("9999999999999999999", Some((false, 9999999999999999999)), 19),
            ("12345678901234567890", None, 0),
            ("01", None, 0),
            ("1.0", None, 0),
            ("1e3", None, 0),
            ("\"1", None, 0),
            ("\"\"", None, 0),
            ("\"1 \"", None, 0),
            ("-", None, 0),
            ("", None, 0),
        ];
        for (text, wanted, end) in rows {
            let mut cursor = Cursor::new(text);
            assert_eq!(cursor.short_integer(), wanted, "{text}");
            assert_eq!(cursor.position(), end, "{text}");
        }
    }
}
