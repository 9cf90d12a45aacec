//! The traits through which codecs access messages. They identify fields by the rows of a table (a row is what the table
//! knows about one field), and hide how a message is stored.
//!
//! [`Object`] reads a message, [`ObjectMut`] fills a message. A message is stored in one of three forms: as a Rust struct
//! at an address (`typed`), in the arena of a dynamic message (`arena`), or as its bytes in the wire format (`wire`). JSON,
//! text and serde are implemented once, over these traits. This folder is in layer 3 (see DESIGN.md): it uses `table` and
//! `layout`, and depends on neither serde nor a format.
//!
//! A number, bool or enum value is passed as 64 *bits*: an integer, enum or bool as the number itself, a float as its IEEE
//! bits. For kinds with 32 bits, only the lower half counts.

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

/// A message that can be read.
pub(crate) trait Object<'a>: Copy {
    type List: ObjectList<'a, Message = Self>;
    type Map: ObjectMap<'a, Message = Self>;

    fn table(self) -> &'a Table;

    /// Visits the fields that are set, required fields that are not set, and unknown fields. Structs and arenas pass the
    /// fields in the order of their rows, and then the unknown fields. The visitor must not keep a value, because the value
    /// may be dropped when the visitor returns.
    ///
    /// # Errors
    /// The visitor fails. Or the Rust type of a nested message does not fit its schema, which is checked when the message
    /// is first met.
    fn visit(self, visitor: &mut impl Visit<'a, Self>) -> Result<()>;

    /// Calls `each` for all rows in their order, with `None` if the field is not set. Returns the unknown fields. This
    /// function is compiled once, and is slower than a visit. `each` must not keep a value.
    ///
    /// # Errors
    /// [`visit`](Self::visit) or `each` fails.
    fn rows(self, each: EachRow<'_, 'a, Self>) -> Result<&'a [u8]>;
}

/// The function that [`Object::rows`] calls.
pub(crate) type EachRow<'v, 'a, M> = &'v mut dyn FnMut(&'a Row, Option<Field<'a, M>>) -> Result<()>;

/// A message whose fields can be read in any order.
pub(crate) trait ObjectAt<'a>: Object<'a> {
    /// Returns the value of a field, or `None` if the field is not set: for example, if it has its default value and no
    /// presence, if it is an empty list, or if another field of its oneof is set.
    ///
    /// # Errors
    /// The Rust type of a nested message does not fit its schema, which is checked when the message is first met.
    fn get(self, row: &'a Row) -> Result<Option<Field<'a, Self>>>;

    /// Calls `read` with the result of [`get`](Self::get). `read` must not keep the value, because the value may be dropped
    /// when `read` returns: a proto value that a conversion makes lives only for this call.
    #[inline]
    fn read<R>(self, row: &'a Row, read: impl FnOnce(Result<Option<Field<'a, Self>>>) -> R) -> R {
        read(self.get(row))
    }

    /// Returns the value of a field as [`get`](Self::get) does. Also returns a default value that was in the input, if the
    /// message has recorded this.
    ///
    /// # Errors
    /// Fails if [`get`](Self::get) fails.
    fn get_decoded(self, row: &'a Row) -> Result<Option<Field<'a, Self>>> {
        self.get(row)
    }

    fn unknown(self) -> &'a [u8];
}

/// A visitor, which receives the fields of a message one after the other.
pub(crate) trait Visit<'a, M: Object<'a>> {
    /// Receives a number, bool or enum value. `kind` is the kind of the row, or another kind with the same bits. A caller that
    /// has already matched on the kind passes a constant, so the compiler can leave out the visitor's match.
    fn scalar(&mut self, row: &'a Row, kind: Kind, bits: u64);

    /// Receives a string or byte string.
    ///
    /// # Errors
    /// Fails for the reasons for which [`field`](Self::field) fails.
    fn text(&mut self, row: &'a Row, text: &'a [u8]) -> Result<()>;

    /// Receives a value of any kind. Messages, lists and maps always come here. Other values come here if the storage does not
    /// pass them to `scalar` or `text`. `None` is a required field that is not set.
    ///
    /// # Errors
    /// The visitor fails. Its error names the field.
    fn field(&mut self, row: &'a Row, value: Option<Field<'a, M>>) -> Result<()>;

    /// Receives all or some of the unknown fields of a message with the table `table`.
    ///
    /// # Errors
    /// Fails for the reasons for which [`field`](Self::field) fails.
    fn unknown(&mut self, table: &'a Table, fields: &'a [u8]) -> Result<()> {
        let _ = (table, fields);
        Ok(())
    }
}

#[derive(Clone, Copy)]
pub(crate) enum Field<'a, M: Object<'a>> {
    /// A number, bool or enum value, as bits.
    Scalar(u64),
    /// A string or byte string.
    Text(&'a [u8]),
    Message(M),
    List(M::List),
    Map(M::Map),
}

/// A list that can be read. The kind of its row says which of the methods `messages`, `texts` and `numbers` a caller must use.
pub(crate) trait ObjectList<'a>: Copy {
    type Message: Object<'a>;

