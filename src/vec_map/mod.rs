//! A map that is a list while a list is fast, and then becomes a hash table. This module is in layer 0 (see DESIGN.md): it uses
//! no other module of the crate.

mod entry;
mod format;

pub use entry::{Entry, OccupiedEntry, VacantEntry};
pub use entry::{IntoIter, Iter, IterMut};

use entry::{Position, Repr, find, position};
use std::borrow::Borrow;
use std::fmt;
use std::hash::Hash;
use std::ops::Index;

/// A map that is fast to build. It stores its entries in a list, if there are few entries or if they are inserted in key order.
///
/// Views use this type for `map` fields ([`MapType::VecMap`] in `tobu-build`), and you can use it for any map field. While a
/// map has up to 16 entries, or each key is greater than the previous key, new entries are appended to a list, without hashing.
/// Otherwise the map becomes a hash table, with the randomly seeded hash function of the standard library.
///
/// While the map is a list, entries keep the order of insertion. In a hash table their order is arbitrary.
///
/// ```
/// use tobu::{Deserialize, Message, VecMap};
///
/// #[derive(Debug, Message, Deserialize)]
/// struct Labels<'a> {
///     #[tobu(1)]
///     labels: VecMap<&'a str, &'a str>,
/// }
///
/// let labels: Labels<'_> = tobu::from_slice(b"\x0a\x0a\x0a\x04zone\x12\x02eu")?;
/// assert_eq!(labels.labels.get("zone"), Some(&"eu"));
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// [`MapType::VecMap`]: https://docs.rs/tobu-build/latest/tobu_build/enum.MapType.html
#[derive(Clone)]
pub struct VecMap<K, V>(Repr<K, V>);

impl<K, V> VecMap<K, V> {
    /// Creates an empty map.
    ///
    /// ```
    /// let map = tobu::VecMap::<&str, i32>::new();
    /// assert_eq!(map.len(), 0);
    /// ```
    #[inline]
    pub const fn new() -> Self {
        VecMap(Repr::List(Vec::new()))
    }

    /// Returns the number of entries.
    ///
    /// ```
    /// assert_eq!(tobu::VecMap::from([("zone", "eu"), ("zone", "us")]).len(), 1);
    /// ```
    #[inline]
    pub fn len(&self) -> usize {
        match &self.0 {
            Repr::List(list) => list.len(),
            Repr::Table(table) => table.len(),
        }
    }

    /// Returns the number of entries that the map can hold without allocating.
    pub(crate) fn capacity(&self) -> usize {
        match &self.0 {
            Repr::List(list) => list.capacity(),
            Repr::Table(table) => table.capacity(),
        }
    }

    /// True if the map has no entries.
    ///
    /// ```
    /// assert!(tobu::VecMap::<i32, i32>::default().is_empty());
    /// ```
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Removes all entries. A list keeps its memory, and a hash table frees its memory.
    ///
    /// ```
    /// let mut map = tobu::VecMap::from([(1, 'a')]);
    /// map.clear();
    /// assert!(map.is_empty());
    /// ```
    #[inline]
    pub fn clear(&mut self) {
        match &mut self.0 {
            Repr::List(list) => list.clear(),
            Repr::Table(_) => *self = Self::new(),
        }
    }

    /// Returns an iterator over the entries, by reference.
    ///
    /// ```
    /// let map = tobu::VecMap::from([("b", 1), ("a", 2)]);
    /// assert!(map.iter().eq([(&"b", &1), (&"a", &2)]));
    /// ```
    #[inline]
    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter::new(&self.0)
    }

    /// Returns an iterator over the entries, with mutable references to the values.
    ///
    /// ```
    /// let mut map = tobu::VecMap::from([("a", 1)]);
    /// map.iter_mut().for_each(|(_, value)| *value += 1);
    /// assert_eq!(map["a"], 2);
    /// ```
    #[inline]
    pub fn iter_mut(&mut self) -> IterMut<'_, K, V> {
        IterMut::new(&mut self.0)
    }

    /// Returns an iterator over the keys.
    ///
    /// ```
    /// assert!(tobu::VecMap::from([("a", 1)]).keys().eq([&"a"]));
    /// ```
    pub fn keys(&self) -> impl ExactSizeIterator<Item = &K> + Clone {
        self.iter().map(|(key, _)| key)
    }

    /// Returns an iterator over the values.
    ///
    /// ```
    /// assert!(tobu::VecMap::from([("a", 1)]).values().eq([&1]));
    /// ```
    pub fn values(&self) -> impl ExactSizeIterator<Item = &V> + Clone {
        self.iter().map(|(_, value)| value)
    }
}

