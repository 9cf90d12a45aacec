//! Converts a message from the wire format to JSON. The message arrives in chunks, and may be too large for memory.
//!
//! The converter treats each field of the outermost message as a message with only this field, and converts this message to a
//! JSON object. It converts a list in groups of elements. It then copies the members of each object to the output.

mod fields;
mod part;

use self::fields::{Fields, Found, Treatment};
use self::part::{Part, members_of, number_of};
use super::wire_to_json_projected;
use crate::descriptor::{FieldDescriptor, MessageDescriptor};
use crate::error::{Error, Result};
use crate::json::Options;
use crate::message::projection::Projection;
use crate::table::{Row, Shape, Table, Tabled, WellKnown};
use crate::wire::{Reader, Tag, WireType};
use std::ops::Range;

/// Converts an encoded message to JSON while the chunks of the message arrive. It keeps only one field, or a few elements of a
/// list, in memory, and not the whole message.
///
/// ```
/// # use tobu::Message;
/// # use tobu_schemas::library;
/// use library::v1::{Book, Shelf};
/// use tobu::{json, convert::WireToJson};
///
/// let shelf = Shelf { books: vec![Book { title: "Dune".into(), ..Book::default() }; 2], ..Shelf::default() };
/// let mut converter = WireToJson::new(&Shelf::descriptor(), json::Options::new())?;
/// let mut text = Vec::new();
/// for chunk in tobu::to_vec(&shelf)?.chunks(3) {
///     converter.push(chunk, &mut text)?;
/// }
/// converter.finish(&mut text)?;
/// assert_eq!(text, br#"{"books":[{"title":"Dune"},{"title":"Dune"}]}"#);
/// # Ok::<(), tobu::Error>(())
/// ```
///
/// The text equals that of [`wire_to_json_with`](super::wire_to_json_with) if the fields are in the order of their numbers, as
/// canonical encoders write them.
///
/// If the fields are in another order, the converter writes them in the order of the input. But this is an error if [defaults
/// are written](Options::emit_defaults) or the text must be [deterministic](Options::deterministic). If a field occurs again
/// after other fields, or if another field of its oneof does, this is an error, because the field was already written. If a
/// message occurs several times, only its last occurrence must have the required fields. A value without a JSON form is an
/// error, even if a later occurrence of its field would replace it.
///
/// The converter buffers a message until its end if the message has a special JSON form, or if the message must be completely
/// [validated](Projection::validate).
///
/// Limits apply to each buffered field. The nesting limit applies to the whole message.
#[derive(Debug)]
pub struct WireToJson {
    projection: Projection,
    options: Options,
    /// The list whose elements are the whole output, if [`list`](Self::list) was called.
    list: Option<FieldDescriptor>,
    /// True if the message is buffered, and converted as a whole at its end.
    is_held: bool,
    fields: Fields,
    /// The field or oneof that is being collected.
    part: Option<Part>,
    /// The bytes that are converted at the end. They are fields that may be extensions, or a buffered message.
    rest: Vec<u8>,
    /// The numbers of the fields and oneofs that were seen, in ascending order.
    seen: Vec<u32>,
    /// The index of the row after the row of the field that was last written.
    next_row: usize,
    /// True if a member was written.
    any: bool,
    /// The JSON object to which the last field was converted.
    object: Vec<u8>,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Open,
    Finished,
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// It converts the field to a member. The number is the index of the field's row.
    Member(usize),
    MaybeExtension,
    Nothing,
}

impl WireToJson {
    /// Creates a converter of whole messages.
    ///
    /// # Errors
    /// The schema has a message with more fields than a codec supports.
    pub fn new(descriptor: &MessageDescriptor, options: Options) -> Result<Self> {
        Self::projected(Projection::new(descriptor, &["*"])?, options)
    }

