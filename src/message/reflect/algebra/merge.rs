//! Merges one message into another.

use crate::error::Result;
use crate::message::reflect::Reflect;
use crate::message::reflect::algebra::{MAX_DEPTH, copy, other_type};

impl<'a> dyn Reflect + 'a {
    /// Merges another message of the same type into this one: single values are replaced, messages are merged, lists
    /// grow, entries of maps are replaced, unknown fields are added.
    ///
    /// On an error, this message may be merged partly.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::Message;
    ///
    /// let mut book = Book { title: "Dune".into(), authors: vec!["F. Herbert".into()], ..Book::default() };
    /// let more = Book { pages: 412, authors: vec!["B. Herbert".into()], ..Book::default() };
    /// book.as_reflect_mut().merge_from(more.as_reflect())?;
    /// assert_eq!((book.title.as_str(), book.pages, book.authors.len()), ("Dune", 412, 2));
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The other message has another type, messages nest deeper than 100 levels, or a Rust type cannot hold a value.
    pub fn merge_from(&mut self, other: &dyn Reflect) -> Result<()> {
        let (ours, theirs) = (self.descriptor(), other.descriptor());
        if ours.full_name() != theirs.full_name() {
            return Err(other_type(ours.full_name(), theirs.full_name()));
        }
        copy::merge(self, other, copy::How::exact(MAX_DEPTH))
            .map_err(|error| error.within_message(ours.full_name()))
    }
}
