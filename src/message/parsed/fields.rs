//! What generated references wrap: where a message lies, and its fields by the places that the generator knows.

use crate::message::parsed::list::List;
use crate::message::parsed::map::Map;
use crate::message::parsed::memory::Memory;
use crate::message::parsed::value::{Item, Value};
use crate::message::{Message, described};
use crate::object::arena::cells::{get_or_zero, get_wide_or_zero};
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::list_range;
use crate::table::{Table, Tabled};

/// A message in an arena. A field is read at its place: the bit that says whether the field is set, and the first cell of its
/// value, both counted from the start of the message. `tobu_schema::descriptor::cells` gives fields their places.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    pub(super) memory: Memory<'a>,
    /// Where the message starts; behind the end of the arena for an empty message, all of whose cells are zero.
    pub(super) at: u32,
}

impl<'a> Fields<'a> {
    pub(super) const EMPTY: Fields<'static> = Fields { memory: Memory::EMPTY, at: 0 };

    #[inline]
    pub(super) fn new(memory: Memory<'a>, at: u32) -> Self {
        if at == 0 { Fields::EMPTY } else { Fields { memory, at } }
    }

    /// The message by its table, which is that of the Rust type.
    pub(crate) fn message_of<T: Message>(self) -> MessageAt<'a> {
        let table = table::<T>();
        match self.at {
            0 => MessageAt::empty(table),
            at => MessageAt::new(self.memory.arena, table, at),
        }
    }

    /// True where a field is marked as set: one with presence is set then.
    #[inline]
    pub fn has(self, bit: u32) -> bool {
        get_or_zero(self.memory.cells(), self.at + bit / 32) & 1 << (bit % 32) != 0
    }

    /// The index of the first of some fields that is set: of a oneof.
    #[inline]
    pub fn which(self, bits: &[u32]) -> Option<usize> {
        bits.iter().position(|bit| self.has(*bit))
    }

    /// What is in one or two cells.
    #[inline]
    fn word(self, cell: u32, width: usize) -> u64 {
        match width {
            8 => get_wide_or_zero(self.memory.cells(), self.at + cell),
            _ => u64::from(get_or_zero(self.memory.cells(), self.at + cell)),
        }
    }

    /// A number, bool, enum, string or byte string whose default is zero or empty.
    #[inline]
    pub fn value<T: Value<'a>>(self, cell: u32) -> T {
        T::of(Item { memory: self.memory, table: None, word: self.word(cell, T::WIDTH) })
    }

    /// A number, bool, enum, string or byte string with another default.
    #[inline]
    pub fn value_or<T: Value<'a>>(self, bit: u32, cell: u32, default: T) -> T {
        if self.has(bit) { self.value(cell) } else { default }
    }

    /// A message, where it is set.
    #[inline]
    pub fn message<T: Value<'a>>(self, bit: u32, cell: u32) -> Option<T> {
        if self.has(bit) { Some(self.value(cell)) } else { None }
    }

    /// A message, which is empty where it is not set.
    #[inline]
    pub fn message_or_default<T: Value<'a>>(self, bit: u32, cell: u32) -> T {
        let word = if self.has(bit) { self.word(cell, 4) } else { 0 };
        T::of(Item { memory: self.memory, table: None, word })
    }

    /// The elements of a repeated field.
    #[inline]
    pub fn list<T: Value<'a>>(self, cell: u32) -> List<'a, T> {
        List::new(self.memory, None, self.word(cell, 8))
    }

    /// The entries of a map.
    #[inline]
    pub fn map<K, V>(self, cell: u32) -> Map<'a, K, V> {
        Map::new(self.memory, None, self.word(cell, 4))
    }
}

/// The table of a type by which all strings are checked.
///
/// # Panics
/// The schema is not valid: then no message of the type was ever decoded.
fn table<T: Message>() -> &'static Table {
    match described::<T>().expect_descriptor().table() {
        Ok(table) => table.checked(),
        Err(error) => panic!("{error}"),
    }
}

impl<'a, T: Value<'a>> List<'a, T> {
    /// The list in a word.
    #[inline]
    pub(super) fn new(memory: Memory<'a>, table: Option<&'a Table>, word: u64) -> Self {
        let (start, len) = list_range(word);
        let start = 4 * start as usize;
        let elements = memory.cells().get(start..start + len * T::WIDTH).unwrap_or_default();
        List::of_bytes(memory, table, elements)
    }
}

impl<'a> Item<'a> {
    /// The message that a generated reference wraps.
    #[doc(hidden)]
    #[inline]
    pub fn fields(self) -> Fields<'a> {
        Fields::new(self.memory, self.word as u32)
    }
}
