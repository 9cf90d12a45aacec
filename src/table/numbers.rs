//! Finds the row of a field by the field number.

use crate::sort::sort_by;

/// A map from field numbers to indices of fields: a direct table for small numbers, and a sorted list for the rest.
#[derive(Clone, Debug)]
pub(crate) struct NumberTable {
    /// A bit for each number below 64, which is set if a field has this number. The bit of 0 is set, too, because a tag with
    /// number 0 is malformed and must not be skipped as an unknown field.
    low: u64,
    dense: Box<[u16]>,
    sparse: Box<[(u32, u16)]>,
}

/// Stands for "no field" where an index is expected. No table has enough fields for this index.
const NONE: u16 = u16::MAX;

impl NumberTable {
    /// Builds the map for fields with the numbers `numbers`, in the order of their indices.
    pub(crate) fn new(numbers: &[u32]) -> Self {
        // The direct table takes two bytes for each number. It includes every number up to 64. Larger numbers are included only
        // while at least an eighth of the table is used.
        let mut sorted = numbers.to_vec();
        sort_by(&mut sorted, Ord::cmp);
        let mut end = 0;
        for (i, number) in sorted.iter().enumerate() {
            if *number as usize > 64.max((i + 1) * 8) {
                break;
            }
            end = *number as usize + 1;
        }
        let mut dense = vec![NONE; end].into_boxed_slice();
        let mut sparse = Vec::new();
        let mut low = 1;
        for (index, &number) in numbers.iter().enumerate() {
            match dense.get_mut(number as usize) {
                Some(slot) => *slot = index as u16,
                None => sparse.push((number, index as u16)),
            }
            if number < 64 {
                low |= 1 << number;
            }
        }
        sort_by(&mut sparse, Ord::cmp);
        NumberTable { low, dense, sparse: sparse.into() }
    }

    /// True if no field has the number `number` and `number` is not 0.
    #[inline]
    pub(crate) fn lacks(&self, number: u32) -> bool {
        match number {
            0..64 => self.low >> number & 1 == 0,
            _ => self.get(number).is_none(),
        }
    }

    /// Returns the index of the field with this number, or `None`.
    #[inline]
    pub(crate) fn get(&self, number: u32) -> Option<usize> {
        let index = self.dense(number).unwrap_or_else(|| self.sparse(number));
        (index != usize::from(NONE)).then_some(index)
    }

    /// Looks up `number` in the direct table. Returns the index of the field, or [`NONE`] as a `usize` if no field has this
    /// number. Returns `None` if the number is beyond the direct table; the caller must then call [`sparse`](Self::sparse).
    #[inline]
    pub(super) fn dense(&self, number: u32) -> Option<usize> {
        self.dense.get(number as usize).map(|index| usize::from(*index))
    }

    /// Looks up `number` in the sorted list. Returns the index of the field, or [`NONE`] as a `usize` if no field has this
    /// number.
    #[inline(never)]
    pub(super) fn sparse(&self, number: u32) -> usize {
        let found = self.sparse.binary_search_by_key(&number, |(number, _)| *number);
        usize::from(found.map_or(NONE, |i| self.sparse[i].1))
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
            for number in (0..200).chain(numbers.iter().copied()) {
                assert_eq!(
                    table.lacks(number),
                    number != 0 && table.get(number).is_none(),
                    "{number} of {numbers:?}"
                );
            }
            assert!(table.dense.len() <= 65.max(numbers.len() * 8 + 1));
        }
    }
}
