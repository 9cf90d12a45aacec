//! Varints and ZigZag.
//!
//! Specification: <https://protobuf.dev/programming-guides/encoding/#varints>.

/// Returns the number of bytes, 1 to 10, that `value` takes as a varint.
///
/// ```
/// assert_eq!(tobu::wire::varint_len(127), 1);
/// assert_eq!(tobu::wire::varint_len(128), 2);
/// assert_eq!(tobu::wire::varint_len(u64::MAX), 10);
/// ```
#[inline]
pub const fn varint_len(value: u64) -> usize {
    // This computes ceil(bits / 7) without a division by 7. `| 1` makes sure that there is at least one bit.
    ((64 - (value | 1).leading_zeros()) as usize * 9 + 64) / 64
}

/// Maps a signed number to an unsigned number, so that numbers near zero stay small.
#[inline]
pub const fn zigzag32(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

/// Maps a signed number to an unsigned number, so that numbers near zero stay small.
#[inline]
pub const fn zigzag64(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// Computes the inverse of [`zigzag32`].
#[inline]
pub const fn unzigzag32(value: u32) -> i32 {
    ((value >> 1) as i32) ^ -((value & 1) as i32)
}

/// Computes the inverse of [`zigzag64`].
#[inline]
pub const fn unzigzag64(value: u64) -> i64 {
    ((value >> 1) as i64) ^ -((value & 1) as i64)
}

/// Writes `value` as a varint to the start of `out` and returns its number of bytes.
#[inline]
pub fn put_varint(out: &mut [u8; 10], mut value: u64) -> usize {
    let mut n = 0;
    while value >= 0x80 {
        out[n] = value as u8 | 0x80;
        value >>= 7;
        n += 1;
    }
    out[n] = value as u8;
    n + 1
}

/// The high bit of each byte. In a byte of a varint, this bit says that another byte follows.
pub const HIGH: u64 = 0x8080_8080_8080_8080;

/// Reads the varint at the start of `buf`. Returns its value and the bytes after it. Returns `None` if the varint is malformed,
/// or if it has more than two bytes and `buf` has fewer than eight.
#[inline]
pub fn quick_varint(buf: &[u8]) -> Option<(u64, &[u8])> {
    match buf {
        [a, rest @ ..] if *a < 0x80 => Some((u64::from(*a), rest)),
        [a, b, rest @ ..] if *b < 0x80 => Some((u64::from(*a & 0x7f) | u64::from(*b) << 7, rest)),
        _ => wide_varint(buf),
    }
}

/// Reads the varint at the start of `buf` with a load of eight bytes, and two more bytes if the varint has nine or ten. Returns
/// its value and the bytes after it, or `None` if the varint is malformed or `buf` has fewer than eight bytes.
#[inline]
pub(super) fn wide_varint(buf: &[u8]) -> Option<(u64, &[u8])> {
    let word = u64::from_le_bytes(*buf.first_chunk()?);
    let ends = !word & HIGH;
    let (value, len) = if ends != 0 { gather(word, ends) } else { gather_long(word, &buf[8..])? };
    Some((value, buf.get(len..)?))
}

/// Returns the first varint in eight bytes, and its length. `ends` has the high bit of each byte that ends a varint. At
/// least one bit must be set.
#[inline]
pub fn gather(word: u64, ends: u64) -> (u64, usize) {
    let len = ends.trailing_zeros() as usize / 8 + 1;
    // The mask keeps all bits up to the first byte that ends a varint, without the high bits.
    (squeeze(word & (ends ^ (ends - 1)) & !HIGH), len)
}

/// Returns a varint of nine or ten bytes, and its length. `word` has the first eight bytes, and `rest` begins with the
/// ninth. Returns `None` if the varint is not valid.
#[inline]
pub fn gather_long(word: u64, rest: &[u8]) -> Option<(u64, usize)> {
    let low = squeeze(word & !HIGH);
    match *rest {
        [ninth, ..] if ninth < 0x80 => Some((low | u64::from(ninth) << 56, 9)),
        // Only one bit of the tenth byte is part of a 64-bit number.
        [ninth, tenth @ ..=1, ..] => Some((low | u64::from(ninth & 0x7f) << 56 | u64::from(tenth) << 63, 10)),
        _ => None,
    }
}

/// Combines eight groups of seven bits, one in each byte, into a number.
#[inline]
fn squeeze(x: u64) -> u64 {
    let x = (x & 0x007f_007f_007f_007f) | (x & 0x7f00_7f00_7f00_7f00) >> 1;
    let x = (x & 0x0000_3fff_0000_3fff) | (x & 0x3fff_0000_3fff_0000) >> 2;
    (x & 0x0000_0000_0fff_ffff) | (x & 0x0fff_ffff_0000_0000) >> 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_of_every_bit_width() {
        for bits in 0..64 {
            let value = 1u64 << bits;
            assert_eq!(varint_len(value), bits / 7 + 1, "2^{bits}");
            assert_eq!(varint_len(value), put_varint(&mut [0; 10], value));
        }
        assert_eq!(varint_len(0), 1);
    }

    #[test]
    fn zigzag_is_its_own_inverse() {
        for (signed, mapped) in
            [(0, 0), (-1, 1), (1, 2), (-2, 3), (i32::MAX, u32::MAX - 1), (i32::MIN, u32::MAX)]
        {
            assert_eq!(zigzag32(signed), mapped);
            assert_eq!(unzigzag32(mapped), signed);
        }
        for (signed, mapped) in [(0, 0), (-1, 1), (1, 2), (i64::MAX, u64::MAX - 1), (i64::MIN, u64::MAX)] {
            assert_eq!(zigzag64(signed), mapped);
            assert_eq!(unzigzag64(mapped), signed);
        }
    }
}