    /// Creates a converter of selected fields of a message.
    ///
    /// # Errors
    /// The schema has a message with more fields than a codec supports.
    pub fn projected(projection: Projection, options: Options) -> Result<Self> {
        let has_own_form = projection.table()?.known != WellKnown::No;
        Ok(WireToJson {
            is_held: has_own_form || projection.validates(),
            fields: Fields::new(options.limits),
            projection,
            options,
            list: None,
            part: None,
            rest: Vec::new(),
            seen: Vec::new(),
            next_row: 0,
            any: false,
            object: Vec::new(),
            state: State::Open,
        })
    }

    /// Makes the output a JSON array with the elements of one list of the message. All other fields are skipped.
    ///
    /// # Errors
    /// The field is not a list of the message, or the message must be buffered until its end.
    pub fn list(mut self, field: &FieldDescriptor) -> Result<Self> {
        let descriptor = self.projection.descriptor();
        if !field.is_list() || field.message() != *descriptor || self.is_held {
            let (name, message) = (field.full_name(), descriptor.full_name());
            return Err(Error::schema(format!("{message} cannot be converted to the list {name}")));
        }
        self.list = Some(field.clone());
        Ok(self)
    }

    /// Sets the largest number of bytes that may be buffered for one element of a list, for any other field, or for a message
    /// that must be buffered until its end.
    #[must_use]
    pub fn max_held(mut self, bytes: u64) -> Self {
        self.fields.max_len = bytes;
        self
    }

