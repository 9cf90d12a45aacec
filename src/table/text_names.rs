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
    pub(crate) value: TextValue,
}

/// What values as writers write them look like, directly after the mark of their field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum TextValue {
    /// A single number, bool, enum value or string.
    Leaf,
    /// An element of a list of strings.
    Strings,
    Message,
    /// An element of a list of messages.
    Messages,
    /// Anything else.
    Other,
}

/// A field as text sees it.
#[derive(Clone, Copy)]
pub(super) struct TextField<'a> {
    /// The name that it is written by; empty for a group, which is written by the name of its message.
    pub(super) name: &'a str,
    pub(super) value: TextValue,
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
            TextMark { key: Key::mark(mark.as_bytes()), value: field.value }
        };
        TextNames {
            starts: Keys::of_names(fields.clone().map(|field| field.name)),
            marks: fields.map(mark).collect(),
        }
    }
}
