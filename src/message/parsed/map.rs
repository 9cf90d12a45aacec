//! Map fields of parsed messages.

use crate::message::parsed::memory::Memory;
use crate::message::parsed::value::{Item, Value};
use crate::message::reflect::MapKeyRef;
use crate::object::arena::map::{entry_after, entry_in};
use crate::table::Table;
use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;

/// The entries of a map field of a parsed message.
///
/// ```
/// # use tobu_schemas::library::v1::Shelf;
/// let shelf = tobu::Parsed::<Shelf>::from_json(r#"{"copies": {"0441172717": 3, "0141439580": 1}}"#)?;
/// let copies = shelf.get().copies();
/// assert_eq!(copies.get("0441172717"), Some(3));
/// assert_eq!(copies.get("0553293354"), None);
/// assert_eq!(copies.values().sum::<u32>(), 4);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct Map<'a, K, V> {
    memory: Memory<'a>,
    /// The table of the values, if they are messages without a Rust type.
    table: Option<&'a Table>,
    word: u64,
    entry: PhantomData<fn() -> (K, V)>,
}

/// The type of a map key: a number, a bool, or `&str`.
///
/// Only this crate implements this trait.
pub trait Key<'a>: Value<'a> + Eq {
    /// The type of a key to look up. It need not live as long as the map.
    type Of<'k>;

    #[doc(hidden)]
    fn sought<'k>(key: Self::Of<'k>) -> MapKeyRef<'k>
    where
        'k: 'k;

    #[doc(hidden)]
    fn shown(self) -> Self::Of<'a>;
}

/// Implements [`Key`] for numbers and `bool`, with their variants of [`MapKeyRef`].
macro_rules! keys {
    ($($ty:ty => $variant:ident,)*) => {
        $(
            impl Key<'_> for $ty {
                type Of<'k> = $ty;

                #[inline]
                fn sought<'k>(key: $ty) -> MapKeyRef<'k>
                where
                    'k: 'k,
                {
                    MapKeyRef::$variant(key)
                }

                #[inline]
                fn shown(self) -> $ty {
                    self
                }
            }
        )*
    };
}

keys! { bool => Bool, i32 => I32, i64 => I64, u32 => U32, u64 => U64, }

impl<'a> Key<'a> for &'a str {
    type Of<'k> = &'k str;

    #[inline]
    fn sought<'k>(key: &'k str) -> MapKeyRef<'k>
    where
        'k: 'k,
    {
        MapKeyRef::Str(key)
    }

    #[inline]
    fn shown(self) -> &'a str {
        self
    }
}

impl<'a, K, V> Map<'a, K, V> {
    #[inline]
    pub(super) fn new(memory: Memory<'a>, table: Option<&'a Table>, word: u64) -> Self {
        Map { memory, table, word, entry: PhantomData }
    }
}

impl<'a, K: Key<'a>, V: Value<'a>> Map<'a, K, V> {
    /// Returns the position of the entry of a key, or 0 if the map has no such entry.
    fn find(self, key: K::Of<'_>) -> u32 {
        self.memory.arena.find_entry(self.word, K::sought(key).into())
    }

    #[inline]
    fn value(self, word: u64) -> V {
        V::of(Item { memory: self.memory, table: self.table, word })
    }

    /// Returns the number of entries.
    #[inline]
    pub fn len(self) -> usize {
        self.memory.arena.map_len(self.word)
    }

    /// True if the map has no entries.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a key; `None` if the map has no such entry. The lookup uses a hash, unless the map has few entries.
    #[inline]
    pub fn get(self, key: K::Of<'_>) -> Option<V> {
        match self.find(key) {
            0 => None,
            entry => Some(self.value(entry_in(self.memory.cells(), entry).1)),
        }
    }

    /// True if the map has a value for a key.
    #[inline]
    pub fn contains_key(self, key: K::Of<'_>) -> bool {
        self.find(key) != 0
    }

    /// Returns an iterator over the entries, in the order in which they were added.
    #[inline]
    pub fn iter(self) -> Iter<'a, K, V> {
        let (next, left) = (self.memory.arena.first_entry(self.word), self.len());
        Iter { map: self, next, left }
    }

    /// Returns an iterator over the keys, in the order of the entries.
    pub fn keys(self) -> impl ExactSizeIterator<Item = K> + 'a
    where
        K: 'a,
        V: 'a,
    {
        self.iter().map(|(key, _)| key)
    }

    /// Returns an iterator over the values, in the order of the entries.
    pub fn values(self) -> impl ExactSizeIterator<Item = V> + 'a
    where
        K: 'a,
        V: 'a,
    {
        self.iter().map(|(_, value)| value)
    }
}

impl<'a, K: Key<'a>, V: Value<'a>> IntoIterator for Map<'a, K, V> {
    type Item = (K, V);
    type IntoIter = Iter<'a, K, V>;

    #[inline]
    fn into_iter(self) -> Iter<'a, K, V> {
        self.iter()
    }
}

/// Maps are equal if they have the same keys with equal values, in any order.
impl<'a, K: Key<'a>, V: Value<'a> + PartialEq> PartialEq for Map<'a, K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key.shown()) == Some(value))
    }
}

impl<'a, K: Key<'a> + fmt::Debug, V: Value<'a> + fmt::Debug> fmt::Debug for Map<'a, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// An iterator over the entries of a [`Map`].
#[derive(Clone)]
pub struct Iter<'a, K, V> {
    map: Map<'a, K, V>,
    /// The position of the next entry; 0 after the last entry.
    next: u32,
    left: usize,
}

impl<'a, K: Key<'a>, V: Value<'a>> Iterator for Iter<'a, K, V> {
    type Item = (K, V);

    #[inline]
    fn next(&mut self) -> Option<(K, V)> {
        if self.next == 0 {
            return None;
        }
        let (map, cells) = (self.map, self.map.memory.cells());
        let (key, value) = entry_in(cells, self.next);
        self.next = entry_after(cells, self.next);
        self.left = self.left.saturating_sub(1);
        Some((K::of(Item { memory: map.memory, table: None, word: key }), map.value(value)))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<'a, K: Key<'a>, V: Value<'a>> ExactSizeIterator for Iter<'a, K, V> {}

impl<'a, K: Key<'a>, V: Value<'a>> FusedIterator for Iter<'a, K, V> {}

impl<'a, K: Key<'a> + fmt::Debug, V: Value<'a> + fmt::Debug> fmt::Debug for Iter<'a, K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.clone()).finish()
    }
}
