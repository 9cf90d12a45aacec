//! Computes the decompressed size of a block before decompressing it.
//!
//! The decoder would write all the output that the sequences of a block ask for. A block of a hundred kilobytes can ask for
//! gigabytes. Therefore this module first adds up the lengths of all sequences. It is strict: input that does not follow the
//! specification is an error before the decoder reads it.
//!
//! Specification: <https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1.3>.

use super::fse::{Backward, Forward, Table};

/// The tables of literal lengths, offsets and match lengths. A block of a frame may use the tables of the block before.
#[derive(Default)]
pub(super) struct Tables {
    literals: Option<Table>,
    offsets: Option<Table>,
    matches: Option<Table>,
}

/// A kind of code: the largest accuracy of its tables, and its default table, which a block need not describe.
struct Kind {
    max_accuracy: u32,
    default_accuracy: u32,
    default: &'static [i16],
}

const LITERALS: Kind = Kind {
    max_accuracy: 9,
    default_accuracy: 6,
    default: &[
        4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1,
        -1, -1, -1,
    ],
};

const OFFSETS: Kind = Kind {
    max_accuracy: 8,
    default_accuracy: 5,
    default: &[1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
};

const MATCHES: Kind = Kind {
    max_accuracy: 9,
    default_accuracy: 6,
    default: &[
        1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
        1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
};

/// The number of extra bits after each code of a literal length.
const LITERAL_BITS: [u8; 36] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13,
    14, 15, 16,
];

/// The number of extra bits after each code of a match length, from code 32 on. Smaller codes have no extra bits.
const MATCH_BITS: [u8; 21] = [1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16];

/// The largest code of an offset. A larger offset would exceed any window.
const OFFSET_CODES: u8 = 31;

impl Tables {
    /// Returns the decompressed size of a block. Returns `None` if the block is malformed, or the size exceeds `max`.
    pub(super) fn measure(&mut self, block: &[u8], max: usize) -> Option<usize> {
        let (literals, rest) = literals(block)?;
        let (&first, rest) = rest.split_first()?;
        let (count, rest) = match first {
            0 => return (rest.is_empty() && literals <= max).then_some(literals),
            1..128 => (usize::from(first), rest),
            128..255 => (usize::from(first - 128) << 8 | usize::from(*rest.first()?), &rest[1..]),
            255 => {
                let (&[low, high], rest) = rest.split_first_chunk()?;
                (usize::from(u16::from_le_bytes([low, high])) + 0x7f00, rest)
            }
        };
        let (&modes, mut rest) = rest.split_first()?;
        if modes & 3 != 0 {
            return None;
        }
        let tables = [
            (&LITERALS, &mut self.literals, modes >> 6),
            (&OFFSETS, &mut self.offsets, modes >> 4 & 3),
            (&MATCHES, &mut self.matches, modes >> 2 & 3),
        ];
        for (kind, table, mode) in tables {
            rest = kind.read(table, mode, rest)?;
        }
        let matched = self.matched(count, rest, max)?;
        literals.checked_add(matched).filter(|sum| *sum <= max)
    }

    /// Returns the sum of the lengths of all matches, or `None` if the stream is malformed or the sum exceeds `max`.
    fn matched(&self, count: usize, stream: &[u8], max: usize) -> Option<usize> {
        let (literals, offsets, matches) =
            (self.literals.as_ref()?, self.offsets.as_ref()?, self.matches.as_ref()?);
        let mut bits = Backward::new(stream)?;
        let mut literal = bits.take(literals.accuracy)? as usize;
        let mut offset = bits.take(offsets.accuracy)? as usize;
        let mut length = bits.take(matches.accuracy)? as usize;
        let mut sum = 0;
        for left in (0..count).rev() {
            let (literal_code, offset_code, code) =
                (literals.code(literal), offsets.code(offset), matches.code(length));
            if offset_code > OFFSET_CODES {
                return None;
            }
            bits.take(u32::from(offset_code))?;
            sum += match_length(code, &mut bits)?;
            bits.take(u32::from(*LITERAL_BITS.get(usize::from(literal_code))?))?;
            if sum > max {
                return None;
            }
            if left > 0 {
                literal = literals.next(literal, &mut bits)?;
                length = matches.next(length, &mut bits)?;
                offset = offsets.next(offset, &mut bits)?;
            }
        }
        bits.is_over().then_some(sum)
    }
}

fn match_length(code: u8, bits: &mut Backward<'_>) -> Option<usize> {
    let code = usize::from(code);
    let Some(long) = code.checked_sub(32) else { return Some(code + 3) };
    let more = u32::from(*MATCH_BITS.get(long)?);
    let base: usize = 35 + MATCH_BITS[..long].iter().map(|bits| 1 << bits).sum::<usize>();
    Some(base + bits.take(more)? as usize)
}

impl Kind {
    /// Reads the description of a table. `mode` is the form of the description. Returns the bytes after it, or `None` if it is
    /// malformed.
    fn read<'b>(&self, table: &mut Option<Table>, mode: u8, bytes: &'b [u8]) -> Option<&'b [u8]> {
        match mode {
            0 => *table = Some(Table::new(self.default, self.default_accuracy)?),
            1 => {
                let (&code, rest) = bytes.split_first()?;
                *table = Some(Table::of_one(code));
                return Some(rest);
            }
            2 => {
                let mut bits = Forward::new(bytes);
                let accuracy = bits.take(4)? + 5;
                if accuracy > self.max_accuracy {
                    return None;
                }
                let frequencies = bits.frequencies(accuracy, self.default.len().max(32))?;
                *table = Some(Table::new(&frequencies, accuracy)?);
                return bits.rest();
            }
            _ => table.as_ref().map(drop)?,
        }
        Some(bytes)
    }
}

/// Returns the decompressed size of the literals of a block, and the bytes after the literals.
fn literals(block: &[u8]) -> Option<(usize, &[u8])> {
    let mut head = [0; 8];
    let len = block.len().min(5);
    head[..len].copy_from_slice(&block[..len]);
    let (kind, format) = (head[0] & 3, head[0] >> 2 & 3);
    let head = u64::from_le_bytes(head) >> 4;
    let part = |from: u32, bits: u32| (head >> from & ((1 << bits) - 1)) as usize;
    let (len, size, content) = match (kind, format) {
        // In this form, the size begins one bit earlier.
        (0 | 1, 0 | 2) => (1, usize::from(block.first()? >> 3), None),
        (0 | 1, 1) => (2, part(0, 12), None),
        (0 | 1, _) => (3, part(0, 20), None),
        (_, 0 | 1) => (3, part(0, 10), Some(part(10, 10))),
        (_, 2) => (4, part(0, 14), Some(part(14, 14))),
        _ => (5, part(0, 18), Some(part(18, 18))),
    };
    let content = content.unwrap_or(if kind == 1 { 1 } else { size });
    Some((size, block.get(len + content..)?))
}
