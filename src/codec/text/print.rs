//! Prints messages in the text format.
//!
//! Specification: <https://protobuf.dev/reference/protobuf/textformat-spec/#fields>.

mod any;
mod unknown;

use crate::codec::any_object::AnyObject;
use crate::codec::element::in_key;
use crate::codec::scalar::PrintScalar;
use crate::error::{Error, LimitError, Result};
use crate::layout::KeyRef;
use crate::object::arena::words::max_cells;
use crate::object::wire::{WireState, WireView};
use crate::object::{Field, Numbers, Object, ObjectList, ObjectMap, Visit};
use crate::syntax::json::print::Key;
use crate::syntax::text::print::Printer;
use crate::table::{Kind, Row, Table, WellKnown};
use crate::text::Options;
use bytes::Bytes;

/// Appends a message as text to a buffer. `known` has the parts of the printer that need descriptors. A program that passes
/// `None` does not contain the code for descriptors.
///
/// # Errors
/// A string is not UTF-8, a required field is missing, or a limit is exceeded. The buffer is then unchanged.
pub(crate) fn print(
    message: AnyObject<'_>,
    options: &Options,
    known: Option<&'static Known>,
    buf: &mut Vec<u8>,
) -> Result<()> {
    // `print_as` is compiled for each storage, because a match at each access would cost a third of the speed.
    match message {
        AnyObject::Typed(message) => print_as(message, options, known, false, buf),
        AnyObject::Arena(message) => print_as(message, options, known, false, buf),
    }
}

/// Appends an encoded message as text to a buffer, without decoding it. Returns false, and leaves the buffer unchanged, if an
/// error occurs, or if the bytes are not in the usual form that encoders write. The caller then decodes the bytes into an
/// arena, which finds the error if there is one.
pub(crate) fn print_wire(table: &Table, bytes: &[u8], options: &Options, buf: &mut Vec<u8>) -> bool {
    let limits = options.limits;
    let state = WireState::new(max_cells(limits, bytes.len()), true, options.unknown_fields);
    let fits = bytes.len() as u64 <= limits.max_input();
    fits && state
        .message(table, bytes, limits.max_depth())
        .and_then(|message| print_as(message, options, KNOWN, true, buf))
        .is_ok()
}

fn print_as<'a, M: Object<'a>>(
    message: M,
    options: &Options,
    known: Option<&'static Known>,
    in_view: bool,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let table = message.table();
    let start = buf.len();
    let mut out = std::mem::take(buf);
    table.reserve_text(&mut out);
    let mut text = Text {
        out: Printer::append_to(out, options.layout()),
        options,
        known,
        root: &table.full_name,
        depth: options.limits.max_depth(),
        input: Bytes::new(),
        in_view,
        is_opaque: false,
    };
    let printed = text.message(message);
    *buf = text.out.into_vec();
    match printed {
        Ok(()) => {
            table.learn_text_size(buf.len() - start);
            Ok(())
        }
        Err(error) => {
            buf.truncate(start);
            Err(error.in_message(&table.full_name))
        }
    }
}

