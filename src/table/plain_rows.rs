//! Derives from the rows of a struct whether it is flat, and how its members are cleared.

use super::{Clear, Flat, Form, Location, Op, PlainList, Presence, Row, Shape, Zeros};
use crate::layout::{Storage, vec};
use crate::sort::sort_by;
use std::num::NonZeroU32;

/// How many bytes a number of four bytes takes after a tag of one.
const FIXED32: u32 = 5;

impl Flat {
    /// What is known of a struct with such rows, if it is flat.
    pub(super) fn of(rows: &[Row]) -> Option<Flat> {
        let is_plain = |row: &Row| {
            row.op.is_plain()
                && row.form != Form::Any
                && row.shape == Shape::Singular
                && row.presence != Presence::Required
                && row.tag_len == 1
        };
        if rows.is_empty() || !rows.iter().all(is_plain) {
            return None;
        }
        let len = NonZeroU32::new(FIXED32 * rows.len() as u32);
        Some(Flat { fixed32: len.filter(|_| rows.iter().all(|row| row.op == Op::Fixed32)) })
    }
}

impl Clear {
    /// The data for the rows of a struct, which may have fields that a projection leaves out.
    pub(super) fn new(rows: &[Row], projected: bool) -> Self {
        let (mut members, mut lists, mut others) = (vec![], vec![], vec![]);
        for row in rows {
            if row.op == Op::Bit {
                members.push((row.presence_word, 4));
            }
            match (row.value_op(), row.location) {
                _ if is_number(row) => members.push((row.offset, size(row.value_op()))),
                (Op::String | Op::Vec, _) => lists.push(PlainList { offset: row.offset, stride: 1 }),
                (Op::Numbers, Location::Member { offset, storage: Storage::List(functions) }) => {
                    lists.push(PlainList { offset, stride: functions.stride as u32 });
                }
                _ => others.push(row),
            }
        }
        for list in &lists {
            members.push((list.offset + vec::LEN, size_of::<usize>() as u32));
        }
        sort_by(&mut members, Ord::cmp);
        members.dedup();
        let mut zeros = Vec::<(u32, u32)>::new();
        for (offset, size) in members {
            match zeros.last_mut() {
                Some((start, len)) if *start + *len == offset => *len += size,
                _ => zeros.push((offset, size)),
            }
        }
        let (mut seen, mut rows) = (Vec::new(), Vec::new());
        for row in others {
            if let (Location::Variant { .. }, Some(oneof)) = (row.location, row.oneof) {
                if seen.contains(&oneof) {
                    continue;
                }
                seen.push(oneof);
            }
            rows.push(row.index);
        }
        let only_zeros = rows.is_empty() && !projected;
        let mut stores = Vec::new();
        for (offset, len) in zeros {
            Zeros::add(&mut stores, offset, len);
        }
        Clear { zeros: stores.into(), lists: lists.into(), rows: rows.into(), only_zeros }
    }
}

impl Zeros {
    /// Adds those of a run.
    fn add(zeros: &mut Vec<Zeros>, mut start: u32, len: u32) {
        let end = start + len;
        while start < end {
            let next = end.min(start + 16);
            match next - start {
                1..4 => {
                    for at in start..next {
                        zeros.push(Zeros::One(at));
                    }
                }
                4..8 => zeros.push(Zeros::Fours(start, next - 4)),
                _ => zeros.push(Zeros::Eights(start, next - 8)),
            }
            start = next;
        }
    }
}

/// True for a single number that is stored directly in its member.
fn is_number(row: &Row) -> bool {
    row.value_op().is_number() && row.shape == Shape::Singular
}

/// How many bytes a number takes.
fn size(op: Op) -> u32 {
    match op {
        Op::Bool => 1,
        Op::Int64 | Op::SInt64 | Op::Fixed64 => 8,
        _ => 4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_cover_a_run_and_nothing_else() {
        for len in 1..200 {
            let mut covered = vec![false; len + 20];
            let mut all = vec![];
            Zeros::add(&mut all, 10, len as u32);
            for zeros in all {
                let stores = match zeros {
                    Zeros::Eights(first, last) => [(first, 8), (last, 8)],
                    Zeros::Fours(first, last) => [(first, 4), (last, 4)],
                    Zeros::One(at) => [(at, 1); 2],
                };
                for (at, size) in stores {
                    covered[at as usize..][..size].fill(true);
                }
            }
            let wanted: Vec<_> = (0..len + 20).map(|at| (10..10 + len).contains(&at)).collect();
            assert_eq!(covered, wanted, "{len}");
        }
    }
}