impl<K: Ord + Hash, V> VecMap<K, V> {
    /// Reserves memory for `additional` more entries.
    ///
    /// ```
    /// let mut map = tobu::VecMap::<u32, u32>::new();
    /// map.reserve(3);
    /// assert!(map.is_empty());
    /// ```
    #[inline]
    pub fn reserve(&mut self, additional: usize) {
        match &mut self.0 {
            Repr::List(list) => list.reserve(additional),
            Repr::Table(table) => table.reserve(additional),
        }
    }

    /// Returns the value of a key, or `None`.
    ///
    /// ```
    /// assert_eq!(tobu::VecMap::from([("zone", "eu")]).get("zone"), Some(&"eu"));
    /// ```
    pub fn get<Q: Ord + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        match &self.0 {
            Repr::List(list) => find(list, key).map(|at| &list[at].1),
            Repr::Table(table) => table.get(key),
        }
    }

    /// Returns a mutable reference to the value of a key, or `None`.
    ///
    /// ```
    /// let mut map = tobu::VecMap::from([("zone", 1)]);
    /// *map.get_mut("zone").unwrap() += 1;
    /// assert_eq!(map["zone"], 2);
    /// ```
    pub fn get_mut<Q: Ord + Hash + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        match &mut self.0 {
            Repr::List(list) => find(list, key).map(|at| &mut list[at].1),
            Repr::Table(table) => table.get_mut(key),
        }
    }

    /// True if the map has an entry with this key.
    ///
    /// ```
    /// assert!(!tobu::VecMap::from([("zone", "eu")]).contains_key("country"));
    /// ```
    pub fn contains_key<Q: Ord + Hash + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.get(key).is_some()
    }

    /// Inserts an entry and returns the previous value of the key, or `None`.
    ///
    /// ```
    /// let mut map = tobu::VecMap::new();
    /// assert_eq!(map.insert("zone", "eu"), None);
    /// assert_eq!(map.insert("zone", "us"), Some("eu"));
    /// ```
    #[inline]
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        if let Repr::List(list) = &mut self.0 {
            match position(list, &key) {
                Position::At(at) => return Some(std::mem::replace(&mut list[at].1, value)),
                Position::End => {
                    list.push((key, value));
                    return None;
                }
                Position::Table => {}
            }
        }
        self.0.table().insert(key, value)
    }

    /// Removes the entry of a key and returns its value, or `None`. In a list, this takes time in proportion to the length.
    ///
    /// ```
    /// let mut map = tobu::VecMap::from([("zone", "eu")]);
    /// assert_eq!(map.remove("zone"), Some("eu"));
    /// assert_eq!(map.remove("zone"), None);
    /// ```
    pub fn remove<Q: Ord + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        match &mut self.0 {
            Repr::List(list) => find(list, key).map(|at| list.remove(at).1),
            Repr::Table(table) => table.remove(key),
        }
    }

    /// Returns the entry of a key. The entry is occupied if the map has the key, and vacant if not.
    ///
    /// ```
    /// let mut map = tobu::VecMap::new();
    /// *map.entry("zone").or_insert(1) += 1;
    /// assert_eq!(map["zone"], 2);
    /// ```
    pub fn entry(&mut self, key: K) -> Entry<'_, K, V> {
        Entry::new(&mut self.0, key)
    }
}

impl<K, V> IntoIterator for VecMap<K, V> {
    type Item = (K, V);
    type IntoIter = IntoIter<K, V>;

    #[inline]
    fn into_iter(self) -> IntoIter<K, V> {
        IntoIter::new(self.0)
    }
}

impl<'a, K, V> IntoIterator for &'a VecMap<K, V> {
    type Item = (&'a K, &'a V);
    type IntoIter = Iter<'a, K, V>;

    #[inline]
    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

impl<'a, K, V> IntoIterator for &'a mut VecMap<K, V> {
    type Item = (&'a K, &'a mut V);
    type IntoIter = IterMut<'a, K, V>;

    #[inline]
    fn into_iter(self) -> IterMut<'a, K, V> {
        self.iter_mut()
    }
}

impl<K, V> Default for VecMap<K, V> {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for VecMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

/// Maps are equal if they have the same entries, in any order.
impl<K: Ord + Hash, V: PartialEq> PartialEq for VecMap<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: Ord + Hash, V: Eq> Eq for VecMap<K, V> {}

impl<K: Ord + Hash + Borrow<Q>, Q: Ord + Hash + ?Sized, V> Index<&Q> for VecMap<K, V> {
    type Output = V;

