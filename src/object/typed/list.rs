//! Lists of structs.

use super::message::field;
use super::{Typed, TypedField};
use crate::error::Result;
use crate::layout::{ListFunctions, Storage};
use crate::object::{Field, ObjectList, Run, access};
use crate::table::Row;
use std::marker::PhantomData;

/// A list of a struct.
#[derive(Clone, Copy)]
pub(crate) struct TypedList<'a> {
    pub(super) row: &'a Row,
    pub(super) functions: &'static ListFunctions,
    pub(super) at: *const u8,
    pub(super) message: PhantomData<&'a u8>,
}

impl<'a> TypedList<'a> {
    /// A list by its address.
    ///
    /// # Errors
    /// As [`Row::message`].
    ///
    /// # Safety
    /// A live list that the functions are for lies there, and is not changed for `'a`.
    #[inline]
    pub(super) unsafe fn new(row: &'a Row, functions: &'static ListFunctions, at: *const u8) -> Result<Self> {
        if row.is_message() {
            row.message()?;
        }
        Ok(TypedList { row, functions, at, message: PhantomData })
    }

    /// The field that the list is of.
    #[inline]
    pub(crate) fn row(self) -> &'a Row {
        self.row
    }

    /// How the elements lie, the first of them, and how many there are.
    pub(crate) fn parts(self) -> (Storage, *const u8, usize) {
        // SAFETY: see the module.
        let (first, len) = unsafe { (self.functions.elements)(self.at) };
        (self.functions.element, first, len)
    }

    /// An element; `None` past the end.
    #[inline]
    pub(crate) fn element(self, index: usize) -> Option<TypedField<'a>> {
        let (_, first, len) = self.parts();
        // SAFETY: the index is checked.
        (index < len).then(|| unsafe { self.element_at(first.add(index * self.functions.stride)) })
    }

    /// Visits the elements until the visitor returns false.
    #[inline]
    pub(crate) fn each(self, mut visit: impl FnMut(TypedField<'a>) -> bool) {
        let (_, first, len) = self.parts();
        for index in 0..len {
            // SAFETY: the index is that of an element.
            if !visit(unsafe { self.element_at(first.add(index * self.functions.stride)) }) {
                return;
            }
        }
    }

    /// # Safety
    /// It is the address of an element.
    #[inline]
    unsafe fn element_at(self, at: *const u8) -> TypedField<'a> {
        // SAFETY: as above.
        unsafe {
            let (storage, at) = access::present(self.functions.element, at).expect("elements are no options");
            field(self.row, storage, at).expect("the table was found when the list was")
        }
    }
}

impl<'a> ObjectList<'a> for TypedList<'a> {
    type Message = Typed<'a>;

    #[inline]
    fn len(self) -> usize {
        // SAFETY: see the module.
        unsafe { (self.functions.elements)(self.at).1 }
    }

    #[inline]
    fn get(self, index: usize) -> Field<'a, Typed<'a>> {
        self.element(index).expect("there is such an element").into()
    }

    #[inline]
    fn visit(self, mut visit: impl FnMut(usize, Field<'a, Typed<'a>>) -> Result<()>) -> Result<()> {
        let (_, first, len) = self.parts();
        (0..len).try_for_each(|index| {
            // SAFETY: the index is below the length.
            visit(index, unsafe { self.element_at(first.add(index * self.functions.stride)) }.into())
        })
    }

    #[inline]
    fn run(self) -> Option<Run<'a>> {
        use std::slice::from_raw_parts;
        let (storage, first, len) = self.parts();
        // SAFETY: so many values of the type lie there, see the module; an open enum is an `i32` in memory.
        unsafe {
            Some(match storage {
                Storage::Bool => Run::Bool(from_raw_parts(first.cast(), len)),
                Storage::I32 | Storage::OpenEnum(_) => Run::I32(from_raw_parts(first.cast(), len)),
                Storage::U32 => Run::U32(from_raw_parts(first.cast(), len)),
                Storage::I64 => Run::I64(from_raw_parts(first.cast(), len)),
                Storage::U64 => Run::U64(from_raw_parts(first.cast(), len)),
                Storage::F32 => Run::F32(from_raw_parts(first.cast(), len)),
                Storage::F64 => Run::F64(from_raw_parts(first.cast(), len)),
                _ => return None,
            })
        }
    }
}
