//! Floating-point numbers, in the fewest digits that are read as the same number again; of those the nearest.

use super::string::word;
use super::{Numbers, Printer};

impl Printer {
    /// A number that is finite.
    #[inline]
    pub(crate) fn float(&mut self, value: impl zmij::Float) {
        self.numbers(|numbers| numbers.float(value));
    }
}

impl Numbers<'_> {
    /// A number that is finite.
    // Out of line: its buffer must not enlarge other frames.
    #[inline(never)]
    pub(crate) fn float<F: zmij::Float>(mut self, value: F) -> Self {
        let mut digits = Digits(zmij::Buffer::new());
        let text = digits.0.format_finite(value).as_bytes();
        let text = text.strip_suffix(b".0").unwrap_or(text);
        // Up to eight bytes are one store, where a copy of any length is a call.
        match word(text) {
            Some(word) => self.0.put_short(word.to_le_bytes(), text.len() as u8),
            None => self.0.put_slice(text),
        }
        self
    }
}

/// The digits of a float, within one line of the cache: loading what was stored across two is slow.
#[repr(align(32))]
struct Digits(zmij::Buffer);

#[cfg(test)]
mod tests {
    use super::super::tests::print;

    /// The output of `zmij`, whose digits are those of ECMAScript.
    fn wanted(value: impl zmij::Float) -> String {
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
            // Neither tiny nor huge, and anywhere.
            let exponent = 1006 + bits % 41;
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
}
