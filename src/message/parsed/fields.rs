//! The type inside generated references: it has the position of a message, and reads fields at positions that the generator
//! knows.

use crate::message::parsed::list::List;
use crate::message::parsed::map::Map;
use crate::message::parsed::memory::Memory;
use crate::message::parsed::value::{Item, Value};
use crate::message::{Message, described};
use crate::object::arena::cells::{get_or_zero, get_wide_or_zero};
use crate::object::arena::view::MessageAt;
use crate::object::arena::words::list_range;
use crate::table::{Table, Tabled};

/// A message in an arena. A field has a presence bit, and a value in one or two cells. The accessors give the numbers of
/// the bit and of the first cell, both counted from the start of the message. `tobu_schema::descriptor::cells` computes
/// these numbers.
#[derive(Clone, Copy)]
pub struct Fields<'a> {
    pub(super) memory: Memory<'a>,
    /// The position of the message; 0 for an empty message.
    pub(super) at: u32,
}

impl<'a> Fields<'a> {
    pub(super) const EMPTY: Fields<'static> = Fields { memory: Memory::EMPTY, at: 0 };

    #[inline]
    pub(super) fn new(memory: Memory<'a>, at: u32) -> Self {
        if at == 0 { Fields::EMPTY } else { Fields { memory, at } }
    }

    /// Returns the message with its table, which is the table of the Rust type.
    pub(crate) fn message_of<T: Message>(self) -> MessageAt<'a> {
        let table = table::<T>();
        match self.at {
            0 => MessageAt::empty(table),
            at => MessageAt::new(self.memory.arena, table, at),
        }
    }

    /// True if a field is marked as set. For a field with presence this means that it is set.
    #[inline]
    pub fn has(self, bit: u32) -> bool {
        get_or_zero(self.memory.cells(), self.at + bit / 32) & 1 << (bit % 32) != 0
    }

    /// Returns the index in `bits` of the first field that is set; `None` if none is set. `bits` are the bits of the fields of
    /// a oneof.
    #[inline]
    pub fn which(self, bits: &[u32]) -> Option<usize> {
        bits.iter().position(|bit| self.has(*bit))
    }

    /// Returns the value in one cell, or in two cells if `width` is 8.
    #[inline]
    fn word(self, cell: u32, width: usize) -> u64 {
        match width {
            8 => get_wide_or_zero(self.memory.cells(), self.at + cell),
            _ => u64::from(get_or_zero(self.memory.cells(), self.at + cell)),
        }
    }

    /// Returns a number, bool, enum, string or byte string whose default value is zero or empty.
    #[inline]
    pub fn value<T: Value<'a>>(self, cell: u32) -> T {
        T::of(Item { memory: self.memory, table: None, word: self.word(cell, T::WIDTH) })
    }

    /// Returns a number, bool, enum, string or byte string with another default value.
    #[inline]
    pub fn value_or<T: Value<'a>>(self, bit: u32, cell: u32, default: T) -> T {
        if self.has(bit) { self.value(cell) } else { default }
    }

    /// Returns a message; `None` if it is not set.
    #[inline]
    pub fn message<T: Value<'a>>(self, bit: u32, cell: u32) -> Option<T> {
        if self.has(bit) { Some(self.value(cell)) } else { None }
    }

    /// Returns a message; an empty message if it is not set.
    #[inline]
    pub fn message_or_default<T: Value<'a>>(self, bit: u32, cell: u32) -> T {
        let word = if self.has(bit) { self.word(cell, 4) } else { 0 };
        T::of(Item { memory: self.memory, table: None, word })
    }

    /// Returns the elements of a repeated field.
    #[inline]
    pub fn list<T: Value<'a>>(self, cell: u32) -> List<'a, T> {
        List::new(self.memory, None, self.word(cell, 8))
    }

    /// Returns the entries of a map.
    #[inline]
    pub fn map<K, V>(self, cell: u32) -> Map<'a, K, V> {
        Map::new(self.memory, None, self.word(cell, 4))
    }
}

/// Returns the table of a type, in the form that requires all strings to be UTF-8.
///
/// # Panics
/// If the schema is not valid. Then no message of the type was ever decoded.
fn table<T: Message>() -> &'static Table {
    match described::<T>().expect_descriptor().table() {
        Ok(table) => table.checked(),
        Err(error) => panic!("{error}"),
    }
}

impl<'a, T: Value<'a>> List<'a, T> {
    /// Returns the list in a word, which has the position and the length of the list.
    #[inline]
    pub(super) fn new(memory: Memory<'a>, table: Option<&'a Table>, word: u64) -> Self {
        let (start, len) = list_range(word);
        let start = 4 * start as usize;
        let elements = memory.cells().get(start..start + len * T::WIDTH).unwrap_or_default();
        List::of_bytes(memory, table, elements)
    }
}

impl<'a> Item<'a> {
    /// Returns the message that a generated reference wraps.
    #[doc(hidden)]
    #[inline]
    pub fn fields(self) -> Fields<'a> {
        Fields::new(self.memory, self.word as u32)
    }
}
