//! The owner of a parsed message.

use crate::error::{Error, Result, WireError};
use crate::message::dynamic::DynamicMessage;
use crate::message::parsed::typed::Parse;
use crate::message::parsed::untyped::Untyped;
use crate::message::parsed::value::Item;
use crate::message::reflect::MessageRef;
use crate::message::{Message, described};
use crate::object::arena::view::MessageAt;
use crate::object::{Field, Object, ObjectAt, ObjectList, ObjectMap};
use crate::table::{Kind, Row, Tabled};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// A message that was decoded and checked whole, and is read by generated accessors.
///
/// It lies in one block of memory beside its input, which its strings share; see [`parsed`](crate::parsed). It borrows nothing,
/// and a clone shares all of it.
///
/// ```
/// # use tobu_schemas::library::v1::Book;
/// use tobu::Parsed;
///
/// let input = bytes::Bytes::from_static(b"\x0a\x04Dune\x12\x0dFrank Herbert");
/// let book = Parsed::<Book>::decode_bytes(input)?;
/// assert_eq!(book.get().title(), "Dune");
/// assert_eq!(book.get().authors(), ["Frank Herbert"]);
///
/// let other = book.clone();
/// let reader = std::thread::spawn(move || other.get().title().len());
/// assert_eq!(reader.join().unwrap(), 4);
/// assert_eq!(book.to_json()?, r#"{"title":"Dune","authors":["Frank Herbert"]}"#);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// It does not change. To change it, convert it to a [`DynamicMessage`] and back, or to the struct:
///
/// ```
/// # use tobu_schemas::library::v1::Book;
/// use tobu::{DynamicMessage, Parsed, Reflect};
///
/// let book = Parsed::<Book>::decode(b"\x0a\x04Dune")?;
/// let mut message = DynamicMessage::from(book);
/// message.set_by_name("pages", 412_u32)?;
/// let book = Parsed::<Book>::try_from(message)?;
/// assert_eq!(book.get().pages(), 412);
/// assert_eq!(book.to_message()?, Book { title: "Dune".into(), pages: 412, ..Book::default() });
/// # Ok::<(), tobu::Error>(())
/// ```
pub struct Parsed<T> {
    message: Arc<DynamicMessage>,
    ty: PhantomData<fn() -> T>,
}

impl<T: Message> Parsed<T> {
    /// A message whose strings are known to be UTF-8.
    pub(crate) fn new(message: DynamicMessage) -> Self {
        Parsed { message: Arc::new(message), ty: PhantomData }
    }

    /// The message, to be read by its accessors.
    #[inline]
    pub fn get(&self) -> T::Ref<'_>
    where
        T: Parse,
    {
        Item::of_message(self.message.read()).read()
    }

    /// The message without its type.
    #[inline]
    pub fn untyped(&self) -> Untyped<'_> {
        Untyped(self.message.read())
    }

    /// The message for reflection.
    pub fn reflect(&self) -> MessageRef<'_> {
        self.untyped().reflect()
    }

    /// The message as a dynamic one, which is known by its descriptor. Nothing is copied.
    pub fn as_dynamic(&self) -> &DynamicMessage {
        &self.message
    }
}

impl<T> Parsed<T> {
    /// Drops all but its memory, for a pool, and returns how much that is; `None` if a clone shares it.
    pub(crate) fn release(&mut self) -> Option<usize> {
        let message = Arc::get_mut(&mut self.message)?;
        message.arena.empty();
        Some(size_of::<DynamicMessage>() + message.arena.held())
    }

    /// The message, unless a clone shares it.
    pub(crate) fn dynamic_mut(&mut self) -> Option<&mut DynamicMessage> {
        Arc::get_mut(&mut self.message)
    }

    pub(crate) fn dynamic(&self) -> &DynamicMessage {
        &self.message
    }
}

impl<T> Clone for Parsed<T> {
    fn clone(&self) -> Self {
        Parsed { message: Arc::clone(&self.message), ty: PhantomData }
    }
}

/// The message; it is copied where a clone shares it.
impl<T> From<Parsed<T>> for DynamicMessage {
    fn from(parsed: Parsed<T>) -> Self {
        Arc::unwrap_or_clone(parsed.message)
    }
}

/// # Errors
/// It is a message of another type, or a string in it is not UTF-8: schemas of proto2 do not require it, but the accessors do.
impl<T: Message> TryFrom<DynamicMessage> for Parsed<T> {
    type Error = Error;

    fn try_from(message: DynamicMessage) -> Result<Self> {
        let descriptor = described::<T>().descriptor()?;
        let table = descriptor.table()?;
        let message = match message.descriptor() == descriptor {
            true => message,
            false => message.converted(table)?,
        };
        if !std::ptr::eq(table, table.checked()) {
            check_texts(message.read())?;
        }
        Ok(Parsed::new(message))
    }
}

/// Equal if both hold the same, as dynamic messages are compared: maps by their keys, unknown fields by their bytes.
impl<T> PartialEq for Parsed<T> {
    fn eq(&self, other: &Self) -> bool {
        *self.message == *other.message
    }
}

/// As of the message's own type: the text format, without the values of fields with `debug_redact`.
impl<T> fmt::Debug for Parsed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.message, f)
    }
}

/// Fails if a string of a message is not UTF-8, and names its field. The messages still to be checked are in a list, because a
/// message that was changed may nest to any depth.
fn check_texts(message: MessageAt<'_>) -> Result<()> {
    let mut left = vec![message];
    while let Some(message) = left.pop() {
        for row in &message.table().rows {
            let checked = match message.get(row)? {
                None => Ok(()),
                Some(Field::List(list)) => list.each(row, &mut |_, value| check_value(row, value, &mut left)),
                Some(Field::Map(map)) => {
                    let value_row = &row.map().value;
                    let whole = map.entries(|_, value| check_value(value_row, value, &mut left));
                    whole.and_then(|whole| if whole { Ok(()) } else { Err(not_utf8()) })
                }
                Some(value) => check_value(row, value, &mut left),
            };
            checked.map_err(|error| error.in_field(&row.name).in_message(&message.table().full_name))?;
        }
    }
    Ok(())
}

fn check_value<'a>(row: &Row, value: Field<'a, MessageAt<'a>>, left: &mut Vec<MessageAt<'a>>) -> Result<()> {
    match value {
        Field::Text(text) if row.kind == Kind::String && crate::wire::utf8(text).is_err() => {
            return Err(not_utf8());
        }
        Field::Message(message) => left.push(message),
        _ => {}
    }
    Ok(())
}

#[cold]
fn not_utf8() -> Error {
    Error::wire(WireError::Utf8, 0).nowhere()
}
