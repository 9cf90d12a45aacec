//! How the entries of a map are stored, and where in a list a key is.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;

/// A list whose keys do not ascend is no longer than this: looking at each of them takes less than a hash.
const SMALL: usize = 16;

/// The entries.
#[derive(Clone)]
pub(super) enum Repr<K, V> {
    /// Each key once. Where there are more than [`SMALL`], each is greater than the one before.
    List(Vec<(K, V)>),
    // In a box: most maps never get so large, and messages are smaller without the room for it.
    #[expect(clippy::box_collection)]
    Table(Box<HashMap<K, V>>),
}

/// Where a key belongs in a list.
pub(super) enum Position {
    /// There is an entry of this key.
    At(usize),
    /// At its end.
    End,
    /// Nowhere: the list becomes a table.
    Table,
}

impl<K: Ord + Hash, V> Repr<K, V> {
    /// The map as a table.
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

/// Where in a list the entry of a key is.
pub(super) fn find<K: Borrow<Q>, V, Q: Ord + ?Sized>(list: &[(K, V)], key: &Q) -> Option<usize> {
    if list.len() <= SMALL {
        return list.iter().position(|(other, _)| other.borrow() == key);
    }
    list.binary_search_by(|(other, _)| other.borrow().cmp(key)).ok()
}

/// Where in a list the entry of a key is, or belongs.
#[inline]
pub(super) fn position<K: Ord, V>(list: &[(K, V)], key: &K) -> Position {
    if list.len() < SMALL {
        return match list.iter().position(|(other, _)| other == key) {
            Some(at) => Position::At(at),
            None => Position::End,
        };
    }
    // Longer lists ascend, so that a key greater than the last is new.
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
