//! The field that a visitor receives. It is borrowed from the message, so no reference count changes.

use crate::descriptor::FieldDescriptor;
use crate::table::{Row, Table};
use std::fmt;

/// A field of the message that is being visited.
///
/// The number and the name are available at no cost. [`descriptor`](Self::descriptor) returns a handle that keeps the
/// schema alive, which costs a reference count.
///
/// ```
/// # use tobu_schemas::library;
/// use library::v1::Book;
/// use tobu::Message;
///
/// let book = Book { title: "Dune".into(), ..Book::default() };
/// book.as_reflect().visit_fields(&mut |field, _| {
///     assert_eq!((field.number(), field.name()), (1, "title"));
///     assert_eq!(field.descriptor().json_name(), "title");
///     true
/// });
/// ```
#[derive(Clone, Copy)]
pub struct FieldRef<'a>(Of<'a>);

#[derive(Clone, Copy)]
enum Of<'a> {
    Row(&'a Table, &'a Row),
    Handle(&'a FieldDescriptor),
}

impl<'a> FieldRef<'a> {
    #[inline]
    pub(crate) fn new(message: &'a Table, row: &'a Row) -> Self {
        FieldRef(Of::Row(message, row))
    }

    /// Returns the field number.
    #[inline]
    pub fn number(&self) -> u32 {
        match self.0 {
            Of::Row(_, row) => row.number,
            Of::Handle(field) => field.number(),
        }
    }

    /// Returns the name in the schema.
    #[inline]
    pub fn name(&self) -> &'a str {
        match self.0 {
            Of::Row(_, row) => &row.name,
            Of::Handle(field) => field.name(),
        }
    }

    /// Returns the descriptor of the field.
    pub fn descriptor(&self) -> FieldDescriptor {
        match self.0 {
            Of::Row(message, row) => message.field(row),
            Of::Handle(field) => field.clone(),
        }
    }
}

/// Implementations of `Reflect` outside of this crate use this conversion.
impl<'a> From<&'a FieldDescriptor> for FieldRef<'a> {
    fn from(field: &'a FieldDescriptor) -> Self {
        FieldRef(Of::Handle(field))
    }
}

impl fmt::Debug for FieldRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.descriptor(), f)
    }
}
