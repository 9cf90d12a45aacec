//! Implements the traits through which codecs access messages, lists and maps of an arena.

use crate::error::{Error, Result, WireError};
use crate::layout::{KeyRef, Text};
use crate::object::arena::cells::for_each_width;
use crate::object::arena::map::VALUE;
use crate::object::arena::view::{ListAt, MapAt, MessageAt, field, try_key_at};
use crate::object::arena::words::{Arena, Offsets};
use crate::object::{
    EachRow, Field, Fill, ListMut, Numbers, Object, ObjectAt, ObjectList, ObjectMap, ObjectMut, Visit,
    mismatch,
};
use crate::table::{Kind, Presence, Row, Shape, Table, Width};

impl<'a> Object<'a> for MessageAt<'a> {
    type List = ListAt<'a>;
    type Map = MapAt<'a>;

    #[inline]
    fn table(self) -> &'a Table {
        self.table
    }

    #[inline]
    fn visit(self, visitor: &mut impl Visit<'a, Self>) -> Result<()> {
        for row in &self.table.rows {
            match self.get(row)? {
                None if row.presence != Presence::Required => {}
                value => visitor.field(row, value)?,
            }
        }
        visitor.unknown(self.table, self.unknown())
    }

    fn rows(self, each: EachRow<'_, 'a, Self>) -> Result<&'a [u8]> {
        for row in &self.table.rows {
            each(row, self.get(row)?)?;
        }
        Ok(self.unknown())
    }
}

impl<'a> ObjectAt<'a> for MessageAt<'a> {
    #[inline]
    fn get(self, row: &'a Row) -> Result<Option<Field<'a, Self>>> {
        match self.offsets {
            Some((arena, offsets)) if arena.is_set(offsets, row) => self.get_decoded(row),
            _ => Ok(None),
        }
    }

    #[inline]
    fn get_decoded(self, row: &'a Row) -> Result<Option<Field<'a, Self>>> {
        let Some((arena, offsets)) = self.offsets else { return Ok(None) };
        if !arena.has_bit(offsets, row) {
            return Ok(None);
        }
        let word = arena.word(offsets, row);
        Ok(Some(match row.shape {
            Shape::Singular => field(arena, row, word),
            Shape::List => Field::List(ListAt::new(arena, row, word)),
            Shape::Map => Field::Map(MapAt::new(arena, row.map(), word)),
        }))
    }

    #[inline]
    fn unknown(self) -> &'a [u8] {
        self.unknown_at()
    }
}

impl<'a> ObjectList<'a> for ListAt<'a> {
    type Message = MessageAt<'a>;

    #[inline]
    fn size_hint(self) -> usize {
        self.len_at()
    }

    #[inline]
    fn messages(self, mut each: impl FnMut(usize, MessageAt<'a>) -> Result<()>) -> Result<()> {
        let Some(list) = self.0 else { return Ok(()) };
        for (index, word) in list.elements().iter().enumerate() {
            match field(list.arena, list.field, word) {
                Field::Message(message) => each(index, message)?,
                _ => return Err(mismatch()),
            }
        }
        Ok(())
    }

    #[inline]
    fn texts(self, mut each: impl FnMut(usize, &'a [u8]) -> Result<()>) -> Result<()> {
        let Some(list) = self.0 else { return Ok(()) };
        for (index, word) in list.elements().iter().enumerate() {
            each(index, list.arena.bytes(word))?;
        }
        Ok(())
    }

    #[inline]
    fn numbers(self, take: &mut impl Numbers) -> Result<()> {
        for_each_width!(self.elements(), words => take.bits(words))
    }
}

impl<'a> ObjectMap<'a> for MapAt<'a> {
    type Message = MessageAt<'a>;

    #[inline]
    fn size_hint(self) -> usize {
        self.len_at()
    }

    #[inline]
    fn entries(
        self,
        mut each: impl FnMut(KeyRef<'a>, Field<'a, Self::Message>) -> Result<()>,
    ) -> Result<bool> {
        self.visit_entries(&mut each)
    }
}

