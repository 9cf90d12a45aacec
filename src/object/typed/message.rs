//! Reads structs.

use super::mismatch;
use super::{TypedList, TypedMap};
use crate::error::Result;
use crate::layout::{Member, MessageCells, ShapeFn, Storage, UnknownFields, text};
use crate::object::{EachRow, Field, Object, ObjectAt, Visit, access};
use crate::table::{Location, Presence, Row, Table};
use std::marker::PhantomData;

/// A struct that can be read.
#[derive(Clone, Copy)]
pub(crate) struct Typed<'a> {
    pub(super) at: *const u8,
    pub(super) table: &'a Table,
    message: PhantomData<&'a u8>,
}

/// The value of a field. Unlike [`Field`], this enum separates strings from byte strings. A Rust string is always
/// UTF-8, so nobody needs to check the text of a `Str`.
#[derive(Clone, Copy)]
pub(crate) enum TypedField<'a> {
    /// A number, bool or enum value, as bits.
    Scalar(u64),
    /// A value of a string type.
    Str(&'a str),
    /// A value of a byte string type.
    Bytes(&'a [u8]),
    Message(Typed<'a>),
    List(TypedList<'a>),
    Map(TypedMap<'a>),
}

impl<'a> From<TypedField<'a>> for Field<'a, Typed<'a>> {
    #[inline]
    fn from(field: TypedField<'a>) -> Self {
        match field {
            TypedField::Scalar(bits) => Field::Scalar(bits),
            TypedField::Str(text) => Field::Text(text.as_bytes()),
            TypedField::Bytes(bytes) => Field::Text(bytes),
            TypedField::Message(message) => Field::Message(message),
            TypedField::List(list) => Field::List(list),
            TypedField::Map(map) => Field::Map(map),
        }
    }
}

/// Returns the function that returns the shape of `T`, if `T` is a message struct.
pub(super) const fn shape_of<T: Member>() -> Option<ShapeFn> {
    match T::STORAGE {
        Storage::Message(shape) => Some(shape),
        _ => None,
    }
}

/// Returns the table of a message struct. The first call builds the table, and later calls find it in `cells`.
#[inline]
pub(super) fn table_in(
    cells: Option<&'static MessageCells>,
    shape: Option<ShapeFn>,
) -> Result<&'static Table> {
    match (cells.and_then(MessageCells::linked), shape) {
        (Some(table), _) => Ok(table),
        (None, Some(shape)) => shape().table(),
        (None, None) => Err(mismatch()),
    }
}

/// Returns the table of a message struct, and registers its file in the global pool.
#[inline]
pub(super) fn described_table_of<T: Member>() -> Result<&'static Table> {
    described_table_in(T::register, T::cells(), const { shape_of::<T>() })
}

/// Returns the table of a message struct. If `cells` does not say that the file of the type is registered, calls `register`,
/// which registers the file. This function is not generic, so that each message type adds only a call.
#[inline]
pub(super) fn described_table_in(
    register: fn(),
    cells: Option<&'static MessageCells>,
    shape: Option<ShapeFn>,
) -> Result<&'static Table> {
    match cells.and_then(MessageCells::described) {
        Some(table) => Ok(table),
        None => register_in(register, cells, shape),
    }
}

#[cold]
#[inline(never)]
fn register_in(
    register: fn(),
    cells: Option<&'static MessageCells>,
    shape: Option<ShapeFn>,
) -> Result<&'static Table> {
    register();
    let table = table_in(cells, shape)?;
    if let Some(cells) = cells {
        cells.set_described(table);
    }
    Ok(table)
}

impl<'a> Typed<'a> {
    /// Makes a view of a struct from its address.
    ///
    /// # Safety
    /// `at` is the address of a live struct of the type for which `table` was built. The struct is not changed for
    /// `'a`.
    #[inline]
    pub(crate) unsafe fn new(at: *const u8, table: &'a Table) -> Self {
        Typed { at, table, message: PhantomData }
    }

    /// Makes a view of a struct whose type derives `Message`.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or does not fit the schema to which it is bound.
    #[inline]
    pub(crate) fn of<T: Member>(message: &'a T) -> Result<Self> {
        let table = described_table_of::<T>()?;
        // SAFETY: `table` is the table of `T`, and `message` is borrowed for `'a`.
        Ok(unsafe { Typed::new(std::ptr::from_ref(message).cast(), table) })
    }

    #[inline]
    pub(crate) fn address(self) -> *const u8 {
        self.at
    }

    /// Returns the storage and the address of the value of a field. Returns `None` if the field is a variant of the
    /// enum of a oneof, and this variant is not set.
    #[inline]
    pub(super) fn locate(self, row: &Row) -> Option<(Storage, *const u8)> {
        // SAFETY: by the contract of `new`, the table has the offsets of the members of the live struct.
        unsafe {
            match row.location {
                Location::Member { offset, storage } => Some((storage, self.at.add(offset as usize))),
                Location::Variant { offset, variant, oneof, storage } => {
                    let (set, value) = oneof.functions.get(self.at.add(offset as usize))?;
                    (set == usize::from(variant)).then_some((storage, value))
                }
                Location::Arena => None,
            }
        }
    }

