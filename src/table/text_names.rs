//! From fields to their names in text, and back where writers leave fields out.

use super::Keys;
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

/// A field as text sees it.
#[derive(Clone, Copy)]
pub(super) struct TextField<'a> {
    /// The name that it is written by; empty for a group, which is written by the name of its message.
    pub(super) name: &'a str,
    pub(super) is_message: bool,
    pub(super) is_singular: bool,
}

impl TextNames {
    /// The names of fields, in the order of their rows.
    pub(super) fn new<'a>(fields: impl Iterator<Item = TextField<'a>> + Clone) -> Self {
        let mark = |field: TextField<'_>| {
            let before = if field.is_message { " " } else { ": " };
            TextMark {
                key: Key::mark(format!("{}{before}", field.name).as_bytes()),
                plain: field.is_singular && !field.is_message,
            }
        };
        TextNames {
            starts: Keys::of_names(fields.clone().map(|field| field.name)),
            marks: fields.map(mark).collect(),
        }
    }
}
