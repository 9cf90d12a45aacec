//! Prints floating-point numbers with the fewest digits that are read as the same number again. If several decimals have so few
//! digits, prints the one nearest to the number.
//!
//! Most numbers are neither tiny nor huge. Those from 2⁻¹⁶ to 2²³ are split into digits by integer arithmetic; `zmij`
//! prints the others.
//!
//! A number is m / 2ⁿ, and every decimal that is less than half of 2⁻ⁿ away from the number is read as this number. Let a unit
//! be the least power of ten that is more than 2⁻ⁿ. At most one multiple of a unit is within this distance. If there is one, it
//! has the fewest digits. Otherwise one more digit suffices, because a tenth of a unit is less than 2⁻ⁿ. No multiple is exactly
//! half of 2⁻ⁿ away, because n is more than twice as large as the power of ten.
//!
//! Below a power of two the numbers are twice as dense, so a decimal slightly less than a power of two may be read as another
//! number. But the powers of two in this range are multiples of the unit themselves, except for seven `f32` numbers, which the
//! tests check.

use crate::syntax::json::print::number::{ASCII_ZEROS, EIGHT_DIGITS, digits, leading_digits};
use crate::syntax::json::print::string::word;
use crate::syntax::json::print::{Numbers, Printer};

/// A floating-point type whose numbers can be split into a sign, m and n.
pub(crate) trait Float: zmij::Float + Copy {
    /// The number of bits of m.
    const PRECISION: u32;

    /// The largest number of digits of a multiple of a unit.
    const DIGITS: u32;

    /// Returns the sign, m and n. For zero, numbers next to it, infinities and NaN, n is out of range.
    fn parts(self) -> (bool, u64, u32);

    /// The digits of a multiple, not yet in ASCII. In each word of 64 bits the first digit is in the lowest byte.
    type Digits: Copy;

    /// Splits a multiple into digits, including leading zeros.
    fn digits(multiple: u64) -> Self::Digits;

    /// Counts the zeros at the end.
    fn zeros_at_end(digits: Self::Digits) -> u32;

    /// Returns the digits in ASCII, without the first `skip` digits.
    fn last(digits: Self::Digits, skip: u32) -> [u64; 2];
}

impl Float for f32 {
    const PRECISION: u32 = 24;
    const DIGITS: u32 = 8;

    #[inline]
    fn parts(self) -> (bool, u64, u32) {
        let bits = self.to_bits();
        let mantissa = bits & 0x007f_ffff | 0x0080_0000;
        (bits >> 31 != 0, mantissa.into(), 150u32.wrapping_sub(bits >> 23 & 0xff))
    }

    type Digits = u64;

    #[inline]
    fn digits(multiple: u64) -> u64 {
        digits(multiple as u32)
    }

    #[inline]
    fn zeros_at_end(digits: u64) -> u32 {
        digits.leading_zeros() / 8
    }

    #[inline]
    fn last(digits: u64, skip: u32) -> [u64; 2] {
        // If all digits are skipped, the shift wraps, and the caller writes none of these digits.
        [(digits | ASCII_ZEROS).wrapping_shr(8 * skip), 0]
    }
}

impl Float for f64 {
    const PRECISION: u32 = 53;
    const DIGITS: u32 = 16;

    #[inline]
    fn parts(self) -> (bool, u64, u32) {
        let bits = self.to_bits();
        let mantissa = bits & 0x000f_ffff_ffff_ffff | 0x0010_0000_0000_0000;
        (bits >> 63 != 0, mantissa, 1075u32.wrapping_sub((bits >> 52 & 0x7ff) as u32))
    }

    type Digits = [u64; 2];

    #[inline]
    fn digits(multiple: u64) -> [u64; 2] {
        [digits((multiple / EIGHT_DIGITS) as u32), digits((multiple % EIGHT_DIGITS) as u32)]
    }

    #[inline]
    fn zeros_at_end([high, low]: [u64; 2]) -> u32 {
        match low {
            0 => 8 + high.leading_zeros() / 8,
            _ => low.leading_zeros() / 8,
        }
    }

    #[inline]
    fn last([high, low]: [u64; 2], skip: u32) -> [u64; 2] {
        let (high, low, skip) = (high | ASCII_ZEROS, low | ASCII_ZEROS, (8 * skip) & 63);
        [high >> skip | low << 1 << (63 - skip), low >> skip]
    }
}

