//! One entry of a map, occupied or vacant.

use super::repr::{Position, Repr, position};
use std::collections::hash_map;
use std::hash::Hash;

/// An entry of a [`VecMap`](super::VecMap).
#[derive(Debug)]
pub enum Entry<'a, K, V> {
    /// The key is in the map.
    Occupied(OccupiedEntry<'a, K, V>),
    /// The key is not in the map.
    Vacant(VacantEntry<'a, K, V>),
}

/// The entry of a key in the map.
#[derive(Debug)]
pub struct OccupiedEntry<'a, K, V>(Occupied<'a, K, V>);

#[derive(Debug)]
enum Occupied<'a, K, V> {
    List(&'a mut V),
    Table(hash_map::OccupiedEntry<'a, K, V>),
}

/// The entry of a key not in the map.
#[derive(Debug)]
pub struct VacantEntry<'a, K, V>(Vacant<'a, K, V>);

#[derive(Debug)]
enum Vacant<'a, K, V> {
    /// It is added at the end of the list.
    List(&'a mut Vec<(K, V)>, K),
    Table(hash_map::VacantEntry<'a, K, V>),
}

impl<'a, K: Ord + Hash, V> Entry<'a, K, V> {
    pub(super) fn new(entries: &'a mut Repr<K, V>, key: K) -> Self {
        let found = match &*entries {
            Repr::List(list) => position(list, &key),
            Repr::Table(_) => Position::Table,
        };
        if let Position::Table = found {
            return match entries.table().entry(key) {
                hash_map::Entry::Occupied(entry) => Entry::Occupied(OccupiedEntry(Occupied::Table(entry))),
                hash_map::Entry::Vacant(entry) => Entry::Vacant(VacantEntry(Vacant::Table(entry))),
            };
        }
        match (entries, found) {
            (Repr::List(list), Position::At(at)) => {
                Entry::Occupied(OccupiedEntry(Occupied::List(&mut list[at].1)))
            }
            (Repr::List(list), _) => Entry::Vacant(VacantEntry(Vacant::List(list, key))),
            (Repr::Table(_), _) => unreachable!("a table has no place in a list"),
        }
    }

    /// The value; if absent, this one is inserted.
    ///
    /// ```
    /// let mut map = tobu::VecMap::from([("a", 1)]);
    /// assert_eq!((*map.entry("a").or_insert(7), *map.entry("b").or_insert(7)), (1, 7));
    /// ```
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// The value; if absent, a new one is inserted.
    ///
    /// ```
    /// let mut map = tobu::VecMap::<&str, Vec<i32>>::new();
    /// map.entry("a").or_insert_with(|| vec![1]).push(2);
    /// assert_eq!(map["a"], [1, 2]);
    /// ```
    pub fn or_insert_with(self, make: impl FnOnce() -> V) -> &'a mut V {
        match self {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => entry.insert(make()),
        }
    }

    /// The value, or its default.
    ///
    /// ```
    /// let mut map = tobu::VecMap::<&str, i32>::new();
    /// *map.entry("a").or_default() += 1;
    /// assert_eq!(map["a"], 1);
    /// ```
    pub fn or_default(self) -> &'a mut V
    where
        V: Default,
    {
        self.or_insert_with(V::default)
    }
}

impl<'a, K, V> OccupiedEntry<'a, K, V> {
    /// The value.
    pub fn get(&self) -> &V {
        match &self.0 {
            Occupied::List(value) => value,
            Occupied::Table(entry) => entry.get(),
        }
    }

    /// The value, for changes.
    pub fn get_mut(&mut self) -> &mut V {
        match &mut self.0 {
            Occupied::List(value) => value,
            Occupied::Table(entry) => entry.get_mut(),
        }
    }

    /// The value, to be changed for as long as the map is borrowed.
    pub fn into_mut(self) -> &'a mut V {
        match self.0 {
            Occupied::List(value) => value,
            Occupied::Table(entry) => entry.into_mut(),
        }
    }

    /// Replaces the value, and returns the old one.
    pub fn insert(&mut self, value: V) -> V {
        std::mem::replace(self.get_mut(), value)
    }
}

impl<'a, K, V> VacantEntry<'a, K, V> {
    /// Puts a value in.
    pub fn insert(self, value: V) -> &'a mut V {
        match self.0 {
            Vacant::List(list, key) => {
                let at = list.len();
                list.push((key, value));
                &mut list[at].1
            }
            Vacant::Table(entry) => entry.insert(value),
        }
    }
}
