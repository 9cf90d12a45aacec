//! Collects the wire bytes of a message that is written through serde's data model. The values come one after another; before
//! each value, a call sets its target.
//!
//! Fields are written in the order of the calls, and sorted at the end. If a field is written twice, the bytes contain the
//! field twice, and readers would merge both occurrences. Therefore such bytes are decoded and encoded again.

use crate::error::{Error, Result};
use crate::object::arena::building::Building;
use crate::object::arena::object::MessageFill;
use crate::object::wire::sink::{put_packed, put_scalar};
use crate::object::wire::sort::{Sorter, key_text};
use crate::options::EncodeOptions;
use crate::table::{Kind, Presence, Row, Shape, Table};
use crate::wire::{Open, Tag, WireType, Writer};
use std::ops::Range;

/// The bytes of one message. The message begins when the serializer writes its first member.
#[derive(Debug, Default)]
pub(crate) struct Written {
    writer: Writer,
    options: EncodeOptions,
    is_begun: bool,
    /// True if sorting alone does not make the bytes canonical: a field or a oneof was written twice, or a map needs an
    /// order.
    is_repeated: bool,
    /// For each open message, a bit for each field from the 65th on, which is 1 if the field was written.
    more: Vec<u64>,
    /// The unknown fields of the open messages.
    unknown: Vec<u8>,
    sorter: Sorter,
}

/// The target of the next value: a field of a message, an element of a list, or the key or value of a map entry.
pub(crate) struct ValueWriter<'a, 't> {
    out: &'a mut Written,
    /// The table of the message that has the value, or that has its list or map.
    table: &'t Table,
    /// The row of the field; `None` at first.
    row: Option<&'t Row>,
    /// The kind of the next value, if it is a single value that needs no further checks: the value of a field outside of
    /// oneofs, or an element, key or value of a list or map.
    plain: Option<Kind>,
    role: Role,
    /// A bit for each of the first 64 fields of the message, which is 1 if the field was written.
    seen: u64,
    /// The index in `Written::more` of the first word of this message.
    more: usize,
    /// The index of the row that was written last.
    last: u16,
    /// True if a field was written after a field with a larger number.
    is_unsorted: bool,
    /// The position of the first field.
    start: usize,
    /// The range of the unknown fields of this message in `Written::unknown`.
    unknown: Range<usize>,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The value of a field. A default value is not written if the field has no presence.
    Field,
    /// An element of a list, or the key or value of a map entry.
    Element,
    /// An element of a packed list, which has no tag.
    Packed,
}

/// The bytes that belong after the fields of a message.
enum End {
    Nothing,
    Length(Open),
    Group(u32),
}

/// A list that is being written. For a packed list, the place for the length.
pub(crate) struct ListWriter(Option<Open>);

pub(crate) struct EntryWriter {
    length: Open,
    /// The position of the entry's key.
    start: usize,
}

impl Written {
    /// Creates a buffer in which no message was begun.
    pub(crate) fn new(options: EncodeOptions) -> Self {
        Written { options, ..Written::default() }
    }

    /// Starts an empty message, which replaces the old bytes.
    #[inline]
    pub(crate) fn start<'a, 't>(&'a mut self, table: &'t Table) -> ValueWriter<'a, 't> {
        (self.is_begun, self.is_repeated) = (true, false);
        self.more.clear();
        self.unknown.clear();
        self.writer.restart(Vec::with_capacity(table.learned_size()));
        ValueWriter::new(self, table, End::Nothing)
    }

    pub(crate) fn options(&self) -> EncodeOptions {
        self.options
    }

    /// Replaces the bytes by an encoded message, whose fields may be in any order and in any valid encoding.
    pub(crate) fn replace(&mut self, bytes: Vec<u8>) {
        (self.is_begun, self.is_repeated) = (true, true);
        self.writer.restart(bytes);
    }

    pub(crate) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Returns the bytes of a complete message, with its fields in the order of their numbers.
    ///
    /// # Errors
    /// A length exceeds 2 GiB.
    #[inline]
    pub(crate) fn take(&mut self, table: &Table) -> Result<Vec<u8>> {
        let bytes = self.writer.take()?;
        table.learn_size(bytes.len());
        match self.is_repeated {
            true => self.canonical(table, bytes),
            false => Ok(bytes),
        }
    }

