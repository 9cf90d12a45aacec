//! From names to fields, for data that names its members.

use super::{MessagePlan, OneofPlan};
use std::collections::HashMap;

/// What a name stands for in a message; indices into the lists of its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Field(u16),
    Oneof(u16),
}

impl MessagePlan {
    /// The field or oneof with this proto name or JSON name.
    ///
    /// `guess` is the index of the field that probably comes next.
    #[inline]
    pub(crate) fn find(&self, name: &str, guess: usize) -> Option<Target> {
        if let Some(field) = self.fields.get(guess)
            && *field.name == *name
        {
            return Some(Target::Field(guess as u16));
        }
        self.names.get(name).copied()
    }
}

impl OneofPlan {
    /// The position among the oneof's fields of the variant that serde calls `name`.
    pub(crate) fn variant(&self, message: &MessagePlan, name: &str) -> Option<usize> {
        let bound = self.variants.iter().position(|variant| *variant == name);
        bound.or_else(|| {
            self.fields.iter().position(|&field| message.fields[usize::from(field)].is_called(name))
        })
    }
}

impl super::FieldPlan {
    /// True for the proto name, the JSON name, and either in another letter case without underscores, as Rust
    /// spells variants.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        *self.name == *name || *self.json_name == *name || same_name(&self.name, name)
    }
}

/// True when two names are equal but for letter case and underscores.
pub(crate) fn same_name(a: &str, b: &str) -> bool {
    let letters =
        |s: &'_ str| s.bytes().filter(|b| *b != b'_').map(|b| b.to_ascii_lowercase()).collect::<Vec<u8>>();
    letters(a) == letters(b)
}

/// The names of fields and oneofs; a proto name wins over a JSON name, a field over a oneof.
pub(super) fn index(fields: &[super::FieldPlan], oneofs: &[OneofPlan]) -> HashMap<Box<str>, Target> {
    let mut names = HashMap::with_capacity(fields.len() * 2);
    for (i, oneof) in (0u16..).zip(oneofs) {
        names.insert(oneof.name.clone(), Target::Oneof(i));
    }
    for (i, field) in (0u16..).zip(fields) {
        names.insert(field.json_name.clone(), Target::Field(i));
    }
    for (i, field) in (0u16..).zip(fields) {
        names.insert(field.name.clone(), Target::Field(i));
    }
    names
}

/// True when the JSON name of a field is the proto name of another.
pub(super) fn crossed(fields: &[super::FieldPlan], names: &HashMap<Box<str>, Target>) -> bool {
    (0u16..).zip(fields).any(|(i, field)| names.get(&field.json_name) != Some(&Target::Field(i)))
}
