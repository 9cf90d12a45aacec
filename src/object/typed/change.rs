//! Changes single values, lists and maps of structs.

use super::fill::child;
use super::map::key;
use super::store::{store_scalar, store_text};
use super::{TypedList, TypedMap, TypedMut, unmakable};
use crate::error::Result;
use crate::layout::{KeyRef, ListFunctions, MapFunctions, Storage, Text};
use crate::table::{Row, Table};
use std::marker::PhantomData;

impl<'a> TypedMut<'a, 'a> {
    /// Returns the slot of a singular field, through which the value can be replaced. If the field is in a oneof, this
    /// function clears the other fields of the oneof.
    pub(crate) fn into_slot(mut self, row: &'a Row) -> Result<TypedSlot<'a>> {
        let (storage, at) = self.locate(row)?;
        // SAFETY: `locate` returned the storage and the address of the member or variant of `row` in the live struct.
        // `self` borrows this struct mutably for `'a`.
        Ok(unsafe { TypedSlot::new(row, storage, at) })
    }

    /// Returns a mutable view of a list.
    ///
    /// # Errors
    /// The field is not a list, or [`Row::message`] fails.
    pub(crate) fn into_list(mut self, row: &'a Row) -> Result<TypedListMut<'a>> {
        let (functions, at) = self.list_at(row)?;
        // SAFETY: `list_at` returned the functions and the address of the list of `row` in the live struct. `self`
        // borrows this struct mutably for `'a`.
        unsafe { TypedListMut::new(self.table, row, functions, at) }
    }

    /// Returns a mutable view of a map.
    ///
    /// # Errors
    /// The field is not a map, or [`Row::message`] fails.
    pub(crate) fn into_map(mut self, row: &'a Row) -> Result<TypedMapMut<'a>> {
        let (functions, at) = self.map(row)?;
        // SAFETY: `map` returned the functions and the address of the map of `row` in the live struct. `self` borrows
        // this struct mutably for `'a`.
        unsafe { TypedMapMut::new(self.table, row, functions, at) }
    }
}

/// The address and the storage of a single value that can be replaced.
pub(crate) struct TypedSlot<'a> {
    row: &'a Row,
    storage: Storage,
    at: *mut u8,
    value: PhantomData<&'a mut u8>,
}

impl<'a> TypedSlot<'a> {
    /// Makes a slot from the address of a value.
    ///
    /// # Safety
    /// `at` is the address of a live value with the storage `storage`. The storage fits the kind of `row`. Nothing else
    /// refers to the value for `'a`.
    pub(super) unsafe fn new(row: &'a Row, storage: Storage, at: *mut u8) -> Self {
        TypedSlot { row, storage, at, value: PhantomData }
    }

    /// Sets a number, bool or enum value.
    ///
    /// # Errors
    /// The Rust type cannot hold the value.
    pub(crate) fn set_scalar(&mut self, bits: u64) -> Result<()> {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers.
        unsafe { store_scalar(self.storage, self.at, bits) }
    }

    /// Sets a string or byte string.
    ///
    /// # Errors
    /// The field is a string and the bytes are not UTF-8, the conversion rejects the bytes, or the Rust type can only borrow.
    pub(crate) fn set_text(&mut self, bytes: &[u8], shared: Option<&bytes::Bytes>) -> Result<()> {
        let text = Text { bytes, borrowed: false, input: shared };
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers. `store_text` checks the text of a string, and the text is not marked as borrowed.
        unsafe { store_text(self.row, self.storage, self.at, text) }
    }

    /// Returns the message in the value. If the value is an empty option, first inserts an empty message.
    ///
    /// # Errors
    /// No empty message can be made, or the value is not a message.
    pub(crate) fn into_message(self) -> Result<TypedMut<'a, 'a>> {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live value with the storage `self.storage`, to which
        // nothing else refers. `self.row.message()` is the table of a message in the value.
        unsafe { child(self.row, self.storage, self.at) }
    }
}

/// A list of a struct that can be changed.
pub(crate) struct TypedListMut<'a> {
    message: &'a Table,
    row: &'a Row,
    functions: &'static ListFunctions,
    at: *mut u8,
    list: PhantomData<&'a mut u8>,
}

impl<'a> TypedListMut<'a> {
    /// Makes the list from its address.
    ///
    /// # Errors
    /// Fails if [`Row::message`] fails.
    ///
    /// # Safety
    /// `at` is the address of a live list of the type that `functions` are for, and nothing else refers to the list for
    /// `'a`.
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

