//! Fills structs.

use super::message::described_table_of;
use super::store::{store_scalar, store_scalars, store_str, store_text};
use super::{Typed, mismatch, unconverted, unmakable};
use crate::error::Result;
use crate::layout::{
    ListFunctions, MapFunctions, Member, Opened, Protos, Storage, Text, UnknownFields, text,
};
use crate::object::{Fill, ListMut, ObjectMut, access};
use crate::table::{Kind, Location, Op, Presence, Row, Table};
use std::marker::PhantomData;
use std::ptr;

/// A struct that can be filled.
pub(crate) struct TypedMut<'a, 't> {
    pub(super) at: *mut u8,
    pub(super) table: &'t Table,
    message: PhantomData<&'a mut u8>,
}

impl<'a, 't> TypedMut<'a, 't> {
    /// Makes a view of a struct from its address.
    ///
    /// # Safety
    /// `at` is the address of a live struct of the type for which `table` was built, and nothing else refers to the
    /// struct for `'a`. If a text that is marked as borrowed is stored in the struct, the input of the text outlives
    /// the struct.
    #[inline]
    pub(crate) unsafe fn new(at: *mut u8, table: &'t Table) -> Self {
        TypedMut { at, table, message: PhantomData }
    }

    /// Makes a view of a struct whose type derives `Message`.
    ///
    /// # Errors
    /// The type declares a schema that is not valid, or does not fit the schema to which it is bound.
    #[inline]
    pub(crate) fn of<T: Member>(message: &'a mut T) -> Result<Self> {
        let table = described_table_of::<T>()?;
        // SAFETY: `table` is the table of `T`. A text is marked as borrowed only if its input outlives the struct. All
        // other texts are copied.
        Ok(unsafe { TypedMut::new(std::ptr::from_mut(message).cast(), table) })
    }

