//! Skips fields that the caller does not need.

use super::{HIGH, WireType, quick_varint};

/// Skips fields from the start of `rest` while `passes` is true for their tags, and returns the bytes after them. `passes`
/// must be false for a tag with the field number 0, which is not valid.
///
/// The function also stops before a group, a tag of more than three bytes, a long varint at the end of the input, or
/// malformed bytes. There the caller continues with a [`Reader`](super::Reader).
#[inline]
pub fn skip_fields(mut rest: &[u8], passes: impl Fn(u32) -> bool) -> &[u8] {
    loop {
        rest = skip_short(rest, &passes);
        match skip_field(rest, &passes) {
            Some(after) => rest = after,
            None => return rest,
        }
    }
}

/// Skips fields in the common case: the tag and the length prefix have at most two bytes each.
#[inline]
fn skip_short(mut rest: &[u8], passes: impl Fn(u32) -> bool) -> &[u8] {
    /// The sizes of fixed-size values. Each byte of the number is the size for one wire type, or 0.
    const SIZES: u64 = 8 << (8 * WireType::Fixed64 as u32) | 4 << (8 * WireType::Fixed32 as u32);
    while let Some(first) = rest.first_chunk::<8>() {
        let (tag, tag_len) = match first {
            [a, ..] if *a < 0x80 => (u32::from(*a), 1),
            [a, b, ..] if *b < 0x80 => (u32::from(*a & 0x7f) | u32::from(*b) << 7, 2),
            _ => break,
        };
        let value = &rest[tag_len..];
        let after = if tag & 7 == WireType::Len as u32 {
            match value {
                [len, after @ ..] if *len < 0x80 => after.get(usize::from(*len)..),
                [low, high, after @ ..] if *high < 0x80 => {
                    after.get((usize::from(*low & 0x7f) | usize::from(*high) << 7)..)
                }
                _ => break,
            }
        } else if tag & 7 == WireType::Varint as u32 {
            let ends = !(u64::from_le_bytes(*first) >> (8 * tag_len)) & HIGH;
            // The varint may continue after the loaded word.
            match ends.trailing_zeros() as usize / 8 + 1 {
                len if tag_len + len <= 8 => value.get(len..),
                _ => break,
            }
        } else {
            match usize::from((SIZES >> (8 * (tag & 7))) as u8) {
                0 => break,
                len => value.get(len..),
            }
        };
        match after {
            Some(after) if passes(tag) => rest = after,
            _ => break,
        }
    }
    rest
}

/// Skips one field and returns the bytes after it. Returns `None` where `skip_fields` must stop.
#[inline]
fn skip_field(rest: &[u8], passes: impl Fn(u32) -> bool) -> Option<&[u8]> {
    let (tag, value) = match rest {
        [a, value @ ..] if *a < 0x80 => (u32::from(*a), value),
        [a, b, value @ ..] if *b < 0x80 => (u32::from(*a & 0x7f) | u32::from(*b) << 7, value),
        [a, b, c, value @ ..] if *c < 0x80 => {
            (u32::from(*a & 0x7f) | u32::from(*b & 0x7f) << 7 | u32::from(*c) << 14, value)
        }
        _ => return None,
    };
    if !passes(tag) {
        return None;
    }
    match tag & 7 {
        0 => quick_varint(value).map(|(_, after)| after),
        1 => value.get(8..),
        2 => match quick_varint(value) {
            Some((len, after)) if len <= i32::MAX as u64 => after.get(len as usize..),
            _ => None,
        },
        5 => value.get(4..),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Reader, Writer};

    #[test]
    fn what_is_passed_over_is_what_a_reader_passes_over() {
        let long = [&b"\x1a\x82\x01"[..], &[b'x'; 130]].concat();
        let fields: [&[u8]; 10] = [
            &long,
            b"\x08\x05",
            b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
            b"\x11\x01\x02\x03\x04\x05\x06\x07\x08",
            b"\x1a\x00",
            b"\x1a\x03abc",
            b"\x25\x01\x02\x03\x04",
            b"\x82\x01\x02hi",
            b"\x82\x80\x04\x02hi",
            b"\x8a\x00\x01x",
        ];
        for one in fields {
            for other in fields {
                let both = [one, other].concat();
                assert_eq!(skip_fields(&both, |_| true), b"", "{both:?}");
                assert_eq!(skip_fields(&both, |_| false), both);
                for cut in 0..both.len() {
                    let left = skip_fields(&both[..cut], |_| true).len();
                    let starts = [0, one.len()];
                    let whole = starts.into_iter().rfind(|start| *start <= cut).unwrap();
                    assert_eq!(cut - left, whole, "{both:?} cut at {cut}");
                }
            }
        }
    }

    #[test]
    fn a_varint_may_go_on_after_what_is_loaded_at_once() {
        for tag in [&b"\x08"[..], b"\x80\x01", b"\x80\x80\x01"] {
            for len in 1..=10 {
                let varint = [&vec![0xff; len - 1][..], b"\x01"].concat();
                let fields = [tag, &varint, b"\x11abcdefgh"].concat();
                assert_eq!(skip_fields(&fields, |_| true), b"", "{fields:?}");
                assert_eq!(skip_fields(&fields, |other| other & 7 == 0), b"\x11abcdefgh", "{fields:?}");
            }
        }
    }

    #[test]
    fn it_stops_where_only_a_reader_can_say_what_comes() {
        let rows: [&[u8]; 8] = [
            b"\x0b\x0c",
            b"\x0c",
            b"\x0e\x00",
            b"\x00\x00",
            b"\x80\x80\x80\x01\x01",
            b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
            b"\x1a\xff\xff\xff\xff\x0f",
            b"\x1a\x05hi",
        ];
        for rest in rows {
            let input = [b"\x08\x01", rest].concat();
            assert_eq!(skip_fields(&input, |tag| tag >= 8), rest);
        }
    }

    #[test]
    fn long_lengths_and_many_fields() {
        let mut writer = Writer::new();
        for len in [0, 127, 128, 300, 20_000] {
            writer.tag(crate::wire::Tag::new(7, crate::wire::WireType::Len));
            writer.len_prefixed(&vec![0; len]);
        }
        writer.tag(crate::wire::Tag::new(8, crate::wire::WireType::Varint));
        writer.varint(1);
        let bytes = writer.finish().unwrap();
        assert_eq!(skip_fields(&bytes, |tag| tag >> 3 == 7), b"\x40\x01");
        assert_eq!(Reader::new(b"\x40\x01").tag().unwrap().number(), 8);
    }
}
