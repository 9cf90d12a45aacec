//! Reads numbers.

use crate::error::Result;
use crate::syntax::json::lex::Cursor;

/// The name under which serde_json writes a number as text with its feature `arbitrary_precision`. It is the name of a
/// struct, or the only key of a map.
pub(crate) const TEXT_OF_NUMBER: &str = "$serde_json::private::Number";

/// A number in its written form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number<'de> {
    pub(crate) raw: &'de str,
}

/// The magnitude of a number as an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whole {
    Is(u64),
    /// The number has a fraction.
    Fraction,
    /// The number does not fit 64 bits.
    Large,
}

impl Number<'_> {
    pub(crate) fn is_negative(&self) -> bool {
        self.raw.starts_with('-')
    }

    /// Returns the number for an error text. If it is long, returns only its start.
    pub(crate) fn shown(&self) -> String {
        match self.raw.get(..64) {
            Some(start) if self.raw.len() > 64 => format!("{start}..."),
            _ => self.raw.to_owned(),
        }
    }

    /// Returns the exact magnitude as an integer. This takes linear time for any exponent.
    pub(crate) fn whole(&self) -> Whole {
        let digits = self.raw.trim_start_matches('-');
        let (mantissa, exponent) = match digits.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)),
            None => (digits, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let fraction = fraction.trim_end_matches('0');
        // If the point moves after the last digit of the fraction, the exponent decreases by the number of these
        // digits. The result is the number of zeros to append.
        let mut zeros = exponent.saturating_sub(fraction.len() as i64);
        let mut value = 0u64;
        let mut pending = 0u32;
        for digits in [whole, fraction] {
            for &digit in digits.as_bytes() {
                // Zeros are appended only when another digit follows them, because the last zeros may be after the
                // point.
                if digit == b'0' {
                    pending = pending.saturating_add(u32::from(value != 0));
                    continue;
                }
                let Some(scaled) = scale(value, i64::from(pending) + 1) else { return Whole::Large };
                let Some(next) = scaled.checked_add(u64::from(digit - b'0')) else { return Whole::Large };
                (value, pending) = (next, 0);
            }
        }
        zeros = zeros.saturating_add(i64::from(pending));
        match zeros {
            _ if value == 0 => Whole::Is(0),
            0.. => scale(value, zeros).map_or(Whole::Large, Whole::Is),
            _ => Whole::Fraction,
        }
    }
}

/// Appends zeros to the digits of a number.
fn scale(value: u64, zeros: i64) -> Option<u64> {
    match u32::try_from(zeros) {
        _ if value == 0 => Some(0),
        Ok(zeros) => value.checked_mul(10u64.checked_pow(zeros)?),
        Err(_) => None,
    }
}

/// Parses an exponent. If its magnitude does not fit, the magnitude becomes `i64::MAX`.
fn exponent_of(text: &str) -> i64 {
    let digits = text.trim_start_matches(['+', '-']);
    let add = |exponent: i64, digit: u8| exponent.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    let exponent = digits.bytes().fold(0, add);
    if text.starts_with('-') { -exponent } else { exponent }
}

/// Returns the signed integer with this sign and magnitude if it is in the range from `-max - 1` to `max`, otherwise `None`.
#[inline]
pub(crate) fn signed_of(negative: bool, magnitude: u64, max: u64) -> Option<i64> {
    // The most negative number is further from zero by one than the largest number.
    let fits = magnitude <= max + u64::from(negative);
    fits.then(|| if negative { (magnitude as i64).wrapping_neg() } else { magnitude as i64 })
}

#[inline]
pub(crate) fn unsigned_of(negative: bool, magnitude: u64, max: u64) -> Option<u64> {
    (magnitude <= max && !(negative && magnitude != 0)).then_some(magnitude)
}