    /// Adds a chunk of the message, and appends the JSON of the fields that are complete to `out`.
    ///
    /// # Errors
    /// The message is malformed, exceeds a limit, has a value without a JSON form, or has a field that occurs too late. After
    /// an error, the converter cannot be used any more, and the text in `out` is incomplete.
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.attempt(|this| match this.is_held {
            true => {
                this.fields.check_len((this.rest.len() + chunk.len()) as u64)?;
                this.rest.extend_from_slice(chunk);
                Ok(())
            }
            false => {
                this.fields.push(chunk);
                this.convert(out)
            }
        })
    }

    /// Appends the end of the text. Call this at the end of the message.
    ///
    /// # Errors
    /// Fails if [`push`](Self::push) would fail, or if a required field is missing.
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        self.attempt(|this| {
            this.fields.finish();
            match this.is_held {
                true => wire_to_json_projected(&this.projection, &this.rest, out, &this.options)?,
                false => {
                    this.convert(out)?;
                    let descriptor = this.projection.descriptor().clone();
                    this.end(descriptor.table()?, out)?;
                }
            }
            this.state = State::Finished;
            Ok(())
        })
    }

    fn attempt(&mut self, run: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let done = match self.state {
            State::Open => run(self),
            State::Finished => Err(Error::ty("the message has already ended")),
            State::Failed => Err(Error::ty("an earlier attempt to convert the message failed")),
        };
        done.map_err(|error| {
            self.state = State::Failed;
            let depth = self.options.limits.max_depth();
            error.of_max_depth(depth).in_message(self.projection.descriptor().full_name())
        })
    }

    /// Converts all fields that have been received completely.
    fn convert(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let descriptor = self.projection.descriptor().clone();
        let table = descriptor.table()?;
        loop {
            let (projection, list) = (&self.projection, self.list.as_ref());
            let treatment = |tag: Tag| {
                Ok(match role(projection, table, list, tag)? {
                    Role::Nothing => Treatment::Pass,
                    Role::Member(row)
                        if tag.wire_type() == WireType::Len && table.rows[row].other_tag != 0 =>
                    {
                        Treatment::Numbers(table.rows[row].kind.wire_type())
                    }
                    _ => Treatment::Whole,
                })
            };
            match self.fields.next(treatment) {
                Ok(Some(found)) => self.take(table, found, out)?,
                Ok(None) => break,
                Err(error) => return Err(self.in_current(table, error)),
            }
        }
        match &self.part {
            Some(part) if part.is_list => self.write_part(table, out),
            _ => Ok(()),
        }
    }

    /// Adds the field that is being read to the path of an error.
    fn in_current(&self, table: &Table, error: Error) -> Error {
        let Some(row) = self.fields.current().and_then(|number| table.row(number)) else { return error };
        let before = self.part.as_ref().filter(|part| part.number == row.number).map_or(0, Part::elements);
        match row.shape {
            Shape::List => error.in_index(before).in_field(&row.name),
            _ => error.in_field(&row.name),
        }
    }

    /// Adds a field to the part, which is the field or oneof that is being collected.
    fn take(&mut self, table: &Table, found: Found, out: &mut Vec<u8>) -> Result<()> {
        let Role::Member(row) = role(&self.projection, table, self.list.as_ref(), found.tag)? else {
            self.rest.extend_from_slice(self.fields.bytes(found));
            return self.fields.check_len(self.rest.len() as u64);
        };
        let row = &table.rows[row];
        if row.closed && !has_value(row, found, self.fields.bytes(found)) {
            return Ok(());
        }
        if self.part.as_ref().is_none_or(|part| part.number != number_of(table, row)) {
            self.end_part(table, out)?;
            let part = self.begin_part(table, row);
            self.part = Some(part.map_err(|error| error.at_byte(found.start as usize).in_field(&row.name))?);
        }
        if self.part.as_ref().is_some_and(|part| part.is_full(found)) {
            self.write_part(table, out)?;
        }
        let Some(part) = &mut self.part else { return Ok(()) };
        part.row = row.index.into();
        part.add(found, self.fields.bytes(found))?;
        let (held, is_list) = (part.held(), part.is_list);
        match is_list {
            true => Ok(()),
            false => self.fields.check_len(held).map_err(|error| self.in_current(table, error)),
        }
    }

    fn begin_part(&mut self, table: &Table, row: &Row) -> Result<Part> {
        let part = Part::new(&self.projection, table, row);
        match self.seen.binary_search(&part.number) {
            Ok(_) => {
                return Err(Error::syntax(
                    "the field comes again after other fields, but it is already converted",
                ));
            }
            Err(at) => self.seen.insert(at, part.number),
        }
        if part.row < self.next_row && (self.options.emit_defaults || self.options.deterministic) {
            return Err(Error::syntax(
                "the field comes after a field with a higher number, but must come before it",
            ));
        }
        Ok(part)
    }

    fn write_part(&mut self, table: &Table, out: &mut Vec<u8>) -> Result<()> {
        let Some(mut part) = self.part.take_if(|part| !part.is_empty()) else { return Ok(()) };
        let row = &table.rows[part.row];
        self.object.clear();
        part.convert(row, &self.options, &mut self.object)?;
        let object = std::mem::take(&mut self.object);
        let members = self.members(&object);
        if part.is_list {
            let key = if self.options.proto_field_names { row.proto_key() } else { row.json_key() }.text();
            // The text before the elements is `{"key":[` and the text after them is `]}`. If `pretty` is on, both have line
            // breaks and spaces, too.
            let (open, close) = if self.options.pretty { (key.len() + 5, 6) } else { (key.len() + 1, 2) };
            let elements = object.get(open..object.len().saturating_sub(close)).unwrap_or_default();
            if !elements.is_empty() {
                match part.is_open {
                    true => out.push(b','),
                    false if self.list.is_some() => {
                        out.push(b'[');
                        self.any = true;
                    }
                    false => {
                        self.write_absent(table, part.row, out)?;
                        self.write_members(&object[1..open], out);
                    }
                }
                out.extend_from_slice(elements);
                part.is_open = true;
            }
        } else if !members.is_empty() {
            self.write_absent(table, part.row, out)?;
            self.write_members(members, out);
        }
        self.object = object;
        self.part = Some(part);
        Ok(())
    }

    fn end_part(&mut self, table: &Table, out: &mut Vec<u8>) -> Result<()> {
        self.write_part(table, out)?;
        if let Some(part) = self.part.take().filter(|part| part.is_list) {
            match part.is_open {
                true => out.extend_from_slice(if self.options.pretty { b"\n  ]" } else { b"]" }),
                // No element was written, because all numbers of the list were unknown to its enum.
                false => self.seen.retain(|number| *number != part.number),
            }
        }
        Ok(())
    }

    fn end(&mut self, table: &Table, out: &mut Vec<u8>) -> Result<()> {
        self.end_part(table, out)?;
        if self.list.is_some() {
            out.extend_from_slice(if self.any { b"" } else { b"[]" });
            return Ok(());
        }
        self.write_absent(table, table.rows.len(), out)?;
        if !self.options.emit_defaults && !table.required.is_empty() {
            self.absent(table, 0..table.rows.len())?;
        }
        if !self.rest.is_empty() {
            let unknown = self.projection.within(&[]).keep_unknown(true);
            self.object.clear();
            wire_to_json_projected(&unknown, &self.rest, &mut self.object, &self.options)?;
            self.write_object(out);
        }
        out.extend_from_slice(match (self.any, self.options.pretty) {
            (false, _) => b"{}",
            (true, false) => b"}",
            (true, true) => b"\n}",
        });
        Ok(())
    }

    /// If defaults are written, writes the fields before the row `row` that were not seen.
    fn write_absent(&mut self, table: &Table, row: usize, out: &mut Vec<u8>) -> Result<()> {
        if self.options.emit_defaults {
            self.absent(table, self.next_row..row)?;
            self.write_object(out);
        }
        self.next_row = row + 1;
        Ok(())
    }

    /// Converts those fields of `rows` that were not seen to the object `self.object`.
    ///
    /// # Errors
    /// One of these fields is required.
    fn absent(&mut self, table: &Table, rows: Range<usize>) -> Result<()> {
        let mut absent = Vec::new();
        for row in table.rows.get(rows).unwrap_or_default() {
            if self.seen.binary_search(&number_of(table, row)).is_err() {
                absent.push(row.number);
            }
        }
        let absent = self.projection.within(&absent);
        self.object.clear();
        wire_to_json_projected(&absent, b"", &mut self.object, &self.options)
    }

    /// Writes the members of the object `self.object`.
    fn write_object(&mut self, out: &mut Vec<u8>) {
        let object = std::mem::take(&mut self.object);
        self.write_members(self.members(&object), out);
        self.object = object;
    }

    fn write_members(&mut self, members: &[u8], out: &mut Vec<u8>) {
        if !members.is_empty() {
            out.push(if self.any { b',' } else { b'{' });
            out.extend_from_slice(members);
            self.any = true;
        }
    }

    /// Returns the text between the braces of an object, without the end of the last line.
    fn members<'t>(&self, object: &'t [u8]) -> &'t [u8] {
        let close = if self.options.pretty && object.len() > 2 { 2 } else { 1 };
        &object[1..object.len() - close]
    }
}

/// False if the field has an unknown number of a closed enum. Such a field is an unknown field.
fn has_value(row: &Row, found: Found, bytes: &[u8]) -> bool {
    let mut reader = Reader::new(bytes);
    found.is_numbers || reader.tag().is_ok_and(|tag| row.takes_value(tag, reader))
}

/// Decides what to do with a field that has the tag `tag`.
fn role(projection: &Projection, table: &Table, list: Option<&FieldDescriptor>, tag: Tag) -> Result<Role> {
    let asked = projection.table()?;
    let Some(row) = table.row(tag.number()).filter(|row| row.takes(tag)) else {
        let may_be = list.is_none() && asked.extendable;
        return Ok(if may_be { Role::MaybeExtension } else { Role::Nothing });
    };
    let is_member = match list {
        Some(list) => list.number() == row.number,
        None => members_of(table, row).iter().any(|number| asked.row(*number).is_some()),
    };
    Ok(if is_member { Role::Member(row.index.into()) } else { Role::Nothing })
}
