//! The owner of a parsed message.

use crate::error::{Error, Result, WireError};
use crate::message::dynamic::DynamicMessage;
use crate::message::parsed::fields::Fields;
use crate::message::parsed::memory::Memory;
use crate::message::parsed::typed::Parse;
use crate::message::parsed::untyped::Untyped;
use crate::message::parsed::value::{Item, Value};
use crate::message::reflect::MessageRef;
use crate::message::{Message, described};
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::{Arena, ROOT};
use crate::object::{Field, Object, ObjectAt, ObjectList, ObjectMap};
use crate::table::{Kind, Row, Tabled};
use std::fmt;
use std::marker::PhantomData;

/// A message that was decoded and checked as a whole, and is read by generated accessors.
///
/// The message lies in one block of memory. The block has a copy of a small input; strings of a large input share the
/// input. See [`parsed`](crate::parsed). The message borrows nothing, and a clone shares all of its memory.
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
/// A parsed message does not change. To change it, convert it to a [`DynamicMessage`] and back, or to the struct:
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
    arena: Arena,
    ty: PhantomData<fn() -> T>,
}

impl<T> Parsed<T> {
    pub(crate) const EMPTY: Self = Parsed { arena: Arena::EMPTY, ty: PhantomData };

    /// Calls `fill` to fill an empty message. `fill` checks that all strings are UTF-8. After an error the message is empty
    /// again.
    #[inline]
    pub(crate) fn filled(&mut self, fill: impl FnOnce(&mut Arena) -> Result<()>) -> Result<()> {
        let done = fill(&mut self.arena);
        match done {
            Ok(()) => self.arena.share(),
            Err(_) => self.arena = Arena::EMPTY,
        }
        done
    }

    pub(crate) fn arena(&self) -> &Arena {
        &self.arena
    }

    /// Drops the message but keeps its memory, for a pool. Returns the size of the memory; `None` if a clone shares it.
    pub(crate) fn release(&mut self) -> Option<usize> {
        let cells = std::mem::take(&mut self.arena).cells.into_memory()?;
        self.arena.cells = cells;
        Some(self.arena.held())
    }

    #[inline]
    fn fields(&self) -> Fields<'_> {
        Fields::new(Memory::of(&self.arena), ROOT)
    }
}

impl<T: Message> Parsed<T> {
    /// Returns the generated reference to the message, which has the accessors.
    #[inline]
    pub fn get(&self) -> T::Ref<'_>
    where
        T: Parse,
    {
        Value::of(Item { memory: Memory::of(&self.arena), table: None, word: u64::from(ROOT) })
    }

    /// Returns the message without its type.
    pub fn untyped(&self) -> Untyped<'_> {
        self.fields().untyped::<T>()
    }

    /// Returns the message for reflection.
    pub fn reflect(&self) -> MessageRef<'_> {
        self.untyped().reflect()
    }
}

impl<T> Clone for Parsed<T> {
    fn clone(&self) -> Self {
        Parsed { arena: self.arena.clone(), ty: PhantomData }
    }
}

/// Converts the message without a copy. If a clone shares the memory, the first change of the dynamic message copies it.
impl<T: Message> From<Parsed<T>> for DynamicMessage {
    fn from(parsed: Parsed<T>) -> Self {
        DynamicMessage::of(T::descriptor(), parsed.arena)
    }
}

/// # Errors
/// The message has another type, it comes from another pool and does not fit the type, or one of its strings is not UTF-8. A
/// schema of proto2 does not require UTF-8, but the accessors do.
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
        let mut parsed = Parsed { arena: message.arena, ty: PhantomData };
        parsed.arena.share();
        Ok(parsed)
    }
}

/// Messages are equal if their fields are, as for dynamic messages: maps are compared by their keys, unknown fields by
/// their bytes.
impl<T: Message> PartialEq for Parsed<T> {
    fn eq(&self, other: &Self) -> bool {
        self.untyped() == other.untyped()
    }
}

/// Prints the text format, without the values of fields with `debug_redact`, as the message's own type does.
impl<T: Message> fmt::Debug for Parsed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.untyped(), f)
    }
}

/// Checks that all strings of a message are UTF-8. The error names the field. A list of the messages that are still to be
/// checked replaces recursion, because a message that was changed may nest to any depth.
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
