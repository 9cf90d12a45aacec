//! Passing over fields.

use super::quick_varint;

/// What is left of fields when those at their start are passed over whose tags `passes` says so of.
///
/// It stops where it does not, and before a group, a tag of more than three bytes, or what is malformed: there whoever
/// reads by [`Reader`](super::Reader) goes on.
#[inline]
pub(crate) fn skip_fields(mut rest: &[u8], passes: impl Fn(u32) -> bool) -> &[u8] {
    loop {
        let (tag, value) = match rest {
            [a, value @ ..] if *a < 0x80 => (u32::from(*a), value),
            [a, b, value @ ..] if *b < 0x80 => (u32::from(*a & 0x7f) | u32::from(*b) << 7, value),
            [a, b, c, value @ ..] if *c < 0x80 => {
                (u32::from(*a & 0x7f) | u32::from(*b & 0x7f) << 7 | u32::from(*c) << 14, value)
            }
            _ => return rest,
        };
        if tag < 8 || !passes(tag) {
            return rest;
        }
        let after = match tag & 7 {
            0 => quick_varint(value).map(|(_, after)| after),
            1 => value.get(8..),
            2 => match quick_varint(value) {
                Some((len, after)) if len <= i32::MAX as u64 => after.get(len as usize..),
                _ => None,
            },
            5 => value.get(4..),
            _ => None,
        };
        match after {
            Some(after) => rest = after,
            None => return rest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Reader, Writer};

    #[test]
    fn what_is_passed_over_is_what_a_reader_passes_over() {
        let fields: [&[u8]; 9] = [
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
            assert_eq!(skip_fields(&input, |_| true), rest);
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
