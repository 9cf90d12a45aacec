//! Maps of structs.

use super::fill::{child, store_scalar, store_text};
use super::{Typed, TypedField, TypedMut, TypedSlot, access, field, text_at, unmakable};
use crate::error::Result;
use crate::layout::{KeyRef, MapFunctions, Storage, Text};
use crate::object::{Field, Fill, ObjectMap};
use crate::table::{Kind, Row, Table};
use std::marker::PhantomData;

/// A map of a struct.
#[derive(Clone, Copy)]
pub(crate) struct TypedMap<'a> {
    row: &'a Row,
    functions: &'static MapFunctions,
    at: *const u8,
    message: PhantomData<&'a u8>,
}

/// A map of a struct, to be changed.
pub(crate) struct TypedMapMut<'a> {
    message: &'a Table,
    row: &'a Row,
    functions: &'static MapFunctions,
    at: *mut u8,
    map: PhantomData<&'a mut u8>,
}

impl<'a> TypedMap<'a> {
    /// A map by its address.
    ///
    /// # Errors
    /// As [`Row::message`].
    ///
    /// # Safety
    /// A live map that the functions are for lies there, and is not changed for `'a`.
    #[inline]
    pub(super) unsafe fn new(row: &'a Row, functions: &'static MapFunctions, at: *const u8) -> Result<Self> {
        if row.map().value.is_message() {
            row.map().value.message()?;
        }
        Ok(TypedMap { row, functions, at, message: PhantomData })
    }

    /// The field that the map is of.
    #[inline]
    pub(crate) fn row(self) -> &'a Row {
        self.row
    }

    /// The value of a key.
    pub(crate) fn find(self, key: KeyRef<'_>) -> Option<TypedField<'a>> {
        // SAFETY: see the module.
        unsafe {
            let value = (self.functions.get)(self.at, key);
            if value.is_null() {
                return None;
            }
            let (storage, value) = access::present(self.functions.value, value)?;
            field(&self.row.map().value, storage, value).ok()
        }
    }

    /// Visits the entries, in no order, until the visitor returns false; those whose key is not UTF-8 are passed over.
    pub(crate) fn each(self, visit: &mut dyn FnMut(KeyRef<'a>, TypedField<'a>) -> bool) {
        let (rows, functions) = (self.row.map(), self.functions);
        // SAFETY: see the module.
        unsafe {
            (functions.visit)(self.at, &mut |at, value| {
                let Some(key) = key(rows.key.kind, functions.key, at) else { return true };
                let Some((storage, value)) = access::present(functions.value, value) else { return true };
                match field(&rows.value, storage, value) {
                    Ok(value) => visit(key, value),
                    Err(_) => unreachable!("the table was found when the map was"),
                }
            });
        }
    }
}

/// The key at an address; `None` where it is not UTF-8.
///
/// # Safety
/// As for `access`.
#[inline]
pub(crate) unsafe fn key<'a>(kind: Kind, storage: Storage, at: *const u8) -> Option<KeyRef<'a>> {
    // SAFETY: as above.
    unsafe {
        if let Some(bits) = access::scalar(storage, at) {
            return Some(match kind {
                Kind::Bool => KeyRef::Bool(bits != 0),
                Kind::Int32 | Kind::SInt32 | Kind::SFixed32 => KeyRef::I32(bits as i32),
                Kind::Int64 | Kind::SInt64 | Kind::SFixed64 => KeyRef::I64(bits as i64),
                Kind::UInt32 | Kind::Fixed32 => KeyRef::U32(bits as u32),
                _ => KeyRef::U64(bits),
            });
        }
        match text_at(storage, at) {
            TypedField::Str(key) => Some(KeyRef::Str(key)),
            TypedField::Bytes(key) => std::str::from_utf8(key).ok().map(KeyRef::Str),
            _ => None,
        }
    }
}

impl<'a> ObjectMap<'a> for TypedMap<'a> {
    type Message = Typed<'a>;

    #[inline]
    fn len(self) -> usize {
        // SAFETY: see the module.
        unsafe { (self.functions.len)(self.at) }
    }

    fn visit(self, visit: &mut dyn FnMut(KeyRef<'a>, Field<'a, Typed<'a>>) -> Result<()>) -> Result<()> {
        let mut done = Ok(());
        self.each(&mut |key, value| {
            done = visit(key, value.into());
            done.is_ok()
        });
        done
    }
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
        // SAFETY: see the module.
        unsafe {
            let value = (self.functions.get_mut)(self.at, key);
            (!value.is_null()).then(|| TypedSlot::new(&self.row.map().value, self.functions.value, value))
        }
    }

    /// Adds an entry, in the place of one with the same key: `fill` sets key and value of an empty one.
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
        // SAFETY: see the module.
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
        // SAFETY: see the module.
        unsafe { (self.functions.remove)(self.at, key) }
    }

    /// Visits the values that are messages, until the visitor returns false.
    pub(crate) fn each_message(&mut self, visit: &mut dyn FnMut(KeyRef<'_>, TypedMut<'_, '_>) -> bool) {
        let (rows, functions) = (self.row.map(), self.functions);
        // SAFETY: see the module; each value is lent once.
        unsafe {
            (functions.visit_mut)(self.at, &mut |at, value| {
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
        // SAFETY: see the module.
        unsafe { (self.functions.clear)(self.at) }
    }
}

/// An entry on its way into a map.
pub(crate) struct TypedEntry {
    pub(super) functions: &'static MapFunctions,
    pub(super) key: *mut u8,
    pub(super) value: *mut u8,
}

impl TypedEntry {
    /// Key or value, by its row.
    #[inline]
    fn half(&mut self, row: &Row) -> (Storage, *mut u8) {
        match row.index {
            0 => (self.functions.key, self.key),
            _ => (self.functions.value, self.value),
        }
    }
}

impl<'t> Fill<'t> for TypedEntry {
    type Child<'b>
        = TypedMut<'b, 't>
    where
        Self: 'b;

    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        let (storage, at) = self.half(row);
        // SAFETY: see the module.
        unsafe { store_scalar(storage, at, bits) }
    }

    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        let (storage, at) = self.half(row);
        // SAFETY: see the module.
        unsafe { store_text(row, storage, at, text) }
    }

    fn set_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        let (storage, at) = self.half(row);
        // SAFETY: see the module.
        unsafe { super::fill::store_str(storage, at, text, borrowed) }
    }

    fn message(&mut self, row: &'t Row) -> Result<TypedMut<'_, 't>> {
        let (storage, at) = self.half(row);
        // SAFETY: see the module.
        unsafe { child(row, storage, at) }
    }
}
