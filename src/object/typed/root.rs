//! Structs whose table was not looked up yet. Generic code makes a [`Root`] or [`RootMut`] from a message, and gives it to
//! functions that are not generic, which are therefore compiled once.

use super::message::{described_table_in, shape_of, table_in};
use super::{Typed, TypedMut};
use crate::error::Result;
use crate::layout::{Member, MessageCells, ShapeFn};
use std::marker::PhantomData;

/// A struct that can be read, with its type.
#[derive(Clone, Copy)]
pub(crate) struct Root<'a> {
    pub(crate) at: StructAddress<'a>,
    pub(crate) ty: RootType,
}

/// The address of the struct of a [`Root`]. A function that takes the address and the type as two parameters receives
/// both in registers.
#[derive(Clone, Copy)]
pub(crate) struct StructAddress<'a>(*const u8, PhantomData<&'a u8>);

/// The type of the struct of a [`Root`]: the cells that hold its table, and the function that returns its shape.
#[derive(Clone, Copy)]
pub(crate) struct RootType {
    cells: Option<&'static MessageCells>,
    shape: Option<ShapeFn>,
}

/// A struct that can be filled, with its type.
pub(crate) struct RootMut<'a> {
    at: *mut u8,
    cells: Option<&'static MessageCells>,
    shape: Option<ShapeFn>,
    message: PhantomData<&'a mut u8>,
}

impl<'a> Root<'a> {
    #[inline]
    pub(crate) fn of<T: Member>(message: &'a T) -> Self {
        let at = StructAddress(std::ptr::from_ref(message).cast(), PhantomData);
        Root { at, ty: RootType { cells: T::cells(), shape: const { shape_of::<T>() } } }
    }

    #[inline]
    pub(crate) fn shape_fn(&self) -> Option<ShapeFn> {
        self.ty.shape
    }

    /// Returns the struct with its table, or `None` if the cells of the type have no table yet.
    #[inline]
    pub(crate) fn linked(&self) -> Option<Typed<'a>> {
        let table = self.ty.cells?.linked()?;
        // SAFETY: `table` is the table of the type, and the struct is borrowed for `'a`.
        Some(unsafe { Typed::new(self.at.0, table) })
    }

    /// Returns the struct with its table, for callers that need no descriptor. If the attributes of the type declare
    /// its whole schema, this function does not register the file of the type.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or does not fit the schema to which it is bound.
    #[inline]
    pub(crate) fn bare(self) -> Result<Typed<'a>> {
        let table = table_in(self.ty.cells, self.ty.shape)?;
        // SAFETY: `table` is the table of the type, and the struct is borrowed for `'a`.
        Ok(unsafe { Typed::new(self.at.0, table) })
    }

    /// Returns the struct with its table, for callers that need descriptors. `register` registers the file of the type.
    ///
    /// # Errors
    /// Fails if [`bare`](Self::bare) fails.
    pub(crate) fn described(self, register: fn()) -> Result<Typed<'a>> {
        let table = described_table_in(register, self.ty.cells, self.ty.shape)?;
        // SAFETY: `table` is the table of the type, and the struct is borrowed for `'a`.
        Ok(unsafe { Typed::new(self.at.0, table) })
    }
}

impl<'a> RootMut<'a> {
    #[inline]
    pub(crate) fn of<T: Member>(message: &'a mut T) -> Self {
        let at = std::ptr::from_mut(message).cast();
        RootMut { at, cells: T::cells(), shape: const { shape_of::<T>() }, message: PhantomData }
    }

    #[inline]
    pub(crate) fn shape_fn(&self) -> Option<ShapeFn> {
        self.shape
    }

    /// Returns the struct with its table, for callers that need no descriptor. If the attributes of the type declare
    /// its whole schema, this function does not register the file of the type.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or does not fit the schema to which it is bound.
    #[inline]
    pub(crate) fn bare(&mut self) -> Result<TypedMut<'_, 'static>> {
        let table = table_in(self.cells, self.shape)?;
        // SAFETY: `table` is the table of the type. A text is marked as borrowed only if its input outlives the struct.
        // All other texts are copied.
        Ok(unsafe { TypedMut::new(self.at, table) })
    }

    /// Returns the struct with its table, for callers that need descriptors. `register` registers the file of the type.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or does not fit the schema to which it is bound.
    pub(crate) fn described(self, register: fn()) -> Result<TypedMut<'a, 'static>> {
        let table = described_table_in(register, self.cells, self.shape)?;
        // SAFETY: `table` is the table of the type, whose cells and shape `of` took, and the struct is borrowed mutably
        // for `'a`. A text is marked as borrowed only if its input outlives the struct. All other texts are copied.
        Ok(unsafe { TypedMut::new(self.at, table) })
    }
}
