//! Values, lists and maps of structs, to be changed one by one.

use super::fill::child;
use super::map::key;
use super::store::{store_scalar, store_text};
use super::{TypedList, TypedMap, TypedMut, unmakable};
use crate::error::Result;
use crate::layout::{KeyRef, ListFunctions, MapFunctions, Storage, Text};
use crate::table::{Row, Table};
use std::marker::PhantomData;

impl<'a> TypedMut<'a, 'a> {
    /// A single value, to be replaced: a member of a oneof replaces another one.
    ///
    /// # Errors
    /// As [`locate`](Self::locate).
    pub(crate) fn into_slot(mut self, row: &'a Row) -> Result<TypedSlot<'a>> {
        let (storage, at) = self.locate(row)?;
        // SAFETY: `locate` gives the storage and the address of the row's member or variant in the live struct, which
        // `self` borrows for `'a` with nothing else that refers to it.
        Ok(unsafe { TypedSlot::new(row, storage, at) })
    }

    /// A list, to be changed.
    ///
    /// # Errors
    /// As [`Row::message`].
    pub(crate) fn into_list(mut self, row: &'a Row) -> Result<TypedListMut<'a>> {
        let (functions, at) = self.list_at(row)?;
        // SAFETY: `list_at` gives the functions and the address of the row's list in the live struct, which `self`
        // borrows for `'a` with nothing else that refers to it.
        unsafe { TypedListMut::new(self.table, row, functions, at) }
    }

    /// A map, to be changed.
    ///
    /// # Errors
    /// As [`Row::message`].
    pub(crate) fn into_map(mut self, row: &'a Row) -> Result<TypedMapMut<'a>> {
        let (functions, at) = self.map(row)?;
        // SAFETY: `map` gives the functions and the address of the row's map in the live struct, which `self` borrows
        // for `'a` with nothing else that refers to it.
        unsafe { TypedMapMut::new(self.table, row, functions, at) }
    }
}

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
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`.
        unsafe { store_scalar(self.storage, self.at, bits) }
    }

    /// Sets a string or byte string.
    ///
    /// # Errors
    /// The text is not UTF-8 where it must be, or the Rust type borrows.
    pub(crate) fn set_text(&mut self, bytes: &[u8], shared: Option<&bytes::Bytes>) -> Result<()> {
        let text = Text { bytes, borrowed: false, input: shared };
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`. `store_text` checks the text of a string, and the text is not marked as borrowed.
        unsafe { store_text(self.row, self.storage, self.at, text) }
    }

    /// The message; an empty one is made where there is none.
    ///
    /// # Errors
    /// None can be made, or it is not a message.
    pub(crate) fn into_message(self) -> Result<TypedMut<'a, 'a>> {
        // SAFETY: a live value with this storage is at the address and nothing else refers to it for `'a`, by the
        // contract of `new`. The row says which table a message in it has.
        unsafe { child(self.row, self.storage, self.at) }
    }
}

/// A list of a struct, to be changed.
pub(crate) struct TypedListMut<'a> {
    message: &'a Table,
    row: &'a Row,
    functions: &'static ListFunctions,
    at: *mut u8,
    list: PhantomData<&'a mut u8>,
}

impl<'a> TypedListMut<'a> {
    /// A list by its address.
    ///
    /// # Errors
    /// As [`Row::message`].
    ///
    /// # Safety
    /// A live list that the functions are for lies there, and nothing else refers to it for `'a`.
    pub(super) unsafe fn new(
        message: &'a Table,
        row: &'a Row,
        functions: &'static ListFunctions,
        at: *mut u8,
    ) -> Result<Self> {
        if row.is_message() {
            row.message()?;
        }
        Ok(TypedListMut { message, row, functions, at, list: PhantomData })
    }

    /// The table of the message that has the list.
    pub(crate) fn message(&self) -> &'a Table {
        self.message
    }

    /// The field that the list is of.
    pub(crate) fn row(&self) -> &'a Row {
        self.row
    }

    /// How an element lies.
    pub(crate) fn storage(&self) -> Storage {
        self.functions.element
    }

    /// The list, to be read.
    #[inline]
    pub(crate) fn read(&self) -> TypedList<'_> {
        // SAFETY: a live list that the functions are for is at the address, by the contract of `new`, and is not
        // changed while `self` is borrowed. `new` has also asked for the table of its messages.
        unsafe { TypedList::at(self.row, self.functions, self.at) }
    }

    /// An element that is there, to be replaced.
    ///
    /// # Panics
    /// When there is none with this index.
    pub(crate) fn slot(&mut self, index: usize) -> TypedSlot<'_> {
        assert!(index < self.read().len(), "there is no such element");
        // SAFETY: the index is checked to be that of an element, which is live and has the storage that the functions
        // say. Nothing else refers to the list while `self` is borrowed.
        unsafe {
            let at = self.functions.elements_mut(self.at).0.add(index * self.functions.stride);
            TypedSlot::new(self.row, self.functions.element, at)
        }
    }

    /// Adds an empty element.
    ///
    /// # Errors
    /// None can be made.
    pub(crate) fn push(&mut self) -> Result<TypedSlot<'_>> {
        // SAFETY: a live list that the functions are for is at the address, and nothing else refers to it, by the
        // contract of `new`. An element that is not null is live and has the storage that the functions say.
        unsafe {
            let element = self.functions.push(self.at);
            if element.is_null() {
                return Err(unmakable());
            }
            Ok(TypedSlot::new(self.row, self.functions.element, element))
        }
    }

    /// Removes an element.
    ///
    /// # Panics
    /// When there is none with this index.
    pub(crate) fn remove(&mut self, index: usize) {
        // SAFETY: a live list that the functions are for is at the address, and nothing else refers to it, by the
        // contract of `new`; `remove` checks the index itself.
        unsafe { self.functions.remove(self.at, index) }
    }

    /// Drops the elements from a length on.
    pub(crate) fn truncate(&mut self, len: usize) {
        // SAFETY: a live list that the functions are for is at the address, and nothing else refers to it, by the
        // contract of `new`.
        unsafe { self.functions.truncate(self.at, len) }
    }
}

