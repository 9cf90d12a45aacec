//! Limits decoding to selected fields of messages, which the paths of a field mask name.

use crate::codec::wire::Mode;
use crate::descriptor::{Mask, MessageDescriptor, Paths};
use crate::error::{Error, Result};
use crate::layout::MessageShape;
use crate::object::arena::building::Building;
use crate::object::{ObjectMut, TypedMut};
use crate::options::DecodeOptions;
use crate::table::{Table, Tabled, WellKnown};
use bytes::Bytes;
use once_cell::sync::OnceCell;
use std::fmt;

/// Selects fields of a message; decoding skips all other fields.
///
/// [`MessageDescriptorExt::project`](crate::MessageDescriptorExt::project) builds a projection from the paths of a field
/// mask. A projection can be used many times: for typed messages, dynamic messages and JSON.
///
/// ```
/// # use tobu_schemas::library;
/// use tobu::prelude::*;
/// use library::v1::Book;
/// use tobu::{DecodeOptions, Message};
///
/// let book = Book { title: "Dune".into(), pages: 412, authors: vec!["Frank".into()], ..Book::default() };
/// let bytes = tobu::to_vec(&book)?;
///
/// let projection = Book::descriptor().project(&["title", "authors"])?;
/// let read: Book = DecodeOptions::new().fields(&projection).from_slice(&bytes)?;
/// assert_eq!(read, Book { pages: 0, ..book });
///
/// let mut json = Vec::new();
/// tobu::convert::wire_to_json_projected(&projection, &bytes, &mut json, &tobu::json::Options::new())?;
/// assert_eq!(json, br#"{"title":"Dune","authors":["Frank"]}"#);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// The result is the same as decoding the whole message and then calling [`trim`](crate::Reflect#method.trim). Skipped
/// fields are only checked to be well-formed wire data, like unknown fields. So a skipped string may be invalid UTF-8, and
/// a skipped message may be malformed, unless [`validate`](Self::validate) is set. Required fields that are not selected
/// are not checked.
pub struct Projection {
    descriptor: MessageDescriptor,
    mask: Mask,
    keep_unknown: bool,
    validate: bool,
    /// The table for dynamic messages, with rows for all selected fields.
    table: OnceCell<Table>,
    /// The tables for Rust types, in the order of their first use.
    typed: OnceCell<Box<TypedTable>>,
    /// The function that decodes the selected fields. Only a projection refers to this function, so a program without
    /// projections does not contain it.
    decode: DecodeSelected,
}

type DecodeSelected =
    fn(&Projection, DecodeOptions, TypedMut<'_, '_>, &[u8], Option<&Bytes>, Mode) -> Result<u64>;

/// The table for a Rust type, and a link to the next table.
struct TypedTable {
    shape: &'static MessageShape,
    table: Table,
    next: OnceCell<Box<TypedTable>>,
}

fn decode_selected(
    projection: &Projection,
    options: DecodeOptions,
    message: TypedMut<'_, '_>,
    bytes: &[u8],
    shared: Option<&Bytes>,
    mode: Mode,
) -> Result<u64> {
    projection.check(bytes, options)?;
    let table = projection.table_for(ObjectMut::table(&message))?;
    options.fill_object(message.by(table)?, bytes, shared, mode)
}

impl Projection {
    /// Creates a projection to the fields that the paths name.
    pub(crate) fn new<P: AsRef<str>>(descriptor: &MessageDescriptor, paths: &[P]) -> Result<Self> {
        descriptor.table()?;
        let mask = match WellKnown::of(descriptor.full_name()) {
            WellKnown::No => Mask::new(descriptor, paths, Paths::Read)?,
            _ => Mask::new(descriptor, paths, Paths::Read).map(|_| Mask::Whole)?,
        };
        Ok(Projection {
            descriptor: descriptor.clone(),
            mask,
            keep_unknown: false,
            validate: false,
            table: OnceCell::new(),
            typed: OnceCell::new(),
            decode: decode_selected,
        })
    }