    /// Returns the value of a key.
    ///
    /// # Panics
    /// The map has no entry with this key.
    fn index(&self, key: &Q) -> &V {
        self.get(key).expect("an entry of the key")
    }
}

impl<K: Ord + Hash, V> Extend<(K, V)> for VecMap<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

impl<K: Ord + Hash, V> FromIterator<(K, V)> for VecMap<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

impl<K: Ord + Hash, V, const N: usize> From<[(K, V); N]> for VecMap<K, V> {
    fn from(entries: [(K, V); N]) -> Self {
        entries.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn is_list<K, V>(map: &VecMap<K, V>) -> bool {
        matches!(map.0, Repr::List(_))
    }

    #[test]
    fn a_list_while_it_is_short_or_ascends() {
        let ascending: VecMap<i32, i32> = (0..1000).map(|n| (n, n)).collect();
        assert!(is_list(&ascending) && ascending[&999] == 999);
        let short: VecMap<i32, i32> = (0..16).rev().map(|n| (n, n)).collect();
        assert!(is_list(&short) && short[&0] == 0);
        let long: VecMap<i32, i32> = (0..17).rev().map(|n| (n, n)).collect();
        assert!(!is_list(&long) && long[&0] == 0);
        // Inserting a key that exists keeps the list.
        let mut again = ascending.clone();
        assert_eq!(again.insert(500, 0), Some(500));
        assert!(is_list(&again));
        // A key that is not in ascending order turns the list into a table at once.
        again.insert(-1, 0);
        assert!(!is_list(&again) && again.len() == 1001);
        again.clear();
        assert!(is_list(&again) && again.is_empty());
    }

    #[test]
    fn a_list_that_shrinks_stays_what_it_was() {
        let mut map: VecMap<i32, i32> = (0..20).map(|n| (n, n)).collect();
        for n in 0..10 {
            assert_eq!(map.remove(&n), Some(n));
        }
        assert_eq!(map.insert(0, 7), None);
        assert!(is_list(&map) && map[&0] == 7);
        assert_eq!(map.iter().next_back_key(), Some(&0));
    }

    impl<'a, K, V> Iter<'a, K, V> {
        fn next_back_key(self) -> Option<&'a K> {
            self.last().map(|(key, _)| key)
        }
    }

    /// An operation on a map.
    #[derive(Clone, Debug)]
    enum Step {
        Insert(u8, u8),
        Remove(u8),
        Add(u8),
        Replace(u8),
        Clear,
    }

    fn steps() -> impl Strategy<Value = Vec<Step>> {
        let step = prop_oneof![
            20 => any::<(u8, u8)>().prop_map(|(key, value)| Step::Insert(key, value)),
            4 => any::<u8>().prop_map(Step::Remove),
            4 => any::<u8>().prop_map(Step::Add),
            2 => any::<u8>().prop_map(Step::Replace),
            1 => Just(Step::Clear),
        ];
        let ascending = (0..60u8).prop_map(|n| (0..n).map(|n| Step::Insert(n * 4, n)).collect());
        (prop_oneof![Just(Vec::new()), ascending], proptest::collection::vec(step, 0..60))
            .prop_map(|(first, then): (Vec<Step>, Vec<Step>)| [first, then].concat())
    }

    proptest! {
        #[test]
        fn it_is_a_map(steps in steps()) {
            let (mut map, mut model) = (VecMap::<u8, u8>::new(), BTreeMap::<u8, u8>::new());
            for step in steps {
                match step {
                    Step::Insert(key, value) => {
                        prop_assert_eq!(map.insert(key, value), model.insert(key, value));
                    }
                    Step::Remove(key) => prop_assert_eq!(map.remove(&key), model.remove(&key)),
                    Step::Add(key) => {
                        let value = map.entry(key).or_default();
                        *value = value.wrapping_add(1);
                        let value = model.entry(key).or_default();
                        *value = value.wrapping_add(1);
                    }
                    Step::Replace(key) => {
                        let old = match map.entry(key) {
                            Entry::Occupied(mut entry) => Some(entry.insert(7)),
                            Entry::Vacant(entry) => { entry.insert(7); None }
                        };
                        prop_assert_eq!(old, model.insert(key, 7));
                    }
                    Step::Clear => { map.clear(); model.clear(); }
                }
                prop_assert_eq!(map.len(), model.len());
            }
            for key in 0..=255 {
                prop_assert_eq!(map.get(&key), model.get(&key));
                prop_assert_eq!(map.get_mut(&key), model.get_mut(&key));
            }
            prop_assert_eq!(map.iter().len(), model.len());
            prop_assert_eq!(map.keys().copied().collect::<std::collections::BTreeSet<_>>(),
                model.keys().copied().collect());
            prop_assert_eq!(&map, &model.clone().into_iter().rev().collect());
            prop_assert_eq!(map.into_iter().collect::<BTreeMap<_, _>>(), model);
        }
    }
}
