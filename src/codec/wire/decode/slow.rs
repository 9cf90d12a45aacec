//! Implements the slow path of the decoder: reads a field in any form, and finds the error in a malformed field.

use super::Decoder;
use super::error::{no_text, no_value};
use super::frames::State;
use super::value::scalar;
use crate::error::{Error, Result, WireError};
use crate::layout::{ListFunctions, Storage, Text};
use crate::object::{ObjectMut, TypedMut, access, mismatch, refused, unmakable};
use crate::table::{Kind, Location, Row, Shape, Table};
use crate::wire::packed::count;
use crate::wire::{Reader, Tag, WireType, message_set, put_varint, utf8_by_call};

/// What the decoder does after a field.
pub(super) enum Step<'t, 'i> {
    Next(State<'t>, *const u8),
    /// Continue with the message of a field.
    Enter(Enter<'t, 'i>),
    /// The group ends, so continue with the outer message.
    Leave(*const u8),
    Fail,
}

pub(super) struct Enter<'t, 'i> {
    pub(super) state: State<'t>,
    pub(super) table: &'t Table,
    pub(super) base: *mut u8,
    pub(super) at: *const u8,
    pub(super) end: *const u8,
    pub(super) group: u32,
    pub(super) pending: u64,
    pub(super) index: u32,
    pub(super) key: Option<&'i [u8]>,
}

impl<'t, 'i> Decoder<'t, 'i> {
    /// Reads the field whose tag is at `at`, in any form.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `at` and `state.end` are within the
    /// input.
    #[cold]
    #[inline(never)]
    pub(super) unsafe fn slow(&mut self, state: &State<'t>, at: *const u8) -> Step<'t, 'i> {
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers.
        // `field` reads the input through a reader, which checks its bounds.
        match unsafe { self.field(*state, at) } {
            Ok(step) => step,
            Err(error) => {
                self.error = Some(error);
                Step::Fail
            }
        }
    }

    /// Reads the field whose tag is at `at`, or returns the error.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `at` and `state.end` are
    /// within the input.
    unsafe fn field(&mut self, state: State<'t>, at: *const u8) -> Result<Step<'t, 'i>> {
        let mut reader = self.reader(at, state.end);
        let start = reader;
        if reader.is_empty() {
            return Err(Error::wire(WireError::OpenGroup(state.group), start.position()));
        }
        let tag = reader.tag()?;
        if let Some(row) = state.table.row(tag.number()).filter(|row| row.takes_value(tag, reader)) {
            let state = State { row, ..state };
            // SAFETY: `state` differs from the caller's state only in its row, which is a row of `state.table`. So
            // `state.table` still describes the struct at `state.base`, to which nothing else refers.
            return match unsafe { self.value(state, tag, start, &mut reader) } {
                Ok(Step::Next(mut state, at)) => {
                    state.seen |= row.bit;
                    Ok(Step::Next(state, at))
                }
                Ok(Step::Enter(mut enter)) => {
                    enter.state.seen |= row.bit;
                    Ok(Step::Enter(enter))
                }
                Ok(step) => Ok(step),
                Err(error) => Err(error.in_field(&row.name)),
            };
        }
        if let Some(row) = state.table.left_out(tag.number()).filter(|row| row.takes_value(tag, reader)) {
            reader.skip(tag, self.levels_left())?;
            // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers.
            // The view is dropped before `state` is used again.
            let mut message = unsafe { state.message() };
            state.table.voided(row).for_each(|row| message.clear(row));
            return Ok(Step::Next(state, reader.rest().as_ptr()));
        }
        if tag.wire_type() == WireType::EndGroup {
            return match (state.group, tag.number()) {
                (group, number) if group == number => Ok(Step::Leave(reader.rest().as_ptr())),
                (0, number) => Err(Error::wire(WireError::StrayEndGroup(number), start.position())),
                (wanted, found) => {
                    Err(Error::wire(WireError::WrongEndGroup { wanted, found }, start.position()))
                }
            };
        }
        reader.skip(tag, self.levels_left())?;
        let raw = &start.rest()[..reader.position() - start.position()];
        let item = match state.table.message_set && tag.wire_type() == WireType::Len {
            true => &*message_set::fields_to_items(raw)?,
            false => raw,
        };
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers. The
        // view is used only in this statement.
        unsafe { state.message() }.add_unknown(item);
        Ok(Step::Next(state, reader.rest().as_ptr()))
    }