/// The parts of the printer that need a pool of descriptors, as function pointers. A program that prints messages without these
/// parts contains no descriptors, and no decoder for extensions and the content of an `Any`.
pub(crate) struct Known {
    /// Prints the content of an `Any` under the name of its type. Returns false if the pool does not have the type, or
    /// if the content is not a valid message of this type.
    content: fn(&mut Text<'_>, &str, &[u8]) -> Result<bool>,
    /// Prints the unknown fields of a message that may have extensions.
    extensions: fn(&mut Text<'_>, &Table, &[u8]) -> Result<()>,
}

/// All parts of [`Known`].
pub(crate) const KNOWN: Option<&Known> = Some(&Known {
    content: |text, url, content| text.content(url, content),
    extensions: |text, table, fields| text.extensions(table, fields),
});

/// The placeholder that replaces a hidden value in output for people.
const REDACTED: &[u8] = b"[REDACTED]";

struct Text<'o> {
    out: Printer,
    options: &'o Options,
    known: Option<&'static Known>,
    /// The full name of the outermost message, for errors.
    root: &'o str,
    /// The number of further levels to which messages may be nested.
    depth: u32,
    /// If an arena is being printed: the bytes from which it was decoded, which are the content of an `Any` or unknown fields.
    /// The bytes of messages in the arena are slices of these bytes.
    input: Bytes,
    /// True if the message is printed directly from its encoded bytes. If a message inside cannot be printed in this way, the
    /// whole message is printed again from an arena.
    in_view: bool,
    /// True while an `Any` is printed as its fields `type_url` and `value`. Its bytes may then contain secret values.
    is_opaque: bool,
}

impl Text<'_> {
    /// Prints the fields of a message whose opening bracket is already printed.
    fn message<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        if self.depth == 0 && self.options.cuts {
            self.out.field(b"...");
            self.out.end();
            return Ok(());
        }
        self.enter()?;
        match message.table().known {
            WellKnown::Any => {
                if !self.any(message)? {
                    self.is_opaque = true;
                    self.fields(message)?;
                    self.is_opaque = false;
                }
            }
            _ => self.fields(message)?,
        }
        self.depth += 1;
        Ok(())
    }

    /// Prints encoded bytes inside the message without decoding them, if possible. Messages in these bytes may be nested to
    /// `depth` levels. Returns false, and prints nothing, if the bytes must be decoded first.
    ///
    /// # Errors
    /// The bytes must be decoded first, but the outer message is itself printed without decoding. So the caller must fail, too,
    /// until the outermost caller decodes the whole message.
    fn view(
        &mut self,
        table: &Table,
        bytes: &[u8],
        depth: u32,
        print: impl FnOnce(&mut Self, WireView<'_>) -> Result<()>,
    ) -> Result<bool> {
        let (before, outer, in_view) = (self.out.checkpoint(), self.depth, self.in_view);
        if self.options.cuts {
            // Output for people includes malformed bytes and messages beyond the limit, which a view would not print.
            return Ok(false);
        }
        let cells = max_cells(self.options.limits, bytes.len());
        let state = WireState::new(cells, true, self.options.unknown_fields);
        self.in_view = true;
        let printed = state.message(table, bytes, depth).and_then(|message| print(self, message));
        self.in_view = in_view;
        match printed {
            Ok(()) => Ok(true),
            Err(error) if in_view => Err(error),
            Err(_) => {
                self.out.rewind(before);
                self.depth = outer;
                Ok(false)
            }
        }
    }

    fn enter(&mut self) -> Result<()> {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                Ok(())
            }
            None => Err(Error::limit(LimitError::Depth(self.options.limits.max_depth()))),
        }
    }

    /// Prints all fields, including the unknown fields.
    fn fields<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        let marks = &message.table().text_names().marks;
        message.visit(&mut Fields { text: self, marks })
    }

    /// Prints the start of a field, which is the field's name in the schema. For a group or an item of a message set, it is the
    /// name of the field's message.
    #[inline]
    fn name(&mut self, row: &Row) {
        match row.has_name_of_message {
            true => self.name_of_message(row),
            false => self.out.field(row.name.as_bytes()),
        }
    }

    #[cold]
    fn name_of_message(&mut self, row: &Row) {
        let full_name = row.message().map_or("", |table| &*table.full_name);
        if row.name.starts_with('[') {
            self.out.field(b"[");
            self.out.raw(full_name.as_bytes());
            self.out.raw(b"]");
            return;
        }
        self.out.field(full_name.rsplit('.').next().unwrap_or(full_name).as_bytes());
    }

    /// Prints one value of a field or one element of a list, with the name of the field.
    #[inline]
    fn value<'a, M: Object<'a>>(&mut self, row: &'a Row, value: Field<'a, M>) -> Result<()> {
        match value {
            Field::Scalar(bits) => {
                self.name(row);
                self.out.colon();
                self.scalar(row, row.kind, bits);
                self.out.end();
                Ok(())
            }
            Field::Text(text) => {
                self.name(row);
                self.out.colon();
                self.text(row, text)?;
                self.out.end();
                Ok(())
            }
            Field::Message(message) => {
                self.name(row);
                self.out.open();
                self.message(message)?;
                self.out.close();
                Ok(())
            }
            Field::List(list) if row.is_message() => list.messages(|index, message| {
                self.value(row, Field::Message(message)).map_err(|error| error.in_index(index))
            }),
            // The elements are strings or byte strings, because `NumberList` prints lists of numbers.
            Field::List(list) => list.texts(|index, text| {
                self.value::<M>(row, Field::Text(text)).map_err(|error| error.in_index(index))
            }),
            Field::Map(map) => self.map(row, map),
        }
    }

    /// Prints a string or byte string. A string that is not UTF-8 is printed as bytes in output for people, or if the schema
    /// allows such strings; otherwise it is an error.
    #[inline]
    fn text(&mut self, row: &Row, text: &[u8]) -> Result<()> {
        if self.options.cuts
            && let Some(shown) = row.debug.and_then(|show| show(text))
        {
            self.out.raw(shown.as_bytes());
            return Ok(());
        }
        if row.kind == Kind::String {
            if self.out.utf8(text) {
                return Ok(());
            }
            if row.utf8 && !self.options.cuts {
                return Err(Error::ty("the bytes of a string are not valid UTF-8"));
            }
        }
        self.out.bytes(text);
        Ok(())
    }

    /// Prints the entries of a map in the order of their keys.
    #[inline(never)]
    fn map<'a, T: ObjectMap<'a>>(&mut self, row: &'a Row, map: T) -> Result<()> {
        let (entries, all_utf8) = map.sorted_entries()?;
        if !all_utf8 && !self.options.cuts {
            return Err(Error::ty("a key of the map is not valid UTF-8"));
        }
        let rows = row.map();
        for (key, value) in entries {
            self.name(row);
            self.out.open();
            self.name(&rows.key);
            self.out.colon();
            match key {
                KeyRef::Bool(key) => self.out.bool(key),
                KeyRef::I32(key) => self.out.signed(key.into()),
                KeyRef::I64(key) => self.out.signed(key),
                KeyRef::U32(key) => self.out.unsigned(key.into()),
                KeyRef::U64(key) => self.out.unsigned(key),
                KeyRef::Str(key) => {
                    self.out.utf8(key.as_bytes());
                }
            }
            self.out.end();
            // On the wire, the entry is a message around the value, so it counts as a level of nesting, too.
            let level = u32::from(rows.value.is_message() && self.depth > 0);
            self.depth -= level;
            self.value(&rows.value, value).map_err(|error| in_key(error, key))?;
            self.depth += level;
            self.out.close();
        }
        Ok(())
    }

    /// If the value of the field must be hidden, prints the field with the placeholder, and returns true.
    fn redacts(&mut self, row: &Row) -> bool {
        let redacts = self.options.redact && (row.redact || self.is_opaque && row.kind == Kind::Bytes);
        if redacts {
            self.name(row);
            self.redacted();
        }
        redacts
    }

    fn redacted(&mut self) {
        self.out.colon();
        self.out.raw(REDACTED);
        self.out.end();
    }

    /// Fails because the required field `row` is not set, unless the options allow that it is missing.
    #[cold]
    fn missing(&self, row: &Row) -> Result<()> {
        if self.options.partial { Ok(()) } else { Err(Error::required(&row.name)) }
    }
}

