//! Messages as codecs see them: fields by the rows of a table, wherever the message is stored.
//!
//! [`Object`] reads, [`ObjectMut`] fills. A message is stored in one of three forms: as a Rust struct at an address (`typed`),
//! in the arena of a dynamic message (`arena`), or as its bytes in the wire format (`wire`). A codec that is not the
//! wire's is written once over these traits. Layer 3: names `table` and `layout`; knows no serde and no format.
//!
//! A scalar travels as 64 *bits*: the number itself for integers, enums and bools (of those with 32 bits only the lower
//! half counts), the IEEE bits for floats.

pub(crate) mod arena;

pub(crate) mod access;
mod copy;
pub(crate) mod stored;
mod typed;
pub(crate) mod wire;

pub(crate) use copy::{Copying, KeyText, copy};
pub(crate) use typed::{
    Elements, ListFill, Root, RootMut, RootType, StructAddress, Typed, TypedEntry, TypedField, TypedList,
    TypedListMut, TypedMap, TypedMapMut, TypedMut, TypedSlot, ValueTable, VisitEntries, VisitFields,
    mismatch, proto_fill, refused, unconverted, unmakable,
};

use crate::error::Result;
use crate::layout::{KeyRef, Opened, Text};
use crate::sort::sort_by_key;
use crate::table::{Kind, Row, Table};

/// A message to be read.
pub(crate) trait Object<'a>: Copy {
    /// A list of such a message.
    type List: ObjectList<'a, Message = Self>;
    /// A map of such a message.
    type Map: ObjectMap<'a, Message = Self>;

    /// The table of the message.
    fn table(self) -> &'a Table;

    /// Visits the fields that are set, required fields that are not, and unknown fields. Structs and arenas give the rows
    /// in their order and then the unknown fields. A value may be gone when the visitor returns: it keeps nothing of it.
    ///
    /// # Errors
    /// Those of the visitor. Or a sub-message is met for the first time, and its Rust type and its schema do not fit
    /// together.
    fn visit(self, visitor: &mut impl Visit<'a, Self>) -> Result<()>;

    /// Calls a function for all rows in their order, `None` where the field is not set, and returns the unknown fields. It is
    /// compiled once, and slower than a visit; the function keeps nothing of a value, as a visitor.
    ///
    /// # Errors
    /// As of [`visit`](Self::visit), or those of the function.
    fn rows(self, each: EachRow<'_, 'a, Self>) -> Result<&'a [u8]>;
}

/// What [`Object::rows`] calls.
pub(crate) type EachRow<'v, 'a, M> = &'v mut dyn FnMut(&'a Row, Option<Field<'a, M>>) -> Result<()>;

/// A message whose fields can be asked for in any order.
pub(crate) trait ObjectAt<'a>: Object<'a> {
    /// The value of a field; `None` where it is not set: an implicit default, an empty list, another oneof member.
    ///
    /// # Errors
    /// A sub-message is met for the first time, and its Rust type and its schema do not fit together.
    fn get(self, row: &'a Row) -> Result<Option<Field<'a, Self>>>;

    /// Calls a function with what [`get`](Self::get) gives, which may be gone when the function returns: the function keeps
    /// nothing of it. A value that a conversion makes is made for it, and not kept.
    #[inline]
    fn read<R>(self, row: &'a Row, read: impl FnOnce(Result<Option<Field<'a, Self>>>) -> R) -> R {
        read(self.get(row))
    }

