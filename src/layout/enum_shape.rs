//! The shapes of enumerations: their numbers and names as constant data.

use super::name::Name;
use super::schema::{Described, Schema};
use crate::descriptor::{EnumDescriptor, Registered};
use once_cell::sync::OnceCell;
use std::any::Any;
use std::mem::ManuallyDrop;

/// An enumeration as its derive macro describes it.
#[derive(Debug)]
pub struct EnumShape {
    /// All names. The first one is the name of the Rust type.
    names: &'static str,
    pub(crate) schema: Schema<EnumDescriptor>,
    pub(crate) values: &'static [ValueShape],
    /// The numbers and names of the values that have separate names in JSON.
    pub(crate) json_names: &'static [(i32, &'static str)],
    /// True for a Rust enum, which cannot store a number that has no variant.
    pub(crate) closed: bool,
    /// If the type states its schema, the numbers of a closed enum in the order of their declaration.
    pub(crate) numbers: Option<&'static [i32]>,
    pub(crate) descriptor: OnceCell<ManuallyDrop<EnumDescriptor>>,
    /// A value that a higher layer computed for the type.
    pub(crate) cache: OnceCell<Box<dyn Any + Send + Sync>>,
}

/// One value of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct ValueShape {
    /// The number.
    pub number: i32,
    /// The proto name, as a part of the enumeration's names.
    pub name: Name,
    /// The name of the variant in serde.
    pub serde_name: Name,
}

impl Described for EnumDescriptor {
    type Shape = EnumShape;

    fn stated_name(shape: &EnumShape) -> Option<&'static str> {
        shape.stated_name()
    }

    fn of_file(file: &'static dyn Registered, full_name: &str) -> Option<Self> {
        file.find_enum(full_name)
    }
}

impl EnumShape {
    /// Creates the shape of an enumeration.
    pub const fn new(
        names: &'static str,
        schema: Schema<EnumDescriptor>,
        values: &'static [ValueShape],
        closed: bool,
    ) -> Self {
        EnumShape {
            names,
            schema,
            values,
            json_names: &[],
            closed,
            numbers: None,
            descriptor: OnceCell::new(),
            cache: OnceCell::new(),
        }
    }

    /// Marks the enum as closed in the schema, and sets its numbers in the order of their declaration.
    #[must_use]
    pub const fn numbers(mut self, numbers: &'static [i32]) -> Self {
        self.numbers = Some(numbers);
        self
    }

    /// Sets the names of the values that have separate names in JSON.
    #[must_use]
    pub const fn json_names(mut self, names: &'static [(i32, &'static str)]) -> Self {
        self.json_names = names;
        self
    }

    pub(crate) fn rust_name(&self) -> &'static str {
        Name::FIRST.of(self.names)
    }

    /// Returns the full name of the enum, if the type states its schema.
    pub(crate) fn stated_name(&self) -> Option<&'static str> {
        match self.schema {
            Schema::Stated(_, name) => Some(name.of(self.names)),
            _ => None,
        }
    }

    /// True if the type states its schema, and its file is not registered.
    pub(crate) fn is_unregistered(&self) -> bool {
        matches!(self.schema, Schema::Stated(slot, _) if slot.get().file().is_none())
    }

    /// Returns the numbers and names of the values. If the type states its schema, and its file is registered, they come from
    /// the file, otherwise from the type itself.
    pub(crate) fn noted_names(&self) -> Vec<(i32, &'static str)> {
        let noted = match self.schema {
            Schema::Stated(slot, name) => slot.get().value_names(name.of(self.names)),
            _ => None,
        };
        noted.unwrap_or_else(|| self.named_values().map(|(name, number)| (number, name)).collect())
    }

    /// Returns the proto name and the number of each value, in order.
    pub(crate) fn named_values(&self) -> impl Iterator<Item = (&'static str, i32)> {
        self.values.iter().map(|value| (value.name.of(self.names), value.number))
    }

    /// Returns the proto name of the value with this number.
    pub(crate) fn own_name(&self, number: i32) -> Option<&'static str> {
        self.values.iter().find(|value| value.number == number).map(|value| value.name.of(self.names))
    }

    /// Returns the number of the value with this proto name.
    pub(crate) fn own_number(&self, name: &str) -> Option<i32> {
        self.values.iter().find(|value| value.name.is(self.names, name)).map(|value| value.number)
    }

    /// Returns the number of the variant with this name in serde.
    pub(crate) fn variant_number(&self, variant: &str) -> Option<i32> {
        self.values.iter().find(|value| value.serde_name.is(self.names, variant)).map(|value| value.number)
    }

    /// True if the variant with this name in serde has this number.
    pub(crate) fn is_variant(&self, variant: &str, number: i32) -> bool {
        self.values.iter().any(|value| value.number == number && value.serde_name.is(self.names, variant))
    }

    /// Returns the serde name and the number of each variant of a Rust enum, in order.
    pub(crate) fn variants(&self) -> impl Iterator<Item = (&'static str, i32)> {
        self.values.iter().map(|value| (value.serde_name.of(self.names), value.number))
    }
}
