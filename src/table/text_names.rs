//! From fields to their names in text, and back. It is quick even if writers leave out fields.

use super::Keys;
use crate::syntax::json::print::Key;

/// How the text format calls the fields of a message.
#[derive(Debug)]
pub(crate) struct TextNames {
    /// The names of the fields, in the order of the rows.
    pub(crate) starts: Keys,
    /// The name with the usual punctuation before a value: `name: `, or `name ` before a message.
    pub(crate) marks: Box<[Key]>,
}

impl TextNames {
    /// Returns the names of fields in the order of their rows, empty for those that are not written by their names; and
    /// which fields are messages or maps.
    pub(super) fn new(fields: &[(&str, bool)]) -> Self {
        let mut marks = Vec::with_capacity(fields.len());
        for field in fields {
            let mark = match *field {
                ("", _) => String::new(),
                (name, true) => format!("{name} "),
                (name, false) => format!("{name}: "),
            };
            marks.push(Key::mark(mark.as_bytes()));
        }
        TextNames {
            starts: Keys::of_names(fields.len(), &|index| fields[index].0.as_bytes()),
            marks: marks.into(),
        }
    }
}