    /// Reads the value of the field `state.row`. `start` is at the tag of the field, and `reader` is after the tag.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is a row of that
    /// table.
    pub(super) unsafe fn value(
        &mut self,
        state: State<'t>,
        tag: Tag,
        start: Reader<'i>,
        reader: &mut Reader<'i>,
    ) -> Result<Step<'t, 'i>> {
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, that nothing else refers to that
        // struct, and that `state.row` is a row of that table. Each of these functions gets this state, and a reader that
        // checks its bounds.
        unsafe {
            match state.row.shape {
                _ if state.row.made().is_some() => self.made(state, tag, start, reader),
                Shape::Map => self.entry(state, reader),
                Shape::List if self.postpone_list(&state, tag, start, reader)? => {
                    let pending = state.pending & !state.row.bit;
                    Ok(Step::Next(State { pending, ..state }, reader.rest().as_ptr()))
                }
                Shape::List => self.list(state, tag, reader),
                Shape::Singular if state.row.is_message() => self.message(state, reader),
                Shape::Singular => {
                    let read = self.single(state, reader);
                    read.map_err(|error| error.at_byte(reader.position()))?;
                    // The new value replaces the old one.
                    let pending = state.pending & !state.row.bit;
                    Ok(Step::Next(State { pending, ..state }, reader.rest().as_ptr()))
                }
            }
        }
    }

    /// Reads a single number, string or byte string.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is a row of that
    /// table.
    unsafe fn single(&self, state: State<'t>, reader: &mut Reader<'i>) -> Result<()> {
        let row = state.row;
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers.
        // `locate` returns the address of a live value together with the storage of this value. If this is the storage of a
        // string, `text` checked that the bytes are UTF-8.
        unsafe {
            if row.is_scalar() {
                let bits = scalar(reader, row.kind)?;
                let (storage, at) = state.message().locate(row)?;
                return set_scalar(storage, at, bits);
            }
            let bytes = self.text(row, storage_of(row), reader)?;
            let (storage, at) = state.message().locate(row)?;
            self.set_text(storage, at, bytes)
        }
    }

