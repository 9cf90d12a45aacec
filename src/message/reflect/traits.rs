//! The traits for access to messages, lists and maps by their descriptors.

use crate::descriptor::{FieldDescriptor, MessageDescriptor, OneofDescriptor};
use crate::error::Result;
use crate::message::reflect::{
    FieldRef, MapKey, MapKeyRef, MessageMut, MessageRef, Value, ValueMut, ValueRef,
};

/// Access to a message by its descriptor: to a typed message in place, or to a [`DynamicMessage`](crate::DynamicMessage).
pub trait Reflect {
    /// Returns the descriptor of the message. For a `dyn Reflect`, `descriptor()` does the same.
    fn message_descriptor(&self) -> MessageDescriptor;

    /// True if the field is set. A field with presence is set if it has a value. A field without presence is set if its
    /// value is not the default value.
    ///
    /// # Errors
    /// The field belongs to another message.
    fn has(&self, field: &FieldDescriptor) -> Result<bool>;

    /// Returns the value of the field. If the field is not set, returns its default value, or an empty message, list or map.
    ///
    /// # Errors
    /// Fails if [`has`](Self::has) would fail.
    fn get(&self, field: &FieldDescriptor) -> Result<ValueRef<'_>>;

    /// Returns a mutable view of the message, list or map in the field. If the field has a message that is not set, first sets
    /// the field to an empty message.
    ///
    /// # Errors
    /// Fails if [`has`](Self::has) would fail, if the field is a single value that is not a message (use
    /// [`set`](Self::set)), or if [`is_set_whole`](Self::is_set_whole) is true.
    fn get_mut(&mut self, field: &FieldDescriptor) -> Result<ValueMut<'_>>;

    /// True for a message, list or map that [`get_mut`](Self::get_mut) cannot return, because the member has a type with a
    /// [conversion](crate::member::Convert). Only [`set`](Self::set) changes such a field.
    fn is_set_whole(&self, field: &FieldDescriptor) -> bool {
        let _ = field;
        false
    }

    /// Sets the field. If the field is in a oneof, the other fields of the oneof are cleared.
    ///
    /// # Errors
    /// Fails if [`has`](Self::has) would fail, or if the value does not fit the field or its Rust type. Then the message is
    /// unchanged.
    fn set(&mut self, field: &FieldDescriptor, value: Value) -> Result<()>;

    /// Clears the field.
    ///
    /// # Errors
    /// Fails if [`has`](Self::has) would fail.
    fn clear(&mut self, field: &FieldDescriptor) -> Result<()>;

    /// Returns the field of the oneof that is set; `None` if none is set.
    ///
    /// # Errors
    /// The oneof belongs to another message.
    fn which_oneof(&self, oneof: &OneofDescriptor) -> Result<Option<FieldDescriptor>>;

    /// Returns the set field with the lowest number above `number`, and its value; `None` if there is no such field.
    fn next_field(&self, number: u32) -> Option<(FieldDescriptor, ValueRef<'_>)>;

    /// Calls `visit` with every field that is set, in the order of the field numbers, until `visit` returns false. This is the
    /// fast way to read a message.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::Message;
    ///
    /// let book = Book { title: "Dune".into(), pages: 412, ..Book::default() };
    /// let mut names = Vec::new();
    /// book.as_reflect().visit_fields(&mut |field, _| {
    ///     names.push(field.name().to_owned());
    ///     true
    /// });
    /// assert_eq!(names, ["title", "pages"]);
    /// ```
    fn visit_fields<'a>(&'a self, visit: &mut dyn FnMut(FieldRef<'_>, ValueRef<'a>) -> bool) {
        let mut number = 0;
        while let Some((field, value)) = self.next_field(number) {
            if !visit(FieldRef::from(&field), value) {
                return;
            }
            number = field.number();
        }
    }

