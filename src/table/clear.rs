//! How the members of a struct are emptied.

use super::{Location, Op, Row, Shape};
use crate::layout::Storage;
use crate::sort::sort_by;

/// How the members of a struct are emptied: numbers by zeros, which takes few stores for many of them, since those of one
/// size lie side by side; strings and lists of numbers by their lengths; all others by their rows.
#[derive(Debug)]
pub(crate) struct Clear {
    /// Runs of numbers and of words of presence bits: bytes from the start of the struct, and how many bytes.
    pub(crate) zeros: Box<[(u32, u32)]>,
    /// Where strings, byte strings and lists of numbers are, all of which are a `Vec` of what needs no drop.
    pub(crate) lists: Box<[u32]>,
    /// The indices of the other rows; of a oneof that is an enum of its own that of its first one.
    pub(crate) rows: Box<[u16]>,
}

impl Clear {
    pub(super) fn new(rows: &[Row]) -> Self {
        let (mut numbers, mut lists, mut others, mut oneofs) = (vec![], vec![], vec![], vec![]);
        for row in rows {
            let op = if row.op == Op::Bit { row.inner } else { row.op };
            match (op, row.location) {
                _ if op.is_number() && row.shape == Shape::Singular => numbers.push((row.offset, size(op))),
                (Op::String | Op::Vec, _) => lists.push(row.offset),
                (Op::Numbers, Location::Member { storage: Storage::List(_), .. }) => lists.push(row.offset),
                (_, Location::Variant { .. }) if oneofs.contains(&row.oneof) => {}
                _ => {
                    oneofs.extend(row.oneof.map(Some));
                    others.push(row.index);
                    // It empties the bit, too.
                    continue;
                }
            }
            if row.op == Op::Bit {
                numbers.push((row.presence_word, 4));
            }
        }
        sort_by(&mut numbers, Ord::cmp);
        numbers.dedup();
        let mut zeros = Vec::<(u32, u32)>::new();
        for (offset, size) in numbers {
            match zeros.last_mut() {
                Some((start, len)) if *start + *len == offset => *len += size,
                _ => zeros.push((offset, size)),
            }
        }
        Clear { zeros: zeros.into(), lists: lists.into(), rows: others.into() }
    }
}

/// How many bytes a number takes.
fn size(op: Op) -> u32 {
    match op {
        Op::Bool => 1,
        Op::Int64 | Op::SInt64 | Op::Fixed64 => 8,
        _ => 4,
    }
}