    /// Reads a string or byte string. Checks that the bytes are UTF-8 if the field or its Rust type requires it.
    #[inline(never)]
    pub(super) fn text(&self, row: &Row, storage: Storage, reader: &mut Reader<'i>) -> Result<&'i [u8]> {
        let bytes = reader.len_prefixed()?;
        if row.wants_utf8(storage)
            && let Err(error) = utf8_by_call(bytes)
        {
            return Err(match row.kind {
                Kind::String => reader.bad_utf8(bytes, error),
                _ => no_text(),
            });
        }
        Ok(bytes)
    }

    /// Stores a string or byte string at `at`.
    ///
    /// # Safety
    /// `at` is the address of a live value with the storage `storage`, and nothing else refers to it. If the type is a string,
    /// `bytes` are UTF-8.
    pub(super) unsafe fn set_text(&self, storage: Storage, at: *mut u8, bytes: &'i [u8]) -> Result<()> {
        let text = Text { bytes, borrowed: true, input: self.shared };
        // SAFETY: the caller says that `at` is the address of a live value with the storage `storage`, to which nothing else
        // refers, and that `bytes` are UTF-8 if the type is a string. The bytes are part of the input, which outlives every
        // value that borrows from it.
        match unsafe { access::set_text(storage, at, text) } {
            true => Ok(()),
            false => Err(refused(storage)),
        }
    }

    /// Checks the nesting limit for a message before it is read, and takes its memory from the budget. If the message occurred
    /// before (`again`), its memory is not taken again.
    pub(super) fn admit(&mut self, table: &Table, again: bool, reader: &Reader<'i>) -> Result<()> {
        self.enter_memory(table, again).map_err(|error| error.at_byte(reader.position()))
    }

    /// Returns the end of the content of a message. Also returns the field number if the message is a group, and 0 otherwise.
    fn content(row: &Row, reader: &mut Reader<'i>, end: *const u8) -> Result<(*const u8, u32)> {
        match row.kind {
            Kind::Group => Ok((end, row.number)),
            _ => {
                let content = reader.len_prefixed()?;
                reader.replace(content);
                Ok((Self::end_of(reader), 0))
            }
        }
    }

    /// Enters the message of a singular field.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is a row of that
    /// table.
    unsafe fn message(&mut self, state: State<'t>, reader: &mut Reader<'i>) -> Result<Step<'t, 'i>> {
        let row = state.row;
        // SAFETY: the caller says that `row` is a row of `state.table`, which describes the struct at `state.base`, to which
        // nothing else refers. So a live option with the storage of `row` is at the offset of `row`.
        unsafe {
            if let Location::Member { storage: storage @ Storage::Option(_), .. } = row.location {
                let at = state.base.add(row.offset as usize);
                if self.postpone(row, storage, at, reader)? {
                    return Ok(Step::Next(state, reader.rest().as_ptr()));
                }
            }
        }
        let table = row.message()?;
        // `state.seen` records earlier occurrences only for fields that have a bit.
        let again = state.seen & row.bit != 0;
        self.admit(table, again, reader)?;
        let (end, group) = Self::content(row, reader, state.end)?;
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers. So
        // `locate` returns the address of a live value together with its storage. The message that `message_at` finds in this
        // value has the table of `row`, which `reset` requires.
        unsafe {
            let (storage, at) = state.message().locate(row)?;
            let base = message_at(storage, at)?;
            let pending = match state.pending & row.bit {
                0 => 0,
                _ => TypedMut::new(base, table).reset(),
            };
            let state = State { pending: state.pending & !row.bit, ..state };
            let at = reader.rest().as_ptr();
            Ok(Step::Enter(Enter { state, table, base, at, end, group, pending, index: 0, key: None }))
        }
    }

    /// Reads one occurrence of a list field.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is a row of that
    /// table.
    unsafe fn list(
        &mut self,
        mut state: State<'t>,
        tag: Tag,
        reader: &mut Reader<'i>,
    ) -> Result<Step<'t, 'i>> {
        let row = state.row;
        // SAFETY: the caller says that `state.table` describes the struct at `state.base`, to which nothing else refers. So
        // `locate` returns the address of a live list together with the functions of its type. All functions that are called
        // here get this address and these functions, and only they change the list.
        unsafe {
            let (Storage::List(functions), list) = state.message().locate(row)? else {
                return Err(mismatch());
            };
            if state.pending & row.bit != 0 {
                state.pending &= !row.bit;
                functions.truncate(list, 0);
            }
            let len = functions.elements(list).1;
            if row.is_message() {
                return self.element(state, functions, list, reader).map_err(|error| error.in_index(len));
            }
            if row.is_scalar() && tag.wire_type() == WireType::Len {
                self.packed_slow(state, functions, list, reader)?;
            } else {
                let added = if row.is_scalar() {
                    scalar(reader, row.kind).and_then(|bits| push_scalar(functions, list, bits))
                } else {
                    self.push_text(row, functions, list, reader)
                };
                added.map_err(|error| error.at_byte(reader.position()).in_index(len))?;
            }
            Ok(Step::Next(state, reader.rest().as_ptr()))
        }
    }

    /// Enters a message in a list.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is a row of that table,
    /// `list` is the address of the list of this row, and `functions` are the functions of the list's type.
    unsafe fn element(
        &mut self,
        state: State<'t>,
        functions: &ListFunctions,
        list: *mut u8,
        reader: &mut Reader<'i>,
    ) -> Result<Step<'t, 'i>> {
        let table = state.row.message()?;
        self.admit(table, false, reader)?;
        let (end, group) = Self::content(state.row, reader, state.end)?;
        // SAFETY: the only caller, `list`, located the list, so `functions` are the functions of its type, and nothing else
        // refers to the list. An element that is not null is a live value with the storage of the list's elements. The element
        // does not move, because the list does not change before the message is read.
        unsafe {
            let index = functions.elements(list).1 as u32;
            let element = functions.extend(list, 1);
            if element.is_null() {
                return Err(unmakable());
            }
            let base = message_at(functions.element, element)?;
            let at = reader.rest().as_ptr();
            Ok(Step::Enter(Enter { state, table, base, at, end, group, pending: 0, index, key: None }))
        }
    }

    /// Reads a packed run, number by number.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers. `state.row` is a row of that table,
    /// `list` is the address of the list of this row, and `functions` are the functions of the list's type.
    unsafe fn packed_slow(
        &mut self,
        state: State<'t>,
        functions: &ListFunctions,
        list: *mut u8,
        reader: &mut Reader<'i>,
    ) -> Result<()> {
        let row = state.row;
        let content = reader.len_prefixed()?;
        let mut run = reader.within(content);
        // SAFETY: the only caller, `list`, located the list in the struct at `state.base`, so `functions` are the functions of
        // its type. Nothing else refers to that struct, and the unknown fields, which the view changes, are another member of
        // it.
        unsafe {
            functions.reserve(list, count(content), true);
            while !run.is_empty() {
                let index = functions.elements(list).1;
                let read = scalar(&mut run, row.kind);
                if let Ok(bits) = read
                    && !row.takes_number(bits as i32)
                {
                    let number = i64::from(bits as i32) as u64;
                    state.message().add_unknown(&raw_field(row.number, WireType::Varint, number, &[]));
                    continue;
                }
                let added = read.and_then(|bits| push_scalar(functions, list, bits));
                added.map_err(|error| error.at_byte(run.position()).in_index(index))?;
            }
        }
        Ok(())
    }

    /// Reads a string or byte string, and appends it to a list.
    ///
    /// # Safety
    /// `list` is the address of a live list of the type that `functions` are for, to which nothing else refers.
    unsafe fn push_text(
        &self,
        row: &Row,
        functions: &ListFunctions,
        list: *mut u8,
        reader: &mut Reader<'i>,
    ) -> Result<()> {
        let bytes = self.text(row, functions.element, reader)?;
        // SAFETY: the only caller, `list`, located the list, so `functions` are the functions of its type, and nothing else
        // refers to the list. An element that is not null is a live value with the storage of the list's elements. If this is
        // the storage of a string, `text` checked that the bytes are UTF-8. `len` is not above the number of elements.
        unsafe {
            let len = functions.elements(list).1;
            let element = functions.extend(list, 1);
            if element.is_null() {
                return Err(unmakable());
            }
            self.set_text(functions.element, element, bytes).inspect_err(|_| functions.truncate(list, len))
        }
    }
}

fn storage_of(row: &Row) -> Storage {
    match row.location {
        Location::Member { storage, .. } | Location::Variant { storage, .. } => storage,
        Location::Arena => Storage::Bool,
    }
}

/// Returns the address of the message in the member at `at`. The message may be inside of options and boxes. If there is no
/// message, creates an empty one.
///
/// # Safety
/// `at` is the address of a live value with the storage `storage`, and nothing else refers to it.
pub(super) unsafe fn message_at(storage: Storage, at: *mut u8) -> Result<*mut u8> {
    // SAFETY: the caller says that `at` is the address of a live value with the storage `storage`, and that nothing else refers
    // to it, which is all that `insert` requires.
    match unsafe { access::insert(storage, at) } {
        Some((Storage::Message(_), at)) => Ok(at),
        Some(_) => Err(mismatch()),
        None => Err(unmakable()),
    }
}

/// Stores a number, bool or enum value at `at`. `bits` are the bits of the value.
///
/// # Safety
/// `at` is the address of a live value with the storage `storage`, and nothing else refers to it.
pub(super) unsafe fn set_scalar(storage: Storage, at: *mut u8, bits: u64) -> Result<()> {
    // SAFETY: the caller says that `at` is the address of a live value with the storage `storage`, and that nothing else refers
    // to it, which is all that `access::set_scalar` requires.
    if unsafe { access::set_scalar(storage, at, bits) } {
        return Ok(());
    }
    if storage.conversion().is_some() {
        return Err(refused(storage));
    }
    Err(match closed(storage) {
        Some(name) => no_value(bits as i32, &format!("a value of {name}")),
        None => mismatch(),
    })
}

/// Returns the name of the Rust enum in the storage, or `None` if it has no Rust enum.
fn closed(storage: Storage) -> Option<&'static str> {
    match storage {
        Storage::ClosedEnum(functions) => Some((functions.shape)().rust_name()),
        Storage::Box(boxed) => closed(boxed.content),
        Storage::Option(option) => closed(option.value()),
        _ => None,
    }
}

/// Appends a number, bool or enum value to a list.
///
/// # Safety
/// `list` is the address of a live list of the type that `functions` are for, and nothing else refers to it.
unsafe fn push_scalar(functions: &ListFunctions, list: *mut u8, bits: u64) -> Result<()> {
    // SAFETY: the caller says that `list` is the address of a list of the type that `functions` are for, and that nothing else
    // refers to the list. An element that is not null is a live value with the storage of the list's elements. `len` is not
    // above the number of elements.
    unsafe {
        let len = functions.elements(list).1;
        let element = functions.extend(list, 1);
        if element.is_null() {
            return Err(unmakable());
        }
        set_scalar(functions.element, element, bits).inspect_err(|_| functions.truncate(list, len))
    }
}

/// Encodes a field with this number and wire type. Its value is the varint `value`, followed by the bytes `rest`.
#[cold]
pub(super) fn raw_field(number: u32, wire_type: WireType, value: u64, rest: &[u8]) -> Vec<u8> {
    let mut field = Vec::new();
    for value in [u64::from(Tag::new(number, wire_type).value()), value] {
        let mut bytes = [0; 10];
        let len = put_varint(&mut bytes, value);
        field.extend_from_slice(&bytes[..len]);
    }
    field.extend_from_slice(rest);
    field
}
