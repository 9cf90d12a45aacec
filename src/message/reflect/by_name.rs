//! Methods of every message besides those of the trait: fields by name and by number, and
//! iteration.

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

    /// [`has`](Reflect::has) of the field with this proto name or JSON name.
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
    /// There is no such field.
    pub fn has_by_name(&self, name: &str) -> Result<bool> {
        self.has(&self.named(name)?)
    }

    /// [`has`](Reflect::has) of the field with this number.
    ///
    /// # Errors
    /// There is no such field.
    pub fn has_by_number(&self, number: u32) -> Result<bool> {
        self.has(&self.numbered(number)?)
    }

    /// [`get`](Reflect::get) of the field with this proto name or JSON name.
    ///
    /// # Errors
    /// There is no such field.
    pub fn get_by_name(&self, name: &str) -> Result<ValueRef<'_>> {
        self.get(&self.named(name)?)
    }

    /// [`get`](Reflect::get) of the field with this number.
    ///
    /// # Errors
    /// There is no such field.
    pub fn get_by_number(&self, number: u32) -> Result<ValueRef<'_>> {
        self.get(&self.numbered(number)?)
    }

    /// [`get_mut`](Reflect::get_mut) of the field with this proto name or JSON name.
    ///
    /// # Errors
    /// There is no such field, or [`get_mut`](Reflect::get_mut) would fail.
    pub fn get_mut_by_name(&mut self, name: &str) -> Result<ValueMut<'_>> {
        let field = self.named(name)?;
        self.get_mut(&field)
    }

    /// [`get_mut`](Reflect::get_mut) of the field with this number.
    ///
    /// # Errors
    /// There is no such field, or [`get_mut`](Reflect::get_mut) would fail.
    pub fn get_mut_by_number(&mut self, number: u32) -> Result<ValueMut<'_>> {
        let field = self.numbered(number)?;
        self.get_mut(&field)
    }

    /// [`set`](Reflect::set) of the field with this proto name or JSON name.
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
    /// There is no such field, or [`set`](Reflect::set) would fail.
    pub fn set_by_name(&mut self, name: &str, value: impl Into<Value>) -> Result<()> {
        let field = self.named(name)?;
        self.set(&field, value.into())
    }

    /// [`set`](Reflect::set) of the field with this number.
    ///
    /// # Errors
    /// There is no such field, or [`set`](Reflect::set) would fail.
    pub fn set_by_number(&mut self, number: u32, value: impl Into<Value>) -> Result<()> {
        let field = self.numbered(number)?;
        self.set(&field, value.into())
    }

    /// [`clear`](Reflect::clear) of the field with this proto name or JSON name.
    ///
    /// # Errors
    /// There is no such field.
    pub fn clear_by_name(&mut self, name: &str) -> Result<()> {
        let field = self.named(name)?;
        self.clear(&field)
    }

    /// [`clear`](Reflect::clear) of the field with this number.
    ///
    /// # Errors
    /// There is no such field.
    pub fn clear_by_number(&mut self, number: u32) -> Result<()> {
        let field = self.numbered(number)?;
        self.clear(&field)
    }

    /// Returns the set fields in the order of their numbers, and their values.
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

    /// Returns a copy as a dynamic message.
    ///
    /// # Errors
    /// Messages nest deeper than 100 levels, or the message is too large for an arena.
    pub fn to_dynamic(&self) -> Result<DynamicMessage> {
        crate::message::reflect::algebra::to_dynamic(self)
    }
}
