//! Messages as codecs see them: fields by the rows of a table, wherever the message is stored.
//!
//! [`Object`] reads, [`ObjectMut`] fills. There are three kinds of message: a Rust struct at an address (`typed`), a
//! part of the arena of a dynamic message (`dynamic`), and wire bytes (`wire`). A codec that is not the wire's is written once over these
//! traits. Layer 3: names `table` and `layout`; knows no serde and no format.
//!
//! A scalar travels as 64 *bits*: the number itself for integers, enums and bools (of those with 32 bits only the lower
//! half counts), the IEEE bits for floats.

pub(crate) mod access;
mod copy;
pub(crate) mod stored;
mod typed;
pub(crate) mod wire;

pub(crate) use copy::{Copying, KeyText, copy};
pub(crate) use typed::{
    At, Elements, ListFill, Root, RootMut, RootType, Typed, TypedEntry, TypedField, TypedList, TypedListMut,
    TypedMap, TypedMapMut, TypedMut, TypedSlot, ValueTable, VisitEntries, VisitFields, mismatch, refused,
    unmakable,
};

use crate::error::Result;
use crate::layout::{KeyRef, Text};
use crate::table::{Presence, Row, Table};

/// A message to be read.
pub(crate) trait Object<'a>: Copy {
    /// A list of such a message.
    type List: ObjectList<'a, Message = Self>;
    /// A map of such a message.
    type Map: ObjectMap<'a, Message = Self>;

    /// The table of the message.
    fn table(self) -> &'a Table;

    /// The value of a field; `None` where it is not set: an implicit default, an empty list, another oneof member.
    ///
    /// # Errors
    /// A sub-message is met for the first time, and its Rust type and its schema do not fit together.
    fn get(self, row: &'a Row) -> Result<Option<Field<'a, Self>>>;

    /// The same, but a default that was decoded counts, too, where the message knows.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    fn get_decoded(self, row: &'a Row) -> Result<Option<Field<'a, Self>>> {
        self.get(row)
    }

    /// Visits the fields that are set, and those that are not but have to be, in the order of the rows.
    ///
    /// # Errors
    /// As the visitor's, or as [`get`](Self::get) in the field.
    #[inline]
    fn visit(self, visitor: &mut impl Visit<'a, Self>) -> Result<()> {
        for row in &self.table().rows {
            match self.get(row) {
                Ok(None) if row.presence != Presence::Required => {}
                Ok(value) => visitor.field(row, value)?,
                Err(error) => return Err(error.in_field(&row.name)),
            }
        }
        Ok(())
    }

    /// The unknown fields.
    fn unknown(self) -> &'a [u8];
}

/// What takes the fields of a message one after the other.
pub(crate) trait Visit<'a, M: Object<'a>> {
    /// Takes a field; `None` for one that is not set but has to be.
    ///
    /// # Errors
    /// The visitor's, which say of which field they are.
    fn field(&mut self, row: &'a Row, value: Option<Field<'a, M>>) -> Result<()>;

    /// The same of a number, bool or enum.
    fn scalar_field(&mut self, row: &'a Row, bits: u64);

    /// The same of a string or byte string.
    ///
    /// # Errors
    /// As [`field`](Self::field).
    fn text_field(&mut self, row: &'a Row, text: &'a [u8]) -> Result<()>;
}

/// The value of a field.
#[derive(Clone, Copy)]
pub(crate) enum Field<'a, M: Object<'a>> {
    /// A number, bool or enum, as bits.
    Scalar(u64),
    /// A string or byte string.
    Text(&'a [u8]),
    Message(M),
    List(M::List),
    Map(M::Map),
}

/// A list to be read.
pub(crate) trait ObjectList<'a>: Copy {
    type Message: Object<'a>;

    /// How many elements there are.
    fn len(self) -> usize;

    /// An element; `Scalar`, `Text` or `Message`.
    ///
    /// # Panics
    /// When there is none with this index.
    fn get(self, index: usize) -> Field<'a, Self::Message>;

