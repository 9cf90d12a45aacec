//! The entries and iterators of a map, and how the map stores its entries.

use std::borrow::Borrow;
use std::collections::{HashMap, hash_map};
use std::hash::Hash;
use std::iter::FusedIterator;
use std::{slice, vec};

/// An entry of a [`VecMap`](super::VecMap).
#[derive(Debug)]
pub enum Entry<'a, K, V> {
    /// The key is in the map.
    Occupied(OccupiedEntry<'a, K, V>),
    /// The key is not in the map.
    Vacant(VacantEntry<'a, K, V>),
}

/// An entry whose key is in the map.
#[derive(Debug)]
pub struct OccupiedEntry<'a, K, V>(Occupied<'a, K, V>);

#[derive(Debug)]
enum Occupied<'a, K, V> {
    List(&'a mut V),
    Table(hash_map::OccupiedEntry<'a, K, V>),
}

/// An entry whose key is not in the map.
#[derive(Debug)]
pub struct VacantEntry<'a, K, V>(Vacant<'a, K, V>);

#[derive(Debug)]
enum Vacant<'a, K, V> {
    /// The list to which the entry is added at the end, and the key.
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

    /// Returns a mutable reference to the value. If the key has no value, inserts `value` first.
    ///
    /// ```
    /// let mut map = tobu::VecMap::from([("a", 1)]);
    /// assert_eq!((*map.entry("a").or_insert(7), *map.entry("b").or_insert(7)), (1, 7));
    /// ```
    pub fn or_insert(self, value: V) -> &'a mut V {
        self.or_insert_with(|| value)
    }

    /// Returns a mutable reference to the value. If the key has no value, inserts the result of `make` first.
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

    /// Returns a mutable reference to the value. If the key has no value, inserts the default value first.
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
    /// Returns a reference to the value.
    pub fn get(&self) -> &V {
        match &self.0 {
            Occupied::List(value) => value,
            Occupied::Table(entry) => entry.get(),
        }
    }

    /// Returns a mutable reference to the value.
    pub fn get_mut(&mut self) -> &mut V {
        match &mut self.0 {
            Occupied::List(value) => value,
            Occupied::Table(entry) => entry.get_mut(),
        }
    }

    /// Returns a mutable reference to the value. The reference lives as long as the borrow of the map.
    pub fn into_mut(self) -> &'a mut V {
        match self.0 {
            Occupied::List(value) => value,
            Occupied::Table(entry) => entry.into_mut(),
        }
    }

    /// Replaces the value and returns the old value.
    pub fn insert(&mut self, value: V) -> V {
        std::mem::replace(self.get_mut(), value)
    }
}

