//! A typed message that is used through its descriptor.

use crate::reflect::Reflect;
use std::ops::{Deref, DerefMut};

/// A typed message, used through its descriptor; returned by [`Message::reflect`](crate::Message::reflect).
///
/// It is the message and nothing else: neither making it nor [`absorb`](Self::absorb) converts or allocates.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
///
/// let mut book = Book::default().reflect();
/// book.set_by_name("title", "Dune")?;
/// assert_eq!(book.get_by_name("title")?.as_str(), Some("Dune"));
///
/// let book: Book = book.absorb();
/// assert_eq!(book.title, "Dune");
/// # Ok::<(), tobu::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Reflection<T>(T);

impl<T> Reflection<T> {
    /// Takes a message.
    #[inline]
    pub fn new(message: T) -> Self {
        Reflection(message)
    }

    /// Returns the message.
    #[inline]
    pub fn absorb(self) -> T {
        self.0
    }

    /// The typed message.
    #[inline]
    pub fn typed(&self) -> &T {
        &self.0
    }

    /// The typed message, for changes.
    #[inline]
    pub fn typed_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Reflect + 'static> Deref for Reflection<T> {
    type Target = dyn Reflect;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<T: Reflect + 'static> DerefMut for Reflection<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}
