//! Lists made from lists, and the maps that all walks share: each further type of a map is 2,000 lines of LLVM.

use std::collections::HashMap;

/// Positions of something by its name.
pub(super) type Names = HashMap<String, usize>;

/// Numbers by numbers: indexes, or addresses.
pub(super) type Numbers = HashMap<usize, usize>;

/// What `of` makes of each item. An iterator chain with `collect` is five times as much code, for each of its uses.
pub(super) fn each<'a, T, U>(items: &'a [T], mut of: impl FnMut(&'a T) -> U) -> Vec<U> {
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        all.push(of(item));
    }
    all
}

/// The items of a table with their indexes in it.
pub(super) fn numbered<T>(items: &[T]) -> Numbered<'_, T> {
    numbered_from(items, 0)
}

/// The items of a part of a table, which begins at `start`, with their indexes in the table.
pub(super) fn numbered_from<T>(items: &[T], start: u32) -> Numbered<'_, T> {
    Numbered { items, next: start }
}

pub(super) struct Numbered<'a, T> {
    items: &'a [T],
    next: u32,
}

impl<'a, T> Iterator for Numbered<'a, T> {
    type Item = (&'a T, u32);

    fn next(&mut self) -> Option<(&'a T, u32)> {
        let (first, rest) = self.items.split_first()?;
        self.items = rest;
        self.next += 1;
        Some((first, self.next - 1))
    }
}