/// A map of a struct, to be changed.
pub(crate) struct TypedMapMut<'a> {
    message: &'a Table,
    row: &'a Row,
    functions: &'static MapFunctions,
    at: *mut u8,
    map: PhantomData<&'a mut u8>,
}

impl<'a> TypedMapMut<'a> {
    /// A map by its address.
    ///
    /// # Errors
    /// As [`Row::message`].
    ///
    /// # Safety
    /// A live map that the functions are for lies there, and nothing else refers to it for `'a`.
    pub(super) unsafe fn new(
        message: &'a Table,
        row: &'a Row,
        functions: &'static MapFunctions,
        at: *mut u8,
    ) -> Result<Self> {
        if row.map().value.is_message() {
            row.map().value.message()?;
        }
        Ok(TypedMapMut { message, row, functions, at, map: PhantomData })
    }

    /// The table of the message that has the map.
    pub(crate) fn message(&self) -> &'a Table {
        self.message
    }

    /// The field that the map is of.
    pub(crate) fn row(&self) -> &'a Row {
        self.row
    }

    /// How a key and a value lie.
    pub(crate) fn storage(&self) -> (Storage, Storage) {
        (self.functions.key, self.functions.value)
    }

    /// The map, to be read.
    #[inline]
    pub(crate) fn read(&self) -> TypedMap<'_> {
        TypedMap { row: self.row, functions: self.functions, at: self.at, message: PhantomData }
    }

    /// The value of a key, to be changed; `None` where there is none.
    pub(crate) fn slot(&mut self, key: KeyRef<'_>) -> Option<TypedSlot<'_>> {
        // SAFETY: a live map that the functions are for is at the address, and nothing else refers to it, by the
        // contract of `new`. A value that is not null is live and has the storage that the functions say.
        unsafe {
            let value = (self.functions.get_mut)(self.at, key);
            (!value.is_null()).then(|| TypedSlot::new(&self.row.map().value, self.functions.value, value))
        }
    }

    /// Adds an entry, instead of one with the same key: `fill` sets key and value of an empty one.
    ///
    /// # Errors
    /// Those of `fill`, or no entry can be made; the map is as it was then.
    pub(crate) fn insert(
        &mut self,
        fill: impl FnOnce(TypedSlot<'_>, TypedSlot<'_>) -> Result<()>,
    ) -> Result<()> {
        let (rows, functions) = (self.row.map(), self.functions);
        let (mut fill, mut done) = (Some(fill), Err(unmakable()));
        // SAFETY: the functions give the addresses of an empty key and an empty value, which nothing else refers to.
        unsafe {
            (functions.insert)(self.at, &mut |key, value| {
                let Some(fill) = fill.take() else { return false };
                let key = TypedSlot::new(&rows.key, functions.key, key);
                done = fill(key, TypedSlot::new(&rows.value, functions.value, value));
                done.is_ok()
            });
        }
        done
    }

    /// True when empty entries can be made.
    pub(crate) fn can_grow(&mut self) -> bool {
        let mut made = false;
        // SAFETY: a live map that the functions are for is at the address, and nothing else refers to it, by the
        // contract of `new`. The closure does not use the addresses that it is called with.
        unsafe {
            (self.functions.insert)(self.at, &mut |_, _| {
                made = true;
                false
            });
        }
        made
    }

    /// Removes an entry; false where there is none.
    pub(crate) fn remove(&mut self, key: KeyRef<'_>) -> bool {
        // SAFETY: a live map that the functions are for is at the address, and nothing else refers to it, by the
        // contract of `new`.
        unsafe { (self.functions.remove)(self.at, key) }
    }

    /// Visits the values that are messages, until the visitor returns false.
    pub(crate) fn each_message(&mut self, visit: &mut dyn FnMut(KeyRef<'_>, TypedMut<'_, '_>) -> bool) {
        let (rows, functions) = (self.row.map(), self.functions);
        let Some(each) = self.functions.visit_mut else { return };
        // SAFETY: a live map that the functions are for is at the address, and nothing else refers to it, by the
        // contract of `new`. The functions give the addresses of live keys and values with the storages that they say,
        // and each value once.
        unsafe {
            each(self.at, &mut |at, value| {
                let Some(key) = key(rows.key.kind, functions.key, at) else { return true };
                match child(&rows.value, functions.value, value) {
                    Ok(value) => visit(key, value),
                    Err(_) => true,
                }
            });
        }
    }

    /// Removes all entries.
    pub(crate) fn clear(&mut self) {
        // SAFETY: a live map that the functions are for is at the address, and nothing else refers to it, by the
        // contract of `new`.
        unsafe { self.functions.clear(self.at) }
    }
}