impl<'de> Cursor<'de> {
    /// Consumes an integer of up to 64 bits, in quotes or not. Returns its sign (true if negative) and magnitude. If
    /// anything else comes next, the cursor does not move.
    #[inline]
    pub(crate) fn short_integer(&mut self) -> Option<(bool, u64)> {
        let bytes = self.bytes();
        let mut at = self.at;
        let quoted = bytes.get(at) == Some(&b'"');
        at += usize::from(quoted);
        let negative = bytes.get(at) == Some(&b'-');
        at += usize::from(negative);
        let (value, rest) = leading_whole(bytes.get(at..)?)?;
        let next = rest.first().copied();
        let ends = match quoted {
            true => next == Some(b'"'),
            false => !matches!(next, Some(b'.' | b'e' | b'E')),
        };
        if !ends {
            return None;
        }
        self.at = bytes.len() - rest.len() + usize::from(quoted);
        Some((negative, value))
    }

    /// Reads a number: `-? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?`.
    ///
    /// # Errors
    /// The text at the cursor is not a number.
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

    /// Consumes a number of up to 19 digits without an exponent. If anything else comes next, the cursor does not move.
    #[inline]
    pub(crate) fn short_float(&mut self) -> Option<f64> {
        let bytes = self.bytes();
        let mut at = self.at;
        let negative = bytes.get(at) == Some(&b'-');
        at += usize::from(negative);
        let (value, rest) = leading_decimal(bytes.get(at..)?)?;
        self.at = bytes.len() - rest.len();
        Some(if negative { -value } else { value })
    }

    #[inline]
    fn digits(&mut self) -> Result<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start { Err(self.unexpected("a digit")) } else { Ok(()) }
    }

    /// Parses a text that is only a number. Returns `None` for any other text.
    pub(crate) fn number_of(text: &str) -> Option<Number<'_>> {
        let mut cursor = Cursor::new(text);
        let number = cursor.number().ok()?;
        (number.raw.len() == text.len()).then_some(number)
    }
}

/// The powers of ten that are exact.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Appends the digits at the start of a text to a number, which may overflow. Returns the rest of the text.
///
/// Reads eight bytes at a time while eight bytes remain, because a loop over digits would have an unpredictable branch at the
/// end of each number.
#[inline]
fn read_digits<'b>(mut text: &'b [u8], number: &mut u64) -> &'b [u8] {
    while let Some(&chunk) = text.first_chunk::<8>() {
        let (value, count) = leading_digits(chunk);
        *number = number.wrapping_mul(SCALES[count]).wrapping_add(value);
        text = &text[count..];
        if count < 8 {
            return text;
        }
    }
    while let Some((&byte, rest)) = text.split_first() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        *number = number.wrapping_mul(10).wrapping_add(u64::from(digit));
        text = rest;
    }
    text
}

/// Powers of ten, indexed by the number of digits.
const SCALES: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// Returns the number that the digits at the start of eight bytes form, and how many digits these are.
#[inline]
fn leading_digits(chunk: [u8; 8]) -> (u64, usize) {
    const ONES: u64 = u64::MAX / 255;
    let digits = u64::from_le_bytes(chunk) ^ (ONES * 0x30);
    // Sets the top bit of each byte that is greater than 9. A carry out of such a byte affects only later bytes.
    let others = (digits.wrapping_add(ONES * (0x7f - 9)) | digits) & (ONES << 7);
    let count = others.trailing_zeros() as usize / 8;
    // The last digit moves to the top byte, and zeros precede the first digit.
    let digits = digits.unbounded_shl(64 - 8 * count as u32);
    // Combines pairs of digits, then pairs of pairs, then both halves.
    let twos = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    const LOW: u64 = 0x0000_00ff_0000_00ff;
    let high = (twos & LOW).wrapping_mul(100 + (1_000_000 << 32));
    let low = (twos >> 16 & LOW).wrapping_mul(1 + (10_000 << 32));
    (high.wrapping_add(low) >> 32, count)
}

