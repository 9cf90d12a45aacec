//! A value by itself as a message of one field.

use super::{Typed, TypedMut};
use crate::descriptor::ExtensionDescriptor;
use crate::error::Result;
use crate::layout::{FilledFrom, Member};
use crate::table::{Table, typed_extension_table};
use std::marker::PhantomData;
use std::ptr;

/// The table of a message that has an extension and nothing else, for the Rust type of its value.
#[derive(Debug)]
pub(crate) struct ValueTable<T> {
    table: Table,
    value: PhantomData<fn() -> T>,
}

impl<T: Member> ValueTable<T> {
    /// The table of an extension.
    ///
    /// # Errors
    /// The type and the schema do not fit together.
    pub(crate) fn new(extension: &ExtensionDescriptor) -> Result<Self> {
        let table = typed_extension_table(extension, T::STORAGE, is_set::<T>)?;
        Ok(ValueTable { table, value: PhantomData })
    }

    /// A value as a message.
    pub(crate) fn read<'a>(&'a self, value: &'a T) -> Typed<'a> {
        // SAFETY: the table has one field, of the type, which lies where the message begins.
        unsafe { Typed::new(ptr::from_ref(value).cast(), &self.table) }
    }

    /// A value as a message, to be filled.
    pub(crate) fn fill<'a>(&'a self, value: &'a mut T) -> TypedMut<'a, 'a>
    where
        T: for<'de> FilledFrom<'de>,
    {
        // SAFETY: the table has one field, of the type, which lies where the message begins, and the value is borrowed
        // mutably for `'a`. A type that any input may fill borrows nothing.
        unsafe { TypedMut::new(ptr::from_mut(value).cast(), &self.table) }
    }
}

/// Gives the mask of a value if it is set.
///
/// # Safety
/// A `T` is at the address.
unsafe fn is_set<T: Member>(at: *const u8, masks: &[u64]) -> u64 {
    // SAFETY: the caller promises that a live `T` is at the address.
    let is_set = unsafe { &*at.cast::<T>() }.is_set();
    masks.first().copied().filter(|_| is_set).unwrap_or_default()
}
