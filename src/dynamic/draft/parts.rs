//! The elements of a list, and the entries of a map.

use super::super::arena::{Arena, Offsets, ROOT};
use super::super::direct::{Direct, Run};
use super::super::object::child;
use super::super::{building, decode, encode};
use super::{At, Draft, NOTHING, Place, Ready, Target};
use crate::error::Result;
use crate::table::{Kind, Row, Shape};
use crate::wire::{CursorMut, Reader};
use bytes::Bytes;

/// A list that elements are added to.
#[derive(Clone, Copy)]
pub(crate) enum ListDraft {
    /// In a slot of the arena.
    Slot(usize),
    /// Each element with its tag.
    Tagged,
    Packed(Run),
}

/// A map that entries are added to.
#[derive(Clone, Copy)]
pub(crate) enum MapDraft {
    /// In the arena, at a word.
    Arena(u64),
    /// The same, and it is written to its message when it is complete.
    Apart(u64),
    /// Each entry as bytes.
    Direct,
}

/// An entry of a map that is open.
#[derive(Clone, Copy)]
pub(crate) enum EntryDraft {
    /// In the arena, to be put into the map at a word.
    Arena {
        map: u64,
        entry: u32,
    },
    Direct(Run),
}

impl<'t> Target<'_, 't> {
    /// The target for a part of this list or map.
    #[inline]
    fn part(&mut self, row: &'t Row, at: At) -> Target<'_, 't> {
        let Target { table, frame, arena, place, .. } = *self;
        let plain = if let At::Word(_) = at { None } else { Some(row.kind) };
        Target { draft: self.draft, table, row: Some(row), frame, arena, begun: NOTHING, place, at, plain }
    }

    /// The list in the field, for a first element, and the target for its elements.
    ///
    /// # Errors
    /// As [`child`](Self::child).
    pub(crate) fn list(&mut self) -> Result<(ListDraft, Target<'_, 't>)> {
        let row = self.row();
        self.check(Shape::List, true)?;
        let (list, at) = match self.ready()? {
            Ready::Word(slot) => (ListDraft::Slot(slot), At::Word(slot as u32)),
            Ready::Direct if row.packed => (ListDraft::Packed(self.draft.direct.open_run(row)), At::Packed),
            Ready::Direct => (ListDraft::Tagged, At::Element),
        };
        Ok((list, self.part(row, at)))
    }

    /// Makes room for one more element of a list, of which this is the target.
    ///
    /// # Errors
    /// There is none.
    #[inline]
    pub(crate) fn next_element(&mut self, list: ListDraft) -> Result<()> {
        if let ListDraft::Slot(slot) = list {
            let arena = self.draft.arena();
            arena.check_room()?;
            let at = arena.grow_list(slot, 1);
            arena.words[at] = 0;
            self.at = At::Word(at as u32);
        }
        Ok(())
    }

    /// Ends a list.
    ///
    /// # Errors
    /// It is longer than any reader accepts.
    pub(crate) fn end_list(&mut self, list: ListDraft) -> Result<()> {
        match list {
            ListDraft::Packed(packed) => self.draft.direct.close_run(packed),
            ListDraft::Slot(_) | ListDraft::Tagged => Ok(()),
        }
    }

    /// The map in the field, for a first entry.
    ///
    /// # Errors
    /// As [`child`](Self::child).
    pub(crate) fn map(&mut self) -> Result<MapDraft> {
        let row = self.row();
        self.check(Shape::Map, true)?;
        self.begun = self.draft.direct.len();
        if self.place == Place::Direct && !self.draft.direct.is_set(&self.frame, row) {
            let (_, is_sorted, _) = self.draft.options.parts();
            if !is_sorted && self.draft.direct.mark(&mut self.frame, self.table, row) {
                return Ok(MapDraft::Direct);
            }
            let arena = self.draft.arena();
            arena.reset();
            return Ok(MapDraft::Apart(arena.new_map(row.map().key.kind == Kind::String)));
        }
        let slot = self.ready_in_arena(row)?;
        Ok(MapDraft::Arena(self.draft.arena().map_in(row, slot)))
    }

    /// Begins an entry of the map in the field.
    ///
    /// # Errors
    /// There is no room for it.
    #[inline]
    pub(crate) fn begin_entry(&mut self, map: MapDraft) -> Result<EntryDraft> {
        match map {
            MapDraft::Direct => Ok(EntryDraft::Direct(self.draft.direct.open_run(self.row()))),
            MapDraft::Arena(map) | MapDraft::Apart(map) => {
                let arena = self.draft.arena();
                arena.check_room()?;
                Ok(EntryDraft::Arena { map, entry: arena.new_entry() })
            }
        }
    }

    /// The target for the key of an entry.
    #[inline]
    pub(crate) fn key(&mut self, entry: EntryDraft) -> Target<'_, 't> {
        let at = match entry {
            EntryDraft::Arena { entry, .. } => At::Word(entry),
            EntryDraft::Direct(_) => At::Element,
        };
        self.part(&self.row().map().key, at)
    }

    /// The target for the value of an entry.
    #[inline]
    pub(crate) fn value(&mut self, entry: EntryDraft) -> Target<'_, 't> {
        let at = match entry {
            EntryDraft::Arena { entry, .. } => At::Word(entry + 1),
            EntryDraft::Direct(_) => At::Element,
        };
        self.part(&self.row().map().value, at)
    }

    /// Puts an entry into the map. In an arena it replaces one with the same key; as bytes it comes after that one, whose
    /// place every reader gives to it.
    ///
    /// # Errors
    /// There is no room for the message that a value is, or the entry is longer than any reader accepts.
    #[inline]
    pub(crate) fn end_entry(&mut self, entry: EntryDraft) -> Result<()> {
        match entry {
            EntryDraft::Arena { map, entry } => {
                let value = &self.row().map().value;
                let arena = self.draft.arena();
                if value.is_message() && arena.words[entry as usize + 1] == 0 {
                    child(arena, value, entry as usize + 1)?;
                }
                arena.put_entry(map, entry);
                Ok(())
            }
            EntryDraft::Direct(entry) => self.draft.direct.close_run(entry),
        }
    }

    /// The key of an entry whose value failed, for errors.
    #[cold]
    pub(crate) fn key_text(&mut self, entry: EntryDraft) -> String {
        let kind = self.row().map().key.kind;
        match entry {
            EntryDraft::Arena { entry, .. } => {
                let arena = self.draft.arena();
                arena.key_in_words(None, kind, arena.entry(entry).0)
            }
            EntryDraft::Direct(entry) => match self.read_entry(entry) {
                Ok((arena, entry)) => arena.key_in_words(None, kind, arena.entry(entry).0),
                Err(_) => String::new(),
            },
        }
    }

    /// An entry that was written up to its key, in an arena of its own.
    fn read_entry(&mut self, entry: Run) -> Result<(Arena, u32)> {
        let (row, written) = (self.row(), self.draft.direct.written(entry));
        let mut reader = Reader::new(&written);
        let tag = reader.tag()?;
        reader.skip(tag, 0)?;
        let mut bytes = Direct::default();
        let run = bytes.open_run(row);
        bytes.append(|out| out.extend_from_slice(&written[..reader.position()]));
        bytes.close_run(run)?;
        let bytes = Bytes::from(bytes.take());
        let mut arena = decode::decode(self.table, &bytes, u32::MAX, u64::MAX, true)?;
        let entry =
            arena.first_entry(arena.words[Offsets::new(ROOT, self.table).slot(usize::from(row.slot))]);
        arena.input = bytes;
        Ok((arena, entry))
    }

    /// Ends the map, in a message in which `depth` more levels of messages may be opened.
    ///
    /// # Errors
    /// As [`close`](Self::close).
    pub(crate) fn end_map(&mut self, map: MapDraft, depth: u32) -> Result<()> {
        let row = self.row();
        if let MapDraft::Apart(word) = map
            && self.place == Place::Direct
        {
            let Draft { arena, direct, options, .. } = &mut *self.draft;
            let arena = arena.get_or_insert_default();
            direct.mark(&mut self.frame, self.table, row);
            let (map, options) = (encode::Map { row, word, depth }, *options);
            let write = |cursor: &mut CursorMut<'_>| encode::encode_map(arena, map, cursor, options);
            return direct.append(|bytes| building::append(bytes, write));
        }
        Ok(())
    }
}
