//! Reads and fills a single value as if it were a message with one field.

use super::{Typed, TypedMut};
use crate::descriptor::ExtensionDescriptor;
use crate::error::Result;
use crate::layout::{FilledFrom, Member};
use crate::table::{Table, typed_extension_table};
use std::marker::PhantomData;
use std::ptr;

/// The table of a message whose only field is an extension, for a value of the Rust type `T`.
#[derive(Debug)]
pub(crate) struct ValueTable<T> {
    table: Table,
    value: PhantomData<fn() -> T>,
}

impl<T: Member> ValueTable<T> {
    /// Builds the table for an extension.
    ///
    /// # Errors
    /// The type and the schema do not fit together.
    pub(crate) fn new(extension: &ExtensionDescriptor) -> Result<Self> {
        let table = typed_extension_table(extension, T::STORAGE, is_set::<T>)?;
        Ok(ValueTable { table, value: PhantomData })
    }

    /// Returns a value as a message that can be read.
    pub(crate) fn read<'a>(&'a self, value: &'a T) -> Typed<'a> {
        // SAFETY: the table has one field, of type `T`, at offset 0.
        unsafe { Typed::new(ptr::from_ref(value).cast(), &self.table) }
    }

    /// Returns a value as a message that can be filled.
    pub(crate) fn fill<'a>(&'a self, value: &'a mut T) -> TypedMut<'a, 'a>
    where
        T: for<'de> FilledFrom<'de>,
    {
        // SAFETY: the table has one field, of type `T`, at offset 0, and the value is borrowed mutably for `'a`. A type
        // that can be filled from any input borrows nothing.
        unsafe { TypedMut::new(ptr::from_mut(value).cast(), &self.table) }
    }
}

/// Returns the mask of the value at `at` if the value is set, otherwise 0.
///
/// # Safety
/// `at` is the address of a live `T`.
unsafe fn is_set<T: Member>(at: *const u8, masks: &[u64]) -> u64 {
    // SAFETY: the caller promises that `at` is the address of a live `T`.
    let is_set = unsafe { &*at.cast::<T>() }.is_set();
    masks.first().copied().filter(|_| is_set).unwrap_or_default()
}