impl<'a> MapAt<'a> {
    fn visit_entries(
        self,
        each: &mut dyn FnMut(KeyRef<'a>, Field<'a, MessageAt<'a>>) -> Result<()>,
    ) -> Result<bool> {
        let (mut whole, mut done) = (true, Ok(()));
        self.visit_words(|arena, rows, key, value| {
            match try_key_at(arena, &rows.key, key) {
                Some(key) => done = each(key, field(arena, &rows.value, value)),
                None => whole = false,
            }
            done.is_ok()
        });
        done.map(|()| whole)
    }
}

/// A message in an arena that is being filled.
pub(crate) struct MessageFill<'a, 't> {
    pub(crate) arena: &'a mut Arena,
    pub(crate) table: &'t Table,
    pub(crate) offsets: Offsets,
}

/// A list in an arena that is being filled.
pub(crate) struct ArenaList<'a, 't> {
    arena: &'a mut Arena,
    row: &'t Row,
    slot: u32,
}

/// A map entry that is being filled. Its cells are allocated, and it is not in the map yet.
pub(crate) struct EntryFill<'a> {
    arena: &'a mut Arena,
    /// The word of the map.
    map: u64,
    entry: u32,
}

/// Checks that a value has the shape and the kind of the field, because the value may come from a Rust type that does not fit
/// the schema.
#[inline]
fn check(row: &Row, shape: Shape, is_of_kind: bool) -> Result<()> {
    if row.shape == shape && is_of_kind { Ok(()) } else { Err(mismatch()) }
}

/// Checks a text and stores it. Returns its word: a range of the input, or of a copy.
pub(crate) fn text_word(arena: &mut Arena, row: &Row, text: Text<'_>) -> Result<u64> {
    if row.kind == Kind::String && row.utf8 && crate::wire::utf8(text.bytes).is_err() {
        return Err(Error::wire(WireError::Utf8, 0).nowhere());
    }
    arena.string(text.bytes)
}

/// Returns the message whose position is in the cell `slot`. Creates an empty message if there is none.
pub(crate) fn child<'a, 't>(arena: &'a mut Arena, row: &'t Row, slot: u32) -> Result<MessageFill<'a, 't>> {
    let table = row.message()?;
    let mut at = arena.cells.get(slot);
    if at == 0 {
        arena.check_room()?;
        at = arena.message(table);
        arena.cells.set(slot, at);
    }
    Ok(MessageFill { arena, table, offsets: Offsets::new(at) })
}

impl<'t> Fill<'t> for MessageFill<'_, 't> {
    type Child<'b>
        = MessageFill<'b, 't>
    where
        Self: 'b;

    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        check(row, Shape::Singular, row.is_scalar())?;
        self.arena.set_presence(self.offsets, self.table, row);
        self.arena.set_word(self.offsets, row, bits);
        Ok(())
    }

    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        check(row, Shape::Singular, row.is_text())?;
        let word = text_word(self.arena, row, text)?;
        self.arena.set_presence(self.offsets, self.table, row);
        self.arena.set_word(self.offsets, row, word);
        Ok(())
    }

    fn message(&mut self, row: &'t Row) -> Result<MessageFill<'_, 't>> {
        check(row, Shape::Singular, row.is_message())?;
        let slot = self.arena.set_presence(self.offsets, self.table, row);
        child(self.arena, row, slot)
    }
}

impl EntryFill<'_> {
    /// Returns the position of the entry's key or value.
    fn part(&self, row: &Row) -> u32 {
        self.entry + VALUE * u32::from(row.slot)
    }

    /// Ends the entry: puts it into its map if `filled` is true, and otherwise drops it.
    pub(crate) fn end(self, filled: Result<bool>) -> Result<bool> {
        match filled {
            Ok(true) => self.arena.put_entry(self.map, self.entry),
            Ok(false) | Err(_) => self.arena.drop_entry(self.entry),
        }
        filled
    }
}

