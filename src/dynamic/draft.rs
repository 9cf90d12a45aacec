//! A message as serde's data model gives it: in an arena, or for the wire format as bytes.
//!
//! Bytes are written as the values come. An arena is used only for what they cannot hold: maps, whose keys must be unique,
//! messages with a field that is given twice, and those with tobu's derive.

use super::arena::{Arena, Offsets, ROOT};
use super::direct::{Direct, Frame, Packed};
use super::object::{MessageFill, child};
use super::view::MessageAt;
use super::{DynamicMessage, building, decode, encode};
use crate::descriptor::MessageDescriptor;
use crate::error::Result;
use crate::options::EncodeOptions;
use crate::table::{Kind, Presence, Row, Table};
use crate::wire::CursorMut;
use bytes::Bytes;

/// A message on its way, begun with its first member.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    arena: Arena,
    direct: Direct,
    /// How it is encoded, if its bytes are wanted.
    options: Option<EncodeOptions>,
    is_begun: bool,
}

/// Where the next value goes: into a field of a message, or into a list or a map.
///
/// Nothing is set before the value is written.
pub(crate) struct Target<'d, 't> {
    draft: &'d mut Draft,
    /// The message, or the one that the list or map is in.
    table: &'t Table,
    /// The field; none of the message at first.
    row: Option<&'t Row>,
    place: Place,
    at: At,
}

/// Where a message is.
#[derive(Clone, Copy)]
enum Place {
    Arena(Offsets),
    Direct(Frame),
    /// In the arena until it is complete, and then in the bytes.
    Spilled(Offsets, Frame),
}

/// What the next value is.
#[derive(Clone, Copy)]
enum At {
    /// The value of a field.
    Member,
    /// A word of the arena: an element of a list, or the key or value of a map.
    Word(usize),
    /// An element of a list, as bytes.
    Element,
}

/// What a value is written to: a word of the arena, or bytes.
enum Ready {
    Word(usize),
    Direct,
}

/// A list that elements are added to.
#[derive(Clone, Copy)]
pub(crate) enum ListDraft {
    /// In a slot of the arena.
    Slot(usize),
    /// Each element with its tag.
    Tagged,
    Packed(Packed),
}

/// A map that entries are added to.
#[derive(Clone, Copy)]
pub(crate) struct MapDraft {
    word: u64,
    /// It is written to its message when it is complete.
    is_apart: bool,
}

impl Draft {
    /// A message whose bytes are wanted.
    pub(crate) fn of_bytes(options: EncodeOptions) -> Self {
        Draft { options: Some(options), ..Draft::default() }
    }

    /// A message that is wanted in an arena.
    pub(crate) fn in_arena(_: EncodeOptions) -> Self {
        Draft::default()
    }

    /// Starts an empty message, which replaces the old content.
    pub(crate) fn start<'d, 't>(&'d mut self, table: &'t Table) -> Target<'d, 't> {
        self.is_begun = true;
        let place = match self.options {
            Some(_) => Place::Direct(self.direct.root(table)),
            None => {
                self.arena = Arena::new(table, Bytes::new(), 0);
                Place::Arena(Offsets::new(ROOT, table))
            }
        };
        Target::message(self, table, place)
    }

    /// True when a message was begun.
    pub(crate) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// The message, of a draft in an arena.
    pub(crate) fn message<'b>(&'b self, table: &'b Table) -> Option<MessageAt<'b>> {
        (self.is_begun && self.options.is_none()).then(|| MessageAt::new(&self.arena, table, ROOT))
    }

    /// The message of a draft in an arena.
    pub(crate) fn into_dynamic(self, descriptor: MessageDescriptor) -> DynamicMessage {
        DynamicMessage::of(descriptor, self.arena)
    }

    /// Takes the bytes of a complete message.
    pub(crate) fn take_bytes(&mut self, table: &Table) -> Vec<u8> {
        let bytes = std::mem::take(&mut self.direct).into_vec();
        table.learn_size(bytes.len());
        bytes
    }
}

