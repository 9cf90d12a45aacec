//! A message as serde's data model gives it: in an arena, or for the wire format as bytes.
//!
//! Bytes are written as the values come. An arena is used only for what they cannot hold: maps in the order of their
//! keys, messages with a field that is given twice, and those with tobu's derive.

mod parts;

use super::arena::{Arena, Offsets, ROOT};
use super::direct::{Direct, Frame, LONG};
use super::object::{MessageFill, child, text_word};
use super::view::MessageAt;
use super::{DynamicMessage, building, decode};
use crate::descriptor::MessageDescriptor;
use crate::error::{Error, Result};
use crate::layout::Text;
use crate::options::EncodeOptions;
use crate::table::{Kind, Presence, Row, Shape, Table};
use bytes::Bytes;
pub(crate) use parts::{EntryDraft, ListDraft, MapDraft};

/// A message on its way, begun with its first member.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    /// Made when it is needed.
    arena: Option<Arena>,
    direct: Direct,
    options: EncodeOptions,
    /// Its bytes are wanted.
    is_direct: bool,
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
    /// The message as bytes. In an arena all its bits are set, so that no field seems to be new.
    frame: Frame,
    /// The message in the arena.
    arena: u32,
    /// How many bytes there were before the message, list or map that was begun in the field: what a value that fails may
    /// leave behind. A number or a text is written whole or not at all.
    begun: usize,
    place: Place,
    at: At,
    /// The kind of the next value, if it is one that bytes take as it comes: that of a field in no oneof, or a part of a
    /// list or a map.
    plain: Option<Kind>,
}

/// Where a message is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Arena,
    Direct,
    /// In the arena until it is complete, and then in the bytes.
    Spilled,
}

/// What the next value is.
#[derive(Clone, Copy)]
enum At {
    /// The value of a field.
    Member,
    /// A word of the arena: an element of a list, or the key or value of a map.
    Word(u32),
    /// An element of a list, or the key or value of a map entry, as bytes.
    Element,
    /// An element of a packed list, as bytes without a tag.
    Packed,
}

/// A message in another that is open in the bytes.
pub(crate) struct Opened(Frame);

/// How a plain value is written.
enum Plain<'d> {
    /// At the end of the bytes, after so many bytes of the field's tag.
    Next { direct: &'d mut Direct, row: &'d Row, tag_len: u8 },
    /// Not at all: it is a default that need not be written.
    Skipped,
    /// As any value: its field has one already, or there are no bytes.
    Other,
}

/// What a value is written to: a word of the arena, or bytes.
enum Ready {
    Word(usize),
    Direct,
}

/// Nothing was begun.
const NOTHING: usize = usize::MAX;

impl Draft {
    /// A message whose bytes are wanted.
    pub(crate) fn of_bytes(options: EncodeOptions) -> Self {
        Draft { options, is_direct: true, ..Draft::default() }
    }

    /// A message that is wanted in an arena.
    pub(crate) fn in_arena(options: EncodeOptions) -> Self {
        Draft { options, ..Draft::default() }
    }

    /// Starts an empty message, which replaces the old content.
    #[inline]
    pub(crate) fn start<'d, 't>(&'d mut self, table: &'t Table) -> Target<'d, 't> {
        self.is_begun = true;
        if self.is_direct {
            let frame = self.direct.root(table);
            return Target::direct(self, table, frame);
        }
        self.arena = Some(Arena::new(table, Bytes::new(), 0));
        Target::in_arena(self, table, ROOT)
    }

    /// True when a message was begun.
    pub(crate) fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// How it is encoded.
    pub(crate) fn options(&self) -> EncodeOptions {
        self.options
    }

    /// The message, of a draft in an arena that was begun.
    pub(crate) fn message<'b>(&'b mut self, table: &'b Table) -> MessageAt<'b> {
        MessageAt::new(self.arena(), table, ROOT)
    }

    /// The message of a draft in an arena.
    pub(crate) fn into_dynamic(mut self, descriptor: MessageDescriptor) -> DynamicMessage {
        let arena = std::mem::take(self.arena());
        DynamicMessage::of(descriptor, arena)
    }

    #[inline]
    fn arena(&mut self) -> &mut Arena {
        self.arena.get_or_insert_default()
    }

    /// Takes the bytes of a complete message.
    #[inline]
    pub(crate) fn take_bytes(&mut self, table: &Table) -> Vec<u8> {
        let bytes = self.direct.take();
        table.learn_size(bytes.len());
        bytes
    }
}

