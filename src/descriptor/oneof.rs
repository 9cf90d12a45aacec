//! Handle of a oneof.

use std::fmt;
use std::sync::Arc;

use super::handle::Handle;
use super::tables::{FileTables, Item, OneofEntry};
use super::{Comments, Features, FieldDescriptor, FileDescriptor, MessageDescriptor, Options};

/// A oneof: at most one of its fields is set.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct OneofDescriptor(Handle);

impl OneofDescriptor {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        OneofDescriptor(Handle::new(file, index))
    }

    fn entry(&self) -> &OneofEntry {
        &self.0.file.oneofs[self.0.index as usize]
    }

    /// The name without its scope.
    pub fn name(&self) -> &str {
        self.0.file.text(self.entry().name.last)
    }

    /// The full name.
    pub fn full_name(&self) -> &str {
        self.0.file.full_name(Item::Oneof(self.0.index))
    }

    /// The file that declares it.
    pub fn file(&self) -> FileDescriptor {
        FileDescriptor::new(Arc::clone(&self.0.file))
    }

    /// The message that it is in.
    pub fn message(&self) -> MessageDescriptor {
        MessageDescriptor::new(&self.0.file, self.entry().message)
    }

    /// Its position among all oneofs of its message; synthetic ones come last.
    pub fn index(&self) -> usize {
        (self.0.index - self.0.file.messages[self.entry().message as usize].oneofs.start) as usize
    }

    /// Its fields, in the order of declaration.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = FieldDescriptor> + '_ {
        self.entry().fields.iter().map(|&index| FieldDescriptor::new(&self.0.file, index))
    }

    /// True for the oneof that a proto3 optional field is in by itself; it is not written in the file.
    pub fn is_synthetic(&self) -> bool {
        self.entry().is_synthetic
    }

    /// The options.
    pub fn options(&self) -> Options<'_> {
        Options::new(self.0.file.options(self.entry().options), "google.protobuf.OneofOptions")
    }

    /// The features that hold in it.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// The comments around it.
    pub fn comments(&self) -> Comments {
        let mut path = self.0.file.message_path(self.entry().message);
        path.extend([8, self.index() as i32]);
        self.0.file.comments(&path)
    }
}

impl fmt::Debug for OneofDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OneofDescriptor({})", self.full_name())
    }
}
