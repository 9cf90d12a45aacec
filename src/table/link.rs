//! Links from a row, which describes a field, to the table of its message or enum. They are resolved on first use.
//!
//! # Soundness
//! The table that a link points to is either in a static, or cached with a proto file that the file of the row keeps alive,
//! because a row refers only to messages and enums of its own file and of the imports of this file. A caller that has a table
//! holds the file of the table, so the linked table lives at least as long as the borrow of the row. Tables are boxed and never
//! replaced. A projection keeps the projections of nested messages to which its rows link. `Table::project` requires that the
//! table from which a projection is made outlives the projection or is cached. A message's own table, which is cached with the
//! file, keeps the table that checks all strings. The shortcut of a message descriptor is written only in this module, with the
//! table that is cached for the descriptor.

#![allow(unsafe_code)]

use super::tabled::Tabled;
use super::{EnumTable, Table};
use crate::descriptor::{MessageDescriptor, WeakMessage};
use crate::error::Result;
use crate::layout::{MessageCells, ShapeFn};
use std::ptr::{self, NonNull};
use std::sync::atomic::{AtomicPtr, Ordering};

/// Threads share links, and through them tables.
const _: () = {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Table>();
};

/// A link to the table of a message.
pub(crate) struct Link {
    to: To,
    /// Null, or the table if it was found.
    found: AtomicPtr<Table>,
}

#[derive(Clone)]
enum To {
    /// A message with a descriptor. If `shape` is set, the table is that of the Rust type with this shape. The lookup is a
    /// function pointer, so that programs that never look up tables by descriptors do not contain the code of the lookup.
    Described {
        descriptor: WeakMessage,
        shape: Option<ShapeFn>,
        find: fn(&WeakMessage, Option<ShapeFn>) -> FoundTable,
    },
    /// A message whose schema a Rust type declares in attributes. The table is found by the shape of this type.
    Stated(ShapeFn),
    /// A table that existed before the link.
    Table,
}

type FoundTable = Result<Found<Table>>;

/// The cache of a message descriptor: its table, or the error of the attempt to build it.
pub(super) type DescriptorCache = Result<Box<Table>, Box<str>>;

#[derive(Clone)]
pub(crate) struct EnumLink(Found<EnumTable>);

struct Found<T>(NonNull<T>);

impl<T> Clone for Found<T> {
    fn clone(&self) -> Self {
        Found(self.0)
    }
}

// SAFETY: the pointer is used as a shared reference only, and tables are `Sync`.
unsafe impl<T: Sync> Send for Found<T> {}
// SAFETY: a shared `Found` gives only shared references to the table, and tables are `Sync`.
unsafe impl<T: Sync> Sync for Found<T> {}

impl<T> Found<T> {
    fn get(&self) -> &T {
        // SAFETY: the pointer was made from a reference to a table. The table is in a static, or it is cached with a file that
        // the file of the row keeps alive, or it is the table of a projection, which the table of the row keeps. Tables are
        // never replaced, so the table outlives the borrow of the link.
        unsafe { self.0.as_ref() }
    }
}

impl Link {
    /// Creates a link to the table of a message with a descriptor. If `shape` is set, this is the table of the Rust type with
    /// this shape.
    pub(super) fn described(descriptor: WeakMessage, shape: Option<ShapeFn>) -> Self {
        Link { to: To::Described { descriptor, shape, find: find_described }, found: AtomicPtr::default() }
    }

    /// Creates a link to the message of a Rust type that declares its schema in attributes.
    pub(super) fn stated(shape: ShapeFn) -> Self {
        Link { to: To::Stated(shape), found: AtomicPtr::default() }
    }

    /// Creates a link to a table that exists and lives as long as the row.
    pub(super) fn to(table: &Table) -> Self {
        Link { to: To::Table, found: AtomicPtr::new(ptr::from_ref(table).cast_mut()) }
    }

    /// Creates a link to the table that checks all strings, for the message of `link`. Returns a copy of `link` if the message
    /// has a Rust type, or if the link was made from a table.
    pub(super) fn checked(link: &Link) -> Self {
        match &link.to {
            To::Described { descriptor, shape: None, .. } => {
                let to = To::Described { descriptor: descriptor.clone(), shape: None, find: find_checked };
                Link { to, found: AtomicPtr::default() }
            }
            _ => link.clone(),
        }
    }

    pub(crate) fn descriptor(&self) -> MessageDescriptor {
        match &self.to {
            To::Described { descriptor, .. } => {
                descriptor.upgrade().expect("whoever has the row holds the file of what it holds")
            }
            To::Stated(shape) => shape().expect_descriptor().clone(),
            To::Table => self.known().expect("the table was there before").handle(),
        }
    }

    /// Returns the table.
    ///
    /// # Errors
    /// The table cannot be built: the Rust type and the schema do not fit together, or the message has too many fields.
    #[inline]
    pub(crate) fn table(&self) -> Result<&Table> {
        match self.known() {
            Some(table) => Ok(table),
            None => self.find(),
        }
    }

