//! From the shapes of Rust types to descriptors: bound types are looked up, the others declare their own.
//!
//! Layer 2: names `shape` and `descriptor`; knows nothing of plans, of serde or of a format. [`decl`](self::decl) says
//! what a type declares, [`graph`](self::graph) which types do so together, [`file`](self::file) writes that as a
//! `FileDescriptorProto`, and [`declare`](self::declare) registers it.

mod decl;
mod declare;
mod file;
mod graph;

#[cfg(test)]
mod tests;

use crate::descriptor::{EnumDescriptor, MessageDescriptor};
use crate::error::Result;
use crate::shape::{EnumShape, MessageShape, Schema};

impl MessageShape {
    /// The descriptor of the type, looked up or declared on first use.
    ///
    /// # Errors
    /// There is no such descriptor, or what the type declares is not valid.
    pub fn descriptor(&'static self) -> Result<&'static MessageDescriptor> {
        self.descriptor.get_or_try_init(|| match self.schema {
            Schema::Bound(descriptor) => descriptor(),
            Schema::Declared { .. } => declare::message(self),
        })
    }
}

impl EnumShape {
    /// The descriptor of the enumeration, looked up or declared on first use.
    ///
    /// # Errors
    /// There is no such descriptor, or what the type declares is not valid.
    pub fn descriptor(&'static self) -> Result<&'static EnumDescriptor> {
        self.descriptor.get_or_try_init(|| match self.schema {
            Schema::Bound(descriptor) => descriptor(),
            Schema::Declared { .. } => declare::enumeration(self),
        })
    }
}