    /// Returns the descriptor of the message.
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }

    /// If `yes` is true, decoding also keeps the unknown fields of messages that are selected in part. Messages that are
    /// selected as a whole always keep their unknown fields.
    #[must_use]
    pub fn keep_unknown(self, yes: bool) -> Self {
        Projection { keep_unknown: yes, table: OnceCell::new(), typed: OnceCell::new(), ..self }
    }

    /// If `yes` is true, decoding also checks skipped fields, as decoding the whole message would: strings, messages,
    /// limits, required fields. The check takes as much time and memory as decoding the whole message.
    #[must_use]
    pub fn validate(self, yes: bool) -> Self {
        Projection { validate: yes, ..self }
    }

    /// Returns the projection restricted to the fields with these numbers, without unknown fields.
    #[cfg(feature = "streams")]
    pub(crate) fn within(&self, numbers: &[u32]) -> Projection {
        Projection {
            descriptor: self.descriptor.clone(),
            mask: self.mask.within(numbers),
            keep_unknown: false,
            validate: false,
            table: OnceCell::new(),
            typed: OnceCell::new(),
            decode: self.decode,
        }
    }

    #[cfg(feature = "streams")]
    pub(crate) fn validates(&self) -> bool {
        self.validate
    }

    /// Returns the table for dynamic messages.
    ///
    /// # Errors
    /// The table cannot be built.
    #[inline]
    pub(crate) fn table(&self) -> Result<&Table> {
        let whole = self.descriptor.table()?;
        match &self.mask {
            Mask::Whole => Ok(whole),
            Mask::Fields(fields) => self.table.get_or_try_init(|| whole.project(fields, self.keep_unknown)),
        }
    }

    /// Returns the table of the selected fields, for messages of a Rust type or for dynamic messages. `whole` is the table of
    /// the same type with all fields.
    ///
    /// # Errors
    /// The type is not bound to the message of the projection, or the table cannot be built.
    pub(crate) fn table_for<'t>(&'t self, whole: &'t Table) -> Result<&'t Table> {
        if !whole.is_of(&self.descriptor) {
            let (ours, other) = (self.descriptor.full_name(), &whole.full_name);
            return Err(Error::schema(format!("the projection is for {ours}, not for {other}")));
        }
        let Mask::Fields(fields) = &self.mask else { return Ok(whole) };
        let Some(shape) = whole.shape else { return self.table() };
        let mut slot = &self.typed;
        loop {
            let found = slot.get_or_try_init(|| {
                let table = whole.project(fields, self.keep_unknown)?;
                Ok::<_, Error>(Box::new(TypedTable { shape, table, next: OnceCell::new() }))
            })?;
            if std::ptr::eq(found.shape.cells(), shape.cells()) {
                return Ok(&found.table);
            }
            slot = &found.next;
        }
    }

    /// Checks a whole message, if [`validate`](Self::validate) is set.
    ///
    /// # Errors
    /// Fails if decoding the whole message would fail.
    #[inline]
    pub(crate) fn check(&self, bytes: &[u8], options: DecodeOptions) -> Result<()> {
        match self.validate {
            true => Building::decode(self.descriptor.table()?, bytes, options).map(drop),
            false => Ok(()),
        }
    }
}

impl fmt::Debug for Projection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Projection")
            .field("of", &self.descriptor.full_name())
            .field("mask", &self.mask)
            .finish()
    }
}

/// The options of a decoder, and the fields that it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoding<'p> {
    pub(crate) options: DecodeOptions,
    pub(crate) projection: Option<&'p Projection>,
}

impl DecodeOptions {
    /// Returns the options for decoding the whole message.
    #[inline]
    pub(crate) fn whole(&self) -> Decoding<'static> {
        Decoding { options: *self, projection: None }
    }
}

impl Decoding<'_> {
    /// Options for reading the whole message. This is a reference to a static, so the code that is compiled for each type
    /// only contains its address.
    pub(crate) const DEFAULT: &'static Decoding<'static> = {
        static DEFAULT: Decoding<'static> = Decoding { options: DecodeOptions::DEFAULT, projection: None };
        &DEFAULT
    };

    /// Decodes into a struct. Returns how much of the memory budget the struct, with its nested messages, took. If the type
    /// borrows from the input, the caller ensures that `bytes` outlives the message.
    pub(crate) fn fill_object(
        &self,
        message: TypedMut<'_, '_>,
        bytes: &[u8],
        shared: Option<&Bytes>,
        mode: Mode,
    ) -> Result<u64> {
        match self.projection {
            None => self.options.fill_object(message, bytes, shared, mode),
            Some(projection) => (projection.decode)(projection, self.options, message, bytes, shared, mode),
        }
    }

    /// Decodes a dynamic message. `table` is the table with all fields.
    ///
    /// # Errors
    /// The bytes are malformed, exceed a limit, or lack a required field, or `table` does not fit the projection.
    pub(crate) fn build(&self, table: &Table, bytes: &[u8]) -> Result<Building> {
        match self.projection {
            None => Building::decode(table, bytes, self.options),
            Some(projection) => {
                projection.check(bytes, self.options)?;
                Building::decode(projection.table_for(table)?, bytes, self.options)
            }
        }
    }
}
