//! Facts about a type that the library finds out when the type is first used.
//!
//! The shape of a type is a constant, so that crates that only declare the type compile nothing, and every crate that
//! uses it has a copy. The facts that are found out at run time lie in a static beside the shape, so that all copies of
//! the shape share them.

use crate::descriptor::MessageDescriptor;
use once_cell::sync::OnceCell;
use std::any::Any;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::atomic::AtomicPtr;

/// The facts about a message type that are found out at run time.
#[derive(Debug)]
pub struct MessageCells {
    /// A value that an upper layer computed for the type.
    pub(crate) cache: OnceCell<Box<dyn Any + Send + Sync>>,
    /// A shortcut to `found`: the table that the type has with its own descriptor, or null.
    pub(crate) table: AtomicPtr<()>,
    /// The table that the type has once its file is registered, or null.
    pub(crate) described: AtomicPtr<()>,
    /// The names under which serde sees the members.
    pub(super) names: OnceCell<Box<[&'static str]>>,
    pub(crate) descriptor: OnceCell<ManuallyDrop<MessageDescriptor>>,
}

impl MessageCells {
    /// Creates cells in which nothing is known yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        MessageCells {
            cache: OnceCell::new(),
            table: AtomicPtr::new(ptr::null_mut()),
            described: AtomicPtr::new(ptr::null_mut()),
            names: OnceCell::new(),
            descriptor: OnceCell::new(),
        }
    }
}

/// The facts about the enum of a oneof that are found out at run time.
#[derive(Debug)]
pub struct OneofCells {
    /// The names under which serde sees the variants.
    pub(super) names: OnceCell<Box<[&'static str]>>,
}

impl OneofCells {
    /// Creates cells in which nothing is known yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        OneofCells { names: OnceCell::new() }
    }
}

/// A reference to a static that changes. Before Rust 1.91 a constant may not contain a plain reference to such a
/// static.
pub struct InStatic<T: 'static>(*const T);

impl<T> Clone for InStatic<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for InStatic<T> {}

impl<T> InStatic<T> {
    /// Returns the reference.
    #[must_use]
    pub const fn new(cells: &'static T) -> Self {
        InStatic(ptr::from_ref(cells))
    }

    #[inline]
    pub(super) fn get(&self) -> &'static T {
        // SAFETY: `new` took the address from a reference that is valid as long as the program runs.
        unsafe { &*self.0 }
    }
}

// SAFETY: the cell stands for a shared reference.
unsafe impl<T: Sync> Send for InStatic<T> {}
// SAFETY: the cell stands for a shared reference, which threads may share if `T` is `Sync`.
unsafe impl<T: Sync> Sync for InStatic<T> {}

impl<T: fmt::Debug> fmt::Debug for InStatic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
