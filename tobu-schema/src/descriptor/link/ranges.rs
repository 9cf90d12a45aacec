//! Reserved numbers and extension ranges: read, checked, sorted tables to look numbers up in.

use std::ops::{Range, RangeInclusive};

use super::super::list::each;
use super::super::raw::shallow::Members;
use super::super::tables::{Item, Ranges};
use super::Linker;
use crate::error::Result;
use crate::sort::{sort_by, sort_by_key};
use crate::wire::MAX_FIELD_NUMBER;

impl Linker<'_, '_, '_> {
    /// The ranges of a message, in ascending order.
    pub(super) fn ranges(
        &self,
        message: u32,
        raw: &Members<'_>,
        is_message_set: bool,
    ) -> Result<Ranges<Range<u32>>> {
        if raw.extension_ranges.is_empty() && raw.reserved_ranges.is_empty() {
            return Ok(Ranges::default());
        }
        let item = Item::Message(message);
        // Items of a message set are numbered by their own varint, which no tag limits.
        let most = if is_message_set { i32::MAX as u32 } else { MAX_FIELD_NUMBER + 1 };
        let (mut extension, mut reserved, mut all) = (Vec::new(), Vec::new(), Vec::new());
        // Compilers do not look at the ends of reserved ranges.
        for (what, list, ranges, most) in [
            ("extension", &raw.extension_ranges, &mut extension, most),
            ("reserved", &raw.reserved_ranges, &mut reserved, i32::MAX as u32),
        ] {
            for &(start, end) in list {
                if start <= 0 || end <= start || end as u32 > most {
                    let end = i64::from(end) - 1;
                    return Err(
                        self.fail(item, format_args!("{what} range from {start} to {end} is not valid"))
                    );
                }
                ranges.push(start as u32..end as u32);
                all.push((start as u32, end as u32, what));
            }
        }
        sort_by(&mut all, Ord::cmp);
        for pair in all.windows(2) {
            let [(from, to, what), (next, end, other)] = [pair[0], pair[1]];
            if next < to {
                return Err(self.fail(
                    item,
                    format_args!(
                        "{what} range {from} to {} overlaps {other} range {next} to {}",
                        to - 1,
                        end - 1
                    ),
                ));
            }
        }
        sort_by_key(&mut extension, |range| range.start);
        sort_by_key(&mut reserved, |range| range.start);
        Ok(Ranges {
            extension: extension.into_boxed_slice(),
            reserved: reserved.into_boxed_slice(),
            names: Box::default(),
        })
    }

    /// The reserved ranges of the enum that was declared last, in the order of declaration.
    pub(super) fn enum_ranges(&self, raw: &[(i32, i32)]) -> Result<Ranges<RangeInclusive<i32>>> {
        let mut all = Vec::with_capacity(raw.len());
        for &(start, end) in raw {
            if end < start {
                return Err(self.fail_here(format_args!("reserved range from {start} to {end} is not valid")));
            }
            all.push(start..=end);
        }
        let reserved = all.clone().into_boxed_slice();
        sort_by_key(&mut all, |range| *range.start());
        for pair in all.windows(2) {
            if pair[1].start() <= pair[0].end() {
                let [a, b, c, d] = [pair[0].start(), pair[0].end(), pair[1].start(), pair[1].end()];
                return Err(self.fail_here(format_args!(
                    "reserved range {a} to {b} overlaps reserved range {c} to {d}"
                )));
            }
        }
        Ok(Ranges { extension: Box::default(), reserved, names: Box::default() })
    }
}

/// Ranges without overlaps, sorted: finds the one that a number is in.
pub(super) struct Lookup(Vec<(i64, i64)>);

impl Lookup {
    pub(super) fn of(ranges: &[Range<u32>]) -> Self {
        Self::new(each(ranges, |range| (i64::from(range.start), i64::from(range.end) - 1)))
    }

    pub(super) fn of_inclusive(ranges: &[RangeInclusive<i32>]) -> Self {
        Self::new(each(ranges, |range| (i64::from(*range.start()), i64::from(*range.end()))))
    }

    fn new(mut ranges: Vec<(i64, i64)>) -> Self {
        sort_by(&mut ranges, Ord::cmp);
        Lookup(ranges)
    }

    /// The first and the last number of the range that `number` is in.
    pub(super) fn find(&self, number: i64) -> Option<(i64, i64)> {
        let after = self.0.partition_point(|&(start, _)| start <= number);
        let range = *self.0.get(after.checked_sub(1)?)?;
        if number <= range.1 { Some(range) } else { None }
    }
}
