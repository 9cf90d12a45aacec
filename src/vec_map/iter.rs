//! The entries of a map, one after the other.

use super::repr::Repr;
use std::collections::hash_map;
use std::iter::FusedIterator;
use std::{slice, vec};

/// Lists the iterators: the collections and their items.
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

                /// One loop for each of the two.
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
    /// The entries of a [`VecMap`](super::VecMap), by reference.
    Iter<'a, K, V>(slice::Iter<'a, (K, V)>, hash_map::Iter<'a, K, V>): (&'a K, &'a V), (key, value) => (key, value);
    /// The entries of a [`VecMap`](super::VecMap), the values to be changed.
    IterMut<'a, K, V>(slice::IterMut<'a, (K, V)>, hash_map::IterMut<'a, K, V>): (&'a K, &'a mut V),
        (key, value) => (&*key, value);
    /// The entries of a [`VecMap`](super::VecMap).
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
