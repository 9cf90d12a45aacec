//! Repeated fields of parsed messages.

use crate::message::parsed::memory::Memory;
use crate::message::parsed::value::{Item, Value};
use crate::table::Table;
use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;

/// The elements of a repeated field of a parsed message.
///
/// ```
/// # use tobu_schemas::library::v1::Book;
/// let book = tobu::Parsed::<Book>::decode(b"\x12\x03Ann\x12\x03Bob")?;
/// let authors = book.get().authors();
/// assert_eq!(authors.len(), 2);
/// assert_eq!(authors.get(1), Some("Bob"));
/// assert_eq!(authors.iter().rev().collect::<Vec<_>>(), ["Bob", "Ann"]);
/// assert_eq!(authors, ["Ann", "Bob"]);
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct List<'a, T> {
    memory: Memory<'a>,
    /// The table of the elements, if they are messages without a Rust type.
    table: Option<&'a Table>,
    /// The bytes of the elements in the arena.
    bytes: &'a [u8],
    element: PhantomData<fn() -> T>,
}

impl<'a, T: Value<'a>> List<'a, T> {
    #[inline]
    pub(super) fn of_bytes(memory: Memory<'a>, table: Option<&'a Table>, bytes: &'a [u8]) -> Self {
        List { memory, table, bytes, element: PhantomData }
    }

    /// Returns the element at the start of `bytes`; `None` if there are too few bytes.
    #[inline]
    fn element(self, bytes: &[u8]) -> Option<T> {
        let word = match T::WIDTH {
            1 => u64::from(*bytes.first()?),
            4 => u64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            _ => u64::from_le_bytes(*bytes.first_chunk()?),
        };
        Some(T::of(Item { memory: self.memory, table: self.table, word }))
    }

    /// Returns the number of elements.
    #[inline]
    pub fn len(self) -> usize {
        self.bytes.len() / T::WIDTH
    }

    /// True if the list has no elements.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the element at an index; `None` if the index is past the end.
    #[inline]
    pub fn get(self, index: usize) -> Option<T> {
        self.element(self.bytes.get(index.checked_mul(T::WIDTH)?..)?)
    }

    /// Returns an iterator over the elements, in their order.
    #[inline]
    pub fn iter(self) -> Iter<'a, T> {
        Iter(self)
    }
}

impl<'a, T: Value<'a>> IntoIterator for List<'a, T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;

    #[inline]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<'a, T: Value<'a> + PartialEq> PartialEq for List<'a, T> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl<'a, T: Value<'a> + PartialEq<U>, U, const N: usize> PartialEq<[U; N]> for List<'a, T> {
    fn eq(&self, other: &[U; N]) -> bool {
        *self == other[..]
    }
}

impl<'a, T: Value<'a> + PartialEq<U>, U> PartialEq<[U]> for List<'a, T> {
    fn eq(&self, other: &[U]) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(element, other)| element == *other)
    }
}

impl<'a, T: Value<'a> + PartialEq<U>, U> PartialEq<&[U]> for List<'a, T> {
    fn eq(&self, other: &&[U]) -> bool {
        *self == **other
    }
}

impl<'a, T: Value<'a> + fmt::Debug> fmt::Debug for List<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// An iterator over the elements of a [`List`].
#[derive(Clone)]
pub struct Iter<'a, T>(List<'a, T>);

impl<'a, T: Value<'a>> Iterator for Iter<'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        let element = self.0.element(self.0.bytes)?;
        self.0.bytes = &self.0.bytes[T::WIDTH..];
        Some(element)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.0.len(), Some(self.0.len()))
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<T> {
        self.0.bytes =
            n.checked_mul(T::WIDTH).and_then(|skipped| self.0.bytes.get(skipped..)).unwrap_or_default();
        self.next()
    }
}

impl<'a, T: Value<'a>> DoubleEndedIterator for Iter<'a, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        let left = self.0.bytes.len().checked_sub(T::WIDTH)?;
        let (rest, last) = self.0.bytes.split_at(left);
        self.0.bytes = rest;
        self.0.element(last)
    }
}

impl<'a, T: Value<'a>> ExactSizeIterator for Iter<'a, T> {}

impl<'a, T: Value<'a>> FusedIterator for Iter<'a, T> {}

impl<'a, T: Value<'a> + fmt::Debug> fmt::Debug for Iter<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
