//! Facts about a type that the library computes when the type is first used.
//!
//! The shape of a type is a constant, so a crate that only declares the type compiles no code for it, but every crate that uses
//! the type has a copy of the shape. The facts that are computed at run time are in a static, to which the shape refers. So all
//! copies of the shape share them.

use crate::descriptor::MessageDescriptor;
use once_cell::sync::OnceCell;
use std::any::Any;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ptr;
use std::sync::atomic::AtomicPtr;

/// The facts about a message type that are computed at run time.
#[derive(Debug)]
pub struct MessageCells {
    /// A value that a higher layer computed for the type.
    pub(crate) cache: OnceCell<Box<dyn Any + Send + Sync>>,
    /// The table that was built from the type's own descriptor (not from the descriptor of another pool). Null before it is
    /// built.
    pub(crate) table: AtomicPtr<()>,
    /// A copy of `table` that is null until the file of the type was registered in the global pool. If it is not null, nothing
    /// needs to be registered.
    pub(crate) described: AtomicPtr<()>,
    /// The names of the members in serde.
    pub(super) names: OnceCell<Box<[&'static str]>>,
    pub(crate) descriptor: OnceCell<ManuallyDrop<MessageDescriptor>>,
}

impl MessageCells {
    /// Creates empty cells.
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

/// The facts about the enum of a oneof that are computed at run time.
#[derive(Debug)]
pub struct OneofCells {
    /// The names of the variants in serde.
    pub(super) names: OnceCell<Box<[&'static str]>>,
}

impl OneofCells {
    /// Creates empty cells.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "it is a static")]
    pub const fn new() -> Self {
        OneofCells { names: OnceCell::new() }
    }
}

/// A reference to a static with interior mutability. Before Rust 1.91, a constant cannot contain a plain reference to such a
/// static.
pub struct InStatic<T: 'static>(*const T);

impl<T> Clone for InStatic<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for InStatic<T> {}

impl<T> InStatic<T> {
    /// Wraps the reference.
    #[must_use]
    pub const fn new(cells: &'static T) -> Self {
        InStatic(ptr::from_ref(cells))
    }

    #[inline]
    pub(super) fn get(&self) -> &'static T {
        // SAFETY: `new` took the address from a reference that is valid for the whole run of the program.
        unsafe { &*self.0 }
    }
}

// SAFETY: the wrapper is equivalent to a shared reference, which may be sent to another thread if `T` is `Sync`.
unsafe impl<T: Sync> Send for InStatic<T> {}
// SAFETY: the wrapper is equivalent to a shared reference, which threads may share if `T` is `Sync`.
unsafe impl<T: Sync> Sync for InStatic<T> {}

impl<T: fmt::Debug> fmt::Debug for InStatic<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}