    /// Replaces the table of the view by `table`, the table of a projection of the same type.
    ///
    /// # Errors
    /// The projection belongs to another type.
    pub(crate) fn by<'p>(self, table: &'p Table) -> Result<TypedMut<'a, 'p>> {
        match (self.table.shape, table.shape) {
            // Both tables were built from the same shape, so both describe the members of the struct.
            (Some(own), Some(shape)) if std::ptr::eq(own.cells(), shape.cells()) => {
                Ok(TypedMut { at: self.at, table, message: PhantomData })
            }
            _ => Err(mismatch()),
        }
    }

    #[inline]
    pub(crate) fn reborrow(&mut self) -> TypedMut<'_, 't> {
        TypedMut { at: self.at, table: self.table, message: PhantomData }
    }

    /// Returns the member that stores unknown fields, or `None` if the table has no such member.
    #[inline]
    pub(crate) fn unknown_mut(&mut self) -> Option<&mut UnknownFields> {
        self.unknown_in(self.table)
    }

    /// Returns the member that stores unknown fields, or `None` if `table` has no such member. `table` is the table of
    /// the struct or of a projection of it.
    #[inline]
    fn unknown_in(&mut self, table: &Table) -> Option<&mut UnknownFields> {
        // SAFETY: `table` has the offset of a member of type `UnknownFields` in the live struct.
        table.unknown.map(|offset| unsafe { &mut *self.at.add(offset as usize).cast::<UnknownFields>() })
    }

    #[inline]
    pub(crate) fn address(&mut self) -> *mut u8 {
        self.at
    }

    /// Returns a view through which the struct can be read.
    #[inline]
    pub(crate) fn read(&self) -> Typed<'_> {
        // SAFETY: by the contract of `new`, the struct is live and of the type of the table. It is not changed while
        // the `Typed` borrows `self`.
        unsafe { Typed::new(self.at, self.table) }
    }

    /// Returns the storage and the address of the value of a field, so that it can be filled. If the field is in a
    /// oneof, this function clears the other fields of the oneof.
    ///
    /// # Errors
    /// No empty value of the variant can be made, or the row belongs to a table for arenas.
    #[inline]
    pub(crate) fn locate(&mut self, row: &Row) -> Result<(Storage, *mut u8)> {
        // SAFETY: by the contract of `new`, the table has the offsets of the members of the live struct.
        unsafe {
            match row.location {
                Location::Member { offset, storage } => {
                    if row.oneof.is_some() || row.presence != Presence::Implicit {
                        self.clear_siblings(row);
                    }
                    Ok((storage, self.at.add(offset as usize)))
                }
                Location::Variant { offset, variant, oneof, storage } => {
                    let value = oneof.insert(self.at.add(offset as usize), usize::from(variant));
                    if value.is_null() { Err(unmakable()) } else { Ok((storage, value)) }
                }
                Location::Arena => Err(mismatch()),
            }
        }
    }

    /// Clears the other fields of the oneof of `row`, if the fields of this oneof are members of the struct.
    #[inline]
    fn clear_siblings(&mut self, row: &Row) {
        if let Some(siblings) = &row.siblings {
            for &sibling in siblings {
                let table = self.table;
                self.clear(&table.rows[usize::from(sibling)]);
            }
        }
    }

    /// Sets a number that the fast path cannot set, because its type has functions for this or because the field is in
    /// a oneof.
    #[inline(never)]
    fn store_scalar(&mut self, row: &Row, bits: u64) -> Result<()> {
        let (storage, at) = self.locate(row)?;
        // SAFETY: `locate` returned the storage and the address of the live value of `row`, and nothing else refers to this
        // value while `self` is borrowed mutably.
        unsafe { store_scalar(storage, at, bits) }
    }

    /// Sets a string whose type is not `String`, or which is in a oneof.
    #[inline(never)]
    fn store_str(&mut self, row: &Row, text: &str, borrowed: bool) -> Result<()> {
        let (storage, at) = self.locate(row)?;
        // SAFETY: `locate` returned the storage and the address of the live value of `row`, and nothing else refers to this
        // value while `self` is borrowed mutably. The text is a `str`, so it is UTF-8.
        unsafe { store_str(storage, at, text, borrowed) }
    }

    #[inline]
    pub(super) fn list_at(&mut self, row: &Row) -> Result<(&'static ListFunctions, *mut u8)> {
        match row.location {
            // SAFETY: by the contract of `new`, the table has the offsets of the members of the live struct.
            Location::Member { offset, storage: Storage::List(functions) } => unsafe {
                Ok((functions, self.at.add(offset as usize)))
            },
            _ => Err(mismatch()),
        }
    }

    pub(super) fn map(&mut self, row: &Row) -> Result<(&'static MapFunctions, *mut u8)> {
        match row.location {
            // SAFETY: the location of `row` has the functions and the offset of a map, and the table has the offsets of
            // the members of the live struct.
            Location::Member { offset, storage: Storage::Map(functions) } => unsafe {
                Ok((functions, self.at.add(offset as usize)))
            },
            _ => Err(mismatch()),
        }
    }
}

/// Returns the message in the value at `at`. If the value is an empty option, first inserts an empty message.
///
/// # Safety
/// `at` is the address of a live value of the field `row`, with the storage `storage`, and nothing else refers to the
/// value for `'a`.
pub(super) unsafe fn child<'a, 't>(row: &'t Row, storage: Storage, at: *mut u8) -> Result<TypedMut<'a, 't>> {
    // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`, and that nothing
    // else refers to the value. The message that `insert` returns is in this value, and `row.message()` is the table of
    // its type.
    unsafe {
        match access::insert(storage, at) {
            Some((Storage::Message(_), at)) => Ok(TypedMut::new(at, row.message()?)),
            Some(_) => Err(mismatch()),
            None => Err(unmakable()),
        }
    }
}

impl<'t> Fill<'t> for TypedMut<'_, 't> {
    type Child<'b>
        = TypedMut<'b, 't>
    where
        Self: 'b;

