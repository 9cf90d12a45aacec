//! Printing.
//!
//! Specification: <https://protobuf.dev/programming-guides/json/>.

mod any;
mod extension;
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
use crate::json::print::Printer;
use crate::object::{Field, Object, Visit};
use crate::table::{Location, Presence, Row, WellKnown};
use bytes::Bytes;

/// Appends a message as JSON to a buffer.
///
/// # Errors
/// A value has no JSON form, a required field is missing, or a limit is exceeded. The buffer is unchanged then.
pub(crate) fn print(message: AnyObject<'_>, options: &Options, buf: &mut Vec<u8>) -> Result<()> {
    // Compiled for each storage: a match at each access would take a third of the speed.
    match message {
        AnyObject::Typed(message) => print_as(message, options, buf),
        AnyObject::Arena(message) => print_as(message, options, buf),
    }
}

fn print_as<'a, M: Object<'a>>(message: M, options: &Options, buf: &mut Vec<u8>) -> Result<()> {
    let table = message.table();
    let start = buf.len();
    let mut out = std::mem::take(buf);
    table.reserve_json(&mut out);
    let mut json = Json::new(Printer::append_to(out, options.pretty), options, &table.full_name);
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

/// JSON that is being printed.
pub(crate) struct Json<'o> {
    pub(crate) out: Printer,
    options: &'o Options,
    /// The outermost message, for errors.
    root: &'o str,
    /// Keys are other than the short JSON names that most are.
    other_keys: bool,
    enum_numbers: bool,
    quote64: bool,
    /// How many levels of messages may still be opened.
    pub(crate) depth: u32,
    /// The content of an `Any`, or the unknown fields, that are being printed: nested messages are slices of it.
    input: Option<Bytes>,
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
        }
    }

    /// One level of messages further down.
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

    /// A message as a value.
    // Inlined, so that a message takes one call: that of the visit.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn message<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        self.enter()?;
        let table = message.table();
        if self.options.emit_defaults || table.extendable || table.known != WellKnown::No {
            self.other_message(message)?;
        } else {
            let start = self.out.open();
            message.visit(self)?;
            self.out.close(start, *b"{}");
        }
        self.leave();
        Ok(())
    }

    /// A message that has a form of its own, extensions, or fields that are not set and printed nevertheless.
    #[inline(never)]
    fn other_message<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        match message.table().known {
            WellKnown::No => {
                let start = self.out.open();
                self.members(message)?;
                self.out.close(start, *b"{}");
                Ok(())
            }
            known => self.well_known(known, message),
        }
    }

    /// The members of an object that is open: fields, and extensions among the unknown ones.
    fn members<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        self.fields(message)?;
        let table = message.table();
        if table.extendable {
            let unknown = message.unknown();
            if !unknown.is_empty() {
                self.extensions(table, unknown)?;
            }
        }
        Ok(())
    }

    fn fields<'a, M: Object<'a>>(&mut self, message: M) -> Result<()> {
        match self.options.emit_defaults {
            false => message.visit(self),
            true => message.table().rows.iter().try_for_each(|row| match message.get(row) {
                Ok(value) => self.field(row, value),
                Err(error) => Err(error.in_field(&row.name)),
            }),
        }
    }

    /// A field that is not set.
    #[cold]
    fn absent(&mut self, row: &Row) -> Result<()> {
        if row.presence == Presence::Required && !self.options.partial {
            let error = Error::required(&row.name);
            return Err(match row.location {
                Location::Arena => error,
                // A member that is none.
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
    fn field(&mut self, row: &'a Row, value: Option<Field<'a, M>>) -> Result<()> {
        let Some(value) = value else { return self.absent(row) };
        self.key(row);
        match self.value(row, value) {
            Ok(()) => Ok(()),
            Err(error) => Err(error.in_field(&row.name)),
        }
    }

    #[inline]
    fn scalar_field(&mut self, row: &'a Row, bits: u64) {
        self.key(row);
        self.scalar(row, bits);
    }

    #[inline]
    fn text_field(&mut self, row: &'a Row, text: &'a [u8]) -> Result<()> {
        self.key(row);
        match self.text(row, text) {
            Ok(()) => Ok(()),
            Err(error) => Err(error.in_field(&row.name)),
        }
    }
}
