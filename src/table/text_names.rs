//! From fields to their names in text, and back where writers leave fields out.

use super::{Keys, Row, Shape};
use crate::json::print::Key;

/// How the text format calls the fields of a message.
#[derive(Debug)]
pub(crate) struct TextNames {
    /// The names of the fields, in the order of the rows.
    pub(crate) starts: Keys,
    /// With the usual punctuation before a value: `name: `, or `name ` before a message.
    pub(crate) marks: Box<[Key]>,
}

impl TextNames {
    /// The names of fields, in the order of their rows.
    pub(super) fn new(rows: &[Row]) -> Self {
        // A group is written by the name of its message.
        let name = |index: usize| if rows[index].is_group { "" } else { &*rows[index].name };
        let mut marks = Vec::with_capacity(rows.len());
        for (index, row) in rows.iter().enumerate() {
            let mark = match name(index) {
                "" => String::new(),
                name if row.is_message() || row.shape == Shape::Map => format!("{name} "),
                name => format!("{name}: "),
            };
            marks.push(Key::mark(mark.as_bytes()));
        }
        TextNames { starts: Keys::of_names(rows.len(), &|index| name(index).as_bytes()), marks: marks.into() }
    }
}
