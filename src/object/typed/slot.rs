//! One value of a struct, list or map, to be replaced.

use super::TypedMut;
use super::fill::{child, store_scalar, store_text};
use crate::error::Result;
use crate::layout::{Storage, Text};
use crate::table::Row;
use std::marker::PhantomData;

/// Where a single value lies.
pub(crate) struct TypedSlot<'a> {
    row: &'a Row,
    storage: Storage,
    at: *mut u8,
    value: PhantomData<&'a mut u8>,
}

impl<'a> TypedSlot<'a> {
    /// A value by its address.
    ///
    /// # Safety
    /// A live value with this storage, of the kind of the row, lies there, and nothing else refers to it for `'a`.
    pub(super) unsafe fn new(row: &'a Row, storage: Storage, at: *mut u8) -> Self {
        TypedSlot { row, storage, at, value: PhantomData }
    }

    /// Sets a number, bool or enum.
    ///
    /// # Errors
    /// The Rust type has no room for it.
    pub(crate) fn set_scalar(&mut self, bits: u64) -> Result<()> {
        // SAFETY: as in `new`.
        unsafe { store_scalar(self.storage, self.at, bits) }
    }

    /// Sets a string or byte string.
    ///
    /// # Errors
    /// The text is not UTF-8 where it must be, or the Rust type borrows.
    pub(crate) fn set_text(&mut self, bytes: &[u8], shared: Option<&bytes::Bytes>) -> Result<()> {
        let text = Text { bytes, borrowed: false, input: shared };
        // SAFETY: as in `new`.
        unsafe { store_text(self.row, self.storage, self.at, text) }
    }

    /// The message; an empty one is made where there is none.
    ///
    /// # Errors
    /// None can be made, or it is no message.
    pub(crate) fn into_message(self) -> Result<TypedMut<'a, 'a>> {
        // SAFETY: as in `new`.
        unsafe { child(self.row, self.storage, self.at) }
    }
}
