//! Repeated fields of parsed messages.

use crate::message::parsed::value::{Item, Value};
use crate::object::arena::view::ListAt;
use std::fmt;
use std::iter::FusedIterator;
use std::marker::PhantomData;
use std::ops::Range;

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
    at: ListAt<'a>,
    element: PhantomData<fn() -> T>,
}

impl<'a, T: Value<'a>> List<'a, T> {
    pub(super) fn new(at: ListAt<'a>) -> Self {
        List { at, element: PhantomData }
    }

    /// How many elements there are.
    #[inline]
    pub fn len(self) -> usize {
        self.at.len_at()
    }

    /// True when there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The element at an index; `None` behind the last one.
    #[inline]
    pub fn get(self, index: usize) -> Option<T> {
        Some(T::of(Item(self.at.field_at(index)?)))
    }

    /// The elements in their order.
    #[inline]
    pub fn iter(self) -> Iter<'a, T> {
        Iter { list: self, left: 0..self.len() }
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

/// The elements of a [`List`].
#[derive(Clone)]
pub struct Iter<'a, T> {
    list: List<'a, T>,
    left: Range<usize>,
}

impl<'a, T: Value<'a>> Iterator for Iter<'a, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        self.list.get(self.left.next()?)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<T> {
        self.list.get(self.left.nth(n)?)
    }
}

impl<'a, T: Value<'a>> DoubleEndedIterator for Iter<'a, T> {
    #[inline]
    fn next_back(&mut self) -> Option<T> {
        self.list.get(self.left.next_back()?)
    }
}

impl<'a, T: Value<'a>> ExactSizeIterator for Iter<'a, T> {}

impl<'a, T: Value<'a>> FusedIterator for Iter<'a, T> {}

impl<'a, T: Value<'a> + fmt::Debug> fmt::Debug for Iter<'a, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone()).finish()
    }
}
