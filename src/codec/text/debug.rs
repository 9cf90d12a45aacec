//! `Debug`: the text format, in which secret values are hidden.

use super::print::{Known, print};
use crate::codec::any_object::AnyObject;
use crate::text::Options;
use std::fmt::{self, Write as _};
use std::mem::ManuallyDrop;

/// The indentation of `{:#?}`.
const INDENT: usize = 2;

/// Returns the settings of output for people, which include unknown fields and let required fields be missing. They are
/// wrapped in `ManuallyDrop` and have no pool, so that a program need not contain the code that drops pools.
fn options(one_line: bool) -> ManuallyDrop<Options> {
    let options = Options::new().one_line(one_line).indent(INDENT).unknown_fields(true).redact(true);
    let mut options = ManuallyDrop::new(options.partial(true));
    options.cuts = true;
    options
}

/// Writes `name`, and after it the fields of a message in braces, for people.
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

/// Returns the fields of a message for people; if they cannot be printed, the text of the error.
pub(crate) fn text(message: AnyObject<'_>, known: Option<&'static Known>, one_line: bool) -> String {
    let mut text = Vec::new();
    match print(message, &options(one_line), known, &mut text) {
        Ok(()) => String::from_utf8_lossy(&text).into_owned(),
        // The schema does not fit the type, or the unknown fields are malformed.
        Err(error) => error.to_string(),
    }
}