/// The highest 128 bits of five to the power of `-index`, rounded up. The upper half comes first.
const FIFTHS: [(u64, u64); 28] = {
    let mut table = [(0, 0); 28];
    let mut index = 0;
    while index < table.len() {
        let power = 5u64.pow(index as u32);
        // 2^(z + 127) / power, where 2^z is the next power of two, by long division.
        let z = 64 - (power - 1).leading_zeros();
        let (mut quotient, mut rest, mut bit) = (0u128, 0u64, 0);
        while bit < z + 128 {
            rest = rest * 2 + (bit == 0) as u64;
            quotient = quotient * 2 + (rest >= power) as u128;
            if rest >= power {
                rest -= power;
            }
            bit += 1;
        }
        // The quotient for index 0 is a power of two, so it is exact.
        let rounded = if index == 0 { quotient } else { quotient + 1 };
        table[index] = ((rounded >> 64) as u64, rounded as u64);
        index += 1;
    }
    table
};

/// Returns `mantissa / 10^fraction`, rounded once, for up to 27 digits after the point.
///
/// This is the algorithm of Daniel Lemire, "Number Parsing at a Gigabyte per Second" (2021), without the steps that
/// only larger exponents need. In this range, the product is always precise enough.
#[inline]
fn scaled(mantissa: u64, fraction: usize) -> Option<f64> {
    if mantissa <= 1 << 53
        && let Some(power) = POWERS.get(fraction)
    {
        // Converting signed integers is faster.
        return Some(mantissa as i64 as f64 / power);
    }
    let (upper, lower) = *FIFTHS.get(fraction)?;
    let shift = mantissa.leading_zeros();
    let whole = mantissa.checked_shl(shift)?;
    let product = u128::from(whole) * u128::from(upper);
    let (mut high, mut low) = ((product >> 64) as u64, product as u64);
    const CERTAIN: u64 = u64::MAX >> 55;
    if high & CERTAIN == CERTAIN {
        let more = ((u128::from(whole) * u128::from(lower)) >> 64) as u64;
        let carry;
        (low, carry) = low.overflowing_add(more);
        high += u64::from(carry);
    }
    let top = (high >> 63) as u32;
    let drop = top + 64 - 52 - 3;
    let mut bits = high >> drop;
    // A number exactly in the middle between two doubles is rounded to the even double.
    if low <= 1 && fraction <= 4 && bits & 3 == 1 && bits << drop == high {
        bits &= !1;
    }
    bits = (bits + (bits & 1)) >> 1;
    // The exponent is ceil(log2(10^-fraction)), for which 217706 / 2^16 is precise enough.
    let exponent = ((-(fraction as i32) * 217_706) >> 16) + 63 + top as i32 - shift as i32 + 1023;
    // The highest bit adds one to the exponent, and so does a carry out of the other bits.
    let exponent = u64::try_from(exponent - 1).ok()?;
    Some(f64::from_bits((exponent << 52) + bits))
}

/// Parses the integer of up to 64 bits at the start of a text. Returns the integer and the rest of the text, or `None`
/// if there is no integer, if it has leading zeros, or if it needs more than 64 bits.
#[inline]
pub(crate) fn leading_whole(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0u64;
    let rest = read_digits(text, &mut value);
    let len = text.len() - rest.len();
    if len == 0 || (len > 1 && text[0] == b'0') {
        return None;
    }
    // Nineteen digits cannot overflow. If twenty digits have overflowed, the value is less than 10^19.
    if len > 19 && (len > 20 || text[0] != b'1' || value < 10u64.pow(19)) {
        return None;
    }
    Some((value, rest))
}

