//! Handle of an extension.

use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use super::tables::FileTables;
use super::{FieldDescriptor, MessageDescriptor};

/// An extension: a field that is declared outside of the message that has it.
///
/// It dereferences to its field, so everything that can be asked of a field can be asked of it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ExtensionDescriptor(FieldDescriptor);

impl ExtensionDescriptor {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        ExtensionDescriptor(FieldDescriptor::new(file, index))
    }

    /// The extension as a field of the message that it extends.
    pub fn field(&self) -> &FieldDescriptor {
        &self.0
    }

    /// The message that it extends.
    pub fn extendee(&self) -> MessageDescriptor {
        self.0.message()
    }

    /// The message that it is declared in; `None` at the top level of a file.
    pub fn scope(&self) -> Option<MessageDescriptor> {
        self.0.scope()
    }
}

impl Deref for ExtensionDescriptor {
    type Target = FieldDescriptor;

    fn deref(&self) -> &FieldDescriptor {
        &self.0
    }
}

impl fmt::Debug for ExtensionDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ExtensionDescriptor({})", self.full_name())
    }
}
