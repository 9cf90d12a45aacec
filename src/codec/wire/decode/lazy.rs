//! Keeps the bytes of lazy messages, which are decoded when they are first read.

use super::check::Levels;
use super::frames::State;
use super::{Decoder, Validated};
use crate::error::Result;
use crate::layout::{LazyFunctions, Storage, Text};
use crate::table::{Kind, Location, Row, Table};
use crate::wire::{Reader, Tag};
use std::ptr;

impl<'t, 'i> Decoder<'t, 'i> {
    /// Keeps the bytes of a lazy message. Returns false if the message must be decoded now.
    ///
    /// # Safety
    /// `at` is the address of a live value with the storage `storage`, and nothing else refers to it.
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
        // SAFETY: the caller says that `at` is the address of a live value with the storage `storage`, and that nothing
        // else refers to it, and `functions` come from that storage. `valid` found the content to be a valid message of
        // the type, or the whole input was validated before.
        let done = unsafe { (functions.put)(at, self.kept(content), levels) };
        match done {
            true => *reader = after,
            false => self.memory = memory,
        }
        Ok(done)
    }

    /// Keeps the bytes of consecutive elements of a lazy list, from the tag of the first element on. Returns false if
    /// they must be decoded now.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, and nothing else refers to that struct.
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
        // SAFETY: `state.row` is a row of the table of the struct at `state.base`, to which nothing else refers. So at
        // the offset of the row there is a list with the storage of the row, from which `functions` come. `valid` found
        // all records up to the end to be valid, or the whole input was validated before.
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

    /// Returns the functions and the table of a lazy message, or of the elements of a lazy list. Returns `None` if it
    /// must be decoded now.
    fn lazy(
        &self,
        row: &'t Row,
        storage: Storage,
        message: Storage,
    ) -> Result<Option<(&'static LazyFunctions, &'t Table)>> {
        let (Some(functions), Storage::Message(shape)) = (storage.lazy(), message) else { return Ok(None) };
        let table = row.message()?;
        // When the message is read later, it is decoded by the table of its type, not by the table of a projection.
        let is_never = self.validated == Validated::Never || row.kind == Kind::Group;
        Ok((!is_never && ptr::eq(shape().table()?, table)).then_some((functions, table)))
    }

    /// Returns the content of the message at `reader`, the number of levels in it, and the reader after it. Returns
    /// `None` if it may be invalid.
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

    /// Returns `bytes`, a part of the input, in a form that shares the input if that is possible.
    fn kept(&self, bytes: &'i [u8]) -> Text<'i> {
        Text { bytes, borrowed: false, input: self.shared }
    }
}
