//! Messages without their Rust type.

use crate::message::Message;
use crate::message::parsed::fields::Fields;
use crate::message::parsed::list::List;
use crate::message::parsed::map::Map;
use crate::message::parsed::memory::Memory;
use crate::message::parsed::value::{Item, Value};
use crate::message::reflect::{MessageRef, MessageRepr, Reflect};
use crate::object::ObjectAt;
use crate::object::arena::view::MessageAt;
use std::fmt;
use std::ops::Deref;

/// A message inside a [`Parsed`](crate::Parsed) message, without its Rust type.
/// [`untyped`](crate::parsed::TypedRef::untyped) returns it, and it is the type of messages for which no reference is
/// generated.
///
/// It derefs to [`dyn Reflect`](crate::Reflect), which finds each field by its descriptor, also extensions. It can be
/// encoded in every format, because it implements [`Encode`](crate::Encode).
#[derive(Clone, Copy)]
pub struct Untyped<'a>(pub(crate) MessageAt<'a>);

impl<'a> Untyped<'a> {
    /// Returns the message for reflection. The result lives as long as the parsed message is borrowed.
    pub fn reflect(self) -> MessageRef<'a> {
        MessageRef(MessageRepr::Arena(self.0))
    }

    /// Returns the fields that the schema does not name, including extensions, as they were encoded.
    pub fn unknown_fields(self) -> &'a [u8] {
        self.0.unknown()
    }
}

/// Generated accessors call these functions for messages without a generated reference. A `slot` is the index of a field
/// among the fields of its message, in the order of their numbers.
#[doc(hidden)]
impl<'a> Untyped<'a> {
    /// Returns a message; `None` if it is not set.
    pub fn message(self, slot: u16) -> Option<Untyped<'a>> {
        self.0.set_word(slot)?;
        Some(self.message_or_default(slot))
    }

    /// Returns a message; an empty message if it is not set.
    pub fn message_or_default(self, slot: u16) -> Untyped<'a> {
        let table = self.0.row_in(slot).sub_table();
        Untyped(match self.0.set_word(slot) {
            Some((arena, word)) if word != 0 => MessageAt::new(arena, table, word as u32),
            _ => MessageAt::empty(table),
        })
    }

    /// Returns the word of a list or a map, which has its position; zero if the field is not set.
    fn word(self, slot: u16) -> (Memory<'a>, u64) {
        self.0.set_word(slot).map_or((Memory::EMPTY, 0), |(arena, word)| (Memory::of(arena), word))
    }

    /// Returns the elements of a repeated field.
    pub fn list(self, slot: u16) -> List<'a, Untyped<'a>> {
        let (memory, word) = self.word(slot);
        List::new(memory, self.0.row_in(slot).messages(), word)
    }

    /// Returns the entries of a map.
    pub fn map<K>(self, slot: u16) -> Map<'a, K, Untyped<'a>> {
        let (memory, word) = self.word(slot);
        Map::new(memory, self.0.row_in(slot).map().value.messages(), word)
    }
}

impl<'a> Fields<'a> {
    /// Returns the message without its type.
    pub fn untyped<T: Message>(self) -> Untyped<'a> {
        Untyped(self.message_of::<T>())
    }
}

impl<'a> Value<'a> for Untyped<'a> {
    fn of(item: Item<'a>) -> Self {
        let table = item.table.expect("messages without a type have the table of their field");
        Untyped(match item.word as u32 {
            0 => MessageAt::empty(table),
            at => MessageAt::new(item.memory.arena, table, at),
        })
    }
}

impl<'a> Deref for Untyped<'a> {
    type Target = dyn Reflect + 'a;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Messages are equal if they have the same message type of the same schema and equal fields, as for dynamic messages.
impl PartialEq for Untyped<'_> {
    fn eq(&self, other: &Self) -> bool {
        crate::message::dynamic::equal(self.0, other.0)
    }
}

/// Prints the message as [`DynamicMessage`](crate::DynamicMessage) does.
impl fmt::Debug for Untyped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::codec::text::debug(&self.0.table.full_name, self.0.into(), crate::codec::text::KNOWN, f)
    }
}