    /// Visits the elements in order, until the visitor returns an error.
    ///
    /// # Errors
    /// As the visitor's.
    #[inline]
    fn visit(self, mut visit: impl FnMut(usize, Field<'a, Self::Message>) -> Result<()>) -> Result<()> {
        (0..self.len()).try_for_each(|index| visit(index, self.get(index)))
    }

    /// The elements of a list of numbers or bools as they lie in memory; `None` for other lists.
    fn run(self) -> Option<Run<'a>>;
}

/// Numbers or bools in a row; open enums are among the `I32`.
#[derive(Clone, Copy)]
pub(crate) enum Run<'a> {
    Bool(&'a [bool]),
    I32(&'a [i32]),
    U32(&'a [u32]),
    I64(&'a [i64]),
    U64(&'a [u64]),
    F32(&'a [f32]),
    F64(&'a [f64]),
    /// A word of bits for each, whatever their kind.
    Bits(&'a [u64]),
}

impl Run<'_> {
    pub(crate) fn len(self) -> usize {
        match self {
            Run::Bool(all) => all.len(),
            Run::I32(all) => all.len(),
            Run::U32(all) => all.len(),
            Run::I64(all) => all.len(),
            Run::U64(all) | Run::Bits(all) => all.len(),
            Run::F32(all) => all.len(),
            Run::F64(all) => all.len(),
        }
    }

    /// The bits of an element.
    ///
    /// # Panics
    /// When there is none with this index.
    #[inline]
    pub(crate) fn bits(self, index: usize) -> u64 {
        match self {
            Run::Bool(all) => all[index].into(),
            Run::I32(all) => all[index] as u64,
            Run::U32(all) => all[index].into(),
            Run::I64(all) => all[index] as u64,
            Run::U64(all) | Run::Bits(all) => all[index],
            Run::F32(all) => all[index].to_bits().into(),
            Run::F64(all) => all[index].to_bits(),
        }
    }
}

/// A map to be read.
pub(crate) trait ObjectMap<'a>: Copy {
    type Message: Object<'a>;

    /// How many entries there are.
    fn len(self) -> usize;

    /// Visits the entries, in no order, until one returns an error. Entries whose key is not UTF-8 are passed over.
    ///
    /// # Errors
    /// As the visitor's.
    fn visit(self, visit: &mut dyn FnMut(KeyRef<'a>, Field<'a, Self::Message>) -> Result<()>) -> Result<()>;
}

/// Something with singular fields to be filled: a message or a map entry.
pub(crate) trait Fill<'t> {
    /// A sub-message.
    type Child<'b>: ObjectMut<'t>
    where
        Self: 'b;

    /// Sets a number, bool or enum; of an enum that is closed only one that it has.
    ///
    /// # Errors
    /// The Rust type has no room for it.
    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()>;

    /// Sets a string, which is checked to be UTF-8 where the schema or the Rust type asks for it, or a byte string.
    ///
    /// # Errors
    /// The text is not UTF-8, or the Rust type borrows and the text cannot be borrowed.
    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()>;

    /// Sets a string to a text that is UTF-8; one that is borrowed is a part of the input, as [`Text::borrowed`] says.
    ///
    /// # Errors
    /// As [`Fill::set_text`].
    fn set_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        self.set_text(row, Text { bytes: text.as_bytes(), borrowed, input: None })
    }

    /// The sub-message in a field; an empty one is made where there is none.
    ///
    /// # Errors
    /// None can be made.
    fn message(&mut self, row: &'t Row) -> Result<Self::Child<'_>>;
}

/// A message to be filled.
pub(crate) trait ObjectMut<'t>: Fill<'t> {
    /// An entry on its way into a map.
    type Entry<'b>: Fill<'t>
    where
        Self: 'b;
    /// A list to be filled.
    type List<'b>: ListMut<'t>
    where
        Self: 'b;

    /// The table of the message.
    fn table(&self) -> &'t Table;

    /// The list in a field, to add elements to; `hint` says how many there will be, where that is known.
    ///
    /// # Errors
    /// The field is no list in the Rust type.
    fn list(&mut self, row: &'t Row, hint: impl FnOnce() -> usize) -> Result<Self::List<'_>>;

    /// Adds an entry to a map, instead of one with the same key: `fill` sets key and value of an empty entry, by
    /// the rows of [`Row::map`], and says whether it is inserted.
    ///
    /// # Errors
    /// Those of `fill`; the map is as it was then.
    fn insert<'s>(
        &'s mut self,
        row: &'t Row,
        fill: &mut dyn FnMut(&mut Self::Entry<'s>) -> Result<bool>,
    ) -> Result<bool>;

    /// Adds to the unknown fields; they are dropped where the Rust type keeps none.
    fn add_unknown(&mut self, fields: &[u8]);

    /// Ends the message, whose length can be written then.
    #[inline]
    fn end(self)
    where
        Self: Sized,
    {
    }
}

/// A list to be filled.
pub(crate) trait ListMut<'t> {
    /// An element that is a message.
    type Child<'b>: ObjectMut<'t>
    where
        Self: 'b;

    /// Adds numbers, bools or enums.
    ///
    /// # Errors
    /// As [`Fill::set_scalar`].
    fn push_scalars(&mut self, bits: &[u64]) -> Result<()>;

    /// Adds a string to a list of strings; `borrowed` as in [`Fill::set_str`].
    ///
    /// # Errors
    /// As [`Fill::set_text`].
    fn push_str(&mut self, text: &str, borrowed: bool) -> Result<()> {
        self.push_text(Text { bytes: text.as_bytes(), borrowed, input: None })
    }

    /// Adds a string or byte string.
    ///
    /// # Errors
    /// As [`Fill::set_text`].
    fn push_text(&mut self, text: Text<'_>) -> Result<()>;

    /// Adds an empty message.
    ///
    /// # Errors
    /// None can be made.
    fn push_message(&mut self) -> Result<Self::Child<'_>>;

    /// Ends the list, whose length can be written then.
    #[inline]
    fn end(self)
    where
        Self: Sized,
    {
    }
}