    /// As [`get`](Self::get), but a default that was decoded counts, too, where the message knows.
    ///
    /// # Errors
    /// As [`get`](Self::get).
    fn get_decoded(self, row: &'a Row) -> Result<Option<Field<'a, Self>>> {
        self.get(row)
    }

    /// The unknown fields.
    fn unknown(self) -> &'a [u8];
}

/// What takes the fields of a message one after the other.
pub(crate) trait Visit<'a, M: Object<'a>> {
    /// Takes a number, bool or enum. `kind` is that of the row, or one whose values are alike: a constant where the storage has
    /// matched it.
    fn scalar(&mut self, row: &'a Row, kind: Kind, bits: u64);

    /// Takes a string or byte string.
    ///
    /// # Errors
    /// As [`field`](Self::field).
    fn text(&mut self, row: &'a Row, text: &'a [u8]) -> Result<()>;

    /// Takes a value of any kind: messages, lists and maps, and the others where the storage finds that as fast. `None` for a
    /// field that is not set but has to be.
    ///
    /// # Errors
    /// The visitor's, which say of which field they are.
    fn field(&mut self, row: &'a Row, value: Option<Field<'a, M>>) -> Result<()>;

    /// Takes unknown fields of a message with this table: all, or some of them.
    ///
    /// # Errors
    /// As [`field`](Self::field).
    fn unknown(&mut self, table: &'a Table, fields: &'a [u8]) -> Result<()> {
        let _ = (table, fields);
        Ok(())
    }
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

/// A list to be read. Of the three methods that fits which is for the kind of the row.
pub(crate) trait ObjectList<'a>: Copy {
    type Message: Object<'a>;

    /// How many elements there are, where that is known before they are visited, or 0.
    fn size_hint(self) -> usize;

    /// Visits the elements of a list of messages, until one returns an error.
    ///
    /// # Errors
    /// As of the visit.
    fn messages(self, each: impl FnMut(usize, Self::Message) -> Result<()>) -> Result<()>;

    /// Visits the elements of a list of strings or byte strings, until one returns an error.
    ///
    /// # Errors
    /// As of the visit.
    fn texts(self, each: impl FnMut(usize, &'a [u8]) -> Result<()>) -> Result<()>;

    /// Takes the elements of a list of numbers, bools or enums.
    ///
    /// # Errors
    /// As of what takes them.
    fn numbers(self, take: &mut impl Numbers) -> Result<()>;

    /// Visits the elements of a list of any kind: that of its row. It is compiled once, and slower than the others.
    ///
    /// # Errors
    /// As of the visit.
    fn each(
        self,
        row: &Row,
        each: &mut dyn FnMut(usize, Field<'a, Self::Message>) -> Result<()>,
    ) -> Result<()> {
        match row.kind {
            Kind::Message | Kind::Group => {
                self.messages(|index, message| each(index, Field::Message(message)))
            }
            Kind::String | Kind::Bytes => self.texts(|index, text| each(index, Field::Text(text))),
            _ => self.numbers(&mut EachNumber(&mut |index, bits| each(index, Field::Scalar(bits)))),
        }
    }
}

/// What takes the numbers of a list, by one loop for each type or by one for all.
pub(crate) trait Numbers: Sized {
    /// Takes numbers of any kind, as bits.
    ///
    /// # Errors
    /// Its own.
    fn bits(&mut self, numbers: impl Iterator<Item = u64>) -> Result<()>;

    fn bools(&mut self, numbers: impl Iterator<Item = bool>) -> Result<()> {
        by_bits(self, numbers, u64::from)
    }

    /// Takes numbers or the numbers of enum values.
    fn i32s(&mut self, numbers: impl Iterator<Item = i32>) -> Result<()> {
        by_bits(self, numbers, |number| u64::from(number as u32))
    }

    fn u32s(&mut self, numbers: impl Iterator<Item = u32>) -> Result<()> {
        by_bits(self, numbers, u64::from)
    }

    fn i64s(&mut self, numbers: impl Iterator<Item = i64>) -> Result<()> {
        by_bits(self, numbers, |number| number as u64)
    }

    fn u64s(&mut self, numbers: impl Iterator<Item = u64>) -> Result<()> {
        by_bits(self, numbers, |number| number)
    }

    fn f32s(&mut self, numbers: impl Iterator<Item = f32>) -> Result<()> {
        by_bits(self, numbers, |number| u64::from(number.to_bits()))
    }

    fn f64s(&mut self, numbers: impl Iterator<Item = f64>) -> Result<()> {
        by_bits(self, numbers, f64::to_bits)
    }
}

/// Gives numbers as bits, and by a pointer, so that their loop is compiled once.
///
/// # Errors
/// Those of [`Numbers::bits`].
pub(crate) fn by_bits<T>(
    take: &mut impl Numbers,
    mut numbers: impl Iterator<Item = T>,
    bits: impl Fn(T) -> u64,
) -> Result<()> {
    let next: &mut dyn FnMut() -> Option<u64> = &mut || numbers.next().map(&bits);
    take.bits(std::iter::from_fn(next))
}

/// Passes each number, with its index, to a function.
struct EachNumber<'e>(&'e mut dyn FnMut(usize, u64) -> Result<()>);

impl Numbers for EachNumber<'_> {
    fn bits(&mut self, numbers: impl Iterator<Item = u64>) -> Result<()> {
        for (index, bits) in numbers.enumerate() {
            (self.0)(index, bits)?;
        }
        Ok(())
    }
}

/// Key and value of a map entry.
pub(crate) type Entry<'a, M> = (KeyRef<'a>, Field<'a, M>);

/// A map to be read.
pub(crate) trait ObjectMap<'a>: Copy {
    type Message: Object<'a>;

    /// How many entries there are, where that is known before they are visited, or 0.
    fn size_hint(self) -> usize;

    /// Visits the entries, in no order, until one returns an error. False if there are entries whose key is not UTF-8: those
    /// are skipped.
    ///
    /// # Errors
    /// As of the visit.
    fn entries(self, each: impl FnMut(KeyRef<'a>, Field<'a, Self::Message>) -> Result<()>) -> Result<bool>;

    /// The entries in the order of their keys, and what [`entries`](Self::entries) returns.
    ///
    /// # Errors
    /// A message is malformed.
    fn sorted_entries(self) -> Result<(Vec<Entry<'a, Self::Message>>, bool)> {
        let mut entries = Vec::with_capacity(self.size_hint());
        let all_utf8 = self.entries(|key, value| {
            entries.push((key, value));
            Ok(())
        })?;
        sort_by_key(&mut entries, |(key, _)| *key);
        Ok((entries, all_utf8))
    }
}

/// The key in the bits of a number or a bool of a kind.
#[inline]
pub(crate) fn key_of(kind: Kind, bits: u64) -> KeyRef<'static> {
    match kind {
        Kind::Bool => KeyRef::Bool(bits != 0),
        Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => KeyRef::I32(bits as i32),
        Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => KeyRef::I64(bits as i64),
        Kind::UInt32 | Kind::Fixed32 => KeyRef::U32(bits as u32),
        _ => KeyRef::U64(bits),
    }
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
    fn list(&mut self, row: &'t Row, hint: &dyn Fn() -> usize) -> Result<Self::List<'_>>;

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

    /// Begins with a field for which a conversion makes the proto value: with that of the value that is there.
    ///
    /// # Errors
    /// It is none, or no value can be made.
    fn open(&mut self, row: &'t Row) -> Result<Opened> {
        let _ = row;
        Err(mismatch())
    }

    /// The proto value that was opened, as a message with it as the only field, and the row of that.
    ///
    /// # Errors
    /// The field is no such one.
    fn opened<'b>(&'b mut self, row: &'t Row, opened: &'b mut Opened) -> Result<(Self::Child<'b>, &'t Row)> {
        let _ = (row, opened);
        Err(mismatch())
    }

    /// Sets a field to what the conversion makes of a proto value.
    ///
    /// # Errors
    /// It makes nothing of it; the field is as it was then.
    fn close(&mut self, row: &'t Row, opened: Opened) -> Result<()> {
        let _ = (row, opened);
        Err(mismatch())
    }

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
