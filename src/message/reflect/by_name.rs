//! Adds methods to `dyn Reflect`: access to fields by name and by number, and iteration.

use crate::descriptor::{FieldDescriptor, MessageDescriptor};
use crate::error::Result;
use crate::message::dynamic::DynamicMessage;
use crate::message::reflect::check;
use crate::message::reflect::{MessageRef, Reflect, Value, ValueMut, ValueRef};

impl<'a> dyn Reflect + 'a {
    /// Returns the descriptor of the message.
    ///
    /// ```
    /// use tobu::Message;
    ///
    /// let message = tobu::types::Duration::new(1, 0);
    /// assert_eq!(message.as_reflect().descriptor().full_name(), "google.protobuf.Duration");
    /// ```
    pub fn descriptor(&self) -> MessageDescriptor {
        self.message_descriptor()
    }

    fn named(&self, name: &str) -> Result<FieldDescriptor> {
        let descriptor = self.descriptor();
        let found = descriptor.field_by_name(name).or_else(|| descriptor.field_by_json_name(name));
        found.ok_or_else(|| check::no_field_named(&descriptor, name))
    }

    fn numbered(&self, number: u32) -> Result<FieldDescriptor> {
        let descriptor = self.descriptor();
        descriptor.field_by_number(number).ok_or_else(|| check::no_field_numbered(&descriptor, number))
    }

    /// True if the field with this proto name or JSON name is set, as [`has`](Reflect::has) determines.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::Message;
    ///
    /// let book = Book { title: "Dune".into(), ..Book::default() };
    /// assert!(book.as_reflect().has_by_name("title")?);
    ///
    /// let error = book.as_reflect().has_by_name("titel").unwrap_err();
    /// assert_eq!(error.to_string(), r#"library.v1.Book: there is no field named "titel""#);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The message has no field with this name.
    pub fn has_by_name(&self, name: &str) -> Result<bool> {
        self.has(&self.named(name)?)
    }

    /// True if the field with this number is set, as [`has`](Reflect::has) determines.
    ///
    /// # Errors
    /// The message has no field with this number.
    pub fn has_by_number(&self, number: u32) -> Result<bool> {
        self.has(&self.numbered(number)?)
    }

    /// Returns the value of the field with this proto name or JSON name, as [`get`](Reflect::get) does.
    ///
    /// # Errors
    /// The message has no field with this name.
    pub fn get_by_name(&self, name: &str) -> Result<ValueRef<'_>> {
        self.get(&self.named(name)?)
    }

    /// Returns the value of the field with this number, as [`get`](Reflect::get) does.
    ///
    /// # Errors
    /// The message has no field with this number.
    pub fn get_by_number(&self, number: u32) -> Result<ValueRef<'_>> {
        self.get(&self.numbered(number)?)
    }

    /// Returns the message, list or map in the field with this proto name or JSON name for changes in place, as
    /// [`get_mut`](Reflect::get_mut) does.
    ///
    /// # Errors
    /// The message has no field with this name, or [`get_mut`](Reflect::get_mut) would fail.
    pub fn get_mut_by_name(&mut self, name: &str) -> Result<ValueMut<'_>> {
        let field = self.named(name)?;
        self.get_mut(&field)
    }

    /// Returns the message, list or map in the field with this number for changes in place, as
    /// [`get_mut`](Reflect::get_mut) does.
    ///
    /// # Errors
    /// The message has no field with this number, or [`get_mut`](Reflect::get_mut) would fail.
    pub fn get_mut_by_number(&mut self, number: u32) -> Result<ValueMut<'_>> {
        let field = self.numbered(number)?;
        self.get_mut(&field)
    }

    /// Sets the field with this proto name or JSON name, as [`set`](Reflect::set) does.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::Message;
    ///
    /// let mut book = Book::default();
    /// book.as_reflect_mut().set_by_name("title", "Dune")?;
    /// assert_eq!(book.title, "Dune");
    ///
    /// let error = book.as_reflect_mut().set_by_name("title", 7).unwrap_err();
    /// assert_eq!(error.to_string(), "library.v1.Book.title: the field is a string, but the value is an int32");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The message has no field with this name, or [`set`](Reflect::set) would fail.
    pub fn set_by_name(&mut self, name: &str, value: impl Into<Value>) -> Result<()> {
        let field = self.named(name)?;
        self.set(&field, value.into())
    }

    /// Sets the field with this number, as [`set`](Reflect::set) does.
    ///
    /// # Errors
    /// The message has no field with this number, or [`set`](Reflect::set) would fail.
    pub fn set_by_number(&mut self, number: u32, value: impl Into<Value>) -> Result<()> {
        let field = self.numbered(number)?;
        self.set(&field, value.into())
    }

    /// Clears the field with this proto name or JSON name, as [`clear`](Reflect::clear) does.
    ///
    /// # Errors
    /// The message has no field with this name.
    pub fn clear_by_name(&mut self, name: &str) -> Result<()> {
        let field = self.named(name)?;
        self.clear(&field)
    }

    /// Clears the field with this number, as [`clear`](Reflect::clear) does.
    ///
    /// # Errors
    /// The message has no field with this number.
    pub fn clear_by_number(&mut self, number: u32) -> Result<()> {
        let field = self.numbered(number)?;
        self.clear(&field)
    }

    /// Returns an iterator over the set fields and their values, in the order of the field numbers.
    ///
    /// ```
    /// # use tobu_schemas::library;
    /// use library::v1::Book;
    /// use tobu::Message;
    ///
    /// let book = Book { title: "Dune".into(), pages: 412, ..Book::default() };
    /// let names: Vec<_> = book.as_reflect().fields().map(|(field, _)| field.name().to_owned()).collect();
    /// assert_eq!(names, ["title", "pages"]);
    /// ```
    pub fn fields(&self) -> impl Iterator<Item = (FieldDescriptor, ValueRef<'_>)> {
        MessageRef::new(self).fields()
    }

    /// Returns a copy of the message as a dynamic message.
    ///
    /// # Errors
    /// Messages nest deeper than 100 levels, or the message is too large for an arena.
    pub fn to_dynamic(&self) -> Result<DynamicMessage> {
        crate::message::reflect::algebra::to_dynamic(self)
    }
}
