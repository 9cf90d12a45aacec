//! Stores the bytes of lazy messages, which are decoded when they are first read.

use super::check::Levels;
use super::frames::State;
use super::{Decoder, Validated};
use crate::error::Result;
use crate::layout::{LazyFunctions, Storage, Text};
use crate::table::{Kind, Location, Row, Table};
use crate::wire::{Reader, Tag};
use std::ptr;

impl<'t, 'i> Decoder<'t, 'i> {
    /// Stores the bytes of a lazy message. Returns false if the message must be decoded at once.
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
        // SAFETY: the caller says that `at` is the address of a live value with the storage `storage`, and that nothing else
        // refers to it, and `functions` come from that storage. The content is a valid message of the type, because either
        // `valid` checked it, or the whole input was validated before.
        let done = unsafe { (functions.put)(at, self.kept(content), levels) };
        match done {
            true => *reader = after,
            false => self.memory = memory,
        }
        Ok(done)
    }

    /// Stores the bytes of consecutive elements of a lazy list, starting at the tag of the first element. Returns false if the
    /// elements must be decoded at once.
    ///
    /// # Safety
    /// `state.table` describes the struct at `state.base`, to which nothing else refers.
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
        // SAFETY: `state.row` is a row of the table of the struct at `state.base`, to which nothing else refers. So at the
        // offset of the row there is a list with the storage of the row, from which `functions` come. All elements up to `end`
        // are valid, because either `valid` checked them, or the whole input was validated before.
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

    /// Returns the functions and the table of a lazy message, or of the elements of a lazy list. Returns `None` if the message
    /// or the list must be decoded at once.
    fn lazy(
        &self,
        row: &'t Row,
        storage: Storage,
        message: Storage,
    ) -> Result<Option<(&'static LazyFunctions, &'t Table)>> {
        let (Some(functions), Storage::Message(shape)) = (storage.lazy(), message) else { return Ok(None) };
        let table = row.message()?;
        // A lazy message is later decoded with the table of its Rust type, so it cannot be lazy if `table` is another table,
        // such as a table with only some of the fields.
        let is_never = self.validated == Validated::Never || row.kind == Kind::Group;
        Ok((!is_never && ptr::eq(shape().table()?, table)).then_some((functions, table)))
    }

    /// Reads the message at `reader`. Returns its content, the number of levels in it, and the reader after it. Returns `None`
    /// if the message may be invalid.
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

    /// Returns `bytes`, a part of the input. If the input is shared, the result can share it.
    fn kept(&self, bytes: &'i [u8]) -> Text<'i> {
        Text { bytes, borrowed: false, input: self.shared }
    }
}
