//! From field numbers and tags to indices.

use super::{FieldPlan, Shape};
use crate::wire::WireType;

/// Finds the index of a field by its number: a plain table for small numbers, a sorted list for the rest.
#[derive(Debug)]
pub(crate) struct NumberTable {
    dense: Box<[u16]>,
    sparse: Box<[(u32, u16)]>,
}

const NONE: u16 = u16::MAX;

impl NumberTable {
    /// The table of fields with the given numbers, in order of their indices.
    pub(crate) fn new(numbers: &[u32]) -> Self {
        // The dense part costs two bytes a number: it goes as far as it is at least an eighth full.
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let full = |(i, number): &(usize, &u32)| **number as usize <= 64.max((i + 1) * 8);
        let end =
            sorted.iter().enumerate().take_while(full).last().map_or(0, |(_, number)| *number as usize + 1);
        let mut dense = vec![NONE; end].into_boxed_slice();
        let mut sparse = Vec::new();
        for (index, &number) in (0u16..).zip(numbers) {
            match dense.get_mut(number as usize) {
                Some(slot) => *slot = index,
                None => sparse.push((number, index)),
            }
        }
        sparse.sort_unstable();
        NumberTable { dense, sparse: sparse.into() }
    }

    /// The index of the field with this number.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn get(&self, number: u32) -> Option<usize> {
        match self.dense.get(number as usize) {
            Some(&NONE) => None,
            Some(&index) => Some(usize::from(index)),
            None => self.get_sparse(number),
        }
    }

    #[inline(never)]
    fn get_sparse(&self, number: u32) -> Option<usize> {
        let found = self.sparse.binary_search_by_key(&number, |(number, _)| *number);
        found.ok().map(|i| usize::from(self.sparse[i].1))
    }
}

/// Finds the index of a field by the one byte of its tag, for fields that need no second look.
///
/// The member that the field goes to stands next to it: what depends on it, as a jump, need not wait for the field's plan.
#[derive(Debug)]
pub(crate) struct TagTable {
    indices: [u16; 256],
    members: [u16; 256],
    /// The tags of two bytes, by the number of the field, with its member.
    wide: Vec<(u16, u16)>,
}

impl TagTable {
    /// The table of the given fields, in order of their indices.
    pub(crate) fn new(fields: &[FieldPlan]) -> Self {
        // Four bytes a number: as far as the table is at least an eighth full, or small.
        let wide = |field: &&FieldPlan| (0x80..0x4000).contains(&field.tag);
        let most = 256.max(8 * fields.iter().filter(wide).count());
        let numbers = fields.iter().filter(wide).map(|field| field.number as usize + 1);
        let len = numbers.filter(|len| *len <= most).max().unwrap_or(0);
        let mut table = TagTable { indices: [NONE; 256], members: [NONE; 256], wide: vec![(0, NONE); len] };
        for (index, field) in (0u16..).zip(fields) {
            for tag in [field.tag, field.other_tag] {
                // A single number of a closed enum must be looked at before it is known to be the field's.
                let looked_at =
                    field.closed && field.shape != Shape::Map && tag & 7 == WireType::Varint as u32;
                if tag != 0 && tag < 0x80 && !looked_at {
                    table.indices[tag as usize] = index;
                    table.members[tag as usize] = field.route.member;
                }
                if (0x80..0x4000).contains(&tag)
                    && !looked_at
                    && tag == field.tag
                    && let Some(wide) = table.wide.get_mut(field.number as usize)
                {
                    *wide = (tag as u16, field.route.member);
                }
            }
        }
        table
    }

    /// The index of the field whose tag is this one byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn get(&self, tag: u8) -> Option<usize> {
        match self.indices[usize::from(tag)] {
            NONE => None,
            index => Some(usize::from(index)),
        }
    }

    /// The member that the field goes to whose tag takes two bytes.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn wide_member(&self, tag: u16) -> Option<u16> {
        match self.wide.get(usize::from(tag >> 3)) {
            Some(&(own, member)) if own == tag && member != NONE => Some(member),
            _ => None,
        }
    }

    /// The member that the field goes to whose tag is this one byte.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(crate) fn member(&self, tag: u8) -> Option<u16> {
        match self.members[usize::from(tag)] {
            NONE => None,
            member => Some(member),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_found_and_no_other() {
        let rows: [&[u32]; 5] =
            [&[], &[1, 2, 3], &[3, 1, 536_870_911], &[65, 70_000, 9], &[1000, 2000, 1001]];
        for numbers in rows {
            let table = NumberTable::new(numbers);
            for (i, &number) in numbers.iter().enumerate() {
                assert_eq!(table.get(number), Some(i), "{numbers:?}");
                assert_eq!(table.get(number + 1).is_some(), numbers.contains(&(number + 1)));
            }
            assert_eq!(table.get(0), None);
            assert!(table.dense.len() <= 65.max(numbers.len() * 8 + 1));
        }
    }
}