impl<'a, K, V> VacantEntry<'a, K, V> {
    /// Inserts a value and returns a mutable reference to it.
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

/// Defines the iterators. Each is made from an iterator over a list and an iterator over a table, and has its own type of
/// items.
macro_rules! iterators {
    ($($(#[$doc:meta])* $name:ident<$($lifetime:lifetime,)? K, V>($list:ty, $table:ty): $item:ty, $entry:pat => $out:expr;)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug)]
            pub struct $name<$($lifetime,)? K, V>(Entries<$list, $table>);

            impl<$($lifetime,)? K, V> Iterator for $name<$($lifetime,)? K, V> {
                type Item = $item;

                #[inline]
                fn next(&mut self) -> Option<$item> {
                    match &mut self.0 {
                        Entries::List(list) => list.next().map(|$entry| $out),
                        Entries::Table(table) => table.next(),
                    }
                }

                #[inline]
                fn size_hint(&self) -> (usize, Option<usize>) {
                    match &self.0 {
                        Entries::List(list) => list.size_hint(),
                        Entries::Table(table) => table.size_hint(),
                    }
                }

                /// Checks only once whether the map is a list or a table, and not for each entry.
                #[inline]
                fn fold<B, F: FnMut(B, $item) -> B>(self, first: B, mut next: F) -> B {
                    match self.0 {
                        Entries::List(list) => list.fold(first, |sum, $entry| next(sum, $out)),
                        Entries::Table(table) => table.fold(first, next),
                    }
                }
            }

            impl<$($lifetime,)? K, V> ExactSizeIterator for $name<$($lifetime,)? K, V> {}

            impl<$($lifetime,)? K, V> FusedIterator for $name<$($lifetime,)? K, V> {}
        )*
    };
}

#[derive(Clone, Debug)]
enum Entries<L, T> {
    List(L),
    Table(T),
}

iterators! {
    /// An iterator over the entries of a [`VecMap`](super::VecMap), by reference.
    Iter<'a, K, V>(slice::Iter<'a, (K, V)>, hash_map::Iter<'a, K, V>): (&'a K, &'a V), (key, value) => (key, value);
    /// An iterator over the entries of a [`VecMap`](super::VecMap), with mutable references to the values.
    IterMut<'a, K, V>(slice::IterMut<'a, (K, V)>, hash_map::IterMut<'a, K, V>): (&'a K, &'a mut V),
        (key, value) => (&*key, value);
    /// An iterator over the entries of a [`VecMap`](super::VecMap), by value.
    IntoIter<K, V>(vec::IntoIter<(K, V)>, hash_map::IntoIter<K, V>): (K, V), entry => entry;
}

impl<'a, K, V> Iter<'a, K, V> {
    #[inline]
    pub(super) fn new(entries: &'a Repr<K, V>) -> Self {
        Iter(match entries {
            Repr::List(list) => Entries::List(list.iter()),
            Repr::Table(table) => Entries::Table(table.iter()),
        })
    }
}

impl<K, V> Clone for Iter<'_, K, V> {
    fn clone(&self) -> Self {
        Iter(self.0.clone())
    }
}

impl<'a, K, V> IterMut<'a, K, V> {
    #[inline]
    pub(super) fn new(entries: &'a mut Repr<K, V>) -> Self {
        IterMut(match entries {
            Repr::List(list) => Entries::List(list.iter_mut()),
            Repr::Table(table) => Entries::Table(table.iter_mut()),
        })
    }
}

impl<K, V> IntoIter<K, V> {
    #[inline]
    pub(super) fn new(entries: Repr<K, V>) -> Self {
        IntoIter(match entries {
            Repr::List(list) => Entries::List(list.into_iter()),
            Repr::Table(table) => Entries::Table(table.into_iter()),
        })
    }
}

/// The maximum length of a list whose keys are not in ascending order. Comparing so few keys is faster than hashing one.
const SMALL: usize = 16;

/// How a map stores its entries.
#[derive(Clone)]
pub(super) enum Repr<K, V> {
    /// A list in which each key occurs once. If it has more than [`SMALL`] entries, their keys are in ascending order.
    List(Vec<(K, V)>),
    // The table is in a box, so that a map takes less memory in its message. Most maps never need a table.
    #[expect(clippy::box_collection)]
    Table(Box<HashMap<K, V>>),
}

/// The position of a key in a list, or how to insert the key.
pub(super) enum Position {
    /// The key is in the list, at this index.
    At(usize),
    /// The key is not in the list, and a new entry is appended to the list.
    End,
    /// The key is not in the list, and the list must become a table before a new entry is inserted.
    Table,
}

impl<K: Ord + Hash, V> Repr<K, V> {
    /// Converts the map to a table, if it is a list, and returns the table.
    #[cold]
    #[inline(never)]
    pub(super) fn table(&mut self) -> &mut HashMap<K, V> {
        if let Repr::List(list) = self {
            let mut table = HashMap::with_capacity(list.len() + 1);
            table.extend(std::mem::take(list));
            *self = Repr::Table(Box::new(table));
        }
        match self {
            Repr::Table(table) => table,
            Repr::List(_) => unreachable!("the list has become a table"),
        }
    }
}

/// Returns the index of a key in a list, or `None`.
pub(super) fn find<K: Borrow<Q>, V, Q: Ord + ?Sized>(list: &[(K, V)], key: &Q) -> Option<usize> {
    if list.len() <= SMALL {
        return list.iter().position(|(other, _)| other.borrow() == key);
    }
    list.binary_search_by(|(other, _)| other.borrow().cmp(key)).ok()
}

/// Returns the position of a key in a list. If the key is not in the list, says how to insert it.
#[inline]
pub(super) fn position<K: Ord, V>(list: &[(K, V)], key: &K) -> Position {
    if list.len() < SMALL {
        return match list.iter().position(|(other, _)| other == key) {
            Some(at) => Position::At(at),
            None => Position::End,
        };
    }
    // The keys of longer lists are in ascending order, so a key greater than the last key is new.
    if list.len() > SMALL && list.last().is_some_and(|(last, _)| last < key) {
        return Position::End;
    }
    position_long(list, key)
}

#[inline(never)]
fn position_long<K: Ord, V>(list: &[(K, V)], key: &K) -> Position {
    if let Some(at) = find(list, key) {
        return Position::At(at);
    }
    match list.len() == SMALL && list.is_sorted_by(|a, b| a.0 < b.0) && list[SMALL - 1].0 < *key {
        true => Position::End,
        false => Position::Table,
    }
}
