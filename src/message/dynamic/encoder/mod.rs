//! Encodes values directly to the wire format by a schema that is known only at run time, without a message in between.
//!
//! `field` resolves handles, `kind` says which Rust types represent which kinds of fields, `record` and `put` write, and
//! `selection` knows which fields are enabled.

mod field;
mod kind;
mod put;
mod record;
mod sealed;
mod selection;

pub use field::{Field, FieldKey};
pub use kind::{FieldType, KeyType, List, Map, MessageType, Nested, ValueType};
pub use record::Record;

use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::limits::Limits;
use crate::object::wire::sort::Sorter;
use crate::table::{Table, Tabled};
use crate::wire::Writer;
use record::{Root, State};
use selection::Selection;
use std::fmt;

/// Encodes records of a message type that is known at run time, directly to the wire format.
///
/// A handle is resolved once, with the Rust type of its field's values. A record is then written value by value, without a
/// message in between and, once the buffers have grown, without an allocation. Fields can be disabled and enabled between
/// records; values for a disabled field are not written.
///
/// ```
/// # use tobu::Message;
/// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
/// use tobu::dynamic::Encoder;
///
/// let mut encoder = Encoder::new(&descriptor)?;
/// let title = encoder.field::<str>("title")?;
/// let pages = encoder.field::<u32>("pages")?;
///
/// let mut out = Vec::new();
/// let mut record = encoder.record(&mut out);
/// record.put(&title, "Dune");
/// record.put(&pages, 412);
/// record.finish()?;
/// assert_eq!(out, b"\x0a\x04Dune\x18\x9c\x03");
///
/// encoder.disable("pages")?;
/// out.clear();
/// let mut record = encoder.record(&mut out);
/// record.put(&title, "Emma");
/// record.put(&pages, 474);
/// record.finish()?;
/// assert_eq!(out, b"\x0a\x04Emma");
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// Fields are written in the order in which they are put, or [by their numbers](Self::by_number). A default value of a
/// field without presence is not written, as in all messages. Extensions and unknown fields cannot be put.
///
/// A clone has the same settings and separate buffers; handles are valid for all encoders of the message type, on
/// all threads.
///
/// Specification: <https://protobuf.dev/programming-guides/encoding/>.
pub struct Encoder {
    descriptor: MessageDescriptor,
    selection: Selection,
    limits: Limits,
    partial: bool,
    by_number: bool,
    writer: Writer,
    state: State,
    /// For each open message, a bit for each field that can still be put.
    open: Vec<u64>,
    sorter: Sorter,
}

impl Encoder {
    /// Creates an encoder of a message type, all of whose fields are enabled.
    ///
    /// # Errors
    /// The schema has a message with more than 65,534 fields, which is more than a codec can handle.
    pub fn new(descriptor: &MessageDescriptor) -> Result<Self> {
        Ok(Encoder {
            selection: Selection::all(descriptor.table()?),
            descriptor: descriptor.clone(),
            limits: Limits::default(),
            partial: false,
            by_number: false,
            writer: Writer::new(),
            state: State::default(),
            open: Vec::new(),
            sorter: Sorter::default(),
        })
    }

    /// If `yes` is true, required fields may be missing.
    #[must_use]
    pub fn partial(mut self, yes: bool) -> Self {
        self.partial = yes;
        self
    }

    /// Sets the limits. Only the depth applies to encoding.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Writes fields in the order of their numbers, as other encoders do, whatever the order of calls. Map entries
    /// keep the order of calls.
    ///
    /// This costs nothing if the fields of a record are put in this order anyway.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::Encoder;
    ///
    /// let mut encoder = Encoder::new(&descriptor)?.by_number(true);
    /// let (title, pages) = (encoder.field::<str>("title")?, encoder.field::<u32>("pages")?);
    /// let mut out = Vec::new();
    /// let mut record = encoder.record(&mut out);
    /// record.put(&pages, 3);
    /// record.put(&title, "Dune");
    /// record.finish()?;
    /// assert_eq!(out, b"\x0a\x04Dune\x18\x03");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    #[must_use]
    pub fn by_number(mut self, yes: bool) -> Self {
        self.by_number = yes;
        self
    }

    /// Returns the descriptor of the messages.
    pub fn descriptor(&self) -> &MessageDescriptor {
        &self.descriptor
    }