    #[inline]
    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        // SAFETY: the table has the offsets of the members of the struct, and `row.op` names the Rust type of the
        // member. A member with one of these operations is not in a oneof, so no other member must be cleared.
        unsafe {
            let at = self.at.add(row.offset as usize);
            match row.op {
                Op::Int32 | Op::UInt32 | Op::SInt32 | Op::Fixed32 => at.cast::<u32>().write(bits as u32),
                Op::Int64 | Op::SInt64 | Op::Fixed64 => at.cast::<u64>().write(bits),
                Op::Bool => at.cast::<bool>().write(bits != 0),
                _ => return self.store_scalar(row, bits),
            }
        }
        Ok(())
    }

    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        if let Op::Vec = row.op {
            // SAFETY: `row.offset` is the offset of a member of the struct, `row.op` says that it is a `Vec<u8>`, and
            // `self` is borrowed mutably. A member with this operation is not in a oneof, so no other member must be
            // cleared.
            text::fill(unsafe { &mut *self.at.add(row.offset as usize).cast() }, text.bytes);
            return Ok(());
        }
        let (storage, at) = self.locate(row)?;
        // SAFETY: `locate` returned the storage and the address of the live value of `row`, and nothing else refers to this
        // value while `self` is borrowed mutably. `store_text` checks the text of a string.
        unsafe { store_text(row, storage, at, text) }
    }

    #[inline]
    fn set_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        if let Op::String = row.op {
            // SAFETY: `row.offset` is the offset of a member of the struct, `row.op` says that it is a `String`, and
            // `self` is borrowed mutably. A member with this operation is not in a oneof, so no other member must be
            // cleared.
            text::fill_string(unsafe { &mut *self.at.add(row.offset as usize).cast() }, text);
            return Ok(());
        }
        self.store_str(row, text, borrowed)
    }

    fn message(&mut self, row: &'t Row) -> Result<TypedMut<'_, 't>> {
        let (storage, at) = self.locate(row)?;
        // SAFETY: `locate` returned the storage and the address of the live value of `row`, and nothing else refers to this
        // value while `self` is borrowed mutably.
        unsafe { child(row, storage, at) }
    }
}

impl<'t> ObjectMut<'t> for TypedMut<'_, 't> {
    type Entry<'b>
        = TypedEntry
    where
        Self: 'b;
    type List<'b>
        = ListFill<'b, 't>
    where
        Self: 'b;

    fn table(&self) -> &'t Table {
        self.table
    }

    #[inline]
    fn list(&mut self, row: &'t Row, hint: &dyn Fn() -> usize) -> Result<ListFill<'_, 't>> {
        let (functions, at) = self.list_at(row)?;
        let more = hint();
        if more > 0 {
            // SAFETY: `list_at` returned the functions and the address of the list of `row` in the live struct, and
            // nothing else refers to the list while `self` is borrowed mutably.
            unsafe { functions.reserve(at, more, true) };
        }
        Ok(ListFill { row, functions, at, list: PhantomData })
    }

    fn insert<'s>(
        &'s mut self,
        row: &'t Row,
        fill: &mut dyn FnMut(&mut TypedEntry) -> Result<bool>,
    ) -> Result<bool> {
        let (functions, at) = self.map(row)?;
        let mut filled = None;
        // SAFETY: `map` returned the functions and the address of the map of `row` in the live struct, and nothing else
        // refers to the struct while `self` is borrowed mutably. `insert` calls the closure with the addresses of an
        // empty key and an empty value, which are live until the closure returns. `fill` does not keep the entry for
        // longer.
        let inserted = unsafe {
            (functions.insert)(at, &mut |key, value| {
                let mut entry = TypedEntry { functions, key, value };
                let done = fill(&mut entry);
                let insert = matches!(done, Ok(true));
                filled = Some(done);
                insert
            })
        };
        match filled {
            Some(done) => done.map(|_| !inserted.is_null()),
            None => Err(unmakable()),
        }
    }

    fn open(&mut self, row: &'t Row) -> Result<Opened> {
        self.open_made(row)
    }

    fn opened<'b>(&'b mut self, row: &'t Row, opened: &'b mut Opened) -> Result<(TypedMut<'b, 't>, &'t Row)> {
        proto_fill(row, opened)
    }

    fn close(&mut self, row: &'t Row, opened: Opened) -> Result<()> {
        self.close_made(row, opened)
    }

    fn add_unknown(&mut self, fields: &[u8]) {
        if let Some(unknown) = self.unknown_mut() {
            unknown.extend(fields);
        }
    }
}