impl PrintScalar for Text<'_> {
    #[inline]
    fn int32(&mut self, value: i32) {
        self.out.signed(value.into());
    }

    #[inline]
    fn uint32(&mut self, value: u32) {
        self.out.unsigned(value.into());
    }

    #[inline]
    fn int64(&mut self, value: i64) {
        self.out.signed(value);
    }

    #[inline]
    fn uint64(&mut self, value: u64) {
        self.out.unsigned(value);
    }

    #[inline]
    fn boolean(&mut self, value: bool) {
        self.out.bool(value);
    }

    #[inline]
    fn float(&mut self, value: f32) {
        self.out.float(value);
    }

    #[inline]
    fn double(&mut self, value: f64) {
        self.out.double(value);
    }

    #[inline]
    fn enumeration(&mut self, row: &Row, number: i32) {
        match row.enumeration().name(number) {
            Some(name) if !self.options.enums_as_integers => self.out.raw(name.as_bytes()),
            _ => self.out.signed(number.into()),
        }
    }
}

struct Fields<'t, 'o> {
    text: &'t mut Text<'o>,
    /// The name of the field with the punctuation after it, for each row.
    marks: &'t [Key],
}

impl Fields<'_, '_> {
    /// Prints the name of a field and the punctuation after it. The value is not a message.
    #[inline]
    fn mark(&mut self, row: &Row) {
        if let Some(mark) = self.marks.get(usize::from(row.index)) {
            self.text.out.mark(mark);
        }
    }
}

struct NumberList<'f, 'o> {
    text: &'f mut Text<'o>,
    row: &'f Row,
    mark: &'f Key,
}

impl Numbers for NumberList<'_, '_> {
    #[inline]
    fn bits(&mut self, numbers: impl Iterator<Item = u64>) -> Result<()> {
        for bits in numbers {
            self.text.out.mark(self.mark);
            self.text.scalar(self.row, self.row.kind, bits);
            self.text.out.end();
        }
        Ok(())
    }
}

impl<'a, M: Object<'a>> Visit<'a, M> for Fields<'_, '_> {
    #[inline]
    fn scalar(&mut self, row: &'a Row, kind: Kind, bits: u64) {
        if !self.text.redacts(row) {
            self.mark(row);
            self.text.scalar(row, kind, bits);
            self.text.out.end();
        }
    }

    #[inline]
    fn text(&mut self, row: &'a Row, text: &'a [u8]) -> Result<()> {
        if self.text.redacts(row) {
            return Ok(());
        }
        self.mark(row);
        self.text.text(row, text).map_err(|error| error.in_field(&row.name))?;
        self.text.out.end();
        Ok(())
    }

    fn field(&mut self, row: &'a Row, value: Option<Field<'a, M>>) -> Result<()> {
        let value = match value {
            None => return self.text.missing(row),
            Some(Field::Scalar(bits)) => {
                Visit::<'a, M>::scalar(self, row, row.kind, bits);
                return Ok(());
            }
            Some(Field::Text(text)) => return Visit::<'a, M>::text(self, row, text),
            Some(value) => value,
        };
        if self.text.redacts(row) {
            return Ok(());
        }
        if let Field::List(list) = value
            && row.is_scalar()
            && let Some(mark) = self.marks.get(usize::from(row.index))
        {
            return list.numbers(&mut NumberList { text: self.text, row, mark });
        }
        self.text.value(row, value).map_err(|error| error.in_field(&row.name))
    }

    fn unknown(&mut self, table: &'a Table, fields: &'a [u8]) -> Result<()> {
        match fields.is_empty() || !(table.extendable || self.text.options.unknown_fields) {
            true => Ok(()),
            false => self.text.unknown(table, fields),
        }
    }
}