    /// Returns the number of elements if it is known before they are visited, otherwise 0.
    fn size_hint(self) -> usize;

    /// Visits the elements of a list of messages, until `each` returns an error.
    ///
    /// # Errors
    /// `each` fails, or a message does not fit its schema.
    fn messages(self, each: impl FnMut(usize, Self::Message) -> Result<()>) -> Result<()>;

    /// Visits the elements of a list of strings or byte strings, until `each` returns an error.
    ///
    /// # Errors
    /// `each` fails, or a message does not fit its schema.
    fn texts(self, each: impl FnMut(usize, &'a [u8]) -> Result<()>) -> Result<()>;

    /// Passes the elements of a list of numbers, bools or enums to `take`.
    ///
    /// # Errors
    /// `take` fails.
    fn numbers(self, take: &mut impl Numbers) -> Result<()>;

    /// Visits the elements of a list of any kind. `row` is the row of the list. This function is compiled once, and is
    /// slower than the other methods.
    ///
    /// # Errors
    /// `each` fails, or a message does not fit its schema.
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

/// Receives the numbers of a list. An implementation has one loop for each type, or one loop for all types.
pub(crate) trait Numbers: Sized {
    /// Receives numbers of any kind, as bits.
    ///
    /// # Errors
    /// The implementation fails.
    fn bits(&mut self, numbers: impl Iterator<Item = u64>) -> Result<()>;

    fn bools(&mut self, numbers: impl Iterator<Item = bool>) -> Result<()> {
        by_bits(self, numbers, u64::from)
    }

    /// Receives 32-bit integers or the numbers of enum values.
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

/// Passes numbers to `take` as bits, through a `dyn` function, so that the loop over them is compiled once.
///
/// # Errors
/// [`Numbers::bits`] fails.
pub(crate) fn by_bits<T>(
    take: &mut impl Numbers,
    mut numbers: impl Iterator<Item = T>,
    bits: impl Fn(T) -> u64,
) -> Result<()> {
    let next: &mut dyn FnMut() -> Option<u64> = &mut || numbers.next().map(&bits);
    take.bits(std::iter::from_fn(next))
}

/// Passes each number to a function, with its index.
struct EachNumber<'e>(&'e mut dyn FnMut(usize, u64) -> Result<()>);

impl Numbers for EachNumber<'_> {
    fn bits(&mut self, numbers: impl Iterator<Item = u64>) -> Result<()> {
        for (index, bits) in numbers.enumerate() {
            (self.0)(index, bits)?;
        }
        Ok(())
    }
}

/// The key and the value of a map entry.
pub(crate) type Entry<'a, M> = (KeyRef<'a>, Field<'a, M>);

/// A map that can be read.
pub(crate) trait ObjectMap<'a>: Copy {
    type Message: Object<'a>;

    /// Returns the number of entries if it is known before they are visited, otherwise 0.
    fn size_hint(self) -> usize;

    /// Calls `each` for the entries, in no particular order, until `each` returns an error. Skips entries whose key is not
    /// UTF-8, and returns false if there are such entries.
    ///
    /// # Errors
    /// `each` fails, or a message does not fit its schema.
    fn entries(self, each: impl FnMut(KeyRef<'a>, Field<'a, Self::Message>) -> Result<()>) -> Result<bool>;

    /// Returns the entries in the order of their keys, and false if entries were skipped because their keys are not UTF-8.
    ///
    /// # Errors
    /// [`entries`](Self::entries) fails.
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

/// Returns the key of the kind `kind` with these bits.
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

/// A message or a map entry whose singular fields can be set.
pub(crate) trait Fill<'t> {
    /// The type of nested messages.
    type Child<'b>: ObjectMut<'t>
    where
        Self: 'b;

    /// Sets a number, bool or enum value. The number of a closed enum must be one of its values.
    ///
    /// # Errors
    /// The Rust type cannot hold the value.
    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()>;

    /// Sets a string or a byte string. If the schema or the Rust type requires UTF-8, checks that the text is UTF-8.
    ///
    /// # Errors
    /// The text is not UTF-8, the conversion of the Rust type rejects the text, or the Rust type can only borrow and the text
    /// cannot be borrowed.
    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()>;

    /// Sets a string. If `borrowed` is true, `text` is a part of the input and outlives the message
    /// ([`Text::borrowed`]).
    ///
    /// # Errors
    /// Fails if [`Fill::set_text`] fails.
    fn set_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        self.set_text(row, Text { bytes: text.as_bytes(), borrowed, input: None })
    }

