//! From names to fields and oneofs.

use std::collections::HashMap;

/// The meaning of a name in a message; indices into the lists of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    Field(u16),
    Oneof(u16),
}

/// True when two names are equal but for letter case and underscores.
pub(crate) fn same_name(a: &str, b: &str) -> bool {
    let letters =
        |s: &'_ str| s.bytes().filter(|b| *b != b'_').map(|b| b.to_ascii_lowercase()).collect::<Vec<u8>>();
    letters(a) == letters(b)
}

/// The names of fields and oneofs; a proto name wins over a JSON name, a field over a oneof.
#[derive(Debug)]
pub(super) struct Names {
    targets: HashMap<Box<str>, Target>,
    /// The JSON name of a field is the proto name of another.
    pub(super) crossed: bool,
}

impl Names {
    /// The names of fields, as pairs of proto name and JSON name, and of oneofs.
    pub(super) fn new<'a>(
        fields: impl Iterator<Item = (&'a str, &'a str)> + Clone,
        oneofs: impl Iterator<Item = &'a str>,
    ) -> Self {
        let mut targets = HashMap::<Box<str>, Target>::with_capacity(fields.size_hint().0 * 2);
        for (i, name) in (0u16..).zip(oneofs) {
            targets.insert(name.into(), Target::Oneof(i));
        }
        for (i, (_, json_name)) in (0u16..).zip(fields.clone()) {
            targets.insert(json_name.into(), Target::Field(i));
        }
        for (i, (name, _)) in (0u16..).zip(fields.clone()) {
            targets.insert(name.into(), Target::Field(i));
        }
        let crossed =
            (0u16..).zip(fields).any(|(i, (_, json_name))| targets.get(json_name) != Some(&Target::Field(i)));
        Names { targets, crossed }
    }

    /// The field or oneof with this proto name or JSON name.
    #[inline]
    pub(super) fn get(&self, name: &str) -> Option<Target> {
        self.targets.get(name).copied()
    }
}
