//! Lists of structs.

use super::message::field;
use super::{Typed, TypedField};
use crate::error::Result;
use crate::layout::{ListFunctions, Storage};
use crate::object::{Field, ObjectList, Run, access};
use crate::table::{Row, Table};
use std::marker::PhantomData;
use std::slice::from_raw_parts;

/// A list of a struct.
#[derive(Clone, Copy)]
pub(crate) struct TypedList<'a> {
    row: &'a Row,
    functions: &'static ListFunctions,
    first: *const u8,
    len: usize,
    message: PhantomData<&'a u8>,
}

/// The elements of a list, those that come most as what they are.
pub(crate) enum Elements<'a> {
    Numbers(Run<'a>),
    Strings(&'a [String]),
    Vecs(&'a [Vec<u8>]),
    Messages(Messages<'a>),
    /// [`TypedList::each`] gives the elements one by one.
    Other,
}

/// The structs of a list.
pub(crate) struct Messages<'a> {
    list: TypedList<'a>,
    table: &'a Table,
    next: usize,
}

impl<'a> TypedList<'a> {
    /// A list by its elements: the first one and their number.
    ///
    /// # Errors
    /// As [`Row::message`].
    ///
    /// # Safety
    /// They are those of a live list that the functions are for, which is not changed for `'a`.
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

    /// The same, where the table of its messages is known to be there.
    ///
    /// # Safety
    /// As for `new`.
    #[inline]
    pub(super) unsafe fn at(row: &'a Row, functions: &'static ListFunctions, at: *const u8) -> Self {
        // SAFETY: as above.
        let (first, len) = unsafe { functions.elements(at) };
        TypedList { row, functions, first, len, message: PhantomData }
    }

    /// The field that the list is of.
    #[inline]
    pub(crate) fn row(self) -> &'a Row {
        self.row
    }

    /// An element; `None` past the end.
    #[inline]
    pub(crate) fn element(self, index: usize) -> Option<TypedField<'a>> {
        // SAFETY: the index is checked.
        (index < self.len).then(|| unsafe { self.element_at(index) })
    }

    /// The elements.
    #[inline]
    pub(crate) fn elements(self) -> Elements<'a> {
        match self.functions.element {
            // SAFETY: so many values of the type lie there, see the module.
            Storage::String => Elements::Strings(unsafe { from_raw_parts(self.first.cast(), self.len) }),
            // SAFETY: as above.
            Storage::Vec => Elements::Vecs(unsafe { from_raw_parts(self.first.cast(), self.len) }),
            Storage::Message(_) => match self.row.message() {
                Ok(table) => Elements::Messages(Messages { list: self, table, next: 0 }),
                Err(_) => Elements::Other,
            },
            _ => self.run().map_or(Elements::Other, Elements::Numbers),
        }
    }

    /// Visits the elements until the visitor returns false.
    #[inline]
    pub(crate) fn each(self, mut visit: impl FnMut(TypedField<'a>) -> bool) {
        for index in 0..self.len {
            // SAFETY: the index is that of an element.
            if !visit(unsafe { self.element_at(index) }) {
                return;
            }
        }
    }

    /// Where an element lies.
    ///
    /// # Safety
    /// There is one with this index.
    #[inline]
    unsafe fn address(self, index: usize) -> *const u8 {
        // SAFETY: as above.
        unsafe { self.first.add(index * self.functions.stride) }
    }

    /// # Safety
    /// There is an element with this index.
    #[inline]
    unsafe fn element_at(self, index: usize) -> TypedField<'a> {
        // SAFETY: as above.
        unsafe {
            let (storage, at) = access::present(self.functions.element, self.address(index))
                .expect("elements are no options");
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
        // SAFETY: the index is checked, and structs that the table is of lie there.
        (index < self.list.len).then(|| unsafe { Typed::new(self.list.address(index), self.table) })
    }
}

impl<'a> ObjectList<'a> for TypedList<'a> {
    type Message = Typed<'a>;

    #[inline]
    fn len(self) -> usize {
        self.len
    }

    #[inline]
    fn get(self, index: usize) -> Field<'a, Typed<'a>> {
        self.element(index).expect("there is such an element").into()
    }

    #[inline]
    fn visit(self, mut visit: impl FnMut(usize, Field<'a, Typed<'a>>) -> Result<()>) -> Result<()> {
        match self.elements() {
            Elements::Messages(messages) => {
                messages.enumerate().try_for_each(|(index, message)| visit(index, Field::Message(message)))
            }
            Elements::Strings(texts) => texts
                .iter()
                .enumerate()
                .try_for_each(|(index, text)| visit(index, Field::Text(text.as_bytes()))),
            // SAFETY: the index is below the length.
            _ => (0..self.len).try_for_each(|index| visit(index, unsafe { self.element_at(index) }.into())),
        }
    }

    #[inline]
    fn run(self) -> Option<Run<'a>> {
        let (first, len) = (self.first, self.len);
        // SAFETY: so many values of the type lie there, see the module; an open enum is an `i32` in memory.
        unsafe {
            Some(match self.functions.element {
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