    /// Returns the message in a field. Creates an empty message if the field is not set.
    ///
    /// # Errors
    /// No empty message can be made.
    fn message(&mut self, row: &'t Row) -> Result<Self::Child<'_>>;
}

/// A message that can be filled.
pub(crate) trait ObjectMut<'t>: Fill<'t> {
    /// The type of a map entry that is filled before it is inserted.
    type Entry<'b>: Fill<'t>
    where
        Self: 'b;
    /// A list that can be filled.
    type List<'b>: ListMut<'t>
    where
        Self: 'b;

    fn table(&self) -> &'t Table;

    /// Returns the list in a field, to which elements can be added. `hint` returns the number of elements that will be
    /// added, or 0 if it is not known.
    ///
    /// # Errors
    /// The member for the field is not a list in the Rust type.
    fn list(&mut self, row: &'t Row, hint: &dyn Fn() -> usize) -> Result<Self::List<'_>>;

    /// Adds an entry to a map. An entry with an equal key is replaced. `fill` sets the key and the value of an empty entry, by
    /// the rows of [`Row::map`], and returns whether to insert the entry. Returns true if the entry was inserted.
    ///
    /// # Errors
    /// `fill` fails, no empty entry can be made, or the field is not a map. Then no entry is inserted.
    fn insert<'s>(
        &'s mut self,
        row: &'t Row,
        fill: &mut dyn FnMut(&mut Self::Entry<'s>) -> Result<bool>,
    ) -> Result<bool>;

    /// Appends encoded fields to the unknown fields. If the Rust type keeps no unknown fields, does nothing.
    fn add_unknown(&mut self, fields: &[u8]);

    /// Makes the proto value of a member with a conversion from the current value of the member, so that the proto value can be
    /// changed. [`close`](Self::close) converts the proto value back.
    ///
    /// # Errors
    /// The member has no such conversion, or no proto value can be made.
    fn open(&mut self, row: &'t Row) -> Result<Opened> {
        let _ = row;
        Err(mismatch())
    }

    /// Returns a view of `opened` as a message whose only field is the proto value, and the row of this field.
    ///
    /// # Errors
    /// The member has no such conversion.
    fn opened<'b>(&'b mut self, row: &'t Row, opened: &'b mut Opened) -> Result<(Self::Child<'b>, &'t Row)> {
        let _ = (row, opened);
        Err(mismatch())
    }

    /// Sets a member to the value that its conversion makes of the proto value `opened`.
    ///
    /// # Errors
    /// The conversion rejects the proto value. Then the member is unchanged.
    fn close(&mut self, row: &'t Row, opened: Opened) -> Result<()> {
        let _ = (row, opened);
        Err(mismatch())
    }

    /// Ends the message. A message that is stored as bytes gets its length here.
    #[inline]
    fn end(self)
    where
        Self: Sized,
    {
    }
}

/// A list that can be filled.
pub(crate) trait ListMut<'t> {
    /// The type of elements that are messages.
    type Child<'b>: ObjectMut<'t>
    where
        Self: 'b;

    /// Appends numbers, bools or enum values.
    ///
    /// # Errors
    /// Fails if [`Fill::set_scalar`] fails.
    fn push_scalars(&mut self, bits: &[u64]) -> Result<()>;

    /// Appends a string to a list of strings. If `borrowed` is true, `text` is a part of the input and outlives the
    /// message.
    ///
    /// # Errors
    /// Fails if [`Fill::set_text`] fails.
    fn push_str(&mut self, text: &str, borrowed: bool) -> Result<()> {
        self.push_text(Text { bytes: text.as_bytes(), borrowed, input: None })
    }

    /// Appends a string or byte string.
    ///
    /// # Errors
    /// Fails if [`Fill::set_text`] fails.
    fn push_text(&mut self, text: Text<'_>) -> Result<()>;

    /// Appends an empty message, and returns it.
    ///
    /// # Errors
    /// No empty message can be made.
    fn push_message(&mut self) -> Result<Self::Child<'_>>;

    /// Ends the list. A list that is stored as bytes gets its length here.
    #[inline]
    fn end(self)
    where
        Self: Sized,
    {
    }
}