impl<'t> Fill<'t> for EntryFill<'_> {
    type Child<'b>
        = MessageFill<'b, 't>
    where
        Self: 'b;

    fn set_scalar(&mut self, row: &'t Row, bits: u64) -> Result<()> {
        check(row, Shape::Singular, row.is_scalar())?;
        // Keys are compared as words, so the upper half of a key with 32 bits must be zero.
        let is_half =
            matches!(row.kind, Kind::Int32 | Kind::SInt32 | Kind::SFixed32 | Kind::UInt32 | Kind::Fixed32);
        let bits = if is_half { u64::from(bits as u32) } else { bits };
        self.arena.cells.set_wide(self.part(row), bits);
        Ok(())
    }

    fn set_text(&mut self, row: &'t Row, text: Text<'_>) -> Result<()> {
        check(row, Shape::Singular, row.is_text())?;
        let word = text_word(self.arena, row, text)?;
        self.arena.cells.set_wide(self.part(row), word);
        Ok(())
    }

    fn message(&mut self, row: &'t Row) -> Result<MessageFill<'_, 't>> {
        let part = self.part(row);
        child(self.arena, row, part)
    }
}

impl<'t> MessageFill<'_, 't> {
    /// Creates an empty entry of a map. The entry is not in the map yet.
    pub(crate) fn entry(&mut self, row: &'t Row) -> Result<EntryFill<'_>> {
        check(row, Shape::Map, true)?;
        self.arena.check_room()?;
        let slot = self.arena.set_presence(self.offsets, self.table, row);
        let map = self.arena.map_in(row, slot);
        let entry = self.arena.new_entry();
        Ok(EntryFill { arena: self.arena, map, entry })
    }
}

impl<'t> ObjectMut<'t> for MessageFill<'_, 't> {
    type Entry<'b>
        = EntryFill<'b>
    where
        Self: 'b;
    type List<'b>
        = ArenaList<'b, 't>
    where
        Self: 'b;

    fn table(&self) -> &'t Table {
        self.table
    }

    fn list(&mut self, row: &'t Row, _: &dyn Fn() -> usize) -> Result<ArenaList<'_, 't>> {
        check(row, Shape::List, true)?;
        let slot = self.arena.set_presence(self.offsets, self.table, row);
        Ok(ArenaList { arena: self.arena, row, slot })
    }

    fn insert<'s>(
        &'s mut self,
        row: &'t Row,
        fill: &mut dyn FnMut(&mut EntryFill<'s>) -> Result<bool>,
    ) -> Result<bool> {
        let mut entry = self.entry(row)?;
        let filled = fill(&mut entry);
        entry.end(filled)
    }

    fn add_unknown(&mut self, fields: &[u8]) {
        self.arena.add_unknown(self.offsets.at, fields);
    }
}

impl ArenaList<'_, '_> {
    /// Adds `more` elements to the list. Returns the position of the list, and the index of the first new element.
    fn grow(&mut self, more: usize) -> Result<(u32, usize)> {
        self.arena.check_room()?;
        Ok(self.arena.grow_list(self.row.width(), self.slot, more))
    }
}

impl<'t> ListMut<'t> for ArenaList<'_, 't> {
    type Child<'b>
        = MessageFill<'b, 't>
    where
        Self: 'b;

    fn push_scalars(&mut self, bits: &[u64]) -> Result<()> {
        check(self.row, Shape::List, self.row.is_scalar())?;
        let ((start, first), width) = (self.grow(bits.len())?, self.row.width());
        for (index, bits) in bits.iter().enumerate() {
            self.arena.cells.set_element(width, start, first + index, *bits);
        }
        Ok(())
    }

    fn push_text(&mut self, text: Text<'_>) -> Result<()> {
        check(self.row, Shape::List, self.row.is_text())?;
        let word = text_word(self.arena, self.row, text)?;
        let (start, index) = self.grow(1)?;
        self.arena.cells.set_element(Width::Eight, start, index, word);
        Ok(())
    }

    fn push_message(&mut self) -> Result<MessageFill<'_, 't>> {
        check(self.row, Shape::List, self.row.is_message())?;
        let (start, index) = self.grow(1)?;
        self.arena.cells.set_element(Width::Four, start, index, 0);
        child(self.arena, self.row, start + index as u32)
    }
}