    /// Returns the message as a view without a trait object, which [`MessageRef::new`] uses if it is present. Messages of
    /// this crate have such a view, and wrappers of them may return the view of the wrapped message.
    fn as_view(&self) -> Option<MessageRef<'_>> {
        None
    }

    /// Returns the unknown fields as wire bytes. They include the extensions.
    fn unknown_fields(&self) -> &[u8];

    /// Replaces the unknown fields.
    ///
    /// # Errors
    /// The bytes are not a sequence of well-formed fields, or the type has no member for unknown fields.
    fn set_unknown_fields(&mut self, fields: &[u8]) -> Result<()>;

    /// Clears every field and the unknown fields.
    fn clear_all(&mut self);
}

/// A repeated field.
pub trait ReflectList {
    /// Returns the number of elements.
    fn len(&self) -> usize;

    /// True if the list has no elements.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns an element; `None` if the index is past the end.
    fn get(&self, index: usize) -> Option<ValueRef<'_>>;

    /// Calls `visit` with every element, in order, until `visit` returns false.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::Message;
    ///
    /// let book = Book { authors: vec!["Frank".into(), "Brian".into()], ..Book::default() };
    /// let mut names = Vec::new();
    /// book.as_reflect().get_by_name("authors")?.as_list().unwrap().visit(|author| {
    ///     names.extend(author.as_str());
    ///     true
    /// });
    /// assert_eq!(names, ["Frank", "Brian"]);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    fn visit<'a>(&'a self, visit: &mut dyn FnMut(ValueRef<'a>) -> bool) {
        let mut index = 0;
        while let Some(value) = self.get(index) {
            if !visit(value) {
                return;
            }
            index += 1;
        }
    }

    /// Returns a mutable view of an element that is a message.
    ///
    /// # Errors
    /// The index is past the end, or the elements are not messages.
    fn get_mut(&mut self, index: usize) -> Result<MessageMut<'_>>;

    /// Replaces an element.
    ///
    /// # Errors
    /// The index is past the end, or the value has another kind. Then the list is unchanged.
    fn set(&mut self, index: usize, value: Value) -> Result<()>;

    /// Appends an element.
    ///
    /// # Errors
    /// The value has another kind. Then the list is unchanged.
    fn push(&mut self, value: Value) -> Result<()>;

    /// Appends an empty message, and returns a mutable view of it.
    ///
    /// # Errors
    /// The elements are not messages.
    fn push_message(&mut self) -> Result<MessageMut<'_>>;

    /// Removes an element. The elements after it move to the next lower index.
    ///
    /// # Errors
    /// If the index is past the end.
    fn remove(&mut self, index: usize) -> Result<()>;

    /// Removes the elements with index `len` and above.
    fn truncate(&mut self, len: usize);
}

/// A map field.
pub trait ReflectMap {
    /// Returns the number of entries.
    fn len(&self) -> usize;

    /// True if the map has no entries.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the value of a key; `None` if the map has no such entry, or if the key has another kind.
    fn get(&self, key: MapKeyRef<'_>) -> Option<ValueRef<'_>>;

    /// Returns a mutable view of the message of a key. If the map has no such entry, an empty message is added first.
    ///
    /// # Errors
    /// The values are not messages, or the key has another kind.
    fn get_mut(&mut self, key: MapKey) -> Result<MessageMut<'_>>;

    /// Sets the value of a key.
    ///
    /// # Errors
    /// The key or the value has another kind. Then the map is unchanged.
    fn insert(&mut self, key: MapKey, value: Value) -> Result<()>;

    /// Removes an entry. Returns false if the map has no such entry.
    fn remove(&mut self, key: MapKeyRef<'_>) -> bool;

    /// Calls `visit` with every entry, in any order, until `visit` returns false.
    fn visit<'a>(&'a self, visit: &mut dyn FnMut(MapKeyRef<'a>, ValueRef<'a>) -> bool);

    /// Calls `visit` with a mutable view of every value that is a message, until `visit` returns false.
    fn visit_mut(&mut self, visit: &mut dyn FnMut(MapKeyRef<'_>, MessageMut<'_>) -> bool);

    /// Removes every entry.
    fn clear(&mut self);
}
