//! What generated references wrap.

use crate::message::parsed::list::List;
use crate::message::parsed::map::{Key, Map};
use crate::message::parsed::value::{Item, Source, Value};
use crate::message::reflect::{MessageRef, MessageRepr, Reflect};
use crate::object::ObjectAt;
use crate::object::arena::view::MessageAt;
use std::fmt;
use std::ops::Deref;

/// A message in a [`Parsed`](crate::Parsed) one, without its Rust type: what each generated reference wraps, and the type of
/// messages for which no reference is generated.
///
/// It derefs to [`dyn Reflect`](crate::Reflect), which finds each field by its descriptor, also extensions, and it can be
/// encoded in every format, because it is [`Encode`](crate::Encode).
#[derive(Clone, Copy)]
pub struct Untyped<'a>(pub(crate) MessageAt<'a>);

impl<'a> Untyped<'a> {
    /// The message for reflection, for as long as the parsed message is borrowed.
    pub fn reflect(self) -> MessageRef<'a> {
        MessageRef(MessageRepr::Arena(self.0))
    }

    /// The fields that the schema does not name, extensions among them, as they were encoded.
    pub fn unknown_fields(self) -> &'a [u8] {
        self.0.unknown()
    }
}

/// What generated accessors call: a slot is the index of a field among those of its message, in the order of their numbers.
#[doc(hidden)]
impl<'a> Untyped<'a> {
    /// True where a field that knows it is set.
    #[inline]
    pub fn has(self, slot: u16) -> bool {
        self.0.has_slot(slot)
    }

    /// The index of the first of some fields that is set: of a oneof.
    #[inline]
    pub fn which(self, slots: &[u16]) -> Option<usize> {
        slots.iter().position(|slot| self.0.has_slot(*slot))
    }

    /// A number, bool or enum, whose default is zero.
    #[inline]
    pub fn number<T: Value<'a>>(self, slot: u16) -> T {
        T::of(Item { from: Source { arena: None, table: None }, word: self.0.word_of(slot, T::WIDTH) })
    }

    /// A number, bool or enum with another default.
    #[inline]
    pub fn number_or<T: Value<'a>>(self, slot: u16, default: T) -> T {
        if self.has(slot) { self.number(slot) } else { default }
    }

    /// A string or byte string.
    #[inline]
    pub fn text<T: Value<'a>>(self, slot: u16) -> T {
        T::of(Item {
            from: Source { arena: self.0.arena(), table: None },
            word: self.0.word_of(slot, T::WIDTH),
        })
    }

    /// A string or byte string with a default.
    #[inline]
    pub fn text_or<T: Value<'a>>(self, slot: u16, default: T) -> T {
        if self.has(slot) { self.text(slot) } else { default }
    }

    /// A message, where it is set.
    #[inline]
    pub fn message<T: Value<'a>>(self, slot: u16) -> Option<T> {
        self.has(slot).then(|| self.message_or_default(slot))
    }

    /// A message, which is empty where it is not set.
    #[inline]
    pub fn message_or_default<T: Value<'a>>(self, slot: u16) -> T {
        Item::of_message(self.0.message_in(slot)).read()
    }

    /// The elements of a repeated field.
    #[inline]
    pub fn list<T: Value<'a>>(self, slot: u16) -> List<'a, T> {
        let (arena, row, word) = (self.0.arena(), self.0.row_in(slot), self.0.word(slot));
        let bytes = arena.map_or(&[][..], |arena| arena.elements(row, word).bytes());
        List::new(Source { arena, table: row.messages() }, bytes, (word >> 32) as usize)
    }

    /// The entries of a map.
    #[inline]
    pub fn map<K: Key<'a>, V: Value<'a>>(self, slot: u16) -> Map<'a, K, V> {
        Map::new(self.0.map_in(slot))
    }
}

impl<'a> Item<'a> {
    /// The item of a message.
    #[inline]
    pub(crate) fn of_message(message: MessageAt<'a>) -> Self {
        let (arena, word) = message.offsets.map_or((None, 0), |(arena, offsets)| (Some(arena), offsets.at));
        Item { from: Source { arena, table: Some(message.table) }, word: u64::from(word) }
    }

    /// The value, by the type that reads it.
    #[inline]
    pub(crate) fn read<T: Value<'a>>(self) -> T {
        T::of(self)
    }

    #[doc(hidden)]
    #[inline]
    pub fn message(self) -> Untyped<'a> {
        Untyped(self.message_at())
    }
}

impl<'a> Value<'a> for Untyped<'a> {
    #[inline]
    fn of(item: Item<'a>) -> Self {
        item.message()
    }
}

impl<'a> Deref for Untyped<'a> {
    type Target = dyn Reflect + 'a;

    #[inline]
    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

/// Equal if both are the same message of the same schema and hold the same, as dynamic messages are compared.
impl PartialEq for Untyped<'_> {
    fn eq(&self, other: &Self) -> bool {
        crate::message::dynamic::equal(self.0, other.0)
    }
}

/// As of [`DynamicMessage`](crate::DynamicMessage).
impl fmt::Debug for Untyped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        crate::codec::text::debug(&self.0.table.full_name, self.0.into(), crate::codec::text::KNOWN, f)
    }
}