impl<'d, 't> Target<'d, 't> {
    #[inline]
    fn direct(draft: &'d mut Draft, table: &'t Table, frame: Frame) -> Self {
        let (place, at, begun) = (Place::Direct, At::Member, NOTHING);
        Target { draft, table, row: None, frame, arena: 0, begun, place, at, plain: None }
    }

    fn in_arena(draft: &'d mut Draft, table: &'t Table, arena: u32) -> Self {
        Target { arena, place: Place::Arena, ..Self::direct(draft, table, Frame::full()) }
    }

    /// The message in the arena.
    fn offsets(&self) -> Offsets {
        Offsets::new(self.arena, self.table)
    }

    /// How the message is encoded.
    pub(crate) fn options(&self) -> EncodeOptions {
        self.draft.options
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
        (self.row, self.plain) = (Some(row), None);
    }

    /// The same for a field that is in no oneof.
    #[inline]
    pub(crate) fn set_plain_row(&mut self, row: &'t Row) {
        (self.row, self.plain, self.begun) = (Some(row), row.plain, NOTHING);
    }

    /// The kind of the next value, if it is one that bytes take as it comes.
    #[inline]
    pub(crate) fn plain(&self) -> Option<Kind> {
        self.plain
    }

    /// Notes that such a value is written next.
    #[inline]
    fn begin_plain(&mut self, is_default: bool) -> Plain<'_> {
        let Some(row) = self.row else { return Plain::Other };
        let tag_len = match self.at {
            At::Packed => 0,
            At::Element => row.tag_len,
            At::Member | At::Word(_) => {
                if is_default && row.presence == Presence::Implicit {
                    let is_first = row.bit & !self.frame.bits() != 0;
                    return if is_first { Plain::Skipped } else { Plain::Other };
                }
                if !self.frame.mark_next(row) && !self.frame.mark_before(row) {
                    return Plain::Other;
                }
                row.tag_len
            }
        };
        Plain::Next { direct: &mut self.draft.direct, row, tag_len }
    }

    /// Writes a plain number, bool or enum, whose kind the caller knows; false if it has to be set in another way.
    #[inline]
    pub(crate) fn put_scalar(&mut self, kind: Kind, bits: u64) -> bool {
        match self.begin_plain(bits == 0) {
            Plain::Next { direct, row, tag_len } => direct.scalar(row, kind, tag_len, bits),
            Plain::Skipped => {}
            Plain::Other => return false,
        }
        true
    }

    /// Opens a plain message, of this table and not a group; none if it has to be opened in another way.
    #[inline]
    pub(crate) fn open_plain(&mut self, table: &Table) -> Option<Opened> {
        let len = self.draft.direct.len();
        let frame = match self.begin_plain(false) {
            Plain::Next { direct, row, .. } => direct.open_message(row, table),
            Plain::Skipped | Plain::Other => return None,
        };
        self.begun = len;
        Some(Opened(frame))
    }

    /// A message that was opened.
    #[inline]
    pub(crate) fn opened(&mut self, Opened(frame): Opened, table: &'t Table) -> Target<'_, 't> {
        Target::direct(self.draft, table, frame)
    }

    /// True when a field was set; of one without presence, a default may not count.
    pub(crate) fn is_present(&self, row: &Row) -> bool {
        match self.place {
            Place::Direct => self.draft.direct.is_set(&self.frame, row),
            Place::Arena | Place::Spilled => {
                let arena = self.draft.arena.as_ref();
                arena.is_some_and(|arena| arena.has_bit(self.offsets(), usize::from(row.slot)))
            }
        }
    }

    /// Takes back what there is of a member whose value failed.
    #[cold]
    pub(crate) fn take_back(&mut self) {
        if self.begun != NOTHING {
            self.back_to(self.begun);
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
        if self.place == Place::Direct {
            self.draft.direct.back_to(&mut self.frame, self.table, len, self.row);
        }
    }

    /// Ends the message.
    ///
    /// # Errors
    /// A length exceeds 2 GiB, or a message with tobu's derive in it lacks a required field.
    #[inline]
    pub(crate) fn close(&mut self) -> Result<()> {
        match self.place {
            Place::Direct => self.draft.direct.close(&self.frame, self.table),
            Place::Spilled => self.close_spilled(),
            Place::Arena => Ok(()),
        }
    }

    /// The draft, of a message that was ended.
    pub(crate) fn into_draft(self) -> &'d mut Draft {
        self.draft
    }

    #[inline(never)]
    fn close_spilled(&mut self) -> Result<()> {
        let Draft { arena, direct, options, .. } = &mut *self.draft;
        let arena = arena.get_or_insert_default();
        direct.append(|bytes| building::encode_arena(arena, self.table, *options, bytes))?;
        direct.close(&self.frame.in_order(), self.table)
    }

    /// Adds to the unknown fields of the message.
    ///
    /// # Errors
    /// All is longer than any reader accepts.
    pub(crate) fn add_unknown(&mut self, fields: &[u8]) -> Result<()> {
        if self.place == Place::Direct && self.draft.direct.unknown(&mut self.frame, self.table, fields)? {
            return Ok(());
        }
        let offsets = self.spill()?;
        self.draft.arena().add_unknown(offsets.at, fields);
        Ok(())
    }

    /// Marks the field as set. A message that has it already is moved to the arena.
    #[inline]
    fn ready(&mut self) -> Result<Ready> {
        match self.at {
            At::Word(word) => Ok(Ready::Word(word as usize)),
            At::Element | At::Packed => Ok(Ready::Direct),
            At::Member => {
                let row = self.row();
                self.begun = self.draft.direct.len();
                if self.place == Place::Direct
                    && (row.oneof.is_none() && self.frame.mark_next(row)
                        || self.draft.direct.mark(&mut self.frame, self.table, row))
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
        Ok(self.draft.arena().set_presence(offsets, self.table, row))
    }

    /// Moves a message from the bytes to the arena, unless it is there.
    #[cold]
    #[inline(never)]
    fn spill(&mut self) -> Result<Offsets> {
        if self.place == Place::Direct {
            let bytes = Bytes::from(self.draft.direct.take_body(&self.frame));
            let mut arena = decode::decode(self.table, &bytes, u32::MAX, u64::MAX, true)?;
            arena.input = bytes;
            self.draft.arena = Some(arena);
            self.frame = self.frame.filled();
            (self.arena, self.place) = (ROOT, Place::Spilled);
        }
        Ok(self.offsets())
    }

    /// Fails for a value that is not one of the field: the word of a list must not be that of a number.
    #[inline]
    fn check(&self, shape: Shape, is_of_kind: bool) -> Result<()> {
        let expected = match self.at {
            At::Member => self.row().shape,
            At::Word(_) | At::Element | At::Packed => Shape::Singular,
        };
        match is_of_kind && shape == expected {
            true => Ok(()),
            false => Err(Error::ty("the value does not fit the field")),
        }
    }

    /// True if a default need not be written: the field has no presence and no value yet.
    #[inline]
    fn skips_default(&self) -> bool {
        self.place == Place::Direct
            && matches!(self.at, At::Member)
            && self.row().presence == Presence::Implicit
            && !self.draft.direct.is_set(&self.frame, self.row())
    }

    /// Writes a plain text that is not too long; false if it has to be set in another way.
    #[inline]
    pub(crate) fn put_text(&mut self, bytes: &[u8]) -> bool {
        if bytes.len() > LONG {
            return false;
        }
        match self.begin_plain(bytes.is_empty()) {
            Plain::Next { direct, row, .. } => direct.short_text(row, bytes),
            Plain::Skipped => {}
            Plain::Other => return false,
        }
        true
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
        self.check(Shape::Singular, row.is_scalar())?;
        match self.ready()? {
            Ready::Word(word) => self.draft.arena().words[word] = bits,
            Ready::Direct => {
                let tag_len = if let At::Packed = self.at { 0 } else { row.tag_len };
                self.draft.direct.scalar(row, row.kind, tag_len, bits);
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
        self.check(Shape::Singular, row.is_text())?;
        match self.ready()? {
            Ready::Word(word) => {
                let arena = self.draft.arena();
                arena.words[word] = text_word(arena, row, Text::owned(bytes))?;
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
        self.check(Shape::Singular, true)?;
        match self.ready()? {
            Ready::Direct => {
                let frame = self.draft.direct.open(row, table);
                Ok(Target::direct(self.draft, table, frame))
            }
            Ready::Word(word) => {
                let at = child(self.draft.arena(), row, word)?.offsets.at;
                Ok(Target::in_arena(self.draft, table, at))
            }
        }
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
        fill(&mut MessageFill { arena: message.draft.arena(), table: message.table, offsets })?;
        message.close()
    }
}
