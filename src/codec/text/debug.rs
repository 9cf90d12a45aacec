//! Implements `Debug` for messages, with the text format. Secret values are hidden.

use super::print::{Known, print};
use crate::codec::any_object::AnyObject;
use crate::text::Options;
use std::fmt::{self, Write as _};
use std::mem::ManuallyDrop;

/// The indentation of `{:#?}`.
const INDENT: usize = 2;

/// Returns the settings of output for people. The output includes unknown fields, and required fields may be missing. The
/// settings are wrapped in `ManuallyDrop` and have no pool, so that a program does not need the code that drops pools.
fn options(one_line: bool) -> ManuallyDrop<Options> {
    let options = Options::new().one_line(one_line).indent(INDENT).unknown_fields(true).redact(true);
    let mut options = ManuallyDrop::new(options.partial(true));
    options.cuts = true;
    options
}

/// Writes `name` and then the fields of a message in braces, in a form for people.
///
/// # Errors
/// Fails if the formatter fails.
pub(crate) fn debug(
    name: &str,
    message: AnyObject<'_>,
    known: Option<&'static Known>,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    write!(f, "{name} ")?;
    in_braces(&text(message, known, !f.alternate()), f)
}

/// Writes the fields of a message in braces.
///
/// # Errors
/// Fails if the formatter fails.
pub(crate) fn in_braces(fields: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if fields.is_empty() {
        return f.write_str("{}");
    }
    if !f.alternate() {
        return write!(f, "{{ {fields} }}");
    }
    f.write_str("{\n")?;
    for line in fields.lines() {
        writeln!(f, "{:INDENT$}{line}", "")?;
    }
    f.write_char('}')
}

/// Returns the fields of a message as text for people. If the fields cannot be printed, returns the text of the error.
pub(crate) fn text(message: AnyObject<'_>, known: Option<&'static Known>, one_line: bool) -> String {
    let mut text = Vec::new();
    match print(message, &options(one_line), known, &mut text) {
        Ok(()) => String::from_utf8_lossy(&text).into_owned(),
        // The schema does not fit the type, or the unknown fields are malformed.
        Err(error) => error.to_string(),
    }
}
