//! Sorts lists of schemas and tables. Here the size of the program matters more than speed.
//!
//! This file is in layer 0 (see DESIGN.md). The standard library compiles its sort again for each type and each
//! comparison, which takes about 8 KiB each time. The sort of this file is compiled once, because it sorts positions.

use std::cmp::Ordering;

/// Sorts values by a key. Values with equal keys stay in order.
pub fn sort_by_key<T, K: Ord>(values: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(values, |a, b| key(a).cmp(&key(b)));
}

/// Sorts values by a comparison. Equal values stay in order.
pub fn sort_by<T>(values: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    if let Some(order) = sorted(values.len(), &|a, b| compare(&values[a], &values[b])) {
        arrange(order, &mut |a, b| values.swap(a, b));
    }
}

/// The length of the runs that insertion sort puts in order. Most lists are no longer than this.
const SHORT: usize = 8;

/// Returns the positions of `len` values in sorted order, or `None` if the values are already in order. Sorts runs of `SHORT`
/// positions, then merges pairs of neighboring runs until one run is left.
#[inline(never)]
fn sorted(len: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Option<Vec<usize>> {
    if (1..len).all(|at| compare(at - 1, at).is_le()) {
        return None;
    }
    let mut order = Vec::from_iter(0..len);
    for run in order.chunks_mut(SHORT) {
        for end in 1..run.len() {
            let mut at = end;
            while at > 0 && compare(run[at], run[at - 1]).is_lt() {
                run.swap(at, at - 1);
                at -= 1;
            }
        }
    }
    let mut run = SHORT;
    if run >= len {
        return Some(order);
    }
    let mut merged = order.clone();
    while run < len {
        for (from, to) in order.chunks(2 * run).zip(merged.chunks_mut(2 * run)) {
            let (mut left, mut right) = from.split_at(run.min(from.len()));
            for slot in to {
                let next = match (left, right) {
                    ([a, ..], [b, ..]) if compare(*b, *a).is_lt() => &mut right,
                    ([_, ..], _) => &mut left,
                    ([], _) => &mut right,
                };
                (*slot, *next) = (next[0], &next[1..]);
            }
        }
        std::mem::swap(&mut order, &mut merged);
        run *= 2;
    }
    Some(order)
}

/// Moves each value to its place in the sorted order, by swaps. `order` has, for each place, the position of its value.
#[inline(never)]
fn arrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        // This loop follows one cycle of the permutation. Each swap puts the right value at `to`, and moves the old value
        // of `to` on to `from`.
        let mut to = start;
        loop {
            let from = std::mem::replace(&mut order[to], to);
            if from == start {
                break;
            }
            swap(to, from);
            to = from;
        }
    }
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
