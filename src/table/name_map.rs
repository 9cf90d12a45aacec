//! A sorted list of names, each with a number, which all lookups by name use. This file also has a comparison of names that
//! ignores letter case and underscores.

use crate::sort::sort_by;

#[derive(Debug)]
pub(super) struct NameMap(Box<[(Box<str>, u32)]>);

impl NameMap {
    /// Creates a map of `names`. If two names are equal, the last one is kept.
    pub(super) fn new(mut names: Vec<(Box<str>, u32)>) -> Self {
        names.reverse();
        sort_by(&mut names, |a, b| a.0.cmp(&b.0));
        names.dedup_by(|next, first| next.0 == first.0);
        NameMap(names.into())
    }

    pub(super) fn get(&self, name: &str) -> Option<u32> {
        let index = self.0.binary_search_by(|(known, _)| (**known).cmp(name)).ok()?;
        Some(self.0[index].1)
    }

    /// Returns the names with their numbers, sorted by name.
    pub(super) fn all(&self) -> &[(Box<str>, u32)] {
        &self.0
    }
}

/// True if two names are equal except for letter case and underscores.
pub(crate) fn same_name(a: &str, b: &str) -> bool {
    match (a.bytes().next(), b.bytes().next()) {
        // Most names differ in their first letters, which are compared without the loop.
        (Some(a), Some(b)) if a != b'_' && b != b'_' && !a.eq_ignore_ascii_case(&b) => false,
        _ => {
            let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
            loop {
                match (letter(&mut a), letter(&mut b)) {
                    (None, None) => return true,
                    (a, b) if a != b => return false,
                    _ => {}
                }
            }
        }
    }
}

/// Removes the first character that is not an underscore from the start of a name, and the underscores before it. Returns this
/// character in lower case, or `None` if no such character is left.
fn letter(name: &mut &[u8]) -> Option<u8> {
    loop {
        let (first, rest) = name.split_first()?;
        *name = rest;
        if *first != b'_' {
            return Some(first.to_ascii_lowercase());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::NameMap;

    #[test]
    fn of_equal_names_the_last_counts() {
        let names = [("b", 1), ("a", 2), ("b", 3), ("", 4), ("b", 5), ("a", 6)];
        let map = NameMap::new(names.map(|(name, number)| (name.into(), number)).into());
        assert_eq!(
            (map.get("a"), map.get("b"), map.get(""), map.get("c")),
            (Some(6), Some(5), Some(4), None)
        );
        assert_eq!(map.all().len(), 3);
        assert_eq!(NameMap::new(Vec::new()).get(""), None);
    }
}