/// A list of a struct that can be filled.
pub(crate) struct ListFill<'a, 't> {
    row: &'t Row,
    functions: &'static ListFunctions,
    at: *mut u8,
    list: PhantomData<&'a mut u8>,
}

impl ListFill<'_, '_> {
    /// Adds an element, and lets `store` set its value. If `store` fails, removes the element again.
    #[inline]
    fn push(&mut self, store: impl FnOnce(Storage, *mut u8) -> Result<()>) -> Result<()> {
        // SAFETY: `self.at` is the address of a live list that the functions are for, and nothing else refers to the list.
        unsafe {
            let len = self.functions.elements(self.at).1;
            let element = self.functions.push(self.at);
            if element.is_null() {
                return Err(unmakable());
            }
            store(self.functions.element, element).inspect_err(|_| self.functions.truncate(self.at, len))
        }
    }
}

impl<'t> ListMut<'t> for ListFill<'_, 't> {
    type Child<'b>
        = TypedMut<'b, 't>
    where
        Self: 'b;

    fn push_scalars(&mut self, bits: &[u64]) -> Result<()> {
        // SAFETY: `self.at` is the address of a live list that the functions are for, and nothing else refers to the list; the
        // elements are written before they become a part of the list, and have no destructor.
        unsafe {
            let (spare, len) = self.functions.reserve(self.at, bits.len(), true);
            if store_scalars(self.functions.element, spare, bits) {
                self.functions.set_len(self.at, len + bits.len());
                return Ok(());
            }
        }
        // SAFETY: `push` calls the closure with the storage and the address of a live element of the list, to which
        // nothing else refers.
        bits.iter().try_for_each(|&bits| self.push(|storage, at| unsafe { store_scalar(storage, at, bits) }))
    }

    fn push_str(&mut self, text: &str, borrowed: bool) -> Result<()> {
        if let Op::Strings = self.row.op {
            // SAFETY: `row.op` says that the list is a `Vec<String>`, and nothing else refers to it.
            unsafe { &mut *self.at.cast::<Vec<String>>() }.push(text.to_owned());
            return Ok(());
        }
        // SAFETY: `push` calls the closure with the storage and the address of a live element of the list, to which
        // nothing else refers.
        self.push(|storage, at| unsafe { store_str(storage, at, text, borrowed) })
    }

    fn push_text(&mut self, text: Text<'_>) -> Result<()> {
        let row = self.row;
        // SAFETY: `push` calls the closure with the storage and the address of a live element of the list, to which
        // nothing else refers.
        self.push(|storage, at| unsafe { store_text(row, storage, at, text) })
    }

    fn push_message(&mut self) -> Result<TypedMut<'_, 't>> {
        // SAFETY: `self.at` is the address of a live list that the functions are for, and nothing else refers to the list.
        unsafe {
            let element = self.functions.push(self.at);
            if element.is_null() {
                return Err(unmakable());
            }
            match self.functions.element {
                Storage::Message(_) => Ok(TypedMut::new(element, self.row.message()?)),
                storage => child(self.row, storage, element),
            }
        }
    }
}

