//! Handles of fields. A handle has the data of a field's row: the entry for the field in the table of its message.

use crate::descriptor::{FieldDescriptor, MessageDescriptor};
use crate::error::{Error, Result};
use crate::message::dynamic::encoder::kind::{FieldType, MessageType};
use crate::message::dynamic::encoder::sealed::Head;
use crate::message::reflect::check;
use crate::table::{Kind, Presence, Row, Shape, Tabled};
use std::fmt;
use std::marker::PhantomData;

/// The handle of a field whose values have the type `T`, for [`Record`](super::Record).
///
/// The handle is resolved once, by [`Encoder::field`](super::Encoder::field), and serves all records of the message type.
pub struct Field<T: ?Sized> {
    pub(super) key: Key,
    /// Keeps alive the table whose address identifies the message.
    message: MessageDescriptor,
    values: PhantomData<fn(&T)>,
}

/// The data needed to write a field.
#[derive(Clone, Copy)]
pub(super) struct Key {
    /// The address of the table of the message that has the field.
    pub(super) message: usize,
    pub(super) tag: [u8; 8],
    pub(super) tag_len: u8,
    pub(super) kind: Kind,
    /// True if a default value is not written.
    pub(super) is_implicit: bool,
    /// True if the field has a closed enum, so some numbers are not values of the enum.
    pub(super) is_closed: bool,
    pub(super) is_packed: bool,
    pub(super) is_in_oneof: bool,
    pub(super) index: u16,
}

impl Key {
    /// Returns the tag and the kind with which a single value is written.
    #[inline]
    pub(super) fn head(&self) -> Head {
        Head { tag: self.tag, len: self.tag_len, kind: self.kind }
    }
}

/// The number, the name or the path of a field.
///
/// `u32`, `&str` and `&String` convert to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldKey<'a> {
    /// The number of the field.
    Number(u32),
    /// The name of the field. [`Encoder::enable`](super::Encoder::enable) and similar methods also take a path, such as
    /// `loan.reader`.
    Name(&'a str),
}

impl From<u32> for FieldKey<'_> {
    fn from(number: u32) -> Self {
        FieldKey::Number(number)
    }
}

impl<'a> From<&'a str> for FieldKey<'a> {
    fn from(name: &'a str) -> Self {
        FieldKey::Name(name)
    }
}

impl<'a> From<&'a String> for FieldKey<'a> {
    fn from(name: &'a String) -> Self {
        FieldKey::Name(name)
    }
}

impl FieldKey<'_> {
    /// Returns the field of a message.
    ///
    /// # Errors
    /// There is no such field.
    pub(super) fn find(self, message: &MessageDescriptor) -> Result<FieldDescriptor> {
        match self {
            FieldKey::Number(number) => {
                let found = message.field_by_number(number);
                found.ok_or_else(|| check::no_field_numbered(message, number))
            }
            FieldKey::Name(name) => {
                let found = message.field_by_name(name).or_else(|| message.field_by_json_name(name));
                found.ok_or_else(|| check::no_field_named(message, name))
            }
        }
    }
}

impl<T: FieldType + ?Sized> Field<T> {
    /// Returns the handle of a field of a message.
    ///
    /// # Errors
    /// The message has no such field, or the field has values of another type.
    pub(super) fn find(message: &MessageDescriptor, key: FieldKey<'_>) -> Result<Self> {
        let descriptor = key.find(message)?;
        let table = message.table()?;
        let row = table.row(descriptor.number()).expect("every field has a row");
        if !T::fits(row) {
            let text = format!("the field is {}, but the Rust type is {}", check::wanted(row), T::name());
            return Err(Error::ty(text).in_field(&row.name).in_message(message.full_name()));
        }
        let key = Key {
            message: std::ptr::from_ref(table).addr(),
            tag: row.tag_bytes,
            tag_len: row.tag_len,
            kind: row.kind,
            is_implicit: row.shape == Shape::Singular
                && row.presence == Presence::Implicit
                && !row.is_message(),
            is_closed: row.kind == Kind::Enum && row.closed,
            is_packed: row.packed,
            is_in_oneof: row.oneof.is_some(),
            index: row.index,
        };
        Ok(Field { key, message: message.clone(), values: PhantomData })
    }
}

impl<T: ?Sized> Field<T> {
    /// Returns the name of the field.
    pub fn name(&self) -> &str {
        &self.row().name
    }

    /// Returns the descriptor of the field.
    pub fn descriptor(&self) -> FieldDescriptor {
        self.message.field_by_number(self.row().number).expect("the field is of the message")
    }

    pub(super) fn row(&self) -> &Row {
        let table = self.message.table().expect("the table was built when the handle was made");
        &table.rows[usize::from(self.key.index)]
    }
}

impl<T: MessageType + ?Sized> Field<T> {
    /// Returns the handle of a field in the messages that this field holds, resolved like
    /// [`Encoder::field`](super::Encoder::field).
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::{Encoder, Nested};
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// let loan = encoder.field::<Nested>("loan")?;
    /// let reader = loan.field::<str>("reader")?;
    ///
    /// let mut out = Vec::new();
    /// let mut record = encoder.record(&mut out);
    /// record.put_message(&loan, |record| record.put(&reader, "Ann"));
    /// record.finish()?;
    /// assert_eq!(out, b"\x3a\x05\x0a\x03Ann");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The messages have no such field, or the field has values of another type.
    pub fn field<'k, U: FieldType + ?Sized>(&self, key: impl Into<FieldKey<'k>>) -> Result<Field<U>> {
        Field::find(&T::held(self.row()).message_descriptor(), key.into())
    }
}

impl<T: ?Sized> Clone for Field<T> {
    fn clone(&self) -> Self {
        Field { key: self.key, message: self.message.clone(), values: PhantomData }
    }
}

impl<T: ?Sized> fmt::Debug for Field<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Field").field(&self.descriptor().full_name()).finish()
    }
}