    #[inline(never)]
    fn canonical(&self, table: &Table, bytes: Vec<u8>) -> Result<Vec<u8>> {
        let (building, mut bytes) = (Building::of_bytes(table, bytes.into())?, Vec::new());
        building.encode(table, self.options.partial(true), &mut bytes)?;
        Ok(bytes)
    }

    /// Returns a complete message in an arena.
    pub(crate) fn build(&mut self, table: &Table) -> Result<Building> {
        Building::of_bytes(table, self.writer.take()?.into())
    }
}

impl<'a, 't> ValueWriter<'a, 't> {
    #[inline]
    fn new(out: &'a mut Written, table: &'t Table, end: End) -> Self {
        let (role, more, start) = (Role::Field, out.more.len(), out.writer.position());
        let unknown = out.unknown.len()..out.unknown.len();
        if table.rows.len() > 64 {
            out.more.resize(more + more_words(table), 0);
        }
        ValueWriter {
            out,
            table,
            row: None,
            plain: None,
            role,
            seen: 0,
            more,
            last: 0,
            is_unsorted: false,
            start,
            unknown,
            end,
        }
    }

    /// Returns the index in `Written::more` of the word for a field from the 65th on, and the mask for the bit of the field.
    fn more_bit(&self, index: u16) -> (usize, u64) {
        (self.more + usize::from(index / 64) - 1, 1 << (index % 64))
    }

    pub(crate) fn options(&self) -> EncodeOptions {
        self.out.options
    }