/// Empties the value at `at`. Keeps the allocations of lists, maps and strings, and keeps messages that are not in an option.
///
/// # Safety
/// `at` is the address of a live value of the field `row`, with the storage `storage`, and nothing else refers to the
/// value.
pub(super) unsafe fn clear(row: &Row, storage: Storage, at: *mut u8) {
    // SAFETY: the caller promises that `at` is the address of a live value with the storage `storage`, and that nothing
    // else refers to the value. The functions in the storage are for the type of the value, and `row.message()` is the
    // table of a message in the value.
    unsafe {
        match storage {
            Storage::Option(option) => option.clear(at),
            Storage::Made(functions) => (functions.clear)(at),
            Storage::Box(boxed) => clear(row, boxed.content, access::unboxed_mut(at)),
            Storage::List(functions) => functions.truncate(at, 0),
            Storage::Map(functions) => functions.clear(at),
            Storage::Message(_) => {
                if let Ok(table) = row.message() {
                    TypedMut::new(at, table).clear_all();
                }
            }
            Storage::ClosedEnum(functions) => {
                // Sets the default value of the schema. If the Rust type does not have this value, tries 0, and then
                // the first value of the Rust type.
                let first = (functions.shape)().values.first().map(|value| value.number);
                let mut numbers = [row.enumeration().default, 0].into_iter().chain(first);
                numbers.any(|number| access::set_scalar(storage, at, u64::from(number as u32)));
            }
            _ => {
                let bits = if row.kind == Kind::Enum { row.enumeration().default as u32 } else { 0 };
                if !access::set_scalar(storage, at, u64::from(bits)) {
                    access::set_text(storage, at, Text::owned(&[]));
                }
            }
        }
    }
}

impl TypedMut<'_, '_> {
    /// Resets a field as if it had never been set. Keeps the allocations of lists and maps.
    #[inline(never)]
    pub(crate) fn clear(&mut self, row: &Row) {
        // SAFETY: by the contract of `new`, the table has the offsets of the members of the live struct.
        unsafe {
            match row.location {
                Location::Member { offset, storage } => clear(row, storage, self.at.add(offset as usize)),
                Location::Variant { offset, variant, oneof, .. } => {
                    let at = self.at.add(offset as usize);
                    if oneof.functions.get(at).is_some_and(|(set, _)| set == usize::from(variant)) {
                        oneof.clear(at);
                    }
                }
                Location::Arena => {}
            }
        }
    }

    /// Clears all fields and the unknown fields.
    pub(crate) fn clear_all(&mut self) {
        let table = self.table.unprojected().unwrap_or(self.table);
        for row in &table.rows {
            self.clear(row);
        }
        for oneof in self.table.shape.iter().flat_map(|shape| shape.members) {
            if let crate::layout::Role::Oneof(shape) = oneof.role {
                // SAFETY: the table has the offset and the shape of the oneof in the live struct.
                unsafe { shape().clear(self.at.add(oneof.offset as usize)) };
            }
        }
        self.clear_unknown(table);
    }

    /// Clears the unknown fields, if `table` has a member for them, and drops the proto values that the struct keeps.
    #[inline]
    pub(super) fn clear_unknown(&mut self, table: &Table) {
        if let Some(unknown) = self.unknown_in(table) {
            unknown.clear();
        }
        if let Some(protos) = self.protos() {
            protos.clear();
        }
    }

    /// Returns the member of type `Protos`, which keeps proto values, or `None` if the type has no such member.
    pub(super) fn protos(&mut self) -> Option<&mut Protos> {
        let offset = self.table.shape?.protos?;
        // SAFETY: the shape has the offset of a member of type `Protos` in the live struct, and nothing else refers to
        // the struct while `self` is borrowed mutably.
        Some(unsafe { &mut *self.at.add(offset as usize).cast::<Protos>() })
    }
}

/// A map entry that is filled before it is inserted.
#[derive(Clone, Copy)]
pub(crate) struct TypedEntry {
    functions: &'static MapFunctions,
    key: *mut u8,
    value: *mut u8,
}

