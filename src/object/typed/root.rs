//! Structs of which the table is not looked up yet: all that the code of their types passes on, so that what is done with
//! them is compiled once.

use super::message::{described_table_in, shape_of, table_in};
use super::{Typed, TypedMut};
use crate::error::Result;
use crate::layout::{Member, MessageCells, ShapeFn};
use std::marker::PhantomData;

/// A struct to be read.
#[derive(Clone, Copy)]
pub(crate) struct Root<'a> {
    pub(crate) at: StructAddress<'a>,
    pub(crate) ty: RootType,
}

/// The address of such a struct. A function that takes it and the type by themselves is passed both in registers.
#[derive(Clone, Copy)]
pub(crate) struct StructAddress<'a>(*const u8, PhantomData<&'a u8>);

/// The type of such a struct.
#[derive(Clone, Copy)]
pub(crate) struct RootType {
    cells: Option<&'static MessageCells>,
    shape: Option<ShapeFn>,
}

/// A struct to be filled.
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

    /// What gives the shape of the type.
    #[inline]
    pub(crate) fn shape_fn(&self) -> Option<ShapeFn> {
        self.ty.shape
    }

    /// The struct by its table, where that was looked up before.
    #[inline]
    pub(crate) fn linked(&self) -> Option<Typed<'a>> {
        let table = self.ty.cells?.linked()?;
        // SAFETY: the table is that of the type.
        Some(unsafe { Typed::new(self.at.0, table) })
    }

    /// The struct by its table, for what asks for no descriptor: the file of a type that states its schema need not be
    /// registered.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or does not fit the one that it is bound to.
    #[inline]
    pub(crate) fn bare(self) -> Result<Typed<'a>> {
        let table = table_in(self.ty.cells, self.ty.shape)?;
        // SAFETY: the table is that of the type.
        Ok(unsafe { Typed::new(self.at.0, table) })
    }

    /// The same for all else. `register` is that of the type.
    ///
    /// # Errors
    /// As [`bare`](Self::bare).
    pub(crate) fn described(self, register: fn()) -> Result<Typed<'a>> {
        let table = described_table_in(register, self.ty.cells, self.ty.shape)?;
        // SAFETY: the table is that of the type.
        Ok(unsafe { Typed::new(self.at.0, table) })
    }
}

impl<'a> RootMut<'a> {
    #[inline]
    pub(crate) fn of<T: Member>(message: &'a mut T) -> Self {
        let at = std::ptr::from_mut(message).cast();
        RootMut { at, cells: T::cells(), shape: const { shape_of::<T>() }, message: PhantomData }
    }

    /// What gives the shape of the type.
    #[inline]
    pub(crate) fn shape_fn(&self) -> Option<ShapeFn> {
        self.shape
    }

    /// The same, as of [`Root`].
    ///
    /// # Errors
    /// As of [`Root`].
    #[inline]
    pub(crate) fn bare(&mut self) -> Result<TypedMut<'_, 'static>> {
        let table = table_in(self.cells, self.shape)?;
        // SAFETY: the table is that of the type; what is stored without an input that outlives it borrows nothing.
        Ok(unsafe { TypedMut::new(self.at, table) })
    }

    /// The same, as of [`Root`].
    ///
    /// # Errors
    /// As of [`Root`].
    pub(crate) fn described(self, register: fn()) -> Result<TypedMut<'a, 'static>> {
        let table = described_table_in(register, self.cells, self.shape)?;
        // SAFETY: the table is that of the type, whose cells and shape `of` took, and the struct is borrowed mutably
        // for `'a`. What is stored without an input that outlives it borrows nothing.
        Ok(unsafe { TypedMut::new(self.at, table) })
    }
}
