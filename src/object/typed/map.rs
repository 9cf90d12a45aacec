//! Reads maps of structs.

use super::message::{field, text_at};
use super::{Typed, TypedField};
use crate::error::Result;
use crate::layout::{KeyRef, MapFunctions, Storage};
use crate::object::{Field, ObjectMap, access, key_of};
use crate::table::{Kind, Row};
use std::marker::PhantomData;

/// A map in a struct, for reading.
#[derive(Clone, Copy)]
pub(crate) struct TypedMap<'a> {
    pub(super) row: &'a Row,
    pub(super) functions: &'static MapFunctions,
    pub(super) at: *const u8,
    pub(super) message: PhantomData<&'a u8>,
}

pub(crate) trait VisitEntries<'a> {
    /// Receives an entry. `row` is the row of the entry's value. Returns false to end the visit. Implementations should be
    /// inlined, so that the kind of the value is known at compile time.
    fn entry(&mut self, key: KeyRef<'a>, row: &'a Row, value: TypedField<'a>) -> bool;
}

impl<'a> TypedMap<'a> {
    /// Makes the map from its address.
    ///
    /// # Errors
    /// The values are messages, and [`Row::message`] fails.
    ///
    /// # Safety
    /// `at` is the address of a live map of the type that `functions` are for. The map is not changed for `'a`.
    #[inline]
    pub(super) unsafe fn new(row: &'a Row, functions: &'static MapFunctions, at: *const u8) -> Result<Self> {
        if row.map().value.is_message() {
            row.map().value.message()?;
        }
        Ok(TypedMap { row, functions, at, message: PhantomData })
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live map of the type that `self.functions`
        // are for.
        unsafe { self.functions.len(self.at) }
    }

    #[inline]
    pub(crate) fn row(self) -> &'a Row {
        self.row
    }

    /// Returns the value of a key, or `None` if the map does not have the key.
    pub(crate) fn find(self, key: KeyRef<'_>) -> Option<TypedField<'a>> {
        // SAFETY: by the contract of `new`, `self.at` is the address of a live map of the type that `self.functions`
        // are for. The map is not changed for `'a`. A value that is not null is live and has the storage that the
        // functions name.
        unsafe {
            let value = (self.functions.get)(self.at, key);
            if value.is_null() {
                return None;
            }
            let (storage, value) = access::present(self.functions.value, value)?;
            field(&self.row.map().value, storage, value).ok()
        }
    }

    /// Visits the entries, in no particular order. Skips entries whose key is not UTF-8.
    #[inline]
    pub(crate) fn each(self, visitor: &mut impl VisitEntries<'a>) {
        let (rows, functions) = (self.row.map(), self.functions);
        let row = &rows.value;
        // SAFETY: by the contract of `new`, `self.at` is the address of a live map of the type that `self.functions`
        // are for. The map is not changed for `'a`. `visit` calls the closure with the addresses of live keys and
        // values in this map, which have the storages that the functions name.
        unsafe {
            (functions.visit)(self.at, &mut |at, value| {
                let Some(key) = key(rows.key.kind, functions.key, at) else { return true };
                match functions.value {
                    Storage::String => visitor.entry(key, row, TypedField::Str(&*value.cast::<String>())),
                    Storage::Vec => visitor.entry(key, row, TypedField::Bytes(&*value.cast::<Vec<u8>>())),
                    storage => match access::present(storage, value) {
                        Some((storage, value)) => match field(row, storage, value) {
                            Ok(value) => visitor.entry(key, row, value),
                            Err(_) => unreachable!("the table was found when the map was"),
                        },
                        None => true,
                    },
                }
            });
        }
    }
}

/// Returns the key at `at`, or `None` if the key is not UTF-8.
///
/// # Safety
/// `at` is the address of a live value with the storage `storage`. The value is not changed for `'a`.
#[inline]
pub(super) unsafe fn key<'a>(kind: Kind, storage: Storage, at: *const u8) -> Option<KeyRef<'a>> {
    // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`. The value is not
    // changed for `'a`. So a `String` is read only if the value is a `String`.
    unsafe {
        if let Storage::String = storage {
            return Some(KeyRef::Str(&*at.cast::<String>()));
        }
        if let Some(bits) = access::scalar(storage, at) {
            return Some(key_of(kind, bits));
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
    fn size_hint(self) -> usize {
        self.len()
    }

    #[inline]
    fn entries(self, mut each: impl FnMut(KeyRef<'a>, Field<'a, Typed<'a>>) -> Result<()>) -> Result<bool> {
        let mut fallible = Fallible { each: &mut each, visited: 0, done: Ok(()) };
        self.each(&mut fallible);
        fallible.done.map(|()| fallible.visited == self.len())
    }
}

/// A visitor that ends the visit with the first error.
struct Fallible<'v, 'a> {
    // A `dyn` function, so that the code around it is compiled only once.
    each: &'v mut dyn FnMut(KeyRef<'a>, Field<'a, Typed<'a>>) -> Result<()>,
    visited: usize,
    done: Result<()>,
}

impl<'a> VisitEntries<'a> for Fallible<'_, 'a> {
    #[inline]
    fn entry(&mut self, key: KeyRef<'a>, _: &'a Row, value: TypedField<'a>) -> bool {
        self.visited += 1;
        self.done = (self.each)(key, value.into());
        self.done.is_ok()
    }
}