    /// Returns the value of a field. This includes the default value of a field without presence, although such a field does
    /// not count as set. Returns `None` only for an empty option, or if the field is in a oneof and is not the field that is
    /// set there.
    ///
    /// # Errors
    /// Fails if [`ObjectAt::get`] fails.
    #[inline]
    pub(crate) fn value(self, row: &'a Row) -> Result<Option<TypedField<'a>>> {
        let Some((storage, at)) = self.locate(row) else { return Ok(None) };
        // SAFETY: `locate` returned the storage and the address of the value of `row` in the live struct. The struct is
        // not changed for `'a`. `present` returned the storage and the address of the live value in it.
        unsafe {
            if let Some(made) = row.made() {
                return self.kept(row, made, at);
            }
            let Some((storage, at)) = access::present(storage, at) else { return Ok(None) };
            field(row, storage, at).map(Some)
        }
    }

    /// True if the field is a lazy message or list that is set and not decoded yet.
    pub(crate) fn has_raw(self, row: &Row) -> bool {
        let Some((storage, at)) = self.locate(row) else { return false };
        // SAFETY: `locate` returned the storage and the address of the value of `row` in the live struct, and `lazy`
        // has the functions of this storage.
        storage.lazy().is_some_and(|lazy| unsafe { (lazy.raw)(at) }.is_some())
    }

    /// Returns the value of a field, or `None` if the field is not set.
    ///
    /// # Errors
    /// Fails if [`ObjectAt::get`] fails.
    #[inline]
    pub(crate) fn set_value(self, row: &'a Row) -> Result<Option<TypedField<'a>>> {
        Ok(self.value(row)?.filter(|value| is_set(row, value)))
    }
}

/// True if `value` counts as set: its field has presence, or the value is not the default.
#[inline]
pub(super) fn is_set(row: &Row, value: &TypedField<'_>) -> bool {
    match value {
        TypedField::Scalar(bits) => !access::is_default(row, *bits),
        TypedField::Str(text) => row.presence != Presence::Implicit || !text.is_empty(),
        TypedField::Bytes(bytes) => row.presence != Presence::Implicit || !bytes.is_empty(),
        TypedField::Message(_) => true,
        TypedField::List(list) => list.len() > 0,
        TypedField::Map(map) => map.len() > 0,
    }
}

/// Returns the value at `at`, which is not in an option or box.
///
/// # Safety
/// `at` is the address of a live value of the field `row`, with the storage `storage`. The value is not changed for
/// `'a`.
#[inline]
pub(super) unsafe fn field<'a>(row: &'a Row, storage: Storage, at: *const u8) -> Result<TypedField<'a>> {
    // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`. The value is not
    // changed for `'a`. So each arm reads the type that `storage` names, and `row.message()` is the table of a message
    // at `at`.
    unsafe {
        Ok(match storage {
            Storage::String => TypedField::Str(&*at.cast::<String>()),
            Storage::Vec => TypedField::Bytes(&*at.cast::<Vec<u8>>()),
            Storage::Str => TypedField::Str(*at.cast::<&str>()),
            Storage::Slice => TypedField::Bytes(*at.cast::<&[u8]>()),
            Storage::Text(_) => text_at(storage, at),
            Storage::Message(_) => TypedField::Message(Typed::new(at, row.message()?)),
            Storage::List(functions) => {
                TypedField::List(TypedList::new(row, functions, functions.elements(at))?)
            }
            Storage::Map(functions) => TypedField::Map(TypedMap::new(row, functions, at)?),
            _ => match access::scalar(storage, at) {
                Some(bits) => TypedField::Scalar(bits),
                None => text_at(storage, at),
            },
        })
    }
}

/// Returns the text at `at`.
///
/// # Safety
/// `at` is the address of a live value with the storage `storage`. The value is not changed for `'a`.
#[inline]
pub(super) unsafe fn text_at<'a>(storage: Storage, at: *const u8) -> TypedField<'a> {
    // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`. The value is not changed
    // for `'a`. The bytes of a string type are UTF-8, because every function that stores bytes in a string type requires UTF-8.
    unsafe {
        let bytes = text::get(storage, at).unwrap_or_default();
        match storage.is_string() {
            true => TypedField::Str(std::str::from_utf8_unchecked(bytes)),
            false => TypedField::Bytes(bytes),
        }
    }
}

impl<'a> Object<'a> for Typed<'a> {
    type List = TypedList<'a>;
    type Map = TypedMap<'a>;

    #[inline]
    fn table(self) -> &'a Table {
        self.table
    }

    #[inline]
    fn visit(self, visitor: &mut impl Visit<'a, Self>) -> Result<()> {
        self.walk(visitor)?;
        visitor.unknown(self.table, self.unknown())
    }

    fn rows(self, each: EachRow<'_, 'a, Self>) -> Result<&'a [u8]> {
        for row in &self.table.rows {
            self.read(row, |value| each(row, value.map_err(|error| error.in_field(&row.name))?))?;
        }
        Ok(self.unknown())
    }
}

impl<'a> ObjectAt<'a> for Typed<'a> {
    #[inline]
    fn get(self, row: &'a Row) -> Result<Option<Field<'a, Self>>> {
        let value = self.set_value(row)?;
        if let (None, Location::Variant { offset, oneof, .. }) = (&value, row.location) {
            // SAFETY: by the contract of `new`, the table has the offsets of the members of the live struct.
            unsafe { oneof.functions.refuse_skipped(self.at.add(offset as usize))? };
        }
        Ok(value.map(Field::from))
    }

    #[inline]
    fn read<R>(self, row: &'a Row, read: impl FnOnce(Result<Option<Field<'a, Self>>>) -> R) -> R {
        match row.made() {
            Some(made) => self.read_made(row, made, read),
            None => read(self.get(row)),
        }
    }

    #[inline]
    fn unknown(self) -> &'a [u8] {
        match self.table.unknown {
            // SAFETY: the table has the offset of a member of type `UnknownFields` in the live struct.
            Some(offset) => unsafe { (*self.at.add(offset as usize).cast::<UnknownFields>()).as_bytes() },
            None => &[],
        }
    }
}
