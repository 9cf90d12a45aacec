//! The standard traits of borrowed values, lists and maps.

use crate::message::reflect::algebra::MAX_DEPTH;
use crate::message::reflect::algebra::equal::{Equality, values};
use crate::message::reflect::{ListIter, ListRef, MapKeyRef, MapRef, MessageRef, ValueRef};
use std::fmt;

/// Writes the value as `Debug` of its Rust type does, and an enum value as its number. The text is for people and may change.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
///
/// let book = Book { authors: vec!["Ann".into()], pages: 412, ..Book::default() };
/// assert_eq!(format!("{:?}", book.as_reflect().get_by_name("pages")?), "412");
/// assert_eq!(format!("{:?}", book.as_reflect().get_by_name("authors")?), r#"["Ann"]"#);
/// # Ok::<(), tobu::Error>(())
/// ```
impl fmt::Debug for ValueRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueRef::Bool(value) => value.fmt(f),
            ValueRef::I32(value) | ValueRef::Enum(value) => value.fmt(f),
            ValueRef::I64(value) => value.fmt(f),
            ValueRef::U32(value) => value.fmt(f),
            ValueRef::U64(value) => value.fmt(f),
            ValueRef::F32(value) => value.fmt(f),
            ValueRef::F64(value) => value.fmt(f),
            ValueRef::Str(value) => value.fmt(f),
            ValueRef::Bytes(value) => value.fmt(f),
            ValueRef::Message(message) => message.fmt(f),
            ValueRef::List(list) => list.fmt(f),
            ValueRef::Map(map) => map.fmt(f),
        }
    }
}

/// Writes the elements in brackets.
impl fmt::Debug for ListRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Writes the entries in braces, in the order of their keys.
impl fmt::Debug for MapRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// Values are equal if they have the same kind and equal data; NaN differs from NaN. Messages are compared by
/// [`equals`](trait.Reflect.html#method.equals). Maps are compared without regard to order.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
///
/// let (a, b) = (Book { pages: 1, ..Book::default() }, Book { pages: 2, ..Book::default() });
/// assert_eq!(a.as_reflect().get_by_name("title")?, b.as_reflect().get_by_name("title")?);
/// assert_ne!(a.as_reflect().get_by_name("pages")?, b.as_reflect().get_by_name("pages")?);
/// # Ok::<(), tobu::Error>(())
/// ```
impl PartialEq for ValueRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        values(*self, *other, Equality::new(), MAX_DEPTH)
    }
}

/// Messages are compared by [`equals`](trait.Reflect.html#method.equals).
impl PartialEq for MessageRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        ValueRef::Message(*self) == ValueRef::Message(*other)
    }
}

/// Lists are equal if they have equal elements in the same order.
impl PartialEq for ListRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        ValueRef::List(*self) == ValueRef::List(*other)
    }
}

/// Maps are equal if they have the same keys, and equal values for each key.
impl PartialEq for MapRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        ValueRef::Map(*self) == ValueRef::Map(*other)
    }
}

impl<'a> IntoIterator for ListRef<'a> {
    type Item = ValueRef<'a>;
    type IntoIter = ListIter<'a>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a> MapRef<'a> {
    /// Returns an iterator over the entries, in the order of their keys.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Shelf;
    /// use tobu::Message;
    ///
    /// let shelf = Shelf { copies: [("b".into(), 2), ("a".into(), 1)].into(), ..Shelf::default() };
    /// let value = shelf.as_reflect().get_by_name("copies")?;
    /// let counts: Vec<_> = value.as_map().unwrap().iter().map(|(_, count)| count.as_u32()).collect();
    /// assert_eq!(counts, [Some(1), Some(2)]);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (MapKeyRef<'a>, ValueRef<'a>)> + use<'a> {
        self.entries().into_iter()
    }
}

impl<'a> IntoIterator for MapRef<'a> {
    type Item = (MapKeyRef<'a>, ValueRef<'a>);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries().into_iter()
    }
}
