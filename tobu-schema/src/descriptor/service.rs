//! Handles of services and of their methods.

use std::fmt;
use std::sync::Arc;

use super::handle::{Elements, Handle};
use super::tables::{FileTables, Item, MethodEntry, ServiceEntry};
use super::{Comments, Features, FileDescriptor, MessageDescriptor, OptionsRef};

/// A service.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct ServiceDescriptor(Handle);

/// A method of a service.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct MethodDescriptor(Handle);

impl ServiceDescriptor {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        ServiceDescriptor(Handle::new(file, index))
    }

    fn entry(&self) -> &ServiceEntry {
        &self.0.file.services[self.0.index as usize]
    }

    /// Returns the name without its scope.
    pub fn name(&self) -> &str {
        self.0.file.text(self.entry().name.last)
    }

    /// Returns the full name, without a leading dot.
    pub fn full_name(&self) -> &str {
        self.0.file.full_name(Item::Service(self.0.index))
    }

    /// Returns the file that declares the service.
    pub fn file(&self) -> FileDescriptor {
        FileDescriptor::new(Arc::clone(&self.0.file))
    }

    /// Returns the index of the service among the services of its file.
    pub fn index(&self) -> usize {
        self.0.index as usize
    }

    /// Returns the methods, in the order of declaration.
    pub fn methods(&self) -> impl ExactSizeIterator<Item = MethodDescriptor> + '_ {
        Elements::new(&self.0.file, self.entry().methods.range(), MethodDescriptor::new)
    }

    /// Returns the method with a name.
    pub fn method(&self, name: &str) -> Option<MethodDescriptor> {
        self.methods().find(|method| method.name() == name)
    }

    /// Returns the options.
    pub fn options(&self) -> OptionsRef<'_> {
        OptionsRef::new(
            &self.0.file,
            self.0.file.options(self.entry().options),
            "google.protobuf.ServiceOptions",
        )
    }

    /// Returns the features that apply to the service.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// Returns the comments around the service.
    pub fn comments(&self) -> Comments {
        self.0.file.comments(&[6, self.0.index as i32])
    }
}

impl MethodDescriptor {
    pub(super) fn new(file: &Arc<FileTables>, index: u32) -> Self {
        MethodDescriptor(Handle::new(file, index))
    }

    fn entry(&self) -> &MethodEntry {
        &self.0.file.methods[self.0.index as usize]
    }

    /// Returns the name without its scope.
    pub fn name(&self) -> &str {
        self.0.file.text(self.entry().name.last)
    }

    /// Returns the full name: the full name of the service, a dot, and the name of the method.
    pub fn full_name(&self) -> &str {
        self.0.file.full_name(Item::Method(self.0.index))
    }

    /// Returns the service that declares the method.
    pub fn service(&self) -> ServiceDescriptor {
        ServiceDescriptor(self.0.sibling(self.entry().service))
    }

    /// Returns the index of the method among the methods of its service.
    pub fn index(&self) -> usize {
        (self.0.index - self.0.file.services[self.entry().service as usize].methods.start) as usize
    }

    /// Returns the message type of requests.
    pub fn input(&self) -> MessageDescriptor {
        MessageDescriptor::from_handle(self.0.target(self.entry().input))
    }

    /// Returns the message type of responses.
    pub fn output(&self) -> MessageDescriptor {
        MessageDescriptor::from_handle(self.0.target(self.entry().output))
    }

    /// True if the client sends a stream of messages.
    pub fn is_client_streaming(&self) -> bool {
        self.entry().is_client_streaming
    }

    /// True if the server sends a stream of messages.
    pub fn is_server_streaming(&self) -> bool {
        self.entry().is_server_streaming
    }

    /// True if the method has the option `idempotency_level = NO_SIDE_EFFECTS`. A call of such a method changes nothing, so caches may
    /// answer it.
    pub fn has_no_side_effects(&self) -> bool {
        /// The number of `idempotency_level` in `google.protobuf.MethodOptions`.
        const IDEMPOTENCY_LEVEL: u32 = 34;
        const NO_SIDE_EFFECTS: u64 = 1;
        self.options().varint(IDEMPOTENCY_LEVEL) == Some(NO_SIDE_EFFECTS)
    }

    /// Returns the options.
    pub fn options(&self) -> OptionsRef<'_> {
        OptionsRef::new(
            &self.0.file,
            self.0.file.options(self.entry().options),
            "google.protobuf.MethodOptions",
        )
    }

    /// Returns the features that apply to the method.
    pub fn features(&self) -> Features {
        self.entry().features
    }

    /// Returns the comments around the method.
    pub fn comments(&self) -> Comments {
        self.0.file.comments(&[6, self.entry().service as i32, 2, self.index() as i32])
    }
}

impl fmt::Debug for ServiceDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ServiceDescriptor({})", self.full_name())
    }
}

impl fmt::Debug for MethodDescriptor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MethodDescriptor({})", self.full_name())
    }
}