    /// Returns the table, or `None` if it was not yet looked up.
    #[inline]
    pub(crate) fn known(&self) -> Option<&Table> {
        // SAFETY: the pointer is null or was made from a reference to a table. The table is in a static, or it is cached with a
        // file that the file of the row keeps alive, or a table that is cached there keeps it, or it is the table of a
        // projection, which the table of the row keeps, or it is the table from which a projection was made, and the caller of
        // `Table::project` guarantees that it outlives the projection. Tables are never replaced, so the table outlives the
        // borrow of the link.
        unsafe { self.found.load(Ordering::Acquire).as_ref() }
    }

    #[cold]
    #[inline(never)]
    fn find(&self) -> Result<&Table> {
        let found = match &self.to {
            To::Described { descriptor, shape, find } => find(descriptor, *shape)?,
            To::Stated(shape) => Found(NonNull::from(shape().table()?)),
            To::Table => Found(NonNull::from(self.known().expect("the table was there before"))),
        };
        // If two threads look up the table at the same time, the first result stays.
        let (none, found) = (ptr::null_mut(), found.0.as_ptr());
        let _ = self.found.compare_exchange(none, found, Ordering::AcqRel, Ordering::Acquire);
        Ok(self.known().expect("it was found"))
    }
}

impl Clone for Link {
    fn clone(&self) -> Self {
        Link { to: self.to.clone(), found: AtomicPtr::new(self.found.load(Ordering::Acquire)) }
    }
}

fn find_described(descriptor: &WeakMessage, shape: Option<ShapeFn>) -> FoundTable {
    let descriptor = descriptor.upgrade().expect("whoever has the row holds the file of what it holds");
    Ok(Found(NonNull::from(match shape {
        Some(shape) => shape().table_of(&descriptor)?,
        None => descriptor.table()?,
    })))
}

fn find_checked(descriptor: &WeakMessage, _: Option<ShapeFn>) -> FoundTable {
    let descriptor = descriptor.upgrade().expect("whoever has the row holds the file of what it holds");
    Ok(Found(NonNull::from(descriptor.table()?.checked())))
}

/// Returns the table of a message, or `None` if it is not yet built.
#[inline]
pub(super) fn linked(descriptor: &MessageDescriptor) -> Option<&Table> {
    // SAFETY: the shortcut is null or points to the table in the cache of the message. The table stays in the cache as long as
    // the file lives, and `descriptor` keeps the file alive.
    unsafe { descriptor.shortcut().load(Ordering::Acquire).cast::<Table>().as_ref() }
}

/// Returns the cache of a message, which is filled on first use. If the cache contains a table, stores its address for
/// `linked`.
pub(super) fn link(
    descriptor: &MessageDescriptor,
    build: impl FnOnce() -> DescriptorCache,
) -> &DescriptorCache {
    let cached = descriptor.cache(build);
    if let Ok(table) = cached {
        descriptor.shortcut().store(ptr::from_ref::<Table>(table).cast_mut().cast(), Ordering::Release);
    }
    cached
}

impl MessageCells {
    /// Returns the table of the Rust type, or `None` if it is not yet built.
    #[inline]
    pub(crate) fn linked(&'static self) -> Option<&'static Table> {
        // SAFETY: the pointer is null, or it was made by `link` from a reference to a table that lives forever.
        unsafe { self.table.load(Ordering::Acquire).cast::<Table>().as_ref() }
    }

    /// Stores the table of the Rust type for `linked`.
    pub(super) fn link(&'static self, table: &'static Table) {
        self.table.store(ptr::from_ref(table).cast_mut().cast(), Ordering::Release);
    }

    /// Returns the table of the Rust type. Returns `None` if the table is not yet built or the file of the type is not
    /// registered.
    #[inline]
    pub(crate) fn described(&'static self) -> Option<&'static Table> {
        // SAFETY: the pointer is null, or it was made by `set_described` from a reference to a table that lives forever.
        unsafe { self.described.load(Ordering::Acquire).cast::<Table>().as_ref() }
    }

    /// Stores the table of the Rust type for `described`. The file of the type must be registered.
    pub(crate) fn set_described(&'static self, table: &'static Table) {
        self.described.store(ptr::from_ref(table).cast_mut().cast(), Ordering::Release);
    }
}

impl EnumLink {
    /// Creates a link to an enum table that lives as long as the row.
    pub(super) fn to(table: &EnumTable) -> Self {
        EnumLink(Found(NonNull::from(table)))
    }

    #[inline]
    pub(crate) fn table(&self) -> &EnumTable {
        self.0.get()
    }
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.known().is_some() { "found" } else { "not found yet" })
    }
}

impl std::fmt::Debug for EnumLink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.table().full_name)
    }
}
