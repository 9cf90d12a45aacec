//! Lengths of every size, right and wrong.

use super::{compare, prefixed, tag, used, varint};
use crate::Limits;

/// Lengths of one to four bytes, with complete and with incomplete content, lengths that are longer than necessary,
/// and lengths beyond any input.
#[test]
fn lengths_of_all_sizes() {
    let (used, limits) = (used(), Limits::default());
    let end = [tag(1, 0), varint(7)].concat();
    for size in [0, 1, 126, 127, 128, 129, 300, 16_383, 16_384, 16_385, 2_097_151, 2_097_152] {
        let content = vec![b'a'; size];
        let in_map = [tag(1, 2), prefixed(b"key"), tag(2, 2), prefixed(&content)].concat();
        let note = [tag(5, 2), prefixed(&content)].concat();
        let fields = [
            (9, &content),
            (10, &content),
            (21, &content),
            (22, &content),
            (24, &note),
            (26, &note),
            (37, &in_map),
            (39, &in_map),
        ];
        for (number, value) in fields {
            let once = [tag(number, 2), prefixed(value)].concat();
            let whole = [&once[..], &once, &end].concat();
            let read = compare(&whole, &used, limits).unwrap();
            let sizes = [
                read.text.len(),
                read.bytes.len(),
                read.texts.iter().chain(read.texts_by_text.values()).map(String::len).max().unwrap_or(0),
                read.blobs.iter().chain(read.bytes_by_text.values()).map(Vec::len).max().unwrap_or(0),
                read.leaf.iter().chain(&read.leaves).map(|leaf| leaf.note.len()).max().unwrap_or(0),
            ];
            assert_eq!((sizes.iter().max(), read.int), (Some(&size), 7), "{number} {size}");
            if size < 1 << 20 {
                for cut in [1, 2, 3, end.len() + 1, whole.len() - once.len() - 1] {
                    let _ = compare(&whole[..whole.len() - cut], &used, limits);
                }
            }
        }
    }
    let lengths: [&[u8]; 9] = [
        b"\x80\x00",
        b"\x81\x00",
        b"\x81\x80\x00",
        b"\x81\x80\x80\x80\x80\x80\x80\x80\x80\x00",
        b"\xff\xff\xff\xff\x07",
        b"\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
        b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
        b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
    ];
    for number in [9, 10, 16, 21, 22, 24, 26, 27, 29, 37, 38, 39, 51, 53, 54, 61] {
        for len in lengths {
            for after in [&b""[..], b"a", &[0; 40]] {
                let field = [&tag(number, 2), len, after].concat();
                let _ = compare(&field, &used, limits);
                let nested = [tag(27, 2), prefixed(&field), end.clone()].concat();
                let _ = compare(&nested, &used, limits);
            }
        }
    }
}
