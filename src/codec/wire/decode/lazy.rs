//! Keeps the bytes of messages that are decoded when they are first read.

use super::check::Levels;
use super::frames::State;
use super::{Decoder, Validated};
use crate::error::Result;
use crate::layout::{LazyFunctions, Storage, Text};
use crate::table::{Kind, Location, Row, Table};
use crate::wire::{Reader, Tag};
use std::ptr;

impl<'t, 'i> Decoder<'t, 'i> {
    /// Keeps the bytes of a lazy message; false if it must be decoded now.
    ///
    /// # Safety
    /// A live value with the storage is at the address, and nothing else refers to it.
    pub(super) unsafe fn postpone(
        &mut self,
        row: &Row,
        storage: Storage,
        at: *mut u8,
        reader: &mut Reader<'i>,
    ) -> Result<bool> {
        let Storage::Option(option) = storage else { return Ok(false) };
        let Some((functions, table)) = self.lazy(row, storage, option.value())? else { return Ok(false) };
        let memory = self.memory;
        let Some((content, levels, after)) = self.valid(functions, table, *reader) else { return Ok(false) };
        // SAFETY: the caller says that a live value with the storage is at the address and that nothing else refers to
        // it, and the function comes from that storage. `valid` found the content to be a valid message of the type, or
        // the whole input was validated before.
        let done = unsafe { (functions.put)(at, self.kept(content), levels) };
        match done {
            true => *reader = after,
            false => self.memory = memory,
        }
        Ok(done)
    }

    /// Keeps the bytes of consecutive elements of a lazy list, from the tag of the first on; false if they must be
    /// decoded now.
    ///
    /// # Safety
    /// The table of the state is that of the struct at its address, and nothing else refers to that struct.
    pub(super) unsafe fn postpone_list(
        &mut self,
        state: &State<'t>,
        tag: Tag,
        start: Reader<'i>,
        reader: &mut Reader<'i>,
    ) -> Result<bool> {
        let row = state.row;
        let Location::Member { storage: storage @ Storage::List(list), .. } = row.location else {
            return Ok(false);
        };
        let Some((functions, table)) = self.lazy(row, storage, list.element)? else { return Ok(false) };
        // SAFETY: the row is one of the table of the struct at the base, to which nothing else refers: so a list with
        // the row's storage, from which the function comes, is at the row's offset. `valid` found all records up to the
        // end to be valid, or the whole input was validated before.
        unsafe {
            let at = state.base.add(row.offset as usize);
            if !(functions.put)(at, Text::owned(&[]), 0) {
                return Ok(false);
            }
            let (mut next, mut levels, mut end) = (*reader, 0, None);
            while let Some((_, more, after)) = self.valid(functions, table, next) {
                (levels, end, next) = (more.max(levels), Some(after), after);
                if next.is_empty() || !next.tag().is_ok_and(|next| next == tag) {
                    break;
                }
            }
            let Some(end) = end else { return Ok(false) };
            let records = &start.rest()[..end.position() - start.position()];
            let done = (functions.put)(at, self.kept(records), levels);
            debug_assert!(done, "it takes bytes");
            *reader = end;
        }
        Ok(true)
    }

    /// The functions and the table of a message, or of the elements of a list, that can be decoded later.
    fn lazy(
        &self,
        row: &'t Row,
        storage: Storage,
        message: Storage,
    ) -> Result<Option<(&'static LazyFunctions, &'t Table)>> {
        let (Some(functions), Storage::Message(shape)) = (storage.lazy(), message) else { return Ok(None) };
        let table = row.message()?;
        // Later it is decoded by the table of its type, not by that of a projection.
        let is_never = self.validated == Validated::Never || row.kind == Kind::Group;
        Ok((!is_never && ptr::eq(shape().table()?, table)).then_some((functions, table)))
    }

    /// The content of a message that surely decodes, the levels of messages in it, and the bytes after it.
    fn valid(
        &mut self,
        functions: &LazyFunctions,
        table: &Table,
        mut reader: Reader<'i>,
    ) -> Option<(&'i [u8], u32, Reader<'i>)> {
        let content = reader.len_prefixed().ok()?;
        let levels = match self.validated {
            Validated::Already { levels } => levels.saturating_sub(1),
            _ => {
                let Levels(levels) = functions.check.downcast_ref()?;
                levels(table, content, self.levels_left(), &mut self.memory)?
            }
        };
        Some((content, levels, reader))
    }

    /// A part of the input, shared or copied.
    fn kept(&self, bytes: &'i [u8]) -> Text<'i> {
        Text { bytes, borrowed: false, input: self.shared }
    }
}