/// This module prints numbers from 2 to the power of -`LEAST` to 2 to the power of `MOST`.
const LEAST: u32 = 16;
const MOST: u32 = 23;

/// For each n, 2⁵³ / 2ⁿ in units.
const SCALES: [u64; (53 + LEAST) as usize] = {
    let mut scales = [0; (53 + LEAST) as usize];
    let mut n = 1;
    while n < scales.len() as u32 {
        let shift = 53 + places(n) - n;
        scales[n as usize] = 5u64.pow(places(n)) << shift;
        n += 1;
    }
    scales
};

/// Returns the largest p for which 10ᵖ is less than 2ⁿ. The unit is 10⁻ᵖ.
const fn places(n: u32) -> u32 {
    // 1233 / 2¹² is nearly the decimal logarithm of 2.
    (n * 1233) >> 12
}

impl Printer {
    /// Prints a finite number.
    #[inline]
    pub(crate) fn float(&mut self, value: impl Float) {
        self.numbers(|numbers| numbers.float(value));
    }
}

impl Numbers<'_> {
    /// Prints a finite number.
    // Not inlined, because it is too much code for every caller.
    #[inline(never)]
    pub(crate) fn float<F: Float>(mut self, value: F) -> Self {
        let (negative, mantissa, n) = value.parts();
        if n.wrapping_sub(F::PRECISION - MOST) >= LEAST + MOST {
            return self.other_float(value);
        }
        let (scale, places) = (SCALES[n as usize], places(n));
        // The number of whole units, and the rest in 2⁻⁶⁴ of a unit.
        let units = u128::from(mantissa << 11) * u128::from(scale);
        let (units, rest) = ((units >> 64) as u64, units as u64);
        let half = scale << 10;
        let up = rest.overflowing_add(half).1;
        let another = !up && rest > half;
        // A half is rounded to the even digit. Only 2.5 and 7.5 can occur, and 7.5 is rounded up anyway.
        let tenths = u128::from(rest) * 10;
        let digit = (tenths >> 64) as u8 + (tenths as u64 >> 63) as u8 - u8::from(rest == 1 << 62);

        let digits = F::digits(units + u64::from(up));
        let shown = places.min(F::DIGITS);
        // This code has no branch, because the processor could not predict it: it depends on the last digit.
        let dropped = F::zeros_at_end(digits) & u32::from(another).wrapping_sub(1);
        let shown_len = shown.saturating_sub(dropped) as u8;
        let fraction = F::last(digits, F::DIGITS - shown);

        // This is the integer of at most seven digits, the point, and the leading zeros of the fraction.
        let (integer, mut front_len) = match mantissa.checked_shr(n).unwrap_or(0) as u32 {
            integer @ 0..10 => (ASCII_ZEROS & 0xff | u64::from(integer), 1),
            integer => leading_digits(integer),
        };
        let front = integer | u64::from_le_bytes(*b".0000000") << (8 * u32::from(front_len));
        if shown_len > 0 || another {
            front_len += 1 + (places - shown) as u8;
        }
        let sign = (u64::from(b'-'), negative.into());
        let another = (u64::from(b'0' | digit), another.into());
        if F::DIGITS > 8 {
            let second = (fraction[1], shown_len.saturating_sub(8));
            self.0.put_words([sign, (front, front_len), (fraction[0], shown_len), second, another]);
        } else {
            self.0.put_words([sign, (front, front_len), (fraction[0], shown_len), another]);
        }
        self
    }

    /// Prints a number outside of the range, or zero, with `zmij`.
    // Not inlined, because its buffer must not enlarge other frames.
    #[inline(never)]
    fn other_float(mut self, value: impl Float) -> Self {
        let mut digits = Digits(zmij::Buffer::new());
        let text = digits.0.format_finite(value).as_bytes();
        let text = text.strip_suffix(b".0").unwrap_or(text);
        // Up to eight bytes are written by one store, while copying any length is a function call.
        match word(text) {
            Some(word) => self.0.put_short(word.to_le_bytes(), text.len() as u8),
            None => self.0.put_slice(text),
        }
        self
    }
}

/// The digits of a float, within one cache line, because loading data that was stored across two lines is slow.
#[repr(align(32))]
struct Digits(zmij::Buffer);

#[cfg(test)]
mod tests {
    use super::super::tests::print;
    use super::*;

