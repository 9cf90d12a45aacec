//! From names to fields, for data that names its members.

use super::{OneofRow, Row, Table};
use std::collections::HashMap;

/// What a name stands for in a message; indices into the lists of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Field(u16),
    Oneof(u16),
}

impl Table {
    /// The field or oneof with this proto name or JSON name.
    ///
    /// `guess` is the index of the field that probably comes next.
    #[inline]
    pub(crate) fn find(&self, name: &str, guess: usize) -> Option<Target> {
        if let Some(field) = self.rows.get(guess)
            && *field.name == *name
        {
            return Some(Target::Field(guess as u16));
        }
        self.names().targets.get(name).copied()
    }

    /// The index of the row with this JSON name or proto name; a JSON name wins.
    pub(crate) fn row_called(&self, name: &str) -> Option<u16> {
        let names = self.names();
        if names.crossed
            && let Some(index) = self.rows.iter().position(|row| *row.json_name == *name)
        {
            return Some(index as u16);
        }
        match names.targets.get(name) {
            Some(Target::Field(index)) => Some(*index),
            _ => None,
        }
    }
}

impl OneofRow {
    /// The position among the oneof's fields of the variant that serde calls `name`.
    pub(crate) fn variant(&self, message: &Table, name: &str) -> Option<usize> {
        let bound = self.variants.iter().position(|variant| *variant == name);
        bound.or_else(|| self.rows.iter().position(|&field| message.rows[usize::from(field)].is_called(name)))
    }
}

impl Row {
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
#[derive(Debug)]
pub(crate) struct Names {
    targets: HashMap<Box<str>, Target>,
    /// The JSON name of a field is the proto name of another.
    pub(crate) crossed: bool,
}

impl Names {
    pub(super) fn new(rows: &[Row], oneofs: &[OneofRow]) -> Self {
        let mut targets = HashMap::with_capacity(rows.len() * 2);
        for (i, oneof) in (0u16..).zip(oneofs) {
            targets.insert(oneof.name.clone(), Target::Oneof(i));
        }
        for (i, row) in (0u16..).zip(rows) {
            targets.insert(row.json_name.clone(), Target::Field(i));
        }
        for (i, row) in (0u16..).zip(rows) {
            targets.insert(row.name.clone(), Target::Field(i));
        }
        let crossed =
            (0u16..).zip(rows).any(|(i, row)| targets.get(&row.json_name) != Some(&Target::Field(i)));
        Names { targets, crossed }
    }
}
