//! Prints messages as JSON.
//!
//! Specification: <https://protobuf.dev/programming-guides/json/>.

mod any;
mod list;
mod map;
#[cfg(all(test, feature = "derive"))]
mod tests;
mod value;
mod well_known;

use crate::codec::any_object::AnyObject;
use crate::codec::scalar::PrintScalar;
use crate::error::{Error, LimitError, Result};
use crate::json::Options;
use crate::object::arena::words::max_cells;
use crate::object::wire::WireState;
use crate::object::{Field, Object, Visit};
use crate::syntax::json::print::Printer;
use crate::table::{Kind, Location, Presence, Row, Table, WellKnown};
use bytes::Bytes;

/// Appends a message as JSON to a buffer.
///
/// # Errors
/// A value has no JSON form, a required field is missing, or a limit is exceeded. The buffer is then unchanged.
pub(crate) fn print(message: AnyObject<'_>, options: &Options, buf: &mut Vec<u8>) -> Result<()> {
    // `print_as` is compiled for each storage, because a match at each access would cost a third of the speed.
    match message {
        AnyObject::Typed(message) => print_as(message, options, false, buf),
        AnyObject::Arena(message) => print_as(message, options, false, buf),
    }
}

/// Appends an encoded message as JSON to a buffer, without decoding it. Returns false, and leaves the buffer unchanged, if an
/// error occurs, or if the bytes are not in the usual form that encoders write. The caller then decodes the bytes into an
/// arena, which finds the error if there is one.
pub(crate) fn print_wire(table: &Table, bytes: &[u8], options: &Options, buf: &mut Vec<u8>) -> bool {
    let limits = options.limits;
    let ordered = options.deterministic || options.emit_defaults;
    let state = WireState::new(max_cells(limits, bytes.len()), ordered, false);
    let fits = bytes.len() as u64 <= limits.max_input();
    fits && state
        .message(table, bytes, limits.max_depth())
        .and_then(|message| print_as(message, options, true, buf))
        .is_ok()
}

fn print_as<'a, M: Object<'a>>(
    message: M,
    options: &Options,
    in_view: bool,
    buf: &mut Vec<u8>,
) -> Result<()> {
    let table = message.table();
    let start = buf.len();
    let mut out = std::mem::take(buf);
    table.reserve_json(&mut out);
    let mut json = Json::new(Printer::append_to(out, options.pretty), options, &table.full_name);
    json.in_view = in_view;
    let printed = json.message(message);
    *buf = json.out.into_vec();
    match printed {
        Ok(()) => {
            table.learn_json_size(buf.len() - start);
            Ok(())
        }
        Err(error) => {
            buf.truncate(start);
            Err(error.in_message(&table.full_name))
        }
    }
}

pub(crate) struct Json<'o> {
    pub(crate) out: Printer,
    options: &'o Options,
    /// The full name of the outermost message, for errors.
    root: &'o str,
    /// True if, because of the options, keys are not the usual JSON names without spaces.
    other_keys: bool,
    enum_numbers: bool,
    quote64: bool,
    /// The number of further levels to which messages may be nested.
    pub(crate) depth: u32,
    /// If an arena is being printed: the bytes from which it was decoded, which are the content of an `Any` or unknown fields.
    /// The bytes of messages in the arena are slices of these bytes.
    input: Option<Bytes>,
    /// True if the message is printed directly from its encoded bytes. If a message inside cannot be printed in this way, the
    /// whole message is printed again from an arena.
    in_view: bool,
}

impl<'o> Json<'o> {
    pub(crate) fn new(out: Printer, options: &'o Options, root: &'o str) -> Self {
        Json {
            out,
            options,
            root,
            other_keys: options.proto_field_names || options.pretty,
            enum_numbers: options.enums_as_integers,
            quote64: !options.int64_as_numbers,
            depth: options.limits.max_depth(),
            input: None,
            in_view: false,
        }
    }

    #[inline]
    fn enter(&mut self) -> Result<()> {
        match self.depth.checked_sub(1) {
            Some(depth) => {
                self.depth = depth;
                Ok(())
            }
            None => Err(Error::limit(LimitError::Depth(self.options.limits.max_depth()))),
        }
    }

    #[inline]
    fn leave(&mut self) {
        self.depth += 1;
    }

    // This function is inlined, so that a nested message costs only one call, `visit`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn message<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        self.enter()?;
        let known = message.table().known;
        if self.options.emit_defaults || known != WellKnown::No {
            self.other_message(known, message)?;
        } else {
            let start = self.out.open();
            message.visit(self)?;
            self.out.close(start, *b"{}");
        }
        self.leave();
        Ok(())
    }

    /// Prints a message that has a special JSON form, or an ordinary message with its unset fields.
    #[inline(never)]
    fn other_message<'a, M: Object<'a>>(&mut self, known: WellKnown, message: M) -> Result<()> {
        if known != WellKnown::No {
            return self.well_known(known, message);
        }
        let start = self.out.open();
        self.members(message)?;
        self.out.close(start, *b"{}");
        Ok(())
    }

    /// Prints the fields and the extensions of a message as members of the object that is open. The extensions are among the
    /// unknown fields.
    fn members<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        if !self.options.emit_defaults {
            return message.visit(self);
        }
        let unknown = message.rows(&mut |row, value| self.field(row, value))?;
        Visit::<M>::unknown(self, message.table(), unknown)
    }

    /// Prints the default of an unset field if the options require it. Fails if the field is required, unless the options allow
    /// that it is missing.
    #[cold]
    fn absent(&mut self, row: &Row) -> Result<()> {
        if row.presence == Presence::Required && !self.options.partial {
            let error = Error::required(&row.name);
            return Err(match row.location {
                Location::Arena => error,
                // In a struct, the member exists and is `None`, so the path of the error includes the field.
                _ => error.in_field(&row.name),
            });
        }
        if self.options.emit_defaults {
            self.default(row);
        }
        Ok(())
    }
}

impl<'a, M: Object<'a>> Visit<'a, M> for Json<'_> {
    #[inline]
    fn scalar(&mut self, row: &'a Row, kind: Kind, bits: u64) {
        self.key(row);
        PrintScalar::scalar(self, row, kind, bits);
    }

    #[inline]
    fn text(&mut self, row: &'a Row, text: &'a [u8]) -> Result<()> {
        self.key(row);
        match self.text_value(row, text) {
            Ok(()) => Ok(()),
            Err(error) => Err(error.in_field(&row.name)),
        }
    }

    #[inline]
    fn field(&mut self, row: &'a Row, value: Option<Field<'a, M>>) -> Result<()> {
        let Some(value) = value else { return self.absent(row) };
        self.key(row);
        match self.value(row, value) {
            Ok(()) => Ok(()),
            Err(error) => Err(error.in_field(&row.name)),
        }
    }

    #[inline]
    fn unknown(&mut self, table: &'a Table, fields: &'a [u8]) -> Result<()> {
        match table.extendable && !fields.is_empty() {
            true => self.extensions(table, fields),
            false => Ok(()),
        }
    }
}
