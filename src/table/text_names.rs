//! From fields to their names in text, and back where writers leave fields out.

use super::Keys;
use crate::json::print::Key;

/// How the text format calls the fields of a message.
#[derive(Debug)]
pub(crate) struct TextNames {
    /// The names of the fields, in the order of the rows.
    pub(crate) starts: Keys,
    /// The same with the usual punctuation before a value.
    pub(crate) marks: Box<[Key]>,
}

impl TextNames {
    /// The names of fields, in the order of their rows, and whether their values are messages; a group is written by
    /// the name of its message, and has none here.
    pub(super) fn new<'a>(fields: impl Iterator<Item = (&'a str, bool)> + Clone) -> Self {
        let mark = |(name, is_message)| {
            let before = if is_message { " " } else { ": " };
            Key::mark(format!("{name}{before}").as_bytes())
        };
        TextNames {
            starts: Keys::of_names(fields.clone().map(|(name, _)| name)),
            marks: fields.map(mark).collect(),
        }
    }
}