    /// Returns the handle of a field, by its number, its proto name or its JSON name. `T` is the type of its values:
    ///
    /// | field | `T` |
    /// | --- | --- |
    /// | `int32`, `sint32`, `sfixed32`, an enum | `i32` |
    /// | `int64`, `sint64`, `sfixed64` | `i64` |
    /// | `uint32`, `fixed32` | `u32` |
    /// | `uint64`, `fixed64` | `u64` |
    /// | `bool`, `float`, `double` | `bool`, `f32`, `f64` |
    /// | `string` | `str`; or `[u8]` if the schema does not require UTF-8 |
    /// | `bytes` | `[u8]` |
    /// | a message | [`Nested`] |
    /// | a repeated field | [`List<T>`](List) of these |
    /// | a map | [`Map<K, V>`](Map) of these |
    ///
    /// The schema determines how a number is written.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::Encoder;
    ///
    /// let encoder = Encoder::new(&descriptor)?;
    /// assert_eq!(encoder.field::<u32>(3)?.name(), "pages");
    ///
    /// let error = encoder.field::<u64>("title").unwrap_err();
    /// assert_eq!(error.to_string(), "library.v1.Book.title: the field is a string, but the Rust type is u64");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// The message has no such field, or the field has values of another type.
    pub fn field<'k, T: FieldType + ?Sized>(&self, key: impl Into<FieldKey<'k>>) -> Result<Field<T>> {
        Field::find(&self.descriptor, key.into())
    }

    /// Enables a field, by its number or by its path: `title`, `loan.reader`. If the path leads into a message that
    /// is disabled, only this field of the message becomes enabled.
    ///
    /// # Errors
    /// There is no such field, or the path leads through a field that is not a single message.
    pub fn enable<'k>(&mut self, key: impl Into<FieldKey<'k>>) -> Result<()> {
        self.selection.enable(&self.descriptor, key.into())
    }

    /// Disables a field, by its number or by its path: from the next record on, values for it are not written.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::Encoder;
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// encoder.disable("loan.days")?;
    /// assert!(encoder.is_enabled("loan.reader")?);
    /// assert!(!encoder.is_enabled("loan.days")?);
    ///
    /// let error = encoder.disable("loan.day").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     r#"library.v1.Book: the path "loan.day": library.v1.Loan has no field "day""#
    /// );
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// Fails if [`enable`](Self::enable) would fail.
    pub fn disable<'k>(&mut self, key: impl Into<FieldKey<'k>>) -> Result<()> {
        self.selection.disable(&self.descriptor, key.into())
    }

    /// Enables all fields.
    pub fn enable_all(&mut self) {
        self.selection = Selection::all(self.table());
    }

    /// Disables all fields.
    pub fn disable_all(&mut self) {
        self.selection = Selection::none(self.table());
    }

    /// Enables exactly the fields that the paths of a mask name.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::Encoder;
    /// use tobu::types::FieldMask;
    ///
    /// let mask: FieldMask = "title,loan.days".parse().unwrap();
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// encoder.set_mask(&mask.paths)?;
    /// assert!(encoder.is_enabled("title")? && encoder.is_enabled("loan.days")?);
    /// assert!(!encoder.is_enabled("pages")? && !encoder.is_enabled("loan.reader")?);
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// # Errors
    /// A path does not fit the message, with the errors of [`enable`](Self::enable). Nothing is then changed.
    pub fn set_mask<P: AsRef<str>>(&mut self, paths: &[P]) -> Result<()> {
        let mut selection = Selection::none(self.table());
        for path in paths {
            selection.enable(&self.descriptor, path.as_ref().into())?;
        }
        self.selection = selection;
        Ok(())
    }

    /// True if values of a field are written. A message that is enabled in part counts as enabled, even after all of its fields
    /// were disabled one by one.
    ///
    /// # Errors
    /// Fails if [`enable`](Self::enable) would fail.
    pub fn is_enabled<'k>(&self, key: impl Into<FieldKey<'k>>) -> Result<bool> {
        self.selection.is_enabled(&self.descriptor, key.into())
    }

    /// Begins a record, which is appended to `out` when it is finished.
    #[inline]
    pub fn record<'e>(&'e mut self, out: &'e mut Vec<u8>) -> Record<'e> {
        self.begin(out, false)
    }

    /// Begins a record. Its length is written before it, as in streams of messages.
    ///
    /// ```
    /// # use tobu::Message;
    /// # let descriptor = tobu_schemas::library::v1::Book::descriptor();
    /// use tobu::dynamic::Encoder;
    ///
    /// let mut encoder = Encoder::new(&descriptor)?;
    /// let title = encoder.field::<str>("title")?;
    /// let mut out = Vec::new();
    /// for text in ["Dune", "Emma"] {
    ///     let mut record = encoder.record_delimited(&mut out);
    ///     record.put(&title, text);
    ///     record.finish()?;
    /// }
    /// assert_eq!(out, b"\x06\x0a\x04Dune\x06\x0a\x04Emma");
    /// # Ok::<(), tobu::Error>(())
    /// ```
    ///
    /// Specification: <https://protobuf.dev/programming-guides/techniques/#streaming>.
    #[inline]
    pub fn record_delimited<'e>(&'e mut self, out: &'e mut Vec<u8>) -> Record<'e> {
        self.begin(out, true)
    }

    #[inline]
    fn begin<'e>(&'e mut self, out: &'e mut Vec<u8>, is_delimited: bool) -> Record<'e> {
        let table = self.descriptor.table().expect("the table was built when the encoder was made");
        let enabled = self.selection.bits();
        let state = &mut self.state;
        state.begin(self.partial, self.limits.max_depth(), enabled.len());
        if self.open.len() < state.words {
            self.open.resize(state.words, 0);
        }
        let (open, rest) = self.open.split_at_mut(enabled.len());
        open.copy_from_slice(enabled);
        let start = out.len();
        self.writer.restart(std::mem::take(out));
        let mut cursor = self.writer.cursor();
        let length = is_delimited.then(|| cursor.short_and_open_again([0; 8], 0));
        let sorter = self.by_number.then_some(&mut self.sorter);
        Record {
            cursor,
            open,
            enabled,
            message: std::ptr::from_ref(table).addr(),
            last: 0,
            is_unsorted: false,
            depth: self.limits.max_depth().saturating_sub(1),
            table,
            selection: Some(&self.selection),
            state,
            rest,
            taken: enabled.len(),
            root: Some(Root { out, start, length, is_delimited, sorter }),
        }
    }

    fn table(&self) -> &Table {
        self.descriptor.table().expect("the table was built when the encoder was made")
    }
}

impl Clone for Encoder {
    fn clone(&self) -> Self {
        Encoder {
            descriptor: self.descriptor.clone(),
            selection: self.selection.clone(),
            limits: self.limits,
            partial: self.partial,
            by_number: self.by_number,
            writer: Writer::new(),
            state: State::default(),
            open: Vec::new(),
            sorter: Sorter::default(),
        }
    }
}

impl fmt::Debug for Encoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Encoder").field(&self.descriptor.full_name()).finish()
    }
}