/// Parses the number of up to 19 digits at the start of a text, which may have a fraction but no exponent. Returns the
/// number and the rest of the text, or `None` if there is no number, or if it has leading zeros.
#[inline]
pub(crate) fn leading_decimal(text: &[u8]) -> Option<(f64, &[u8])> {
    let mut mantissa = 0u64;
    // Most numbers have one digit before the point.
    let mut rest = match text {
        [digit @ b'0'..=b'9', rest @ ..] if rest.first() == Some(&b'.') => {
            mantissa = u64::from(digit - b'0');
            rest
        }
        _ => read_digits(text, &mut mantissa),
    };
    let whole = text.len() - rest.len();
    if whole == 0 || (whole > 1 && text[0] == b'0') {
        return None;
    }
    let mut fraction = 0;
    if let [b'.', digits @ ..] = rest {
        rest = read_digits(digits, &mut mantissa);
        fraction = digits.len() - rest.len();
        if fraction == 0 {
            return None;
        }
    }
    // Nineteen digits cannot overflow, and neither can a zero before them.
    let digits = whole + fraction - usize::from(text[0] == b'0');
    if digits > 19 || matches!(rest.first(), Some(b'e' | b'E')) {
        return None;
    }
    Some((scaled(mantissa, fraction)?, rest))
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
            let zeros = (random() % 10) as usize;
            let text = format!("{sign}{whole}.{}{fraction}", &"000000000"[zeros..]);
            let mut cursor = Cursor::new(&text);
            if let Some(value) = cursor.short_float() {
                assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
                assert_eq!(cursor.position(), text.len());
                read += 1;
            }
        }
        assert!(read > 10_000);
        // Midpoints of two adjacent doubles, and their neighbors, with all their digits.
        let middles = (0..2000u64).flat_map(|n| {
            let odd = (1 << 53) + 1 + 2 * n * 0x1_0001;
            [1, 2, 4, 8].map(|parts| (odd, parts))
        });
        let texts = middles.flat_map(|(odd, parts)| {
            let (whole, rest) = (odd / parts, odd % parts * 1000 / parts);
            [format!("{whole}.{rest:03}"), format!("{whole}.{:03}", rest.saturating_sub(1)), format!("{odd}")]
        });
        let all_digits =
            ["9999999999999999999", "1000000000000000001", "0000000000000000001", "18014398509481985"];
        let texts = texts.chain(all_digits.iter().flat_map(|digits| {
            (1..digits.len()).map(|point| {
                let whole = digits[..point].trim_start_matches('0');
                format!("{}.{}", if whole.is_empty() { "0" } else { whole }, &digits[point..])
            })
        }));
        let mut rows = 0;
        for text in texts {
            if let Some(value) = Cursor::new(&text).short_float() {
                assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
                rows += 1;
            }
        }
        assert!(rows > 20_000);
        for text in [
            "1e5",
            "1.",
            ".5",
            "01.5",
            "-",
            "",
            "1.1234567890123456789",
            "0.12345678901234567890",
            "NaN",
            "\"1\"",
        ] {
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
            ("12345678901234567890", Some((false, 12345678901234567890)), 20),
            ("18446744073709551615", Some((false, u64::MAX)), 20),
            ("18446744073709551616", None, 0),
            ("19999999999999999999", None, 0),
            ("20000000000000000000", None, 0),
            ("28446744073709551616", None, 0),
            ("99999999999999999999", None, 0),
            ("100000000000000000000", None, 0),
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

    #[test]
    fn digits_end_at_any_byte_wherever_the_text_ends() {
        for len in 0..20usize {
            let digits = &"1928374650918273645"[..len.min(19)];
            for end in (0..=255u8).filter(|byte| !byte.is_ascii_digit()) {
                for rest in 0..9 {
                    let bytes = [digits.as_bytes(), &[end], &vec![b'7'; rest]].concat();
                    let mut number = 0;
                    assert_eq!(read_digits(&bytes, &mut number), &bytes[digits.len()..]);
                    assert_eq!(number, digits.parse().unwrap_or(0), "{digits} before {end}");
                }
            }
        }
    }
}