impl TypedEntry {
    /// Returns the storage and the address of the key, if `row` is the row of the key. Otherwise returns the storage
    /// and the address of the value.
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
        // SAFETY: `half` gives the storage and the address of the live key or value that `insert` made. Nothing else refers to
        // this key or value until the closure that fills the entry returns.
        unsafe { store_scalar(storage, at, bits) }
    }

    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        let (storage, at) = self.half(row);
        // SAFETY: `half` gives the storage and the address of the live key or value that `insert` made. Nothing else refers to
        // this key or value until the closure that fills the entry returns. `store_text` checks the text of a string.
        unsafe { store_text(row, storage, at, text) }
    }

    fn set_str(&mut self, row: &'t Row, text: &str, borrowed: bool) -> Result<()> {
        let (storage, at) = self.half(row);
        // SAFETY: `half` gives the storage and the address of the live key or value that `insert` made. Nothing else refers to
        // this key or value until the closure that fills the entry returns. The text is a `str`, so it is UTF-8.
        unsafe { store_str(storage, at, text, borrowed) }
    }

    fn message(&mut self, row: &'t Row) -> Result<TypedMut<'_, 't>> {
        let (storage, at) = self.half(row);
        // SAFETY: `half` gives the storage and the address of the live key or value that `insert` made. Nothing else refers to
        // this key or value until the closure that fills the entry returns.
        unsafe { child(row, storage, at) }
    }
}

impl<'t> TypedMut<'_, 't> {
    /// Implements [`ObjectMut::open`](crate::object::ObjectMut::open).
    pub(super) fn open_made(&mut self, row: &'t Row) -> Result<Opened> {
        let Some((functions, _)) = row.made() else { return Err(mismatch()) };
        let there = match row.location {
            Location::Variant { .. } => self.read().is_chosen(row),
            _ => true,
        };
        let (_, at) = self.locate(row)?;
        // SAFETY: `locate` returned the address of the member of `row` in the live struct, and nothing else refers to
        // the member while `self` is borrowed mutably.
        let opened = unsafe { Opened::new(functions, if there { at } else { ptr::null() }) };
        opened.ok_or_else(unmakable)
    }

    /// Implements [`ObjectMut::close`](crate::object::ObjectMut::close).
    pub(super) fn close_made(&mut self, row: &'t Row, opened: Opened) -> Result<()> {
        let Some((functions, _)) = row.made() else { return Err(mismatch()) };
        let mut located = Ok(());
        let mut locate = || match self.locate(row) {
            Ok((_, at)) => at,
            Err(error) => {
                located = Err(error);
                ptr::null_mut()
            }
        };
        // SAFETY: `locate` returned the address of the member of `row` in the live struct, and nothing else refers to
        // the member while `self` is borrowed mutably.
        let closed = unsafe { opened.close(&mut locate) };
        closed.map_err(|refused| unconverted(&functions.conversion, refused))?;
        located
    }

    /// Creates an empty proto value for the member of a field.
    ///
    /// # Errors
    /// The member has no conversion, or no proto value can be made.
    pub(crate) fn fresh(row: &Row) -> Result<Opened> {
        let Some((functions, _)) = row.made() else { return Err(mismatch()) };
        // SAFETY: `Opened::new` allows a null address, which means that there is no member to convert.
        unsafe { Opened::new(functions, ptr::null()) }.ok_or_else(unmakable)
    }
}

/// Returns a view of the proto value in `opened` as a message whose only field is this value, and the row of this
/// field.
///
/// # Errors
/// The member has no conversion.
pub(crate) fn proto_fill<'b, 't>(
    row: &'t Row,
    opened: &'b mut Opened,
) -> Result<(TypedMut<'b, 't>, &'t Row)> {
    let Some((_, table)) = row.made() else { return Err(mismatch()) };
    // SAFETY: the proto value is live and nothing else refers to it as long as `opened` is borrowed. The functions of
    // `row` made the proto value, so `table` is the table of its type.
    let message = unsafe { TypedMut::new(opened.address(), table) };
    Ok((message, &table.rows[0]))
}
