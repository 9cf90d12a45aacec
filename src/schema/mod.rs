//! Finds the descriptors of Rust types. A type that is bound to a schema, such as a generated type, names its descriptor,
//! which is looked up. Any other type declares its own descriptor.
//!
//! This module is in layer 1 (see DESIGN.md). It uses `layout` and `descriptor`, but no tables, serde or formats.
//! `decl` holds the declarations of a type. `graph` finds types that must share a file, builds this file, and registers
//! it.

mod decl;
mod graph;

#[cfg(all(test, feature = "derive"))]
mod tests;

use crate::descriptor::{EnumDescriptor, MessageDescriptor};
use crate::error::Result;
use crate::layout::{EnumShape, MessageShape};
pub use graph::{enumeration as declare_enum, message as declare_message};

impl MessageShape {
    /// Returns the descriptor of the type. The first call looks it up or declares it.
    ///
    /// # Errors
    /// There is no such descriptor, or the declarations of the type are not valid.
    pub fn descriptor(&'static self) -> Result<&'static MessageDescriptor> {
        self.cells()
            .descriptor
            .get_or_try_init(|| self.schema.descriptor(self))
            .map(|descriptor| &**descriptor)
    }

    /// Returns the full name of the message.
    ///
    /// # Errors
    /// Fails if [`descriptor`](Self::descriptor) fails, unless the attributes of the type declare its schema.
    pub(crate) fn full_name(&'static self) -> Result<&'static str> {
        match self.stated_name() {
            Some(full_name) => Ok(full_name),
            None => self.descriptor().map(MessageDescriptor::full_name),
        }
    }

    /// Returns the descriptor of the type.
    ///
    /// # Panics
    /// If the type has no descriptor.
    pub(crate) fn expect_descriptor(&'static self) -> &'static MessageDescriptor {
        self.descriptor().unwrap_or_else(|error| panic!("{}: {error}", self.rust_name()))
    }
}

impl EnumShape {
    /// Returns the descriptor of the enumeration. The first call looks it up or declares it.
    ///
    /// # Errors
    /// There is no such descriptor, or the declarations of the type are not valid.
    pub fn descriptor(&'static self) -> Result<&'static EnumDescriptor> {
        self.descriptor.get_or_try_init(|| self.schema.descriptor(self)).map(|descriptor| &**descriptor)
    }

    /// Returns the full name of the enumeration.
    ///
    /// # Panics
    /// If the enumeration has neither a name of its own nor a descriptor.
    pub(crate) fn full_name(&'static self) -> &'static str {
        match self.stated_name() {
            Some(full_name) => full_name,
            None => self.expect_descriptor().full_name(),
        }
    }

    /// Returns the descriptor of the enumeration.
    ///
    /// # Panics
    /// If the enumeration has no descriptor.
    pub(crate) fn expect_descriptor(&'static self) -> &'static EnumDescriptor {
        self.descriptor().unwrap_or_else(|error| panic!("{}: {error}", self.rust_name()))
    }

    /// Returns the proto name of the value with a number. The name comes from the type or from its descriptor.
    pub(crate) fn name_of(&'static self, number: i32) -> Option<&'static str> {
        self.own_name(number).or_else(|| self.descriptor().ok()?.value_name(number))
    }

    /// Returns the number of the value with a proto name. The number comes from the type or from its descriptor.
    pub(crate) fn number_named(&'static self, name: &str) -> Option<i32> {
        self.own_number(name).or_else(|| Some(self.descriptor().ok()?.value_by_name(name)?.number()))
    }

    /// Returns the JSON name of the value with a number. The name comes from the type or from its descriptor.
    pub(crate) fn json_name_of(&'static self, number: i32) -> Option<&'static str> {
        let custom = self.json_names.iter().find(|value| value.0 == number).map(|value| value.1);
        custom.or_else(|| self.own_name(number)).or_else(|| self.descriptor().ok()?.value_json_name(number))
    }

    /// Returns the number of the value with this JSON name or proto name. The number comes from the type or from its
    /// descriptor.
    pub(crate) fn number_of(&'static self, name: &str) -> Option<i32> {
        let custom = self.json_names.iter().find(|value| value.1 == name).map(|value| value.0);
        let bound = || Some(self.descriptor().ok()?.value_by_json_name(name)?.number());
        custom.or_else(|| self.own_number(name)).or_else(bound)
    }
}
