//! Varints and ZigZag.
//!
//! Specification: <https://protobuf.dev/programming-guides/encoding/#varints>.

/// The number of bytes, 1 to 10, that `value` takes as a varint.
///
/// ```
/// assert_eq!(tobu::wire::varint_len(127), 1);
/// assert_eq!(tobu::wire::varint_len(128), 2);
/// assert_eq!(tobu::wire::varint_len(u64::MAX), 10);
/// ```
#[inline(always)]
pub const fn varint_len(value: u64) -> usize {
    // ceil(bits / 7), with at least one bit, without a division.
    ((64 - (value | 1).leading_zeros()) as usize * 9 + 64) / 64
}

/// Maps a signed number to an unsigned one so that small magnitudes stay small.
#[inline(always)]
pub const fn zigzag32(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

/// Maps a signed number to an unsigned one so that small magnitudes stay small.
#[inline(always)]
pub const fn zigzag64(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

/// The inverse of [`zigzag32`].
#[inline(always)]
pub const fn unzigzag32(value: u32) -> i32 {
    ((value >> 1) as i32) ^ -((value & 1) as i32)
}

/// The inverse of [`zigzag64`].
#[inline(always)]
pub const fn unzigzag64(value: u64) -> i64 {
    ((value >> 1) as i64) ^ -((value & 1) as i64)
}

/// Writes `value` as a varint to the start of `out` and returns how many bytes it took.
#[inline(always)]
pub(crate) fn put_varint(out: &mut [u8; 10], mut value: u64) -> usize {
    let mut n = 0;
    while value >= 0x80 {
        out[n] = value as u8 | 0x80;
        value >>= 7;
        n += 1;
    }
    out[n] = value as u8;
    n + 1
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