    /// Returns the table of the message that has the list.
    pub(crate) fn message(&self) -> &'a Table {
        self.message
    }

    pub(crate) fn row(&self) -> &'a Row {
        self.row
    }

    pub(crate) fn storage(&self) -> Storage {
        self.functions.element
    }

    /// Returns a view through which the list can be read.
    #[inline]
    pub(crate) fn read(&self) -> TypedList<'_> {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live list that `self.functions` are for. The list is
        // not changed while `self` is borrowed. `new` has also linked the table of its messages.
        unsafe { TypedList::at(self.row, self.functions, self.at) }
    }

    /// Returns the slot of an element.
    ///
    /// # Panics
    /// There is no element with this index.
    pub(crate) fn slot(&mut self, index: usize) -> TypedSlot<'_> {
        assert!(index < self.read().len(), "there is no such element");
        // SAFETY: `index` was checked to be below the number of elements. The element is live and has the storage that
        // the functions name. Nothing else refers to the list while `self` is borrowed.
        unsafe {
            let at = self.functions.elements_mut(self.at).0.add(index * self.functions.stride);
            TypedSlot::new(self.row, self.functions.element, at)
        }
    }

    /// Appends an empty element, and returns its slot.
    ///
    /// # Errors
    /// No empty element can be made.
    pub(crate) fn push(&mut self) -> Result<TypedSlot<'_>> {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live list that `self.functions` are for, and nothing
        // else refers to the list. An element that is not null is live and has the storage that the functions name.
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
    /// There is no element with this index.
    pub(crate) fn remove(&mut self, index: usize) {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live list that `self.functions` are for, and nothing
        // else refers to the list; `remove` checks the index itself.
        unsafe { self.functions.remove(self.at, index) }
    }

    /// Drops the elements from the index `len` on.
    pub(crate) fn truncate(&mut self, len: usize) {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live list that `self.functions` are for, and nothing
        // else refers to the list.
        unsafe { self.functions.truncate(self.at, len) }
    }
}

/// A map of a struct that can be changed.
pub(crate) struct TypedMapMut<'a> {
    message: &'a Table,
    row: &'a Row,
    functions: &'static MapFunctions,
    at: *mut u8,
    map: PhantomData<&'a mut u8>,
}

impl<'a> TypedMapMut<'a> {
    /// Makes the map from its address.
    ///
    /// # Errors
    /// Fails if [`Row::message`] fails.
    ///
    /// # Safety
    /// `at` is the address of a live map of the type that `functions` are for, and nothing else refers to the map for
    /// `'a`.
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

    /// Returns the table of the message that has the map.
    pub(crate) fn message(&self) -> &'a Table {
        self.message
    }

    pub(crate) fn row(&self) -> &'a Row {
        self.row
    }

    pub(crate) fn storage(&self) -> (Storage, Storage) {
        (self.functions.key, self.functions.value)
    }

    /// Returns a view through which the map can be read.
    #[inline]
    pub(crate) fn read(&self) -> TypedMap<'_> {
        TypedMap { row: self.row, functions: self.functions, at: self.at, message: PhantomData }
    }

    /// Returns the slot of the value of a key. Returns `None` if the map does not have the key.
    pub(crate) fn slot(&mut self, key: KeyRef<'_>) -> Option<TypedSlot<'_>> {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live map that `self.functions` are for, and nothing
        // else refers to the map. A value that is not null is live and has the storage that the functions name.
        unsafe {
            let value = (self.functions.get_mut)(self.at, key);
            (!value.is_null()).then(|| TypedSlot::new(&self.row.map().value, self.functions.value, value))
        }
    }

    /// Inserts an entry. If the map has an entry with an equal key, the new entry replaces it. `fill` sets the key and
    /// the value of the new entry, which are empty at first.
    ///
    /// # Errors
    /// `fill` fails, or no empty entry can be made. The map is then unchanged.
    pub(crate) fn insert(
        &mut self,
        fill: impl FnOnce(TypedSlot<'_>, TypedSlot<'_>) -> Result<()>,
    ) -> Result<()> {
        let (rows, functions) = (self.row.map(), self.functions);
        let (mut fill, mut done) = (Some(fill), Err(unmakable()));
        // SAFETY: by the contract of `new`, `self.at` is the address of a live map that `self.functions` are for, and nothing
        // else refers to the map. `insert` calls the closure with the addresses of an empty key and an empty value, which have
        // the storages that the functions name. Nothing else refers to the key and the value.
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

    pub(crate) fn can_grow(&mut self) -> bool {
        let mut made = false;
        // SAFETY: by the contract of `new`, `self.at` is the address of a live map that `self.functions` are for, and nothing
        // else refers to the map. The closure does not use the addresses that it is called with.
        unsafe {
            (self.functions.insert)(self.at, &mut |_, _| {
                made = true;
                false
            });
        }
        made
    }

    /// Removes an entry. Returns false if the map does not have the key.
    pub(crate) fn remove(&mut self, key: KeyRef<'_>) -> bool {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live map that `self.functions` are for, and nothing
        // else refers to the map.
        unsafe { (self.functions.remove)(self.at, key) }
    }

    /// Calls `visit` for each entry whose value is a message, until `visit` returns false. Skips an entry whose key or message
    /// cannot be read.
    pub(crate) fn each_message(&mut self, visit: &mut dyn FnMut(KeyRef<'_>, TypedMut<'_, '_>) -> bool) {
        let (rows, functions) = (self.row.map(), self.functions);
        let Some(each) = self.functions.visit_mut else { return };
        // SAFETY: by the contract of `new`, `self.at` is the address of a live map that `self.functions` are for, and nothing
        // else refers to the map. `each` calls the closure once for each entry, with the addresses of the live key and value.
        // Both have the storages that the functions name.
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

    pub(crate) fn clear(&mut self) {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live map that `self.functions` are for, and nothing
        // else refers to the map.
        unsafe { self.functions.clear(self.at) }
    }
}
