//! Finds the names of fields in the text format, and fields by these names. This is fast even if the input omits fields.

use super::Keys;
use crate::syntax::json::print::Key;

#[derive(Debug)]
pub(crate) struct TextNames {
    /// The names of the fields, in the order of the rows.
    pub(crate) starts: Keys,
    /// The name of each field with the usual punctuation before a value: `name: `, or `name ` before a message.
    pub(crate) marks: Box<[Key]>,
}

impl TextNames {
    /// Creates the lookup from the names of fields, in the order of their rows. A name is empty if the text format does not
    /// write it. The bool is true for a message and for a map.
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