    /// Returns the buffer of the message, which has ended.
    pub(crate) fn into_written(self) -> &'a mut Written {
        self.out
    }

    #[inline]
    pub(crate) fn table(&self) -> &'t Table {
        self.table
    }

    /// Returns the row of the field that is the target.
    ///
    /// # Panics
    /// If no field was set as the target.
    #[inline]
    pub(crate) fn row(&self) -> &'t Row {
        self.row.expect("the field of a value is set before the value")
    }

    /// Makes a field of the message the target of the next value.
    #[inline]
    pub(crate) fn set_row(&mut self, row: &'t Row) {
        (self.row, self.plain) = (Some(row), row.plain);
    }

    /// Returns the kind of the next value, if [`put`](Self::put) may write it.
    #[inline]
    pub(crate) fn plain(&self) -> Option<Kind> {
        self.plain
    }

    /// Writes a plain value, whose kind the caller knows. `bits` are the bits of a number, bool or enum.
    #[inline]
    pub(crate) fn put(&mut self, kind: Kind, bits: u64) {
        let row = self.row();
        if self.role == Role::Packed {
            return self.put_packed(kind, bits);
        }
        if self.role == Role::Element || self.begin(row, bits == 0) {
            self.out.writer.with_cursor(|cursor| put_scalar(cursor, row, kind, bits));
        }
    }

    #[inline(never)]
    fn put_packed(&mut self, kind: Kind, bits: u64) {
        self.out.writer.with_cursor(|cursor| put_packed(cursor, kind, &[bits]));
    }

    /// Records that the field `row` is written next. Returns false if the value is a default value that is not written.
    #[inline]
    fn begin(&mut self, row: &Row, is_default: bool) -> bool {
        let is_present = self.is_present(row);
        if is_default && row.presence == Presence::Implicit && !is_present {
            return false;
        }
        if is_present || row.oneof.is_some() && self.has_sibling(row) {
            self.out.is_repeated = true;
        }
        self.is_unsorted |= row.index < self.last;
        self.last = row.index;
        if row.index < 64 {
            self.seen |= 1 << row.index;
        } else {
            let (word, bit) = self.more_bit(row.index);
            self.out.more[word] |= bit;
        }
        true
    }

    #[inline(never)]
    fn has_sibling(&self, row: &Row) -> bool {
        let oneof = row.oneof.and_then(|oneof| self.table.oneofs.get(usize::from(oneof)));
        oneof.is_some_and(|oneof| {
            oneof.rows.iter().any(|&other| self.is_present(&self.table.rows[usize::from(other)]))
        })
    }

    #[inline]
    pub(crate) fn is_present(&self, row: &Row) -> bool {
        if row.index < 64 {
            return self.seen >> row.index & 1 != 0;
        }
        let (word, bit) = self.more_bit(row.index);
        self.out.more[word] & bit != 0
    }

    /// Returns the position of the next member.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.out.writer.position()
    }

    /// Removes the bytes of a member that failed. They begin at `position`.
    #[cold]
    pub(crate) fn back_to(&mut self, position: usize) {
        if self.position() == position {
            return;
        }
        self.out.writer.truncate(position);
        self.out.more.truncate(self.more + more_words(self.table));
        match self.row {
            Some(row) if row.index < 64 => self.seen &= !(1 << row.index),
            Some(row) => {
                let (word, bit) = self.more_bit(row.index);
                self.out.more[word] &= !bit;
            }
            None => {}
        }
    }

    /// Appends to the unknown fields of the message, which are written after all other fields.
    pub(crate) fn add_unknown(&mut self, fields: &[u8]) {
        self.out.unknown.truncate(self.unknown.end);
        self.out.unknown.extend_from_slice(fields);
        self.unknown.end += fields.len();
    }

    /// Checks that a value of this shape fits the target.
    ///
    /// # Errors
    /// The shape is not the shape of the target, or `is_of_kind` is false.
    #[inline]
    fn check(&self, shape: Shape, is_of_kind: bool) -> Result<()> {
        let expected = if self.role == Role::Field { self.row().shape } else { Shape::Singular };
        match is_of_kind && shape == expected {
            true => Ok(()),
            false => Err(Error::ty("the value does not fit the field")),
        }
    }

    /// Sets a number, bool or enum.
    ///
    /// # Errors
    /// The field has another kind.
    #[inline]
    pub(crate) fn set_scalar(&mut self, bits: u64) -> Result<()> {
        let row = self.row();
        self.check(Shape::Singular, row.is_scalar())?;
        self.put(row.kind, bits);
        Ok(())
    }

    /// Sets a string or byte string. The caller has checked that a string is UTF-8.
    ///
    /// # Errors
    /// The field has another kind.
    #[inline]
    pub(crate) fn set_text(&mut self, bytes: &[u8]) -> Result<()> {
        let row = self.row();
        self.check(Shape::Singular, row.is_text())?;
        if self.role != Role::Field || self.begin(row, bytes.is_empty()) {
            self.out.writer.with_cursor(|cursor| {
                cursor.short_and_len_prefixed(row.tag_bytes, row.tag_len, bytes);
            });
        }
        Ok(())
    }

    /// Opens the message in the field. The caller must call [`end`](Self::end) of the result.
    ///
    /// # Errors
    /// The field has another kind.
    #[inline]
    pub(crate) fn child(&mut self) -> Result<ValueWriter<'_, 't>> {
        let row = self.row();
        let table = row.message()?;
        self.check(Shape::Singular, true)?;
        if self.role == Role::Field {
            self.begin(row, false);
        }
        let end = match row.kind {
            Kind::Group => {
                self.out.writer.with_cursor(|cursor| cursor.short(row.tag_bytes, row.tag_len));
                End::Group(row.number)
            }
            _ => End::Length(self.open(row)),
        };
        Ok(ValueWriter::new(self.out, table, end))
    }

    #[inline]
    fn open(&mut self, row: &Row) -> Open {
        self.out.writer.with_cursor(|cursor| cursor.short_and_open_again(row.tag_bytes, row.tag_len))
    }

    /// Ends the message.
    ///
    /// # Errors
    /// The fields cannot be sorted, because unknown fields in a group are malformed.
    #[inline]
    pub(crate) fn end(&mut self) -> Result<()> {
        // Occurrences of one field must keep their order, so a message with repeated fields is not sorted here but encoded
        // anew later.
        if self.is_unsorted && !self.out.is_repeated {
            self.sort()?;
        }
        self.out.more.truncate(self.more);
        if !self.unknown.is_empty() {
            let Written { writer, unknown, .. } = &mut *self.out;
            writer.raw(&unknown[self.unknown.clone()]);
            unknown.truncate(self.unknown.start);
        }
        match std::mem::replace(&mut self.end, End::Nothing) {
            End::Nothing => {}
            End::Length(open) => self.out.writer.close(open),
            End::Group(number) => self.out.writer.tag(Tag::new(number, WireType::EndGroup)),
        }
        Ok(())
    }

    #[inline(never)]
    fn sort(&mut self) -> Result<()> {
        self.out.sorter.sort_fields(self.table, self.out.writer.complete(self.start))
    }

    /// Fills the message in the field: calls `fill` with a message in an arena, and writes this message.
    ///
    /// # Errors
    /// The field has another kind, or `fill` fails.
    pub(crate) fn fill_child(
        &mut self,
        fill: impl FnOnce(&mut MessageFill<'_, 't>) -> Result<()>,
    ) -> Result<()> {
        let mut message = self.child()?;
        let (mut building, mut bytes) = (Building::default(), Vec::new());
        fill(&mut building.start(message.table))?;
        building.encode(message.table, message.options(), &mut bytes)?;
        message.out.writer.raw(&bytes);
        message.end()
    }

    /// Returns the target for an element of a list, or for a key or value of a map.
    #[inline]
    fn part(&mut self, row: &'t Row, role: Role) -> ValueWriter<'_, 't> {
        let ValueWriter { table, more, start, .. } = *self;
        let (row, plain, end) = (Some(row), Some(row.kind), End::Nothing);
        ValueWriter {
            out: self.out,
            table,
            row,
            plain,
            role,
            seen: 0,
            more,
            last: 0,
            is_unsorted: false,
            start,
            unknown: 0..0,
            end,
        }
    }

    /// Opens the list in the field, and returns the target for its elements.
    ///
    /// # Errors
    /// The field is not a list.
    pub(crate) fn list(&mut self) -> Result<(ListWriter, ValueWriter<'_, 't>)> {
        let row = self.row();
        self.check(Shape::List, true)?;
        self.begin(row, false);
        match row.packed {
            true => Ok((ListWriter(Some(self.open(row))), self.part(row, Role::Packed))),
            false => Ok((ListWriter(None), self.part(row, Role::Element))),
        }
    }

    pub(crate) fn end_list(&mut self, list: ListWriter) {
        if let ListWriter(Some(length)) = list {
            self.out.writer.close(length);
        }
    }

    /// Begins the map in the field.
    ///
    /// # Errors
    /// The field is not a map.
    pub(crate) fn map(&mut self) -> Result<()> {
        let row = self.row();
        self.check(Shape::Map, true)?;
        self.begin(row, false);
        let (_, is_deterministic, _) = self.out.options.parts();
        self.out.is_repeated |= is_deterministic;
        Ok(())
    }

    #[inline]
    pub(crate) fn begin_entry(&mut self) -> EntryWriter {
        let length = self.open(self.row());
        EntryWriter { length, start: self.position() }
    }

    #[inline]
    pub(crate) fn key(&mut self) -> ValueWriter<'_, 't> {
        self.part(&self.row().map().key, Role::Element)
    }

    #[inline]
    pub(crate) fn value(&mut self) -> ValueWriter<'_, 't> {
        self.part(&self.row().map().value, Role::Element)
    }

    #[inline]
    pub(crate) fn end_entry(&mut self, entry: EntryWriter) {
        self.out.writer.close(entry.length);
    }

    /// Returns the key of an entry as text, for the error of its value.
    #[cold]
    pub(crate) fn key_text(&mut self, entry: &EntryWriter) -> String {
        key_text(self.row().map().key.kind, &self.out.writer.bytes()[entry.start..])
    }
}

/// Returns the number of words that hold the bits of the fields from the 65th on.
fn more_words(table: &Table) -> usize {
    table.rows.len().saturating_sub(1) / 64
}
