//! From fields to their names in text, and back where writers leave fields out.

use super::Keys;
use crate::json::print::Key;

/// How the text format calls the fields of a message.
#[derive(Debug)]
pub(crate) struct TextNames {
    /// The names of the fields, in the order of the rows.
    pub(crate) starts: Keys,
    /// With the usual punctuation before a value: `name: `, or `name ` before a message.
    pub(crate) marks: Box<[Key]>,
}

/// A field as text sees it.
#[derive(Clone, Copy)]
pub(super) struct TextField<'a> {
    /// The name that it is written by; empty for a group, which is written by the name of its message.
    pub(super) name: &'a str,
    /// A message or a map.
    pub(super) is_message: bool,
}

impl TextNames {
    /// The names of fields, in the order of their rows.
    pub(super) fn new<'a>(fields: impl Iterator<Item = TextField<'a>> + Clone) -> Self {
        let mark = |field: TextField<'_>| {
            let mark = match field.name {
                "" => String::new(),
                name => format!("{name}{}", if field.is_message { " " } else { ": " }),
            };
            Key::mark(mark.as_bytes())
        };
        TextNames {
            starts: Keys::of_names(fields.clone().map(|field| field.name)),
            marks: fields.map(mark).collect(),
        }
    }
}