impl<'d, 't> Target<'d, 't> {
    fn message(draft: &'d mut Draft, table: &'t Table, place: Place) -> Self {
        Target { draft, table, row: None, place, at: At::Member }
    }

    /// The table of the message.
    #[inline]
    pub(crate) fn table(&self) -> &'t Table {
        self.table
    }

    /// The field.
    ///
    /// # Panics
    /// None was set.
    #[inline]
    pub(crate) fn row(&self) -> &'t Row {
        self.row.expect("the field of a value is set before the value")
    }

    /// Sets the field of the message that the next value is of.
    #[inline]
    pub(crate) fn set_row(&mut self, row: &'t Row) {
        self.row = Some(row);
    }

    /// True when a field was set; of one without presence, a default may not count.
    pub(crate) fn is_present(&self, row: &Row) -> bool {
        match &self.place {
            Place::Direct(frame) => self.draft.direct.is_set(frame, row),
            Place::Arena(offsets) | Place::Spilled(offsets, _) => {
                self.draft.arena.has_bit(*offsets, usize::from(row.slot))
            }
        }
    }

    /// How many bytes there are before the next member.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.draft.direct.len()
    }

    /// Takes back a member that failed, before which there were that many bytes, so that what follows stays in order.
    #[cold]
    pub(crate) fn back_to(&mut self, len: usize) {
        if let Place::Direct(frame) = &mut self.place {
            self.draft.direct.back_to(frame, self.table, len, self.row);
        }
    }

    /// Ends the message, and gives back the draft.
    ///
    /// # Errors
    /// A length exceeds 2 GiB, or a message with tobu's derive in it lacks a required field.
    #[inline]
    pub(crate) fn end(mut self) -> Result<&'d mut Draft> {
        match &self.place {
            Place::Direct(frame) => self.draft.direct.close(frame, self.table)?,
            Place::Spilled(_, frame) => self.end_spilled(frame.in_order())?,
            Place::Arena(_) => {}
        }
        Ok(self.draft)
    }

    #[inline(never)]
    fn end_spilled(&mut self, frame: Frame) -> Result<()> {
        let Draft { arena, direct, options, .. } = &mut *self.draft;
        let options = options.unwrap_or_default();
        direct.append(|bytes| building::encode_arena(arena, self.table, options, bytes))?;
        direct.close(&frame, self.table)
    }

    /// Adds to the unknown fields of the message.
    ///
    /// # Errors
    /// All is longer than any reader accepts.
    pub(crate) fn add_unknown(&mut self, fields: &[u8]) -> Result<()> {
        if let Place::Direct(frame) = &mut self.place
            && self.draft.direct.unknown(frame, self.table, fields)?
        {
            return Ok(());
        }
        let offsets = self.spill()?;
        self.draft.arena.add_unknown(offsets.at, fields);
        Ok(())
    }

    /// Marks the field as set. A message that has it already is moved to the arena.
    #[inline]
    fn ready(&mut self) -> Result<Ready> {
        match self.at {
            At::Word(word) => Ok(Ready::Word(word)),
            At::Element => Ok(Ready::Direct),
            At::Member => {
                let row = self.row();
                if let Place::Direct(frame) = &mut self.place
                    && self.draft.direct.mark(frame, self.table, row)
                {
                    return Ok(Ready::Direct);
                }
                self.ready_in_arena(row).map(Ready::Word)
            }
        }
    }

    #[inline(never)]
    fn ready_in_arena(&mut self, row: &Row) -> Result<usize> {
        let offsets = self.spill()?;
        Ok(self.draft.arena.set_presence(offsets, self.table, row))
    }

    /// Moves a message from the bytes to the arena, unless it is there.
    #[cold]
    #[inline(never)]
    fn spill(&mut self) -> Result<Offsets> {
        match self.place {
            Place::Direct(frame) => {
                let bytes = Bytes::from(self.draft.direct.take_body(&frame));
                self.draft.arena = decode::decode(self.table, &bytes, u32::MAX, u64::MAX, true)?;
                self.draft.arena.input = bytes;
                let offsets = Offsets::new(ROOT, self.table);
                self.place = Place::Spilled(offsets, frame);
                Ok(offsets)
            }
            Place::Arena(offsets) | Place::Spilled(offsets, _) => Ok(offsets),
        }
    }

    /// True if a default need not be written: the field has no presence and no value yet.
    #[inline]
    fn skips_default(&self) -> bool {
        match &self.place {
            Place::Direct(frame) if matches!(self.at, At::Member) => {
                let row = self.row();
                row.presence == Presence::Implicit && !self.draft.direct.is_set(frame, row)
            }
            _ => false,
        }
    }

    /// Sets a number, bool or enum.
    ///
    /// # Errors
    /// As [`child`](Self::child).
    #[inline]
    pub(crate) fn set_scalar(&mut self, bits: u64) -> Result<()> {
        if bits == 0 && self.skips_default() {
            return Ok(());
        }
        let row = self.row();
        match self.ready()? {
            Ready::Word(word) => self.draft.arena.words[word] = bits,
            Ready::Direct => {
                let is_packed = row.packed && matches!(self.at, At::Element);
                self.draft.direct.scalar(row, !is_packed, bits);
            }
        }
        Ok(())
    }

    /// Sets a string or byte string, which is UTF-8 where it has to be.
    ///
    /// # Errors
    /// There is no room for it.
    #[inline]
    pub(crate) fn set_text(&mut self, bytes: &[u8]) -> Result<()> {
        if bytes.is_empty() && self.skips_default() {
            return Ok(());
        }
        let row = self.row();
        match self.ready()? {
            Ready::Word(word) => {
                self.draft.arena.words[word] = self.draft.arena.string(bytes)?;
                Ok(())
            }
            Ready::Direct => self.draft.direct.text(row, bytes),
        }
    }

    /// The message in the field.
    ///
    /// # Errors
    /// There is no room for one.
    #[inline]
    pub(crate) fn child(&mut self) -> Result<Target<'_, 't>> {
        let row = self.row();
        let table = row.message()?;
        let place = match self.ready()? {
            Ready::Direct => Place::Direct(self.draft.direct.open(row, table)),
            Ready::Word(word) => Place::Arena(child(&mut self.draft.arena, row, word)?.offsets),
        };
        Ok(Target::message(self.draft, table, place))
    }

    /// Has the message in the field filled in an arena.
    ///
    /// # Errors
    /// There is no room for one, or those of `fill`.
    pub(crate) fn fill_child(
        &mut self,
        fill: impl FnOnce(&mut MessageFill<'_, 't>) -> Result<()>,
    ) -> Result<()> {
        let mut message = self.child()?;
        let offsets = message.spill()?;
        fill(&mut MessageFill { arena: &mut message.draft.arena, table: message.table, offsets })?;
        message.end().map(drop)
    }

    /// The list in the field, for a first element, and the target for its elements.
    ///
    /// # Errors
    /// As [`child`](Self::child).
    pub(crate) fn list(&mut self) -> Result<(ListDraft, Target<'_, 't>)> {
        let row = self.row();
        let (list, at) = match self.ready()? {
            Ready::Word(slot) => (ListDraft::Slot(slot), At::Word(slot)),
            Ready::Direct if row.packed => {
                (ListDraft::Packed(self.draft.direct.open_packed(row)), At::Element)
            }
            Ready::Direct => (ListDraft::Tagged, At::Element),
        };
        let target = Target { draft: self.draft, table: self.table, row: Some(row), place: self.place, at };
        Ok((list, target))
    }

    /// Makes room for one more element of a list, of which this is the target.
    ///
    /// # Errors
    /// There is none.
    #[inline]
    pub(crate) fn next_element(&mut self, list: ListDraft) -> Result<()> {
        if let ListDraft::Slot(slot) = list {
            let arena = &mut self.draft.arena;
            arena.check_room()?;
            let at = arena.grow_list(slot, 1);
            arena.words[at] = 0;
            self.at = At::Word(at);
        }
        Ok(())
    }

    /// Ends a list.
    ///
    /// # Errors
    /// It is longer than any reader accepts.
    pub(crate) fn end_list(&mut self, list: ListDraft) -> Result<()> {
        match list {
            ListDraft::Packed(packed) => self.draft.direct.close_packed(packed),
            ListDraft::Slot(_) | ListDraft::Tagged => Ok(()),
        }
    }

    /// The map in the field, for a first entry.
    ///
    /// # Errors
    /// As [`child`](Self::child).
    pub(crate) fn map(&mut self) -> Result<MapDraft> {
        let row = self.row();
        if let Place::Direct(frame) = &self.place
            && !self.draft.direct.is_set(frame, row)
        {
            self.draft.arena.reset();
            let word = self.draft.arena.new_map(row.map().key.kind == Kind::String);
            return Ok(MapDraft { word, is_apart: true });
        }
        let slot = self.ready_in_arena(row)?;
        Ok(MapDraft { word: self.draft.arena.map_in(row, slot), is_apart: false })
    }

    /// Begins an entry of the map in the field.
    ///
    /// # Errors
    /// There is no room for it.
    pub(crate) fn begin_entry(&mut self) -> Result<u32> {
        self.draft.arena.check_room()?;
        Ok(self.draft.arena.new_entry())
    }

    /// The target for the key of an entry.
    pub(crate) fn key(&mut self, entry: u32) -> Target<'_, 't> {
        let (row, at) = (&self.row().map().key, At::Word(entry as usize));
        Target { draft: self.draft, table: self.table, row: Some(row), place: self.place, at }
    }

    /// The target for the value of an entry.
    pub(crate) fn value(&mut self, entry: u32) -> Target<'_, 't> {
        let (row, at) = (&self.row().map().value, At::Word(entry as usize + 1));
        Target { draft: self.draft, table: self.table, row: Some(row), place: self.place, at }
    }

    /// Puts an entry into the map, replacing one with the same key.
    ///
    /// # Errors
    /// There is no room for the message that a value is.
    pub(crate) fn end_entry(&mut self, map: MapDraft, entry: u32) -> Result<()> {
        let value = &self.row().map().value;
        if value.is_message() && self.draft.arena.words[entry as usize + 1] == 0 {
            child(&mut self.draft.arena, value, entry as usize + 1)?;
        }
        self.draft.arena.put_entry(map.word, entry);
        Ok(())
    }

    /// The key of an entry, for errors.
    pub(crate) fn key_text(&self, entry: u32) -> String {
        let kind = self.row().map().key.kind;
        self.draft.arena.key_in_words(None, kind, self.draft.arena.entry(entry).0)
    }

    /// Ends the map, in a message in which `depth` more levels of messages may be opened.
    ///
    /// # Errors
    /// As [`end`](Self::end).
    pub(crate) fn end_map(&mut self, map: MapDraft, depth: u32) -> Result<()> {
        let row = self.row();
        if map.is_apart
            && let Place::Direct(frame) = &mut self.place
        {
            let Draft { arena, direct, options, .. } = &mut *self.draft;
            direct.mark(frame, self.table, row);
            let (map, options) = (encode::Map { row, word: map.word, depth }, options.unwrap_or_default());
            let write = |cursor: &mut CursorMut<'_>| encode::encode_map(arena, map, cursor, options);
            return direct.append(|bytes| building::append(bytes, write));
        }
        Ok(())
    }
}