    /// Returns the output of `zmij`, which has the same digits as in ECMAScript.
    fn wanted(value: impl Float) -> String {
        let mut buffer = zmij::Buffer::new();
        let text = buffer.format_finite(value);
        text.strip_suffix(".0").unwrap_or(text).to_owned()
    }

    #[track_caller]
    fn check(value: f64) {
        assert_eq!(print(|printer| printer.float(value)), wanted(value), "{value:e}");
        let value = value as f32;
        if value.is_finite() {
            assert_eq!(print(|printer| printer.float(value)), wanted(value), "{value:e} of 32 bits");
        }
    }

    #[test]
    fn of_every_form() {
        let rows: [(f64, &str); 22] = [
            (0.0, "0"),
            (-0.0, "-0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (0.1, "0.1"),
            (0.3, "0.3"),
            (0.1 + 0.2, "0.30000000000000004"),
            (2.0 / 3.0, "0.6666666666666666"),
            (100.0, "100"),
            (-8_388_607.0, "-8388607"),
            (-8_388_607.999_999_998, "-8388607.999999998"),
            (8_388_608.5, "8388608.5"),
            (0.000_015_258_789_062_5, "0.0000152587890625"),
            (-0.000_015_258_789_062_500_003, "-0.000015258789062500003"),
            (0.000_012, "0.000012"),
            (1e-7, "1e-7"),
            (1e15, "1000000000000000"),
            (1e21, "1e+21"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
            (5e-324, "5e-324"),
            (-9_007_199_254_740_993.0, "-9007199254740992"),
        ];
        for (value, wanted) in rows {
            assert_eq!(print(|printer| printer.float(value)), wanted);
        }
        let rows: [(f32, &str); 8] = [
            (0.1, "0.1"),
            (1.0 / 3.0, "0.33333334"),
            (-0.014_294_386, "-0.014294386"),
            (-0.000_015_258_789, "-0.000015258789"),
            (-8_388_607.5, "-8388607.5"),
            (524_287.97, "524287.97"),
            (f32::MAX, "3.4028235e+38"),
            (16_777_216.0, "16777216"),
        ];
        for (value, wanted) in rows {
            assert_eq!(print(|printer| printer.float(value)), wanted);
        }
    }

    #[test]
    fn powers_of_two_and_of_ten_and_what_lies_next_to_them() {
        for exponent in -1074..1024 {
            let power = 2f64.powi(exponent);
            for value in [power, power.next_up(), power.next_down(), power * 1.5, power * 1.25] {
                check(value);
                check(-value);
            }
        }
        for exponent in -320..308 {
            let power: f64 = format!("1e{exponent}").parse().unwrap();
            for value in [power, power.next_up(), power.next_down(), power * 9.0, power * 0.5] {
                check(value);
            }
        }
        for exponent in -149..128 {
            let power = 2f32.powi(exponent);
            for value in [power, power.next_up(), power.next_down()] {
                assert_eq!(print(|printer| printer.float(value)), wanted(value));
            }
        }
    }

    #[test]
    fn decimals_of_every_length() {
        for digits in 1..20_000u64 {
            for places in 0..12 {
                check(format!("{digits}e-{places}").parse().unwrap());
            }
        }
    }

    #[test]
    fn bits_from_all_over() {
        let mut bits = 0x9e37_79b9_7f4a_7c15u64;
        for _ in 0..300_000 {
            bits = bits.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let mantissa = bits >> 12;
            // The first number is in the range or next to it; the others have any exponent.
            let exponent = 1023 - u64::from(LEAST) - 1 + bits % u64::from(LEAST + MOST + 2);
            check(f64::from_bits(exponent << 52 | mantissa));
            let value = f32::from_bits((bits >> 32) as u32);
            if value.is_finite() {
                assert_eq!(print(|printer| printer.float(value)), wanted(value));
            }
            if f64::from_bits(bits).is_finite() {
                check(f64::from_bits(bits));
            }
        }
    }

    /// Takes half a minute in a release build: `cargo test --release -p tobu --lib every_float -- --ignored`.
    #[test]
    #[ignore = "takes long in a debug build"]
    fn every_float_of_32_bits_in_range() {
        for bits in 0..=u32::MAX / 2 {
            let value = f32::from_bits(bits);
            if (2f32.powi(-(LEAST as i32) - 1)..2f32.powi(MOST as i32 + 1)).contains(&value) {
                assert_eq!(print(|printer| printer.float(value)), wanted(value));
            }
        }
    }
}
