//! Reads lists of structs.

use super::message::field;
use super::{Typed, TypedField, mismatch};
use crate::error::Result;
use crate::layout::{ListFunctions, Storage};
use crate::object::{Numbers, ObjectList, access};
use crate::table::{Row, Table};
use std::marker::PhantomData;
use std::slice::from_raw_parts;

/// A list in a struct, for reading.
#[derive(Clone, Copy)]
pub(crate) struct TypedList<'a> {
    row: &'a Row,
    functions: &'static ListFunctions,
    first: *const u8,
    len: usize,
    message: PhantomData<&'a u8>,
}

/// The elements of a list. The most frequent types have a variant with a slice.
pub(crate) enum Elements<'a> {
    Bools(&'a [bool]),
    /// Integers, or the numbers of an open enum.
    I32s(&'a [i32]),
    U32s(&'a [u32]),
    I64s(&'a [i64]),
    U64s(&'a [u64]),
    F32s(&'a [f32]),
    F64s(&'a [f64]),
    Strings(&'a [String]),
    Vecs(&'a [Vec<u8>]),
    Messages(Messages<'a>),
    /// Any other type; [`TypedList::each`] gives the elements one by one.
    Other,
}

pub(crate) struct Messages<'a> {
    list: TypedList<'a>,
    table: &'a Table,
    next: usize,
}

impl<'a> TypedList<'a> {
    /// Makes the list from the address of its first element and the number of elements.
    ///
    /// # Errors
    /// The elements are messages, and [`Row::message`] fails.
    ///
    /// # Safety
    /// `first` is the address of the elements of a live list, and `len` is the number of the elements. `functions` are
    /// for the type of the list. The list is not changed for `'a`.
    #[inline]
    pub(super) unsafe fn new(
        row: &'a Row,
        functions: &'static ListFunctions,
        (first, len): (*const u8, usize),
    ) -> Result<Self> {
        if row.is_message() {
            row.message()?;
        }
        Ok(TypedList { row, functions, first, len, message: PhantomData })
    }

    /// Makes the list from its address.
    ///
    /// # Safety
    /// `at` is the address of a live list of the type that `functions` are for. The list is not changed for `'a`. If
    /// the elements are messages, `row` is linked to their table.
    #[inline]
    pub(super) unsafe fn at(row: &'a Row, functions: &'static ListFunctions, at: *const u8) -> Self {
        // SAFETY: the caller promises that `at` is the address of a live list of the type that `functions` are for. The
        // list is not changed for `'a`.
        let (first, len) = unsafe { functions.elements(at) };
        TypedList { row, functions, first, len, message: PhantomData }
    }

    #[inline]
    pub(crate) fn row(self) -> &'a Row {
        self.row
    }

    /// Returns the element with the index `index`, or `None` past the end.
    #[inline]
    pub(crate) fn element(self, index: usize) -> Option<TypedField<'a>> {
        // SAFETY: `index` is below the number of elements.
        (index < self.len).then(|| unsafe { self.element_at(index) })
    }

    #[inline]
    pub(crate) fn len(self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn elements(self) -> Elements<'a> {
        let (first, len) = (self.first, self.len);
        // SAFETY: by the contract of `new`, `self.first` is the address of `self.len` values with the storage
        // `self.functions.element`, which are not changed for `'a`. An open enum is an `i32` in memory.
        unsafe {
            match self.functions.element {
                Storage::String => Elements::Strings(from_raw_parts(first.cast(), len)),
                Storage::Vec => Elements::Vecs(from_raw_parts(first.cast(), len)),
                Storage::Message(_) => match self.row.message() {
                    Ok(table) => Elements::Messages(Messages { list: self, table, next: 0 }),
                    Err(_) => Elements::Other,
                },
                Storage::Bool => Elements::Bools(from_raw_parts(first.cast(), len)),
                Storage::I32 | Storage::OpenEnum(_) => Elements::I32s(from_raw_parts(first.cast(), len)),
                Storage::U32 => Elements::U32s(from_raw_parts(first.cast(), len)),
                Storage::I64 => Elements::I64s(from_raw_parts(first.cast(), len)),
                Storage::U64 => Elements::U64s(from_raw_parts(first.cast(), len)),
                Storage::F32 => Elements::F32s(from_raw_parts(first.cast(), len)),
                Storage::F64 => Elements::F64s(from_raw_parts(first.cast(), len)),
                _ => Elements::Other,
            }
        }
    }

    /// Visits the elements until the visitor returns false.
    #[inline]
    pub(crate) fn each(self, mut visit: impl FnMut(TypedField<'a>) -> bool) {
        for index in 0..self.len {
            // SAFETY: `index` is below the number of elements.
            if !visit(unsafe { self.element_at(index) }) {
                return;
            }
        }
    }

    /// Calls `each` with the index and the value of each element, until `each` returns an error.
    fn others(self, each: &mut dyn FnMut(usize, TypedField<'a>) -> Result<()>) -> Result<()> {
        for index in 0..self.len {
            // SAFETY: `index` is below the number of elements.
            each(index, unsafe { self.element_at(index) })?;
        }
        Ok(())
    }

    /// Returns the address of an element.
    ///
    /// # Safety
    /// There is an element with this index.
    #[inline]
    unsafe fn address(self, index: usize) -> *const u8 {
        // SAFETY: the caller promises that there is an element with this index, so its offset lies within the elements
        // of the list.
        unsafe { self.first.add(index * self.functions.stride) }
    }

    /// # Safety
    /// There is an element with this index.
    #[inline]
    unsafe fn element_at(self, index: usize) -> TypedField<'a> {
        // SAFETY: the caller promises that there is an element with this index. By the contract of `new`, it is live,
        // has the storage that the functions name, and is not changed for `'a`.
        unsafe {
            let (storage, at) = access::present(self.functions.element, self.address(index))
                .expect("elements are not options");
            field(self.row, storage, at).expect("the table was found when the list was")
        }
    }
}

impl<'a> Iterator for Messages<'a> {
    type Item = Typed<'a>;

    #[inline]
    fn next(&mut self) -> Option<Typed<'a>> {
        let index = self.next;
        self.next += 1;
        // SAFETY: `index` is below the number of elements, which are structs of the type for which `self.table` was
        // built.
        (index < self.list.len).then(|| unsafe { Typed::new(self.list.address(index), self.table) })
    }
}

impl<'a> ObjectList<'a> for TypedList<'a> {
    type Message = Typed<'a>;

    #[inline]
    fn size_hint(self) -> usize {
        self.len
    }

    #[inline]
    fn messages(self, mut each: impl FnMut(usize, Typed<'a>) -> Result<()>) -> Result<()> {
        match self.elements() {
            Elements::Messages(messages) => {
                for (index, message) in messages.enumerate() {
                    each(index, message)?;
                }
                Ok(())
            }
            _ => self.others(&mut |index, value| match value {
                TypedField::Message(message) => each(index, message),
                _ => Err(mismatch()),
            }),
        }
    }

    #[inline]
    fn texts(self, mut each: impl FnMut(usize, &'a [u8]) -> Result<()>) -> Result<()> {
        match self.elements() {
            Elements::Strings(texts) => {
                for (index, text) in texts.iter().enumerate() {
                    each(index, text.as_bytes())?;
                }
                Ok(())
            }
            _ => self.others(&mut |index, value| match value {
                TypedField::Str(text) => each(index, text.as_bytes()),
                TypedField::Bytes(bytes) => each(index, bytes),
                _ => Err(mismatch()),
            }),
        }
    }

    #[inline]
    fn numbers(self, take: &mut impl Numbers) -> Result<()> {
        match self.elements() {
            Elements::Bools(all) => take.bools(all.iter().copied()),
            Elements::I32s(all) => take.i32s(all.iter().copied()),
            Elements::U32s(all) => take.u32s(all.iter().copied()),
            Elements::I64s(all) => take.i64s(all.iter().copied()),
            Elements::U64s(all) => take.u64s(all.iter().copied()),
            Elements::F32s(all) => take.f32s(all.iter().copied()),
            Elements::F64s(all) => take.f64s(all.iter().copied()),
            // SAFETY: `index` is below the number of elements.
            _ => take.bits((0..self.len).filter_map(|index| match unsafe { self.element_at(index) } {
                TypedField::Scalar(bits) => Some(bits),
                _ => None,
            })),
        }
    }
}
