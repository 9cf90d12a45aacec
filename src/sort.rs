//! Sorting for schemas and tables, where the size of a program matters more than the last microsecond.
//!
//! Layer 0. The standard library's sort is compiled for each type and each comparison, some 8 KiB a time. Here it is
//! compiled once, for positions.

use std::cmp::Ordering;

/// Sorts values by a key; equal ones stay in order.
pub(crate) fn sort_by_key<T, K: Ord>(values: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(values, |a, b| key(a).cmp(&key(b)));
}

/// Sorts values by a comparison; equal ones stay in order.
pub(crate) fn sort_by<T>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if values.windows(2).all(|pair| compare(&pair[0], &pair[1]).is_le()) {
        return;
    }
    let mut order: Vec<usize> = (0..values.len()).collect();
    sort_positions(&mut order, &|a, b| compare(&values[a], &values[b]));
    for start in 0..order.len() {
        // One round of the permutation: what is at `to` belongs elsewhere, and goes to where its successor was.
        let mut to = start;
        loop {
            let from = std::mem::replace(&mut order[to], to);
            if from == start {
                break;
            }
            values.swap(to, from);
            to = from;
        }
    }
}

#[inline(never)]
fn sort_positions(order: &mut [usize], compare: &dyn Fn(usize, usize) -> Ordering) {
    order.sort_by(|&a, &b| compare(a, b));
}

#[cfg(test)]
mod tests {
    use super::{sort_by, sort_by_key};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_standard_library_does(values: Vec<(u8, u16)>) {
            let mut expected = values.clone();
            expected.sort_by_key(|value| value.0);
            let mut sorted = values.clone();
            sort_by_key(&mut sorted, |value| value.0);
            prop_assert_eq!(&sorted, &expected);
            expected.sort_by(|a, b| b.cmp(a));
            sort_by(&mut sorted, |a, b| b.cmp(a));
            prop_assert_eq!(sorted, expected);
        }
    }
}
