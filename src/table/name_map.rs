//! Names with a number each, sorted: one type for all that is found by name.

use crate::sort::sort_by;

/// From names to numbers.
#[derive(Debug)]
pub(super) struct NameMap(Box<[(Box<str>, u32)]>);

impl NameMap {
    /// A map of these names; of equal ones the last counts.
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

    /// The names in order.
    pub(super) fn all(&self) -> &[(Box<str>, u32)] {
        &self.0
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
