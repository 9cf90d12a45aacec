//! From fields to their names in text, and back where writers leave fields out.

use super::{Keys, Row, Shape};
use crate::json::print::Key;

/// How the text format calls the fields of a message.
#[derive(Debug)]
pub(crate) struct TextNames {
    /// The names of the fields, in the order of the rows.
    pub(crate) starts: Keys,
    /// The same with the usual punctuation before a value.
    pub(crate) marks: Box<[TextMark]>,
}

/// The name of a field with the usual punctuation before a value: `name: `, or `name ` before a message.
#[derive(Debug)]
pub(crate) struct TextMark {
    pub(crate) key: Key,
    /// A singular field of a number, a string or a byte string.
    pub(crate) plain: bool,
}

impl TextNames {
    pub(super) fn new(rows: &[Row]) -> Self {
        // A group is written by the name of its message, and has none here.
        fn name(row: &Row) -> &str {
            if row.is_group { "" } else { &row.name }
        }
        let mark = |row: &Row| {
            let is_message = row.is_message() || row.shape == Shape::Map;
            let before = if is_message { " " } else { ": " };
            TextMark {
                key: Key::mark(format!("{}{before}", name(row)).as_bytes()),
                plain: row.shape == Shape::Singular && !is_message,
            }
        };
        TextNames { starts: Keys::of_names(rows.iter().map(name)), marks: rows.iter().map(mark).collect() }
    }
}
