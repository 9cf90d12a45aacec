//! Says how the members of a struct are cleared. The table of the struct has a row for each field.

use super::{Location, Op, Row, Shape};
use crate::layout::Storage;
use crate::sort::sort_by;

/// Instructions that clear the members of a struct. Numbers are overwritten by zeros, which takes few stores, because members
/// of the same size lie side by side. Strings and lists of numbers get the length zero. All other members are cleared one by
/// one, by their rows.
#[derive(Debug)]
pub(crate) struct Clear {
    /// Runs of numbers and of words of presence bits. Each has its offset from the start of the struct, and its number of
    /// bytes.
    pub(crate) zeros: Box<[(u32, u32)]>,
    /// Offsets of strings, byte strings and lists of numbers. Each is a `Vec` whose elements have no destructor.
    pub(crate) lists: Box<[u32]>,
    /// The indices of the rows that are cleared one by one. A oneof that is an enum has only the index of its first row here.
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
                    // Clearing the option also clears its bit.
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

fn size(op: Op) -> u32 {
    match op {
        Op::Bool => 1,
        Op::Int64 | Op::SInt64 | Op::Fixed64 => 8,
        _ => 4,
    }
}
