//! Values of the wire format.

use crate::table::Kind;
use crate::wire::{Reader, quick_varint, unzigzag32, unzigzag64};

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn varint(input: &mut &[u8]) -> Option<u64> {
    match quick_varint(input) {
        Some((value, rest)) => {
            *input = rest;
            Some(value)
        }
        None => {
            let (value, rest) = other_varint(input)?;
            *input = rest;
            Some(value)
        }
    }
}

#[inline(never)]
fn other_varint(input: &[u8]) -> Option<(u64, &[u8])> {
    let mut reader = Reader::new(input);
    let value = reader.varint().ok()?;
    Some((value, reader.rest()))
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn fixed32(input: &mut &[u8]) -> Option<u32> {
    let (bytes, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(u32::from_le_bytes(*bytes))
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn fixed64(input: &mut &[u8]) -> Option<u64> {
    let (bytes, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(u64::from_le_bytes(*bytes))
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn len_prefixed<'i>(input: &mut &'i [u8]) -> Option<&'i [u8]> {
    let len = varint(input)?;
    let (bytes, rest) = input.split_at_checked(i32::try_from(len).ok()? as usize)?;
    *input = rest;
    Some(bytes)
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn finite_float(input: &mut &[u8], _: Kind) -> Option<f32> {
    Some(f32::from_bits(fixed32(input)?)).filter(|value| value.is_finite())
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn finite_double(input: &mut &[u8], _: Kind) -> Option<f64> {
    Some(f64::from_bits(fixed64(input)?)).filter(|value| value.is_finite())
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn int32(input: &mut &[u8], kind: Kind) -> Option<i32> {
    match kind {
        Kind::SInt32 => Some(unzigzag32(varint(input)? as u32)),
        Kind::SFixed32 => Some(fixed32(input)? as i32),
        _ => Some(varint(input)? as i32),
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn int64(input: &mut &[u8], kind: Kind) -> Option<i64> {
    match kind {
        Kind::SInt64 => Some(unzigzag64(varint(input)?)),
        Kind::SFixed64 => Some(fixed64(input)? as i64),
        _ => Some(varint(input)? as i64),
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn uint32(input: &mut &[u8], kind: Kind) -> Option<u32> {
    match kind {
        Kind::Fixed32 => fixed32(input),
        _ => Some(varint(input)? as u32),
    }
}

#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn uint64(input: &mut &[u8], kind: Kind) -> Option<u64> {
    match kind {
        Kind::Fixed64 => fixed64(input),
        _ => varint(input),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Writer;

    #[test]
    fn varints_of_every_length_wherever_the_input_ends() {
        for bits in 0..64 {
            for value in [1u64 << bits, (1u64 << bits) - 1, u64::MAX >> bits, 0x5555_5555_5555_5555 >> bits] {
                let mut writer = Writer::new();
                writer.varint(value);
                let whole = writer.finish().unwrap();
                for after in 0..10 {
                    let bytes = [&whole[..], &vec![0xff; after]].concat();
                    let mut input = &bytes[..];
                    assert_eq!(varint(&mut input), Some(value));
                    assert_eq!(input.len(), after);
                }
                for cut in 0..whole.len() {
                    assert_eq!(varint(&mut &whole[..cut]), None);
                }
            }
        }
        let too_long = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02, 0, 0];
        assert_eq!(varint(&mut &too_long[..]), None);
        assert_eq!(varint(&mut &[0x80; 12][..]), None);
        assert_eq!(varint(&mut &[0x80, 0x80, 0x00][..]), Some(0));
    }
}
