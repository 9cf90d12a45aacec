//! Prints integers. All digits of a word are computed at once, and whole words are stored.

use crate::syntax::json::print::Printer;
use crate::wire::BufferTip;

/// A writer of numbers. Each method takes and returns the writer by value, so the end of the text stays in a register between
/// numbers.
pub(crate) struct Numbers<'b>(pub(super) BufferTip<'b>);

impl Numbers<'_> {
    /// Writes the comma before an element of a list.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn element(mut self) -> Self {
        self.0.put([b',']);
        self
    }

    /// Writes a number that is given as text.
    pub(crate) fn text(mut self, text: &[u8]) -> Self {
        self.0.put_slice(text);
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn unsigned(mut self, value: u64) -> Self {
        if value < EIGHT_DIGITS {
            let (digits, len) = leading_digits(value as u32);
            self.0.put_short(digits.to_le_bytes(), len);
            return self;
        }
        self.long_unsigned(value)
    }

    /// Writes a number of nine digits or more.
    #[inline(never)]
    fn long_unsigned(mut self, value: u64) -> Self {
        let (high, low) = (value / EIGHT_DIGITS, eight_digits((value % EIGHT_DIGITS) as u32));
        if high < 100 {
            // Most numbers of more than eight digits fit in 32 bits, so they have at most ten digits.
            let (tens, ones) = (high / 10, high % 10);
            let short = u32::from(tens == 0);
            let digits = (ASCII_ZEROS & 0xffff | tens | ones << 8) >> (8 * short);
            let both = u128::from(digits) | u128::from(low) << (8 * (2 - short));
            self.0.put_wide(&both.to_le_bytes(), 10 - short as u8);
        } else if high < EIGHT_DIGITS {
            let (digits, len) = leading_digits(high as u32);
            let both = u128::from(digits) | u128::from(low) << (8 * u32::from(len));
            self.0.put_wide(&both.to_le_bytes(), len + 8);
        } else {
            let (digits, len) = leading_digits((high / EIGHT_DIGITS) as u32);
            self.0.put_short(digits.to_le_bytes(), len);
            let both = u128::from(eight_digits((high % EIGHT_DIGITS) as u32)) | u128::from(low) << 64;
            self.0.put(both.to_le_bytes());
        }
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn signed(mut self, value: i64) -> Self {
        let magnitude = value.unsigned_abs();
        if magnitude < EIGHT_DIGITS / 10 {
            let (digits, len) = leading_digits(magnitude as u32);
            let (word, len) = with_sign(value < 0, digits, len);
            self.0.put_short(word.to_le_bytes(), len);
            return self;
        }
        self.0.put_short([b'-'; 8], u8::from(value < 0));
        self.unsigned(magnitude)
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn quoted_signed(mut self, value: i64) -> Self {
        let magnitude = value.unsigned_abs();
        if magnitude < EIGHT_DIGITS / 10 {
            let (digits, len) = leading_digits(magnitude as u32);
            let (word, len) = with_sign(value < 0, digits, len);
            return self.quoted_word(word, len);
        }
        self.0.put_short(*b"\"-      ", 1 + u8::from(value < 0));
        self.unsigned(magnitude).quote()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn quoted_unsigned(self, value: u64) -> Self {
        if value < EIGHT_DIGITS {
            let (digits, len) = leading_digits(value as u32);
            return self.quoted_word(digits, len);
        }
        self.quote().unsigned(value).quote()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn quote(mut self) -> Self {
        self.0.put([b'"']);
        self
    }

    /// Writes the first `len` bytes of a word in quotes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn quoted_word(mut self, word: u64, len: u8) -> Self {
        self.0.put_short_between(b'"', word.to_le_bytes(), len.into());
        self
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn bool(mut self, value: bool) -> Self {
        match value {
            true => self.0.put(*b"true"),
            false => self.0.put(*b"false"),
        }
        self
    }
}

/// Defines methods that write one value of a type.
macro_rules! single {
    ($($method:ident($ty:ty);)*) => {
        impl Printer {
            $(
                #[cfg_attr(not(debug_assertions), inline(always))]
                pub(crate) fn $method(&mut self, value: $ty) {
                    self.numbers(|numbers| numbers.$method(value));
                }
            )*
        }
    };
}

single! {
    unsigned(u64);
    signed(i64);
    quoted_unsigned(u64);
    quoted_signed(i64);
    bool(bool);
}

pub(super) const EIGHT_DIGITS: u64 = 100_000_000;

/// Returns the digits of a number below 10^8, leading zeros included, with the first digit in the lowest byte.
///
/// All digits are computed at once: the word is split into lanes of four digits, then of two digits, then of one digit.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn digits(value: u32) -> u64 {
    let fours = u64::from(value / 10_000) | u64::from(value % 10_000) << 32;
    // Multiplies by 2^20 / 100 and 2^10 / 10, rounded up, which is exact for four and for two digits.
    let hundreds = ((fours * 10_486) >> 20) & 0x7f_0000_007f;
    let twos = hundreds | (fours - hundreds * 100) << 16;
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    tens | (twos - tens * 10) << 8
}

pub(super) const ASCII_ZEROS: u64 = u64::MAX / 255 * b'0' as u64;

#[cfg_attr(not(debug_assertions), inline(always))]
fn eight_digits(value: u32) -> u64 {
    digits(value) | ASCII_ZEROS
}

/// The digits of small numbers, with the first digit in the lowest byte and their count in the highest byte.
static SMALL: [u32; 1000] = {
    let mut small = [0; 1000];
    let mut value = 0;
    while value < small.len() as u32 {
        let (mut digits, mut len, mut rest) = (0, 0, value);
        while len == 0 || rest > 0 {
            digits = digits << 8 | (b'0' as u32 + rest % 10);
            (len, rest) = (len + 1, rest / 10);
        }
        small[value as usize] = len << 24 | digits;
        value += 1;
    }
    small
};

/// Returns the digits of a number below 10^8 without leading zeros, and their count.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn leading_digits(value: u32) -> (u64, u8) {
    if let Some(small) = SMALL.get(value as usize) {
        return (u64::from(small & 0xff_ffff), (small >> 24) as u8);
    }
    let digits = digits(value);
    // Zero also has a digit.
    let zeros = (digits.trailing_zeros() / 8).min(7);
    ((digits | ASCII_ZEROS) >> (zeros * 8), 8 - zeros as u8)
}

/// Returns up to seven digits after an optional minus sign, and their length including the sign.
#[cfg_attr(not(debug_assertions), inline(always))]
fn with_sign(negative: bool, digits: u64, len: u8) -> (u64, u8) {
    let sign = if negative { u64::from(b'-') } else { 0 };
    (digits << (8 * u32::from(negative)) | sign, len + u8::from(negative))
}

#[cfg(test)]
mod tests {
    use super::super::tests::print;

    #[test]
    fn integers_at_every_power_of_ten() {
        let powers = (0..20).filter_map(|i| 10u64.checked_pow(i));
        let multiples = powers.flat_map(|power| (1..=9).filter_map(move |i| power.checked_mul(i)));
        let values =
            multiples.flat_map(|value| [value - 1, value, value + 1]).chain([u64::MAX, 1 << 63, 1 << 53]);
        for value in values {
            assert_eq!(print(|printer| printer.unsigned(value)), value.to_string());
            let signed = (value as i64).wrapping_neg();
            assert_eq!(print(|printer| printer.signed(signed)), signed.to_string());
        }
        for value in 0..100_000u64 {
            assert_eq!(print(|printer| printer.unsigned(value * 997)), (value * 997).to_string());
        }
    }
}
