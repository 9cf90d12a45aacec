//! Decimal digits, many at a time: of the numbers of JSON and of the text format.

/// The powers of ten that are exact.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Adds the digits that a text starts with to a number, which may overflow; returns what follows them.
///
/// Reads eight bytes at a time, with any number of digits: a loop over digits would have an unpredictable branch at
/// the end of each number.
#[cfg_attr(not(debug_assertions), inline(always))]
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

/// Powers of ten by the count of digits.
const SCALES: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The number that the digits at the front of eight bytes are, and how many these are.
#[cfg_attr(not(debug_assertions), inline(always))]
fn leading_digits(chunk: [u8; 8]) -> (u64, usize) {
    const ONES: u64 = u64::MAX / 255;
    let digits = u64::from_le_bytes(chunk) ^ (ONES * 0x30);
    // The top bit of each byte above 9; a carry out of such a byte only affects later ones.
    let others = (digits.wrapping_add(ONES * (0x7f - 9)) | digits) & (ONES << 7);
    let count = others.trailing_zeros() as usize / 8;
    // The last digit is moved to the top byte, and zeros precede the first one.
    let digits = digits.unbounded_shl(64 - 8 * count as u32);
    // Pairs of digits, then of pairs, then of fours.
    let twos = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    const LOW: u64 = 0x0000_00ff_0000_00ff;
    let high = (twos & LOW).wrapping_mul(100 + (1_000_000 << 32));
    let low = (twos >> 16 & LOW).wrapping_mul(1 + (10_000 << 32));
    (high.wrapping_add(low) >> 32, count)
}

/// Five to the power of `-index`: the 128 bits from the highest one on, rounded up, the upper half first.
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
        // One is a power of two: there is nothing to round.
        let rounded = if index == 0 { quotient } else { quotient + 1 };
        table[index] = ((rounded >> 64) as u64, rounded as u64);
        index += 1;
    }
    table
};

/// `mantissa / 10^fraction`, rounded once, for up to 27 digits after the point.
///
/// The algorithm of Daniel Lemire, "Number Parsing at a Gigabyte per Second" (2021), without the steps that
/// only larger exponents need: in this range the product is always precise enough.
#[cfg_attr(not(debug_assertions), inline(always))]
fn scaled(mantissa: u64, fraction: usize) -> Option<f64> {
    if mantissa <= 1 << 53
        && let Some(power) = POWERS.get(fraction)
    {
        // Signed integers are converted faster.
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
    // Just in the middle between two numbers, it is the even one.
    if low <= 1 && fraction <= 4 && bits & 3 == 1 && bits << drop == high {
        bits &= !1;
    }
    bits = (bits + (bits & 1)) >> 1;
    // ceil(log2(10^-fraction)) of the exponent, of which 217706 / 2^16 is close enough.
    let exponent = ((-(fraction as i32) * 217_706) >> 16) + 63 + top as i32 - shift as i32 + 1023;
    // The highest bit adds one to the exponent, and so does a carry out of the others.
    let exponent = u64::try_from(exponent - 1).ok()?;
    Some(f64::from_bits((exponent << 52) + bits))
}

/// The integer of up to 64 bits that a text starts with, and what follows it. `None` if there is none, if it has leading
/// zeros, or if it is larger.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn leading_whole(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0u64;
    let rest = read_digits(text, &mut value);
    let len = text.len() - rest.len();
    if len == 0 || (len > 1 && text[0] == b'0') {
        return None;
    }
    // Nineteen digits cannot have overflown, and twenty have where the rest of 2^64 is left.
    if len > 19 && (len > 20 || text[0] != b'1' || value < 10u64.pow(19)) {
        return None;
    }
    Some((value, rest))
}

/// The number of up to 19 digits that a text starts with, which may have a fraction but no exponent, and what follows
/// it. `None` if there is none, or if it has leading zeros.
#[cfg_attr(not(debug_assertions), inline(always))]
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
    // Nineteen digits cannot have overflown, and neither has a zero before them.
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
