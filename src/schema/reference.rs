//! The types that fields name.

use crate::descriptor::FileDescriptor;
use crate::error::Result;
use crate::layout::{Declaration, EnumShape, MessageShape, Schema};

/// A type as a field names it.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    /// Without a leading dot.
    pub(super) full_name: String,
    pub(super) target: Target,
    /// The file of a type that is bound to a descriptor.
    pub(super) file: Option<FileDescriptor>,
    /// A closed enum, which proto3 cannot name.
    pub(super) closed: bool,
}

/// The type that is referred to.
#[derive(Clone, Copy, Debug)]
pub(super) enum Target {
    Message(&'static MessageShape),
    Enum(&'static EnumShape),
}

impl Reference {
    pub(super) fn to_message(shape: &'static MessageShape) -> Result<Self> {
        let (full_name, file) = match shape.schema {
            Schema::Declared(&Declaration { package, name, .. }) => (full_name(package, name), None),
            Schema::Bound(_) | Schema::Given(_) | Schema::Stated(..) => {
                let descriptor = shape.descriptor()?;
                (descriptor.full_name().to_owned(), Some(descriptor.file()))
            }
        };
        Ok(Reference { full_name, target: Target::Message(shape), file, closed: false })
    }

    pub(super) fn to_enum(shape: &'static EnumShape) -> Result<Self> {
        let (full_name, file, closed) = match shape.schema {
            Schema::Declared(&Declaration { package, name, .. }) => {
                (full_name(package, name), None, shape.closed)
            }
            Schema::Bound(_) | Schema::Given(_) | Schema::Stated(..) => {
                let descriptor = shape.descriptor()?;
                (descriptor.full_name().to_owned(), Some(descriptor.file()), descriptor.is_closed())
            }
        };
        Ok(Reference { full_name, target: Target::Enum(shape), file, closed })
    }
}

/// Types of one name are one type; whether they say the same is checked where they are collected.
impl PartialEq for Reference {
    fn eq(&self, other: &Self) -> bool {
        self.full_name == other.full_name && self.file == other.file && self.closed == other.closed
    }
}

impl Target {
    /// A shape is identified by the address of its cached data, since the shape itself may have copies.
    pub(super) fn address(self) -> usize {
        match self {
            Target::Message(shape) => std::ptr::from_ref(shape.cells()).addr(),
            Target::Enum(shape) => std::ptr::from_ref(shape).addr(),
        }
    }

    pub(super) fn declares(self) -> bool {
        match self {
            Target::Message(shape) => matches!(shape.schema, Schema::Declared(_)),
            Target::Enum(shape) => matches!(shape.schema, Schema::Declared(_)),
        }
    }
}

/// The full name of a declared type.
pub(super) fn full_name(package: &str, name: &str) -> String {
    if package.is_empty() { name.to_owned() } else { format!("{package}.{name}") }
}
